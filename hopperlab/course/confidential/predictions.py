"""What the learner commits before the layers, the bench and the cost of lesson 15 are shown."""

from hopperlab.course.confidential.paths import CONFIDENTIAL, PLAIN
from hopperlab.course.guesses import Choice, Number, Numbers
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.confidential import (
    ATTACKS,
    LAYERS,
    SECRET,
    WORKLOADS,
    hold_back,
    matrix,
    open_session,
    overhead,
    try_attack,
)
from hopperlab.models.confidential.hypervisor import LESSON_ENTROPY

SAYS = {
    "plain": "plain",
    "encrypted": "AES-CTR",
    "authenticated": "AES-GCM",
    "counted": "AES-GCM and counters",
}


def _succeed() -> dict[str, int]:
    outcomes = matrix()
    return {
        SAYS[layer]: sum(outcome.succeeded for outcome in outcomes if outcome.layer == layer)
        for layer in LAYERS
    }


def _layers_in_words(_: dict[str, int]) -> str:
    named = {layer: [o.attack for o in matrix() if o.layer == layer and o.succeeded] for layer in LAYERS}
    lines = [f"{SAYS[layer]}: {', '.join(attacks) or 'none'}" for layer, attacks in named.items()]
    return f"All sixteen were run. What succeeds, {'; '.join(lines)}."


LAYERS_BEATEN = Prediction(
    "layers",
    "The owner of the machine holds the memory through which every message passes, and tries four things: read a "
    "message, change one so that it still makes sense, deliver one twice, swap two. How many of the four succeed?",
    Numbers({SAYS[layer]: Number("attacks", low=0, high=4) for layer in LAYERS}),
    answer=_succeed,
    because=_layers_in_words,
    misconceptions=[
        Misconception(
            "encryption is enough",
            {"AES-CTR": 0},
            "Encryption hides. It does not stop anyone from flipping a bit: the same bit of the text flips, and "
            "who knows the text can aim.",
        ),
        Misconception(
            "what cannot be read cannot be changed to make sense",
            {"AES-CTR": 2},
            "AES-CTR adds a stream of bits: flip one of the sum, and one of the text flips. It was done, from 100 "
            "to 900.",
        ),
        Misconception(
            "a tag stops everything",
            {"AES-GCM": 0},
            "A message delivered twice has a genuine tag both times. Only a receiver that counts notices.",
        ),
    ],
)


def _left() -> str:
    """What the bench shows to be still possible: the first that holds, from the worst down."""
    seen = b"".join(step.delivered or b"" for step in try_attack("read").steps)
    if any(copy.payload in seen for copy in SECRET):
        return "read"
    if any(
        try_attack(name).error is None for name, attack in ATTACKS.items() if attack.caught_by is not None
    ):
        return "change"
    stopped = open_session(SECRET, entropy=LESSON_ENTROPY).step(hold_back)
    return "stop" if stopped.error is not None else "nothing"


LEFT = Prediction(
    "left",
    "The guest has verified the GPU, both have agreed on keys, every message is sealed and counted. What can the "
    "owner of the machine still do?",
    Choice(
        {
            "read": "read the data while the GPU works on it, as it lies in GPU memory unencrypted",
            "change": "change data unnoticed, by replaying messages of an earlier session",
            "stop": "stop it, and see how much is sent and when",
            "nothing": "nothing at all",
        }
    ),
    answer=_left,
    because=(
        "Ten attacks were run: nine are refused by name, and reading gives ciphertext. But whoever carries the "
        "messages can drop them, and sees their lengths, their order and their times. No cryptography makes a "
        "machine deliver."
    ),
    misconceptions=[
        Misconception(
            "data in use needs encrypted GPU memory",
            "read",
            "GPU memory is plain text, but inside the boundary: with confidential computing on, the host can reach "
            "only a small unprotected part, through which ciphertext passes.",
        ),
        Misconception(
            "an old genuine message is genuine",
            "change",
            "Each session has keys of its own, from fresh secrets: an envelope of another session fails its tag.",
        ),
        Misconception(
            "confidential means available",
            "nothing",
            "Confidentiality and integrity are promised (talk-065). Availability is not: the owner can pull the plug.",
        ),
    ],
)


def _cost() -> dict[str, float]:
    fits, _, swaps, _ = WORKLOADS
    return {
        "fits": round(1 + overhead(fits, CONFIDENTIAL, PLAIN), 2),
        "swaps": round(1 + overhead(swaps, CONFIDENTIAL, PLAIN), 2),
    }


def _same_percentage(guess: dict[str, float]) -> bool:
    return guess["fits"] == guess["swaps"] and guess["fits"] > 1


COST = Prediction(
    "cost",
    "One token takes 20 ms on the GPU. The model either fits (8 KB cross the bus for a token) or a tenth of its "
    "14 GB is copied in for each token. Encryption does 3.4 GB/s on one core, the bus 64 GB/s. How many times as "
    "long does a token take with confidential computing?",
    Numbers({name: Number("x", low=1, high=100, relative_tolerance=0.3) for name in ("fits", "swaps")}),
    answer=_cost,
    because=lambda answer: (
        f"Modelled: {answer['fits']:g}x and {answer['swaps']:g}x. The FLOPs cost the same; every crossing pays. Where "
        "nothing overlaps, AES and bus are paid one after the other."
    ),
    misconceptions=[
        Misconception(
            "overhead is a fixed percentage",
            _same_percentage,
            "It follows what crosses the bus. The same machine loses a thousandth or nine tenths.",
            example={"fits": 1.5, "swaps": 1.5},
        ),
        Misconception(
            "encryption costs nothing today",
            {"swaps": 1.0},
            "One core seals a few GB a second, and the bus carries many times that.",
        ),
        Misconception(
            "everything inside is encrypted, so everything slows",
            {"fits": 2.0},
            "Inside the GPU nothing is encrypted: computing costs nothing more.",
        ),
    ],
)
