"""The pictures of the tensor memory accelerator: what they say in words, what they draw, and that it can be read."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from hopperlab.models.tma import (
    Stream,
    Swizzle,
    accepted_descriptor,
    cp_async_instructions,
    describe,
    footprint,
    global_addresses,
    tensor_copy_instructions,
)
from hopperlab.views import tma as views
from hopperlab.views.tma.tensor import address_rows
from hopperlab.views.tma.tile import BANK, LINE, _runs

SVG = "{http://www.w3.org/2000/svg}"
CUBE = np.zeros((2, 12, 40), np.float32)
STREAM = Stream(500e-9, 17e-12, 115e-9, 4.6e12)


def mapped(box=(2, 16, 32), swizzle=Swizzle.BYTES_128, array=CUBE, **fields):
    return describe(array, box, swizzle=swizzle, **fields)


def pictures():
    return [
        views.explorer(mapped(), (16, -4, 0), "a column", 1),
        views.explorer(mapped((1, 1, 4), Swizzle.BYTES_128), (0, 0, 0), "a row"),
        views.explorer(mapped(), (400, 400, 400), "a column of 16 bytes", 7),
        views.explorer(mapped((1, 2, 4), Swizzle.NONE), (-4, 0, 1)),
        views.explorer(mapped().changed(global_strides=(164, 1968), box_dim=(300, 0, 1)), (0, 0, 0)),
        views.explorer(mapped(), (1, 0, 0)),
        views.explorer(mapped((8,), Swizzle.NONE, np.zeros(100, np.float64)), (96,), "a row"),
        views.explorer(mapped((2, 2, 2, 4, 16), Swizzle.NONE, np.zeros((3, 3, 3, 8, 64), np.uint8)), (48, 0, 2, 2, 2)),
        views.cost(
            {
                "cp.async (A100)": views.Way(cp_async_instructions(65536, 32), "every thread"),
                "tensor copy (H100)": views.Way(tensor_copy_instructions((64, 64)), "the engine", 104.0),
            },
            "A tile",
        ),
    ]  # fmt: skip


@pytest.mark.parametrize("picture", pictures(), ids=lambda picture: picture.title)
def test_every_picture_is_well_formed_legible_and_has_its_twin(picture):
    root = ElementTree.fromstring(picture.svg)
    width, height = map(float, root.get("viewBox").split()[2:])
    for element in root.iter(f"{SVG}text"):
        size = float(element.get("font-size", 15))
        assert size >= (12 if len(element.text) <= 2 else 14)  # the numbers of chunks are marks
        drawn = (0.66 if element.get("font-weight") else 0.56) * size * len(element.text)
        left = float(element.get("x")) - {"middle": drawn / 2, "end": drawn}.get(
            element.get("text-anchor"), 0
        )
        assert left >= -2
        assert left + drawn <= width + 10, element.text
        assert float(element.get("y")) <= height
    assert root.find(f"{SVG}title").text == picture.title
    assert len(picture.text.split()) > 10
    assert '="nan' not in picture.svg
    assert len(picture.svg) < 100_000


@pytest.mark.parametrize("corner", [(16, -4, 0), (0, 0, 0), (-32, 3, 1), (36, 11, -1)])
def test_the_rows_of_addresses_are_those_that_the_engine_generates(corner):
    places = footprint(mapped(), corner)
    told = [at for first, last in address_rows(places) for at in range(first, last + 1, 4)]
    np.testing.assert_array_equal(told, global_addresses(mapped(), corner))


def test_a_box_wholly_outside_generates_no_address_and_counts_all_the_same():
    text = views.explorer(mapped(), (400, 400, 400)).text
    assert "addresses: none" in text
    assert "4096 bytes counted, 0 loaded, 4096 filled" in text


@pytest.mark.parametrize("seed", range(20))
def test_random_maps_of_few_elements_are_drawn(seed):
    rng = np.random.default_rng(seed)
    descriptor = accepted_descriptor(rng).changed(interleave=0)
    small = descriptor.changed(box_dim=(descriptor.box_dim[0], *(min(n, 3) for n in descriptor.box_dim[1:])))
    picture = views.explorer(small, (0,) * small.rank)
    ElementTree.fromstring(picture.svg)


def curves(chosen):
    points = [(n, s, STREAM.bandwidth(n, s, 132) * 1.01) for n in (1024, 16384) for s in (1, 4, 8)]
    return views.curves(points, STREAM, 132, (1, 8), chosen, "H200 SXM")


@pytest.mark.parametrize(
    ("chosen", "pace"), [((1024, 1), "latency"), ((1024, 16), "the thread"), ((32768, 8), "memory itself")]
)
def test_the_curves_say_what_holds_a_choice_back(chosen, pace):
    assert f"held back by {pace}" in curves(chosen).title


def test_the_curves_tell_fitted_from_held_out():
    picture = curves((4096, 4))
    assert "1 under way, fitted" in picture.text
    assert "off by 1.0% at most" in picture.text
    assert [trace.name for trace in picture.figure.data if trace.mode == "markers"] == [
        "1 under way, fitted",
        "4 under way",
        "8 under way, fitted",
        "your choice, modelled",
    ]


@pytest.mark.parametrize("seed", range(20))
def test_the_rectangles_of_words_cover_each_word_once(seed):
    mask = np.random.default_rng(seed).random((6, 32)) < 0.6
    painted = np.zeros_like(mask, int)
    for x, y, width, height in _runs(mask, 0, 0):
        columns = slice(round(x / BANK), round((x + width) / BANK))
        painted[round(y / LINE) : round((y + height) / LINE), columns] += 1
    np.testing.assert_array_equal(painted, mask)
