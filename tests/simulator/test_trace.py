"""Traces: documented verbs, every event in its place, and a Chrome trace whose spans match."""

import json
from collections import defaultdict

import pytest

from hopperlab.cli import main
from hopperlab.device.chrome_trace import chrome_trace
from hopperlab.device.trace import VERBS
from hopperlab.kernels.specimens import specimens, wrong_arrival_count
from tests.simulator.test_hopper_kernels import copy_tiles, pass_on, ring_all_reduce


@pytest.fixture(scope="module", params=[pass_on, ring_all_reduce, copy_tiles], ids=lambda case: case.__name__)
def trace(request):
    return request.param(1)[0].trace


def test_every_event_has_a_verb_that_is_explained(trace):
    assert {event.verb for event in trace.events} <= VERBS.keys()
    assert [event.number for event in trace.events] == list(range(len(trace.events)))
    with pytest.raises(ValueError, match="wave"):
        trace.of("wave")


def test_every_line_is_one_of_the_source(trace):
    lines = {event.line for event in trace.events if event.line is not None}
    assert lines
    assert all(1 <= line <= len(trace.source) for line in lines)


def test_what_is_issued_lands_later_and_each_thread_goes_forward_in_time(trace):
    issued = {event.data["copy"]: event for event in trace.of("issue")}
    landed = {event.data["copy"]: event for event in trace.of("land")}
    assert issued.keys() == landed.keys()
    assert all(landed[copy].cycle > issued[copy].cycle for copy in issued)
    cycles = defaultdict(float)
    for event in trace.events:
        if event.thread is not None and event.verb not in ("part", "count"):
            who = event.block, event.thread
            assert event.cycle >= cycles[who]
            cycles[who] = event.cycle


def test_the_chrome_trace_has_its_keys_and_matched_spans(trace):
    made = json.loads(json.dumps(chrome_trace(trace)))["traceEvents"]
    stacks = defaultdict(list)
    for entry in made:
        assert {"ph", "pid", "tid", "name", "ts"} <= entry.keys()
        row = entry["pid"], entry["tid"]
        if entry["ph"] == "B":
            stacks[row].append(entry)
        elif entry["ph"] == "E":
            assert stacks[row].pop()["name"] == entry["name"]
    assert not any(stacks.values())


def test_the_command_runs_a_kernel_of_a_file(tmp_path, capsys):
    target = tmp_path / "trace.json"
    file = wrong_arrival_count.__file__
    assert main(["run", f"{file}:load_tile", "--trace", str(target)]) == 1
    assert "wrong arrival count (load_tile, line" in capsys.readouterr().out
    assert json.loads(target.read_text())["traceEvents"]


@pytest.mark.parametrize(
    ("called", "message"),
    [("nowhere.py:f", "no such file"), ("f", "give the file and the kernel"), (None, "no kernel 'reduce'")],
)
def test_the_command_says_what_is_wrong(called, message, capsys):
    called = called or f"{wrong_arrival_count.__file__}:reduce"
    assert main(["run", called]) == 1
    assert message in capsys.readouterr().err


def test_every_specimen_can_be_run_by_the_command():
    assert all(callable(specimen.launch) for specimen in specimens())
