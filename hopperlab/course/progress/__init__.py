"""A learner's progress: kept in memory, or in one local JSON file that ``HOPPERLAB_PROGRESS`` names.

For a learner: ``overview()`` and ``export(path)``. For a lecturer: ``read(paths)``.
The rest is the course's own use.
"""

from hopperlab.course.progress.export import export
from hopperlab.course.progress.file import SCHEMA
from hopperlab.course.progress.pool import Pool, Row, overview, read
from hopperlab.course.progress.store import Store, now, store, use

__all__ = ["SCHEMA", "Pool", "Row", "Store", "export", "now", "overview", "read", "store", "use"]
