"""Every test of the course starts with empty progress, kept in memory."""

from collections.abc import Iterator

import pytest

from hopperlab.course import progress


@pytest.fixture(autouse=True)
def _empty_progress() -> Iterator[None]:
    progress.use(progress.Store())
    yield
    progress.use(None)
