"""Three functions to write: a receiver that counts, a test of verifiers, and the moment to rotate a key."""

from hopperlab.course.confidential import mutants
from hopperlab.course.confidential.verifiers import FORGETTABLE, Verifier
from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception


def judged(counters):
    """What a receiver says to genuine envelopes with these counters, in order of arrival.

    Every tag fits; the counter of each envelope is part of what is sealed. The sender counts
    from 0. Say "next", "replayed" or "out of order" for each; what is refused is not used.
    """
    said = []
    expected = 0
    for counter in counters:
        # your part: append the verdict, and count on where it is right
        if counter == expected:
            said.append("next")
            expected += 1
        else:
            said.append("replayed" if counter < expected else "out of order")
        # end of your part
    return said


RECEIVER = Exercise(
    "receiver",
    "Write the receiver's judgment: every envelope is genuine, but the hypervisor delivers as it likes.",
    solution=judged,
    inputs=lambda draw: (draw.several(lambda: draw.integer(0, 5), 0, 10),),
    examples=[([0, 1, 2],), ([0, 0],), ([1, 0],), ([0, 2, 1],)],
    hints=[
        "The receiver needs one number only: the counter that must come next.",
        "A smaller counter has been here before. A larger one has come too early: one before it is missing.",
        "Move on by one after an envelope that was next, and only then.",
    ],
    misconceptions=[
        Misconception(
            "a genuine tag is enough",
            mutants.trusting,
            "The tag says who sealed it, not when it may come. [0, 0] is one message delivered twice.",
        ),
        Misconception(
            "newer is good enough",
            mutants.newer,
            "A gap means that a message was held back: [0, 2] lost one, and nobody would know.",
        ),
        Misconception(
            "unseen is good enough",
            mutants.unseen,
            "In [1, 0] both are new, and they are the wrong way round.",
        ),
        Misconception(
            "count whatever arrives",
            mutants.counting_all,
            "A refused envelope must not move the counter, or one replay shuts out every honest message after it.",
        ),
    ],
    because="The model is `hopperlab.models.confidential.Channel.receive`, which opens the envelope first.",
)


def forgotten_check(verifier):
    """The check that a verifier forgot, or None if it forgot none.

    verifier(kind) is True where it accepts a report. There are the kinds "genuine", "edited",
    "old", "forged chain", "wrong mode", "swapped firmware" and "lying firmware". The checks
    are "chain", "signature", "nonce", "mode", "firmware identity" and "measurements". It
    forgot one at most.
    """
    # your part: which bad report does each check alone refuse? Try them
    refuses = {
        "signature": "edited",
        "nonce": "old",
        "chain": "forged chain",
        "mode": "wrong mode",
        "measurements": "swapped firmware",
        "firmware identity": "lying firmware",
    }
    for check, kind in refuses.items():
        if verifier(kind):
            return check
    return None
    # end of your part


FORGOTTEN = Exercise(
    "forgotten-check",
    "Somebody wrote a verifier and forgot one check. Find out which, from outside.",
    solution=forgotten_check,
    inputs=lambda draw: (Verifier(draw.choice(["", *FORGETTABLE])),),
    right=lambda verifier: verifier.forgotten or None,
    examples=[(Verifier(name),) for name in ("", *FORGETTABLE)],
    hints=[
        "A verifier that accepts the genuine report tells you nothing. Show it bad ones.",
        "For every check there is one bad report that this check alone refuses. Last week's report has a right "
        "chain, a right signature and right measurements: only the nonce is against it.",
        "A forged chain signs well, so it is for the check of the chain. Firmware that lies reports genuine "
        "measurements, so only its certified identity is against it. Return the check whose report is accepted.",
    ],
    misconceptions=[
        Misconception(
            "a nonce is optional",
            mutants.no_nonce,
            "A genuine report of last week passes every other check.",
        ),
        Misconception(
            "a signature proves who signed",
            mutants.signature_is_enough,
            "The forger's report is well signed, by the forger. Who it was, the chain says, up to a root one knows.",
        ),
        Misconception(
            "firmware tells the truth",
            mutants.believes_firmware,
            "Firmware with a back door can report any measurements. The boot ROM certified which firmware it "
            "started, before it ran.",
        ),
        Misconception(
            "a genuine GPU is a confidential GPU",
            mutants.any_mode,
            "The mode is part of the report, and a GPU in another mode is as genuine as this one.",
        ),
    ],
    because="The verifier is `hopperlab.models.confidential.verify`; its seven questions stand above.",
    inputs_tried=20,
)


def rotations(message_bytes, limit):
    """The messages before which the sender must rotate its key, by their place from 0.

    message_bytes: the size of each message, in order.
    limit: the work that one key may do. A message costs one for each 16-byte block, a begun
    block counted whole, and one more for the call. No single message costs more than the limit.
    """
    rotated = []
    worked = 0
    for place, nbytes in enumerate(message_bytes):
        # your part: what the message costs, and whether this key can still do it
        cost = -(-nbytes // 16) + 1
        if worked + cost > limit:
            rotated.append(place)
            worked = 0
        worked += cost
        # end of your part
    return rotated


def _rotation_inputs(draw: Draw) -> tuple:
    return draw.several(lambda: draw.integer(0, 80), 0, 12), draw.integer(6, 20)


ROTATION = Exercise(
    "rotation",
    "When do keys rotate? Follow the driver's law with a small limit.",
    solution=rotations,
    inputs=_rotation_inputs,
    examples=[([16, 16, 16], 6), ([16, 16, 16, 16], 6), ([17, 17], 6), ([1, 1, 1, 1], 6), ([0] * 7, 6)],
    hints=[
        "Work adds up: blocks of all messages so far under this key, and one for each call.",
        "`-(-nbytes // 16)` rounds up. 17 bytes are two blocks, and with the call they cost 3.",
        "Before each message, ask whether the work so far and this message's cost together pass the limit. If they "
        "do, note the place and start from 0; then add the cost.",
    ],
    misconceptions=[
        Misconception(
            "only bytes wear out a key",
            mutants.bytes_only,
            "Each call costs one too: a thousand messages of one byte wear a key as two thousand blocks do.",
        ),
        Misconception(
            "begun blocks are free",
            mutants.whole_blocks_only,
            "17 bytes take two blocks of AES, not one and a sixteenth.",
        ),
        Misconception(
            "rotate when the limit is passed",
            mutants.too_late,
            "Then the message that passed it was sealed with a worn key. Rotate before it.",
        ),
        Misconception(
            "a fresh key begins with the message unpaid",
            mutants.unpaid,
            "The message that caused the rotation is the new key's first work.",
        ),
    ],
    because="The law is `hopperlab.models.confidential.rotation`. With the driver's default one key does "
    "24,296,003,999 blocks (conf-011.b).",
)
