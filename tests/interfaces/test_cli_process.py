"""The command line as a process of its own: streams, locales, pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def mnemic(*arguments: str, db: Path, stdin: bytes = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MNEMIC_", "LC_", "LANG", "PYTHON"))}
    return subprocess.run(
        [sys.executable, "-m", "mnemic", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={**kept, "MNEMIC_DB": str(db), "MNEMIC_EMBEDDER": "none", **environ},
        timeout=120,
    )


LOCALES = (
    {"PYTHONIOENCODING": "cp1252", "LANG": "C"},
    {"PYTHONIOENCODING": "cp1251", "LC_ALL": "C"},
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
)


@pytest.mark.parametrize("locale", LOCALES, ids=lambda e: "-".join(e.values()))
def test_B122_utf8_whatever_the_locale(tmp_path: Path, locale: dict[str, str]) -> None:
    text = "последние изменения 🎉"
    db = tmp_path / "m.db"
    given = mnemic("observe", text, "--json", db=db, **locale)
    assert given.returncode == 0, given.stderr
    assert json.loads(given.stdout.decode("utf-8"))["content"] == text
    piped = mnemic("observe", "-", db=db, stdin=(text + " из потока\n").encode(), **locale)
    assert piped.returncode == 0, piped.stderr
    found = mnemic("recall", "изменения", "--json", db=db, **locale)
    texts = {hit["node"]["content"] for hit in json.loads(found.stdout.decode("utf-8"))["hits"]}
    assert texts == {text, text + " из потока"}
    shown = mnemic("recall", "изменения", db=db, **locale)
    assert text in shown.stdout.decode("utf-8")


def test_paths_in_cyrillic_under_an_ascii_locale(tmp_path: Path) -> None:
    folder = tmp_path / "мой проект"
    folder.mkdir()
    (folder / "заметка.md").write_text("# План\n\nКупить билеты.\n", encoding="utf-8")
    for locale in LOCALES:
        done = mnemic("import", str(folder), "--db", str(folder / "память.db"), "--json", db=tmp_path / "x", **locale)
        assert done.returncode == 0, done.stderr
    assert sorted(p.name for p in folder.iterdir() if p.suffix == ".db") == ["память.db"]


def test_pipes_get_whole_lines_without_colour(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    long = "слово " * 60 + "конец"
    mnemic("observe", long, db=db)
    shown = mnemic("recall", "слово", db=db, COLUMNS="40", FORCE_COLOR="", TERM="xterm-256color")
    line = shown.stdout.decode().splitlines()[0]
    assert line.endswith("конец")
    assert "\x1b" not in shown.stdout.decode()
    assert "degraded: vector" in shown.stderr.decode()


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    mnemic("observe", "x" * 5000, db=db)
    process = subprocess.Popen(
        [sys.executable, "-m", "mnemic", "timeline", "--full", "--db", str(db)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    errors = process.stderr.read().decode()
    process.stderr.close()
    process.wait(60)
    assert "Traceback" not in errors


def test_demo_runs_on_the_sample(tmp_path: Path) -> None:
    environ = {**os.environ, "MNEMIC_DB": str(tmp_path / "m.db"), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "mnemic.interfaces.demo", "--sample"],
        capture_output=True, check=False, env=environ, timeout=240,
    )  # fmt: skip
    out = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "why:" in out
    assert "<mnemic-memory" in out
    assert "грецкие орехи" in out
