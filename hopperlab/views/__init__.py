"""Pictures: pure functions from a model's state, a trace or a recording to a figure and its twin in text."""
