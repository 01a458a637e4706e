"""The Hopper that you program: words, launch, and the two machines that run them.

    from hopperlab.device import kernel, cluster, smid

Families of the vocabulary (`cluster`, ...) and words without a family (`smid`, ...) are found here
by name, and are imported when they are asked for.
"""

from __future__ import annotations

import importlib
from typing import Any

from hopperlab.device.vocabulary import families, family

_LAUNCH = ("Kernel", "LaunchError", "kernel", "machine", "on_silicon", "synchronize")


def __getattr__(name: str) -> Any:
    if name in _LAUNCH:
        return getattr(importlib.import_module("hopperlab.device.launch"), name)
    if name in families():
        return family(name)
    special = family("special")
    if name in vars(special) and not name.startswith("_"):
        return getattr(special, name)
    raise AttributeError(f"hopperlab.device has no {name!r}")


def __dir__() -> list[str]:
    from hopperlab.device.vocabulary import words

    spoken = [w.name for w in words() if w.family == "special"]
    return sorted([*_LAUNCH, *families(), *spoken])
