"""Tensor maps as kernel arguments: 128 bytes by value that stay in the parameters, where the engine reads them.

CUDA C++ says `const __grid_constant__ CUtensorMap`; this is the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cudadrv import nvvm
from numba.cuda.extending import models, register_model, typeof_impl

from hopperlab.device.silicon.card import checked
from hopperlab.device.tensor_map import TensorMap
from hopperlab.models.tma import Descriptor

MAP = ir.ArrayType(ir.IntType(64), 16)
ALIGNMENT = 64  # of the map's address, bytes; lit-038.a


class TensorMapType(types.Type):
    """A tensor map of a rank."""

    def __init__(self, rank: int) -> None:
        self.rank = rank
        super().__init__(f"tensor map of rank {rank}")


@register_model(TensorMapType)
class TensorMapModel(models.PrimitiveModel):
    """A pointer to the 128 bytes."""

    def __init__(self, manager: Any, kind: TensorMapType) -> None:
        super().__init__(manager, kind, MAP.as_pointer())


@typeof_impl.register(TensorMap)
def _typeof(value: TensorMap, context: Any) -> TensorMapType:
    return TensorMapType(value.rank)


@lru_cache(maxsize=4096)
def encoded(descriptor: Descriptor) -> tuple[int, ...]:
    """Let the driver encode a map: sixteen 64-bit words.

    Raises
    ------
    RuntimeError
        If the driver refuses it; `models.tma.check` gives the reason first, wherever one is known.
    ValueError
        If it has more dimensions than the driver's arrays have places.
    """
    from cuda.bindings import driver

    d = descriptor
    # The driver wants an address in every place, also where it reads nothing: strides of a single dimension.
    answer = driver.cuTensorMapEncodeTiled(
        driver.CUtensorMapDataType(int(d.element_type)),
        d.rank,
        d.global_address,
        [driver.cuuint64_t(size) for size in d.global_dim or (0,)],
        [driver.cuuint64_t(stride) for stride in d.global_strides or (0,)],
        [driver.cuuint32_t(size) for size in d.box_dim or (0,)],
        [driver.cuuint32_t(step) for step in d.element_strides or (0,)],
        driver.CUtensorMapInterleave(int(d.interleave)),
        driver.CUtensorMapSwizzle(int(d.swizzle)),
        driver.CUtensorMapL2promotion(int(d.l2_promotion)),
        driver.CUtensorMapFloatOOBfill(int(d.fill)),
    )
    return tuple(int(word) for word in checked(answer).opaque)


def _keep_in_parameters(kernel: ir.Function) -> None:
    """Mark the maps among a kernel's arguments: passed by value, never copied out of the parameters."""
    numbers = []
    for number, argument in enumerate(kernel.args, start=1):
        if argument.type == MAP.as_pointer():
            # NVVM's dialect wants `byval` without its type; llvmlite would write the type for the bare name.
            set.add(argument.attributes, f"byval align {ALIGNMENT}")
            numbers.append(ir.Constant(ir.IntType(32), number))
    if numbers:
        module = kernel.module
        which = module.add_metadata(numbers)
        annotation = module.add_metadata([kernel, ir.MetaDataString(module, "grid_constant"), which])
        cgutils.get_or_insert_named_metadata(module, "nvvm.annotations").add(annotation)


_set_cuda_kernel = nvvm.set_cuda_kernel


def _set_kernel_and_its_maps(kernel: ir.Function) -> None:
    """What numba calls once a function has become a kernel; it knows no arguments by value itself."""
    _keep_in_parameters(kernel)
    _set_cuda_kernel(kernel)


nvvm.set_cuda_kernel = _set_kernel_and_its_maps
