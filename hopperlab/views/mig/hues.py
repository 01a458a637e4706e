"""The color of an instance on every MIG picture."""

HUES = {1: 3, 2: 2, 3: 0, 4: 5, 7: 1}
"""The palette's hue of a profile, by its compute slices; the name is always written on it."""
