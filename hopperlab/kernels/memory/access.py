"""Loads and stores whose caches and widths are chosen: the very instructions that these kernels measure.

They are no words of the vocabulary: a lesson has `array[i]`. Here the instruction is what is measured, so
that no compiler may choose another one. So their twins for the simulator stand here too.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hopperlab.device.simulator.addressed import element_at
from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.twins import twin
from hopperlab.device.vocabulary.kinds import Element, GlobalArray, Index, Scalar, SharedArray
from hopperlab.device.vocabulary.word import word

PTX = "PTX ISA, Data Movement and Conversion Instructions:"
Address = Scalar("uint64", unit="byte")
Offset = Scalar("uint32", unit="byte")
Words = GlobalArray(at="index", element_bytes=(4, 8))
Longs = GlobalArray(at="index", element_bytes=(8,))


@word(family="", ptx="ld.global.u64 {result}, [{address}];", target="sm_70", source=f"{PTX} ld")
def load_address(address: Address) -> Address:
    """Load 8 bytes through all caches, at an address that needs no arithmetic."""


@word(family="", ptx="ld.global.cg.u64 {result}, [{address}];", target="sm_70", source=f"{PTX} ld")
def load_address_l2(address: Address) -> Address:
    """Load 8 bytes from the L2 cache or beyond: the L1 cache is passed by."""


@word(family="", ptx="mov.u32 {result}, {array};", target="sm_70", source=f"{PTX} mov")
def shared_address(array: SharedArray()) -> Offset:
    """Give where an array lies in shared memory."""


@word(family="", ptx="ld.shared.u32 {result}, [{address}];", target="sm_70", source=f"{PTX} ld")
def load_shared(address: Offset) -> Offset:
    """Load 4 bytes from shared memory."""


@word(
    family="",
    ptx="""
    {
    .reg .u64 window;
    cvta.to.const.u64 window, {array};
    cvt.u32.u64 {result}, window;
    }
    """,
    target="sm_70",
    source=f"{PTX} cvta",
)
def constant_address(array: GlobalArray()) -> Offset:
    """Give where an array of constants lies in constant memory."""


@word(family="", ptx="ld.const.u32 {result}, [{address}];", target="sm_70", source=f"{PTX} ld")
def load_constant(address: Offset) -> Offset:
    """Load 4 bytes from constant memory."""


@word(family="", ptx="ld.global.cg.{array.type} {result}, [{array}];", target="sm_70", source=f"{PTX} ld")
def load_l2(array: Words, index: Index("array")) -> Element("array"):
    """Load an element of 4 or 8 bytes, passing the L1 cache by."""


@word(family="", ptx="ld.global.v2.{array.type} {{result}}, [{array}];", target="sm_70", source=f"{PTX} ld")
def load_v2(array: Longs, index: Index("array")) -> Element("array", count=2):
    """Load two elements of 8 bytes at once, through all caches; the index is even."""


@word(
    family="", ptx="ld.global.cg.v2.{array.type} {{result}}, [{array}];", target="sm_70", source=f"{PTX} ld"
)
def load_l2_v2(array: Longs, index: Index("array")) -> Element("array", count=2):
    """Load two elements of 8 bytes at once, passing the L1 cache by; the index is even."""


@word(family="", ptx="st.global.v2.{array.type} [{array}], {{values}};", target="sm_70", source=f"{PTX} st")
def store_v2(array: Longs, index: Index("array"), values: Element("array", count=2)) -> None:
    """Store two elements of 8 bytes at once; the index is even."""


def _loading(space: str, dtype: Any) -> Callable:
    def load(world: Any, address: int) -> Any:
        array, index = element_at(world, space, address, dtype)
        return array[index]

    return load


twin(load_address, load_address_l2)(_loading("global", np.uint64))
twin(load_shared)(_loading("shared", np.uint32))
twin(load_constant)(_loading("const", np.uint32))


@twin(shared_address, constant_address)
def _address(world: Any, array: Any) -> int:
    return array.address


@twin(load_l2)
def _load(world: Any, array: Any, index: int) -> Any:
    return array[index]


def _even(word: str, index: int) -> int:
    if index % 2:
        raise Misuse(
            f"{word}: index is {int(index)}; a multiple of 2 is needed", "misaligned or oversized copy"
        )
    return int(index)


@twin(load_v2, load_l2_v2)
def _load_pair(world: Any, array: Any, index: int) -> tuple:
    first = _even("load_v2", index)
    return array[first], array[first + 1]


@twin(store_v2)
def _store_pair(world: Any, array: Any, index: int, values: tuple) -> None:
    first = _even("store_v2", index)
    array[first], array[first + 1] = values
