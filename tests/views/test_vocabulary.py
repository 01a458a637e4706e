"""The tables of the vocabulary: every word once, with what it becomes; and recorded code that is not out of date."""

import pytest

from hopperlab.device.silicon import listing
from hopperlab.device.vocabulary import family, words
from hopperlab.views.vocabulary import table

RECORDED = listing.recorded()


def test_every_word_has_recorded_code_and_nothing_else_has():
    assert list(RECORDED) == [word.name for word in words()]


def test_a_table_has_a_row_and_a_meaning_for_each_word():
    said = [word for word in words() if word.family == "mbarrier"]
    text = table(said, RECORDED, {word.name for word in said})
    for word in said:
        assert text.count(f"| `{word.name}` |") == 1
        assert f"- `{word.name}`: " in text
    assert "`SYNCS.ARRIVE.TRANS64.RED.A0TX`" in text
    assert " | no |" not in text
    assert " | no |" in table(said, RECORDED, set())


def test_a_word_without_recorded_code_is_named():
    with pytest.raises(ValueError, match=r"machine_code lacks mbarrier\.init"):
        table([family("mbarrier").init], {}, set())


SAMPLE = ("bulk.load", "cluster.sync", "dsmem.st_async", "mbarrier.complete_tx", "tma.load")


@pytest.mark.parametrize(
    "name",
    [
        *SAMPLE,
        *(
            pytest.param(word.name, marks=pytest.mark.exhaustive)
            for word in words()
            if word.name not in SAMPLE
        ),
    ],
)
def test_the_recorded_code_is_what_the_assembler_makes(name):
    word = next(word for word in words() if word.name == name)
    assert list(listing.listing(word)) == RECORDED[name]
