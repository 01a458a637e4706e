"""What the board shows: a schedule at one moment, beside it the same work as plain blocks; and its words."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from hopperlab.models.clusters import Event, GpcMap, Placement, Schedule, State
from hopperlab.models.clusters.state import LEFT_OVER, SMALL_GPC

MOST_PLACES_DRAWN = 4
"""Blocks of an SM that are drawn one by one; of more, only how many there are."""


@dataclass(frozen=True)
class Scene:
    """A schedule's state after an event, if one is named; and the plain blocks' at that time, if there are any."""

    schedule: Schedule
    state: State
    event: Event | None
    plain: Schedule | None
    plain_state: State | None
    time_unit: str

    @property
    def card(self) -> GpcMap:
        """The card that is drawn."""
        return self.schedule.gpc_map

    @property
    def places(self) -> int:
        """Blocks that an SM is drawn with room for."""
        return max(grid.places_per_sm for grid in self.schedule.grids)

    @property
    def busy_sms(self) -> int:
        """SMs with at least one block."""
        return self.card.sms - len(self.state.idle_sms)

    @property
    def hangs(self) -> bool:
        """Whether nothing will happen any more although work waits."""
        return bool(self.schedule.hang) and self.state.time >= self.schedule.events[-1].time

    def label(self, grid: int, unit: int) -> str:
        """A unit's number; behind its grid's letter where there are several grids."""
        return f"{self.letter(grid)}{unit}"

    def letter(self, grid: int) -> str:
        """The letter of one grid of several: A for the first; nothing for the only one."""
        return "" if len(self.schedule.grids) == 1 else chr(ord("A") + grid % 26)

    def running_in(self, group: int) -> list[Placement]:
        """What runs in one GPC."""
        return [placement for placement in self.state.running if placement.gpc == group]

    def blocks_on(self) -> Counter[int]:
        """Blocks on each SM that holds any."""
        return Counter(sm for placement in self.state.running for sm in placement.sms)

    # Sentences

    @property
    def work(self) -> str:
        """What runs: ``Clusters of 5``, ``Plain blocks``, or each grid behind its letter."""
        kinds = [
            f"clusters of {grid.cluster_size}" if grid.cluster_size > 1 else "plain blocks"
            for grid in self.schedule.grids
        ]
        if len(kinds) == 1:
            return kinds[0].capitalize()
        named = zip(self.schedule.grids, kinds, strict=True)
        return "; ".join(f"{self.letter(n)}: {grid.name}, {kind}" for n, (grid, kind) in enumerate(named))

    @property
    def title(self) -> str:
        """What the board shows, as a statement."""
        grids, state = self.schedule.grids, self.state
        subject = self.work if len(grids) == 1 else f"{len(grids)} grids"
        units = sum(grid.units for grid in grids)
        if state.finished == units:
            return f"{subject}: all {units} are done"
        wait = f"{state.units_waiting} wait" if state.units_waiting else "none waits"
        sms = state.stranded_sms if state.waiting else state.idle_sms
        idle = f"{len(sms) or 'no'} SM{'s' * (len(sms) > 1)} {'stranded' if state.waiting else 'idle'}"
        return f"{subject}: {len(state.running)} run, {wait}, {'a hang' if self.hangs else idle}"

    @property
    def setting(self) -> str:
        """That this is a model, of which card, and how many blocks an SM holds."""
        sizes = self.card.sizes()
        name = self.card.name if sizes in self.card.name else f"{self.card.name}, {sizes} SMs"
        numbers = sorted({grid.places_per_sm for grid in self.schedule.grids})
        per_sm = " or ".join(map(str, numbers))
        return f"Modelled on {name}; {per_sm} block{'s' * (numbers != [1])} an SM."

    @property
    def last_event(self) -> str:
        """The event after which the card is shown, as a sentence; empty where a time is shown."""
        if self.event is None:
            return ""
        if self.event.kind == "refused":  # why, the queue says
            return f"{self.schedule.name_of(self.event.grid, self.event.unit)} is refused for now."
        return self.schedule.describe(self.event)

    @property
    def queue(self) -> str:
        """What waits and why."""
        if self.hangs:
            return f"{self.schedule.hang}."
        if not self.state.waiting:
            return "Nothing waits."
        grid, first, _ = self.state.waiting[0]
        head = self.schedule.name_of(grid, first)
        return f"{head} {self.state.reason}." if self.state.reason else f"{head} is next."

    @property
    def beside(self) -> str:
        """How the same work fares as plain blocks."""
        sms, end = self.card.sms, self.plain.makespan
        busy = sms - len(self.plain_state.idle_sms)
        now = "Done" if self.state.time >= end else f"{busy} of {sms} SMs busy"
        unit = self.time_unit
        return f"{now}; ends at {end:g} {unit}, the clusters at {self.schedule.makespan:g} {unit}."


def in_runs(numbers: Iterable[int]) -> str:
    """Numbers in order, neighbors as a run: ``0-1, 14-15, 28``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def in_words(scene: Scene) -> str:
    """All that the board shows, as text."""
    state, schedule = scene.state, scene.schedule
    behind = state.units_waiting - 1
    causes = Counter(state.idle_sms.values())
    idle = "".join(f", {sms} idle ({cause})" if cause else f", {sms} idle" for cause, sms in causes.items())
    total = schedule.busy_sm_time + sum(schedule.idle_sm_time.values())
    spent = "".join(
        f", {_percent(time / total)} idle ({cause})" for cause, time in schedule.idle_sm_time.items() if time
    )
    sentences = [
        f"{scene.setting} Time {state.time:g} of {schedule.horizon:g} {scene.time_unit}.",
        f"Last event: {scene.last_event}" if scene.event else "",
        f"{scene.work}." if len(schedule.grids) > 1 else "",
        f"{scene.busy_sms} of {scene.card.sms} SMs busy{idle}.",
        *_table(scene),
        f"Queue: {scene.queue}{f' {behind} more behind it.' if behind > 0 and not scene.hangs else ''}",
        f"As plain blocks: {scene.beside}" if scene.plain else "",
        f"Over the whole run {_percent(schedule.utilization)} of SM time busy{spent}.",
    ]
    return "\n".join(sentence for sentence in sentences if sentence)


def _percent(share: float) -> str:
    return "under 1%" if 0 < share < 0.01 else f"{share:.0%}"


def _table(scene: Scene) -> list[str]:
    """Of each group of SMs: how many, what runs there, which stand idle."""
    rows = [("group", "SMs", "running", "idle SMs")]
    for number, group in enumerate(scene.card.groups):
        idle = [sm for sm in group if sm in scene.state.idle_sms]
        cause = scene.state.idle_sms[idle[0]] if idle else ""
        mark = {LEFT_OVER: " stranded", SMALL_GPC: " stranded, GPC too small"}.get(cause, "")
        name, running = scene.card.name_of(number), _running(scene, number)
        rows.append((name, str(len(group)), running, in_runs(idle) + mark))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [
        f"{row[0]:{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:{widths[2]}}  {row[3]}".rstrip()
        for row in rows
    ]


def _running(scene: Scene, group: int) -> str:
    """The units in a group by number; only how many, and the blocks an SM holds, where that is all one sees."""
    placements = scene.running_in(group)
    if not placements:
        return "-"
    if scene.places > MOST_PLACES_DRAWN:
        loads = scene.blocks_on()
        held = in_runs({loads[sm] for sm in scene.card.groups[group]})
        return f"{len(placements)}, with {held} blocks an SM"
    by_grid: dict[int, list[int]] = {}
    for placement in placements:
        by_grid.setdefault(placement.grid, []).append(placement.unit)
    return "; ".join(
        f"{scene.letter(grid)} {in_runs(units)}".strip() for grid, units in sorted(by_grid.items())
    )
