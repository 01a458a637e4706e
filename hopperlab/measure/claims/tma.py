"""What the models of tensor copies answer to the claims about them; a card's copies are its experiments'.

A limit is not read off a constant but probed: the rules are asked where they begin to refuse. The model of the
copy loop was fitted to copies of 1 to 8 KiB: those rows test nothing, the larger ones do.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import gcd
from typing import Any

import numpy as np

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models.tma import (
    Descriptor,
    ElementType,
    Interleave,
    Swizzle,
    bytes_in_flight,
    check_bulk_copy,
    describe,
    footprint,
    load,
    loop_bandwidth,
    multicast,
    refusals,
    rule,
    swizzle_offset,
    swizzle_period,
    tensor_copy_instructions,
)
from hopperlab.models.tma.bandwidth import CYCLES_PER_KIB, FIXED_CYCLES, PEAK
from hopperlab.models.tma.descriptor import MAP_ALIGNMENT, MAP_BYTES

H800_SMS, H800_CLOCK_HZ = 114, 1.755e9  # of the card behind lit-125; lit-052 and article-005
LOOP = {"lit-125.a": 1, "lit-125.b": 2, "lit-125.c": 4, "lit-125.d": 8, "lit-125.e": 12, "lit-125.f": 16}
FITTED_KIB = 8
PERIODS = {
    "lit-040.a": Swizzle.BYTES_32,
    "lit-040.b": Swizzle.BYTES_64,
    "lit-040.c": Swizzle.BYTES_128,
}


PLAIN = Descriptor(ElementType.FLOAT32, 0, (64, 64, 64), (4096, 1 << 20), (32, 2, 2))
INTERLEAVED = PLAIN.changed(interleave=Interleave.BYTES_32, swizzle=Swizzle.BYTES_32)
IMAGE = np.zeros((8, 64), np.float32)


def _accepted(change: Callable[[int], Descriptor], tried: Iterable[int]) -> list[int]:
    return [number for number in tried if not refusals(change(number))]


def _ranks() -> int:
    shapes = {
        n: Descriptor(ElementType.FLOAT32, 0, (64,) * n, (256,) * (n - 1), (4,) * n) for n in range(1, 8)
    }
    return max(_accepted(shapes.get, shapes))


def _inner_rows(mode: Swizzle) -> list[int]:
    """Bytes of a box's row that are accepted."""
    rows = _accepted(lambda n: PLAIN.changed(box_dim=(n, 1, 1), swizzle=mode), range(1, 257))
    return [4 * row for row in rows]


def _unit(d: Descriptor, name: str) -> int:
    """The least number, not 0, that an address or the last stride may be above what it is."""
    if name == "global_address":
        return min(_accepted(lambda n: d.changed(global_address=n), range(1, 256)))
    first, last = d.global_strides
    return min(_accepted(lambda n: d.changed(global_strides=(first, last + n)), range(1, 256)))


def _obeyed(attempt: Callable[[int], Any], tried: Iterable[int]) -> list[int]:
    """The numbers for which an attempt raises no ValueError."""
    kept = []
    for number in tried:
        try:
            attempt(number)
        except ValueError:
            continue
        kept.append(number)
    return kept


def _refused_stride() -> int:
    tried = (2**exponent for exponent in range(20, 45))
    return next(n for n in tried if refusals(PLAIN.changed(global_strides=(4096, n))))


def _advised_address() -> int:
    advice, d = rule("address_128_swizzled"), PLAIN.changed(swizzle=Swizzle.BYTES_128)
    return next(n for n in range(16, 1024, 16) if not advice.refusal(d.changed(global_address=n)))


def _grain() -> int:
    """The longest run of bytes that a swizzle never tears apart."""
    moved = swizzle_offset(np.arange(1024), Swizzle.BYTES_128)
    torn = np.flatnonzero(np.diff(moved) != 1) + 1
    return int(np.gcd.reduce(torn))


def _mask_bits() -> int:
    d = describe(IMAGE, (8, 32))
    return max(_obeyed(lambda n: multicast(d, IMAGE, (0, 0), 1, n), range(1, 40)))


def _tile_alignment(swizzle: Swizzle) -> int:
    d = describe(IMAGE, (8, 32), swizzle=swizzle)
    return min(_obeyed(lambda n: footprint(d, (0, 0), n), range(16, 1024, 16)))


PROBES: dict[str, Callable[[], float]] = {
    "talk-038": _ranks,
    "talk-039": lambda: chip("H100 SXM5").max_shared_bytes_per_block / 1024,
    "talk-041": lambda: tensor_copy_instructions((64, 64)).threads,
    "talk-088": lambda: tensor_copy_instructions((256, 128)).threads,
    "lit-031": _ranks,
    "lit-032": lambda: max(_accepted(lambda n: PLAIN.changed(box_dim=(32, n, 1)), range(1, 400))),
    "lit-033": lambda: min(_inner_rows(Swizzle.NONE)),
    "lit-034.a": lambda: _unit(PLAIN, "global_address"),
    "lit-034.b": lambda: _unit(INTERLEAVED, "global_address"),
    "lit-035.a": lambda: _unit(PLAIN, "global_strides"),
    "lit-035.b": _refused_stride,
    "lit-036": lambda: max(
        _accepted(
            lambda n: PLAIN.changed(global_dim=(64, 64, n)), (2**e + d for e in range(34) for d in (0, 1))
        )
    ),
    "lit-037.a": lambda: max(_accepted(lambda n: PLAIN.changed(element_strides=(1, n, 1)), range(1, 20))),
    "lit-038.a": lambda: MAP_ALIGNMENT,
    "lit-038.b": lambda: MAP_BYTES,
    "lit-039.b": lambda: max(_inner_rows(Swizzle.BYTES_32)),
    "lit-039.c": lambda: max(_inner_rows(Swizzle.BYTES_64)),
    "lit-039.d": lambda: max(_inner_rows(Swizzle.BYTES_128)),
    "lit-040.d": _grain,
    "lit-041.a": _advised_address,
    "lit-041.b": lambda: _tile_alignment(Swizzle.BYTES_128),
    "lit-042.a": lambda: _tile_alignment(Swizzle.NONE),
    "lit-042.c": lambda: gcd(*_inner_rows(Swizzle.NONE)),
    "lit-043.a": lambda: min(_obeyed(lambda n: check_bulk_copy(n, 0, 0), range(1, 256))),
    "lit-043.b": lambda: min(_obeyed(lambda n: check_bulk_copy(16, n, 0), range(1, 256))),
    "lit-045": _mask_bits,
}
"""Limits, each found by asking the rules where they begin to refuse."""

REMARKS = {
    "talk-039": "a bulk copy; a box has at most 256 elements a dimension, and the driver takes 228 KiB",
    "talk-088": "the thread starts the copy; the descriptor is made on the host",
    "lit-036": "cuda.h of CUDA 13.5 says 2^31; the driver tried takes 2^32",
    "lit-038.a": "the map that is passed to a kernel is aligned so",
    "lit-038.b": "the driver writes so many bytes",
}
FITTED_BY_OTHERS = {"lit-126.a": FIXED_CYCLES, "lit-126.b": CYCLES_PER_KIB, "lit-127": PEAK / 1e12}


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims that the models answer, and for fills read off a card."""
    for id, probe in PROBES.items():
        yield _row(id, modelled=probe(), remark=REMARKS.get(id, ""))
    yield _row("talk-089", modelled=_directions())
    for id, mode in PERIODS.items():
        yield _row(id, modelled=swizzle_period(mode), remark="the card's bytes: see tma_layout")
    for id, kib in LOOP.items():
        rate = loop_bandwidth(kib * 1024, H800_SMS, H800_CLOCK_HZ) / 1e9
        fitted = "the model was fitted to it" if kib <= FITTED_KIB else ""
        yield _row(id, modelled=rate, no_test=fitted)
    for id, constant in FITTED_BY_OTHERS.items():
        yield _row(id, modelled=constant, no_test="a constant of the model")
    yield _row(
        "derived-010", modelled=bytes_in_flight(1.961e12, 488e-9) / 1e3, no_test="the claim's own rule"
    )
    for recording in recorded:
        if recording.experiment == "tma_layout":
            yield from _fills(recording)


def _directions() -> int:
    """Ways of a copy that the vocabulary has a word for: into shared memory, out of it, within a cluster."""
    from hopperlab.device.vocabulary import bulk

    return sum(hasattr(bulk, name) for name in ("load", "store", "send"))


def _row(id: str, **legs: Any) -> Row:
    return Row("tma", claim(id).statement, id, **legs)


def _fills(recording: Recording) -> Iterator[Row]:
    """The NaN that fills what is outside, as the model and as the card have it: its bits, as a number."""
    for name, bits in recording.results["nan_bits"].items():
        kind = ElementType[name]
        row = np.zeros(128 // kind.nbytes, kind.dtype)
        descriptor = describe(row, (row.size,), element_type=kind).changed(fill=1)
        tile, _ = load(descriptor, row, (row.size,))
        yield Row(
            "tma",
            f"the NaN outside a tensor of {name}, its bits as a number",
            modelled=int(tile[: kind.nbytes][::-1].tobytes().hex(), 16),
            measured=int(bits, 16),
            unit="1",
            card=recording.card_name,
            tolerance=0,
        )
