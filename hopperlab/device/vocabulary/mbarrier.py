"""mbarrier: barriers in shared memory that count arrivals and bytes.

A phase completes when no arrival is pending and all expected bytes have come; waiting names a phase by its
parity, 0 for the first. Names follow the mbarrier instructions of PTX; `models.barriers.Mbarrier` is the
same object on paper.
"""

from hopperlab.device.vocabulary.kinds import Barrier, Choice, Nanoseconds32, Scalar, Token
from hopperlab.device.vocabulary.word import word

MAX_COUNT = 2**20 - 1  # arrivals, and bytes in flight; lit-022 and lit-024

Arrivals = Scalar("uint32", unit="arrival", low=1, high=MAX_COUNT)
TxBytes = Scalar("uint32", unit="byte", low=0, high=MAX_COUNT)
Parity = Scalar("uint32", unit="parity", low=0, high=1)
Given = Scalar("uint64", unit="token")
Scope = Choice(("cta", "cluster"))

PTX = "PTX ISA, Parallel Synchronization: mbarrier"


@word(ptx=None, effect="none", source=f"{PTX}, contents of the mbarrier object")
def shared(count: Scalar("uint32", unit="barrier", low=1, constant=True) = None) -> Barrier():
    """Make a barrier in shared memory; with a `count`, a ring of them: `full[stage]` is one barrier.

    It is 8 bytes that mean nothing until `init`.
    """


@word(ptx="mbarrier.init.shared::cta.b64 [{barrier}], {count};", source=f"{PTX}.init")
def init(barrier: Barrier(), count: Arrivals) -> None:
    """Begin the first phase, of parity 0; every phase expects `count` arrivals.

    One thread does it. The others of the block see it after `cuda.syncthreads`; other blocks, and the copy
    engines, after `fence.mbarrier_init` and `cluster.sync`.
    """


@word(ptx="mbarrier.inval.shared::cta.b64 [{barrier}];", source=f"{PTX}.inval")
def inval(barrier: Barrier()) -> None:
    """End the barrier: its 8 bytes may be used for something else, or be initialized anew."""


@word(
    ptx="mbarrier.arrive.release.{barrier.scope}.{barrier.space}.b64 {result}, [{barrier}], {count};",
    source=f"{PTX}.arrive",
)
def arrive(barrier: Barrier(remote=True), count: Arrivals = 1) -> Token("barrier"):
    """Count arrivals, and go on. Who waits for the phase sees what this thread wrote before.

    The barrier may be another block's, by `cluster.map_shared_rank`. On the own one the result is a token
    of the phase; on another's there is none.
    """


@word(
    ptx="mbarrier.arrive.relaxed.cluster.{barrier.space}.b64 _, [{barrier}], {count};",
    source=f"{PTX}.arrive",
)
def arrive_relaxed(barrier: Barrier(remote=True), count: Arrivals = 1) -> None:
    """Count arrivals, promising nothing about what was written: enough to say that a buffer has been read."""


@word(
    ptx="mbarrier.arrive_drop.release.{barrier.scope}.{barrier.space}.b64 {result}, [{barrier}], {count};",
    source=f"{PTX}.arrive_drop",
)
def arrive_drop(barrier: Barrier(remote=True), count: Arrivals = 1) -> Token("barrier"):
    """Count arrivals and leave: every later phase expects that many fewer."""


@word(
    ptx="mbarrier.expect_tx.relaxed.{barrier.scope}.{barrier.space}.b64 [{barrier}], {nbytes};",
    source=f"{PTX}.expect_tx",
)
def expect_tx(barrier: Barrier(remote=True), nbytes: TxBytes) -> None:
    """Let the current phase wait for `nbytes` more. It is no arrival."""


@word(
    ptx="mbarrier.arrive.expect_tx.release.{barrier.scope}.{barrier.space}.b64 {result}, [{barrier}], {nbytes};",
    source=f"{PTX}.arrive",
)
def arrive_expect_tx(barrier: Barrier(remote=True), nbytes: TxBytes) -> Token("barrier"):
    """Let the current phase wait for `nbytes` more, then arrive once."""


@word(
    ptx="mbarrier.complete_tx.relaxed.{barrier.scope}.{barrier.space}.b64 [{barrier}], {nbytes};",
    source=f"{PTX}.complete_tx",
)
def complete_tx(barrier: Barrier(remote=True), nbytes: TxBytes) -> None:
    """Count `nbytes` as landed although no engine brought them: the engines do this themselves."""


@word(
    ptx="""
    {
    .reg .pred done;
    mbarrier.test_wait.parity.acquire.{scope}.shared::cta.b64 done, [{barrier}], {parity};
    selp.u32 {result}, 1, 0, done;
    }
    """,
    source=f"{PTX}.test_wait",
)
def test_wait(  # PTX's name, no test of pytest's
    barrier: Barrier(),
    parity: Parity,
    scope: Scope = "cta",  # noqa: PT028
) -> Scalar("boolean"):
    """Say whether the phase of that parity has completed, without waiting.

    Only the current phase and the one before it can be asked about. `scope` is that of `wait`.
    """


@word(
    ptx="""
    {
    .reg .pred done;
    mbarrier.try_wait.parity.acquire.{scope}.shared::cta.b64 done, [{barrier}], {parity};
    selp.u32 {result}, 1, 0, done;
    }
    """,
    source=f"{PTX}.try_wait",
)
def try_wait(barrier: Barrier(), parity: Parity, scope: Scope = "cta") -> Scalar("boolean"):
    """Sleep until the phase of that parity completes, or a time limit of the system's passes; say which."""


@word(
    ptx="""
    {
    .reg .pred done;
    mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [{barrier}], {parity}, {duration};
    selp.u32 {result}, 1, 0, done;
    }
    """,
    source=f"{PTX}.try_wait",
)
def try_wait_for(barrier: Barrier(), parity: Parity, duration: Nanoseconds32) -> Scalar("boolean"):
    """Sleep until the phase of that parity completes, or about the duration passes; say which."""


@word(
    ptx="""
    {
    .reg .pred done;
    again${:uid}:
    mbarrier.try_wait.parity.acquire.{scope}.shared::cta.b64 done, [{barrier}], {parity};
    @!done bra again${:uid};
    }
    """,
    source=f"{PTX}.try_wait",
)
def wait(barrier: Barrier(), parity: Parity, scope: Scope = "cta") -> None:
    """Wait until the phase of that parity has completed; then see what was written before.

    With scope "cta" that is what the threads of this block wrote before they arrived, and what the copy
    engines brought. With "cluster" it is also what threads of other blocks wrote and stored here.
    """


@word(
    ptx="""
    {
    .reg .pred done;
    mbarrier.test_wait.acquire.cta.shared::cta.b64 done, [{barrier}], {token};
    selp.u32 {result}, 1, 0, done;
    }
    """,
    source=f"{PTX}.test_wait",
)
def test_wait_token(barrier: Barrier(), token: Given) -> Scalar("boolean"):
    """Say whether the phase that the token was given in has completed, without waiting."""


@word(
    ptx="""
    {
    .reg .pred done;
    again${:uid}:
    mbarrier.try_wait.acquire.cta.shared::cta.b64 done, [{barrier}], {token};
    @!done bra again${:uid};
    }
    """,
    source=f"{PTX}.try_wait",
)
def wait_token(barrier: Barrier(), token: Given) -> None:
    """Wait until the phase that the token was given in has completed."""


@word(ptx="mbarrier.pending_count.b64 {result}, {token};", effect="none", source=f"{PTX}.pending_count")
def pending_count(token: Given) -> Scalar("uint32", unit="arrival"):
    """Give the arrivals that were still pending just before the token was given."""
