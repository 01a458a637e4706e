"""Verifiers that forgot one check, and a bench of reports to find out which: real signatures throughout."""

from dataclasses import dataclass
from functools import lru_cache

from hopperlab.models.confidential import (
    GENUINE,
    Check,
    Gpu,
    boot,
    build_device,
    encode_request,
    forged_gpu,
    inspect,
    parse,
    swapped_firmware,
)

NONCE = b"a question asked just now".ljust(32, b".")
OLD_NONCE = b"a question of last week".ljust(32, b".")

KINDS = {
    "genuine": "a report of a genuine GPU, in answer to this request",
    "edited": "the same, with one bit changed after it was signed",
    "old": "a genuine report of last week",
    "forged chain": "right names, right measurements, another maker's root",
    "wrong mode": "a genuine GPU that was started in another mode",
    "swapped firmware": "firmware with a back door that tells of itself",
    "lying firmware": "firmware with a back door that tells of genuine firmware",
}
"""The bench: what each report is."""

CHECKED_BY = {
    "edited": "signature",
    "old": "nonce",
    "forged chain": "chain",
    "wrong mode": "mode",
    "swapped firmware": "measurements",
    "lying firmware": "firmware identity",
}
"""The check of the verifier that is there for each bad report."""

FORGETTABLE = ("chain", "signature", "nonce", "mode", "firmware identity", "measurements")


@lru_cache
def evidence(kind: str) -> tuple[bytes, bytes]:
    """A report of the bench and its chain.

    Raises
    ------
    ValueError
        If the bench has no such report.
    """
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r}: the bench has {', '.join(map(repr, KINDS))}")
    gpu = _gpu(kind)
    report = gpu.attest(encode_request(OLD_NONCE if kind == "old" else NONCE))
    return (_edited(report) if kind == "edited" else report), gpu.chain


def _gpu(kind: str) -> Gpu:
    genuine = boot(build_device())
    if kind == "forged chain":
        return forged_gpu()
    if kind == "wrong mode":
        return Gpu(genuine.device, GENUINE, GENUINE, mode="MPT")
    if kind in ("swapped firmware", "lying firmware"):
        return swapped_firmware(genuine, lying=kind == "lying firmware")
    return genuine


def _edited(report: bytes) -> bytes:
    """One bit of the last measurement block, which no reference value covers: only the signature does."""
    last = parse(report).blocks[-1].value
    at = report.rindex(last, 0, report.rindex(b"workbook"))
    return report[:at] + bytes([report[at] ^ 1]) + report[at + 1 :]


@lru_cache
def checks(kind: str, forgotten: str) -> tuple[Check, ...]:
    """What a verifier that forgot a check (empty: none) says to each question about a report of the bench."""
    report, chain = evidence(kind)
    return inspect(report, chain, nonce=NONCE, skip=[forgotten] if forgotten else [])


@dataclass(frozen=True, repr=False)
class Verifier:
    """A verifier under test: called with a kind of report, it accepts or refuses."""

    forgotten: str = ""

    def __call__(self, kind: str) -> bool:
        """Whether it accepts that report of the bench; ValueError for a kind that the bench does not have."""
        return all(check.passed is not False for check in checks(kind, self.forgotten))

    def __repr__(self) -> str:
        """Not what it forgot: that is to be found."""
        return "verifier"
