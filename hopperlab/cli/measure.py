"""Measure on a Hopper card and record what was found."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `hopperlab measure` takes."""
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="experiments, or a theme of them, or chip; all by default"
    )
    parser.add_argument("--list", action="store_true", help="list the experiments and stop")
    parser.add_argument(
        "--into", type=Path, default=Path("recordings"), metavar="DIR", help="where to record"
    )
    parser.add_argument("--again", action="store_true", help="measure also what is recorded in DIR already")
    parser.add_argument("--even-if-busy", action="store_true", help="measure although others use the card")


def run(arguments: argparse.Namespace) -> int:
    """Run the experiments one after another; one that fails does not stop the others."""
    from hopperlab.device.silicon.card import NoHopper
    from hopperlab.measure.session import CardUnfit, Session, chosen

    experiments = chosen(arguments.names)
    if arguments.list:
        for experiment in experiments:
            print(f"{experiment.name:<24} {experiment.theme:<12} {experiment.question}")
        return 0
    try:
        session = Session(arguments.into, arguments.even_if_busy)
    except (NoHopper, CardUnfit) as reason:
        print(f"hopperlab measure: {reason}", file=sys.stderr)
        return 1
    print(f"{session.card.name}, {session.card.sms} SMs; recordings go to {session.folder}", flush=True)
    failed = 0
    for experiment in experiments:
        if session.path(experiment).exists() and not arguments.again:
            print(f"{experiment.name}: recorded already (--again measures it anew)", flush=True)
            continue
        failed += not _measure(session, experiment)
    return 1 if failed else 0


def _measure(session, experiment) -> bool:
    print(f"{experiment.name}: {experiment.question} (about {experiment.seconds:.0f} s)", flush=True)
    began = time.monotonic()
    try:
        path = session.measure(experiment)
    except KeyboardInterrupt:
        print(f"{experiment.name}: interrupted; the same command goes on from here", file=sys.stderr)
        raise
    except Exception as error:
        print(f"{experiment.name}: failed: {error}", file=sys.stderr, flush=True)
        return False
    print(f"{experiment.name}: {time.monotonic() - began:.1f} s, written to {path}", flush=True)
    return True
