"""Twins of numba.cuda: arrays, barriers of a block, fences, integer functions, naps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import cuda

from hopperlab.device.simulator import mathematics, numbers
from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.meetings import meet_in_block
from hopperlab.device.simulator.scheduler import Spin
from hopperlab.device.simulator.twins import twin


@twin(cuda.grid)
def grid(world: Any, ndim: int) -> Any:
    """Give this thread's index in the grid: a number, or a tuple of 2 or 3."""
    block, index, shape = world.thread.block.index, world.thread.index, world.shape.block
    if ndim == 1:
        return block[0] * shape[0] + index[0]
    return tuple(block[axis] * shape[axis] + index[axis] for axis in _axes("grid", ndim))


@twin(cuda.gridsize)
def gridsize(world: Any, ndim: int) -> Any:
    """Give the threads of the grid along its axes."""
    blocks, threads = world.shape.grid, world.shape.block
    if ndim == 1:
        return blocks[0] * threads[0]
    return tuple(blocks[axis] * threads[axis] for axis in _axes("gridsize", ndim))


def _axes(word: str, ndim: int) -> range:
    if ndim not in (2, 3):
        raise Misuse(f"cuda.{word}({ndim}): give 1, 2 or 3")
    return range(ndim)


@twin(cuda.shared.array)
def shared_array(world: Any, shape: Any = None, dtype: Any = None, alignment: int | None = None) -> Any:
    """Give the block's array of this line; its memory is made when the first thread comes."""
    return world.shared_array(shape, dtype, alignment)


@twin(cuda.local.array)
def local_array(world: Any, shape: Any = None, dtype: Any = None, alignment: int | None = None) -> Any:
    """Give a new array of this thread's own."""
    return world.local_array(shape, dtype)


@twin(cuda.const.array_like)
def constant_array(world: Any, array: Any) -> Any:
    """Give an array of constants: what was known when the kernel was made."""
    return array


@twin(cuda.syncthreads, waits=True)
def syncthreads(world: Any) -> None:
    """Wait for the block."""
    meet_in_block(world, "syncthreads")


@twin(cuda.syncthreads_count, waits=True)
def syncthreads_count(world: Any, predicate: Any) -> int:
    """Wait for the block; give how many threads brought something true."""
    return sum(map(bool, meet_in_block(world, "syncthreads_count", predicate).values()))


@twin(cuda.syncthreads_and, waits=True)
def syncthreads_and(world: Any, predicate: Any) -> int:
    """Wait for the block; give 1 if all brought something true."""
    return int(all(meet_in_block(world, "syncthreads_and", predicate).values()))


@twin(cuda.syncthreads_or, waits=True)
def syncthreads_or(world: Any, predicate: Any) -> int:
    """Wait for the block; give 1 if any brought something true."""
    return int(any(meet_in_block(world, "syncthreads_or", predicate).values()))


@twin(cuda.threadfence)
def threadfence(world: Any) -> None:
    """Order this thread's accesses before and after, as the grid sees them."""
    world.fence("threadfence")


@twin(cuda.threadfence_system)
def threadfence_system(world: Any) -> None:
    """Order this thread's accesses before and after, as the whole machine sees them."""
    world.fence("threadfence_system")


@twin(cuda.threadfence_block)
def threadfence_block(world: Any) -> None:
    """Order this thread's accesses before and after, as its block sees them."""
    world.fence("threadfence_block")


@twin(cuda.nanosleep, waits=True)
def nanosleep(world: Any, duration: int) -> None:
    """Let others go first."""
    world.nap(duration)


@twin(cuda.fma)
def fma(world: Any, x: Any, y: Any, z: Any) -> Any:
    """Give x*y + z, rounded once."""
    if world.timed:
        world.thread.cycles += world.costs["fma"]
    return numbers.fused_multiply_add(x, y, z)


@twin(cuda.cbrt)
def cbrt(world: Any, x: Any) -> Any:
    """Give the cube root."""
    return mathematics.cube_root(x)


@twin(cuda.selp)
def selp(world: Any, condition: Any, yes: Any, no: Any) -> Any:
    """Choose without a branch."""
    return yes if condition else no


def _bits(value: Any) -> tuple[int, int]:
    """Give an integer register's bits as a number of at least 0, and their count."""
    width = max(numbers.WIDTHS.get(value.__class__, 64), 32)
    return int(value) & (1 << width) - 1, width


@twin(cuda.popc)
def popc(world: Any, value: Any) -> int:
    """Count the ones."""
    return _bits(value)[0].bit_count()


@twin(cuda.clz)
def clz(world: Any, value: Any) -> int:
    """Count the zeros above the highest one."""
    bits, width = _bits(value)
    return width - bits.bit_length()


@twin(cuda.ffs)
def ffs(world: Any, value: Any) -> int:
    """Give the place of the lowest one, counted from 1; 0 if there is none."""
    bits, width = _bits(value)
    return _as_unsigned(width)((bits & -bits).bit_length())


@twin(cuda.brev)
def brev(world: Any, value: Any) -> int:
    """Turn the order of the bits."""
    bits, width = _bits(value)
    return _as_unsigned(width)(int(f"{bits:0{width}b}"[::-1], 2))


def _as_unsigned(width: int) -> Callable:
    return numbers.uint32 if width == 32 else numbers.uint64


def _cached_load(world: Any, array: Any, index: Any) -> Any:
    """Load; the hint changes nothing."""
    return array[index]


def _cached_store(world: Any, array: Any, index: Any, value: Any) -> None:
    """Store; the hint changes nothing."""
    array[index] = value


twin(cuda.ldca, cuda.ldcg, cuda.ldcs, cuda.ldlu)(_cached_load)
twin(cuda.stcg, cuda.stcs, cuda.stwb)(_cached_store)


@twin(cuda.ldcv, waits=True)
def load_volatile(world: Any, array: Any, index: Any) -> Any:
    """Load anew each time: what threads spin on. It is as atomic as its element."""
    value = array.atomic_load(index)
    if not world.news(array, index, value):
        world.scheduler.ask_again(world.thread, Spin("memory that only another thread can change"))
        value = array.atomic_load(index)
        world.news(array, index, value)
    return value


@twin(cuda.stwt)
def store_through(world: Any, array: Any, index: Any, value: Any) -> None:
    """Store where others that load anew will see it."""
    world.storing = True
    array.atomic(index, lambda old, new: new, value)
