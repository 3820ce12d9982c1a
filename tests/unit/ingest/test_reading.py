"""Reading in a process beside this one gives what reading here gives, and an import survives its loss."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mnemic import Config, ImportCounts, ImportFailed, Memory
from mnemic import worker_process as process
from mnemic.ingest import files, reading
from mnemic.ingest.importers.base import ReadOptions

ROWS = 2_400
WHAT_IS_STORED = (
    "select n.id, n.label, n.content, n.key, n.body_hash, n.role, n.speaker, n.event_time, n.attributes, n.words,"
    " t.terms, s.key from nodes n join terms t using (row) left join sessions s on s.no = n.session order by n.row"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A conversation of three batches with a secret, a damaged line and an empty message; notes; a broken file."""
    source = tmp_path / "source"
    source.mkdir()
    rows = [
        {
            "role": "user" if i % 2 else "assistant",
            "content": f"Слово {i}: we ship on Fridays",
            "id": f"m{i}",
            "ts": 1e9 + i,
        }
        for i in range(ROWS)
    ]
    rows[3]["content"] = "the password: hunter2-4711 of \ud83d alice"
    rows[4]["content"] = " "
    lines = [json.dumps(row) for row in rows]
    lines.insert(700, '{"role": "user", "content": broken')
    (source / "chat.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (source / "notes.md").write_text("# Plans\n\nThe harbour at noon.\n", encoding="utf-8")
    (source / "other.json").write_text("[]", encoding="utf-8")
    return source


def run(path: Path, source: Path) -> tuple[ImportCounts, list[Any]]:
    with Memory(path, embedder=None, config=Config(background=False)) as memory:
        counts = memory.import_(source)
        with memory._store.reader() as reader:
            return counts, list(reader.execute(WHAT_IS_STORED))


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> list[process.WorkerProcess[Any, Any]]:
    """Everything is read by a process beside; the list holds those that were asked."""
    asked: list[process.WorkerProcess[Any, Any]] = []
    ask = process.WorkerProcess._send

    def noted(self: process.WorkerProcess[Any, Any], task: reading.Task) -> Any:
        asked.append(self)
        return ask(self, task)

    monkeypatch.setattr(process.WorkerProcess, "_send", noted)
    monkeypatch.setattr(files, "MUCH", 0)
    monkeypatch.setattr(files, "possible", lambda: True)
    return asked


def test_the_same_is_stored(tmp_path: Path, folder: Path, beside: list[process.WorkerProcess[Any, Any]]) -> None:
    counts, stored = run(tmp_path / "beside.db", folder)
    assert len(beside) >= 2
    assert beside[0]._process is None, "it ends with the import"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "possible", lambda: False)
        asked = len(beside)
        counts_here, stored_here = run(tmp_path / "here.db", folder)
        assert len(beside) == asked
    assert stored == stored_here
    assert len(stored) == ROWS  # all but the empty one, and the note
    assert counts.masked == {"password": 1}
    assert [place.split(": ")[1] for place in counts.damaged] == ["broken_json, line 701"]
    for name in ("files", "read", "stored", "skipped", "masked", "errors", "formats", "damaged"):
        assert getattr(counts, name) == getattr(counts_here, name), name


def test_small_imports_are_read_here(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process.WorkerProcess, "_send", lambda *_: pytest.fail("not worth a process"))
    run(tmp_path / "m.db", folder)


@pytest.mark.parametrize("program", ["/nowhere/python", "", "/bin/false"])
def test_without_a_process_the_file_is_read_here(
    tmp_path: Path, folder: Path, beside: list[process.WorkerProcess[Any, Any]], monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    counts, stored = run(tmp_path / "m.db", folder)
    assert len(stored) == counts.stored == ROWS
    assert len(beside) == 1, "it is not tried again for every file"


def test_possible_only_where_the_program_is_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    assert process.possible()
    for program in ("/usr/bin/uwsgi", "", None):
        monkeypatch.setattr(sys, "executable", program)
        assert not process.possible()


def test_a_process_that_dies_is_an_error_and_the_next_import_goes_on(
    tmp_path: Path, folder: Path, beside: list[process.WorkerProcess[Any, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    passed = files._Counts.passed

    def killing(self: Any, batch: reading.Batch, path: Path) -> None:
        passed(self, batch, path)
        running = beside[-1]._process
        if running is not None and self.read >= reading.BATCH:
            os.kill(running.pid, signal.SIGKILL)
            running.wait()

    chat = folder / "chat.jsonl"
    chat.write_bytes(chat.read_bytes() * 1 + b"".join(
        json.dumps({"role": "user", "content": "x" * 2_000, "id": f"long{i}"}).encode() + b"\n" for i in range(3_000)
    ))  # fmt: skip
    with monkeypatch.context() as patch:
        patch.setattr(files._Counts, "passed", killing)
        with pytest.raises(ImportFailed, match="has ended"):
            run(tmp_path / "m.db", chat)
    _, stored = run(tmp_path / "m.db", chat)
    assert len(stored) == ROWS - 1 + 3_000


def test_errors_of_the_other_side_arrive_as_they_are(tmp_path: Path) -> None:
    beside = process.WorkerProcess(reading.read)
    try:
        task = reading.Task(str(tmp_path / "gone.jsonl"), "messages", ReadOptions(), True, 0)
        with pytest.raises(FileNotFoundError):
            list(beside.ask(task))
        there = tmp_path / "there.jsonl"
        there.write_text('{"role": "user", "content": "hello"}\n', encoding="utf-8")
        task = reading.Task(str(there), "messages", ReadOptions(), True, 5)
        assert [batch.messages[0][:4] for batch in beside.ask(task)] == [("hello", "hello", 1, 5)]
    finally:
        beside.close()
        beside.close()


def test_a_script_needs_no_guard(tmp_path: Path, folder: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from mnemic import Config, Memory\nfrom mnemic.ingest import files\n"
        "files.MUCH, files.possible = 0, lambda: True\nprint('once')\n"
        f"memory = Memory({str(tmp_path / 'm.db')!r}, embedder=None, config=Config(background=False))\n"
        f"print(memory.import_({str(folder)!r}).stored)\nmemory.close()\n",
        encoding="utf-8",
    )
    for how in ([str(script)], ["-c", script.read_text(encoding="utf-8")]):
        done = subprocess.run([sys.executable, *how], capture_output=True, text=True, check=True)
        assert done.stdout.split()[0] == "once"
        assert len(done.stdout.split()) == 2
        (tmp_path / "m.db").unlink()
