"""How far a piece of work has come: one JSON object for each, in the table ``jobs``, written with what the work writes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from typing import Any

from ..schedule import next_due
from .base import Store
from .facts import F
from .tx import Tx


def note(tx: Tx, job: str, state: Mapping[str, Any]) -> None:
    """Note how far a piece of work has come, in the transaction of its step."""
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
    tx.connection.execute(F.save_job, (job, job.partition(":")[0], "done", text, None, 0, tx.clock.now()))


def drop(tx: Tx, job: str) -> None:
    """Forget a piece of work: the next one begins anew."""
    tx.connection.execute(F.drop_job, (job,))


def read(tx: Tx, sessions: Iterable[tuple[int, int]]) -> None:
    """Sessions (number, row) were read up to a row: their watermarks move, never back."""
    tx.connection.executemany(F.set_watermark, list(sessions))


def read_page(tx: Tx, session: int, after: int, upto: int) -> bool:
    """A page of a session was read; false, with nothing changed, where its watermark is not ``after``: somebody was first."""
    at = tx.connection.execute(F.watermark, (session,)).get
    if at is None or at != after:
        return False
    read(tx, [(session, upto)])
    return True


def read_rest(tx: Tx, session: int, watermark: int) -> None:
    """Where all that follows a watermark is hidden, there is nothing left to read."""
    tx.connection.execute(F.skip_to_end, (session, watermark))


def read_again(tx: Tx, space: str, row: int, pauses: Sequence[int], *, refused: bool) -> None:
    """A message could not be read: it is due again after the next pause (seconds); ``refused``, or past the last, it waits."""
    job = f"extract:{row}"
    found = tx.connection.execute(F.job, (job,)).fetchone()
    attempts = (found[3] if found else 0) + 1
    state = "refused" if refused else "due" if attempts <= len(pauses) else "given up"
    due = tx.clock.now() + pauses[min(attempts, len(pauses)) - 1] * 1_000_000
    values = (job, f"extract:{space}", state, json.dumps({"row": row}), None, attempts, due)
    tx.connection.execute(F.save_job, values)


def was_read(tx: Tx, rows: Iterable[int]) -> None:
    """Messages need not be read again."""
    tx.connection.executemany(F.drop_job, [(f"extract:{row}",) for row in rows])


def last_night(store: Store, space: str) -> dict[str, Any] | None:
    """What is noted of the last night of a space; of an emptied note nothing."""
    return store.noted(f"sleep:{space}") or None


def slept_at(store: Store, space: str) -> int | None:
    """When the last night of a space began, microseconds UTC; ``None`` before the first."""
    last = last_night(store, space)
    return int(last["began"]) if last is not None and "counts" in last else None


def next_night(store: Store, space: str, fields: str | None, zone: tzinfo) -> int | None:
    """When the next night of a space is due, microseconds UTC; past where it is late, of one cut off its own begin.

    ``None`` where the schedule is off, or the space holds nothing. One that never slept counts from its first memory.
    """
    last = last_night(store, space)
    if fields is None:
        return None
    if last is not None and not last["whole"]:
        return int(last["began"])
    began = last["began"] if last is not None else store.first_told(space)
    return None if began is None else next_due(fields, int(began), zone)


def night(store: Store, space: str, fields: str | None, zone: tzinfo) -> dict[str, int | None]:
    """For the state of a memory: when the last night began, when the next is due, and how many seconds that is ago."""
    due = next_night(store, space, fields, zone)
    late = 0 if due is None else max(0, store.now() - due) // 1_000_000
    return {"slept_at": slept_at(store, space), "night_due_at": due, "night_late": late}
