"""Makes ``tests/`` importable (``from shared import SHARED``) and gives the helpers of this folder."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
