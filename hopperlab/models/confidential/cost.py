"""What confidentiality costs: crossings of the bus, not FLOPs.

Inside the GPU nothing is encrypted, so computing costs nothing more. Each copy over the bus is cut into
bounce buffers, and each buffer is encrypted, carried and decrypted; the three can overlap or not. Rates are
the caller's: encryption is measured on the machine at hand, see ``throughput``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from hopperlab import chip as chips


@dataclass(frozen=True)
class Path:
    """How bytes get from host to GPU or back.

    Parameters
    ----------
    bus_bytes_per_s
        One direction of the bus.
    encrypt_bytes_per_s, decrypt_bytes_per_s
        The sender's and the receiver's AES-GCM; None: that end does not encrypt.
    chunk_bytes
        Size of a bounce buffer; a copy is cut into these.
    fixed_s
        Time that each chunk takes besides its bytes: a call, a doorbell, an interrupt.
    pipelined
        Whether one chunk is encrypted while the one before it is on the bus.
    """

    bus_bytes_per_s: float
    encrypt_bytes_per_s: float | None = None
    decrypt_bytes_per_s: float | None = None
    chunk_bytes: int = 2**20
    fixed_s: float = 0.0
    pipelined: bool = False

    def __post_init__(self) -> None:
        """Refuse rates and sizes that no path has."""
        for name in ("bus_bytes_per_s", "encrypt_bytes_per_s", "decrypt_bytes_per_s", "chunk_bytes"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name}={value!r}: it must be above 0")
        if self.fixed_s < 0:
            raise ValueError(f"fixed_s={self.fixed_s!r}: it cannot be negative")

    @property
    def rates(self) -> tuple[float, ...]:
        """Rates of the stages that there are, in B/s: encrypt, bus, decrypt."""
        stages = (self.encrypt_bytes_per_s, self.bus_bytes_per_s, self.decrypt_bytes_per_s)
        return tuple(rate for rate in stages if rate is not None)


def bus_path(chip: str = "H100 SXM5", **others) -> Path:
    """A plain path over that chip's PCIe, one direction; other fields of ``Path`` as given."""
    return Path(chips.chip(chip).pcie_bytes_per_s / 2, **others)


def copy_seconds(nbytes: float, path: Path) -> float:
    """Seconds to carry so many bytes over a path.

    One after another, every stage takes its time for every byte. Pipelined, the stages work on different
    chunks at once, and the slowest sets the pace after the first chunk.

    Raises
    ------
    ValueError
        If ``nbytes`` is negative.
    """
    if nbytes < 0:
        raise ValueError(f"nbytes={nbytes!r}: it cannot be negative")
    chunks = ceil(nbytes / path.chunk_bytes)
    if chunks == 0:
        return 0.0
    if not path.pipelined:
        return chunks * path.fixed_s + sum(nbytes / rate for rate in path.rates)
    size = nbytes / chunks
    stages = [size / rate for rate in path.rates]
    return chunks * path.fixed_s + sum(stages) + (chunks - 1) * max(stages)


@dataclass(frozen=True)
class Workload:
    """A program seen from the bus: seconds of computing on the GPU, and its copies as (how many, bytes each)."""

    name: str
    compute_s: float
    copies: tuple[tuple[int, float], ...]

    def seconds(self, path: Path) -> float:
        """Computing, then every copy: nothing overlaps, which is the worst case."""
        return self.compute_s + sum(count * copy_seconds(nbytes, path) for count, nbytes in self.copies)


def overhead(workload: Workload, confidential: Path, plain: Path) -> float:
    """How much longer it takes with confidential computing, as a fraction of the time without."""
    return workload.seconds(confidential) / workload.seconds(plain) - 1


WORKLOADS = (
    Workload("a model that fits, one token", 20e-3, ((2, 4e3),)),
    Workload("the same, a batch's prompt", 200e-3, ((1, 64e3), (1, 4e3))),
    Workload("a model that swaps a tenth of 14 GB", 20e-3, ((1, 1.4e9),)),
    Workload("training, gradients through the host", 300e-3, ((2, 2.8e9),)),
)
"""Four workloads to compare; their seconds and bytes are this workbook's examples, not measurements."""


# --- Where the NVLink stands --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Arrangement:
    """One way to give GPUs to a confidential VM: as announced, as shipped on Hopper, and what NVLink does.

    ``claim`` is the row of claims.csv that it rests on.
    """

    name: str
    announced: str
    shipped: str
    claim: str


ARRANGEMENTS = (
    Arrangement(
        "one GPU",
        "one GPU in passthrough, PCIe encrypted",
        "as announced: single-GPU passthrough (SPT), keys rotated from driver r570",
        "talk-070, conf-020",
    ),
    Arrangement(
        "several GPUs",
        "several GPUs in passthrough, NVLink encrypted",
        "peer access is off in the single-GPU mode: GPUs exchange through the host, encrypted twice",
        "talk-071, conf-021",
    ),
    Arrangement(
        "eight GPUs and four switches",
        "not told apart from several GPUs",
        "protected PCIe mode (PPCIE): all eight to one VM, PCIe encrypted, NVLink in plaintext",
        "conf-022",
    ),
    Arrangement(
        "MIG instances",
        "a VM, a virtual function and a key for each instance, a firewall between them",
        "no release note found that supports it",
        "talk-077",
    ),
)
"""What the talk announced beside what shipped on Hopper."""


def nvlink_path(chip: str = "H100 SXM5", **others) -> Path:
    """A path over that chip's NVLink, one direction; plain, as Hopper ships it, unless rates are given.

    Raises
    ------
    ValueError
        If the chip is unknown.
    """
    return Path(chips.chip(chip).nvlink_bytes_per_s / 2, **others)


def exchange_seconds(nbytes: float, confidential: Path, *, nvlink: Path | None = None) -> float:
    """Seconds for one GPU to send bytes to another of the same VM.

    Parameters
    ----------
    nbytes
        How many.
    confidential
        Between host and GPU.
    nvlink
        Between the GPUs: plain in the eight-GPU mode, with rates of encryption as announced. None: peer access
        is off, and the bytes go through the host, out of one GPU and into the other.
    """
    return 2 * copy_seconds(nbytes, confidential) if nvlink is None else copy_seconds(nbytes, nvlink)


# --- What others measured ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class PublishedOverhead:
    """One published overhead, a range where low < high.

    ``percent_low`` and ``percent_high`` are as printed: of ``throughput``, how much of it is lost; of
    ``time``, how much is added. ``claim`` is the row of claims.csv; a negative overhead is a gain. Where
    ``at_most``, the percentage is a bound: the source says only that the overhead is less.
    """

    claim: str
    workload: str
    quantity: str
    device: str
    of: str
    percent_low: float
    percent_high: float
    at_most: bool = False

    @property
    def slowdown(self) -> tuple[float, float]:
        """The same as a factor of time, from least to most, so that rows can be compared."""
        return _slowdown(self.of, self.percent_low), _slowdown(self.of, self.percent_high)


def _slowdown(of: str, percent: float) -> float:
    return 1 / (1 - percent / 100) if of == "throughput" else 1 + percent / 100


def _published(
    claim: str, workload: str, quantity: str, device: str, of: str, low: float, high: float | None = None
):
    return PublishedOverhead(claim, workload, quantity, device, of, low, low if high is None else high)


PUBLISHED = (
    _published("conf-033", "Llama 3.1 70B, 4 bit", "tokens/s", "H100 NVL", "throughput", -0.13),
    _published("conf-032", "Phi-3 14B", "tokens/s", "H100 NVL", "throughput", 4.58),
    _published("conf-030", "Llama 3.1 8B", "tokens/s", "H100 NVL", "throughput", 6.85),
    _published("conf-031", "Llama 3.1 8B", "first token", "H100 NVL", "time", 19.03),
    _published("conf-034", "Llama 3.1 8B", "tokens/s", "H200", "throughput", 8.84),
    _published("conf-035", "Llama 3.1 8B", "first token", "H200", "time", 20.95, 25.6),
    _published("conf-039", "LLM inference, larger batches", "throughput", "H100", "throughput", 4.0, 8.0),
    PublishedOverhead(
        "conf-038", "OPT, overlapped (PipeLLM)", "throughput", "H100", "throughput", 19.6, 19.6, at_most=True
    ),
    _published("conf-036", "OPT-30B, swapped", "throughput", "H100", "throughput", 52.8),
    _published("conf-037", "OPT-66B, swapped", "throughput", "H100", "throughput", 88.2),
    _published("conf-041", "GPT-2 XL, DDP, larger buckets", "step time", "4 GPUs, emulated", "time", 203.0),
    _published("conf-040", "DDP training, average", "step time", "4 GPUs, emulated", "time", 768.0),
    _published("conf-042", "GPT-2 XL, DDP", "step time", "4 GPUs, emulated", "time", 4060.0),
)
"""Published overheads that disagree because their crossings do; quote each with its setting."""


def disagreement(
    rows: Sequence[PublishedOverhead] = PUBLISHED,
) -> tuple[PublishedOverhead, PublishedOverhead]:
    """The least and the most of the published overheads: no one number is right for both.

    Raises
    ------
    ValueError
        If there are no rows.
    """
    if not rows:
        raise ValueError("rows is empty: at least one published overhead is needed")
    return min(rows, key=lambda row: row.slowdown[0]), max(rows, key=lambda row: row.slowdown[1])
