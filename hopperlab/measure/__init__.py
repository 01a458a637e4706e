"""Experiments: a kernel, a sweep, the prediction of a model, and the claims it tests."""
