"""The vocabulary: every word defined once and whole, without numba, and refused outside a kernel."""

import subprocess
import sys

import pytest

from hopperlab.device import vocabulary
from hopperlab.device.vocabulary.kinds import Same, Scalar, SharedArray
from hopperlab.device.vocabulary.word import Word, check_known_value, word

WORDS = vocabulary.words()


def test_there_are_words_and_each_name_is_said_once():
    names = [w.name for w in WORDS]
    assert {"cluster.sync", "cluster.map_shared_rank", "smid"} <= set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("said", WORDS, ids=lambda w: w.name)
def test_a_word_tells_its_meaning_and_where_it_is_defined(said):
    assert said.meaning.endswith(".")
    assert "PTX ISA" in said.source or "CUDA" in said.source
    assert tuple(said.arguments) == tuple(said.signature.parameters)


@pytest.mark.parametrize("said", WORDS, ids=lambda w: w.name)
def test_a_word_is_refused_outside_a_kernel(said):
    with pytest.raises(RuntimeError, match="inside a kernel"):
        said(*said.arguments)


def test_the_vocabulary_is_read_without_numba():
    code = (
        "import sys; import hopperlab.device as d; d.vocabulary.words(); d.cluster; d.smid; d.kernel;"
        "assert not {'numba', 'llvmlite', 'cuda.core'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_device_offers_families_and_words_by_name():
    import hopperlab.device as device

    assert device.cluster.sync in WORDS
    assert device.smid in WORDS
    assert "cluster" in dir(device)
    with pytest.raises(AttributeError, match="no 'warp_drive'"):
        device.warp_drive  # noqa: B018


def test_a_definition_that_names_an_argument_it_lacks_is_refused():
    with pytest.raises(ValueError, match="adress"):

        @word(ptx="prefetch.L2 [{adress}];", source="PTX ISA")
        def prefetch(address: SharedArray()) -> None:
            """Fetch."""


def test_a_result_like_an_argument_that_is_missing_is_refused():
    with pytest.raises(ValueError, match="'there'"):

        @word(ptx="mov {result}, {here};", source="PTX ISA")
        def move(here: SharedArray()) -> Same("there"):
            """Move."""


def test_a_known_value_out_of_range_is_refused_with_word_argument_value_and_range():
    said = Word(
        name="example.count",
        arguments={"n": Scalar("uint32", low=8, high=64, multiple=8)},
        results=(),
        ptx="nop {n};",
        target="sm_90",
        meaning="Count.",
        source="PTX ISA",
        effect="orders",
        signature=WORDS[0].signature,
    )
    for value in (0, 72, 12):
        with pytest.raises(ValueError, match=rf"example.count: n is {value}; .*8 to 64 in steps of 8"):
            check_known_value(said, "n", value)
    check_known_value(said, "n", 64)


def test_an_unknown_family_is_refused_with_the_names():
    with pytest.raises(ValueError, match="cluster"):
        vocabulary.family("clutser")
