"""What is broken on purpose in lesson 10: a map that is refused, and kernels about the engine's copies."""

from dataclasses import dataclass

from hopperlab.course.broken_kernels import BrokenKernel
from hopperlab.course.tma.predictions import MAPS
from hopperlab.models.tma import Descriptor, refusals
from hopperlab.views.finding import finding
from hopperlab.views.picture import Picture
from hopperlab.views.tma import explorer


@dataclass(frozen=True)
class RefusedMap:
    """A tensor map that the driver refuses: found when it is made, before anything is launched."""

    name: str
    story: str
    descriptor: Descriptor
    cure: str

    def picture(self) -> Picture:
        """The rule that it breaks, above the explorer's view of it."""
        broken = refusals(self.descriptor)[0]
        shown = explorer(self.descriptor, (0,) * self.descriptor.rank)
        return finding(f"{self.name}: {broken.rule}", self.story, f"Refused: {broken}.", self.cure, shown)


SPECIMENS = (
    RefusedMap(
        "A misaligned stride",
        "A map of a float32 image whose rows of 101 elements follow each other without gaps.",
        MAPS["A"][1],
        "Pad the rows to a multiple of 16 bytes: allocate 104 columns, and describe 101 of them.",
    ),
    BrokenKernel("Expected after the last arrival", "expect_tx_late"),
    BrokenKernel("A buffer reused before its store was read", "source_reused"),
    BrokenKernel("No proxy fence before a store", "missing_proxy_fence"),
    BrokenKernel("A copy that begins at byte 4", "misaligned_copy"),
    BrokenKernel("A box larger than its tile", "box_larger_than_its_tile"),
    BrokenKernel("Elements taken for bytes", "expect_tx_too_small"),
    BrokenKernel("One waits, all read", "read_in_flight"),
    BrokenKernel("A tile cleared under its copy", "write_under_a_copy"),
    BrokenKernel("The A100's way, a wait too few", "element_copy_in_flight"),
)
