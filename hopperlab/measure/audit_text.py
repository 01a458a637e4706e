"""The audit as text for a terminal of 100 columns."""

from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap

from hopperlab.ledger import claim
from hopperlab.measure.audit import VERDICTS, Comparison, Report, Row, ThemeReport
from hopperlab.measure.other_cards import of_rows

WIDTH = 100
SUBJECT = 36
MARGIN = " " * 15
LINE = f"{{:<14}} {{:<{SUBJECT}}} {{:>10}} {{:>8}} {{:>8}} {{:>7}}  {{:<10}}"
HEADER = LINE.format("claim", "what (unit)", "quoted", "modelled", "measured", "error", "verdict").rstrip()


def as_text(report: Report) -> str:
    """Every row with two legs or three, every comparison, the counts, and why the audit fails if it does."""
    parts = ["\n".join(_theme_lines(theme)) for theme in report.themes]
    if report.failures:
        parts.append("\n".join(["Failed:", *(line for text in report.failures for line in _indented(text))]))
    else:
        rows = sum(len(theme.rows) for theme in report.themes)
        parts.append(f"Passed: {_plural(rows, 'row')}, no model misses its card.")
    return "\n\n".join(parts)


def _theme_lines(report: ThemeReport) -> Iterator[str]:
    yield f"== {report.theme} =="
    if report.rows:
        yield HEADER
    for remarks, rows in groupby(report.rows, key=lambda row: row.remarks):
        for row in rows:
            yield from _row_lines(row)
        for remark in remarks:
            yield from wrap(remark, WIDTH, initial_indent=MARGIN, subsequent_indent=MARGIN)
    others = of_rows(report.rows)
    if others:
        yield "What differs between the cards that are quoted and the card that was measured, by their sheets:"
        for line in others:
            yield from _indented(line)
    for comparison in report.comparisons:
        yield from _comparison_lines(comparison)
    for name in report.unmeasured:
        yield f"{name}: not recorded yet; on a card, `hopperlab measure {name}`"
    counts = [f"{count} {VERDICTS[name]}" for name, count in report.verdicts.items() if count]
    verdicts = ": ".join([_plural(len(report.rows), "row"), *([", ".join(counts)] if counts else [])])
    yield from wrap(f"{verdicts}.", WIDTH)
    for found in report.statements:
        what = f"{claim(found.claim).statement}: {found.verdict}. {found.evidence}."
        yield from wrap(what, WIDTH, initial_indent=f"{found.claim:<15}", subsequent_indent=MARGIN)
    if report.untested:
        count = sum(map(len, report.untested.values()))
        yield f"{_plural(count, 'claim')} with a number cannot be tested here:"
        for reason, ids in report.untested.items():
            yield from _indented(f"{reason}: {', '.join(ids)}")
    if report.cited_only:
        yield f"{_plural(report.cited_only, 'more claim')} with a number, so far only quoted."


def _row_lines(row: Row) -> Iterator[str]:
    first, *rest = wrap(_subject(row), SUBJECT)
    error = "" if row.error is None else f"{row.error:+.1%}" if row.error else "0"
    yield LINE.format(
        row.claim or "",
        first,
        _quoted(row),
        _number(row.modelled),
        _number(row.measured),
        error,
        row.verdict,
    ).rstrip()
    yield from (MARGIN + line for line in rest)


def _comparison_lines(comparison: Comparison) -> Iterator[str]:
    counts = f"{comparison.compared:,} compared, {_plural(comparison.mismatches, 'mismatch', 'mismatches')}"
    yield f"{comparison.experiment} on {comparison.card}: {counts}"
    for note in comparison.notes:
        yield from _indented(note)


def _indented(text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")


def _subject(row: Row) -> str:
    """What the row is about, with its unit where the words do not name it."""
    named = not row.unit or row.unit in row.subject.split()
    return row.subject if named else f"{row.subject} ({row.unit})"


def _quoted(row: Row) -> str:
    return row.source.quoted if row.source else _number(row.quoted)


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    whole = isinstance(value, int) or 1000 <= abs(value) < 10**8
    return f"{value:.0f}" if whole else f"{value:.4g}"


def _plural(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
