"""How far a piece of work has come: one JSON object for each, in the table ``jobs``, written with what the work writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .facts import F
from .sqlite import SqliteStore
from .tx import Tx


def reached(store: SqliteStore, job: str) -> dict[str, Any] | None:
    """What was noted of a piece of work (``KIND:SPACE``), ``None`` where it was never begun."""
    found = store.ask_facts("job", job)
    return json.loads(found[0][1] or "{}") if found else None


def note(tx: Tx, job: str, state: Mapping[str, Any]) -> None:
    """Note how far a piece of work has come, in the transaction of its step."""
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
    tx.connection.execute(F.save_job, (job, job.partition(":")[0], "done", text, None, 0, tx.clock.now()))
