"""Workers that upgrade a file with made-up further migrations, killed or not (see tests/reliability/crash.py)."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

from mnemic.store.connect import LATEST as NOW  # the format of this program

#: Two further steps: one rebuilds a table that others point to, one adds a column.
STEPS = [
    (
        NOW + 1,
        f"{NOW + 1:04}_rebuild.sql",
        """
        create table sessions_new (no integer primary key, space integer not null references spaces (no),
            key text not null, channel text not null default '', project text,
            started_at integer not null, last_at integer not null, messages integer not null default 0, last_row integer, completed_at integer,
            watermark integer not null default 0, extra text, unique (space, key)) strict;
        insert into sessions_new select *, 'x' from sessions;
        drop table sessions;
        alter table sessions_new rename to sessions;
        create index sessions_open on sessions (space, channel, last_at) where completed_at is null;
        """,
    ),
    (NOW + 2, f"{NOW + 2:04}_column.sql", "alter table nodes add column mood text; update nodes set mood = 'calm';"),
]


def with_steps() -> None:
    """This process is a newer mnemic: it knows two more migrations."""
    from mnemic.store import connect, queries

    known = [*queries.migrations(), *STEPS]
    connect.migrations = lambda: known  # type: ignore[attr-defined]
    connect.LATEST = NOW + 2


def upgrade(path: str, at: int = 0, start: float = 0.0, say: str = "") -> None:
    """Open the file with the newer mnemic; die before the ``at``-th statement; start at an agreed moment."""
    import apsw

    from mnemic.clock import SystemClock
    from mnemic.store.sqlite import SqliteStore

    with_steps()
    count = 0

    def trace(cursor: object, sql: str, bindings: object) -> bool:
        nonlocal count
        count += 1
        if count == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    def hook(connection: apsw.Connection) -> None:
        connection.exec_trace = trace

    apsw.connection_hooks.append(hook)
    time.sleep(max(0.0, start - time.time()))
    SqliteStore(path, clock=SystemClock()).close()
    if say:
        with open(say, "w", encoding="utf-8") as file:
            file.write(str(count))


MODES: dict[str, Callable[..., None]] = {"upgrade": upgrade}
