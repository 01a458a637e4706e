"""A card's report as one HTML page: what was measured on it, quoted and modelled beside, and nothing to load."""

from html import escape
from math import log10

from hopperlab.measure.card_report import CardReport, Line, Section
from hopperlab.views.palette import DARK, LIGHT

WIDTH, HEIGHT = 320, 22  # px of a row's strip
LEGS = (("quoted", "diamond"), ("modelled", "bar"), ("measured", "circle"))
ROLES = ("ink", "quiet", "paper", "line", "finding", *(name for name, _ in LEGS))


def page(report: CardReport) -> str:
    """The whole page, self-contained: no script, no font and no image is loaded from anywhere."""
    contents = "".join(
        f'<li><a href="#{_anchor(one.title)}">{escape(one.title)}</a>: {escape(one.question)}</li>'
        for one in report.sections
    )
    facts = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in report.facts.items())
    left = "".join(f"<li>{escape(one)}</li>" for one in report.unmeasured)
    body = [
        f"<h1>{escape(report.card)}, measured</h1>",
        f"<table class='facts'>{facts}</table>",
        "<p>Each number is <b>quoted</b> (a hollow diamond), <b>modelled</b> (a bar) or <b>measured</b> (a filled "
        "circle). A strip's scale goes from the smallest to the largest of its three.</p>",
        f"<h2>Contents</h2><ol>{contents}</ol>",
        *(_section(one) for one in report.sections),
        f"<h2>Not measured on this card</h2><ul>{left}</ul>" if left else "",
    ]
    return (
        "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'>"
        f"<title>{escape(report.card)}, measured</title><style>{_style()}</style></head>"
        f"<body><main>{''.join(body)}</main></body></html>\n"
    )


def _section(section: Section) -> str:
    rows = "".join(_row(line) for line in section.lines)
    heads = "".join(f"<th>{head}</th>" for head in ("what", "", "quoted", "modelled", "measured", "verdict"))
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>" if rows else ""
    notes = "".join(f"<p class='note'>{escape(note)}</p>" for note in section.notes)
    return (
        f"<section id='{_anchor(section.title)}'><h2>{escape(section.title)}</h2><p>{escape(section.question)}</p>"
        f"{table}{notes}<p class='note'>{escape(section.provenance)}</p></section>"
    )


def _row(line: Line) -> str:
    numbers = "".join(f"<td class='number'>{_number(getattr(line, name))}</td>" for name, _ in LEGS)
    remark = f"<br><span class='note'>{escape(line.remark)}</span>" if line.remark else ""
    missed = " class='finding'" if line.verdict == "missed" else ""
    return (
        f"<tr><td>{escape(line.subject)}{remark}</td><td>{strip(line)}</td>{numbers}"
        f"<td{missed}>{escape(line.verdict)}</td></tr>"
    )


def strip(line: Line) -> str:
    """The row's numbers as marks on one axis; logarithmic where the largest is over ten times the smallest."""
    values = {name: value for name, _ in LEGS if (value := getattr(line, name)) is not None}
    if len(values) < 2:
        return ""
    low, high = min(values.values()), max(values.values())
    logarithmic = low > 0 and high > 10 * low

    def place(value: float) -> float:
        if high == low:
            return WIDTH / 2
        share = log10(value / low) / log10(high / low) if logarithmic else (value - low) / (high - low)
        return 12 + share * (WIDTH - 24)

    marks = "".join(_mark(kind, name, place(values[name])) for name, kind in LEGS if name in values)
    middle = HEIGHT / 2
    told = ", ".join(f"{name} {_number(value)}" for name, value in values.items())
    return (
        f"<svg viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' height='{HEIGHT}' role='img' aria-label='{told}'>"
        f"<path class='s-line' d='M6 {middle:g}H{WIDTH - 6}'/>{marks}</svg>"
    )


def _mark(kind: str, name: str, x: float) -> str:
    y = HEIGHT / 2
    if kind == "diamond":
        return f"<path class='s-{name} hollow' d='M{x:.1f} {y - 7:g}l7 7l-7 7l-7 -7z'/>"
    if kind == "bar":
        return f"<path class='s-{name} wide' d='M{x:.1f} 2V{HEIGHT - 2}'/>"
    return f"<circle class='f-{name}' cx='{x:.1f}' cy='{y:g}' r='5'/>"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if 1000 <= abs(value) < 10**9 else f"{value:,.4g}"


def _anchor(title: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in title.lower())


def _style() -> str:
    def rules(colors: dict[str, str]) -> str:
        return "".join(f"--{role}:{colors[role]};" for role in ROLES)

    classes = "".join(f".f-{name}{{fill:var(--{name})}}.s-{name}{{stroke:var(--{name})}}" for name, _ in LEGS)
    return (
        f":root{{{rules(LIGHT)}}}@media(prefers-color-scheme:dark){{:root{{{rules(DARK)}}}}}"
        "body{background:var(--paper);color:var(--ink);font:16px/1.5 'DejaVu Sans',Helvetica,Arial,sans-serif;margin:0}"
        "main{max-width:1100px;margin:auto;padding:24px}table{border-collapse:collapse;width:100%}"
        "td,th{border-bottom:1px solid var(--line);padding:4px 8px;text-align:left;vertical-align:top}"
        ".facts{width:auto}.number{text-align:right;white-space:nowrap}.note{color:var(--quiet);font-size:14px}"
        ".finding{color:var(--finding);font-weight:bold}a{color:inherit}svg path{stroke-width:2;fill:none}"
        f"svg .wide{{stroke-width:4}}.s-line{{stroke:var(--line)}}{classes}"
        "@media print{section{break-inside:avoid}}"
    )
