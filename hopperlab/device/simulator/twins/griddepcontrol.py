"""Twins of griddepcontrol: here a launch ends before the next begins, so that nothing is left to wait for."""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator.twins import twin
from hopperlab.device.vocabulary import griddepcontrol


@twin(griddepcontrol.wait, griddepcontrol.launch_dependents)
def go_on(world: Any) -> None:
    """Do nothing."""
