"""What every test can count on: the simulator, no learner's progress, and no card by surprise."""

import os

import pytest
from hypothesis import settings

# A test that means the card says so with the marker `gpu`; `make gpu` then sets HOPPERLAB_MACHINE itself.
os.environ.setdefault("HOPPERLAB_MACHINE", "simulator")
os.environ.pop("HOPPERLAB_PROGRESS", None)

# How long one example takes says more about the machine's load than about the code.
settings.register_profile("hopperlab", deadline=None)
settings.load_profile("hopperlab")


@pytest.hookimpl(trylast=True)  # after -m has chosen
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last, when their server and their Chromium are in nobody's way."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
    skip_without_card([item for item in items if item.get_closest_marker("gpu")])


def skip_without_card(items: list[pytest.Item]) -> None:
    """Skip card tests where there is no Hopper card, unless HOPPERLAB_CARD=required (as `make gpu` sets)."""
    if not items:
        return
    from hopperlab.device.silicon.card import have_hopper

    if have_hopper():
        return
    if os.environ.get("HOPPERLAB_CARD") == "required":
        raise pytest.UsageError("no Hopper card found, and HOPPERLAB_CARD=required: run `hopperlab doctor`")
    for item in items:
        item.add_marker(pytest.mark.skip(reason="no Hopper card: `make gpu` needs an H100 or H200"))
