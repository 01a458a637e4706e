"""Grace's memory as an extension: how fast data is read that does not fit into the GPU's own memory.

What fits is read at the GPU's bandwidth; the rest comes over a link, in one direction. Both at once, so that the
slower part decides. Caches, page faults and copies are left out.
"""

from hopperlab.models.arguments import finite_number


def effective_bandwidth(
    nbytes: float, memory_bytes: float, memory_bytes_per_s: float, link_bytes_per_s: float
) -> float:
    """Bytes a second at which data of this size is read once.

    Parameters
    ----------
    nbytes
        The data's size.
    memory_bytes, memory_bytes_per_s
        The GPU's own memory.
    link_bytes_per_s
        The link to what does not fit, one direction.

    Raises
    ------
    ValueError
        If a number is not above 0.
    """
    for name, value in (
        ("nbytes", nbytes),
        ("memory_bytes", memory_bytes),
        ("memory_bytes_per_s", memory_bytes_per_s),
        ("link_bytes_per_s", link_bytes_per_s),
    ):
        finite_number(name, value, above=0)
    own = min(nbytes, memory_bytes)
    seconds = max(own / memory_bytes_per_s, (nbytes - own) / link_bytes_per_s)
    return nbytes / seconds
