"""Runs and explorations in a cell: IPython shows them as pictures, with their text beside."""

import sys
from typing import Any

DRAWN = {
    ("hopperlab.device.simulator.run", "Run"): "run_picture",
    ("hopperlab.device.simulator.explore", "Exploration"): "exploration_picture",
}
"""By the class's module and name, the view that draws it."""


def register() -> None:
    """Tell IPython, where it runs, how runs look; the classes are imported only once one is shown."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        return
    for (module, name), view in DRAWN.items():
        shell.display_formatter.mimebundle_formatter.for_type_by_name(module, name, _bundle_by(view))


def _bundle_by(view: str) -> Any:
    def bundle(shown: Any, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from hopperlab.views import trace

        return getattr(trace, view)(shown).mimebundle()

    return bundle
