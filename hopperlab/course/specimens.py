"""Specimens that are no kernels: a calculation or a measurement that goes wrong, with its finding and its cure."""

from collections.abc import Callable
from dataclasses import dataclass

from hopperlab.views.finding import finding
from hopperlab.views.picture import Picture


@dataclass(frozen=True)
class Specimen:
    """What was done, what is found, the cure, and an SVG that shows it; all but the words are made when looked at."""

    name: str
    done: str
    found: Callable[[], str]
    cure: str
    shown: Callable[[], Picture]

    def picture(self) -> Picture:
        """The finding in words, above what shows it."""
        return finding(self.name, self.done, self.found(), self.cure, self.shown())
