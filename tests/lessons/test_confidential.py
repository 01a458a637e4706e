"""Lesson 15: its answers, its bench with real keys, its verifiers, its specimens, a report from a file."""

import time
from contextlib import suppress

import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.course.confidential import LESSON
from hopperlab.course.confidential.bench import GPUS, TOOLS, Bench, buttons
from hopperlab.course.confidential.exercises import rotations
from hopperlab.course.confidential.specimens import CAUGHT_BY, SPECIMENS
from hopperlab.course.confidential.verifiers import CHECKED_BY, FORGETTABLE, KINDS, Verifier, checks
from hopperlab.lessons import confidential as lesson
from hopperlab.models.confidential import (
    ATTACKS,
    Channel,
    Refused,
    TrafficKey,
    boot,
    build_device,
    encode_request,
    errors,
    read_chain,
    root_digest,
)

CONTROLLED = ("layers", "protocol", "verifier", "specimens", "cost")

BELIEFS = {
    "encryption at rest and in transit is enough",
    "attestation proves the program is right",
    "a nonce is optional",
    "an IV may be used twice under one key",
    "the CUDA code must always change",
    "HBM is encrypted",
    "data in use needs no guarding from co-tenants or administrators",
    "overhead is a fixed percentage",
    "NVLink is encrypted on Hopper as shipped",
}


def test_every_belief_of_the_lesson_is_answered_somewhere():
    assert set(LESSON.misconceptions) >= BELIEFS


def test_the_answers_of_the_predictions():
    assert list(LESSON.predictions["layers"].right_answer().values()) == [4, 3, 2, 0]
    assert LESSON.predictions["left"].right_answer() == "stop"
    cost = LESSON.predictions["cost"].right_answer()
    # 1.4 GB at 3.4 GB/s, and 1336 chunks of 10 us, on 20 ms of work and 1.4 GB at 64 GB/s
    assert cost["swaps"] == pytest.approx(1 + (1.4 / 3.4 + 0.01336) / (0.020 + 1.4 / 64), abs=0.01)
    assert cost["fits"] == 1


@pytest.mark.parametrize("name", CONTROLLED)
def test_every_position_of_every_control_draws(name):
    panel = lesson.panel(name)
    for control in panel.controls.values():
        first = control.value
        for value in _positions(control):
            control.value = value
            assert panel.error is None
            assert len(panel.picture.text.split()) > 10
        control.value = first


def _positions(control):
    options = getattr(control, "options", None)
    if options:
        return [value for _, value in options]
    if isinstance(control.value, bool):
        return [True, False]
    if hasattr(control, "last"):
        return range(control.last + 1)
    return [control.min, control.max]


@pytest.mark.parametrize("name", CONTROLLED)
def test_a_panel_draws_well_within_a_frame_of_patience(name):
    panel = lesson.panel(name)
    assert min(_seconds(lambda: panel.draw(**panel.values)) for _ in range(5)) < 0.05


def _seconds(draw):
    started = time.perf_counter()
    draw()
    return time.perf_counter() - started


# --- The bench ----------------------------------------------------------------------------------------


def played(*labels):
    panel = lesson.panel("bench")
    for label in labels:
        panel.do(label)
    return panel


def test_a_session_that_is_left_alone_ends_well():
    panel = played(*["Pass on"] * 9)
    assert panel.state.session.error is None
    assert [message for _, message in panel.state.session.received] == [
        b"pay 100 to Alice",
        b"pay 250 to Bob",
        b"balance: 650",
    ]


@pytest.mark.parametrize(
    ("labels", "error"),
    [
        (["Flip a bit"], errors.MalformedChain),
        (["Pass on"] * 6 + ["Flip a bit"], errors.TamperedMessage),
        (["Pass on"] * 7 + ["Replay"], errors.ReplayedMessage),
        (["Pass on"] * 6 + ["Hold back", "Pass on"], errors.OutOfOrderMessage),
        (["Pass on", "Hold back"], errors.NothingCame),
        (["Pass on"] * 2 + ["My key share"], errors.ForgedKeyExchange),
        (["Pass on"] * 4 + ["Old report"], errors.StaleReport),
        (["Swap the firmware"] + ["Pass on"] * 5, errors.WrongMeasurement),
        (["Swap it and lie"] + ["Pass on"] * 5, errors.LyingFirmware),
        (["Forge the chain"] + ["Pass on"] * 5, errors.UntrustedRoot),
    ],
)
def test_what_the_hypervisor_does_is_refused_by_name(labels, error):
    panel = played(*labels)
    assert panel.error is None
    assert type(panel.state.session.error) is error
    assert error.__name__ in panel.picture.title


def test_reading_learns_nothing_and_is_never_refused():
    panel = played(*["Read"] * 9)
    assert panel.state.session.error is None
    assert b"Alice" not in b"".join(step.delivered for step in panel.state.session.steps)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["Replay"], "there is nothing to replay"),
        (["Old report"], "it is for the measurement report"),
        (["Pass on", "Forge the chain"], "the session has begun"),
        (["Pass on", "Hold back", "Pass on"], "no message is left to send"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(labels, words):
    panel = played(*labels)
    assert words in panel.problem.text
    assert len(panel.history) == len(labels)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.sampled_from([*TOOLS, *GPUS]), max_size=10))
def test_no_deed_makes_the_bench_fail_and_no_plain_text_leaves_changed(deeds):
    bench = Bench()
    for deed in deeds:
        with suppress(ValueError):
            bench = buttons()[deed](bench)
    sent = {b"pay 100 to Alice", b"pay 250 to Bob", b"balance: 650"}
    assert {message for _, message in bench.session.received} <= sent


def test_undo_gives_the_same_bytes_again():
    panel = played(*["Pass on"] * 7)
    before = panel.state.session.steps
    panel.undo()
    panel.do("Pass on")
    assert panel.state.session.steps == before


# --- Verifiers ----------------------------------------------------------------------------------------


def test_every_bad_report_is_refused_by_its_own_check_and_by_no_other():
    assert set(CHECKED_BY) == set(KINDS) - {"genuine"}
    for kind, name in CHECKED_BY.items():
        failed = [check.name for check in checks(kind, "") if check.passed is False]
        assert failed == [name], kind
        assert Verifier(name)(kind), kind


def test_a_whole_verifier_accepts_the_genuine_report_only():
    assert [kind for kind in KINDS if Verifier()(kind)] == ["genuine"]


@pytest.mark.parametrize("name", FORGETTABLE)
def test_a_forgotten_check_lets_one_report_through(name):
    assert [kind for kind in KINDS if Verifier(name)(kind) and kind != "genuine"] == [
        kind for kind, by in CHECKED_BY.items() if by == name
    ]


def test_the_rotation_exercise_is_what_the_channel_does():
    sizes, limit = [16, 40, 0, 80, 17, 1, 33, 64, 2], 9
    channel, rotated = Channel(TrafficKey(b"rotation exercise".ljust(32), "host to device"), limit=limit), []
    for place, nbytes in enumerate(sizes):
        ready = channel.ready_for(nbytes)
        rotated += [place] if ready.generation > channel.generation else []
        channel, _ = ready.send(bytes(nbytes))
    assert rotations(sizes, limit) == rotated != []


# --- Specimens and files ------------------------------------------------------------------------------


def test_every_attack_that_is_caught_is_a_specimen():
    assert set(CAUGHT_BY) == {name for name, attack in ATTACKS.items() if attack.caught_by is not None}


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda one: one.attack.name)
def test_every_specimen_is_caught_by_the_error_that_the_attack_names(specimen):
    assert type(specimen.session.error) is specimen.attack.caught_by
    assert specimen.finding in specimen.picture().text


@pytest.fixture
def files(tmp_path):
    """A report and a chain as a learner may have them: hexadecimal, and PEM."""
    gpu = boot(build_device())
    report = gpu.attest(encode_request(b"a nonce of somebody's own".ljust(32)))
    pem = b"".join(one.public_bytes(Encoding.PEM) for one in reversed(read_chain(gpu.chain)))
    (tmp_path / "report.txt").write_text(report.hex() + "\n")
    (tmp_path / "report.bin").write_bytes(report)
    (tmp_path / "chain.pem").write_bytes(pem)
    return tmp_path


@pytest.mark.parametrize("name", ["report.txt", "report.bin"])
def test_a_report_is_verified_from_files(files, name):
    picture = lesson.verify_file(files / name, files / "chain.pem")
    assert picture.title.startswith("All 7 checks pass")
    assert "believed as they are" in picture.text


def test_a_report_of_another_maker_is_refused_where_the_root_is_known(files):
    picture = lesson.verify_file(files / "report.bin", files / "chain.pem", root=root_digest("forger"))
    assert picture.title.startswith("UntrustedRoot")


def test_a_file_that_is_no_report_or_no_chain_is_refused_in_words(files):
    with pytest.raises(Refused, match="PEM"):
        lesson.verify_file(files / "report.bin", files / "report.bin")
    with pytest.raises(Refused):
        lesson.verify_file(files / "chain.pem", files / "chain.pem")


def test_the_machine_that_runs_the_notebook_is_measured():
    text = lesson.here().text
    assert "measured here, GB/s" in text
    assert "256 KiB" in text
