"""Confidential computing's pictures: what they say in words, what they draw, and that it can be read."""

import xml.etree.ElementTree as ElementTree

import pytest

from hopperlab.models import confidential as cc
from hopperlab.views import confidential as views

SVG = "{http://www.w3.org/2000/svg}"
SESSION = cc.open_session(cc.SECRET, entropy=cc.LESSON_ENTROPY)
LONG = cc.open_session([cc.Copy("host to device", bytes(400))], entropy=cc.LESSON_ENTROPY, buffer_bytes=64)
PATHS = {
    "plain": cc.bus_path(),
    "encrypted": cc.bus_path(encrypt_bytes_per_s=3e9, fixed_s=1e-5),
    "pipelined": cc.bus_path(encrypt_bytes_per_s=3e9, fixed_s=1e-5, pipelined=True),
}


def stages() -> list[cc.Session]:
    session, found = SESSION, [SESSION]
    while session.next is not None:
        session = session.step()
        found.append(session)
    return found


def drawings():
    report_step = cc.try_attack("replay a report").steps[-1]
    evidence = SESSION.gpu.attest(cc.encode_request(bytes(32))), SESSION.gpu.chain
    return [
        *(views.bounce_buffer(session) for session in stages()),
        *(views.bounce_buffer(cc.try_attack(name)) for name in cc.ATTACKS),
        views.bounce_buffer(SESSION.step(cc.hold_back)),
        views.bounce_buffer(LONG.run()),
        views.verification(report_step.checks),
        views.verification(cc.verify(*evidence, nonce=bytes(32))),
        views.verification(cc.verify(*evidence, nonce=bytes(31) + b"x", skip=["nonce"])),
        views.layers(cc.matrix()),
        views.layers(cc.matrix(), hide=True),
    ]


@pytest.mark.parametrize("picture", drawings(), ids=lambda p: p.title)
def test_every_drawing_is_well_formed_and_legible(picture):
    root = ElementTree.fromstring(picture.svg)
    width = float(root.get("viewBox").split()[2])
    for element in root.iter(f"{SVG}text"):
        size = float(element.get("font-size", 15))
        assert size >= 14
        drawn = (
            (0.66 if element.get("font-weight") else 0.56) * size * len(element.text)
        )  # DejaVu Sans, about
        left = float(element.get("x")) - {"middle": drawn / 2, "end": drawn}.get(
            element.get("text-anchor"), 0
        )
        assert left >= 0
        assert left + drawn <= width + 10, element.text
    assert root.find(f"{SVG}title").text == picture.title


def test_pictures_of_a_session_with_given_entropy_never_change():
    assert [p.mimebundle() for p in drawings()] == [p.mimebundle() for p in drawings()]


def test_the_words_tell_every_message_with_what_was_sent_seen_and_said():
    done = SESSION.run()
    picture = views.bounce_buffer(done)
    assert picture.title == "All 9 messages have crossed, and none was refused"
    for number, step in enumerate(done.steps, start=1):
        assert (
            f"{number}. {step.name}, {step.sender} to {step.receiver}, {len(step.sent)} bytes" in picture.text
        )
        assert step.sent[:10].hex(" ") in picture.text
    assert "“pay 100 to Alice”" in picture.text
    assert picture.text.count(" passed") == 7


def test_the_hypervisor_s_lane_shows_bytes_and_never_the_secret():
    root = ElementTree.fromstring(views.bounce_buffer(SESSION.run()).svg)
    middle = [e.text for e in root.iter(f"{SVG}text") if 366 <= float(e.get("x")) <= 694]
    assert sum("bytes" in words for words in middle) == 9
    assert not any("pay" in words or "balance" in words for words in middle)


@pytest.mark.parametrize("name", [name for name, attack in cc.ATTACKS.items() if attack.caught_by])
def test_a_refusal_is_the_picture_s_title_and_its_reason_stands_below(name):
    session = cc.try_attack(name)
    picture = views.bounce_buffer(session)
    assert picture.title.startswith(type(session.error).__name__)
    assert picture.text.lower().startswith(str(session.error).lower())
    assert f"refused, {type(session.error).__name__}" in picture.text


def test_what_was_done_to_a_message_or_to_the_gpu_is_marked():
    assert "tool: flip a bit" in views.bounce_buffer(cc.try_attack("flip a bit")).text
    assert "its firmware was swapped" in views.bounce_buffer(cc.try_attack("swap the firmware")).text
    assert "from another maker" in views.bounce_buffer(cc.try_attack("forge the chain")).text
    assert "trusted once it has attested" in views.bounce_buffer(SESSION).text
    assert views.bounce_buffer(cc.try_attack("flip a bit")).svg.count("s-finding") > 3
    assert views.bounce_buffer(SESSION).svg.count('class="f-none s-finding"') == 1


def test_messages_to_come_are_drawn_so_that_nothing_jumps():
    heights = {ElementTree.fromstring(views.bounce_buffer(s).svg).get("viewBox") for s in stages()}
    assert len(heights) == 1
    assert "To come: certificate chain, key share" in views.bounce_buffer(SESSION).text
    assert views.bounce_buffer(SESSION).svg.count('class="to-come"') == 9


def test_a_long_session_draws_its_last_messages_and_tells_all():
    done = LONG.run()
    picture = views.bounce_buffer(done)
    assert len(done.steps) == 16
    assert picture.svg.count('class="message"') == 10
    assert "16. copy host to device" in picture.text


def test_the_verification_answers_every_question():
    picture = views.verification(cc.try_attack("replay a report").steps[-1].checks)
    assert picture.title == "StaleReport: the report is refused"
    assert [row.split(":")[0] for row in picture.text.splitlines()[1:]] == list(cc.CHECKS)
    with pytest.raises(ValueError, match="checks is empty"):
        views.verification(())


def test_a_hidden_table_gives_nothing_away():
    hidden = views.layers(cc.matrix(), hide=True)
    assert hidden.title == "Which attack succeeds where?"
    for told in ("succeeds", "sees nothing", "Message"):
        assert told not in hidden.text
        assert told not in hidden.svg.replace(hidden.title, "")
    assert hidden.text.count("?") == 16
    shown = views.layers(cc.matrix())
    assert shown.text.count("succeeds") == 9


def test_published_overheads_are_one_marker_a_row():
    picture = views.published_overheads()
    (quoted, modelled, measured) = picture.figure.data
    assert len(quoted.x) == len(cc.PUBLISHED)
    assert not modelled.x
    assert not measured.x
    for row in cc.PUBLISHED:
        assert row.claim in picture.text


def test_copy_rates_are_a_line_a_path_and_a_column_in_words():
    sizes = [4096, 2**20, 2**30]
    picture = views.copy_rates(PATHS, sizes)
    assert [trace.name for trace in picture.figure.data] == list(PATHS)
    assert len({trace.line.dash for trace in picture.figure.data}) == 3
    assert len(picture.text.splitlines()) == 2 + len(sizes)
    with pytest.raises(ValueError, match="one to 4"):
        views.copy_rates({}, sizes)
    with pytest.raises(ValueError, match="sizes is empty"):
        views.copy_rates(PATHS, [])
