"""The simulator's reference is made from the simulator: nothing is missing, nothing is written twice."""

import pytest

from hopperlab.course.report import Table
from hopperlab.device.simulator.limits import NOT_MODELLED
from hopperlab.device.simulator.timing import ASSUMED, LEFT_OUT, Costs
from hopperlab.device.trace import FIELDS, VERBS
from hopperlab.kernels.specimens import specimens
from hopperlab.lessons import simulator_reference as reference


def table_of(report) -> Table:
    return next(block for block in report.blocks if isinstance(block, Table))


def test_every_field_verb_and_value_is_listed():
    assert [row[0] for row in table_of(reference.event_fields()).rows] == list(FIELDS)
    rows = table_of(reference.verbs()).rows
    assert [row[0] for row in rows if row[0]] == [f"`{verb}`" for verb in VERBS]
    assert len(rows) == len(VERBS) + sum(len(verb.data) for verb in VERBS.values())


def test_every_specimen_is_listed_under_the_finding_that_it_is_for():
    rows = {row[1]: row for row in table_of(reference.findings()).rows}
    for specimen in specimens():
        row = rows.pop(f"`{specimen.__name__.rpartition('.')[2]}`")
        assert row[0] == specimen.FINDING
        assert all(row)
    assert not rows


def test_every_cost_is_listed_with_whether_it_was_measured():
    table = Costs().table
    rows = table_of(reference.costs()).rows
    assert [(name, float(cycles)) for name, cycles, _ in rows] == [
        (n, float(f"{c:g}")) for n, c in table.items()
    ]
    assert {name for name, _, source in rows if source == "assumed"} == set(ASSUMED)
    assert Costs().source in reference.costs().text


def test_limits_are_whole_sentences():
    assert [row[0] for row in table_of(reference.not_modelled()).rows] == list(NOT_MODELLED)
    assert all(words.endswith(".") for words in NOT_MODELLED.values())
    assert [row[0] for row in table_of(reference.cycles_leave_out()).rows] == list(LEFT_OUT)


def test_the_first_events_are_those_of_the_trace():
    rows = table_of(reference.first_events()).rows
    events = reference.example().trace.events
    for row in rows:
        event = events[int(row[0])]
        assert row[2:5] == [event.verb, str(event.block), str(event.thread)]


def test_one_exploration_is_clean_and_one_is_not():
    clean, dirty = reference.explored_without_finding(), reference.explored_with_finding()
    assert (clean.complete, clean.results, clean.counter_example) == (True, 1, None)
    assert dirty.counter_example.findings


@pytest.mark.parametrize("shown", [reference.race, reference.early])
def test_what_is_shown_live_goes_wrong(shown):
    assert shown().findings
