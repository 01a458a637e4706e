"""Silicon: words as numba.cuda intrinsics, compilation for sm_90a, the card, and launches on it."""
