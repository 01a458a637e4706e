"""``python -m hopperlab`` is ``hopperlab``, for those whose PATH does not hold it."""

import sys

from hopperlab.cli import main

sys.exit(main())
