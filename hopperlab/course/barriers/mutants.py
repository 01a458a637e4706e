"""Wrong solutions of lesson 08, one for each misconception: each answers as someone with that idea would."""


# --- place ----------------------------------------------------------------------------------------


def wait_at_once(tasks):
    """Wait right after arriving."""
    arrive, _ = _right(tasks)
    return arrive, arrive


def arrive_late(tasks):
    """Arrive just before waiting."""
    _, wait = _right(tasks)
    return wait, wait


def arrive_at_the_start(tasks):
    """Arrive before anything is done."""
    return 0, _right(tasks)[1]


def wait_at_the_end(tasks):
    """Wait after everything."""
    return _right(tasks)[0], len(tasks)


def after_the_first(tasks):
    """Arrive after the first task that is needed, though more follow."""
    arrive, wait = _right(tasks)
    return (tasks.index("needed") + 1, wait) if "needed" in tasks else (arrive, wait)


def _right(tasks):
    arrive = max((place + 1 for place, task in enumerate(tasks) if task == "needed"), default=0)
    wait = min((place for place, task in enumerate(tasks) if task == "needs all"), default=len(tasks))
    return arrive, wait


# --- waiting --------------------------------------------------------------------------------------


def as_syncthreads(needed, own):
    """Wait from one's arrival on."""
    return [max(needed) - work for work in needed]


def for_everything(needed, own):
    """Wait until all are through with their own part too."""
    through = [work + free for work, free in zip(needed, own, strict=True)]
    return [max(through) - mine for mine in through]


def may_be_negative(needed, own):
    """Forget that a wait for what is over takes no time."""
    return [max(needed) - work - free for work, free in zip(needed, own, strict=True)]


def until_the_first(needed, own):
    """Wait for the first arrival."""
    return [max(0, min(needed) - work - free) for work, free in zip(needed, own, strict=True)]


# --- parity ---------------------------------------------------------------------------------------


def every_iteration(iteration, stages):
    """Change the parity with every iteration."""
    return iteration % stages, iteration % 2


def by_stage(iteration, stages):
    """Give each stage a parity for ever."""
    return iteration % stages, iteration % stages % 2


def always_zero(iteration, stages):
    """Wait for the first phase for ever."""
    return iteration % stages, 0


def starts_with_one(iteration, stages):
    """Start with parity 1, as a producer does."""
    return iteration % stages, 1 - iteration // stages % 2


def the_lap(iteration, stages):
    """Give the lap for a parity."""
    return iteration % stages, iteration // stages
