"""What a file says of itself: counts without scans, and a full examination when asked."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import apsw
import numpy as np

from ..errors import ColdMissing, MissingExtra, StoreError
from ..text.analyse import search_text
from . import freezing
from .adding import SILENCE
from .base import Failures
from .cold import C
from .columns import NEVER
from .connect import LATEST
from .sqlite import F, Q, SqliteStore
from .tx import Tx

#: Version with the fix of the bug that could damage the log when two connections checkpoint and write at once.
SAFE_SQLITE = (3, 51, 3)
LARGE_LOG = 64 * 1024 * 1024


class _Named(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...


class _Due(Protocol):
    def due(self, space: str) -> int: ...


def status(store: SqliteStore, space: str, embedder: _Named | None, due: _Due | None) -> Mapping[str, Any]:
    """The state of a file and of one space in it."""
    columns = store.columns(space)
    kinds = Counter(zip(columns.kind.tolist(), columns.label.tolist(), strict=True))
    gone = np.flatnonzero(columns.hidden_at != NEVER)
    hidden = Counter(zip(columns.kind[gone].tolist(), columns.label[gone].tolist(), strict=True))
    names = columns.names
    sessions, entities = next(iter(store._in(space, Q.space_counts)), (0, 0))
    by_kind = sorted((names["kind"][k], names["label"][la], n, hidden[k, la]) for (k, la), n in kinds.items())
    nodes, indexed = _counts(store)
    log = _size(f"{store.path}-wal")
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    notes: list[str] = []
    if version < SAFE_SQLITE:
        old = f"SQLite {apsw.sqlite_lib_version()} is older than 3.51.3"
        notes.append(f"{old}: one process at a time, please (pip install -U apsw)")
    if indexed != nodes:
        notes.append("the keyword index and the rows differ: run `mnemic doctor --repair`")
    readers = log_readers(store.path)
    if log > LARGE_LOG:
        pinned = ", ".join(str(pid) for pid in readers) or "unknown"
        large = f"the write-ahead log is {log // 1_000_000} MB"
        notes.append(f"{large}: a reader keeps it from being folded in (process {pinned})")
    cold = freezing.about(store)
    cold["texts"] = store._within(space, C.count_cold)[0][0] if columns.n else 0
    if cold["any"] and cold["missing"]:
        notes.append(f"{cold['path']} is missing: the texts of cold memories stand there; put it back")
    vectors = vector_state(store, space, embedder, due)
    notes += vectors.pop("notes")
    return {
        "path": store.path,
        "format": LATEST,
        "sqlite": apsw.sqlite_lib_version(),
        "file_bytes": _size(store.path),
        "log_bytes": log,
        "log_readers": readers,
        "spaces": store.spaces(),
        "space": space,
        "memories": store.count(space),
        "hidden": len(gone),
        "by_kind": [{"kind": k, "label": la, "count": n, "hidden": h} for k, la, n, h in by_kind],
        "sessions": sessions,
        "entities": entities,
        "memories_in_file": nodes,
        "keyword_rows": indexed,
        "writes_waiting": store.waiting,
        "cold": cold,
        **vectors,
        "notes": notes,
    }


def unread(store: SqliteStore, space: str) -> dict[str, int]:
    """How many sessions of a space have ended and not been read to their end, and how many messages that is."""
    sessions, messages = next(iter(store._in(space, F.unread, store.now() - SILENCE)), (0, 0))
    return {"unread_sessions": sessions, "unread_messages": messages}


def _counts(store: SqliteStore) -> tuple[int, int]:
    """(memories, rows of the keyword index) of the whole file, read from their counters."""
    with store.reader() as r:
        return int(r.execute(Q.live_nodes).get), _varint(r.execute(Q.search_totals).get or b"\0")


def _varint(data: bytes) -> int:
    """The SQLite variable-length integer that the bytes begin with."""
    value = 0
    for byte in data[:8]:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value
    return value << 8 | data[8]


def vector_state(store: SqliteStore, space: str, embedder: _Named | None, due: _Due | None) -> dict[str, Any]:
    """Which vectors there are, which are due, and whether search can use them."""
    generations = {name: (no, dimension) for no, name, dimension in store.generations()}
    held = []
    for name, (no, size) in generations.items():
        tail, packed = store._rows(Q.vector_counts, no)[0]
        held.append({"embedder": name, "dimension": size, "vectors": tail + packed})
    notes: list[str] = []
    dimension: int | None = None
    try:
        dimension = embedder.dimension if embedder else None
    except Exception as error:  # a server that is down; everything else can still be said
        notes.append(f"the embedder does not answer ({type(error).__name__}): new memories wait, search goes by words")
    others = [h for h in held if h["vectors"] and (embedder is None or h["embedder"] != embedder.name)]
    for other in others:
        mine = f"{embedder.name} ({dimension or 'unknown'})" if embedder else "none"
        notes.append(
            f"vector search off for {other['vectors']} vectors of {other['embedder']} ({other['dimension']}): "
            f"configured is {mine}; `mnemic reembed` fills the new index"
        )
    known = generations.get(embedder.name) if embedder else None
    if embedder and known and dimension and known[1] != dimension:
        notes.append(
            f"vector search off: {embedder.name} has {known[1]} numbers in this file and {dimension} as configured: "
            "give it another name and run `mnemic reembed`"
        )
    waiting = due.due(space) if due else 0
    failures = store.failures(space, known[0]) if known else Failures(0, 0, None)
    return {
        "embedder": embedder.name if embedder else None,
        "dimension": dimension,
        "embeddings_due": waiting,
        "embedding_failures": {"count": failures.rows, "given_up": failures.given_up, "reason": failures.reason},
        "generations": held,
        "notes": notes,
    }


def log_readers(path: str) -> list[int]:
    """Processes other than this one that hold a read lock on the log (Linux; empty elsewhere).

    Read from ``/proc/locks``: opening and closing the file ourselves would drop our own locks.
    """
    if not sys.platform.startswith("linux"):
        return []
    with contextlib.suppress(OSError):
        inode = os.stat(f"{path}-shm").st_ino
        found = set()
        for line in Path("/proc/locks").read_text(encoding="ascii", errors="replace").splitlines():
            parts = line.split()
            if len(parts) >= 8 and parts[5].rsplit(":", 1)[-1] == str(inode) and int(parts[6]) in range(123, 128):
                found.add(int(parts[4]))
        return sorted(found - {os.getpid(), -1})
    return []


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def doctor(store: SqliteStore, *, repair: bool) -> Mapping[str, Any]:
    """Examine the whole file; with ``repair``, mend what is derived (never the memories themselves).

    Returns:
        ``ok``, the list of ``problems`` found, and the list of what was ``repaired``.
    """
    problems = examine(store)
    repaired: list[str] = []
    if repair and problems:
        repaired = store.run(_mend)
        problems = examine(store)
    return {"ok": not problems, "problems": problems, "repaired": repaired}


def examine(store: SqliteStore) -> list[str]:
    """Problems of a file, in words; empty when it is sound."""
    problems: list[str] = []
    # On a connection of its own: one that read the keyword index before its last merge would check the pages it
    # remembers, and call the file damaged.
    with store.reader(fresh=True) as r:
        answers = [row[0] for row in r.execute(Q.integrity)]
        if answers != ["ok"]:
            problems.append(f"SQLite integrity check: {len(answers)} finding(s)")
        broken = r.execute(Q.foreign_keys).get
        if broken:
            problems.append(f"{broken} row(s) point to rows that are not there")
        nodes, terms, indexed, counted = (
            r.execute(q).get for q in (Q.count_all_nodes, Q.count_terms, Q.count_search, Q.live_nodes)
        )
        if not nodes == terms == indexed:
            problems.append(f"rows {nodes}, search texts {terms}, indexed {indexed} differ")
        if nodes != counted:
            problems.append(f"rows {nodes}, counted {counted} differ")
    cold = freezing.examine(store)
    problems += cold
    try:
        # without its texts the index can only be checked by itself
        store.run(freezing.check_index if not cold else lambda tx: tx.connection.execute(C.check_index))
    except StoreError as error:
        problems.append(f"keyword index: {type(error).__name__}")
    return problems


def _mend(tx: Tx) -> list[str]:
    """Make missing or wrong search texts again from the memories, and the keyword index from them."""
    done: list[str] = []
    try:
        thawed = freezing.thaw_all(tx)
    except (ColdMissing, MissingExtra):
        return done  # an index made anew would know nothing of the texts that are out of reach
    if thawed:
        done.append(f"{thawed} cold text(s) brought back into the file")
    wrong = [
        (right, row)
        for row, content, terms in tx.connection.execute(Q.search_texts_made)
        if (right := search_text(content)) != terms
    ]
    tx.connection.executemany(Q.update_terms, wrong)
    if wrong:
        done.append(f"{len(wrong)} search text(s) made again")
    while missing := tx.connection.execute(Q.missing_search, (500,)).fetchall():
        tx.connection.executemany(Q.insert_terms, [(row, search_text(content)) for row, content in missing])
        done.append(f"{len(missing)} search text(s) made")
    tx.connection.execute(Q.rebuild_search)
    done.append("keyword index built again")
    tx.connection.execute(Q.recount_nodes)
    tx.connection.execute(Q.drop_chunks)
    return done
