"""Pictures of lesson 01: factors spent on a workload, what of a die is sold, and memory beyond the GPU's own."""

from collections.abc import Collection, Sequence
from math import log2

from hopperlab.models.chip import FACTORS, Gain, Harvest, Workload, factor
from hopperlab.models.roofline import Roofline
from hopperlab.views import svg
from hopperlab.views.line_chart import Axis, line_chart, powers_of_ten
from hopperlab.views.picture import Picture

WIDTH = 1010
MARGIN = 20
ROW = 36
DOUBLING = 130.0  # px of a bar for every factor of two
BARS = 190.0


def spending(workload: Workload, spent: Collection[str], got: Gain) -> Picture:
    """Factors on a workload, each as long as its logarithm: what counts, what idles, what bounces, and the gain."""
    title = f"{workload.name}: {got.times:.2f} times an A100 (modelled); {got.limit} is the limit"
    body = [svg.text(MARGIN, 34, title, bold=True, size=17)]
    words = []
    for number, name in enumerate(FACTORS):
        y = 62.0 + ROW * number
        times = factor(name, workload)
        state, role, why = _state(name, spent, got)
        length = max(2.0, DOUBLING * log2(times))
        body.append(svg.text(MARGIN, y + 17, f"{name}, {times:.2f}"))
        body.append(svg.rect(BARS, y, length, ROW - 12, role))
        if state in ("idle", "bounces"):
            body.append(svg.path(svg.hatching(BARS, y, length, ROW - 12), "f-none s-ink"))
        body.append(svg.text(BARS + length + 12, y + 17, f"{state}{': ' + why if why else ''}", "f-quiet"))
        words.append(f"{name} {times:.2f}: {state}{': ' + why if why else ''}")
    y = 62.0 + ROW * len(FACTORS) + 8
    body.append(svg.text(MARGIN, y + 19, f"gain, {got.times:.2f}", bold=True))
    body.append(svg.rect(BARS, y, max(2.0, DOUBLING * log2(got.times)), ROW - 8, "f-modelled"))
    legend = "A bar's length is the factor's logarithm, so that bars add as factors multiply."
    body.append(svg.text(MARGIN, y + ROW + 22, legend, "f-quiet"))
    text = "\n".join([*words, f"gain {got.times:.2f}, limit {got.limit}"])
    return Picture(title, text, svg=svg.document(WIDTH, y + ROW + 44, title, text, body))


def _state(name: str, spent: Collection[str], got: Gain) -> tuple[str, str, str]:
    if name not in spent:
        return "not spent", "f-line", ""
    if name in got.refused:
        return "bounces", "f-finding", got.refused[name]
    if name in got.idle:
        return "idle", "f-idle", f"{got.limit} is the limit"
    return "counts", "f-compute", ""


def harvests(products: Sequence[Harvest]) -> Picture:
    """What of the die each product has: SMs, sites of memory, L2; and the bandwidth by clock and width."""
    title = "No product has the whole die"
    cell, gap = 9.0, 70.0
    body = [svg.text(MARGIN, 34, title, bold=True, size=17)]
    words = []
    for number, one in enumerate(products):
        y = 66.0 + number * 120
        used, all_ = one.sms
        body.append(svg.text(MARGIN, y + 14, one.name, bold=True))
        left = MARGIN + 110
        for state, role, first, last in (("used", "f-compute", 0, used), ("off", "f-line", used, all_)):
            places = [
                (left + n // 4 * (cell + 2), y + n % 4 * (cell + 2), cell, cell) for n in range(first, last)
            ]
            body.append(svg.path(svg.boxes(places), role, f'data-state="{state}"'))
        right = left + 36 * (cell + 2) + gap
        sites, all_sites = one.memory_sites
        body += [
            svg.rect(right + n * 34, y, 28, 40, "f-memory" if n < sites else "f-line")
            for n in range(all_sites)
        ]
        facts = (
            f"{used} of {all_} SMs; {sites} of {all_sites} HBM sites; {one.l2_mib[0]} of {one.l2_mib[1]} MiB of L2; "
            f"{one.bandwidth_tb_per_s:.3g} TB/s by clock and width"
        )
        body.append(svg.text(left, y + 72, facts))
        words.append(f"{one.name}: {facts}")
    text = "\n".join(words)
    return Picture(title, text, svg=svg.document(WIDTH, 66 + 120 * len(products), title, text, body))


def extension(sizes_gb: Sequence[float], curves: dict[str, Sequence[float]], chosen_gb: float) -> Picture:
    """Bandwidth against the size of the data, for each way to reach what does not fit.

    Parameters
    ----------
    sizes_gb
        Sizes in GB.
    curves
        Effective GB/s by size, for each link.
    chosen_gb
        The size of which the title speaks; one of `sizes_gb`.
    """
    place = list(sizes_gb).index(chosen_gb)
    told = ", ".join(f"{values[place]:,.0f} GB/s over {name}" for name, values in curves.items())
    title = f"{chosen_gb:g} GB of data: {told} (modelled)"
    rows = [f"{'GB':>8}  " + "  ".join(f"{name:>20}" for name in curves)]
    for at in range(0, len(sizes_gb), max(1, len(sizes_gb) // 8)):
        rows.append(f"{sizes_gb[at]:8g}  " + "  ".join(f"{values[at]:20,.0f}" for values in curves.values()))
    ticks = {at: f"{at:g}" for at in sizes_gb if at % 100 == 0}
    return line_chart(
        title,
        "\n".join(["GB/s, modelled", *rows]),
        Axis("size of the data, GB", sizes_gb[0], sizes_gb[-1], ticks),
        Axis("read once, one direction, GB/s", 1, 10_000, powers_of_ten(0, 4), logarithmic=True),
        {name: list(zip(sizes_gb, values, strict=True)) for name, values in curves.items()},
        [(chosen_gb, values[place]) for values in curves.values()],
    )


LEAST_INTENSITY, MOST_INTENSITY = 0.1, 10_000.0  # FLOP a byte
LEAST_RATE, MOST_RATE = 0.01, 10_000.0  # TFLOP/s
TERA = 1e12


def on_roofs(roofs: Sequence[Roofline], intensity: float) -> Picture:
    """One program on the roofs of up to three chips, at an intensity between 0.1 and 10,000 FLOP a byte."""
    rates = [roof.attainable(intensity) / TERA for roof in roofs]
    limit = roofs[0].limit(intensity)
    title = f"{intensity:g} FLOP a byte on {roofs[0].name}: {rates[0]:.4g} TFLOP/s, {limit} is the limit"
    rows = [
        f"{roof.name}: {rate:.4g} TFLOP/s at {intensity:g} FLOP a byte; at most {roof.peak_flop_per_s / TERA:.4g} "
        f"TFLOP/s, memory {roof.bytes_per_s / TERA:.3g} TB/s, ridge at {roof.ridge:.0f} FLOP a byte (modelled)"
        for roof, rate in zip(roofs, rates, strict=True)
    ]
    corners = {roof.name: (LEAST_INTENSITY, roof.ridge, MOST_INTENSITY) for roof in roofs}
    return line_chart(
        title,
        "\n".join(rows),
        Axis("FLOP a byte", LEAST_INTENSITY, MOST_INTENSITY, powers_of_ten(-1, 4), logarithmic=True),
        Axis("TFLOP/s", LEAST_RATE, MOST_RATE, powers_of_ten(-2, 4), logarithmic=True),
        {roof.name: [(at, roof.attainable(at) / TERA) for at in corners[roof.name]] for roof in roofs},
        [(intensity, rate) for rate in rates],
    )
