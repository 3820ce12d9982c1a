"""Helpers of the case tests: memories made of texts, a clock that stands, an embedder whose vectors are chosen."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from mnemic import Config, Memory, Recall
from mnemic.clock import SystemClock, to_micros
from mnemic.store.rows import NewNode
from mnemic.text.analyse import search_text

#: What no answer may hold: SQL, its error texts, names of exceptions of the database.
SQL = re.compile(r"fts5|syntax error|no such column|sqlite|apsw|select .* from|\bmatch\b \?|traceback", re.I)


class StillClock(SystemClock):
    """A clock that says what it is told."""

    def __init__(self, at: str) -> None:
        self.at = at

    def now(self) -> int:
        return to_micros(datetime.fromisoformat(self.at))


class Chosen:
    """An embedder with chosen vectors: the first pattern found in a text decides its direction.

    Args:
        rules: (pattern, numbers) in order; numbers are scaled to length 1.
        other: what all other texts get.
        fail: called with the texts before they are embedded; may raise.
    """

    multilingual = True
    max_chars = 600

    def __init__(
        self,
        rules: Sequence[tuple[str, Sequence[float]]] = (),
        *,
        name: str = "test:chosen",
        dimension: int = 16,
        fail: Callable[[Sequence[str], str], object] | None = None,
    ) -> None:
        self.rules, self.name, self._dimension, self.fail = rules, name, dimension, fail
        self.asked: list[str] = []

    @property
    def dimension(self) -> int:
        return self._dimension

    def embed(self, texts: Sequence[str], *, kind: str) -> Any:
        self.asked += texts
        if self.fail:
            self.fail(texts, kind)
        return np.array([self._one(text) for text in texts], dtype=np.float32).reshape(-1, self.dimension)

    def _one(self, text: str) -> Any:
        vector = np.zeros(self.dimension)
        for pattern, numbers in self.rules:
            if re.search(pattern, text, re.I):
                vector[: len(numbers)] = numbers
                break
        else:
            vector[-1 - len(text) % 3] = 1.0
        return vector / np.linalg.norm(vector)


class Maker:
    """Makes memories and closes them."""

    def __init__(self) -> None:
        self._open: list[Memory] = []

    def __call__(
        self,
        *texts: str,
        path: Any = ":memory:",
        embedder: Any = None,
        clock: Any = None,
        space: str = "default",
        **config: Any,
    ) -> Memory:
        settings = Config(**{"background": False, **config})
        memory = Memory(path, embedder=embedder, config=settings, clock=clock, space=space)
        self._open.append(memory)
        for i, text in enumerate(texts):
            memory.observe(text, session=f"made-{i}")
        if texts:
            memory.flush()
        return memory

    def close(self) -> None:
        for memory in self._open:
            memory.close()


Make = Maker


def texts(answer: Recall) -> list[str]:
    return [hit.node.content for hit in answer.hits]


def found(memory: Memory, query: str, **filters: Any) -> list[str]:
    """Contents of the hits, best first; no answer may hold SQL."""
    answer = memory.recall(query, **filters)
    said = " ".join([*answer.degraded, answer.sufficiency, *(hit.why for hit in answer.hits)])
    assert not SQL.search(said), said
    return texts(answer)


def bulk(memory: Memory, rows: Iterable[str | tuple[str, dict[str, Any]]], space: str = "default") -> list[str]:
    """Write many episodes fast; returns their ids."""
    nodes = []
    for row in rows:
        text, fields = (row, {}) if isinstance(row, str) else row
        nodes.append(NewNode(text, search_text(text), **{"event_time": memory._clock.now(), **fields}))
    ids: list[str] = []
    for start in range(0, len(nodes), 5_000):
        part = nodes[start : start + 5_000]
        ids += [w.id for w in memory._store.run(lambda tx, part=part: tx.add(space, part))]
    return ids


def cli(
    *args: str, path: Path, input: str | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the command line on a file."""
    command = [sys.executable, "-m", "mnemic", args[0], "--db", str(path), *args[1:]]
    data = None if input is None else input.encode()
    return subprocess.run(command, input=data, capture_output=True, env=env, timeout=120, check=False)
