"""The rules of a tensor map: each found, each alone, and the corners that lie just inside and just outside."""

import collections
import itertools

import numpy as np
import pytest

from hopperlab.ledger import claims
from hopperlab.models.tma import (
    ADVICE,
    RULES,
    Descriptor,
    ElementType,
    Fill,
    Interleave,
    Swizzle,
    accepted_descriptor,
    check,
    describe,
    random_descriptor,
    refusals,
    refused_descriptor,
    rule,
)

GOOD = Descriptor(ElementType.FLOAT16, 4096, (640, 480, 3), (1280, 614400), (64, 32, 1))
CORNERS = [  # (changes to GOOD, names of the rules broken)
    ({"global_dim": (2**32, 480, 3), "global_strides": (2**33, 2**39)}, []),
    ({"global_dim": (640, 480, 2**32)}, []),
    ({"global_dim": (640, 480, 2**32 + 1)}, ["dim_range"]),
    ({"global_dim": (640, 0, 3)}, ["dim_range"]),
    ({"global_address": 4096 + 16}, []),
    ({"global_address": 4096 + 8}, ["address_16"]),
    ({"global_strides": (1280, 2**40 - 16)}, []),
    ({"global_strides": (1280, 2**40)}, ["stride_limit"]),
    ({"global_strides": (1288, 614400)}, ["stride_16"]),
    ({"global_strides": (-1280, 614400)}, ["stride_limit"]),
    ({"box_dim": (256, 256, 1)}, []),
    ({"box_dim": (264, 32, 1)}, ["box_range"]),
    ({"box_dim": (64, 32, 0)}, ["box_range"]),
    ({"box_dim": (8, 1, 1)}, []),
    ({"box_dim": (4, 1, 1)}, ["inner_16"]),
    ({"swizzle": Swizzle.BYTES_128}, []),
    ({"swizzle": Swizzle.BYTES_64}, ["inner_span"]),
    ({"swizzle": Swizzle.BYTES_128, "box_dim": (72, 32, 1)}, ["inner_span"]),
    ({"swizzle": Swizzle.BYTES_32, "box_dim": (16, 32, 1)}, []),
    ({"element_strides": (1, 8, 8)}, []),
    ({"element_strides": (1, 9, 1)}, ["element_stride_range"]),
    ({"element_strides": (0, 1, 1)}, ["inner_element_stride_range"]),
    ({"fill": Fill.NAN}, []),
    ({"fill": Fill.NAN, "element_type": ElementType.UINT16}, ["fill_floating"]),
    ({"interleave": Interleave.BYTES_16}, []),
    ({"interleave": Interleave.BYTES_32}, []),
    (
        {"box_dim": (256, 229, 1), "element_type": ElementType.UINT32},
        ["box_in_shared"],
    ),
    ({"box_dim": (256, 228, 2)}, []),
    ({"box_dim": (256, 229, 2)}, ["box_in_shared"]),
    ({"box_dim": (256, 229, 3), "element_strides": (1, 1, 2)}, []),
    ({"interleave": Interleave.BYTES_32, "swizzle": Swizzle.BYTES_32}, []),
    (
        {"interleave": Interleave.BYTES_32, "swizzle": Swizzle.BYTES_32, "global_address": 4112},
        ["address_32_interleaved"],
    ),
    (
        {"interleave": Interleave.BYTES_32, "swizzle": Swizzle.BYTES_32, "global_strides": (1296, 622080)},
        ["stride_32_interleaved"],
    ),
    ({"box_dim": (300, 0, 1), "global_address": 1}, ["address_16", "box_range", "inner_16"]),
]


@pytest.mark.parametrize(("changes", "broken"), CORNERS)
def test_a_corner_breaks_exactly_these_rules(changes, broken):
    assert [refusal.rule for refusal in refusals(GOOD.changed(**changes))] == broken


@pytest.mark.parametrize("rank", [0, 6])
def test_the_rank_is_one_to_five(rank):
    cube = Descriptor(
        ElementType.UINT8, 0, (16,) * rank, tuple(16 ** (k + 1) for k in range(rank - 1)), (16,) * rank
    )
    assert str(refusals(cube)[0]) == f"rank={rank}: allowed are 1 to 5 dimensions [rank]"


def test_every_rule_has_its_own_name_and_claims_that_exist():
    names = [one.name for one in RULES + ADVICE]
    assert len(set(names)) == len(names)
    known = {claim.id for claim in claims()}
    for one in RULES + ADVICE:
        assert one.evidence
        assert set(one.claim.split(" to ")) <= known, one.name
        assert rule(one.name) is one


@pytest.mark.parametrize("name", [one.name for one in RULES + ADVICE])
def test_every_rule_can_be_broken_alone(name):
    rng = np.random.default_rng(7)
    for _ in range(30):
        broken = refused_descriptor(rng, name)
        assert [refusal.rule for refusal in refusals(broken, RULES + ADVICE)] == [name]


def test_half_of_the_random_maps_are_accepted_and_every_rule_gets_its_share():
    rng = np.random.default_rng(2022)
    causes = collections.Counter(
        tuple(refusal.rule for refusal in refusals(random_descriptor(rng))) for _ in range(2000)
    )
    assert 900 <= causes.pop(()) <= 1100
    assert set(causes) == {(one.name,) for one in RULES}
    assert min(causes.values()) >= 40


@pytest.mark.exhaustive
def test_ten_thousand_maps_give_each_rule_a_hundred_refusals_of_its_own():
    rng = np.random.default_rng(3)
    causes = collections.Counter(
        tuple(refusal.rule for refusal in refusals(random_descriptor(rng))) for _ in range(10_000)
    )
    assert causes.pop(()) >= 4000
    assert min(causes[(one.name,)] for one in RULES) >= 100


def test_the_same_seed_draws_the_same_maps():
    first, second = (
        [random_descriptor(rng) for _ in range(20)]
        for rng in (np.random.default_rng(5), np.random.default_rng(5))
    )
    assert first == second
    assert len(set(first)) == 20


def test_accepted_maps_reach_every_rank_type_and_mode():
    rng = np.random.default_rng(11)
    maps = [accepted_descriptor(rng) for _ in range(600)]
    assert {one.rank for one in maps} == {1, 2, 3, 4, 5}
    for field, kind in (("element_type", ElementType), ("swizzle", Swizzle), ("interleave", Interleave)):
        assert {getattr(one, field) for one in maps} == set(kind)
    assert max(max(one.box_dim) for one in maps) == 256
    assert max(max(one.global_dim) for one in maps) > 2**31


def test_an_impossible_wish_is_refused():
    with pytest.raises(ValueError, match="no accepted map"):
        accepted_descriptor(np.random.default_rng(1), fill=Fill.NAN, element_type=ElementType.INT32)
    with pytest.raises(ValueError, match="known rules are rank"):
        random_descriptor(np.random.default_rng(1), "gravity")


def test_a_refusal_names_argument_value_and_range():
    with pytest.raises(ValueError, match=r"box_dim=512: allowed are 1 to 256 elements \[box_range\]"):
        check(GOOD.changed(box_dim=(64, 512, 1)))
    assert check(GOOD) is GOOD


def test_the_lengths_of_the_arrays_must_fit():
    with pytest.raises(ValueError, match=r"global_strides=\(16,\): 2 numbers are needed for 3 dimensions"):
        Descriptor(ElementType.UINT8, 0, (16, 16, 16), (16,), (16, 1, 1))


@pytest.mark.parametrize("kind", ElementType)
def test_an_array_describes_itself_in_the_driver_s_order(kind):
    array = np.zeros((3, 5, 32), kind.dtype)
    found = describe(array, (1, 2, 16), element_type=kind, global_address=256)
    size = kind.nbytes
    assert found == Descriptor(kind, 256, (32, 5, 3), (32 * size, 160 * size), (16, 2, 1))
    assert refusals(found) == []


def test_an_array_s_dtype_chooses_the_plain_type():
    for kind in ElementType:
        plain = describe(np.zeros((4, 16), kind.dtype), (4, 16)).element_type
        assert plain.dtype == kind.dtype
        assert plain == (ElementType.FLOAT32 if kind.dtype == np.float32 else kind)


def test_a_view_with_padding_is_described_and_a_transposed_one_is_not():
    array = np.zeros((8, 64), np.float32)
    assert describe(array[:, :48], (8, 16)).global_strides == (256,)
    with pytest.raises(ValueError, match="stride of 256 bytes along its last axis"):
        describe(array.T, (16, 8))
    with pytest.raises(ValueError, match="array has dtype complex64"):
        describe(np.zeros((4, 4), np.complex64), (4, 4))


def test_the_bytes_of_a_box_are_always_its_product():
    for box, steps in itertools.product([(16, 7, 3), (32, 1, 8)], [(1, 1, 1), (5, 3, 8)]):
        one = Descriptor(ElementType.INT32, 0, (64, 64, 64), (256, 16384), box, steps)
        loaded = [len(range(0, size, step)) for size, step in zip(box, (1, *steps[1:]), strict=True)]
        assert one.box_bytes == 4 * int(np.prod(loaded))
