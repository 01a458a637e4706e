"""What graphs, switches of a radix and simulated messages answer to the claims about fabrics.

The NVLink Network was announced and did not ship with H100 systems (lit-207): its rows hold the announcement's
numbers to its own wiring.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim, claims
from hopperlab.measure.audit import Row
from hopperlab.models.fabric import (
    GENERATIONS,
    Message,
    all_connected,
    cut,
    endpoints,
    growth,
    of_kind,
    one_switch,
    ring_of,
    simulate,
    split_of,
    superpod,
    taper,
    tiers_needed,
    topology,
)

ANNOUNCED = "announced; not what shipped (lit-207)"
NETWORK = "NVLink Network, 32 servers (announced)"
COLUMNS = {
    "Servers": "servers",
    "GPUs": "gpus",
    "Leaf switches": "leaves",
    "Spine switches": "spines",
    "Cables to servers and managers": "cables_down",
    "Cables between leaves and spines": "cables_up",
}
GIB, MIB = 2**30, 2**20


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about fabrics."""
    yield from _cuts()
    yield from _superpods()
    yield from _thousand_gpus()
    yield from _published_simulation()


def _row(id: str, subject: str = "", **legs: Any) -> Row:
    source = claim(id)
    return Row("fabric", subject or f"{source.statement}, {source.device}".rstrip(", "), id, **legs)


def _bisection(name: str) -> float:
    """Bytes a second, both directions, through a cut that halves the GPUs."""
    graph = topology(name)
    return cut(graph, split_of(graph, len(endpoints(graph)) // 2)).both_directions


def _cuts() -> Iterator[Row]:
    network = topology(NETWORK)
    halved = cut(network, split_of(network, 128))
    remark = f"maximum flow; {ANNOUNCED}"
    yield _row("lit-215.d", modelled=halved.both_directions / 1e9, quoted_tolerance=0, remark=remark)
    yield _row("lit-154.a", modelled=halved.both_directions / 1e12, quoted_tolerance=1e-9, remark=remark)
    yield _row("derived-018.c", modelled=taper(network, halved), quoted_tolerance=1e-9, remark=remark)
    slow = 128 * 2 * 25e9
    yield _row("lit-215.c", modelled=slow / 1e9, quoted_tolerance=0)
    yield _row("lit-154.b", modelled=halved.both_directions / slow, quoted_tolerance=1e-9, remark=ANNOUNCED)
    yield _row("talk-053", modelled=halved.both_directions / slow, remark=ANNOUNCED)
    per_server = 8 * 25 / 2  # GB/s: eight adapters of a server, each byte out twice over a ring
    in_switch = chip("H100 SXM5").nvlink_bytes_per_s / 2 / 1e9
    yield _row("lit-154.c", modelled=in_switch / per_server, remark=f"450 over 100 GB/s; {ANNOUNCED}")
    yield _row("lit-206.d", modelled=len(of_kind(network, "box")), no_test="the graph is built with it")
    sparse_fp8 = 256 * 3.958e15
    yield _row("talk-003", modelled=sparse_fp8 / 1e18, remark="256 times 3.958 PFLOP/s, sparse FP8")


def _superpods() -> Iterator[Row]:
    for source in claims("fabric"):
        if source.id.startswith("lit-209"):
            units = int(source.conditions["units"])
            name = next(column for column in COLUMNS if source.statement.startswith(column))
            yield _row(
                source.id,
                f"{name}, {units} unit{'s' if units > 1 else ''}",
                modelled=getattr(superpod(units), COLUMNS[name]),
                quoted_tolerance=0,
            )


def _thousand_gpus() -> Iterator[Row]:
    old, new = GENERATIONS["A100"], GENERATIONS["H100"]
    yield _row("talk-056.a", modelled=new.port_bytes_per_second / old.port_bytes_per_second)
    yield _row("talk-056.b", modelled=2 * new.port_bytes_per_second / 1e9, quoted_tolerance=0)
    yield _row("talk-056.c", modelled=16 * new.port_bytes_per_second / 1e9, quoted_tolerance=0)
    yield _row("talk-059.b", modelled=tiers_needed(old.radix, 1024), quoted_tolerance=0)
    yield _row("talk-059.c", modelled=128 * 8)
    yield _row("derived-018.a", modelled=old.bisection / 1e12, quoted_tolerance=1e-9)
    yield _row("derived-018.b", modelled=new.bisection / 1e12, quoted_tolerance=1e-9)
    yield _row("talk-060.c", modelled=growth()["bisection"])
    yield _row(
        "talk-060.d",
        modelled=growth()["all-to-all by the link alone"],
        remark="the link gives 2; the rest is ConnectX-7's engine for small messages, which is only quoted",
    )
    yield _row("talk-060.e", modelled=growth()["reductions of a second tenant"])


def _published_simulation() -> Iterator[Row]:
    """ASTRA-sim's published cases, to the nanosecond; its GB is 2^30 bytes."""
    rate, hop = 50 * GIB, 500
    one = [Message(1, 4, MIB)]
    everyone = [Message(a, b, MIB) for a in range(16) for b in range(16) if a != b]
    ring, switch = ring_of(16, rate, hop), one_switch(16, rate, 2 * hop)
    cases = {
        "lit-216.a": (ring, one, None),
        "lit-216.b": (all_connected(16, rate, hop), one, None),
        "lit-216.c": (switch, one, None),
        "lit-216.d": (ring, everyone, None),
        "lit-216.e": (ring, one, 1),
        "lit-216.f": (switch, one, 1),
    }
    for id, (network, messages, packet) in cases.items():
        done = simulate(network, messages, packet, whole_nanoseconds=True).nanoseconds
        yield _row(id, modelled=done, quoted_tolerance=0)
