"""Lesson 10 against the models, the simulator and the recordings that it shows."""

import numpy as np
import pytest

from hopperlab.course.tma import LESSON
from hopperlab.course.tma.exercises import halo_tile, tap_box
from hopperlab.course.tma.landing import counted, fault, named_tile
from hopperlab.course.tma.specimens import SPECIMENS, RefusedMap
from hopperlab.kernels.cp_async import copy_tiles_by_threads
from hopperlab.kernels.tma import copy_tiles
from hopperlab.lessons import tma as lesson
from hopperlab.models.tma import ElementType, Fill, Swizzle, bank_conflicts, load, refusals, warp_access
from tests.lessons.every_position import draw_every_position

PLAIN = {
    "element": ElementType.FLOAT32,
    "swizzle": Swizzle.NONE,
    "fill": Fill.ZERO,
    "columns": 40,
    "rows": 12,
    "gap": 0,
    "box_columns": 32,
    "box_rows": 8,
    "step": 1,
}


@pytest.mark.parametrize("name", LESSON.panels)
def test_every_position_of_every_control_draws(name):
    draw_every_position(lesson.panel(name))


@pytest.mark.parametrize("rank", range(1, 6))
@pytest.mark.parametrize("swizzle", Swizzle)
def test_the_explorer_says_what_the_models_say(rank, swizzle):
    told = PLAIN | {"swizzle": swizzle, "box_columns": 8}
    descriptor = lesson.described(rank, **told)
    corner = (36, 2, 1, 1, 1)[:rank]
    picture = lesson._explored(rank, 36, 2, 1, "a column", 3, **told)
    size = descriptor.global_strides[-1] * descriptor.global_dim[-1] if rank > 1 else 160
    _, nbytes = load(descriptor, np.zeros(size, np.uint8), corner)
    assert f"barrier: {nbytes} bytes counted" in picture.text
    passes = bank_conflicts(*warp_access(descriptor, "a column", 3)).passes
    assert f"{passes} pass" in picture.text


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"gap": 4}, "stride_16"),
        ({"box_columns": 2}, "inner_16"),
        ({"swizzle": Swizzle.BYTES_32}, "inner_span"),
        ({"element": ElementType.INT32, "fill": Fill.NAN}, "fill_floating"),
        ({"step": 9}, "element_stride_range"),
        ({"box_rows": 257}, "box_range"),
    ],
)
def test_a_refused_map_is_shown_with_the_rule_that_it_breaks(change, rule):
    told = PLAIN | change
    assert [refusal.rule for refusal in refusals(lesson.described(2, **told))] == [rule]
    picture = lesson._explored(2, 0, 0, 0, "a row", 0, **told)
    assert picture.title.startswith("Refused")
    assert f"[{rule}]" in picture.text
    assert "<- refused" in picture.svg.replace("&lt;", "<")


def test_a_box_that_begins_between_16_byte_units_is_told_as_illegal():
    assert "16 bytes" in lesson._explored(2, 1, 0, 0, "a row", 0, **PLAIN).text


def test_a_warp_that_asks_beyond_the_tile_gets_its_last_row():
    assert "number 7" in lesson._explored(2, 0, 0, 0, "a row", 31, **PLAIN).text


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.name)
def test_every_specimen_is_found_in_its_own_name(specimen):
    picture = specimen.picture()
    if isinstance(specimen, RefusedMap):
        assert "stride_16" in picture.title
        assert specimen.cure in picture.text
    else:
        assert specimen.run.findings[0].name == specimen._broken.FINDING
        assert specimen._broken.FINDING in picture.title
        assert specimen.run.findings[0].cure in picture.text


@pytest.mark.parametrize("way", ["engine", "cp.async"])
def test_both_kernels_copy_the_image(way):
    image = np.arange(12 * 20, dtype=np.float32).reshape(12, 20)
    assert not lesson._run(way).findings
    np.testing.assert_array_equal(lesson._run(way)["target"], image)


def test_threads_that_copy_have_many_more_steps_than_one_that_asks():
    one, all_of_them = (panel.controls["step"].last for panel in (lesson.steps(), lesson.steps_by_threads()))
    assert 10 * one < all_of_them


def test_the_engine_s_kernel_has_one_thread_that_copies_and_the_a100_s_all():
    for way, askers in (("engine", 1), ("cp.async", 12 * 5)):
        issued = [
            event
            for event in lesson._run(way).trace.of("issue")
            if "load" in event.what or "cp_async" in event.what
        ]
        assert len({(event.block, event.thread) for event in issued}) == askers


@pytest.mark.parametrize("kernel", [copy_tiles, copy_tiles_by_threads], ids=lambda kernel: kernel.name)
def test_the_kernels_compile_for_hopper(kernel):
    assert "sm_90" in kernel.ptx()


def test_a_box_lands_as_numpy_pads():
    corner, box, nbytes = halo_tile(0, 1, 4, 8, 2)
    tile, complaint = named_tile((20, 28), corner, box)
    assert complaint == fault((20, 28), corner, box, nbytes) == ""
    padded = np.pad(counted((20, 28)), 4)
    np.testing.assert_array_equal(tile[:, 2:-2], padded[2:10, 10:22])


def test_a_tap_lands_as_im2col_picks():
    corner, box, steps = tap_box(1, 0, 0, 3, 2, 2, 0, 2, 1, 4)
    tile, complaint = named_tile((2, 9, 11, 4), corner, box, steps)
    assert complaint == fault((2, 9, 11, 4), corner, box, element_strides=steps) == ""
    padded = np.pad(counted((2, 9, 11, 4)), ((0, 0), (1, 1), (1, 1), (0, 0)))
    np.testing.assert_array_equal(tile[0], padded[1, 2:7:2, 0:3:2])


@pytest.mark.parametrize(
    ("corner", "box", "said"),
    [
        ((0, 0), (4, 300), "box_dim=300"),
        ((1, 0), (4, 8), "16 bytes"),
        ((0.5, 0), (4, 8), "no whole number"),
        ((0, 0, 0), (4, 8), "2 are needed"),
        ((0, 0), (4, 8, 8), "2 dimensions"),
    ],
)
def test_a_box_that_names_no_tile_is_told_why(corner, box, said):
    tile, complaint = named_tile((20, 28), corner, box)
    assert tile is None
    assert said in complaint


@pytest.mark.parametrize(
    ("nbytes", "said"),
    [
        (64, "expect_tx too small"),
        (160, "expect_tx too large"),
        (-1, ""),
        (1.5, "no whole number"),
        (128, None),
    ],
)
def test_the_simulator_finds_fault_with_wrong_bytes(nbytes, said):
    found = fault((20, 28), (0, 0), (4, 8), nbytes)
    assert bool(found) == (said is not None)
    assert (said or "") in found


def test_what_is_no_answer_at_all_is_told_so():
    for exercise in ("halo", "im2col"):
        arguments = LESSON.exercises[exercise].examples[0]
        assert LESSON.exercises[exercise].judge(None, *arguments).startswith("give (")


def test_the_misconceptions_listed_for_the_lesson_are_all_caught():
    assert {
        "out-of-bounds bytes do not count",
        "the box may be any size",
        "strides are in elements",
        "a swizzle changes global memory",
        "the copy is done when the instruction returns",
        "every thread must issue it",
        "a store is visible without a fence",
        "TMA is fast for every shape",
        "a thread builds the descriptor on the device",
        "tensor copies go between blocks",
        "the 128-byte swizzle removes every conflict",
    } <= LESSON.misconceptions.keys()


def test_the_tables_show_what_was_recorded():
    assert "24" not in lesson.shapes().text.splitlines()[0]
    assert "1,816" in lesson.instructions().text
    assert "62.5" in lesson.sharing().text
    assert lesson.audit().text.count("H200 SXM") >= 6
