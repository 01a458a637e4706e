"""Wrong solutions of lesson 05, as somebody with the misconception would write them."""

import math


def _rolled(history):
    return [0.0, *history[2:], history[0]] if len(history) > 1 else [0.0]


def _usable(largest):
    return 0 < largest < math.inf


def this_step_only(history, scale):
    """Take the staged magnitude alone."""
    return _rolled(history), 448.0 / history[0] if _usable(history[0]) else scale


def infinity_divides(history, scale):
    """Divide by infinity."""
    return _rolled(history), 448.0 / max(history) if max(history) > 0 else scale


def skips_infinity(history, scale):
    """Take the largest of what is finite."""
    largest = max((magnitude for magnitude in history if magnitude < math.inf), default=0.0)
    return _rolled(history), 448.0 / largest if largest > 0 else scale


def upside_down(history, scale):
    """Give what undoes the scale."""
    return _rolled(history), max(history) / 448.0 if _usable(max(history)) else scale


def never_rolls(history, scale):
    """Leave the history alone."""
    return list(history), 448.0 / max(history) if _usable(max(history)) else scale


def keeps_staged(history, scale):
    """Roll, and leave the staged magnitude in its place."""
    return [history[0], *_rolled(history)[1:]], 448.0 / max(history) if _usable(max(history)) else scale


def timid(window):
    """Believe that hardly any spike is harmless."""
    return 2.0, 2.0**17


def bold(window):
    """Believe that any spike is harmless."""
    return 2.0**20, 2.0**30


def modest(window):
    """Believe that 64 is harmful."""
    return 64.0, 64.0
