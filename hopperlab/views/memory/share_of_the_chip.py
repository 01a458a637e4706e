"""What memory gives while a part of a chip is busy: Little's law for two cards."""

from collections.abc import Sequence
from dataclasses import dataclass

from hopperlab.views.axes import plain_layout
from hopperlab.views.memory.bandwidth import LINE, upright
from hopperlab.views.memory.latency import size
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

CLEARLY = 1.15  # times the other


@dataclass(frozen=True)
class Card:
    """A card as Little's law sees it: SMs, latency of its memory in ns, peak in GB/s, and where both are from."""

    name: str
    sms: int
    latency_ns: float
    peak_gb_per_s: float
    source: str

    def rate(self, share: float, sm_bytes: float) -> float:
        """GB/s while a share of its SMs keeps so many bytes each in flight."""
        return min(share * self.sms * sm_bytes / self.latency_ns, self.peak_gb_per_s)


def by_share_of_the_chip(cards: Sequence[Card], sm_bytes: float) -> Picture:
    """What memory gives while a part of each chip is busy, by Little's law: no rate was measured.

    Parameters
    ----------
    cards
        A newer card first, then the older one.
    sm_bytes
        Bytes that a busy SM keeps in flight: an assumption.
    """
    import plotly.graph_objects as go

    new, old = cards
    shares = [n / 200 for n in range(201)]
    leads = next((s for s in shares[1:] if new.rate(s, sm_bytes) > CLEARLY * old.rate(s, sm_bytes)), None)
    tail = "never" if leads is None else f"with {100 * leads:.0f} % of its SMs busy"
    title = f"The {new.name} leads clearly {tail} (modelled)"
    looks = (LINE, {"color": LIGHT["waiting"], "width": 3, "dash": "dash"})
    traces = [
        {
            "type": "scatter",
            "x": [100 * s for s in shares],
            "y": [round(card.rate(s, sm_bytes), 1) for s in shares],
            "mode": "lines",
            "name": f"{card.name}, modelled",
            "line": look,
        }
        for card, look in zip(cards, looks, strict=True)
    ]
    layout = plain_layout(title, x="SMs busy, %", y="GB/s from device memory", height=400)
    layout["yaxis"] |= {"rangemode": "tozero"}
    if leads is not None:
        layout["shapes"] = [upright(100 * leads)]
    lines = [f"Assumed: a busy SM keeps {size(sm_bytes)} in flight. Clearly: by more than 15 %."]
    lines += [
        f"{card.name}: {card.sms} SMs, {card.latency_ns:.0f} ns, {card.peak_gb_per_s:.0f} GB/s ({card.source}): "
        f"{card.rate(0.25, sm_bytes):.0f} GB/s with a quarter busy, {card.rate(0.5, sm_bytes):.0f} with half, "
        f"{card.rate(1, sm_bytes):.0f} with all (modelled)."
        for card in cards
    ]
    return Picture(title, "\n".join(lines), figure=go.Figure(traces, layout))
