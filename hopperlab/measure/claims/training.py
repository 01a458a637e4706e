"""What the chips' sheets answer to the claims about training and inference in FP8.

The toy network is no GPT-3 and no MobileNet: its losses are modelled, and held against nothing that is claimed of
those (talk-019, talk-082).
"""

from collections.abc import Iterator, Sequence

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about training."""
    h100 = chip("H100 SXM5")
    rate = h100.tensor_fp8_flop_per_clock_per_sm / h100.tensor_int8_flop_per_clock_per_sm
    yield Row(
        "training", claim("talk-020").statement, "talk-020", modelled=rate, remark="of the dense peaks alone"
    )
