"""The table of public suites: every row has a reason, every reason a row, and lessons show their own topic."""

import re

import pytest

from hopperlab.course.report import Table
from hopperlab.ledger import claim
from hopperlab.lessons import memory_bandwidth, memory_latency, throughput
from hopperlab.lessons.peers import beside_peers
from hopperlab.measure.peers import TOPICS

CARD = "H200 SXM"


@pytest.mark.parametrize("topic", TOPICS)
def test_rows_and_reasons_belong_to_each_other(topic):
    table, *reasons = beside_peers(topic, CARD).blocks
    assert isinstance(table, Table)
    used = {row[-1] for row in table.rows}
    assert used == {reason.split(" ")[0] for reason in reasons}
    for _, id, _, card, quoted, measured, difference, _ in table.rows:
        assert (card, quoted) == (claim(id).device, f"{claim(id).quoted} {claim(id).unit}")
        assert float(measured) > 0
        assert re.fullmatch(r"[+-]\d+\.\d%|none", difference)


def test_lessons_show_their_topic():
    assert memory_latency.peers().text == beside_peers("latency", CARD).text
    assert memory_bandwidth.peers().text == beside_peers("bandwidth", CARD).text
    assert throughput.peers().text == beside_peers("arithmetic", CARD).text


def test_a_card_that_was_not_recorded_has_an_empty_table():
    (table,) = beside_peers("latency", "H100 PCIe").blocks
    assert table.rows == []
