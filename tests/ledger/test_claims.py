"""The ledger of claims: complete, one value and unit a row, sources that a reader can find."""

import csv
import math
import re
from importlib.resources import files
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.chip import NAMES
from hopperlab.ledger import RELATIONS, THEMES, UNITS, Claim, claim, claims, in_base_units

ALL = claims()
NUMERIC = [row for row in ALL if row.is_numeric]

COLLECTED = {"talk": 97, "article": 47, "lit": 157, "derived": 15, "recalled": 12}
"""How many claims were collected from each kind of source, before cells with several values were split."""

LINK_WORDS = re.compile(r"NVLink|PCIe|InfiniBand|CPU-GPU link|DSMEM|[Rr]emote|[Rr]ing|All-to-all|one link")
RATES = ("GB/s", "TB/s", "GiB/s", "Gb/s", "Tb/s", "B/clk", "B/clk/SM")


def parent(id: str) -> str:
    return id.partition(".")[0]


def test_every_claim_that_was_collected_is_there_whole_or_split() -> None:
    collected = {f"{kind}-{n:03}" for kind, count in COLLECTED.items() for n in range(1, count + 1)}
    assert len(collected) == 328
    assert collected <= {parent(row.id) for row in ALL}


def test_ids_are_unique_and_parts_are_lettered_from_a() -> None:
    ids = [row.id for row in ALL]
    assert len(set(ids)) == len(ids)
    for name, group in groupby(ids, key=parent):
        parts = list(group)
        letters = [part.partition(".")[2] for part in parts]
        assert letters == [""] or letters == [chr(ord("a") + n) for n in range(len(parts))], name
        assert len(parts) > 1 or letters == [""]


def test_parts_of_one_claim_stand_together() -> None:
    runs = [name for name, _ in groupby(ALL, key=lambda row: parent(row.id))]
    assert len(runs) == len(set(runs))


def test_every_theme_owns_claims() -> None:
    assert {row.theme for row in ALL} == set(THEMES)
    assert sum(len(claims(theme)) for theme in THEMES) == len(ALL)


ALLOWED = {
    "verified": {"read", "recalled", "measured"},
    "evidence": {"primary", "transcript", "secondary", "derived", "recalled"},
    "testable": {"kernel", "model", "cite"},
    "direction": {"", "one", "both"},
    "relation": set(RELATIONS),
    "theme": set(THEMES),
}


@pytest.mark.parametrize("field", ALLOWED)
def test_a_field_has_one_of_few_words(field: str) -> None:
    assert [row.id for row in ALL if getattr(row, field) not in ALLOWED[field]] == []


@pytest.mark.parametrize("field", ["statement", "source"])
def test_a_statement_and_a_source_are_never_empty(field: str) -> None:
    assert [row.id for row in ALL if len(getattr(row, field).strip()) < 3] == []
    assert [row.id for row in ALL if getattr(row, field) != getattr(row, field).strip()] == []


def test_a_numeric_row_has_one_finite_value_or_two_bounds_and_a_unit_of_the_list() -> None:
    assert len(NUMERIC) > 500
    for row in NUMERIC:
        assert row.unit in UNITS, row.id
        values = [row.low, row.high] if row.relation == "range" else [row.number]
        unused = [row.value] if row.relation == "range" else [row.low, row.high]
        assert all(isinstance(value, int | float) and math.isfinite(value) for value in values), row.id
        assert values == sorted(values), row.id
        assert set(unused) == {None}, row.id


def test_a_row_without_a_number_has_a_text_or_states_something() -> None:
    for row in ALL:
        if row.is_numeric:
            continue
        assert row.number is None, row.id
        assert (row.value is None) == (row.relation == "states"), row.id
        assert row.relation == "is" or not row.unit, row.id


def test_conditions_are_names_with_values() -> None:
    with_conditions = [row for row in ALL if row.conditions]
    assert len(with_conditions) > 80
    for row in with_conditions:
        assert all(name.isidentifier() and value for name, value in row.conditions.items()), row.id


def test_no_cell_holds_two_values() -> None:
    for row in ALL:
        if isinstance(row.value, str) and row.relation == "is":
            assert ";" not in row.value
        assert " / " not in row.device
        assert ";" not in row.device


def test_a_link_rate_says_whether_it_counts_one_direction_or_both() -> None:
    rates = [row for row in NUMERIC if row.unit in RATES and LINK_WORDS.search(row.statement)]
    assert len(rates) > 25
    assert [row.id for row in rates if not row.direction] == []


def test_nothing_else_has_a_direction_but_links_and_what_they_carry() -> None:
    about = re.compile(
        r"[Ll]atency|seen there|traffic|Throughput|Bisection|shared memory|DSMEM|reading another"
    )
    for row in ALL:
        if row.direction:
            assert row.unit in RATES or about.search(row.statement), row.id


def test_powers_of_two_and_of_ten_are_never_mixed() -> None:
    caches = re.compile(r"\bL1 cache|\bL2 cache\b|[Ss]hared memory of|Register file|cache$|stacks? of")
    for row in NUMERIC:
        base, factor = UNITS[row.unit]
        if base.startswith("B"):
            assert factor in (1, 10**9 / 8, 10**12 / 8) or factor == _factor_by_name(row.unit), row.unit
        if caches.search(row.statement) and row.unit not in ("%", "x", "cycles", "ns", *RATES):
            decimal_on_purpose = row.id == "article-036"
            assert row.unit.startswith(("KiB", "MiB", "GiB", "B")) or decimal_on_purpose, row.id
    assert claim("article-036").unit == "MB"
    assert "36.0 MiB" in claim("article-036").notes


def _factor_by_name(unit: str) -> int:
    name = unit.partition("/")[0]
    power = "KMGT".index(name[0]) + 1
    return 1024**power if "i" in name else 1000**power


def test_sources_and_texts_can_be_read_by_somebody_who_was_not_there() -> None:
    private = re.compile(
        r"\b[Ss]eeds?\b|via notes|survey notes|notes/|\bDESIGN\b|\.md section|\[[PSDU]\b|00[01]_[0-9a-f]{8}"
    )
    text = (files("hopperlab") / "data" / "claims.csv").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if private.search(line)] == []


@pytest.mark.parametrize("kind", ["derived", "lit", "talk", "article", "conf", "mig"])
def test_a_source_is_a_title_a_repository_or_arithmetic_on_other_claims(kind: str) -> None:
    findable = re.compile(
        r"https?://|arXiv \d|github \S+/\S+|white paper|PTX ISA|cuda\w*\.h|driver_types\.h|20\d\d"
    )
    for row in ALL:
        if not row.id.startswith(kind) or row.evidence == "recalled":
            continue
        named = re.findall(r"\b(?:talk|article|lit|derived|recalled|chip|conf|mig)-\d{3}\b", row.source)
        assert findable.search(row.source) or named, row.source


def test_claims_named_in_sources_and_notes_exist() -> None:
    known = {row.id for row in ALL} | {parent(row.id) for row in ALL}
    for row in ALL:
        for named in re.findall(
            r"\b(?:talk|article|lit|derived|recalled|chip|conf|mig)-\d{3}(?:\.[a-z])?\b",
            row.notes + row.source,
        ):
            assert named in known, (row.id, named)


CONTRADICTIONS = {
    "the exchange is 7 times faster": ("talk-032", "article-024", "derived-009.a", "lit-111.a"),
    "reductions are 3 times faster": ("talk-049.b", "derived-006.c"),
    "the log prints GB/s and means GiB/s": ("lit-125.a", "lit-127"),
    "TMA adds 170 or 104 cycles": ("lit-120.a",),
    "the cache is 208 or 215 KiB": ("article-009", "lit-060.a"),
    "1.7 TB/s is bisection or throughput": ("talk-047.b",),
    "more than or up to 30 %": ("talk-015",),
    "one block an SM is a law or a preference": ("talk-028",),
    "L2 reads at 5.5 or 7 TB/s": ("article-025", "lit-076"),
    "the whole L2 is slower, or is not": ("article-027.a", "derived-015.c"),
    "956 or 1110 cycles": ("lit-097.a", "lit-097.b"),
    "tx-count is zero, or not above": ("lit-025",),
    "cluster.sync takes 851 or 200 cycles": ("recalled-010",),
    "sparsity doubles, or does not": ("lit-135",),
}


@pytest.mark.parametrize("ids", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_contradiction_is_kept_and_told(ids: tuple[str, ...]) -> None:
    assert any("Contradiction kept" in claim(id).notes for id in ids)
    for id in ids:
        assert claim(id).notes


def test_asking_for_a_claim_that_is_split_names_its_parts() -> None:
    with pytest.raises(ValueError, match=r"id='talk-006' holds several values: talk-006.a, talk-006.b"):
        claim("talk-006")


@pytest.mark.parametrize("id", ["", "talk-7", "talk-999", "talk"])
def test_an_unknown_claim_is_refused(id: str) -> None:
    with pytest.raises(ValueError, match="is no claim; ids look like"):
        claim(id)


def test_an_unknown_theme_is_refused_with_the_themes() -> None:
    with pytest.raises(ValueError, match="theme='cluster' is no theme; there are chip, roofline"):
        claims("cluster")


def test_an_unknown_unit_is_refused() -> None:
    with pytest.raises(ValueError, match="unit='GBs' is no unit of the ledger"):
        in_base_units(1, "GBs")


@pytest.mark.parametrize(
    ("id", "number", "error"),
    [
        ("talk-007", 132, 0),
        ("talk-007", 144, 12 / 132),
        ("talk-007", 66, -0.5),
        ("talk-001", 2, 0),
        ("talk-001", 30, 0),
        ("talk-001", 60, 1),
        ("talk-001", 1, -0.5),
        ("talk-011", 3.35, 0),
        ("talk-011", 1.5, -0.5),
        ("talk-025", 0.76, 0),
        ("talk-025", 2, 1),
        ("article-012", 3, 3),
    ],
)
def test_error_is_the_share_by_which_a_number_leaves_what_is_admitted(
    id: str, number: float, error: float
) -> None:
    assert claim(id).error(number) == pytest.approx(error)


@given(st.sampled_from(NUMERIC), st.floats(-1e15, 1e15))
def test_error_is_zero_within_the_claim_and_grows_away_from_it(row: Claim, number: float) -> None:
    error = row.error(number)
    assert (error > 0) <= (number > (row.high if row.relation == "range" else row.number))
    assert (error < 0) <= (number < (row.low if row.relation == "range" else row.number))
    if error:
        assert abs(row.error(number + math.copysign(abs(number) + 1, error))) > abs(error)


def test_a_claim_without_a_number_has_no_error() -> None:
    with pytest.raises(ValueError, match="talk-029 has no number"):
        claim("talk-029").error(1)


@pytest.mark.parametrize(
    ("id", "shown"),
    [
        ("talk-007", "132"),
        ("talk-011", "> 3"),
        ("talk-001", "2 to 30"),
        ("talk-006.a", "TSMC 4N"),
        ("talk-029", ""),
    ],
)
def test_quoted_says_the_value_as_a_reader_would(id: str, shown: str) -> None:
    assert claim(id).quoted == shown


@pytest.mark.parametrize(
    ("id", "covered"),
    [
        ("talk-007", {"H100 SXM5"}),
        ("talk-030", {"H100 SXM5", "H100 PCIe", "H200 SXM", "GH100"}),
        ("article-013.a", {"H100 SXM5", "H100 PCIe"}),
        ("chip-018", {"A100 SXM4 40GB", "A100 SXM4 80GB", "A100 PCIe 40GB"}),
        ("chip-039", {"A100 SXM4 40GB", "A100 PCIe 40GB"}),
        ("chip-001", set(NAMES)),
        ("lit-087", set()),
        ("lit-046.a", set(NAMES)),
        ("talk-022", set()),
    ],
)
def test_a_claim_covers_the_cards_that_it_is_about_and_no_other(id: str, covered: set[str]) -> None:
    assert {name for name in NAMES if claim(id).covers(name)} == covered


def test_an_h200_nvl_is_no_h200_sxm() -> None:
    assert claim("lit-092.a").covers("H200 NVL")
    assert not claim("lit-092.a").covers("H200 SXM")


def test_the_file_is_sorted_and_holds_no_blank_or_ragged_row() -> None:
    text = (files("hopperlab") / "data" / "claims.csv").read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines())
    assert {len(row) for row in rows} == {len(header)}
    kinds = [name for name, _ in groupby(row[0].partition("-")[0] for row in rows)]
    assert kinds == ["talk", "article", "lit", "derived", "recalled", "chip", "conf", "mig"]
    for _, group in groupby((row[0] for row in rows), key=lambda id: id.partition("-")[0]):
        ids = list(group)
        assert ids == sorted(ids)
