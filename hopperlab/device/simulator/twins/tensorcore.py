"""Twins of wgmma and mma: products of tiles to the bit, through models.tensorcore."""

from __future__ import annotations

from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from hopperlab.device.simulator import numbers
from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.engines import Copy, Span, issue, wait_for_groups
from hopperlab.device.simulator.meetings import meet_in_warp
from hopperlab.device.simulator.twins import twin
from hopperlab.device.vocabulary import mma, wgmma
from hopperlab.models.tensorcore import matmul
from hopperlab.models.tma import Swizzle, swizzle_offset

ROWS, WARPGROUP, STEP_BYTES = 64, 128, 32
_DTYPES = {
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "tf32": np.float32,
}
_SWIZZLES = {
    1: Swizzle.BYTES_128,
    2: Swizzle.BYTES_64,
    3: Swizzle.BYTES_32,
}  # as a descriptor's highest bits say


class Fragment:
    """A thread's accumulators.

    Attributes
    ----------
    values
        The numbers, float32 or float16; None while the product that makes them is at work.
    fences
        How many wgmma fences its thread had said when ordinary instructions made it; None if a product did.
    """

    __slots__ = ("fences", "product", "values", "world")

    def __init__(self, world: Any, values: np.ndarray | None, product: Product | None = None) -> None:
        self.world = world
        self.values = values
        self.product = product
        self.fences = None if product is not None else world.thread.product_fences

    def ready(self) -> np.ndarray:
        """Give the numbers, if the thread has waited for them."""
        if self.product is not None and self.product not in self.world.thread.finished_products:
            self.world.misuse(
                "accumulators read before wgmma.wait_group",
                f"{self.world.thread!r} reads accumulators that {self.product!r} may still change",
                "Commit the group, and take the fragment from wgmma.wait_group.",
            )
        return self.values

    def __len__(self) -> int:
        """How many registers there are."""
        values = self.ready()
        return values.size if values.dtype == np.float32 else values.size // 2

    def __getitem__(self, register: int) -> Any:
        """Give a register: a float32, or two float16 in a uint32."""
        values = self.ready()
        if values.dtype == np.float32:
            return numbers.Float32(values[register])
        return numbers.uint32(int(values.view(np.uint32)[register]))


class Product(Copy):
    """One wgmma of a warpgroup: begins when all of its threads have said it."""

    __slots__ = ("given", "made")

    def __init__(self, world: Any, steps: list, sources: list[Span]) -> None:
        super().__init__(world, "wgmma.mma_async", 0, steps, sources, [])
        self.given: dict[Any, Fragment] = {}
        self.made: dict[Any, Fragment] = {}


@cache
def places(columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Give row and column of each accumulator, arrays (thread of the warpgroup, element)."""
    thread, element = np.arange(WARPGROUP)[:, None], np.arange(columns // 2)[None, :]
    lane = thread % 32
    rows = 16 * (thread // 32) + lane // 4 + 8 * (element // 2 % 2)
    return rows, 8 * (element // 4) + 2 * (lane % 4) + element % 2


def mine(world: Any, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Give row and column of each accumulator of the thread."""
    rows, cols = places(columns)
    return rows[world.thread.rank % WARPGROUP], cols[world.thread.rank % WARPGROUP]


@twin(wgmma.zeros)
def zeros(world: Any, columns: int, type: str) -> Fragment:
    """Give accumulators of 0."""
    return Fragment(world, np.zeros(int(columns) // 2, np.float32 if type == "f32" else np.float16))


@twin(wgmma.load)
def load(world: Any, array: Any, row: int, column: int, columns: int) -> Fragment:
    """Read accumulators from an array; outside it they are 0."""
    rows, cols = mine(world, int(columns))
    values = np.zeros(rows.size, array.values.dtype)
    height, width = array.shape
    for i, (r, c) in enumerate(zip((rows + int(row)).tolist(), (cols + int(column)).tolist(), strict=True)):
        if r < height and c < width:
            values[i] = array[r, c]
    return Fragment(world, values)


@twin(wgmma.store)
def store(world: Any, fragment: Fragment, array: Any, row: int, column: int) -> None:
    """Write accumulators to an array; outside it, nothing."""
    values = fragment.ready()
    if array.values.dtype == np.uint16:
        values = values.view(np.uint16)
    store_elements(values, world, array, int(row), int(column))


def store_elements(values: np.ndarray, world: Any, array: Any, row: int, column: int) -> None:
    """Write a thread's elements of a tile to an array; outside it, nothing."""
    rows, cols = mine(world, 2 * values.size)
    height, width = array.shape
    for value, r, c in zip(values, (rows + row).tolist(), (cols + column).tolist(), strict=True):
        if r < height and c < width:
            array[r, c] = value


@twin(wgmma.add)
def add(world: Any, fragment: Fragment, more: Fragment) -> Fragment:
    """Add two fragments."""
    return Fragment(world, fragment.ready() + more.ready())


@twin(wgmma.scale)
def scale(world: Any, fragment: Fragment, factor: Any) -> Fragment:
    """Multiply a fragment."""
    return Fragment(world, fragment.ready() * np.float32(factor))


@twin(wgmma.row)
def row(world: Any, register: int) -> int:
    """Give the row of a register."""
    return int(mine(world, 256)[0][register])


@twin(wgmma.column)
def column(world: Any, register: int) -> int:
    """Give the column of a register."""
    return int(mine(world, 256)[1][register])


@twin(wgmma.descriptor)
def descriptor(world: Any, tile: Any, swizzle: int) -> int:
    """Describe a tile: its address, the bytes of eight rows, and the swizzle."""
    code = {128: 1, 64: 2, 32: 3}.get(int(swizzle))
    if code is None or tile.address % (8 * int(swizzle)):
        raise Misuse(
            f"wgmma.descriptor: the tile starts at byte {tile.address}; a swizzle of {int(swizzle)} wants a multiple "
            f"of {8 * int(swizzle)}",
            "misaligned or oversized copy",
        )
    return code << 62 | int(swizzle) // 2 << 32 | 1 << 16 | tile.address >> 4 & 0x3FFF


@twin(wgmma.advance)
def advance(world: Any, descriptor: int, steps: int) -> int:
    """Move along K."""
    return int(descriptor) + 2 * int(steps)


@twin(wgmma.fence)
def fence(world: Any) -> None:
    """Order the accumulators before the products that follow."""
    world.thread.product_fences += 1


def _operand(world: Any, descriptor: int, rows: int) -> tuple[Span, np.ndarray]:
    """Give the span that an operand lies in, and the byte offsets of its elements there, (rows, 32)."""
    address, swizzle = (int(descriptor) & 0x3FFF) << 4, _SWIZZLES[int(descriptor) >> 62 & 3]
    for thing in world.thread.block.regions.values():
        region = getattr(thing, "region", thing)
        nbytes = getattr(getattr(region, "octets", None), "size", 0)
        if nbytes and region.address <= address < region.address + nbytes:
            offsets = address + swizzle.span * np.arange(rows)[:, None] + np.arange(STEP_BYTES)
            offsets = swizzle_offset(offsets, swizzle) - region.address
            if offsets.max() >= nbytes:
                raise Misuse(
                    f"wgmma.mma_async: {rows} rows leave {region}, which has {nbytes} bytes", "out of bounds"
                )
            return Span(region, int(offsets.min()), int(offsets.max()) + 1), offsets
    raise Misuse(f"wgmma.mma_async: no shared array is at byte {address}")


@twin(wgmma.mma_async, waits=True)
def mma_async(
    world: Any, fragment: Fragment, a: int, b: int, a_format: str, b_format: str, accumulate: bool
) -> Fragment:
    """Start a product; it begins when all 128 threads have said so."""
    thread = world.thread
    if fragment.fences is not None and fragment.fences == thread.product_fences:
        world.note(
            world.finding(
                "missing wgmma fence",
                f"{thread!r} starts a product on accumulators that it made after its last wgmma.fence",
                "Say wgmma.fence after the accumulators are made or changed, before the first product on them.",
            )
        )
    key = (thread.block, thread.rank // WARPGROUP, thread.products_started)
    thread.products_started += 1
    product = world.products.get(key)
    if product is None:
        product = world.products[key] = _begin(world, fragment, a, b, a_format, b_format, accumulate)
        earlier = world.products.get((*key[:2], key[2] - 1))
        product.after = [earlier] if earlier is not None else []
    product.given[thread] = fragment
    made = product.made[thread] = Fragment(world, None, product)
    thread.products += (product,)
    if len(product.given) == WARPGROUP:
        product.issuer = thread
        issue(world, product)
    return made


def _columns(fragment: Fragment) -> int:
    while fragment.values is None:
        fragment = fragment.product.given[next(iter(fragment.product.given))]
    return 2 * fragment.values.size


def _begin(
    world: Any, fragment: Fragment, a: int, b: int, a_format: str, b_format: str, accumulate: bool
) -> Product:
    columns = _columns(fragment)
    (a_span, a_offsets), (b_span, b_offsets) = _operand(world, a, ROWS), _operand(world, b, columns)

    def compute() -> None:
        left = _elements(a_span.region.octets[a_offsets], a_format)
        right = _elements(b_span.region.octets[b_offsets], b_format)
        rows, cols = places(columns)
        dtype = next(iter(product.given.values())).values.dtype
        before = np.zeros((ROWS, columns), dtype)
        for thread, given in product.given.items():
            rank = thread.rank % WARPGROUP
            before[rows[rank], cols[rank]] = given.values
        if not accumulate:
            before[...] = 0
        after = matmul(left, right.T, before, _unit("wgmma", a_format, b_format, dtype))
        for thread, made in product.made.items():
            rank = thread.rank % WARPGROUP
            made.values = after[rows[rank], cols[rank]]

    product = Product(world, [compute], [a_span, b_span])
    return product


def _elements(octets: np.ndarray, format: str) -> np.ndarray:
    return np.ascontiguousarray(octets).view(_DTYPES[format])


def _unit(kind: str, a_format: str, b_format: str, dtype: np.dtype) -> str:
    formats = a_format if a_format == b_format else f"{a_format}.{b_format}"
    return f"hopper.{kind}.{formats}{'.acc_f16' if dtype == np.float16 else ''}"


@twin(wgmma.commit_group)
def commit_group(world: Any) -> None:
    """Make a group of the thread's products."""
    thread = world.thread
    thread.product_groups += (list(thread.products),)
    thread.products = ()


@twin(wgmma.wait_group, waits=True)
def wait_group(world: Any, fragment: Fragment, pending: int) -> Fragment:
    """Wait until at most so many groups are at work; give the fragment back."""
    thread = world.thread
    groups = thread.product_groups
    wait_for_groups(world, "product_groups", int(pending), reading=False)
    finished = groups[: max(0, len(groups) - int(pending))]
    thread.finished_products |= {product for group in finished for product in group}
    return fragment


@twin(mma.sync, waits=True)
def sync(world: Any, accumulators: tuple, a: tuple, b: tuple, a_format: str, b_format: str) -> tuple:
    """Multiply out of the registers of a warp."""
    meeting = meet_in_warp(world, "mma.sync", 0xFFFFFFFF, (accumulators, a, b))
    if meeting.result is None:
        meeting.result = _warp_product(meeting, a_format, b_format)
    return meeting.result[world.thread.lane]


def _warp_product(meeting: Any, a_format: str, b_format: str) -> list[tuple]:
    left, right = np.zeros((16, 8), np.uint32), np.zeros((8, 8), np.uint32)
    halves = len(next(iter(meeting.values.values()))[0]) == 2
    dtype = np.float16 if halves else np.float32
    before = np.zeros((16, 8), dtype)
    for thread, (accumulators, a, b) in meeting.values.items():
        g, t = divmod(thread.lane, 4)
        left[[g, g + 8, g, g + 8], [t, t, t + 4, t + 4]] = a
        right[[g, g], [t, t + 4]] = b
        numbers_held = (
            np.array(accumulators, np.uint32).view(np.float16) if halves else np.array(accumulators)
        )
        before[[g, g, g + 8, g + 8], [2 * t, 2 * t + 1] * 2] = numbers_held
    after = matmul(
        _elements(left.view(np.uint8), a_format),
        _elements(right.view(np.uint8), b_format).T,
        before,
        _unit("mma", a_format, b_format, np.dtype(dtype)),
    )
    return [_held(after, lane, halves) for lane in range(32)]


def _held(after: np.ndarray, lane: int, halves: bool) -> tuple:
    g, t = divmod(lane, 4)
    mine = np.ascontiguousarray(after[[g, g, g + 8, g + 8], [2 * t, 2 * t + 1] * 2])
    if halves:
        return tuple(numbers.uint32(int(word)) for word in mine.view(np.uint32))
    return tuple(numbers.Float32(value) for value in mine)
