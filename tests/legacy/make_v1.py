"""Makes ``v1.mnemic``, a file of format 1 as the first release wrote it. Run once per format, by the release itself:

    python tests/legacy/make_v1.py tests/legacy/v1.mnemic

Later versions must open it, search it and write to it (tests/migration/test_legacy.py). It is never made again.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw

from mnemic import Config, Memory

BEGAN = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
TALK = [
    ("user", "We moved the release to Friday because the tests of the importer fail on Windows."),
    ("assistant", "Understood: the release is on Friday, and Windows comes first."),
    ("user", "Анна сказала, что сервер переезжает в Хельсинки в июне."),
    ("assistant", "Записал: сервер переезжает в Хельсинки в июне."),
    ("user", "My dentist is Dr Lindqvist, the next visit is on 12 June at 14:00."),
]


class Clock:
    """Time stands still, numbers count up: the same file each time."""

    def __init__(self) -> None:
        self.count = 0

    def now(self) -> int:
        return int(BEGAN.timestamp() * 1_000_000)

    def new_id(self) -> str:
        self.count += 1
        return f"01970000-0000-7000-8000-{self.count:012d}"


def make(path: Path) -> None:
    """Write the file."""
    for old in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        old.unlink(missing_ok=True)
    with Memory(path, embedder="hash:64", clock=Clock(), config=Config(background=False)) as memory:
        for n, (role, text) in enumerate(TALK):
            memory.observe(text, role=role, session="planning", at=BEGAN + timedelta(minutes=n), key=f"m{n}")
        memory.remember("The office plants are watered on Tuesdays.", tags=["office"])
        hidden = memory.observe("This one was forgotten.", session="other", at=BEGAN + timedelta(hours=2))
        memory.forget(hidden.id, why="as a test")
        erased = memory.observe("This one was erased.", session="other", at=BEGAN + timedelta(hours=3), key="erased")
        memory.observe("In another space.", space="work", at=BEGAN)
        memory.flush()
        memory.erase(item=erased.id)
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "delete")
    connection.pragma("page_size", 2048)  # for the size of the repository only
    connection.execute("vacuum")
    connection.close()


if __name__ == "__main__":
    make(Path(sys.argv[1]))
