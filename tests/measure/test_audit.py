"""The audit: verdicts where they are due, failures where a model misses its card, and nothing in vain."""

import json
import pkgutil
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hopperlab.measure.claims
from hopperlab.cli import main
from hopperlab.ledger import SCHEMA, THEMES, RecordedCard, Recording, claim, claims, recordings
from hopperlab.measure.audit import VERDICTS, Comparison, Report, Row, ThemeReport, audit
from hopperlab.measure.audit_text import WIDTH, as_text
from hopperlab.measure.claims import answers
from hopperlab.measure.experiment import Experiment, experiments
from hopperlab.models.clusters import max_active_clusters

H200 = RecordedCard("NVIDIA H200", "nvidia-h200", (9, 0), 132, 62914560, 150754820096)
SIZES = (18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2)


def gpc_map(sizes: Sequence[int] = SIZES) -> tuple[tuple[int, ...], ...]:
    """GPCs of those sizes, with SM ids in order."""
    firsts = [sum(sizes[:number]) for number in range(len(sizes))]
    return tuple(tuple(range(first, first + size)) for first, size in zip(firsts, sizes, strict=True))


def recording(
    experiment: str, results: object, samples: object = ("raw",), memory_mhz: int | None = None
) -> Recording:
    """A recording of an H200 with those results."""
    return Recording(
        experiment=experiment,
        card=H200,
        gpc_map=gpc_map(),
        software={"driver": "580.82.07", "cuda": "13.0"},
        clocks={"before": {"memory_mhz": memory_mhz}},
        date=datetime(2026, 1, 31, tzinfo=UTC),
        parameters={},
        statistic="",
        samples=samples,
        results=results,
    )


def placement(off_by: int = 0) -> Recording:
    """What the model says would run at once on that card, or more than that by some clusters."""
    at_once = [
        [policy, blocks, size, max_active_clusters(SIZES, size, blocks) + off_by]
        for policy in ("default", "load balancing")
        for blocks in (1, 2)
        for size in range(1, 17)
    ]
    columns = ["policy", "blocks_per_sm", "size", "clusters_at_once"]
    return recording("cluster_placement", {"columns": columns, "at_once": at_once})


@pytest.fixture(scope="module")
def of_clusters() -> Report:
    """The audit of the theme of clusters, with the recordings that are shipped."""
    return audit(["clusters"])


# Rows


@pytest.mark.parametrize(
    ("row", "verdict", "error"),
    [
        (Row("chip", "s", "talk-007"), "", None),
        (Row("chip", "s", modelled=1.0), "", None),
        (Row("chip", "s", "talk-007", modelled=132), "agrees", 0),
        (Row("chip", "s", "talk-007", modelled=144), "differs", 12 / 132),
        (Row("chip", "s", "talk-007", modelled=134), "agrees", 2 / 132),
        (Row("chip", "s", "talk-007", modelled=134, quoted_tolerance=0), "differs", 2 / 132),
        (Row("chip", "s", "talk-023", modelled=6.36), "agrees", 0.06),
        (Row("chip", "s", "talk-001", modelled=10), "agrees", 0),
        (Row("chip", "s", "talk-011", modelled=3.35), "agrees", 0),
        (Row("chip", "s", "talk-007", measured=132, card="NVIDIA H100 80GB HBM3"), "agrees", 0),
        (Row("chip", "s", "talk-007", measured=132, card="H100 SXM5"), "agrees", 0),
        (Row("chip", "s", "talk-007", measured=114, card="H100 SXM5"), "differs", -18 / 132),
        (Row("chip", "s", "talk-007", measured=132, card="NVIDIA H200"), "other card", None),
        (Row("chip", "s", "talk-007", measured=114, card="a card unheard of"), "other card", None),
        (Row("chip", "s", "talk-007", measured=132, card="NVIDIA H200", scaling="same die"), "agrees", 0),
        (Row("chip", "s", "talk-030", measured=16, card="NVIDIA H200"), "agrees", 0),
        (Row("exchange", "s", "lit-092.a", measured=193.4, card="NVIDIA H200 NVL"), "agrees", 0),
        (Row("exchange", "s", "lit-092.a", measured=193.4, card="NVIDIA H200"), "other card", None),
        (Row("chip", "s", modelled=10.0, measured=10.0, card="NVIDIA H200", tolerance=0), "agrees", 0),
        (Row("chip", "s", modelled=11.0, measured=10.0, card="NVIDIA H200", tolerance=0.1), "agrees", 0.1),
        (Row("chip", "s", modelled=12.0, measured=10.0, card="NVIDIA H200", tolerance=0.1), "missed", 0.2),
        (Row("chip", "s", modelled=8.0, measured=10.0, card="NVIDIA H200", tolerance=0.1), "missed", -0.2),
        (Row("chip", "s", modelled=9.0, measured=10.0, card="NVIDIA H200"), "not judged", -0.1),
        (Row("chip", "s", modelled=3.0, measured=0.0, card="NVIDIA H200", tolerance=0), "missed", 3.0),
        (Row("chip", "s", quoted=4.0, modelled=4.1), "agrees", 0.025),
        (Row("chip", "s", "talk-007", modelled=132, no_test="fitted to it"), "no test", 0),
        (Row("chip", "s", "talk-007", modelled=144, no_test="fitted to it"), "differs", 12 / 132),
    ],
)
def test_a_row_has_the_verdict_that_is_due(row: Row, verdict: str, error: float | None) -> None:
    assert row.verdict == verdict
    assert row.error == (None if error is None else pytest.approx(error))


def test_a_row_of_three_legs_holds_the_model_to_the_card_and_the_card_to_the_claim() -> None:
    own = {"card": "H100 SXM5", "tolerance": 0.02}
    assert Row("clusters", "s", "lit-006", modelled=120, measured=120, **own).verdict == "agrees"
    assert Row("clusters", "s", "lit-006", modelled=112, measured=112, **own).verdict == "differs"
    assert Row("clusters", "s", "lit-006", modelled=120, measured=112, **own).verdict == "missed"
    elsewhere = Row("clusters", "s", "lit-006", modelled=112, measured=112, card="NVIDIA H200", tolerance=0)
    assert elsewhere.verdict == "agrees"
    assert elsewhere.remarks == ("quoted for H100 SXM5, measured on NVIDIA H200",)


def test_a_row_takes_number_and_unit_from_its_claim() -> None:
    row = Row("chip", "s", "talk-007", modelled=132)
    assert (row.quoted, row.unit, row.legs) == (132, "SM", 2)
    assert Row("chip", "s", "talk-001", modelled=10).legs == 2  # a range is a leg, without one number


def test_a_row_refuses_a_claim_that_is_none_has_no_number_or_another_unit() -> None:
    with pytest.raises(ValueError, match="'talk-6' is no claim"):
        Row("chip", "s", "talk-6")
    with pytest.raises(ValueError, match="'talk-029' has no number to compare with"):
        Row("clusters", "s", "talk-029", modelled=1)
    with pytest.raises(ValueError, match="unit='blocks' of 's' must be that of talk-007, 'SM'"):
        Row("chip", "s", "talk-007", modelled=1, unit="blocks")


legs = st.none() | st.floats(-1e6, 1e6)


@given(
    id=st.none() | st.sampled_from([row.id for row in claims() if row.is_numeric]),
    modelled=legs,
    measured=legs,
    card=st.sampled_from(["", "NVIDIA H200", "H100 PCIe", "another"]),
    tolerance=st.none() | st.floats(0, 1),
    no_test=st.sampled_from(["", "fitted"]),
)
def test_only_a_judged_model_misses_and_only_a_claim_of_the_card_differs(
    id, modelled, measured, card, tolerance, no_test
) -> None:
    row = Row("chip", "s", id, None, modelled, measured, card=card, tolerance=tolerance, no_test=no_test)
    assert row.verdict in VERDICTS or row.legs < 2
    assert not row.missed or None not in (modelled, measured, tolerance)
    if row.verdict == "differs":
        assert id is not None
        assert measured is None or claim(id).covers({"NVIDIA H200": "H200 SXM"}.get(card, card))
    if row.verdict == "other card":
        assert row.error is None


# Reports


def test_every_experiment_names_claims_that_exist() -> None:
    named = [id for experiment in experiments().values() for id in experiment.claims]
    assert named
    assert [claim(id).id for id in named] == named


def theme_report(rows: Sequence[Row] = (), comparisons: Sequence[Comparison] = ()) -> ThemeReport:
    return ThemeReport("chip", tuple(rows), tuple(comparisons))


AGREES = Row("chip", "SMs", "talk-007", modelled=132)


def test_an_audit_passes_where_something_is_compared_and_no_model_misses() -> None:
    differs = Row("chip", "SMs", "talk-007", modelled=144)
    assert theme_report([AGREES, differs]).failures == ()


def test_a_missed_tolerance_fails() -> None:
    missed = Row("chip", "rate", modelled=12.0, measured=10.0, card="NVIDIA H200", tolerance=0.1)
    assert theme_report([AGREES, missed]).failures == ("chip: rate: missed by +20.0%",)


def test_a_mismatch_that_an_experiment_counts_fails() -> None:
    comparison = Comparison("occupancy", "NVIDIA H200", 1000, 3)
    assert theme_report([AGREES], [comparison]).failures == (
        "chip: occupancy on NVIDIA H200: 3 of 1000 miss the model",
    )


def test_rows_that_an_experiment_counts_as_mismatches_are_not_told_twice() -> None:
    missed = Row("chip", "rate", modelled=12.0, measured=10.0, card="NVIDIA H200", tolerance=0.1)
    uncounted, counted = (Comparison("rates", "NVIDIA H200", 1, count, (missed,)) for count in (0, 1))
    assert theme_report([AGREES, missed], [counted]).failures == (
        "chip: rates on NVIDIA H200: 1 of 1 miss the model",
    )
    assert theme_report([AGREES, missed], [uncounted]).failures == ("chip: rate: missed by +20.0%",)


@pytest.mark.parametrize("rows", [[], [Row("chip", "SMs", "talk-007", modelled=132, no_test="fitted")]])
def test_a_theme_in_which_nothing_is_tested_fails(rows: list[Row]) -> None:
    assert len(theme_report(rows).failures) == 1
    assert "no row that tests anything" in theme_report(rows).failures[0]


def test_every_verdict_is_counted() -> None:
    report = theme_report([AGREES, AGREES, Row("chip", "SMs", "talk-007", modelled=144)])
    assert {name: count for name, count in report.verdicts.items() if count} == {"agrees": 2, "differs": 1}


def test_an_unknown_theme_is_refused_with_the_themes() -> None:
    with pytest.raises(ValueError, match="themes: 'cluster' is no theme; there are chip, roofline"):
        audit(["clusters", "cluster"])


# What the experiments of a theme say


@pytest.fixture
def with_experiment(monkeypatch: pytest.MonkeyPatch):
    """Let an audit find the given recordings, and one experiment of theme tma that doubles its samples."""

    def compare(recorded: Sequence[Recording]) -> Comparison:
        rows = tuple(
            Row("tma", "rate", modelled=20.0, measured=one.results["rate"], card=one.card.name, tolerance=0.1)
            for one in recorded
        )
        return Comparison("doubling", recorded[0].card.name, len(rows), 0, rows, ("a note",))

    experiment = Experiment(
        name="doubling",
        theme="tma",
        question="?",
        statistic="twice",
        parameters={},
        run=lambda card, progress: [],
        results=lambda samples: {"rate": 2.0 * samples[0], "note": "Said now."},
        compare=compare,
    )
    monkeypatch.setattr("hopperlab.measure.experiment.experiments", lambda: {"doubling": experiment})
    monkeypatch.setattr("hopperlab.measure.claims.answers", lambda theme, recorded: ())

    def found(*recorded: Recording) -> None:
        monkeypatch.setattr("hopperlab.measure.audit.recordings", lambda directory=None: recorded)

    return found


def test_recordings_are_compared_card_by_card(with_experiment) -> None:
    one = recording("doubling", {"rate": 20.0, "note": "Said now."}, [10.0])
    h100 = RecordedCard("NVIDIA H100 PCIe", "nvidia-h100-pcie", (9, 0), 114, 52428800, 85 * 10**9)
    other = Recording(**{**vars(one), "card": h100})
    with_experiment(one, other, recording("of another theme", {"rate": 1.0}))
    report = audit(["tma"]).themes[0]
    assert [comparison.card for comparison in report.comparisons] == ["NVIDIA H200", "NVIDIA H100 PCIe"]
    assert [row.verdict for row in report.rows] == ["agrees", "agrees"]
    assert report.failures == ()


def test_a_model_that_misses_a_recording_fails(with_experiment) -> None:
    with_experiment(recording("doubling", {"rate": 30.0, "note": "Said now."}, [15.0]))
    assert audit(["tma"]).failures == ("tma: rate: missed by -33.3%",)


def test_results_that_are_not_what_the_samples_give_fail(with_experiment) -> None:
    with_experiment(recording("doubling", {"rate": 20.0, "note": "Said now."}, [9.0]))
    assert audit(["tma"]).failures == (
        "tma: doubling of nvidia-h200: its results are not what its samples give",
    )


def test_a_sentence_about_the_results_may_be_put_in_other_words(with_experiment) -> None:
    with_experiment(recording("doubling", {"rate": 20.0, "note": "Said so then."}, [10.0]))
    assert audit(["tma"]).failures == ()
    with_experiment(recording("doubling", {"rate": 20.0, "note": "another name"}, [10.0]))
    assert len(audit(["tma"]).failures) == 1


def test_an_experiment_without_a_recording_is_told_and_its_theme_fails(with_experiment) -> None:
    with_experiment()
    report = audit(["tma"])
    assert report.themes[0].unmeasured == ("doubling",)
    assert "doubling: not recorded yet; on a card, `hopperlab measure doubling`" in as_text(report)
    assert report.failures


# The claims of a theme


def test_every_module_of_claims_is_named_for_a_theme_and_answers_its_claims() -> None:
    names = [module.name for module in pkgutil.iter_modules(hopperlab.measure.claims.__path__)]
    assert "clusters" in names
    assert set(names) <= set(THEMES)
    shipped = recordings()
    for theme in names:
        assert answers(theme, shipped), theme
        rows = answers(theme, ())
        assert all(row.theme == theme and claim(row.claim).theme == theme for row in rows)
        assert len({row.claim for row in rows}) == len(rows)


def test_the_factors_of_the_talk_follow_from_the_sheets() -> None:
    rows = {row.claim: row for row in answers("chip", ())}
    assert rows["talk-023"].modelled == pytest.approx(132 / 108 * 4 * 1830 / 1410)
    assert {rows[id].verdict for id in ("talk-005", "talk-021", "talk-022", "talk-023")} == {"agrees"}


def test_what_the_driver_says_of_a_card_stands_beside_its_sheet_once_a_card() -> None:
    rows = [row for row in answers("chip", [placement(), placement()]) if row.measured is not None]
    assert [(row.claim, row.measured) for row in rows if row.verdict == "agrees"] == [
        ("chip-030", 132),
        ("chip-032", 60),
    ]
    assert [(row.claim, row.quoted, row.measured) for row in rows if row.verdict == "other card"] == [
        ("talk-007", 132, 132),
        ("article-003.a", 114, 132),
        ("article-004.b", 132, 132),
        ("article-002.b", 60, 60),
        ("article-003.b", 50, 60),
    ]
    with_a_clock = answers("chip", [recording("any", {}, memory_mhz=3201)])
    assert ("chip-035", 3201, "agrees") in [(row.claim, row.measured, row.verdict) for row in with_a_clock]


def test_a_theme_without_a_module_answers_nothing() -> None:
    assert answers("no_theme", ()) == ()


def test_the_model_of_clusters_gives_every_count_that_was_derived() -> None:
    rows = {row.claim: row for row in answers("clusters", ())}
    derived = [row.id for row in claims("clusters") if row.id.startswith("derived-00")]
    assert len(derived) == 4 * 13 + 8
    assert set(derived) <= set(rows)
    assert {rows[id].error for id in derived} == {0}
    assert {rows[id].verdict for id in derived} == {"no test"}


@pytest.mark.parametrize("id", ["lit-006", "lit-007.a", "lit-009.a", "lit-009.b"])
def test_rows_that_the_packing_was_fitted_to_say_so(id: str) -> None:
    row = next(row for row in answers("clusters", ()) if row.claim == id)
    assert row.verdict == "no test"
    assert "was chosen to explain it" in row.remarks[0]


def test_what_ran_at_once_stands_beside_the_claims_and_cards_are_not_mixed() -> None:
    rows = {row.claim: row for row in answers("clusters", [placement()])}
    sixteen = rows["lit-009.b"]
    assert (sixteen.quoted, sixteen.modelled, sixteen.measured) == (112, 112, 112)
    assert sixteen.remarks == ("quoted for H100 SXM5, measured on H200 SXM",)
    assert sixteen.verdict == "agrees"
    assert rows["talk-030"].measured == 16
    assert rows["talk-030"].verdict == "agrees"
    assert rows["lit-014"].measured == 3


def test_a_card_that_runs_more_clusters_than_the_model_is_a_miss() -> None:
    rows = {row.claim: row for row in answers("clusters", [placement(off_by=1)])}
    assert rows["lit-006"].verdict == "missed"


def test_the_theme_of_clusters_passes_and_covers_the_named_claims(of_clusters: Report) -> None:
    report = of_clusters
    assert report.failures == ()
    compared = {one.experiment: one for one in report.themes[0].comparisons}
    assert compared["cluster_occupancy"].compared >= 1000
    assert compared["cluster_occupancy"].mismatches == 0
    assert report.themes[0].unmeasured == ()
    compared = {row.claim for row in report.themes[0].rows}
    assert {
        "talk-025",
        "talk-027",
        "talk-028",
        "lit-006",
        "lit-007.b",
        "derived-001.a",
        "derived-005.h",
    } <= compared


# Text and command


def test_the_text_shows_every_row_with_its_four_numbers_and_the_count(of_clusters: Report) -> None:
    report = of_clusters
    text = as_text(report)
    quoted = [row for row in report.themes[0].rows if row.claim]
    lines = [line for line in text.splitlines() if re.match(r"(talk|lit|derived|chip)-\d{3}", line)]
    for row, line in zip(quoted, lines, strict=True):
        assert line.startswith(f"{row.claim} ")
        assert line.endswith(row.verdict)
        assert f" {row.source.quoted} " in line
    assert f"{len(report.themes[0].rows)} rows: " in text
    assert text.splitlines()[-1].startswith("Passed: ")


def test_the_text_fits_a_terminal_of_100_columns(of_clusters: Report) -> None:
    long = Row(
        "chip", "a quantity of many words " * 8, "talk-001", modelled=1.23456789e-12, remark="word " * 60
    )
    comparison = Comparison("gpc_map", "NVIDIA H200", 12345, 1, (), ("a long note " * 30,))
    failing = Report((ThemeReport("chip", (long,), (comparison,), ("one",), ("another",)),))
    for report in (failing, of_clusters):
        assert max(map(len, as_text(report).splitlines())) <= WIDTH
    assert "12,345 compared, 1 mismatch" in as_text(failing)


def test_a_failed_audit_ends_with_every_reason() -> None:
    missed = Row("chip", "rate", modelled=12.0, measured=10.0, card="NVIDIA H200", tolerance=0.1)
    text = as_text(Report((theme_report([AGREES, missed]), ThemeReport("tma", (), ()))))
    assert text.splitlines()[-3:] == [
        "Failed:",
        "  chip: rate: missed by +20.0%",
        "  tma: no row that tests anything has two of quoted, modelled and measured",
    ]


def test_the_command_passes_fails_and_refuses(
    capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["audit", "clusters"]) == 0
    assert "== clusters ==" in capsys.readouterr().out
    with monkeypatch.context() as without_answers:
        without_answers.setattr("hopperlab.measure.claims.answers", lambda theme, recorded: ())
        without_answers.setattr("hopperlab.measure.experiment.experiments", dict)
        assert main(["audit", "clusters"]) == 1
    assert "Failed:" in capsys.readouterr().out
    assert main(["audit", "cluster"]) == 1
    message = capsys.readouterr().err
    assert message.startswith("hopperlab audit: themes: 'cluster' is no theme")
    assert message.count("\n") == 1


def test_the_command_takes_a_folder_of_ones_own_and_tells_what_is_wrong_there(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    path = tmp_path / "nvidia-h200" / "cluster_placement.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"schema": SCHEMA + 1}))
    assert main(["audit", "clusters", "--recordings", str(tmp_path)]) == 1
    message = capsys.readouterr().err
    assert str(path) in message
    assert f"schema: found {SCHEMA + 1}; it must be {SCHEMA}" in message
    assert main(["audit", "clusters", "--recordings", str(tmp_path / "nowhere")]) == 1
    assert "is no folder" in capsys.readouterr().err
