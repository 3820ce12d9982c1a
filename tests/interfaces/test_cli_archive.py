"""`mnemic archive`: logs, list, restore, cold; their JSON, their exit codes, their errors."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from test_cli_knowledge import Run, document, run

from mnemic.interfaces.places import samples

__all__ = ["run"]


@pytest.fixture
def transcripts(tmp_path: Path) -> Path:
    folder = tmp_path / "projects"
    shutil.copytree(samples(), folder)
    for path in folder.rglob("*.jsonl"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_logs_list_restore(run: Run, transcripts: Path, tmp_path: Path) -> None:
    before = files(transcripts)
    run("import", str(transcripts))
    _, out, _ = run("archive", "logs", "--dry-run")
    assert f"would be packed  {len(before)}" in out
    assert files(transcripts) == before
    packed = document(run("archive", "logs", "--json"))
    assert packed["bytes"] > packed["packed_bytes"] > 0
    assert len(packed["report"]["files"]) == len(before)
    assert not files(transcripts)
    listed = document(run("archive", "list", "--json"))
    assert {entry["path"] for entry in listed} == {str(transcripts / name) for name in before}
    _, out, _ = run("archive", "list")
    assert len(out.splitlines()) == len(before)
    one = listed[0]
    document(run("archive", "restore", one["file"], "--to", str(tmp_path / "aside"), "--json"))
    assert (tmp_path / "aside" / Path(one["path"]).name).read_bytes() in before.values()
    _, out, _ = run("archive", "restore", str(transcripts))
    assert f"restored       {len(before)}" in out
    assert files(transcripts) == before
    _, out, _ = run("archive", "logs", str(transcripts))
    assert f"left, young  {len(before)}" in out


def test_what_cannot_be_restored_is_named_and_the_exit_code_is_one(run: Run, transcripts: Path) -> None:
    run("init")
    run("archive", "logs", str(transcripts))
    path = document(run("archive", "list", "--json"))[0]["path"]
    Path(path).write_text("something new")
    _, out, err = run("archive", "restore", "--all", code=1)
    assert "something stands there" in err
    assert "restored" in out
    assert Path(path).read_text() == "something new"


@pytest.mark.parametrize(("arguments", "code", "said"), [
    (["restore"], 2, "--all"), (["restore", "--all", "x"], 2, "--all"), (["restore", "nothing.jsonl"], 1, "no archived file"),
    (["logs", "no/such/folder"], 2, "no such file"), (["logs", "--days", "0"], 2, "days"), (["cold", "--days", "-1"], 2, "days"),
])  # fmt: skip
def test_wrong_input_is_one_plain_line(run: Run, arguments: list[str], code: int, said: str) -> None:
    run("init")
    _, out, err = run("archive", *arguments, code=code)
    assert out == ""
    assert err.startswith("error: ")
    assert said in err


def test_cold(run: Run) -> None:
    for n in range(3):
        run("observe", f"The harbour froze over, winter {n}.", "--at", "2020-01-14T09:00:00Z")
    assert document(run("archive", "cold", "--days", "30", "--dry-run", "--json"))["due"] == 3
    _, out, _ = run("archive", "cold", "--days", "30")
    assert "frozen" in out
    _, out, _ = run("status")
    assert "3 texts in" in out
    found = document(run("recall", "harbour", "--json"))
    assert found["hits"][0]["node"]["cold"]
    assert "harbour froze" in found["hits"][0]["node"]["content"]
    assert "cold" not in run("archive", "cold", "--days", "30")[1]
