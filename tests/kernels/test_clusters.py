"""The kernels about clusters: what their machine code holds, and the registers they take."""

import pytest

from hopperlab.kernels.clusters import register_user, report_placement
from hopperlab.measure.clusters.occupancy import REGISTER_PAIRS


def test_the_placement_kernel_reads_sm_and_time_between_cluster_barriers():
    sass = report_placement.sass()
    for instruction in ("UCGABAR_ARV", "UCGABAR_WAIT", "SR_VIRTUALSMID", "SR_GLOBALTIMERLO", "NANOSLEEP"):
        assert instruction in sass
    assert sass.index("UCGABAR_WAIT") < sass.index("SR_GLOBALTIMERLO") < sass.rindex("UCGABAR_ARV")
    assert report_placement.resources().spill_store_bytes == 0


@pytest.mark.parametrize("pairs", REGISTER_PAIRS)
def test_the_register_kernels_keep_their_values_in_registers(pairs):
    resources = register_user(pairs).resources()
    assert 4 * pairs <= resources.registers <= 4 * pairs + 16
    assert resources.stack_bytes == 0


def test_a_register_kernel_is_made_once():
    assert register_user(4) is register_user(4)
