"""atomic_ref: an element of a global array that blocks use as a flag, with order around it.

Names follow `cuda::atomic_ref` of libcu++, at the scope of the device. A flag is never kept in a register: a
loop that reads one sees it change.
"""

from hopperlab.device.vocabulary.kinds import Element, GlobalArray, Index
from hopperlab.device.vocabulary.word import word

PTX = "PTX ISA, Data Movement and Conversion Instructions:"


@word(ptx="ld.acquire.gpu.global.{array.type} {result}, [{array}];", target="sm_70", source=f"{PTX} ld")
def load_acquire(array: GlobalArray(at="index", element_bytes=(4, 8)), index: Index("array")) -> Element(
    "array"
):
    """Read `array[index]`; then see what another thread wrote before it stored that value with `store_release`."""


@word(ptx="st.release.gpu.global.{array.type} [{array}], {value};", target="sm_70", source=f"{PTX} st")
def store_release(
    array: GlobalArray(at="index", element_bytes=(4, 8)), index: Index("array"), value: Element("array")
) -> None:
    """Write `array[index]`; who reads that value with `load_acquire` sees what this thread wrote before."""
