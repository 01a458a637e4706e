"""What every kernel of the package gives on a card, bit for bit: the simulator has to give the same."""

from hopperlab.measure.kernel_outputs.experiment import KERNEL_OUTPUTS

EXPERIMENTS = (KERNEL_OUTPUTS,)
