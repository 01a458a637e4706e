"""Pictures of exchange: the ladder of messages, the latency matrix, gains over size, bytes a clock."""

from hopperlab.views.exchange.gains import gains
from hopperlab.views.exchange.ladder import ladder
from hopperlab.views.exchange.matrix import latency_matrix
from hopperlab.views.exchange.rates import rates

__all__ = ["gains", "ladder", "latency_matrix", "rates"]
