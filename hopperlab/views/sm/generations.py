"""Tensor cores of three generations side by side: rates by data type, and what one instruction does."""

from collections.abc import Mapping

from hopperlab.models.sm import GENERATIONS, Generation
from hopperlab.models.sm.generations import BYTES
from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH, MARGIN = 1010, 20
COLUMNS = (100, 300, 550)
ENDS = (280, 530, 990)
LONGEST = 300
TOP, ROW = 84, 32
MOST = max(rate for one in GENERATIONS for rate in one.rates.values())


def generations(chosen: Generation, data_type: str, measured: Mapping[str, float], card: str) -> Picture:
    """Rates of an SM by data type and generation, and the chosen one's instruction.

    Parameters
    ----------
    chosen
        The generation whose instruction is told.
    data_type
        Which of its data types, or one that it lacks.
    measured
        FLOP of an SM in a clock, by data type, on a card of the last generation's kind.
    card
        That card's name.
    """
    title = _title(chosen, data_type)
    body = [svg.text(MARGIN, 34, title, bold=True, size=17)]
    body += [svg.text(x, 66, one.name, bold=True) for x, one in zip(COLUMNS, GENERATIONS, strict=True)]
    for number, kind in enumerate(BYTES):
        y = TOP + ROW * number
        body.append(svg.text(MARGIN, y + 19, kind.upper(), bold=kind == data_type))
        for x, end, one in zip(COLUMNS, ENDS, GENERATIONS, strict=True):
            body += _cell(x, y, one, kind, measured if one is GENERATIONS[-1] else {})
            if one is chosen and kind == data_type:
                body.append(svg.rect(x - 8, y, end - x + 8, ROW - 3, "f-none s-ink", 'stroke-width="2"'))
    y = TOP + ROW * len(BYTES) + 26
    told = [*_instruction(chosen, data_type), *(f"New: {words}." for words in chosen.new)]
    for line in told:
        body.append(svg.text(MARGIN, y, line))
        y += 22
    note = f"Dense FLOP a clock and SM, INT8: operations. Quoted; in brackets measured, {card}."
    body.append(svg.text(MARGIN, y, note, "f-quiet"))
    text = "\n".join([*told, *_twin(measured, card)])
    return Picture(title, text, svg=svg.document(WIDTH, y + 18, title, text, body))


def _title(chosen: Generation, data_type: str) -> str:
    if data_type not in chosen.rates:
        return f"The {chosen.name}'s tensor cores do not take {data_type.upper()}"
    product = chosen.products[data_type]
    which = "an SM's tensor cores" if product.warps > 1 else "the tensor cores of a sub-partition"
    return (
        f"{chosen.name}, {data_type.upper()}: one {product.instruction} keeps {which} busy for "
        f"{chosen.cycles(data_type):.0f} clocks (modelled)"
    )


def _cell(x: float, y: float, one: Generation, kind: str, measured: Mapping[str, float]) -> list[str]:
    """A bar with its number; words where the type is missing."""
    rate = one.rates.get(kind)
    if rate is None:
        return [svg.text(x, y + 19, "none", "f-quiet")]
    long = LONGEST * rate / MOST
    words = f"{rate}" + (f" ({measured[kind]:.0f})" if kind in measured else "")
    return [svg.rect(x, y + 5, long, 18, "f-quoted"), svg.text(x + long + 8, y + 19, words)]


def _instruction(chosen: Generation, data_type: str) -> list[str]:
    if data_type not in chosen.rates:
        return [f"Its types: {', '.join(kind.upper() for kind in chosen.rates)}."]
    product = chosen.products[data_type]
    warps = "one warp" if product.warps == 1 else f"{product.warps} warps"
    many = f"{product.times} times " if product.times > 1 else ""
    return [
        f"{product.instruction}: {many}{product.shape} [{product.claim}], {product.flop:,} FLOP of {warps}.",
        f"Operands: {product.operand_bytes(data_type):,} bytes, {chosen.operands}. "
        f"Bytes for a FLOP: {chosen.bytes_per_flop(data_type):.3g} (modelled).",
    ]


def _twin(measured: Mapping[str, float], card: str) -> list[str]:
    lines = []
    for kind in BYTES:
        rates = [f"{one.name} {one.rates.get(kind, 'none')}" for one in GENERATIONS]
        told = f"; measured {measured[kind]:.0f} ({card})" if kind in measured else ""
        lines.append(f"{kind.upper()}, FLOP a clock and SM (quoted): {', '.join(rates)}{told}")
    return lines
