"""Attestation: the report's layout, the chain, and a verifier that names its reason."""

import dataclasses
import datetime
import random

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.models import confidential as cc
from hopperlab.models.confidential import errors, keys, report, trust, verifier

NONCE = bytes(range(32))
GPU = cc.boot(cc.build_device())
REPORT = GPU.attest(cc.encode_request(NONCE))
CHAIN = GPU.chain
CERTIFICATES = (*GPU.device.certificates, cc.read_chain(CHAIN)[-1].public_bytes(serialization.Encoding.DER))


def verify(report_bytes=REPORT, chain=CHAIN, nonce=NONCE, **more):
    return cc.verify(report_bytes, chain, nonce=nonce, **more)


# --- The layout -------------------------------------------------------------------------------------


def test_the_report_has_spdm_s_fields_at_spdm_s_places():
    assert REPORT[:4] == bytes([0x11, 0xE0, 0x01, 0xFF])
    assert REPORT[4:36] == NONCE
    answer = REPORT[37:]
    assert answer[:5] == bytes([0x11, 0x60, 0, 0, 64])
    assert int.from_bytes(answer[5:8], "little") == 64 * 55 == 3520
    first = answer[8 : 8 + 55]
    assert first[:7] == bytes([1, 0x01, 51, 0, 0, 48, 0])
    assert first[7:] == keys.digest(cc.GENUINE.boot_rom)
    opaque_length = int.from_bytes(answer[8 + 3520 + 32 :][:2], "little")
    assert len(REPORT) == 37 + 8 + 3520 + 32 + 2 + opaque_length + 96


def test_the_public_gh100_report_s_size_follows_from_the_layout():
    assert 37 + 8 + 64 * 55 + 32 + 2 + 422 + 96 == 4117


def test_reading_and_writing_are_inverse():
    parsed = cc.parse(REPORT)
    assert parsed.encode() == REPORT
    assert cc.parse(parsed.encode()) == parsed
    assert parsed.measured() == cc.GENUINE.measurements()
    assert len(parsed.measured()) == 5


digests = st.binary(min_size=48, max_size=48)


@given(
    st.lists(st.tuples(st.integers(0, 255), digests), min_size=0, max_size=8),
    st.lists(st.tuples(st.integers(0, 2**16 - 1), st.binary(max_size=40)), max_size=4),
    st.integers(0, 7),
    st.binary(min_size=96, max_size=96),
)
@settings(deadline=None)
def test_any_report_survives_a_round_trip(blocks, opaque, slot, signature):
    made = cc.Report(
        NONCE,
        slot,
        tuple(cc.Block(i, kind, value) for i, (kind, value) in enumerate(blocks, start=1)),
        NONCE,
        tuple(opaque),
        signature,
    )
    assert cc.parse(made.encode()) == made


@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_refused_as_malformed(data):
    with pytest.raises(errors.MalformedReport):
        cc.parse(data)
    with pytest.raises(errors.MalformedChain):
        cc.read_chain(data)


@given(st.integers(0, len(REPORT) - 1))
@settings(deadline=None)
def test_a_report_cut_short_anywhere_is_malformed(length):
    with pytest.raises(errors.MalformedReport):
        verify(REPORT[:length])


def test_a_malformed_report_says_which_field_and_where():
    with pytest.raises(errors.MalformedReport, match="signature: 96 bytes are announced at offset"):
        cc.parse(REPORT[:-1])
    with pytest.raises(errors.MalformedReport, match="1 bytes are left over"):
        cc.parse(REPORT + b"\0")
    wrong_version = b"\x12" + REPORT[1:]
    with pytest.raises(errors.MalformedReport, match="version of the request: expected 0x11, found 0x12"):
        cc.parse(wrong_version)
    with pytest.raises(TypeError, match="must be the report's bytes"):
        cc.parse("report")


# --- The verifier -----------------------------------------------------------------------------------


def test_a_genuine_report_passes_all_seven_checks():
    checks = verify()
    assert tuple(check.name for check in checks) == cc.CHECKS
    assert len(cc.CHECKS) == 7
    assert all(check.passed for check in checks)


def forged(**changes) -> bytes:
    """A report with some fields changed and signed again by the GPU itself."""
    changed = dataclasses.replace(cc.parse(REPORT), **changes)
    return dataclasses.replace(changed, signature=keys.sign(GPU.key, changed.signed_bytes)).encode()


def test_each_reason_has_its_own_error():
    other = cc.boot(cc.build_device(maker="forger"))
    evil = cc.Firmware(firmware=b"back door")
    swapped, lying = cc.boot(GPU.device, evil), cc.boot(GPU.device, evil, told=cc.GENUINE)
    request = cc.encode_request(NONCE)
    cases = [
        (errors.MalformedReport, REPORT[:-1], CHAIN, NONCE),
        (errors.MalformedChain, REPORT, CHAIN[:-1], NONCE),
        (errors.UntrustedRoot, other.attest(request), other.chain, NONCE),
        (errors.BadSignature, REPORT[:-1] + bytes([REPORT[-1] ^ 1]), CHAIN, NONCE),
        (errors.StaleReport, REPORT, CHAIN, bytes(32)),
        (errors.WrongMode, dataclasses.replace(GPU, mode="PPCIE").attest(request), CHAIN, NONCE),
        (errors.LyingFirmware, lying.attest(request), lying.chain, NONCE),
        (errors.WrongMeasurement, swapped.attest(request), swapped.chain, NONCE),
    ]
    for expected, report_bytes, chain, nonce in cases:
        with pytest.raises(errors.Refused) as caught:
            verify(report_bytes, chain, nonce)
        assert type(caught.value) is expected


def test_inspection_stops_at_the_first_refusal_and_says_so():
    checks = cc.inspect(REPORT, CHAIN, nonce=bytes(32))
    assert [check.passed for check in checks] == [True, True, True, False, None, None, None]
    assert isinstance(checks[3].error, errors.StaleReport)
    assert checks[4].said == "not reached"


@pytest.mark.parametrize("forgotten", [name for name in cc.CHECKS if name != "layout"])
def test_a_verifier_that_forgets_one_check_lets_just_that_attack_through(forgotten):
    attacks = {
        "chain": (lambda: cc.boot(cc.build_device(maker="forger")), NONCE),
        "nonce": (lambda: GPU, b"an old nonce".ljust(32)),
        "mode": (lambda: dataclasses.replace(GPU, mode="MPT"), NONCE),
        "firmware identity": (lambda: cc.swapped_firmware(GPU, lying=True), NONCE),
        "measurements": (lambda: cc.swapped_firmware(GPU), NONCE),
    }
    for name, (gpu, asked) in attacks.items():
        evidence = gpu().attest(cc.encode_request(asked)), gpu().chain
        if name == forgotten:
            assert cc.verify(*evidence, nonce=NONCE, skip=[forgotten])
        else:
            with pytest.raises(errors.Refused):
                cc.verify(*evidence, nonce=NONCE, skip=[forgotten])
    edited = bytearray(REPORT)
    edited[80] ^= 1  # a measurement, so only the signature and the reference values can tell
    if forgotten == "signature":
        with pytest.raises(errors.WrongMeasurement):
            cc.verify(bytes(edited), CHAIN, nonce=NONCE, skip=["signature"])
    else:
        with pytest.raises(errors.BadSignature):
            cc.verify(bytes(edited), CHAIN, nonce=NONCE, skip=[forgotten])


def test_without_reference_values_the_report_is_believed_and_the_check_says_so():
    policy = cc.Policy(measurements={})
    gpu = cc.swapped_firmware(GPU)
    checks = cc.verify(gpu.attest(cc.encode_request(NONCE)), gpu.chain, nonce=NONCE, policy=policy)
    assert "believed" in checks[-1].said


def test_a_verifier_s_own_mistakes_are_told_apart_from_refusals():
    with pytest.raises(ValueError, match="nonce has 3 bytes"):
        verify(nonce=b"abc")
    with pytest.raises(TypeError, match="chain must be bytes, not str"):
        verify(chain="chain")
    with pytest.raises(ValueError, match="skip names no check 'nonse'"):
        verify(skip=["nonse"])
    with pytest.raises(ValueError, match="time zone"):
        cc.Policy(today=datetime.datetime(2026, 1, 1))
    with pytest.raises(ValueError, match="root has 3 bytes"):
        cc.Policy(root=b"abc")
    with pytest.raises(ValueError, match="slot=9"):
        cc.encode_request(NONCE, slot=9)


# --- Chains -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", range(5))
def test_a_chain_with_any_certificate_missing_is_truncated(missing):
    kept = tuple(der for place, der in enumerate(CERTIFICATES) if place != missing)
    with pytest.raises(errors.TruncatedChain):
        verify(chain=cc.encode_chain(kept))


def test_an_expired_certificate_and_one_not_yet_valid_are_refused():
    for today in (
        datetime.datetime(2060, 1, 1, tzinfo=datetime.UTC),
        datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC),
    ):
        with pytest.raises(errors.ExpiredCertificate, match="valid from 2022-03-22 to 2052-03-22"):
            verify(policy=cc.Policy(today=today))


def certificate(subject, issuer, key, issuer_key, *, ca, path_length=None) -> bytes:
    builder = (
        x509.CertificateBuilder()
        .subject_name(trust._name(subject))
        .issuer_name(trust._name(issuer))
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(trust.VALID_FROM)
        .not_valid_after(trust.VALID_UNTIL)
        .add_extension(x509.BasicConstraints(ca, path_length), critical=True)
    )
    return builder.sign(issuer_key, hashes.SHA384()).public_bytes(serialization.Encoding.DER)


@pytest.mark.parametrize(
    ("key", "curve"),
    [(ec.generate_private_key(ec.SECP256R1()), "secp256r1"), (rsa.generate_private_key(65537, 2048), "RSA")],
)
def test_a_key_that_is_not_on_p384_is_refused(key, curve):
    leaf = certificate("GPU firmware", "Boot ROM", key, GPU.device.boot_key, ca=False)
    with pytest.raises(errors.WrongCurve, match=curve):
        verify(chain=cc.encode_chain((*GPU.device.certificates, leaf)))


def test_firmware_cannot_sign_certificates_of_its_own():
    own = keys.private_key(b"whatever".ljust(48), "own")
    extra = certificate("GPU firmware", "GPU firmware", own, GPU.key, ca=False)
    with pytest.raises(errors.NotAnAuthority, match="is no authority"):
        verify(chain=cc.encode_chain((*CERTIFICATES, extra)))


def test_an_authority_cannot_make_more_authorities_than_it_may():
    own = keys.private_key(b"whatever".ljust(48), "own")
    extra = certificate("Another ROM", "Boot ROM", own, GPU.device.boot_key, ca=True)
    leaf = certificate("GPU firmware", "Another ROM", GPU.key, own, ca=False)
    with pytest.raises(errors.NotAnAuthority, match="3 authorities below it, here are 4"):
        verify(chain=cc.encode_chain((*GPU.device.certificates, extra, leaf)))


def test_a_certificate_signed_by_another_key_breaks_the_chain():
    leaf = certificate("GPU firmware", "Boot ROM", GPU.key, GPU.key, ca=False)
    with pytest.raises(errors.BrokenChain, match="was not signed by CN=Boot ROM"):
        verify(chain=cc.encode_chain((*GPU.device.certificates, leaf)))


def test_a_chain_of_the_right_names_from_another_maker_ends_at_an_unknown_root():
    forger = cc.build_device(maker="forger")
    names = [c.subject for c in cc.read_chain(cc.boot(forger).chain)]
    assert names == [c.subject for c in cc.read_chain(CHAIN)]
    with pytest.raises(errors.UntrustedRoot):
        verifier.check_chain(
            cc.read_chain(cc.boot(forger).chain), known_root=cc.root_digest(), today=cc.TODAY
        )


def test_a_chain_can_be_read_from_pem_in_either_order():
    pems = [
        x509.load_der_x509_certificate(der).public_bytes(serialization.Encoding.PEM) for der in CERTIFICATES
    ]
    assert cc.chain_from_pem(b"".join(pems)) == CHAIN
    assert cc.chain_from_pem(b"".join(reversed(pems))) == CHAIN
    for bad in (b"", b"no certificate", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"):
        with pytest.raises(errors.MalformedChain):
            cc.chain_from_pem(bad)


def test_the_root_of_trust_ties_the_key_to_the_firmware_and_the_fuses():
    evil = cc.swapped_firmware(GPU, lying=True)
    assert keys.share(evil.key) != keys.share(GPU.key)
    assert evil.chain != CHAIN
    other = cc.boot(cc.build_device("GPU 1"))
    assert keys.share(other.key) != keys.share(GPU.key)
    assert cc.verify(other.attest(cc.encode_request(NONCE)), other.chain, nonce=NONCE)


# --- Ten thousand bits ------------------------------------------------------------------------------


def flip(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 0x80 >> bit % 8
    return bytes(changed)


def refused_after_flipping(bit: int) -> str:
    """The error's name after flipping one bit of report and chain laid end to end."""
    split = 8 * len(REPORT)
    report_bytes = flip(REPORT, bit) if bit < split else REPORT
    chain = CHAIN if bit < split else flip(CHAIN, bit - split)
    with pytest.raises(errors.Refused) as caught:
        verify(report_bytes, chain)
    return type(caught.value).__name__


def test_three_hundred_random_bits_of_report_and_chain_are_all_refused():
    bits = random.Random(384).sample(range(8 * (len(REPORT) + len(CHAIN))), 300)
    seen = {refused_after_flipping(bit) for bit in bits}
    assert {"BadSignature", "MalformedReport", "MalformedChain", "BrokenChain"} <= seen


@pytest.mark.exhaustive
def test_ten_thousand_random_bits_of_report_and_chain_are_all_refused():
    bits = random.Random(10_000).sample(range(8 * (len(REPORT) + len(CHAIN))), 10_000)
    assert len({refused_after_flipping(bit) for bit in bits}) >= 4


@pytest.mark.exhaustive
def test_every_single_bit_of_the_chain_is_refused():
    split = 8 * len(REPORT)
    seen = {refused_after_flipping(bit) for bit in range(split, split + 8 * len(CHAIN))}
    assert seen <= {"MalformedChain", "BrokenChain", "TruncatedChain", "WrongCurve", "ExpiredCertificate"}


def test_a_signature_may_not_call_its_last_bits_unused():
    at = CHAIN.index(CERTIFICATES[3]) + len(CERTIFICATES[3])
    signature = x509.load_der_x509_certificate(CERTIFICATES[3]).signature
    unused_bits = 8 * (at - len(signature) - 1)
    for bit in range(8):
        assert refused_after_flipping(8 * len(REPORT) + unused_bits + bit) == "MalformedChain"


def test_every_bit_of_the_chain_s_header_and_of_the_report_s_request_is_refused():
    split = 8 * len(REPORT)
    for bit in (*range(8 * 4), *range(8 * 32, 8 * report.REQUEST_BYTES), *range(split, split + 8 * 12)):
        refused_after_flipping(bit)
