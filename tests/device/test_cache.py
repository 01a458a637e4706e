"""Kernels on disk: found again when nothing changed, never when anything did, and never when damaged."""

import numpy as np
import pytest
from numba import cuda, float32, int32

from hopperlab.device import kernel, mbarrier
from hopperlab.device.silicon import cache
from hopperlab.device.silicon.tiles import check_tiles
from hopperlab.kernels import exchange, pipelines, tma

TYPES = (float32[::1], int32)
FACTOR = 2


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOPPERLAB_CACHE", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def test_what_is_stored_is_loaded_and_nothing_else(folder):
    assert cache.load("digest") is None
    cache.store("digest", ".version 8.0\n.entry k")
    assert cache.load("digest") == ".version 8.0\n.entry k"
    assert cache.load("other") is None
    assert [file.name for file in folder.iterdir()] == ["digest"]


@pytest.mark.parametrize("damage", [b"", b"no checksum", b"\xff\xfe\n"])
def test_a_damaged_file_is_as_good_as_none(folder, damage):
    cache.store("digest", "text")
    (folder / "digest").write_bytes(damage)
    assert cache.load("digest") is None
    cache.store("digest", "text")
    (folder / "digest").write_text((folder / "digest").read_text() + "more")
    assert cache.load("digest") is None


def test_no_cache_when_it_is_turned_off_and_no_error_when_it_cannot_be_written(monkeypatch, tmp_path):
    monkeypatch.setenv("HOPPERLAB_CACHE", "")
    cache.store("digest", "text")
    assert cache.load("digest") is None
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("HOPPERLAB_CACHE", str(tmp_path / "file"))
    cache.store("digest", "text")
    assert cache.load("digest") is None


def scaled_by(factor):
    def scale(values, n):
        if cuda.grid(1) < n:
            values[cuda.grid(1)] *= factor

    return scale


def test_the_key_is_the_same_for_the_same_and_another_for_another():
    same = cache.key(scaled_by(2), TYPES, {})
    assert same == cache.key(scaled_by(2), TYPES, {})
    others = {
        cache.key(scaled_by(3), TYPES, {}),
        cache.key(scaled_by(2.0), TYPES, {}),
        cache.key(scaled_by(np.float32(2)), TYPES, {}),
        cache.key(scaled_by(2), (float32[::1], float32), {}),
        cache.key(scaled_by(2), TYPES, {"fastmath": True}),
    }
    assert len(others | {same}) == 6
    assert None not in others


def test_a_global_and_a_device_function_are_a_part_of_the_key(monkeypatch):
    @cuda.jit(device=True)
    def once(x):
        return x * FACTOR

    def use(values, n):
        values[0] = once(values[0])

    before = cache.key(use, TYPES, {})
    assert before is not None
    monkeypatch.setitem(globals(), "FACTOR", 3)
    assert cache.key(use, TYPES, {}) != before


def test_what_no_key_can_tell_is_not_kept():
    class Odd:
        pass

    assert cache.key(scaled_by(Odd()), TYPES, {}) is None
    cache.store(None, "text")
    assert cache.load(None) is None


@pytest.mark.parametrize(
    "named", [exchange.halo, pipelines.scale_with_warpgroups, tma.copy_box, tma.add_tiles]
)
def test_the_kernels_of_lessons_are_found_again(named):
    assert cache.key(named.function, named.argument_types(), named.options)


def tile_of(alignment):
    from hopperlab.device import tma as words

    @kernel(signature=(words.map_type(2),))
    def load_one(source):
        tile = cuda.shared.array((8, 32), float32, alignment=alignment)
        full = mbarrier.shared()
        mbarrier.init(full, 1)
        words.load(tile, source, (0, 0), full)

    return load_one


def test_a_kernel_whose_tiles_start_in_the_wrong_place_is_refused_before_it_is_launched():
    check_tiles("load_one", tile_of(128).ptx())
    with pytest.raises(ValueError, match=r"load_one: .* start on 128 bytes.* more than 16: .*alignment=128"):
        check_tiles("load_one", tile_of(16).ptx())
    check_tiles("histogram", exchange.histogram.ptx())
