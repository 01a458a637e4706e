"""Where a block or a cluster goes: the places of a card, and the policy that picks among them.

Quoted: a cluster runs in one GPC, all of it or none (talk-027, talk-029), and its blocks go to SMs of their
own by preference (talk-028). Assumed, for nothing public says: the GPC with the most room comes first, then
the lower number; within it the least loaded SM, then the lower id. A plain block takes the least loaded SM
of the whole card. How many clusters run at once does not depend on what is assumed.
"""

from typing import NamedTuple

from hopperlab.models.clusters.gpc_map import GpcMap


class Seats(NamedTuple):
    """A GPC's number and the SMs in it, one for each block; an SM twice if it holds two of them."""

    gpc: int
    sms: tuple[int, ...]


class Places:
    """What each SM of a card still holds.

    Parameters
    ----------
    gpc_map
        The card.
    capacity
        Shares of an SM. A block that fits ``n`` times on an SM takes ``capacity / n`` of them.
    """

    def __init__(self, gpc_map: GpcMap, capacity: int) -> None:
        self.capacity = capacity
        self._sms = sorted(sm for group in gpc_map.groups for sm in group)
        self._load = [0] * len(self._sms)  # shares taken, by position in _sms
        self._position = {sm: position for position, sm in enumerate(self._sms)}
        self._groups = [sorted(self._position[sm] for sm in group) for group in gpc_map.groups]
        self._gpc_of = {sm: gpc for gpc, group in enumerate(gpc_map.groups) for sm in group}
        self._known_rooms: list[dict[int, int]] = [{} for _ in self._groups]

    def find(self, blocks: int, share: int, smallest_gpc: int = 1) -> Seats | None:
        """Seats for ``blocks`` blocks of ``share`` each in one GPC of so many SMs, or None."""
        if blocks == 1:
            least = min(self._load)
            if least + share > self.capacity:
                return None
            sm = self._sms[self._load.index(least)]
            return Seats(self._gpc_of[sm], (sm,))
        gpc = max(self._of_size(smallest_gpc), key=lambda gpc: self._room(gpc, share))
        if self._room(gpc, share) < blocks:
            return None
        return Seats(gpc, self._spread(gpc, blocks, share))

    def take(self, seats: Seats, share: int) -> None:
        """Fill the seats; a negative share empties them."""
        for sm in seats.sms:
            self._load[self._position[sm]] += share
        self._known_rooms[seats.gpc].clear()

    def why_not(self, blocks: int, share: int, smallest_gpc: int = 1) -> str:
        """Why ``find`` has no seats, as a clause after the name of what waits."""
        if blocks == 1:
            return "needs room on one SM: every SM is full"
        everywhere = range(len(self._groups))
        free = sum(self._room(gpc, share) for gpc in everywhere)
        if share == self.capacity:
            together = max(self._room(gpc, share) for gpc in everywhere)
            return f"needs {blocks} free SMs in one GPC: {free} free, at most {together} in one GPC"
        together = max(self._room(gpc, share) for gpc in self._of_size(smallest_gpc))
        return (
            f"needs room for {blocks} blocks in one GPC of {smallest_gpc} SMs or more: "
            f"room for {free}, at most {together} in such a GPC"
        )

    def _room(self, gpc: int, share: int) -> int:
        """Blocks of that share that the GPC still takes."""
        known = self._known_rooms[gpc]
        if share not in known:
            load, capacity = self._load, self.capacity
            known[share] = sum([(capacity - load[position]) // share for position in self._groups[gpc]])
        return known[share]

    def _of_size(self, sms: int) -> list[int]:
        """GPCs of at least so many SMs."""
        return [gpc for gpc, group in enumerate(self._groups) if len(group) >= sms]

    def _spread(self, gpc: int, blocks: int, share: int) -> tuple[int, ...]:
        """One block an SM, least loaded first; a second one only when every SM with room has had its own."""
        load = {position: self._load[position] for position in self._groups[gpc]}
        chosen: list[int] = []
        for _ in range(blocks):
            with_room = [position for position in load if load[position] + share <= self.capacity]
            for position in sorted(with_room, key=load.__getitem__)[: blocks - len(chosen)]:
                load[position] += share
                chosen.append(self._sms[position])
            if len(chosen) == blocks:
                return tuple(chosen)
        raise RuntimeError(f"GPC {gpc} has no room for {blocks} blocks: the caller must ask first")
