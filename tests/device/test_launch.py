"""Kernels and launches: what is refused before anything runs, and which machine is meant."""

import importlib

import pytest
from numba import cuda

from hopperlab.device import kernel, machine, on_silicon, synchronize
from hopperlab.device.silicon.card import NoHopper, card, have_hopper

without_card = pytest.mark.skipif(have_hopper(), reason="there is a Hopper card")


@kernel(signature="void(int32[::1], int32)")
def fill(values, value):
    """Fill."""
    values[cuda.grid(1)] = value


def test_the_source_is_the_functions_own():
    assert fill.source().startswith("@kernel")
    assert "values[cuda.grid(1)] = value" in fill.source()
    assert fill.__doc__ == "Fill."
    assert repr(fill) == "<kernel fill(values, value)>"


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((132, 32, 0, 0, 17), "fill: cluster=17"),
        ((130, 32, 0, 0, 4), "multiple of cluster"),
        (((4, 3), 32, 0, 0, (2, 2)), r"grid.y=3 must be a multiple of cluster.y=2"),
        ((132, 2048), "block.x=2048 must be in 1 to 1024"),
        ((132, (32, 32, 2)), "2048 threads"),
        ((0, 32), "grid.x=0"),
        ((132, 32, 0, 227 * 1024 + 1), r"shared_bytes is 232449; .*0 to 232448 bytes \(227 KiB\)"),
        ((132, 32, 0, -1), "shared_bytes is -1"),
        ((132,), "give grid and block"),
        ((1, 2, 3, 4, 5, 6), "give grid and block"),
    ],
)
def test_a_shape_that_cuda_refuses_is_refused_with_kernel_value_and_range(shape, message):
    with pytest.raises(ValueError, match=message):
        fill[shape]


@pytest.mark.parametrize("shape", [(132, 32, 0, 1.5), (13.2, 32), (132, "32")])
def test_a_shape_that_is_no_number_is_a_type_error(shape):
    with pytest.raises(TypeError):
        fill[shape]


def test_a_shape_within_the_limits_is_kept():
    launch = fill[(16, 2), (8, 8, 4), 0, 227 * 1024, (8, 2)]
    assert launch.shape.blocks_per_cluster == 16
    assert launch.shape.cluster_grid == (2, 1, 1)


def test_a_kernel_is_not_called_without_a_grid():
    with pytest.raises(TypeError, match=r"fill\[grid, block\]"):
        fill(1, 2)


def test_a_wrong_number_of_arguments_is_refused_by_name():
    with pytest.raises(TypeError, match=r"fill takes 2 arguments \(values, value\), but 1"):
        fill[1, 32](1)


def test_types_are_asked_for_where_none_are_declared():
    @kernel
    def undeclared(values):
        values[0] = 1

    with pytest.raises(ValueError, match="undeclared: which argument types"):
        undeclared.ptx()
    with pytest.raises(ValueError, match="2 arguments, the kernel 1"):
        undeclared.ptx("void(int32[::1], int32)")
    with pytest.raises(TypeError, match="signature is 7"):
        undeclared.ptx(7)


def test_an_option_that_no_kernel_has_is_refused():
    with pytest.raises(TypeError, match="boundscheck"):

        @kernel(boundscheck=True)
        def checked(values):
            values[0] = 1


def test_launch_bounds_and_register_limits_reach_the_assembler():
    @kernel(signature="void(int32[::1])", launch_bounds=(256, 2))
    def bounded(values):
        values[0] = 1

    assert ".maxntid 256" in bounded.ptx()
    assert ".minnctapersm 2" in bounded.ptx()


@pytest.mark.parametrize("wanted", ["silicon", "simulator"])
def test_the_machine_is_the_one_asked_for(monkeypatch, wanted):
    monkeypatch.setenv("HOPPERLAB_MACHINE", wanted)
    assert machine() == wanted


def test_a_machine_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("HOPPERLAB_MACHINE", "abacus")
    with pytest.raises(ValueError, match="'abacus'; allowed are auto, silicon, simulator"):
        machine()


def test_measurements_insist_on_silicon(monkeypatch):
    monkeypatch.setenv("HOPPERLAB_MACHINE", "simulator")
    with on_silicon():
        assert machine() == "silicon"
    assert machine() == "simulator"


@without_card
def test_without_a_card_auto_is_the_simulator(monkeypatch):
    monkeypatch.setenv("HOPPERLAB_MACHINE", "auto")
    assert machine() == "simulator"


@without_card
def test_without_a_card_silicon_says_why(monkeypatch):
    monkeypatch.setenv("HOPPERLAB_MACHINE", "silicon")
    with pytest.raises(NoHopper, match="no Hopper card"):
        card()
    with pytest.raises(NoHopper, match="no Hopper card"):
        fill[1, 32](1, 2)


def test_nothing_has_to_be_waited_for_in_the_simulator(monkeypatch):
    monkeypatch.setenv("HOPPERLAB_MACHINE", "simulator")
    assert synchronize() is None


@pytest.mark.parametrize(
    ("named", "reaches"),
    [
        ("exchange:ping_pong_by_st_async", True),
        ("exchange:halo", True),
        ("tma:broadcast_tile", True),
        ("tma:copy_tiles", False),
        ("barriers:arrive_and_wait", False),
        ("pipelines:scale_in_stages", False),
    ],
)
def test_only_kernels_that_reach_for_the_cluster_are_launched_with_one(named, reaches):
    from hopperlab.device.silicon.launching import REACHES_FOR_THE_CLUSTER

    theme, name = named.split(":")
    text = getattr(importlib.import_module(f"hopperlab.kernels.{theme}"), name).ptx()
    assert bool(REACHES_FOR_THE_CLUSTER.search(text)) == reaches


def test_on_a_card_its_own_limits_hold(monkeypatch):
    from dataclasses import replace

    from hopperlab.chip import chip
    from hopperlab.device.silicon import card

    small = replace(chip("H100 SXM5"), max_shared_bytes_per_block=100_000, max_threads_per_block=512)
    monkeypatch.setattr(card, "have_hopper", lambda: True)
    monkeypatch.setattr(card, "limits", lambda: small)
    monkeypatch.setenv("HOPPERLAB_MACHINE", "silicon")
    with pytest.raises(ValueError, match="a block gets 0 to 100000 bytes"):
        fill[1, 32, 0, 100_001]
    with pytest.raises(ValueError, match="1 to 512 a block"):
        fill[1, 513]
    monkeypatch.setenv("HOPPERLAB_MACHINE", "simulator")
    assert fill[1, 1024, 0, 100_001].shared_bytes == 100_001
