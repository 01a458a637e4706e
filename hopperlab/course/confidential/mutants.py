"""Wrong solutions of lesson 15, one for each misconception: each answers as someone with that idea would."""

# --- receiver -------------------------------------------------------------------------------------


def trusting(counters):
    """Take whatever has a tag."""
    return ["next"] * len(counters)


def newer(counters):
    """Take whatever is not older."""
    said, expected = [], 0
    for counter in counters:
        said.append("next" if counter >= expected else "replayed")
        expected = max(expected, counter + 1)
    return said


def unseen(counters):
    """Take whatever has not been here."""
    said, seen = [], set()
    for counter in counters:
        said.append("replayed" if counter in seen else "next")
        seen.add(counter)
    return said


def counting_all(counters):
    """Count every arrival."""
    return [
        "next" if counter == place else "replayed" if counter < place else "out of order"
        for place, counter in enumerate(counters)
    ]


# --- forgotten check ------------------------------------------------------------------------------

REFUSES = {
    "signature": "edited",
    "nonce": "old",
    "chain": "forged chain",
    "mode": "wrong mode",
    "measurements": "swapped firmware",
    "firmware identity": "lying firmware",
}


def _found(verifier, refuses):
    return next((check for check, kind in refuses.items() if verifier(kind)), None)


def no_nonce(verifier):
    """Never try an old report."""
    return _found(verifier, {check: kind for check, kind in REFUSES.items() if check != "nonce"})


def signature_is_enough(verifier):
    """Blame a forged chain on the signature."""
    return "signature" if verifier("forged chain") else _found(verifier, REFUSES)


def believes_firmware(verifier):
    """Never try firmware that lies."""
    return _found(verifier, {check: kind for check, kind in REFUSES.items() if check != "firmware identity"})


def any_mode(verifier):
    """Never try another mode."""
    return _found(verifier, {check: kind for check, kind in REFUSES.items() if check != "mode"})


# --- rotation -------------------------------------------------------------------------------------


def _rotations(message_bytes, limit, cost):
    rotated, worked = [], 0
    for place, nbytes in enumerate(message_bytes):
        if worked + cost(nbytes) > limit:
            rotated.append(place)
            worked = 0
        worked += cost(nbytes)
    return rotated


def bytes_only(message_bytes, limit):
    """Forget the call."""
    return _rotations(message_bytes, limit, lambda nbytes: -(-nbytes // 16))


def whole_blocks_only(message_bytes, limit):
    """Round down."""
    return _rotations(message_bytes, limit, lambda nbytes: nbytes // 16 + 1)


def too_late(message_bytes, limit):
    """Notice the limit only when it is passed."""
    rotated, worked = [], 0
    for place, nbytes in enumerate(message_bytes):
        if worked > limit:
            rotated.append(place)
            worked = 0
        worked += -(-nbytes // 16) + 1
    return rotated


def unpaid(message_bytes, limit):
    """Start the new key from nothing, after the message."""
    rotated, worked = [], 0
    for place, nbytes in enumerate(message_bytes):
        worked += -(-nbytes // 16) + 1
        if worked > limit:
            rotated.append(place)
            worked = 0
    return rotated
