"""Switches of a radix: how many tiers, leaves and spines connect so many ports."""

from dataclasses import dataclass

from hopperlab.models.arguments import whole_number

QUANTUM_2_PORTS = 64  # NDR (lit-208.a)
QUANTUM_PORTS = 40  # HDR (lit-208.b)
SERVERS_PER_UNIT = 32
MANAGEMENT_CABLES = 4  # for the fabric manager, beside eight cables a server (lit-209)


@dataclass(frozen=True)
class SuperPod:
    """A DGX H100 SuperPOD's compute fabric (lit-209).

    Attributes
    ----------
    units
        Scalable units of 32 places for servers; one place in all is kept for the fabric manager.
    servers, gpus, leaves, spines
        Counts.
    cables_down, cables_up
        Cables to servers and managers, and between leaves and spines.
    """

    units: int
    servers: int
    gpus: int
    leaves: int
    spines: int
    cables_down: int
    cables_up: int


def tiers_needed(radix: int, ports: int) -> int:
    """Tiers of switches of that radix that connect so many ports without a taper: a folded Clos network.

    One tier connects ``radix`` ports; each further tier multiplies that by ``radix / 2``.
    """
    whole_number("radix", radix, 4, 1024)
    whole_number("ports", ports, 1, 10**9)
    tiers, reach = 1, radix
    while reach < ports:
        tiers, reach = tiers + 1, reach * (radix // 2)
    return tiers


def spines_needed(leaves: int, uplinks: int = QUANTUM_2_PORTS // 2, radix: int = QUANTUM_2_PORTS) -> int:
    """The fewest spines with ports for all uplinks that also divide each leaf's uplinks evenly.

    Twelve spines have ports enough for 24 leaves, but 32 uplinks do not spread evenly over 12: it takes 16.

    Raises
    ------
    ValueError
        If there are more leaves than a spine has ports.
    """
    whole_number("leaves", leaves, 1, radix)
    return next(
        spines
        for spines in range(1, uplinks + 1)
        if uplinks % spines == 0 and spines * radix >= leaves * uplinks
    )


def superpod(units: int) -> SuperPod:
    """The compute fabric of a DGX H100 SuperPOD.

    Parameters
    ----------
    units
        1 to 4.
    """
    whole_number("units", units, 1, 4)
    servers = SERVERS_PER_UNIT * units - 1
    leaves = 8 * units
    return SuperPod(
        units,
        servers,
        8 * servers,
        leaves,
        spines_needed(leaves),
        8 * servers + MANAGEMENT_CABLES,
        leaves * QUANTUM_2_PORTS // 2,
    )
