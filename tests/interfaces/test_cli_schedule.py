"""``mnemic schedule``: says first, does with --yes, and takes all of it back. The scheduler's command is a stand-in."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemic.interfaces.cli.app import app

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the job of another system")
Run = Callable[..., tuple[str, str]]


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    return tmp_path / "calls"


@pytest.fixture
def run(tmp_path: Path, calls: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    for variable in [name for name in os.environ if name.startswith("MNEMIC_")]:
        monkeypatch.delenv(variable)
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    (bin_ / "systemctl").write_text(f'#!/bin/sh\necho "$@" >> {shlex.quote(str(calls))}\n[ ! -e {tmp_path}/broken ]\n')
    (bin_ / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("MNEMIC_EMBEDDER", "hash:64")
    monkeypatch.setenv("MNEMIC_DB", str(tmp_path / "my memory.db"))

    def command(*arguments: str, code: int = 0) -> tuple[str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            app(args=list(arguments), prog_name="mnemic")
        out, err = capsys.readouterr()
        assert (ended.value.code or 0) == code, err
        return out, err

    command("observe", "I live in Oslo.", "--session", "a", "--at", "2026-01-10T10:00:00Z")
    return command


def written(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "config").rglob("*.*"))


def test_a_dry_run_prints_what_would_be_written_and_does_nothing(run: Run, tmp_path: Path, calls: Path) -> None:
    out, _ = run("schedule", "install")
    assert f'"{sys.executable}" "-m" "mnemic" "sleep" "--due" "--db" "{tmp_path}/my memory.db"' in out
    assert "would run systemctl --user enable --now mnemic-" in out
    assert "--yes" in out
    document = json.loads(run("schedule", "install", "--json")[0])
    assert (document["done"], document["installed"]) == (False, False)
    assert all(file["text"].splitlines()[0] in out for file in document["files"])
    assert "not installed" in run("schedule", "remove")[0]
    assert written(tmp_path) == []
    assert not calls.exists()


def test_install_show_remove(run: Run, tmp_path: Path, calls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    would: dict[str, Any] = json.loads(run("schedule", "install", "--json")[0])
    run("schedule", "install", "--yes")
    name = would["name"]
    assert {str(path): path.read_text() for path in written(tmp_path)} == {f["path"]: f["text"] for f in would["files"]}
    assert calls.read_text().splitlines() == ["--user daemon-reload", f"--user enable --now {name}.timer"]
    assert f"systemd {name}: installed\n" in run("schedule", "show")[0]
    monkeypatch.setenv("MNEMIC_ZONE", "Europe/Lisbon")
    assert "another text" in run("schedule", "show")[0]
    run("schedule", "install", "--yes")
    assert '"zone=Europe/Lisbon"' in written(tmp_path)[0].read_text()
    assert json.loads(run("schedule", "show", "--json")[0])["current"] is True
    calls.unlink()
    run("schedule", "remove")
    assert len(written(tmp_path)) == 2
    run("schedule", "remove", "--yes")
    assert calls.read_text().splitlines() == [f"--user disable --now {name}.timer", "--user daemon-reload"]
    assert written(tmp_path) == []
    assert "not installed" in run("schedule", "remove", "--yes")[0]


def test_what_is_installed_does_what_is_due(run: Run, tmp_path: Path) -> None:
    run("schedule", "install", "--yes")
    line = re.search(r"^ExecStart=(.*)$", written(tmp_path)[0].read_text(), re.M)
    assert line
    done = subprocess.run(shlex.split(line[1]), capture_output=True, check=False, env={**os.environ, "MNEMIC_DB": ""})
    assert done.returncode == 0, done.stderr
    state = json.loads(run("status", "--json")[0])
    assert (state["embeddings_due"], state["unread_messages"]) == (0, 0)


def test_a_scheduler_that_fails_is_named_with_the_way_back(run: Run, tmp_path: Path) -> None:
    (tmp_path / "broken").touch()
    _, err = run("schedule", "install", "--yes", code=1)
    assert "systemctl --user daemon-reload" in err
    assert "mnemic schedule remove --yes" in err
    run("schedule", "remove", "--yes")
    assert written(tmp_path) == []


def test_a_file_that_is_not_there_gets_no_job(run: Run, tmp_path: Path) -> None:
    assert "does not exist" in run("schedule", "install", "--yes", "--db", str(tmp_path / "no.db"), code=1)[1]


def test_without_a_scheduler_there_is_a_line_for_cron(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    _, err = run("schedule", "install", "--yes", code=2)
    assert "for cron: 7 * * * * " in err
    monkeypatch.setattr(sys, "platform", "sunos5")
    assert "sunos5" in run("schedule", "show", code=2)[1]
