"""The numba types of barriers: one, or a ring of them, in shared memory of this block or of another.

A barrier is its generic address; a ring is the address of its first barrier, and knows how many there are.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.cuda import types
from numba.cuda.cudadecl import registry as typing_registry
from numba.cuda.cudaimpl import registry as lowering_registry
from numba.cuda.extending import models, register_model
from numba.cuda.typing import signature
from numba.cuda.typing.templates import AbstractTemplate

OBJECT = ir.IntType(64)


class BarrierType(types.Type):
    """A barrier; `remote` if it is in another block's shared memory."""

    def __init__(self, remote: bool = False) -> None:
        self.remote = remote
        super().__init__("another block's barrier" if remote else "barrier")

    def elsewhere(self) -> BarrierType:
        """The type of the same barrier in another block."""
        return BarrierType(remote=True)


class RingType(types.Type):
    """A ring of `count` barriers."""

    def __init__(self, count: int, remote: bool = False) -> None:
        self.count, self.remote = count, remote
        super().__init__(f"ring of {count} {'barriers of another block' if remote else 'barriers'}")

    def elsewhere(self) -> RingType:
        """The type of the same ring in another block."""
        return RingType(self.count, remote=True)


@register_model(BarrierType)
@register_model(RingType)
class AddressModel(models.PrimitiveModel):
    """A pointer to the first of the 64-bit objects."""

    def __init__(self, manager: Any, kind: types.Type) -> None:
        super().__init__(manager, kind, OBJECT.as_pointer())


@typing_registry.register_global(operator.getitem)
class RingItem(AbstractTemplate):
    """Types `ring[stage]`."""

    def generic(self, given: tuple, named: dict) -> Any:
        """Give a barrier for a whole number; negative ones are not counted from the end."""
        ring, stage = given
        if isinstance(ring, RingType) and isinstance(stage, types.Integer):
            return signature(BarrierType(ring.remote), ring, types.uint32)
        return None


@lowering_registry.lower(operator.getitem, RingType, types.uint32)
def ring_item(context: Any, builder: Any, signature: Any, values: list) -> Any:
    """Give the address of one barrier of the ring."""
    ring, stage = values
    return builder.gep(ring, [builder.zext(stage, OBJECT)])
