"""Models: pure functions and state machines; values in, values out."""
