"""Workers that run a night and are killed in it (see crash.py), and what a night leaves behind."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

#: What writes, or ends a transaction that did.
WRITES = re.compile(r"^\s*(?:insert|update|delete|replace|commit|release)\b", re.I | re.M)
BEGAN = "2026-01-05T09:00:00Z"
NIGHT = "2026-03-20T03:00:00Z"
TALK = [
    "I live in Oslo. My sister Anna works at Nordlys.",
    "The build broke because the cache was full.",
    "Therefore we cleared the cache every night.",
    "I moved to Bergen last week.",
    "Я живу в Твери, моя сестра Ольга работает в Газпроме.",
    "Сервер упал, потому что кончилось место на диске.",
    "Anna likes sailing. Anna plays the cello. Anna was at the harbour.",
    "We decided to use PostgreSQL for the ledger.",
]
FACTS = [
    ("The parcel locker stands in Elm Street.", "observation"),
    ("The parcel locker is in Elm Street.", "observation"),
    ("Shop door code is 4417.", "fact"),
    ("The office printer supports duplex printing.", "fact"),
    ("The office printer does not support duplex printing.", "fact"),
    ("Deploys always run on Friday.", "fact"),
    ("Deploys never run on Friday.", "fact"),
]


def fill(path: Path) -> None:
    """A memory that gives every phase of the night something to do."""
    from mnemic import Config, Memory
    from mnemic.store import entities
    from mnemic.testing import FrozenClock

    clock = FrozenClock(BEGAN)
    with Memory(path, embedder="hash:64", clock=clock, config=Config(background=False, consolidate=False)) as memory:
        for day in range(6):
            for n, text in enumerate(TALK):
                memory.observe(text, session=f"day {day}", at=clock.at + timedelta(minutes=n))
            clock.advance(days=1)
        for year in (2023, 2024, 2025):
            memory.observe("Christmas gifts for Olga", session=f"gifts {year}", at=f"{year}-12-06")
        for label in ("observation", "fact"):
            for n in range(40):
                text = f"Crate {n} of {label} holds {n * 3 + 1} lamps."
                memory.remember(text, label=label, importance=0.05 + n / 60, key=text)  # (by key: written as it is)
        clock.set("2026-03-19T09:00:00Z")
        for text, label in FACTS:
            memory.remember(text, label=label, key=text)
        memory._store.run(lambda tx: entities.create(tx, "default", "Ольге", "person"))


def run(path: str, at: int = 0, say: str = "") -> None:
    """The night; killed before its ``at``-th statement that writes. Says (phase, statements that write) at the end."""
    import apsw

    from mnemic import Config, Memory
    from mnemic.testing import FrozenClock

    count = 0
    phases: dict[str, int] = {}
    phase = ""

    def trace(cursor: object, sql: str, bindings: object) -> bool:
        nonlocal count
        if phase:
            count += bool(WRITES.search(sql))
            phases[phase] = count
        if count and count == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    def tell(name: str, done: int, total: int | None) -> None:
        nonlocal phase
        phase = name

    def hook(connection: apsw.Connection) -> None:
        connection.exec_trace = trace

    apsw.connection_hooks.append(hook)
    quiet = Config(background=False, consolidate=False)
    with Memory(path, embedder="hash:64", clock=FrozenClock(NIGHT), config=quiet) as memory:
        memory.sleep(progress=tell)
    if say:
        Path(say).write_text(json.dumps(phases), "utf-8")


MODES: dict[str, Callable[..., None]] = {"night": run}


def left(path: Path) -> dict[str, Any]:
    """What a night leaves, without numbers and ids that differ from run to run."""
    import apsw

    connection = apsw.Connection(str(path))
    edges = """
        select a.content, e.relation, b.content from edges e join nodes a on a.row = e.source join nodes b on b.row = e.target
        where e.hidden_at is null
    """
    return {
        "nodes": sorted(connection.execute("select content, kind, label, hidden_why, valid_until from nodes"), key=str),
        "edges": sorted(connection.execute(edges), key=str),
        "entities": sorted(connection.execute("select name, type, mentions, profile is null from entities"), key=str),
        "seasons": sorted(connection.execute("select topic, year, first, last, chance from seasons")),
        "acts": sorted(connection.execute("select act, count(*) from changes group by act"), key=str),
    }
