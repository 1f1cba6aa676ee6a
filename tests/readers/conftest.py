"""The factories that the writers' tests build devices with serve the readers' too, as the corpora do."""

from __future__ import annotations

import sys
from pathlib import Path

for room in ("vendors", "corpora"):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / room))
