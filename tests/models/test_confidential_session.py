"""The session: stepped, taken back, attacked; and what its crossings cost."""

import dataclasses
import os
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.ledger import claim
from hopperlab.models import confidential as cc
from hopperlab.models.confidential import errors

TO_DEVICE, TO_HOST = cc.DIRECTIONS


def opened(**more) -> cc.Session:
    return cc.open_session(cc.SECRET, entropy=cc.LESSON_ENTROPY, **more)


def test_six_messages_shake_hands_and_each_copy_is_one_more():
    session = opened()
    assert session.plan[:6] == tuple(cc.HANDSHAKE)
    done = session.run()
    assert len(done.steps) == 9
    assert done.next is None
    assert done.error is None
    assert done.received == tuple((c.direction, c.payload) for c in cc.SECRET)


def test_both_ends_hold_the_same_keys_and_nothing_of_them_crossed_the_bus():
    done = opened().run()
    assert done.guest.secret == done.device.secret
    for direction in cc.DIRECTIONS:
        assert done.guest.channel(direction).key.fingerprint == done.device.channel(direction).key.fingerprint
    bus = b"".join(step.sent for step in done.steps)
    assert done.guest.secret not in bus
    assert not any(copy.payload in bus for copy in cc.SECRET)


def test_a_step_back_and_forward_gives_the_same_bytes():
    session, states = opened(), []
    while session.next is not None:
        states.append(session)
        session = session.step()
    for state in reversed(states):
        session = session.back()
        assert session == state
    assert session.step().steps == states[1].steps
    with pytest.raises(ValueError, match="no step to take back"):
        session.back()
    with pytest.raises(ValueError, match="has ended"):
        opened().run().step()


def test_a_session_of_one_s_own_entropy_differs_every_time():
    first, second = (cc.open_session(cc.SECRET, entropy=os.urandom(48)).run() for _ in range(2))
    assert first.steps[1].sent != second.steps[1].sent
    assert first.steps[6].sent != second.steps[6].sent
    assert first.received == second.received


@given(st.binary(max_size=300), st.integers(25, 120))
@settings(deadline=None, max_examples=25)
def test_a_payload_crosses_in_as_many_buffers_as_it_fills(payload, buffer_bytes):
    session = cc.open_session(
        [cc.Copy(TO_HOST, payload)], entropy=cc.LESSON_ENTROPY, buffer_bytes=buffer_bytes
    ).run()
    room = buffer_bytes - cc.OVERHEAD_BYTES
    assert len(session.received) == max(1, -(-len(payload) // room))
    assert b"".join(content for _, content in session.received) == payload
    assert all(len(step.sent) <= buffer_bytes for step in session.steps[6:])


def test_keys_are_rotated_on_the_way_and_both_ends_agree_when():
    done = cc.open_session(
        [cc.Copy(TO_DEVICE, bytes(400))], entropy=cc.LESSON_ENTROPY, buffer_bytes=64, key_limit=10
    ).run()
    assert done.error is None
    assert done.guest.channel(TO_DEVICE).generation == done.device.channel(TO_DEVICE).generation == 4
    assert b"".join(content for _, content in done.received) == bytes(400)


@pytest.mark.parametrize("name", cc.ATTACKS)
def test_every_attack_is_caught_by_its_own_error(name):
    attack = cc.ATTACKS[name]
    session = cc.try_attack(name)
    assert type(session.error) is (attack.caught_by or type(None))
    if attack.caught_by is not None:
        assert session.next is None
        assert session.steps[-1].said == str(session.error)


def test_no_two_attacks_are_caught_by_the_same_error():
    caught = [attack.caught_by for attack in cc.ATTACKS.values() if attack.caught_by]
    assert len(caught) == len(set(caught)) == len(cc.ATTACKS) - 1


def test_reading_tells_the_hypervisor_how_much_but_not_what():
    session = cc.try_attack("read")
    data = [step for step in session.steps if step.message is not None]
    assert [len(step.sent) - cc.OVERHEAD_BYTES for step in data] == [len(c.payload) for c in cc.SECRET]
    assert not any(step.message in step.sent for step in data)


def test_the_bounce_buffer_holds_the_last_copy_as_the_hypervisor_left_it():
    assert opened().buffer == bytes(4096)
    done = opened().run()
    assert done.buffer == done.steps[-1].sent.ljust(4096, b"\0")
    assert not any(copy.payload in done.buffer for copy in cc.SECRET)
    tampered = cc.try_attack("flip a bit")
    assert tampered.buffer != tampered.steps[-1].sent.ljust(4096, b"\0")
    assert (
        sum(bin(a ^ b).count("1") for a, b in zip(tampered.buffer, tampered.steps[-1].sent, strict=False))
        == 1
    )


def test_an_attack_that_is_refused_before_the_finish_leaves_no_keys():
    for name in ("swap the firmware", "forge the chain", "stand in the middle"):
        session = cc.try_attack(name)
        assert session.guest.channels == ()
        assert session.received == ()


def test_one_flipped_bit_stops_the_session_at_any_message():
    session = opened()
    while session.next is not None:
        for bit in (0, 100):
            attacked = session.step(cc.flip_bit(bit)).run()
            assert attacked.error is not None or attacked.received != opened().run().received
            assert attacked.error is not None
        session = session.step()


def test_silence_ends_a_handshake_and_shows_up_in_a_channel_with_the_next_message():
    assert isinstance(opened().step(cc.hold_back).error, errors.NothingCame)
    session = opened()
    while session.next in cc.HANDSHAKE:
        session = session.step()
    assert isinstance(session.step(cc.hold_back).step().error, errors.OutOfOrderMessage)


def test_a_man_in_the_middle_with_a_chain_of_his_own_fails_at_the_root():
    session = cc.open_session(cc.SECRET, gpu=cc.forged_gpu(), entropy=cc.LESSON_ENTROPY).run()
    assert [step.error is None for step in session.steps] == [True] * 4 + [False]
    assert isinstance(session.error, errors.UntrustedRoot)
    assert session.steps[-1].checks[1].passed is False


def test_a_tool_that_finds_nothing_to_work_on_says_so():
    with pytest.raises(ValueError, match="nothing to replay"):
        opened().step(cc.replay)
    with pytest.raises(ValueError, match="the message has bits 0 to"):
        opened().step(cc.flip_bit(10**9))
    with pytest.raises(ValueError, match="the attacks are 'read'"):
        cc.try_attack("bribe")


def test_sessions_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="48 or more"):
        cc.open_session(entropy=b"short")
    with pytest.raises(TypeError, match="entropy must be bytes, not int"):
        cc.open_session(entropy=48)
    with pytest.raises(TypeError, match="payload must be bytes, not str"):
        cc.open_session([cc.Copy(TO_DEVICE, "text")], entropy=cc.LESSON_ENTROPY)
    with pytest.raises(ValueError, match="counter and tag alone take 24"):
        cc.open_session(entropy=cc.LESSON_ENTROPY, buffer_bytes=24)
    with pytest.raises(ValueError, match="direction='up'"):
        cc.open_session([cc.Copy("up", b"")], entropy=cc.LESSON_ENTROPY)


# --- Layer by layer ---------------------------------------------------------------------------------


def test_each_layer_stops_what_the_one_below_let_through():
    succeeded = {
        layer: {o.attack for o in cc.matrix() if o.layer == layer and o.succeeded} for layer in cc.LAYERS
    }
    assert succeeded == {
        "plain": {"read", "change", "replay", "reorder"},
        "encrypted": {"change", "replay", "reorder"},
        "authenticated": {"replay", "reorder"},
        "counted": set(),
    }


def test_a_bit_flipped_through_a_cipher_without_a_tag_arrives_where_it_was_aimed():
    outcome = cc.attack_layer("encrypted", "change")
    assert outcome.arrived[0] == b"pay 900 to Alice"
    with pytest.raises(ValueError, match="the layers are"):
        cc.attack_layer("hidden", "read")
    with pytest.raises(ValueError, match="the attacks are"):
        cc.attack_layer("plain", "bribe")


# --- Cost -------------------------------------------------------------------------------------------

PLAIN = cc.bus_path()
ENCRYPTED = cc.bus_path(encrypt_bytes_per_s=3e9, decrypt_bytes_per_s=30e9, fixed_s=10e-6)


def test_a_copy_one_after_another_pays_for_every_stage():
    nbytes = 2**30
    expected = 1024 * 10e-6 + nbytes * (1 / 3e9 + 1 / 64e9 + 1 / 30e9)
    assert cc.copy_seconds(nbytes, ENCRYPTED) == pytest.approx(expected)
    assert cc.copy_seconds(0, ENCRYPTED) == 0


@given(st.floats(1, 1e10), st.integers(64, 2**24))
def test_a_pipeline_is_never_slower_and_never_faster_than_its_slowest_stage(nbytes, chunk_bytes):
    serial = dataclasses.replace(ENCRYPTED, chunk_bytes=chunk_bytes)
    pipelined = dataclasses.replace(serial, pipelined=True)
    together = cc.copy_seconds(nbytes, pipelined)
    assert together <= cc.copy_seconds(nbytes, serial) * (1 + 1e-9)
    assert together >= nbytes / min(ENCRYPTED.rates) * (1 - 1e-9)


def test_overhead_follows_the_crossings_and_not_the_flops():
    overheads = [cc.overhead(workload, ENCRYPTED, PLAIN) for workload in cc.WORKLOADS]
    fits, prompt, swaps, trains = overheads
    assert max(fits, prompt) < 0.01
    assert min(swaps, trains) > 1
    doubled = dataclasses.replace(cc.WORKLOADS[0], compute_s=2 * cc.WORKLOADS[0].compute_s)
    assert cc.overhead(doubled, ENCRYPTED, PLAIN) < fits


def test_gpus_that_exchange_through_the_host_pay_twice():
    through_host = cc.exchange_seconds(1e9, ENCRYPTED)
    assert through_host == pytest.approx(2 * cc.copy_seconds(1e9, ENCRYPTED))
    plain = cc.exchange_seconds(1e9, ENCRYPTED, nvlink=cc.nvlink_path())
    announced = cc.nvlink_path(encrypt_bytes_per_s=450e9, decrypt_bytes_per_s=450e9)
    assert plain == pytest.approx(1 / 450)
    assert plain < cc.exchange_seconds(1e9, ENCRYPTED, nvlink=announced) < through_host / 100


def test_published_overheads_disagree_and_each_names_its_claim():
    least, most = cc.disagreement()
    assert least.slowdown[0] < 1 < most.slowdown[1]
    assert most.slowdown[1] == pytest.approx(claim("conf-042").number)
    assert len({row.claim for row in cc.PUBLISHED}) == len(cc.PUBLISHED)
    assert all(row.slowdown[0] <= row.slowdown[1] for row in cc.PUBLISHED)
    with pytest.raises(ValueError, match="rows is empty"):
        cc.disagreement(())


def test_published_overheads_are_bounds_where_their_claims_are():
    for row in cc.PUBLISHED:
        assert row.at_most == (claim(row.claim).relation in ("<", "<="))
        assert row.percent_low == row.percent_high or claim(row.claim).relation == "range"


def test_half_the_throughput_lost_is_twice_the_time():
    row = dataclasses.replace(cc.PUBLISHED[0], percent_low=50.0, percent_high=50.0)
    assert row.slowdown == (2.0, 2.0)
    assert dataclasses.replace(row, of="time").slowdown == (1.5, 1.5)


def test_announced_and_shipped_stand_apart():
    assert {a.name for a in cc.ARRANGEMENTS} >= {"one GPU", "several GPUs", "MIG instances"}
    several = next(a for a in cc.ARRANGEMENTS if a.name == "several GPUs")
    assert "NVLink encrypted" in several.announced
    assert "NVLink" not in several.shipped


def test_paths_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="chunk_bytes=0: it must be above 0"):
        cc.bus_path(chunk_bytes=0)
    with pytest.raises(ValueError, match="fixed_s=-1"):
        cc.bus_path(fixed_s=-1)
    with pytest.raises(ValueError, match="nbytes=-1"):
        cc.copy_seconds(-1, PLAIN)


def test_throughput_is_bytes_over_the_clock_s_seconds():
    ticks = iter(range(1000))
    measured = cc.measure_aes(lambda: next(ticks), 1000, rounds=3, round_s=4)
    assert measured.samples == (750.0, 750.0, 750.0)
    assert measured.bytes_per_s == 750.0


def test_this_machine_encrypts_at_a_rate_that_a_machine_can_have():
    assert 1e6 < cc.measure_aes(time.perf_counter, 2**16, rounds=1, round_s=0.005).bytes_per_s < 1e12
    for wrong in ({"message_bytes": 0}, {"rounds": 0}, {"round_s": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            cc.measure_aes(time.perf_counter, **wrong)
