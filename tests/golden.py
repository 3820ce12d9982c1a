"""Golden files: what a layer answers today, one JSON value a line, compared byte for byte.

After a change that is meant: ``MNEMIC_GOLDEN=renew pytest …`` writes the file anew, and the diff is read like code.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "fixtures" / "golden"
RENEW = os.environ.get("MNEMIC_GOLDEN") == "renew"  # read before the tests clear the settings


def compare(name: str, rows: Iterable[Any]) -> None:
    """Compare rows with a golden file, or write it."""
    path = FOLDER / f"{name}.jsonl"
    now = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if RENEW:
        path.write_text(now, encoding="utf-8")
    before = path.read_text("utf-8") if path.exists() else ""
    if now != before:
        diff = list(difflib.unified_diff(before.splitlines(), now.splitlines(), "golden", "now", lineterm="", n=0))
        shown = "\n".join(diff[:40])
        raise AssertionError(f"{path.name} differs; if that is meant, MNEMIC_GOLDEN=renew writes it anew:\n{shown}")
