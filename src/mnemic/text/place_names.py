"""Places that are called otherwise in another language, from ``text/data/places.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path

_TABLE = tomllib.loads((Path(__file__).parent / "data" / "places.toml").read_text(encoding="utf-8"))
#: The names of one place, with a stroke between them: "munich/münchen/мюнхен".
PLACES: tuple[str, ...] = tuple(
    row.strip() for rows in _TABLE.values() for row in rows.replace("\n", ";").split(";") if row.strip()
)
