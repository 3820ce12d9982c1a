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


def last_night(store: SqliteStore, space: str) -> dict[str, Any] | None:
    """What is noted of the last night of a space; of an emptied note nothing."""
    return reached(store, f"sleep:{space}") or None


def slept_at(store: SqliteStore, space: str) -> int | None:
    """When the last night of a space began, microseconds UTC; ``None`` before the first."""
    last = last_night(store, space)
    return int(last["began"]) if last is not None and "counts" in last else None
