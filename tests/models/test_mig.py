"""MIG: what the driver lists, which layouts fit, and how requests are served one after another."""

from functools import lru_cache
from itertools import combinations_with_replacement, permutations

import pytest

from hopperlab import chip as chips
from hopperlab.models import mig

SXM = "H100 SXM5"


def starts(sequence: list[str], chip: str = SXM) -> list[int | None]:
    return [request.start for request in mig.place(sequence, chip).requests]


def every_layout(chip: str, at_most: int = 7):
    names = [p.name for p in mig.profiles(chip)]
    for count in range(at_most + 1):
        yield from combinations_with_replacement(names, count)


# --- The tables -----------------------------------------------------------------------------------


@pytest.mark.parametrize("chip", mig.CHIPS)
def test_seven_profiles_on_every_card_and_as_many_of_each_as_listed(chip):
    assert len(mig.profiles(chip)) == 7
    for kind in mig.profiles(chip):
        assert mig.is_valid([kind.name] * kind.max_instances, chip)
        assert not mig.is_valid([kind.name] * (kind.max_instances + 1), chip)


@pytest.mark.parametrize("chip", mig.CHIPS)
def test_no_layout_promises_more_engines_than_the_whole_card_has(chip):
    whole = mig.profiles(chip)[-1]
    media = mig.profiles(chip)[1]
    sms = chips.chip(chip).sms
    for layout in every_layout(chip):
        if mig.is_valid(layout, chip):
            kinds = [mig.profile(name, chip) for name in layout]
            assert sum(p.sms for p in kinds) <= sms
            for engine in ("copy_engines", "decoders", "jpeg_decoders"):
                assert sum(getattr(p, engine) for p in kinds) <= getattr(whole, engine)
            assert sum(p.optical_flow for p in kinds) <= media.optical_flow
            assert sum(p.memory_gib for p in kinds) <= whole.memory_gib


def test_the_whole_h100_keeps_its_sms_but_the_whole_a100_loses_ten():
    whole = {chip: mig.profiles(chip)[-1].sms for chip in mig.CHIPS}
    assert whole["H100 SXM5"] == chips.chip("H100 SXM5").sms == 132
    assert whole["H100 PCIe"] == chips.chip("H100 PCIe").sms == 114
    assert (whole["A100 SXM4 40GB"], chips.chip("A100 SXM4 40GB").sms) == (98, 108)


def test_the_wrong_public_table_multiplies_sixteen_by_the_slices():
    real = {p.name: p for p in mig.base_profiles(SXM)}
    wrong = {name: sms for name, sms in mig.MOCK_H100_SMS.items() if sms != real[name].sms}
    assert wrong == {"3g.40gb": 48, "7g.80gb": 112}
    assert all(sms == 16 * real[name].compute_slices for name, sms in mig.MOCK_H100_SMS.items())


def test_every_number_of_a_card_s_table_names_a_claim_of_its_own():
    for chip in mig.CHIPS:
        ids = [claim for p in mig.profiles(chip) for claim in (p.sms_claim, p.memory_claim)]
        assert len(set(ids)) == 14


def test_hopper_has_decoders_in_every_slice_and_ampere_has_not():
    assert all(p.decoders and p.jpeg_decoders for p in mig.profiles(SXM))
    assert not mig.profile("1g.5gb", "A100 SXM4 40GB").decoders


# --- Which layouts fit ----------------------------------------------------------------------------

FITS = [
    [],
    ["7g.80gb"],
    ["4g.40gb", "3g.40gb"],
    ["3g.40gb", "3g.40gb"],
    ["2g.20gb"] * 3,
    ["2g.20gb"] * 3 + ["1g.10gb"],
    ["2g.20gb"] * 3 + ["1g.20gb"],
    ["1g.10gb"] * 7,
    ["1g.20gb"] * 4,
    ["1g.10gb"] * 2 + ["2g.20gb", "3g.40gb"],
    ["3g.40gb"] + ["1g.10gb"] * 4,
    ["4g.40gb"] + ["1g.10gb"] * 3,
    ["4g.40gb", "2g.20gb", "1g.10gb"],
    ["2g.20gb"] * 2 + ["3g.40gb"],
    ["2g.20gb"] * 2 + ["1g.10gb"] * 3,
    ["4g.40gb"] + ["1g.20gb"] * 2,
]
DOES_NOT_FIT = [
    ["4g.40gb", "4g.40gb"],
    ["3g.40gb", "3g.40gb", "1g.10gb"],
    ["1g.10gb"] * 8,
    ["1g.20gb"] * 5,
    ["4g.40gb"] + ["1g.10gb"] * 4,
    ["2g.20gb"] * 2 + ["1g.10gb"] * 4,
    ["3g.40gb"] + ["1g.20gb"] * 2 + ["1g.10gb"],
    ["1g.10gb+me"] * 2,
]


@pytest.mark.parametrize("layout", FITS, ids="+".join)
def test_layouts_known_to_fit(layout):
    verdict = mig.explain(layout, SXM)
    assert verdict.fits
    assert sorted(i.profile.name for i in verdict.placement) == sorted(layout)
    assert mig.Board(SXM, verdict.placement).instances == verdict.placement


@pytest.mark.parametrize("layout", DOES_NOT_FIT, ids="+".join)
def test_layouts_known_not_to_fit(layout):
    verdict = mig.explain(layout, SXM)
    assert not verdict.fits
    assert verdict.placement == ()


def test_three_three_one_runs_out_of_memory_slices_not_of_compute():
    reason = mig.explain(["3g.40gb", "3g.40gb", "1g.10gb"], SXM).reason
    assert "9 of 8 memory slices" in reason
    assert "7 of 7 compute slices" in reason


def brute_force(layout: tuple[str, ...], chip: str) -> bool:
    """Try every combination of starts, with nothing but the slices themselves."""
    kinds = [mig.profile(name, chip) for name in layout]
    if sum(p.compute_slices for p in kinds) > 7 or sum(p.media_extension for p in kinds) > 1:
        return False
    reached = {frozenset()}
    for kind in kinds:
        reached = {
            taken | place
            for taken in reached
            for start in kind.starts
            if not (place := frozenset(range(start, start + kind.memory_slices))) & taken
        }
    return bool(reached)


def test_cards_differ_in_names_and_engines_but_not_in_how_slices_are_cut():
    cuts = {
        chip: [(p.compute_slices, p.memory_slices, p.starts, p.media_extension) for p in mig.profiles(chip)]
        for chip in mig.CHIPS
    }
    assert all(cut == cuts[SXM] for cut in cuts.values())


@pytest.mark.parametrize(
    "chip",
    [SXM, *(pytest.param(chip, marks=pytest.mark.exhaustive) for chip in mig.CHIPS if chip != SXM)],
)
def test_a_layout_of_up_to_seven_is_valid_exactly_when_some_order_of_requests_succeeds(chip):
    serves = _served_in_some_order(chip)
    checked = valid = 0
    for layout in every_layout(chip):
        expected = brute_force(layout, chip)
        assert mig.is_valid(layout, chip) == expected, layout
        assert serves((), layout) == expected, layout
        checked += 1
        valid += expected
    assert (checked, valid) == (3432, 128)


def _served_in_some_order(chip: str):
    """Whether the driver, starting from these instances, can serve the rest in some order."""

    @lru_cache(None)
    def after(instances, name):
        board = mig.Board(chip, instances)
        try:
            grown = board.create(name)
        except mig.InsufficientResources:
            return None
        return tuple(sorted(grown.instances, key=lambda i: i.start))

    @lru_cache(None)
    def serves(instances, rest):
        if not rest:
            return True
        for name in set(rest):
            grown = after(instances, name)
            others = list(rest)
            others.remove(name)
            if grown is not None and serves(grown, tuple(others)):
                return True
        return False

    return serves


def test_nineteen_maximal_layouts_of_the_base_profiles():
    for chip in mig.CHIPS:
        layouts = mig.maximal_layouts(chip)
        assert len(layouts) == len(set(layouts)) == 19
        base = mig.base_profiles(chip)
        for layout in layouts:
            assert not any(mig.free_starts(kind, layout) for kind in base)


# --- How the driver serves requests ---------------------------------------------------------------

# Read from public transcripts of nvidia-smi (mig-007): requests, and the start of each instance.
TRANSCRIPTS = [
    ("A100 SXM4 40GB", ["1g.5gb"] * 7, [6, 4, 5, 0, 1, 2, 3]),
    ("A100 SXM4 40GB", ["3g.20gb"] * 2, [4, 0]),
    ("A100 SXM4 40GB", ["1g.5gb", "2g.10gb", "4g.20gb"], [6, 4, 0]),
    ("A100 SXM4 40GB", ["1g.5gb", "3g.20gb"], [6, 0]),
    ("A100 SXM4 80GB", ["2g.20gb"] * 3 + ["1g.10gb+me"], [4, 0, 2, 6]),
    ("A100 SXM4 80GB", ["3g.40gb", "2g.20gb", "1g.10gb"], [4, 0, 2]),
    ("H100 SXM5", ["1g.10gb"] * 7, [6, 4, 5, 0, 1, 2, 3]),
    ("H100 SXM5", ["3g.40gb", "2g.20gb"], [4, 0]),
    ("H100 SXM5", ["3g.40gb", "1g.20gb", "1g.10gb"], [4, 0, 2]),
]


@pytest.mark.parametrize(("chip", "sequence", "expected"), TRANSCRIPTS)
def test_the_driver_puts_instances_where_transcripts_show_them(chip, sequence, expected):
    assert starts(sequence, chip) == expected


def test_order_decides_whether_the_balanced_layout_comes_about():
    balanced = ["1g.10gb", "1g.10gb", "2g.20gb", "3g.40gb"]
    assert mig.is_valid(balanced, SXM)
    refused = mig.orders_refused(balanced, SXM)
    assert 0 < len(refused) < len(set(permutations(balanced)))
    assert tuple(balanced) in refused
    request = mig.place(balanced, SXM).refused
    assert request.name == "3g.40gb"
    assert request.reason == (
        "no place for 3g.40gb, which starts at 0, 4: in the way are 2g.20gb at 0, 1g.10gb at 4, 1g.10gb at 6"
    )


def test_order_matters_for_seven_of_the_layouts_of_up_to_four_instances():
    matters = {
        layout: refused
        for layout in every_layout(SXM, 4)
        if mig.is_valid(layout, SXM) and (refused := mig.orders_refused(layout, SXM))
    }
    assert len(matters) == 7
    assert not any(mig.place(order, SXM).succeeded for refused in matters.values() for order in refused)
    assert len(mig.orders_refused(["3g.40gb", "3g.40gb", "1g.10gb"], SXM)) == 3
    with pytest.raises(ValueError, match="at most 7"):
        mig.orders_refused(["1g.10gb"] * 8, SXM)


def test_a_refusal_ends_the_sequence_and_keeps_what_was_created():
    placing = mig.place(["4g.40gb", "4g.40gb", "3g.40gb"], SXM)
    assert not placing.succeeded
    assert [r.start for r in placing.requests] == [0, None]
    assert [i.profile.name for i in placing.board.instances] == ["4g.40gb"]


def test_a_board_is_immutable_so_a_step_back_is_the_board_before():
    empty = mig.Board(SXM)
    one = empty.create("3g.40gb")
    assert empty.instances == ()
    assert one.destroy(4) == empty
    assert one.create("2g.20gb", start=2).free("2g.20gb") == (0,)


def test_a_board_refuses_overlap_wrong_starts_and_strangers():
    board = mig.Board(SXM).create("4g.40gb")
    with pytest.raises(mig.InsufficientResources, match="overlaps"):
        board.create("1g.10gb", start=0)
    with pytest.raises(ValueError, match="starts at memory slice 0, 4"):
        board.create("3g.40gb", start=3)
    with pytest.raises(ValueError, match="no instance begins there"):
        board.destroy(3)
    with pytest.raises(ValueError, match="profile of the A100"):
        mig.Board(SXM, (mig.Instance(0, mig.profile("3g.20gb", "A100 SXM4 40GB")),))
    with pytest.raises(mig.InsufficientResources, match="compute slices are left"):
        mig.place(["2g.20gb"] * 3, SXM).board.create("1g.10gb").create("1g.10gb")
    with pytest.raises(mig.InsufficientResources, match="media engines"):
        mig.Board(SXM).create("1g.10gb+me").create("1g.10gb+me")


# --- Bad names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "chip", "hint"),
    [
        ("3g.40g", SXM, "did you mean '3g.40gb'"),
        ("3G.40GB", SXM, "did you mean '3g.40gb'"),
        ("1g10gb", SXM, "did you mean '1g.10gb'"),
        ("1g.10gb+m", SXM, r"did you mean '1g.10gb\+me'"),
        ("3g.39gb", SXM, "did you mean '3g.40gb'"),
        ("3g.20gb", SXM, "one of the A100 SXM4 40GB, and here a 3g is '3g.40gb'"),
        ("3g.71gb", SXM, "one of the H200 SXM, and here a 3g is '3g.40gb'"),
        ("1g.10gb", "H200 SXM", "here a 1g is '1g.18gb'"),
        ("banana", SXM, "there are 1g.10gb"),
    ],
)
def test_a_misspelt_profile_is_refused_with_the_nearest_name(name, chip, hint):
    for question in (mig.is_valid, mig.explain, mig.place):
        with pytest.raises(ValueError, match=hint):
            question([name], chip)


def test_the_driver_s_full_name_is_taken_too():
    assert mig.is_valid(["MIG 3g.40gb", " 3g.40gb "], SXM)


@pytest.mark.parametrize(
    ("chip", "hint"),
    [("H100", "did you mean 'H100 SXM5'"), ("GH100", "no card"), ("RTX 4090", "MIG cards are H100 SXM5")],
)
def test_a_chip_without_mig_is_refused_with_the_names(chip, hint):
    with pytest.raises(ValueError, match=hint):
        mig.is_valid(["1g.10gb"], chip)


def test_wrong_types_are_refused_by_name():
    with pytest.raises(TypeError, match="not one string"):
        mig.is_valid("3g.40gb", SXM)
    with pytest.raises(TypeError, match="layout must be a list"):
        mig.is_valid({"3g.40gb": 2}, SXM)
    with pytest.raises(TypeError, match="named by a string"):
        mig.is_valid([3], SXM)
    with pytest.raises(TypeError, match="chip must be a name"):
        mig.is_valid([], None)
