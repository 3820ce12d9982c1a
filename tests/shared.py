"""Where the material for measuring lies (``MNEMIC_SHARED``); ``None`` where it is absent, and tests skip."""

from __future__ import annotations

import os
from pathlib import Path


def _find() -> Path | None:
    given = os.environ.get("MNEMIC_SHARED")
    place = Path(given) if given else Path(__file__).resolve().parents[2] / "shared"
    return place if place.is_dir() else None


SHARED: Path | None = _find()
