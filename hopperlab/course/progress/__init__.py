"""A learner's progress: kept in memory, or in one local JSON file that ``HOPPERLAB_PROGRESS`` names.

For a learner: ``export(path)``. For a lecturer: ``read(paths)``. Everything else is the course's own use.
"""

from hopperlab.course.progress.export import export
from hopperlab.course.progress.file import SCHEMA
from hopperlab.course.progress.pool import Pool, Row, read
from hopperlab.course.progress.store import Store, now, store, use

__all__ = ["SCHEMA", "Pool", "Row", "Store", "export", "now", "read", "store", "use"]
