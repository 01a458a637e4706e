"""The simulator's reference is made from the simulator: nothing is missing, nothing is written twice."""

import pytest

from hopperlab.device.simulator.limits import NOT_MODELLED
from hopperlab.device.simulator.timing import ASSUMED, LEFT_OUT, Costs
from hopperlab.device.trace import FIELDS, VERBS
from hopperlab.kernels.specimens import specimens
from hopperlab.lessons import simulator_reference as reference


def test_every_field_verb_and_value_is_listed():
    assert [row[0] for row in reference.event_fields().rows] == [f"`{name}`" for name in FIELDS]
    rows = {row[0].strip("`"): row for row in reference.verbs().rows}
    assert list(rows) == list(VERBS)
    for name, verb in VERBS.items():
        assert rows[name][1] == verb.meaning
        assert all(f"`{value}`: {words}" in rows[name][2] for value, words in verb.data.items())


def test_every_specimen_is_listed_under_the_finding_that_it_is_for():
    by_module = {row[0].split("\n")[1].strip("`"): row[0].split("\n")[0] for row in reference.findings().rows}
    assert by_module == {s.__name__.rpartition(".")[2]: s.FINDING for s in specimens()}
    assert all(all(row) and "Met as: " in row[1] for row in reference.findings().rows)


def test_every_cost_is_listed_with_whether_it_was_measured():
    table = Costs().table
    rows = reference.costs().rows
    assert [(name, float(cycles)) for name, cycles, _ in rows] == [
        (n, float(f"{c:g}")) for n, c in table.items()
    ]
    assert {name for name, _, source in rows if source == "assumed"} == set(ASSUMED)
    assert Costs().source in reference.costs().text


def test_limits_are_whole_sentences():
    told = dict(reference.not_modelled().rows)
    assert list(told) == ["cycles", *NOT_MODELLED]
    assert all(words.endswith(".") for words in told.values())
    assert len(told["cycles"].split("\n")) == len(LEFT_OUT)


def test_the_first_events_are_those_of_the_trace():
    rows = reference.first_events().rows
    events = reference.example().trace.events
    for row in rows:
        event = events[int(row[0])]
        assert list(row[2:5]) == [event.verb, str(event.block), str(event.thread)]


def test_a_listing_says_the_same_in_text_and_in_html():
    listing = reference.Listing(["a", "b"], [["`x`", "one < two\nthree"]], "Above.")
    assert listing.text == "Above.\na | b\n`x` | one < two; three"
    assert "<code>x</code>" in listing.html
    assert "one &lt; two<br>three" in listing.html


def test_one_exploration_is_clean_and_one_is_not():
    clean, dirty = reference.explored_without_finding(), reference.explored_with_finding()
    assert (clean.complete, clean.results, clean.counter_example) == (True, 1, None)
    assert dirty.counter_example.findings


@pytest.mark.parametrize("shown", [reference.race, reference.early])
def test_what_is_shown_live_goes_wrong(shown):
    assert shown().findings
