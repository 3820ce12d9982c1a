"""A wrong argument of any verb is a plain error that names it, never an error of Python or of SQLite."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemic import Config, InvalidInput, Memory

WRONG: list[tuple[str, Callable[[Memory], object]]] = [
    ("limit", lambda m: m.timeline(limit="x")),  # type: ignore[arg-type]
    ("limit", lambda m: m.timeline(limit=0)),
    ("offset", lambda m: m.timeline(offset=-1)),
    ("limit", lambda m: m.sessions(limit="x")),  # type: ignore[arg-type]
    ("budget", lambda m: m.context("x", budget="many")),  # type: ignore[arg-type]
    ("budget", lambda m: m.context("x", budget=True)),
    ("budget", lambda m: m.context("x", budget=0)),
    ("name", lambda m: m.entities.get(None)),  # type: ignore[arg-type]
    ("path", lambda m: m.backup("")),
    ("path", lambda m: m.backup("no/such/folder/copy.db")),
    ("path", lambda m: m.backup(m.path)),
    ("keep", lambda m: m.import_(__file__, keep="nonsense")),
    ("limit", lambda m: m.recall("x", limit=1.5)),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("field", "call"), WRONG)
def test_B116_wrong_arguments_name_the_field(tmp_path: Path, field: str, call: Callable[[Memory], object]) -> None:
    with Memory(tmp_path / "m.db", embedder=None, config=Config(background=False)) as memory:
        memory.observe("something")
        with pytest.raises(InvalidInput, match=field):
            call(memory)
        memory.observe("and it goes on")
        assert memory.status()["memories"] == 2
