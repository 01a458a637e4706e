"""The ways to get a ring wrong that real kernels have shown, each as a ring to explore."""

from dataclasses import replace

from hopperlab.models.barriers.ring import Ring


def mistakes(ring: Ring) -> dict[str, Ring]:
    """`ring` with one thing wrong, for each mistake worth showing, by name.

    Which of them hang, overwrite or read early is what ``explore`` finds out. In a ring of one stage a lap is
    one item, so flipping the parity with every item is no mistake there.
    """
    return {
        "full barrier counts too many": replace(ring, full_count=ring.producers + 1),
        "empty barrier counts too many": replace(ring, empty_count=ring.consumers + 1),
        "producer waits for parity 0 first": replace(ring, producer_parity=0),
        "producer never flips its parity": replace(ring, producer_flips="never"),
        "consumer never arrives": replace(ring, consumer_steps=_without(ring.consumer_steps, "arrive")),
        "expects too many bytes": replace(ring, expect_difference=4),
        "consumer waits for parity 1 first": replace(ring, consumer_parity=1),
        "consumer never flips its parity": replace(ring, consumer_flips="never"),
        "consumer flips its parity with every item": replace(ring, consumer_flips="item"),
        "producer does not wait": replace(ring, producer_steps=_without(ring.producer_steps, "wait")),
        "consumer does not wait": replace(ring, consumer_steps=_without(ring.consumer_steps, "wait")),
        "consumer arrives before it reads": replace(ring, consumer_steps=("wait", "arrive", "read")),
        "producer arrives, then expects": replace(
            ring, producer_steps=("wait", "arrive", "expect_tx", "copy")
        ),
        "expects too few bytes": replace(ring, expect_difference=-4),
        "expects half the bytes, counted in two pieces": replace(
            ring, expect_difference=-(ring.sizes[0] // 2), pieces=2 * ring.pieces
        ),
    }


def _without(steps: tuple[str, ...], step: str) -> tuple[str, ...]:
    return tuple(one for one in steps if one != step)
