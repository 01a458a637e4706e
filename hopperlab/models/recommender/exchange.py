"""How many GPUs the tables need, what an all-to-all carries, and what a faster fabric gives a whole step."""

from math import ceil

from hopperlab.models.arguments import finite_number, whole_number

GB = 10**9

# Bytes a second of one GPU across a cut through the middle, one direction: HDR and NDR adapters (lit-206.a,
# talk-056.b), and the NVLink Network with its taper of 2 to 1 (lit-154.a).
ACROSS = {"A100, HDR": 25 * GB, "H100, NDR": 50 * GB, "H100, NVLink Network": 225 * GB}


def gpus_needed(table_bytes: float, gpu_bytes: float) -> int:
    """The fewest GPUs whose memory holds the tables."""
    finite_number("table_bytes", table_bytes, above=0)
    finite_number("gpu_bytes", gpu_bytes, above=0)
    return ceil(table_bytes / gpu_bytes)


def exchanged_bytes(batch: int, tables: int, columns: int, element_bytes: int, gpus: int) -> float:
    """Bytes that one GPU sends in one all-to-all of a step.

    Each GPU looks up its tables for the whole batch, and sends every other GPU the vectors of that one's samples.

    Parameters
    ----------
    batch
        Samples of all GPUs together.
    tables
        Tables of the model, one pooled vector a sample and table.
    columns, element_bytes
        Length of a vector, and bytes of an element.
    gpus
        1 or more.
    """
    for name, value in (("batch", batch), ("tables", tables), ("columns", columns), ("gpus", gpus)):
        whole_number(name, value, 1, 10**9)
    whole_number("element_bytes", element_bytes, 1, 8)
    return batch * (tables / gpus) * columns * element_bytes * (gpus - 1) / gpus


def communication_speedups() -> dict[str, float]:
    """How much faster each fabric exchanges than the first: one GPU's bytes across a cut."""
    first = ACROSS["A100, HDR"]
    return {name: rate / first for name, rate in ACROSS.items()}


def step_speedup(communication_share: float, compute_speedup: float, communication_speedup: float) -> float:
    """How much faster a step gets whose two parts get faster by different factors (Amdahl's law, for two).

    Parameters
    ----------
    communication_share
        Of the old step's time, 0 to 1.
    """
    finite_number("communication_share", communication_share, at_least=0)
    if communication_share > 1:
        raise ValueError(f"communication_share={communication_share} must be in 0 to 1")
    finite_number("compute_speedup", compute_speedup, above=0)
    finite_number("communication_speedup", communication_speedup, above=0)
    return 1 / ((1 - communication_share) / compute_speedup + communication_share / communication_speedup)
