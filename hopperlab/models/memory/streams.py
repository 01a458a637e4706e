"""The bandwidth of many threads that read: Little's law, and the ceilings above it.

A block asks for its bytes, waits until they are there, and asks again. So many bytes as are in flight come in
each latency, until something is full: the L2 cache's crossbar, or device memory.
"""

from dataclasses import dataclass

from hopperlab.chip import chip
from hopperlab.models.arguments import finite_number, whole_number

H200 = chip("H200 SXM")
WARPS = 16
"""Warps of a block in the recordings: 512 threads."""


@dataclass(frozen=True)
class Streams:
    """The eight parameters of the model. The defaults are an H200's.

    They were fitted to the recording `bandwidth` of an H200, to its curves with 4 loads of 4 bytes, 1 of 16 and 4
    of 16 in flight, from the L2 cache and from memory. The curves of other widths and depths are for testing.

    Attributes
    ----------
    l2_cycles, memory_cycles
        From asking to the next asking, of one warp alone.
    cycles_per_load
        What each load of a warp adds, of all warps of the SM.
    bytes_per_clock
        The rate at which an SM takes what comes.
    l2_bytes_per_clock
        What the L2 cache gives at most, to all SMs.
    memory_bytes_per_s
        What device memory gives at most.
    l2_sharpness, memory_sharpness
        How sharply a curve bends at its ceiling: infinite would be a corner.
    """

    l2_cycles: float = 314.1
    memory_cycles: float = 827.3
    cycles_per_load: float = 0.72
    bytes_per_clock: float = 218.4
    l2_bytes_per_clock: float = 4672.0
    memory_bytes_per_s: float = 4.602e12
    l2_sharpness: float = 7.75
    memory_sharpness: float = 3.13

    def bandwidth(
        self,
        level: str,
        width: int,
        in_flight: int,
        blocks: int,
        *,
        sms: int = H200.sms,
        clock_hz: float = H200.boost_clock_hz,
        warps: int = WARPS,
    ) -> float:
        """Give the bytes a second that all blocks read together.

        Parameters
        ----------
        level
            "L2" or "HBM": where the bytes are.
        width
            Bytes that a thread loads at once: 4, 8 or 16.
        in_flight
            Loads that a thread asks for before it waits.
        blocks
            Blocks that run at once, spread over the SMs.
        sms, clock_hz
            SMs of the card, and their clock.
        warps
            Warps of a block.

        Raises
        ------
        ValueError
            If an argument is out of its range.
        """
        finite_number("clock_hz", clock_hz, above=0)
        busy = min(whole_number("blocks", blocks, 1, 2**31 - 1), whole_number("sms", sms, 1, 1024))
        one = self.one_sm(level, width, in_flight, blocks / busy, warps=warps) * clock_hz
        return _below(one * busy, *self._ceiling(level, clock_hz))

    def one_sm(
        self, level: str, width: int, in_flight: int, blocks: float = 1, *, warps: int = WARPS
    ) -> float:
        """Give the bytes a clock that one SM reads with some blocks on it, while the others are idle."""
        if width not in (4, 8, 16):
            raise ValueError(f"width={width!r} must be 4, 8 or 16 bytes")
        finite_number("blocks", blocks, above=0)
        loads = blocks * whole_number("warps", warps, 1, 64) * whole_number("in_flight", in_flight, 1, 64)
        nbytes = loads * 32 * width
        cycles = self._latency(level) + loads * self.cycles_per_load + nbytes / self.bytes_per_clock
        return nbytes / cycles

    def bytes_to_fill(self, level: str, *, clock_hz: float = H200.boost_clock_hz) -> float:
        """Give the bytes that must be in flight on the card to reach the ceiling: Little's law."""
        ceiling, _ = self._ceiling(level, finite_number("clock_hz", clock_hz, above=0))
        return ceiling * self._latency(level) / clock_hz

    def _latency(self, level: str) -> float:
        return {"L2": self.l2_cycles, "HBM": self.memory_cycles}[_checked(level)]

    def _ceiling(self, level: str, clock_hz: float) -> tuple[float, float]:
        return {
            "L2": (self.l2_bytes_per_clock * clock_hz, self.l2_sharpness),
            "HBM": (self.memory_bytes_per_s, self.memory_sharpness),
        }[_checked(level)]


def _checked(level: str) -> str:
    if level not in ("L2", "HBM"):
        raise ValueError(f"level={level!r} must be 'L2' or 'HBM'")
    return level


def _below(asked: float, ceiling: float, sharpness: float) -> float:
    """Give what of a rate gets through below a ceiling: the smaller of both, with a bend instead of a corner."""
    return asked * (1 + (asked / ceiling) ** sharpness) ** (-1 / sharpness)
