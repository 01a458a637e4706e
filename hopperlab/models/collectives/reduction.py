"""The rate of reduction as a limit of its own, and the SMs that do it.

Adding costs SMs: a value comes in from the link, meets one from memory, and goes out or back. A switch that adds
takes that work from them (talk-094).
"""

from dataclasses import dataclass

from hopperlab.models.arguments import finite_number, whole_number
from hopperlab.models.collectives.traffic import traffic


@dataclass(frozen=True)
class Work:
    """What the SMs of one rank do in an all-reduce.

    Attributes
    ----------
    additions
        Elements added by SMs.
    bytes_through_sms
        Bytes that SMs load from or store to the links.
    """

    additions: float
    bytes_through_sms: float


def reduction_work(algorithm: str, ranks: int, nbytes: float, element_bytes: int = 2) -> Work:
    """Additions and bytes that the SMs of one rank handle in an all-reduce.

    In a ring every rank adds (N - 1) / N of the buffer and moves each byte that crosses its links itself. With
    reduction in the switch its SMs add nothing; they ask for a shard's sum and store it once, S / N each.
    """
    whole_number("element_bytes", element_bytes, 1, 8)
    moved = traffic("all-reduce", algorithm, ranks, nbytes)
    if ranks == 1:
        return Work(0.0, 0.0)
    if algorithm == "in-network":
        return Work(0.0, 2 * nbytes / ranks)
    return Work((ranks - 1) / ranks * nbytes / element_bytes, moved.both)


def reduction_limit(
    algorithm: str, ranks: int, link_bytes_per_second: float, sms: int, bytes_per_second_per_sm: float
) -> float:
    """Algorithm bandwidth of a large all-reduce: the links' or the SMs' limit, whichever is lower, in bytes/s.

    Parameters
    ----------
    sms
        SMs given to the collective.
    bytes_per_second_per_sm
        What one SM moves between link and memory, adding on the way; an assumption, to be varied.
    """
    whole_number("sms", sms, 1, 1024)
    finite_number("link_bytes_per_second", link_bytes_per_second, above=0)
    finite_number("bytes_per_second_per_sm", bytes_per_second_per_sm, above=0)
    by_links = link_bytes_per_second / traffic("all-reduce", algorithm, ranks, 1).busier
    by_sms = sms * bytes_per_second_per_sm / reduction_work(algorithm, ranks, 1).bytes_through_sms
    return min(by_links, by_sms)
