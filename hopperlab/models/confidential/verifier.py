"""The verifier: seven questions to a report and its chain, and a named refusal for each.

The tenant's VM asks them before it gives a GPU anything. A broken verifier forgets one of them; see
``skip``, which is there for the lesson and for nothing else.
"""

import datetime
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from cryptography import x509

from hopperlab.models.confidential import report as spdm
from hopperlab.models.confidential.chain import certified_identity, check_chain, public_key, read_chain
from hopperlab.models.confidential.errors import (
    LyingFirmware,
    Refused,
    StaleReport,
    WrongMeasurement,
    WrongMode,
)
from hopperlab.models.confidential.keys import DIGEST_BYTES, check_signature
from hopperlab.models.confidential.trust import GENUINE, root_digest

TODAY = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
"""The day on which the lessons verify; pass ``datetime.datetime.now(datetime.UTC)`` for the real one."""


@dataclass(frozen=True)
class Policy:
    """What a verifier knows and accepts.

    Parameters
    ----------
    root
        SHA-384 of the root certificate it trusts.
    measurements
        Reference digest by block index; every one must be in the report. Empty: none are known, and the
        report's are believed (the check then passes and says so).
    modes
        Confidential modes it accepts, of ``report.MODES``.
    today
        With a time zone; certificates must be valid then.
    """

    root: bytes = field(default_factory=root_digest)
    measurements: Mapping[int, bytes] = field(default_factory=GENUINE.measurements)
    modes: tuple[str, ...] = ("SPT",)
    today: datetime.datetime = TODAY

    def __post_init__(self) -> None:
        """Refuse a policy that could not be checked against."""
        if len(self.root) != DIGEST_BYTES:
            raise ValueError(f"root has {len(self.root)} bytes; a SHA-384 digest has {DIGEST_BYTES}")
        if self.today.tzinfo is None:
            raise ValueError(f"today={self.today}: give it a time zone, certificates are dated in UTC")


@dataclass(frozen=True)
class Check:
    """One question, and what came of it. ``passed`` is None where it was not asked."""

    name: str
    question: str
    passed: bool | None
    said: str
    error: Refused | None = None


@dataclass
class _Evidence:
    """What is known while the checks run."""

    report: bytes
    chain: bytes
    nonce: bytes
    policy: Policy
    parsed: spdm.Report | None = None
    leaf: x509.Certificate | None = None


def verify(
    report: bytes, chain: bytes, *, nonce: bytes, policy: Policy | None = None, skip: Iterable[str] = ()
) -> tuple[Check, ...]:
    """Return the checks if all pass.

    Parameters
    ----------
    report, chain
        As they came from the GPU, in SPDM's layout.
    nonce
        The 32 bytes that the verifier itself drew for this request.
    policy
        By default this workbook's root and genuine firmware.
    skip
        Names of checks that a broken verifier forgets: for lessons only.

    Raises
    ------
    Refused
        The error of the first check that fails; each reason has a class of its own in ``errors``.
    TypeError, ValueError
        If the verifier's own arguments are wrong: no bytes, no 32-byte nonce, an unknown check.
    """
    checks = inspect(report, chain, nonce=nonce, policy=policy, skip=skip)
    for check in checks:
        if check.error is not None:
            raise check.error
    return checks


def inspect(
    report: bytes, chain: bytes, *, nonce: bytes, policy: Policy | None = None, skip: Iterable[str] = ()
) -> tuple[Check, ...]:
    """Ask all seven questions and return what came of each; the first refusal ends the asking.

    Arguments as for ``verify``; a refusal is not raised but is the ``error`` of its check.
    """
    skipped = frozenset(skip)
    unknown = sorted(skipped - set(CHECKS))
    if unknown:
        raise ValueError(f"skip names no check {unknown[0]!r}: there are {', '.join(CHECKS)}")
    for name, value in (("report", report), ("chain", chain), ("nonce", nonce)):
        if not isinstance(value, bytes | bytearray | memoryview):
            raise TypeError(f"{name} must be bytes, not {type(value).__name__}")
    if len(nonce) != spdm.NONCE_BYTES:
        raise ValueError(f"nonce has {len(nonce)} bytes; SPDM's has {spdm.NONCE_BYTES}")
    evidence = _Evidence(bytes(report), bytes(chain), bytes(nonce), policy or Policy())
    checks: list[Check] = []
    refused = False
    for name, (question, ask) in _QUESTIONS.items():
        if refused:
            checks.append(Check(name, question, None, "not reached"))
            continue
        try:
            said = ask(evidence, name in skipped)
        except Refused as error:
            refused = True
            checks.append(Check(name, question, False, str(error), error))
        else:
            passed = None if name in skipped else True
            checks.append(Check(name, question, passed, "forgotten" if name in skipped else said))
    return tuple(checks)


# --- The questions. Each returns what it found, or raises; a skipped one still reads what others need. ----


def _layout(evidence: _Evidence, skipped: bool) -> str:
    evidence.parsed = spdm.parse(evidence.report)
    return f"{len(evidence.parsed.blocks)} measurement blocks, {len(evidence.report)} bytes"


def _chain(evidence: _Evidence, skipped: bool) -> str:
    certificates = read_chain(evidence.chain)
    evidence.leaf = certificates[-1]
    public_key(evidence.leaf)
    if skipped:
        return ""
    check_chain(certificates, known_root=evidence.policy.root, today=evidence.policy.today)
    return f"{len(certificates)} certificates up to the known root"


def _signature(evidence: _Evidence, skipped: bool) -> str:
    if not skipped:
        parsed = evidence.parsed
        check_signature(public_key(evidence.leaf), parsed.signature, parsed.signed_bytes)
    return "by the key of the last certificate"


def _nonce(evidence: _Evidence, skipped: bool) -> str:
    found = evidence.parsed.nonce
    if not skipped and found != evidence.nonce:
        raise StaleReport(
            f"the report answers nonce {found[:4].hex()}.., asked was {evidence.nonce[:4].hex()}.."
        )
    return "this very request"


def _mode(evidence: _Evidence, skipped: bool) -> str:
    data = evidence.parsed.opaque_field(spdm.FEATURE_FLAG)
    # A report without the flag is from before there were several modes: a single GPU.
    mode = (
        "SPT" if data is None else spdm.MODES.get(int.from_bytes(data, "little"), f"unknown ({data.hex()})")
    )
    if not skipped and mode not in evidence.policy.modes:
        raise WrongMode(f"the GPU is in mode {mode}; accepted: {', '.join(evidence.policy.modes)}")
    return mode


def _identity(evidence: _Evidence, skipped: bool) -> str:
    told = evidence.parsed.opaque_field(spdm.FIRMWARE_ID)
    certified = certified_identity(evidence.leaf)
    if certified is None and told is None:
        return "neither report nor certificate names it"
    if not skipped and told != certified:
        names = [value[:4].hex() + ".." if value else "none" for value in (told, certified)]
        raise LyingFirmware(f"the report tells of firmware {names[0]}, the boot ROM certified {names[1]}")
    return "the one that the boot ROM certified"


def _measurements(evidence: _Evidence, skipped: bool) -> str:
    found = {block.index: block.value for block in evidence.parsed.blocks}
    for index, expected in evidence.policy.measurements.items():
        value = found.get(index, b"")
        if not skipped and value != expected:
            came = value[:4].hex() + ".." if value else "no such block"
            raise WrongMeasurement(f"block {index}: expected {expected[:4].hex()}.., measured {came}")
    count = len(evidence.policy.measurements)
    return f"{count} as expected" if count else "no reference values: believed as they are"


_QUESTIONS: dict[str, tuple[str, Callable[[_Evidence, bool], str]]] = {
    "layout": ("Is it a measurement report?", _layout),
    "chain": ("Does someone I know vouch for this key?", _chain),
    "signature": ("Did this key sign these bytes?", _signature),
    "nonce": ("Is it the answer to my question?", _nonce),
    "mode": ("Is confidential computing on?", _mode),
    "firmware identity": ("Did the boot ROM start the firmware that speaks?", _identity),
    "measurements": ("Is every component the genuine one?", _measurements),
}

CHECKS = tuple(_QUESTIONS)
"""The names of the checks, in the order in which they are made."""
