"""Where the tiles of a kernel's copies start, as far as its PTX tells: a wrong start is refused before a launch.

A tile's address is followed back from the copy to a shared array. Where all that is added on the way is constant,
as for `tile[0, 4:]`, the start is known; where it is computed at run time, only the card, or the simulator, can say.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

# What an engine wants a tile to start on, in bytes, by the instruction (lit-042.a, lit-043.b)
TILE_ALIGNMENTS = {
    "cp.async.bulk.tensor": 128,
    "cp.reduce.async.bulk.tensor": 128,
    "cp.async.bulk": 16,
    "cp.reduce.async.bulk": 16,
}

_COPY = re.compile(r"(?P<said>cp(?:\.reduce)?\.async\.bulk(?:\.tensor)?)\.[^;]*?\.shared[^;]*;", re.DOTALL)
_PLACE = re.compile(r"\[(%r\d+)\]")
_ARRAY = re.compile(r"\.shared \.align (\d+) \.b8 (\w+)")
_DEFINED = re.compile(
    r"^\s*(?:@!?%p\d+\s+)?(?P<word>[a-z][\w.]*)\s+(?P<register>%rd?\d+), (?P<rest>[^;\n]+);", re.MULTILINE
)
_TO_SHARED = re.compile(r"cvta\.to\.shared\.u64 shared, (%rd\d+); cvt\.u32\.u64 (%r\d+), shared;")


class Start(NamedTuple):
    """A tile that starts so many bytes behind the start of a shared array, which is aligned to so many."""

    said: str
    offset: int
    alignment: int

    @property
    def wanted(self) -> int:
        """What the instruction wants a tile to start on, in bytes."""
        return TILE_ALIGNMENTS[self.said]


def check_tiles(name: str, text: str) -> None:
    """Refuse a kernel with a tile that does not start where a copy engine wants it to, as far as its PTX tells.

    Raises
    ------
    ValueError
        If a tile starts at a constant offset that is none of the engine's, or no shared array that the kernel
        declares is aligned as far as a tile must be; the message says what to write.
    """
    declared = [int(alignment) for alignment, _ in _ARRAY.findall(text)]
    for start in starts(text):
        if start.offset % start.wanted:
            raise ValueError(
                f"{name}: a tile begins {start.offset} bytes after the start of its shared array; {start.said} takes "
                f"tiles that begin on a multiple of {start.wanted} bytes"
            )
        if start.alignment < start.wanted:
            raise ValueError(_unaligned(name, start.wanted, start.alignment))
    wanted = max((TILE_ALIGNMENTS[copy["said"]] for copy in _COPY.finditer(text)), default=1)
    if declared and max(declared) < wanted:
        raise ValueError(_unaligned(name, wanted, max(declared)))


def _unaligned(name: str, wanted: int, asked: int) -> str:
    return (
        f"{name}: the copy engine takes tiles that start on {wanted} bytes, but their shared array asks for no "
        f"more than {asked}: write cuda.shared.array(shape, dtype, alignment={wanted})"
    )


def starts(text: str) -> Iterator[Start]:
    """The tiles of the copies in a kernel's PTX whose starts are known."""
    arrays = {
        symbol: int(alignment) for alignment, symbol in _ARRAY.findall(text) if "mbarrier" not in symbol
    }
    origins = _origins(text)
    for copy in _COPY.finditer(text):
        for register in _PLACE.findall(copy[0]):
            symbol, offset = _followed(register, origins)
            if symbol in arrays:
                yield Start(copy["said"], offset, arrays[symbol])


def _origins(text: str) -> dict[str, tuple[str, int]]:
    """What each register is: a symbol or another register, and so many bytes more; none that is set twice."""
    found: dict[str, list[tuple[str, int]]] = {}
    for source, register in _TO_SHARED.findall(text):
        found.setdefault(register, []).append((source, 0))
    for match in _DEFINED.finditer(text):
        found.setdefault(match["register"], []).append(_origin(match["word"], match["rest"]))
    return {register: each[0] for register, each in found.items() if len(each) == 1}


def _origin(word: str, rest: str) -> tuple[str, int]:
    operands = [operand.strip() for operand in rest.split(",")]
    if word in ("mov.u64", "mov.b64", "cvta.shared.u64") and len(operands) == 1:
        return operands[0], 0
    if word in ("add.s64", "add.u64") and re.fullmatch(r"-?\d+", operands[-1]):
        return operands[0], int(operands[-1])
    return "", 0


def _followed(register: str, origins: dict[str, tuple[str, int]]) -> tuple[str, int]:
    """The symbol that a register points to, or an empty one, and the bytes behind it."""
    offset = 0
    while register in origins:
        register, more = origins[register]
        offset += more
    return register, offset
