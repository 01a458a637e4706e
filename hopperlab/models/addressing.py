"""The way of one store through an NVLink Network: whose address, whose check, and what a revocation must flush.

A program's virtual address becomes a network address on its own GPU; the fabric carries that to the GPU that owns
the memory; there the link TLB checks who asks, and gives the physical address (talk-095). The sizes and the
replacement of a real link TLB are not published: here it is a list of the last few translations that were used,
and a revocation empties it only when told to. What follows from that is modelled, not measured.

Every verb takes a `Pod` and gives a new one.
"""

from dataclasses import dataclass, field, replace

from hopperlab.models.arguments import whole_number

PAGES = 4096


@dataclass(frozen=True)
class Buffer:
    """Memory that a GPU exported.

    Attributes
    ----------
    owner
        The GPU that holds it.
    first_page, pages
        Where it is in the owner's physical memory.
    network
        Its first network page: the same for all who use it.
    granted
        GPUs that may reach it.
    """

    name: str
    owner: int
    first_page: int
    pages: int
    network: int
    granted: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Stage:
    """One station of an access: where, what was found, and whether it goes on."""

    place: str
    found: str
    passed: bool


@dataclass(frozen=True)
class Access:
    """One access and its stations.

    Attributes
    ----------
    gpu, page
        Who asked, for which virtual page.
    physical
        (owner, page) that was reached, or None.
    stale
        Whether it was reached through a translation that had been revoked.
    """

    gpu: int
    page: int
    stages: tuple[Stage, ...]
    physical: tuple[int, int] | None
    stale: bool = False

    @property
    def fault(self) -> str:
        """Why it was refused; empty if it was not."""
        return "" if self.physical else f"{self.stages[-1].place}: {self.stages[-1].found}"

    @property
    def words(self) -> str:
        """The outcome in a sentence."""
        if self.physical is None:
            return f"GPU {self.gpu}, virtual page {self.page}: fault at the {self.fault}."
        owner, page = self.physical
        tail = ", though that was revoked: a stale entry of the link TLB let it pass" if self.stale else ""
        return f"GPU {self.gpu}, virtual page {self.page}: reaches page {page} of GPU {owner}{tail}."


@dataclass(frozen=True)
class Pod:
    """GPUs that share one NVLink Network.

    Attributes
    ----------
    gpus
        How many.
    entries
        Translations that each GPU's link TLB keeps.
    buffers
        What was exported, by name.
    mapped
        (GPU, virtual page) to (buffer's name, page of it).
    cached
        For each GPU, the (asking GPU, network page, physical page) that its link TLB holds, latest last.
    last
        The last access.
    """

    gpus: int = 4
    entries: int = 4
    buffers: dict[str, Buffer] = field(default_factory=dict)
    mapped: dict[tuple[int, int], tuple[str, int]] = field(default_factory=dict)
    cached: dict[int, tuple[tuple[int, int, int], ...]] = field(default_factory=dict)
    last: Access | None = None

    def __post_init__(self) -> None:
        """Refuse what is no pod."""
        whole_number("gpus", self.gpus, 2, 256)
        whole_number("entries", self.entries, 0, 1024)


def export(pod: Pod, name: str, owner: int, pages: int) -> Pod:
    """The owner makes memory known to the fabric; nobody may reach it yet.

    Raises
    ------
    ValueError
        If the name is taken, or a number is out of range.
    """
    whole_number("owner", owner, 0, pod.gpus - 1)
    whole_number("pages", pages, 1, PAGES)
    if name in pod.buffers:
        raise ValueError(f"name={name!r} is exported already")
    own = [one for one in pod.buffers.values() if one.owner == owner]
    network = 1000 + sum(one.pages for one in pod.buffers.values())
    made = Buffer(name, owner, 100 + sum(one.pages for one in own), pages, network)
    return replace(pod, buffers=pod.buffers | {name: made})


def _buffer(pod: Pod, name: str) -> Buffer:
    if name not in pod.buffers:
        raise ValueError(f"name={name!r} is not exported; there is {', '.join(pod.buffers) or 'nothing'}")
    return pod.buffers[name]


def map_buffer(pod: Pod, gpu: int, name: str, page: int) -> Pod:
    """A GPU imports a buffer and gives it virtual pages of its own; that alone does not let it in.

    Raises
    ------
    ValueError
        If the buffer is not exported, or a virtual page is taken.
    """
    whole_number("gpu", gpu, 0, pod.gpus - 1)
    whole_number("page", page, 0, 10**6)
    buffer = _buffer(pod, name)
    pages = {(gpu, page + offset): (name, offset) for offset in range(buffer.pages)}
    taken = sorted(place[1] for place in pages if place in pod.mapped)
    if taken:
        raise ValueError(f"page={page}: virtual page {taken[0]} of GPU {gpu} is mapped already")
    return replace(pod, mapped=pod.mapped | pages)


def grant(pod: Pod, gpu: int, name: str) -> Pod:
    """Let a GPU reach a buffer, as setting its access does in CUDA (lit-212)."""
    whole_number("gpu", gpu, 0, pod.gpus - 1)
    buffer = _buffer(pod, name)
    return replace(pod, buffers=pod.buffers | {name: replace(buffer, granted=buffer.granted | {gpu})})


def revoke(pod: Pod, gpu: int, name: str, flush: bool = True) -> Pod:
    """Take back a GPU's permission to reach a buffer.

    Parameters
    ----------
    flush
        Whether the owner's link TLB forgets what it holds for that GPU, as a revocation must.
    """
    whole_number("gpu", gpu, 0, pod.gpus - 1)
    buffer = _buffer(pod, name)
    left = replace(pod, buffers=pod.buffers | {name: replace(buffer, granted=buffer.granted - {gpu})})
    return invalidate(left, buffer.owner) if flush else left


def unmap(pod: Pod, gpu: int, name: str) -> Pod:
    """A GPU gives its virtual pages of a buffer back."""
    _buffer(pod, name)
    kept = {place: to for place, to in pod.mapped.items() if not (place[0] == gpu and to[0] == name)}
    return replace(pod, mapped=kept)


def invalidate(pod: Pod, gpu: int) -> Pod:
    """Empty a GPU's link TLB; a scope of its own in Hopper's channel class (lit-213)."""
    whole_number("gpu", gpu, 0, pod.gpus - 1)
    return replace(pod, cached=pod.cached | {gpu: ()})


def access(pod: Pod, gpu: int, page: int) -> Pod:
    """One load or store; ``last`` of the new pod tells its stations."""
    whole_number("gpu", gpu, 0, pod.gpus - 1)
    whole_number("page", page, 0, 10**6 + PAGES)
    if (gpu, page) not in pod.mapped:
        stage = Stage("page table of the source", f"GPU {gpu} has not mapped virtual page {page}", False)
        return replace(pod, last=Access(gpu, page, (stage,), None))
    name, offset = pod.mapped[gpu, page]
    buffer = pod.buffers[name]
    network, physical = buffer.network + offset, buffer.first_page + offset
    stages = [Stage("page table of the source", f"network page {network}", True)]
    stages.append(Stage("fabric", f"routed to GPU {buffer.owner}", True))
    held = pod.cached.get(buffer.owner, ())
    allowed = gpu in buffer.granted or gpu == buffer.owner
    entry = (gpu, network, physical)
    if entry in held:
        stages.append(Stage("link TLB of the owner", f"hit: physical page {physical}", True))
        done = Access(gpu, page, tuple(stages), (buffer.owner, physical), stale=not allowed)
        return replace(pod, cached=pod.cached | {buffer.owner: _latest(held, entry, pod.entries)}, last=done)
    if not allowed:
        stages.append(Stage("link TLB of the owner", f"miss, and GPU {gpu} has no permission", False))
        return replace(pod, last=Access(gpu, page, tuple(stages), None))
    stages.append(Stage("link TLB of the owner", f"miss, then filled: physical page {physical}", True))
    done = Access(gpu, page, tuple(stages), (buffer.owner, physical))
    return replace(pod, cached=pod.cached | {buffer.owner: _latest(held, entry, pod.entries)}, last=done)


def _latest(
    held: tuple[tuple[int, int, int], ...], entry: tuple[int, int, int], entries: int
) -> tuple[tuple[int, int, int], ...]:
    others = tuple(one for one in held if one != entry)
    return (*others, entry)[-entries:] if entries else ()
