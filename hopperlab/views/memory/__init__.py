"""Pictures of memory: how far away a byte is, and how many come a second."""
