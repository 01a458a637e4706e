"""`python -m hopperlab.cli` is `hopperlab`."""

import sys

from hopperlab.cli import main

sys.exit(main())
