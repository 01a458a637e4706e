"""griddepcontrol: a grid that may begin before the one it was launched behind has ended.

A kernel that says `wait` is launched with programmatic stream serialization: its blocks may come to an SM, set up
barriers and fetch tensor maps while the grid before still has others busy. CUDA C++ calls the two words
cudaGridDependencySynchronize and cudaTriggerProgrammaticLaunchCompletion.
"""

from hopperlab.device.vocabulary.word import word

PTX = "PTX ISA, Parallel Synchronization and Communication Instructions: griddepcontrol"


@word(ptx="griddepcontrol.wait;", source=PTX)
def wait() -> None:
    """Wait until the grids launched before in this stream have ended, and what they wrote is seen.

    Before it, a kernel reads nothing that they write, and writes nothing that they read or write. What nobody writes
    meanwhile may be read.
    """


@word(ptx="griddepcontrol.launch_dependents;", source=PTX)
def launch_dependents() -> None:
    """Let the next grid of this stream begin, if it is one that waits; once every block has said so, or ended."""
