"""A hand over the MIG board: what each button of lesson 16 does to the board and to the selected instance."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from hopperlab.models.mig import Board, Instance, free_starts, profiles


@dataclass(frozen=True)
class Hand:
    """A board, the start of the selected instance (None: none), and what was done last, in a sentence."""

    board: Board
    selected: int | None = None
    said: str = ""

    def create(self, name: str) -> "Hand":
        """One more instance where the driver puts it; InsufficientResources if it finds no place."""
        grown = self.board.create(name)
        start = grown.instances[-1].start
        return Hand(grown, start, f"The driver put {name} at memory slice {start}.")

    def next(self) -> "Hand":
        """Select the next instance along the slices; ValueError on an empty board."""
        starts = sorted(one.start for one in self.board.instances)
        if not starts:
            raise ValueError("the board is empty: there is nothing to select")
        later = [start for start in starts if self.selected is not None and start > self.selected]
        chosen = later[0] if later else starts[0]
        return replace(self, selected=chosen, said=f"Selected: {self._at(chosen).profile.name} at {chosen}.")

    def move(self, step: int) -> "Hand":
        """Move the selected instance to its next free start on that side.

        It is destroyed and created anew, as every move is. ValueError where there is no such start.
        """
        held = self._held()
        others = tuple(one for one in self.board.instances if one is not held)
        side = [s for s in free_starts(held.profile, others) if (s - held.start) * step > 0]
        if not side:
            where = "left" if step < 0 else "right"
            raise ValueError(f"{held.profile.name} has no free start to the {where} of {held.start}")
        start = max(side) if step < 0 else min(side)
        moved = tuple(Instance(start, one.profile) if one is held else one for one in self.board.instances)
        said = f"{held.profile.name} was destroyed at {held.start} and created at {start}."
        return Hand(Board(self.board.chip, moved), start, said)

    def destroy(self) -> "Hand":
        """Destroy the selected instance; ValueError where none is selected."""
        held = self._held()
        return Hand(
            self.board.destroy(held.start), None, f"{held.profile.name} at {held.start} was destroyed."
        )

    def moved_since(self, first: Board) -> int:
        """How many instances lie elsewhere than on an earlier board; both in the same order."""
        pairs = zip(first.instances, self.board.instances, strict=True)
        return sum(before.start != after.start for before, after in pairs)

    def _held(self) -> Instance:
        if self.selected is None:
            raise ValueError("no instance is selected: select one, or create one")
        return self._at(self.selected)

    def _at(self, start: int) -> Instance:
        return next(one for one in self.board.instances if one.start == start)


GAME: dict[str, Callable[[Hand], Hand]] = {
    "Select next": Hand.next,
    "Move left": lambda hand: hand.move(-1),
    "Move right": lambda hand: hand.move(+1),
}


def buttons(chip: str) -> Mapping[str, Callable[[Hand], Hand]]:
    """The buttons of the board: one to create each profile of the card, and those that work on what is there."""
    creating = {kind.name: (lambda hand, name=kind.name: hand.create(name)) for kind in profiles(chip)}
    return creating | GAME | {"Destroy": Hand.destroy}
