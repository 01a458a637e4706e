"""The channel: known answers, IVs that cannot be used twice, and a receiver that counts."""

import copy
import pickle
import random

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.models import confidential as cc
from hopperlab.models.confidential import errors, keys

TO_DEVICE, TO_HOST = cc.DIRECTIONS

# AES-256 test cases 13 to 16 of McGrew and Viega, as NIST's GCM vectors have them: key, IV, plaintext,
# associated data, ciphertext, tag.
KEY_15 = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
PLAIN_15 = (
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
    "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"
)
CIPHER_15 = (
    "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
    "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad"
)
KNOWN_ANSWERS = [
    ("00" * 32, "00" * 12, "", "", "", "530f8afbc74536b9a963b4f1c4cb738b"),
    (
        "00" * 32,
        "00" * 12,
        "00" * 16,
        "",
        "cea7403d4d606b6e074ec5d3baf39d18",
        "d0d1c8a799996bf0265b98b5d48ab919",
    ),
    (KEY_15, "cafebabefacedbaddecaf888", PLAIN_15, "", CIPHER_15, "b094dac5d93471bdec1a502270e3cc6c"),
    (
        KEY_15,
        "cafebabefacedbaddecaf888",
        PLAIN_15[:120],
        "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        CIPHER_15[:120],
        "76fc6ece0f4e1768cddf8853bb2d551b",
    ),
]


@pytest.mark.parametrize("vector", KNOWN_ANSWERS)
def test_the_cipher_gives_nist_s_known_answers(vector):
    key, iv, plain, associated, cipher, tag = (bytes.fromhex(text) for text in vector)
    assert AESGCM(key).encrypt(iv, plain, associated or None) == cipher + tag


def test_a_traffic_key_gives_the_known_answer_for_its_first_iv():
    key = cc.TrafficKey(bytes(32), TO_DEVICE)
    assert key.iv(0) == bytes(12)
    assert key.seal(0, bytes(16))[8:].hex() == KNOWN_ANSWERS[1][4] + KNOWN_ANSWERS[1][5]


def fresh(direction: str = TO_DEVICE, **more) -> tuple[cc.Channel, cc.Channel]:
    """Both ends of a channel under a key that nobody has used."""
    raw = AESGCM.generate_key(256)
    return tuple(cc.Channel(cc.TrafficKey(raw, direction), **more) for _ in range(2))


# --- IVs --------------------------------------------------------------------------------------------


def test_directions_have_different_keys_and_ivs():
    both = cc.traffic_keys(bytes(48), b"context")
    assert both[TO_DEVICE].fingerprint != both[TO_HOST].fingerprint
    assert both[TO_DEVICE].iv(5) != both[TO_HOST].iv(5)
    assert len(both[TO_DEVICE].iv(5)) == 12


def test_stepping_back_does_not_give_an_iv_back():
    sender, _ = fresh()
    sender.send(b"first")
    with pytest.raises(errors.NonceReuse, match="counter 0 of this host to device key"):
        sender.send(b"something else")
    assert sender.send(b"first") == sender.send(b"first")


@given(st.lists(st.binary(max_size=40), min_size=2, max_size=6))
@settings(deadline=None)
def test_no_way_through_the_api_seals_two_messages_under_one_iv(messages):
    raw = AESGCM.generate_key(256)
    sealed: dict[bytes, set[bytes]] = {}
    for message in messages:
        holders = (
            cc.TrafficKey(raw, TO_DEVICE),
            cc.Channel(cc.TrafficKey(raw, TO_DEVICE)).key,
            cc.Channel(cc.TrafficKey(raw, TO_DEVICE), counter=0).key,
        )
        for holder in holders:
            try:
                envelope = holder.seal(0, message)
            except errors.NonceReuse:
                continue
            sealed.setdefault(holder.iv(0), set()).add(envelope)
    assert all(len(envelopes) == 1 for envelopes in sealed.values())


def test_a_key_is_neither_shown_nor_copied():
    key = cc.TrafficKey(bytes(range(32)), TO_HOST)
    assert repr(key) == "TrafficKey('device to host')"
    for way in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="does not leave"):
            way(key)


def test_the_same_entropy_with_other_copies_makes_other_keys():
    first, second = (
        cc.open_session([cc.Copy(TO_DEVICE, payload)], entropy=cc.LESSON_ENTROPY).run()
        for payload in (b"one", b"two")
    )
    fingerprints = {s.guest.channel(TO_DEVICE).key.fingerprint for s in (first, second)}
    assert len(fingerprints) == 2


def test_counters_and_keys_out_of_range_are_refused():
    key = cc.TrafficKey(AESGCM.generate_key(256), TO_DEVICE)
    for counter in (-1, 2**64):
        with pytest.raises(errors.CounterExhausted, match="0 to 2"):
            key.seal(counter, b"")
    with pytest.raises(ValueError, match="AES-256 takes 32"):
        cc.TrafficKey(bytes(16), TO_DEVICE)
    with pytest.raises(ValueError, match="there are 'host to device'"):
        cc.TrafficKey(bytes(32), "sideways")


# --- The receiver -----------------------------------------------------------------------------------


@given(st.lists(st.binary(max_size=60), max_size=5))
@settings(deadline=None)
def test_what_is_sent_is_received_in_order(messages):
    sender, receiver = fresh()
    for message in messages:
        sender, envelope = sender.send(message)
        assert message not in envelope[8:-16] or len(message) < 4
        receiver, opened = receiver.receive(envelope)
        assert opened == message
    assert sender.counter == receiver.counter == len(messages)
    assert sender.worked == receiver.worked


def test_replay_reorder_and_loss_have_their_own_errors():
    sender, receiver = fresh()
    sender, first = sender.send(b"first")
    _, second = sender.send(b"second")
    with pytest.raises(errors.OutOfOrderMessage, match="counter 1 has come before 0"):
        receiver.receive(second)
    after, _ = receiver.receive(first)
    with pytest.raises(errors.ReplayedMessage, match="counter 0 has been received"):
        after.receive(first)


def test_an_envelope_of_the_other_direction_or_too_short_is_tampered_with():
    raw = AESGCM.generate_key(256)
    envelope = cc.TrafficKey(raw, TO_DEVICE).seal(0, b"message")
    with pytest.raises(errors.TamperedMessage):
        cc.TrafficKey(raw, TO_HOST).open(envelope)
    for length in range(len(envelope)):
        with pytest.raises(errors.TamperedMessage):
            cc.TrafficKey(raw, TO_DEVICE).open(envelope[:length])


def flips_refused(count: int, seed: int) -> int:
    sender, receiver = fresh()
    _, envelope = sender.send(bytes(range(256)) * 4)
    random_bits = random.Random(seed)
    refused = 0
    for _ in range(count):
        bit = random_bits.randrange(8 * len(envelope))
        changed = bytearray(envelope)
        changed[bit // 8] ^= 0x80 >> bit % 8
        with pytest.raises(errors.TamperedMessage):
            receiver.receive(bytes(changed))
        refused += 1
    return refused


def test_ten_thousand_random_bits_of_an_envelope_are_all_refused():
    assert flips_refused(10_000, seed=256) == 10_000


# --- Rotation ---------------------------------------------------------------------------------------


def test_the_rotation_law():
    assert cc.rotation_blocks() == cc.rotation_blocks(60) == 24_296_003_999
    for exponent in cc.ADVANTAGES_LOG2:
        assert abs(cc.rotation_blocks(exponent) - (2 ** ((129 - exponent) / 2) - 1)) <= 1
    assert cc.rotation_blocks(50) * 16 == pytest.approx(12.4e12, rel=0.01)
    assert cc.rotation_blocks(65) * 16 == pytest.approx(68.7e9, rel=0.001)
    assert cc.rotation_blocks() - cc.EARLY_BLOCKS == 23_296_003_999


def test_small_messages_wear_a_key_out_sooner():
    sizes = [16, 4096, 4 * 2**20]
    limits = [cc.bytes_per_key(size) for size in sizes]
    assert limits == sorted(limits)
    assert limits[0] == pytest.approx(limits[-1] / 2, rel=0.001)
    assert limits[-1] == pytest.approx(388.7e9, rel=0.001)
    assert limits[-1] / 140e9 == pytest.approx(2.78, abs=0.01)


def test_a_rotation_exponent_that_the_driver_has_not_is_refused():
    for exponent in (49, 66):
        with pytest.raises(ValueError, match="takes 50 to 65"):
            cc.rotation_blocks(exponent)
    with pytest.raises(TypeError, match="whole number"):
        cc.rotation_blocks(60.0)
    with pytest.raises(ValueError, match="at least one byte"):
        cc.bytes_per_key(0)
    with pytest.raises(ValueError, match="negative"):
        cc.work(-1, 1)


def test_a_worn_out_key_encrypts_no_more_until_it_is_rotated():
    sender, receiver = fresh(limit=5)
    sender, envelope = sender.send(bytes(48))
    receiver, _ = receiver.receive(envelope)
    with pytest.raises(errors.KeyWornOut, match="its limit is 5"):
        sender.send(bytes(16))
    sender, receiver = sender.ready_for(16), receiver.ready_for(16)
    assert sender.generation == receiver.generation == 1
    assert receiver.receive(sender.send(bytes(16))[1])[1] == bytes(16)
    with pytest.raises(errors.TamperedMessage):
        receiver.receive(envelope)


# --- Key agreement ----------------------------------------------------------------------------------


def test_both_ends_agree_and_a_third_does_not():
    mine, yours, other = (keys.private_key(bytes([n]) * 48, "share") for n in range(3))
    secret = keys.agree(mine, keys.share(yours))
    assert secret == keys.agree(yours, keys.share(mine))
    assert secret != keys.agree(other, keys.share(yours))
    assert len(secret) == 48


@pytest.mark.parametrize("raw", [b"", bytes(96), bytes(95), b"\x01" * 96])
def test_a_share_that_is_no_point_of_p384_is_refused(raw):
    mine = keys.private_key(bytes(48), "share")
    with pytest.raises(errors.WrongCurve):
        keys.agree(mine, raw)


def test_hkdf_gives_rfc_5869_its_separation():
    outputs = {keys.derive(b"secret", label, context) for label in "ab" for context in (b"", b"x")}
    assert len(outputs) == 4
    assert len(keys.derive(b"secret", "long", length=100)) == 100
