"""Write what was measured on a card as one HTML page, with nothing to load."""

import argparse
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `hopperlab report` takes."""
    parser.add_argument(
        "card", nargs="?", help="the card, such as 'H200 SXM'; needed where several are recorded"
    )
    parser.add_argument(
        "--into",
        type=Path,
        metavar="FILE",
        default=Path("card-report.html"),
        help="the page (card-report.html)",
    )
    parser.add_argument(
        "--recordings",
        type=Path,
        metavar="DIR",
        help="a folder of your own, as `hopperlab measure --into DIR` fills it (or HOPPERLAB_RECORDINGS)",
    )


def _told(name: str, number: int, of: int) -> None:
    """How far it is, on a terminal."""
    if sys.stderr.isatty():
        end = "\n" if number == of else ""
        print(f"\r  {number}/{of} {name:<28}", end=end, file=sys.stderr, flush=True)


def run(arguments: argparse.Namespace) -> int:
    """Write the page, and say where it is."""
    from hopperlab.measure.card_report import card_report
    from hopperlab.views.card_report import page

    report = card_report(arguments.card, arguments.recordings, _told)
    arguments.into.write_text(page(report), encoding="utf-8")
    print(f"{report.card}: {report.facts['experiments']} experiments, written to {arguments.into}")
    return 0
