"""The kernels of lessons and measurements, by theme."""
