"""`mbarrier.shared` on silicon: barriers are 64-bit objects in the block's static shared memory."""

from __future__ import annotations

import itertools
from typing import Any

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cudadrv import nvvm
from numba.cuda.typing import Signature, signature

from hopperlab.device.silicon.intrinsics import check_typed, lowering
from hopperlab.device.silicon.shared_types import OBJECT, BarrierType, RingType
from hopperlab.device.vocabulary import mbarrier
from hopperlab.device.vocabulary.word import check_known_value

ALIGNMENT = 8  # bytes; lit-028.b

_number = itertools.count()  # a kernel and its device functions are linked: their names must differ


@lowering(mbarrier.shared)
def shared(context: Any, count: Any = None) -> tuple[Signature, Any]:
    """Type and build `mbarrier.shared()` and `mbarrier.shared(count)`."""
    if count is None or isinstance(count, types.NoneType):
        return signature(BarrierType(), types.none), _allocate(1)
    known = isinstance(count, types.IntegerLiteral)
    check_typed(
        mbarrier.shared, known, f"count is {count}; give a constant, known when the kernel is compiled"
    )
    check_known_value(mbarrier.shared, "count", count.literal_value)
    return signature(RingType(count.literal_value), count), _allocate(count.literal_value)


def _allocate(count: int) -> Any:
    def generate(context: Any, builder: Any, signature: Signature, values: list) -> Any:
        module = builder.module
        objects = ir.ArrayType(OBJECT, count)
        place = cgutils.add_global_variable(
            module, objects, f"mbarrier_{next(_number)}", nvvm.ADDRSPACE_SHARED
        )
        place.initializer = ir.Constant(objects, ir.Undefined)
        place.align = ALIGNMENT
        generic = builder.addrspacecast(place, objects.as_pointer(), "generic")
        return builder.bitcast(generic, OBJECT.as_pointer())

    return generate
