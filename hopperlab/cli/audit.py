"""Hold what is quoted, modelled and measured against each other."""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `hopperlab audit` takes."""
    parser.add_argument("themes", nargs="*", metavar="THEME", help="themes to audit; all if none is named")
    parser.add_argument(
        "--recordings",
        type=Path,
        metavar="DIR",
        help="a folder of your own, as `hopperlab measure --into DIR` fills it (or HOPPERLAB_RECORDINGS)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the audit; 1 where a model misses its card, or a theme has nothing to compare."""
    from hopperlab.measure.audit import audit
    from hopperlab.measure.audit_text import as_text

    report = audit(arguments.themes, directory=arguments.recordings)
    print(as_text(report))
    return 1 if report.failures else 0
