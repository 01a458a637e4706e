"""What the learner commits before the packets of lesson 12 are shown."""

from hopperlab.course.guesses import Choice, Number, Numbers
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.collectives import bus_bandwidth, corrected_gain, estimate, traffic, wire_bandwidth

RANKS = (2, 4, 8)
LARGE = 2**40  # bytes; so large that latency does not count


def _by_ranks(count) -> dict[str, int]:
    return {f"{ranks} GPUs": count(ranks) for ranks in RANKS}


def _sent_with_sharp() -> dict[str, int]:
    return _by_ranks(lambda n: round(traffic("all-reduce", "in-network", n, n).sent))


SHARDS = Prediction(
    "shards",
    "An all-reduce through a switch that adds (SHARP). The buffer of each of N GPUs is cut into N shards. How many "
    "shards does one GPU send?",
    Numbers({f"{ranks} GPUs": Number("shards", low=0, high=64) for ranks in RANKS}),
    answer=_sent_with_sharp,
    because=(
        "Every GPU sends all N shards to be added, its own included, because the switch adds what comes in by "
        "links. It gets back the sum of one shard, and sends that once more for the multicast: N + 1."
    ),
    misconceptions=[
        Misconception(
            "both directions in one number",
            _by_ranks(lambda n: 2 * n + 2),
            "2N + 2 is the talk's count of sent and received together; a link carries both at the same time.",
        ),
        Misconception(
            "as in a ring",
            _by_ranks(lambda n: 2 * (n - 1)),
            "2(N - 1) is the ring's count. The switch adds, so no partial sum is handed on.",
        ),
        Misconception(
            "half of a ring",
            _by_ranks(lambda n: n - 1),
            "SHARP does not halve the ring's 2(N - 1): the sum still has to go out once more, and a GPU's own "
            "shard also goes to the switch.",
        ),
        Misconception(
            "one's own shard stays at home",
            _by_ranks(lambda n: n),
            "The switch adds what reaches it over links. The shard that a GPU asks for is also pulled from "
            "that GPU itself.",
        ),
    ],
)


def _seconds() -> float:
    return LARGE / (estimate("NVLS", 8, LARGE).algorithm_gb_per_s * 1e9)


def _printed() -> float:
    return round(bus_bandwidth("all-reduce", 8, LARGE, _seconds()).in_unit("GB/s"), 1)


def _carried() -> float:
    return round(wire_bandwidth("all-reduce", 8, LARGE, _seconds(), "in-network").in_unit("GB/s"), 1)


PRINTED = Prediction(
    "printed",
    f"A large all-reduce over 8 GPUs through the NVSwitch. The links of each GPU carry {_carried():.0f} GB/s in "
    "each direction (modelled), of 450 that they could. Which busbw does nccl-tests print?",
    Number("GB/s", low=0, high=2000, relative_tolerance=0.03),
    answer=_printed,
    because=lambda answer: (
        f"The wire carries 9/8 of algbw, so algbw is {_carried():.0f} x 8/9 = {answer * 4 / 7:.0f}. nccl-tests "
        f"multiplies it by the ring's factor 2 x 7/8, whatever the algorithm: {answer:.0f}. Nothing is broken."
    ),
    misconceptions=[
        Misconception(
            "busbw is what the wire carries",
            _carried(),
            "For a ring it is. Through the switch each GPU sends fewer bytes than the ring's factor assumes.",
        ),
        Misconception(
            "busbw cannot exceed the link",
            450.0,
            "busbw is a computed number: algbw times 2(n - 1)/n. With a switch that adds it may exceed the link.",
        ),
        Misconception(
            "busbw is size over time",
            round(_carried() * 8 / 9, 1),
            "That is algbw.",
        ),
        Misconception(
            "both directions are printed",
            round(2 * _carried(), 1),
            "nccl-tests counts one direction.",
        ),
    ],
)


def _for_two() -> str:
    return "loses" if corrected_gain(2) < 1 else "gains"


TWO_GPUS = Prediction(
    "two-gpus",
    "Two GPUs on one switch, a large all-reduce. What does SHARP do, by the bytes that each link carries?",
    Choice(
        {
            "gains most": "it gains more than with eight GPUs: there are fewer to wait for",
            "gains": "it gains a third, 4N / (2N + 2) at N = 2",
            "nothing": "it makes no difference",
            "loses": "it loses: each link carries more than without",
        }
    ),
    answer=_for_two,
    because=(
        "Without SHARP each of two GPUs sends 2(N - 1) = 2 shards, with it N + 1 = 3. The gain 2(N - 1)/(N + 1) is "
        "2/3, a loss; NCCL uses its NVLS only for more than two."
    ),
    misconceptions=[
        Misconception(
            "two GPUs gain most",
            "gains most",
            "The gain grows with N and tends to 2; it is smallest for two.",
        ),
        Misconception(
            "4N over 2N + 2 is the speed-up",
            "gains",
            "The talk counts a shard that a GPU would send to itself. Without it the count is 2(N - 1), and for "
            "two GPUs that is less than N + 1.",
        ),
        Misconception(
            "SHARP never hurts",
            "nothing",
            "It costs bytes of its own: the sum goes out again, to be multicast.",
        ),
    ],
)
