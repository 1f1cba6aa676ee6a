"""The factories that the writers' tests build devices with serve the readers' too."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "vendors"))
