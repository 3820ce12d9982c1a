"""``mnemic seasonal``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mnemic import Config, Memory
from mnemic.interfaces.cli.app import app


@pytest.fixture
def db(tmp_path: Path) -> str:
    path = str(tmp_path / "m.db")
    with Memory(path, embedder=None, config=Config(background=False)) as memory:
        for year in (2023, 2024, 2025):
            memory.observe("Christmas gifts for Ida", at=f"{year}-12-05", session=f"a{year}")
        memory.sleep()
    return path


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, done.output


def test_in_its_season_and_out_of_it(db: str) -> None:
    code, shown = run("seasonal", "--db", db, "--at", "2026-12-01")
    assert code == 0
    assert "2023, 2024, 2025" in shown
    code, written = run("seasonal", "--db", db, "--at", "2026-12-01", "--json")
    [found] = json.loads(written)
    assert (code, found["month"], found["years"], len(found["ids"])) == (0, 12, [2023, 2024, 2025], 3)
    assert run("seasonal", "--db", db, "--at", "2026-06-01")[1].startswith("nothing comes back")
    assert json.loads(run("seasonal", "--db", db, "--at", "2026-06-01", "--json")[1]) == []


def test_a_time_that_is_none(db: str) -> None:
    assert run("seasonal", "--db", db, "--at", "Christmas")[0] == 2
