"""Who runs next: one deterministic scheduler over greenlets.

A thread runs until it must wait; then another one goes on. With seed 0 threads take turns in the order in which
they became ready, copies land when nothing else can happen, and clusters start when all before them wait or
have ended. Any other seed draws each of these from a generator: another legal interleaving, the same each time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from random import Random
from typing import Any

from greenlet import GreenletExit, getcurrent, greenlet

from hopperlab.device.simulator.threads import Cluster, Thread

IDLE_ROUNDS = (
    2000  # rounds in which every thread only asked and nothing changed, before that is called a spin
)


class Stuck(Exception):  # noqa: N818 - caught by the run, which makes a finding of it
    """No thread can go on: all wait, or some ask in vain without end where `spinning`; `sites` tells where."""

    def __init__(self, spinning: bool) -> None:
        super().__init__("no thread can go on")
        self.spinning = spinning
        self.sites: dict[Thread, Any] = {}


class KernelFailure(Exception):  # noqa: N818 - carries what a kernel raised out of its greenlet
    """A thread raised: which, and what."""

    def __init__(self, thread: Thread | None, error: BaseException) -> None:
        super().__init__(str(error))
        self.thread = thread
        self.error = error


class Spin:
    """Why a thread that asks goes on asking."""

    def __init__(self, what: str) -> None:
        self.what = what

    def story(self, thread: Thread) -> str:
        """Say what a thread asks for."""
        return f"asks again and again for {self.what}"


class Scheduler:
    """Runs the threads of one launch.

    Parameters
    ----------
    world
        The run: its `thread` is the one that goes on, its `ended(thread)` is called when one has ended.
    call
        Calls the kernel for the thread that runs.
    seed
        Decides among what may happen next.
    next_cluster
        Gives the next cluster that has a place on the chip, or None.
    script
        Makes every choice instead, see `explore.Script`.
    """

    def __init__(
        self,
        world: Any,
        call: Callable[[], None],
        seed: int,
        next_cluster: Callable[[], Cluster | None],
        script: Any = None,
    ) -> None:
        self.world = world
        self.call = call
        self.script = script
        self.random = Random(seed) if seed or script is not None else None
        self.next_cluster = next_cluster
        self.hub: greenlet = getcurrent()
        self.context = copy_context()
        self.ready: deque[Thread] = deque()
        self.asking: deque[Thread] = deque()  # threads that found nothing new when they looked
        self.under_way: list[Any] = []  # copies that have not landed
        self.workers: list[greenlet] = []  # all greenlets
        self.resting: list[greenlet] = []  # those without a thread
        self.asleep = 0  # threads that wait to be woken
        self.failure: KernelFailure | None = None
        self.switches = 0
        self.landing = False  # whether an engine is at work
        self.idle_rounds = 0

    # What the words call

    def wait(self, thread: Thread, reason: Any) -> None:
        """Let others run until somebody wakes this thread; `reason` tells what it waits for."""
        thread.waits_for = reason
        self.asleep += 1
        ready = self.ready
        # Only the hub starts greenlets: one that another started would begin as deep in the stack as that one.
        if self.random is None and ready and ready[0].greenlet is not None:
            self.switches += 1
            ready.popleft().greenlet.switch()
        else:
            self.hub.switch()
        self.world.thread = thread

    def wake(self, thread: Thread) -> None:
        """Let a thread that waits go on when its turn comes."""
        thread.waits_for = None
        self.asleep -= 1
        self.ready.append(thread)

    def wake_all(self, threads: list[Thread]) -> None:
        """Let several threads go on."""
        for thread in threads:
            thread.waits_for = None
        self.asleep -= len(threads)
        self.ready.extend(threads)

    def ask_again(self, thread: Thread, reason: Any) -> None:
        """Let everything else happen first: this thread looked, and what it hopes for has not come."""
        thread.waits_for = reason
        self.asking.append(thread)
        self._leave()
        thread.waits_for = None
        self.world.thread = thread

    def give_way(self, thread: Thread) -> None:
        """Let others go first where the seed says so; a point at which interleavings differ."""
        if self.random is not None and self.ready and (self.script is not None or self.random.random() < 0.5):
            self.ready.append(thread)
            self._leave()
            self.world.thread = thread

    def _leave(self) -> None:
        if self.random is None and self.ready and self.ready[0].greenlet is not None:
            self.switches += 1
            self.ready.popleft().greenlet.switch()
        else:
            self.hub.switch()

    # The hub

    def run(self) -> None:
        """Run until every thread has ended.

        Raises
        ------
        KernelFailure
            If a thread raised.
        Stuck
            If none can go on.
        """
        self.hub, self.context = getcurrent(), copy_context()
        try:
            while self._step():
                if self.failure is not None:
                    raise self.failure
        except Stuck as stuck:
            stuck.sites = {t: self.world.site_of(t) for t in self.world.resident_threads() if t.waits_for}
            raise
        finally:
            self._clear()

    def run_plain(self) -> None:
        """Run kernels that never wait: every thread is one plain call, block after block."""
        world, call = self.world, self.call
        while (cluster := self.next_cluster()) is not None:
            try:
                for world.thread in self._in_order(cluster):
                    call()
                    if world.watched:
                        world.ended(world.thread)
            except BaseException as error:
                raise KernelFailure(world.thread, error) from None
            if not world.watched:
                world.all_ended(cluster)

    def _step(self) -> bool:
        """Let one thing happen; say whether there was anything to do."""
        if self.script is not None:
            return self._step_by_script()
        if self.random is not None:
            return self._step_at_random()
        if self.ready:
            self._resume(self.ready.popleft())
        elif self.under_way:
            self._land(0)
        else:
            return self._start_cluster() or self._look_again()
        return True

    def _step_by_script(self) -> bool:
        """Choose among all that may happen next: a thread, a copy; clusters start when nothing else can happen."""
        ready, under_way = len(self.ready), len(self.under_way)
        if not ready + under_way:
            return self._start_cluster() or self._look_again()
        place = self.script.choose(ready + under_way)
        if place >= ready:
            self._land(place - ready)
        else:
            self.ready.rotate(-place)
            thread = self.ready.popleft()
            self.ready.rotate(place)
            self._resume(thread)
        return True

    def _step_at_random(self) -> bool:
        chance = self.random.random()
        if self.under_way and (not self.ready or chance < 0.2):
            self._land(self.random.randrange(len(self.under_way)))
        elif self.ready and (chance > 0.25 or not self._start_cluster()):
            place = self.random.randrange(len(self.ready))
            self.ready[0], self.ready[place] = self.ready[place], self.ready[0]
            self._resume(self.ready.popleft())
        elif not self.ready:
            return self._start_cluster() or self._look_again()
        return True

    def _start_cluster(self) -> bool:
        cluster = self.next_cluster()
        if cluster is None:
            return False
        self.ready.extend(self._in_order(cluster))
        self.something_new()
        return True

    def _in_order(self, cluster: Cluster) -> list[Thread]:
        threads = [thread for block in cluster.blocks for thread in block.threads]
        for block in cluster.blocks:
            block.started = True
        if self.random is not None and self.script is None:
            self.random.shuffle(threads)
        return threads

    def _land(self, place: int) -> None:
        """Let one copy do its next step."""
        operation = self.under_way[place]
        self.landing = True
        if operation.advance():
            self.under_way.remove(operation)
        self.landing = False
        self.something_new()

    def something_new(self) -> None:
        """Whoever asked in vain may ask again."""
        self.ready.extend(self.asking)
        self.asking.clear()
        self.idle_rounds = 0

    def _look_again(self) -> bool:
        """Nothing can happen but asking again: do it, for some rounds; say whether there is anything to do."""
        if not self.asking:
            if self.asleep:
                raise Stuck(spinning=False)
            return False
        self.idle_rounds += 1
        if self.idle_rounds > IDLE_ROUNDS:
            raise Stuck(spinning=True)
        self.ready.extend(self.asking)
        self.asking.clear()
        return True

    # Greenlets

    def _resume(self, thread: Thread) -> None:
        self.switches += 1
        if thread.greenlet is not None:
            thread.greenlet.switch()
            return
        if self.resting:
            worker = self.resting.pop()
        else:
            worker = greenlet(self._work, self.hub)
            worker.gr_context = self.context  # numpy keeps its error state there
            self.workers.append(worker)
        thread.greenlet = worker
        worker.switch(thread)

    def _work(self, thread: Thread) -> None:
        """One greenlet's life: run a thread, then rest until it gets another."""
        world, me = self.world, getcurrent()
        while True:
            world.thread = thread
            try:
                self.call()
                thread.greenlet = None
                world.ended(thread)
            except GreenletExit:
                return
            except BaseException as error:
                self.failure = KernelFailure(thread, error)
                self.hub.switch()
                return
            self.idle_rounds = 0
            fresh = self.random is None and self.ready and self.ready[0].greenlet is None
            if fresh:
                thread = self.ready.popleft()
                thread.greenlet = me
                continue
            self.resting.append(me)
            thread = self._rest()

    def _rest(self) -> Thread:
        if self.random is None and self.ready:
            following = self.ready.popleft()
            if following.greenlet is not None:
                self.switches += 1
                return following.greenlet.switch()
            self.resting.remove(getcurrent())
            following.greenlet = getcurrent()
            return following
        return self.hub.switch()

    def _clear(self) -> None:
        """End all greenlets, so that nothing of the kernel lives on."""
        for worker in self.workers:
            if not worker.dead:
                worker.throw(GreenletExit)
        self.workers.clear()
        self.resting.clear()
