"""Pictures of a recommender: where a step's time goes on three fabrics, and which GPU holds which table."""

from hopperlab.views.recommender.step import step_times
from hopperlab.views.recommender.tables import placed_tables

__all__ = ["placed_tables", "step_times"]
