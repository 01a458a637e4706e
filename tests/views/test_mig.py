"""MIG's pictures: what they say in words, what they draw, and that it can be read."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from hopperlab.models import mig
from hopperlab.views import mig as views

SXM = "H100 SXM5"
SVG = "{http://www.w3.org/2000/svg}"


def placed(*names: str, chip: str = SXM) -> mig.Placing:
    return mig.place(names, chip)


def words(picture) -> list[str]:
    return [element.text for element in ElementTree.fromstring(picture.svg).iter(f"{SVG}text")]


def pictures():
    busy = placed("3g.40gb", "1g.10gb+me", "1g.20gb", "1g.10gb")
    refused = placed("1g.10gb", "1g.10gb", "2g.20gb", "3g.40gb")
    crowded = placed(*["1g.10gb"] * 7)
    tenants = [
        mig.Tenant(f"tenant {n}", name, n, 3) for n, name in enumerate(["3g.40gb", "2g.20gb", "4g.40gb"])
    ]
    return [
        views.board(mig.Board(SXM)),
        views.board(busy.board, request=busy.requests[-1]),
        views.board(refused.board, request=refused.refused),
        views.board(crowded.board, request=placed(*["1g.10gb"] * 7, "1g.20gb").refused),
        views.board(mig.place(["7g.141gb"], "H200 SXM").board),
        views.layouts(SXM),
        views.layouts("A100 SXM4 40GB"),
        *(views.queue(mig.serve(tenants, SXM, policy)) for policy in mig.POLICIES),
        views.queue(mig.serve([], SXM)),
    ]


@pytest.mark.parametrize("picture", pictures(), ids=lambda p: p.title)
def test_every_picture_is_well_formed_legible_and_says_the_same_in_words(picture):
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
    assert len(picture.text.splitlines()) >= 1
    assert '="nan' not in picture.svg


def test_a_picture_never_changes_from_run_to_run():
    assert [p.mimebundle() for p in pictures()] == [p.mimebundle() for p in pictures()]


def test_the_board_names_every_instance_with_its_sms_and_its_memory():
    busy = placed("3g.40gb", "1g.10gb+me", "1g.20gb")
    picture = views.board(busy.board)
    for instance in busy.board.instances:
        kind = instance.profile
        assert {kind.name, f"{kind.sms} SMs", f"{kind.memory_gib:g} GiB"} <= set(words(picture))
        several = "s" if kind.memory_slices > 1 else ""
        assert f"{kind.name} on memory slice{several} {instance.start}" in picture.text
        assert f"{kind.copy_engines} to copy, {kind.decoders} for video" in picture.text
    assert "102 of 132 SMs used, 16 still reachable, 14 stranded" in picture.text


def test_instances_lie_over_their_own_slices():
    picture = views.board(placed("3g.40gb", "2g.20gb").board)
    drawn = re.findall(r'<rect class="f-hue(\d)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', picture.svg)
    lefts = sorted((float(x) - 172) / 100 for _, x, _, _ in drawn)
    assert lefts == [0, 0, 4, 4]
    widths = sorted(float(width) for *_, width in drawn)
    assert widths == [196, 196, 296, 396]


def test_the_board_tells_of_a_refusal_in_the_driver_s_words():
    refused = placed("1g.10gb", "1g.10gb", "2g.20gb", "3g.40gb")
    picture = views.board(refused.board, request=refused.refused)
    assert picture.text.startswith("Refused: no place for 3g.40gb")
    assert refused.refused.reason in picture.text


def test_the_tray_offers_exactly_the_free_starts_and_marks_the_driver_s_choice():
    state = placed("1g.10gb", "2g.20gb").board
    picture = views.board(state)
    for kind in mig.profiles(SXM):
        line = next(
            row for row in picture.text.splitlines() if row.split()[0] == kind.name and "SMs" not in row
        )
        starts = [int(s) for s in re.findall(r"\d+", line.removeprefix(f"  {kind.name}"))]
        assert tuple(starts) == state.free(kind.name)
        if starts:
            assert f"[{state.choice(kind.name)}]" in line
    solid = picture.svg.count('class="f-none s-ink"')
    assert solid == sum(len(state.free(kind.name)) for kind in mig.profiles(SXM))
    assert picture.svg.count("<circle") == 1 + sum(bool(state.free(k.name)) for k in mig.profiles(SXM))


def test_the_catalog_shows_nineteen_layouts_by_cost():
    picture = views.layouts(SXM)
    rows = picture.text.splitlines()[1:]
    assert len(rows) == 19
    costs = [int(row.split()[0]) for row in rows]
    assert costs == sorted(costs)
    assert picture.title == "H100 SXM5: 19 full layouts cost 0 to 18 % of its SMs"
    with pytest.raises(ValueError, match="no card"):
        views.layouts("GH100")


def test_the_queue_shows_every_tenant_and_says_who_was_moved():
    tenants = [
        mig.Tenant("ada", "1g.10gb", 0, 5),
        mig.Tenant("bob", "1g.10gb", 0, 9),
        mig.Tenant("cleo", "2g.20gb", 1, 6),
        mig.Tenant("dan", "3g.40gb", 2, 4),
    ]
    picture = views.queue(mig.serve(tenants, SXM, "make room"))
    assert picture.text.count(", then ") == 2
    assert any("(moved)" in word for word in words(picture))
    for tenant in tenants:
        assert f"{tenant.name}: {tenant.profile}, hours" in picture.text
