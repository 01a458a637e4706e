"""The Hopper simulator: runs a kernel's own code object on the CPU, with every word bound to its twin.

See `run.simulate`; `Kernel.simulate` and launches with HOPPERLAB_MACHINE=simulator end there.
"""
