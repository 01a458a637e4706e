"""Launches for a profiler: the same tiles, few and then more of them, so that the difference is what a tile costs.

    python -m hopperlab.measure.tma.profile

It launches nothing else, each case in order with both numbers of tiles.
"""

from __future__ import annotations

from collections.abc import Iterator

from hopperlab.measure.tma.reading import SIDE, Reading, Source, by_engine, by_threads

FEW, MORE = 32, 96
"""Tiles that a block reads."""

GRID = (16, 8)
STAGES = 4


def cases() -> list[list]:
    """Give [way, cluster size] in the order of the launches."""
    from hopperlab.measure.tma import multicast

    return [["engine", 1], ["cp.async", 1], ["loads", 1], *multicast.cases()]


def readings(source: Source) -> Iterator[Reading]:
    """Give two launches a case, of FEW and of MORE tiles a block."""
    from hopperlab.measure.tma import multicast

    for way, size in cases():
        for each in (FEW, MORE):
            if way == "engine":
                yield by_engine(source, GRID, (SIDE, SIDE), each, STAGES)
            elif way in ("cp.async", "loads"):
                yield by_threads(source, way, GRID, each, STAGES)
            else:
                yield multicast.reading(source, way, size, each)


def main() -> None:
    """Launch every case, and see that it did its work."""
    for reading in readings(Source(2**28)):
        reading.launch()
        reading.cycles_per_box()


if __name__ == "__main__":
    main()
