"""Traces: a documented format that every run keeps to, and a Chrome trace that a strict reader takes whole."""

import copy
import json
import pickle
from collections import defaultdict
from functools import cache

import numpy as np
import pytest
from numba import cuda, int32

from hopperlab.cli import main
from hopperlab.device import kernel
from hopperlab.device.chrome_trace import chrome_trace
from hopperlab.device.trace import FIELDS, VERBS, Event
from hopperlab.kernels.specimens import (
    cluster_without_a_place,
    divergent_barrier,
    kernel_of,
    specimens,
    wrong_arrival_count,
)
from tests.simulator.chrome_format import troubles
from tests.simulator.test_hopper_kernels import CASES, copy_tiles, pass_on, ring_all_reduce

SOMETIMES = {"wait": {"parity", "pending"}, "go": {"parity", "pending"}}
"""Values that events of a verb have where they make sense."""


@pytest.fixture(scope="module", params=[pass_on, ring_all_reduce, copy_tiles], ids=lambda case: case.__name__)
def trace(request):
    return request.param(1)[0].trace


@cache
def runs_of_specimens():
    """What came of each broken kernel that ran, with every access traced."""
    runs = []
    for specimen in specimens():
        grid, block, arguments, options = specimen.launch(0)
        runs.append(kernel_of(specimen).simulate(grid, block, arguments, **{**options, "trace": "accesses"}))
    return [run for run in runs if run.trace is not None]


def keeps_the_format(trace):
    assert [event.number for event in trace.events] == list(range(len(trace.events)))
    for event in trace.events:
        documented = set(VERBS[event.verb].data)
        assert documented - SOMETIMES.get(event.verb, set()) <= event.data.keys() <= documented, event
        assert event.line is None or 1 <= event.line <= len(trace.source), event
        assert event.block is None or event.block < len(trace.sms), event


def test_the_fields_are_all_explained():
    assert tuple(FIELDS) == Event._fields
    assert all(verb.meaning and all(verb.data.values()) for verb in VERBS.values())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_every_event_of_a_kernel_is_as_documented(case):
    keeps_the_format(case(0, trace="accesses")[0].trace)


def test_every_event_of_a_broken_kernel_is_as_documented():
    assert len(runs_of_specimens()) > 30
    for run in runs_of_specimens():
        keeps_the_format(run.trace)


def test_every_finding_is_an_event_at_its_line():
    for run in runs_of_specimens():
        told = run.trace.of("finding")
        assert [event.what for event in told] == [finding.name for finding in run.findings]
        for event, finding in zip(told, run.findings, strict=True):
            assert event.line == (finding.line if finding.kernel == run.kernel else None)
            assert event.data["text"] == str(finding)


def test_lines_are_those_of_the_kernel_not_of_functions_that_it_calls():
    @cuda.jit(device=True)
    def raise_flag(flags, here):
        # a line more
        # and another one
        # and so on
        # up to where no line of the kernel is
        cuda.atomic.add(flags, here, 1)
        cuda.threadfence()

    @kernel
    def caller(flags):
        raise_flag(flags, 0)

    run = caller.simulate(1, 1, (np.zeros(1, np.int32),), trace="accesses")
    (fence,) = run.trace.of("fence")
    assert fence.line is None
    keeps_the_format(run.trace)


def test_shared_memory_is_declared_once_a_block_before_anything_touches_it():
    for run in [pass_on(0, trace="accesses")[0], ring_all_reduce(0, trace="accesses")[0]]:
        declared = set()
        for event in run.trace.events:
            if event.verb == "declare":
                extent = event.data["owner"], event.data["address"], event.data["nbytes"]
                assert extent not in declared
                declared.add(extent)
            if event.data.get("space") == "shared":
                owner, first = event.data["owner"], event.data["address"]
                last = first + event.data["nbytes"]
                assert any(o == owner and a <= first and last <= a + n for o, a, n in declared)


@kernel
def meet(out):
    cuda.syncthreads()
    out[cuda.threadIdx.x] = 1


def meeting():
    return meet.simulate(1, 2, (np.zeros(2, np.int32),)).trace


@pytest.mark.parametrize(
    "again",
    [lambda one: pickle.loads(pickle.dumps(one)), copy.copy, copy.deepcopy],
    ids=["sent", "copied", "deep"],
)
def test_a_trace_can_be_copied_and_sent(again):
    trace = meeting()
    twin = again(trace)
    assert len(twin.of("meet")) == 2
    assert twin == trace
    assert trace == twin
    assert twin.of("meet")[0].line == 3


def test_what_events_are_made_of_is_kept_no_longer_than_until_they_are_made():
    events = meeting().events
    count = len(events)
    assert events[0] is events[0]
    assert len(events) == count == len(list(events))
    assert [value for value in vars(events).values() if not isinstance(value, int)] == [tuple(events)]


def test_a_trace_with_events_has_no_hash():
    with pytest.raises(TypeError, match="unhashable"):
        hash(meeting())


def test_an_unknown_verb_is_refused(trace):
    with pytest.raises(ValueError, match="wave"):
        trace.of("wave")


def test_every_line_is_one_of_the_source(trace):
    lines = {event.line for event in trace.events if event.line is not None}
    assert lines
    assert all(trace.text_of(line) for line in lines)


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


def test_a_strict_reader_takes_the_chrome_trace_whole(trace):
    assert list(troubles(chrome_trace(trace))) == []


def test_a_strict_reader_takes_the_chrome_trace_of_what_hangs_or_is_stopped():
    for run in runs_of_specimens():
        assert list(troubles(chrome_trace(run.trace))) == [], run.kernel


def test_the_chrome_trace_says_how_long_everything_took(trace):
    entries = chrome_trace(trace)["traceEvents"]
    names = {entry["tid"]: entry["args"]["name"] for entry in entries if entry["name"] == "thread_name"}
    begun = {e["tid"]: e["ts"] for e in entries if e["ph"] == "B" and e["cat"] == "start"}
    ended = {e["tid"]: e["ts"] for e in entries if e["ph"] == "E" and e["cat"] == "start"}
    left = {f"block {event.block}": event.cycle for event in trace.of("leave")}
    started = {f"block {event.block}": event.cycle for event in trace.of("start")}
    assert {names[tid]: ts for tid, ts in begun.items()} == started
    assert {names[tid]: ts for tid, ts in ended.items()} == left
    ways = [entry for entry in entries if entry["ph"] == "B" and entry["cat"] == "issue"]
    assert sum(way["args"]["nbytes"] for way in ways) == sum(e.data["nbytes"] for e in trace.of("issue"))


def test_values_that_no_number_can_say_are_words_in_the_chrome_trace():
    @kernel
    def read_nothing(out):
        box = cuda.shared.array(1, int32)
        bare = cuda.shared.array(1, np.float32)
        out[0] = bare[0]
        out[1] = box[0]

    run = read_nothing.simulate(1, 1, (np.zeros(2, np.float32),), trace="accesses")
    assert list(troubles(chrome_trace(run.trace))) == []


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda made: made["traceEvents"].pop(), "never ends"),
        (lambda made: made["traceEvents"][-1].update(name="other"), "ends what did not begin"),
        (lambda made: made["traceEvents"][-1].update(ts=-1.0), "time must be 0 or later"),
        (lambda made: made["traceEvents"][-1].pop("cat"), "lacks"),
        (lambda made: [entry.update(tid=1) for entry in made["traceEvents"]], "in process"),
    ],
)
def test_the_strict_reader_sees_what_is_wrong(spoil, told, trace):
    made = chrome_trace(trace)
    made["traceEvents"] = [e for e in made["traceEvents"] if e["ph"] in "BE"]
    spoil(made)
    assert any(told in trouble for trouble in troubles(made))


def test_the_command_runs_a_kernel_of_a_file_and_writes_its_trace(tmp_path, capsys):
    target = tmp_path / "trace.json"
    file = wrong_arrival_count.__file__
    assert main(["run", f"{file}:load_tile", "--trace", str(target)]) == 1
    out = capsys.readouterr().out
    assert "wrong arrival count" in out
    assert str(target) in out
    assert list(troubles(json.loads(target.read_text()))) == []


def test_the_command_traces_accesses_and_says_when_there_is_nothing_to_trace(tmp_path, capsys):
    target, called = tmp_path / "trace.json", f"{divergent_barrier.__file__}:reverse"
    main(["run", called, "--trace", str(target)])
    without = target.stat().st_size
    main(["run", called, "--trace", str(target), "--accesses"])
    assert target.stat().st_size > without
    refused = tmp_path / "refused.json"
    main(["run", f"{cluster_without_a_place.__file__}:meet", "--trace", str(refused)])
    assert "No trace was written" in capsys.readouterr().out
    assert not refused.exists()


def test_a_run_is_its_text_wherever_it_is_printed():
    run = copy_tiles(1)[0]
    assert repr(run) == str(run)
    assert "9 blocks of 32 threads" in str(run)
    assert "No finding with seed 1." in str(run)
    assert 'look at one by run["target"]' in str(run)
    with pytest.raises(KeyError, match="copy_tiles has no array 'image'"):
        run["image"]
    unchecked = copy_tiles(1, checks=False)[0]
    assert "checks were off" in str(unchecked)
    with pytest.raises(ValueError, match="trace=True"):
        copy_tiles(1, trace=False)[0].write_trace("nowhere.json")


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
