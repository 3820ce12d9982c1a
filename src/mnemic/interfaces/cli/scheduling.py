"""The verb ``schedule``: a job of this machine that does every hour what is due."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from mnemic.errors import InvalidInput, StoreError
from mnemic.interfaces import timers
from mnemic.interfaces.places import default_db, jobs

from . import common as c

app = typer.Typer(
    help="A job that does every hour what is due, for machines where no process stays.", no_args_is_help=True
)

Yes = Annotated[bool, typer.Option("--yes", help="Do it; without it, only say what would be done.")]


@app.command()
@c.verb("embedder", "llm", without=("space",))
def install(run: c.Run, yes: Yes = False) -> None:
    """Have `mnemic sleep --due` run every hour: systemd, launchd or the Task Scheduler."""
    c.db_path(run.db, make=False)
    plan = _plan(run.db, run.embedder, run.llm)
    if yes:
        if shutil.which(plan.install[0][0]) is None:
            raise _unknown(plan.install[0][0], _words(run.db, run.embedder, run.llm))
        if _found(plan):  # what runs is taken back first, so that the new text counts
            _run(plan.remove, may_fail=True)
        for name, text in plan.files:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(text, encoding="utf-8", newline="")
        _run(plan.install)
    if run.told({**_state(plan), "done": yes, "commands": plan.install}):
        return
    for name, text in plan.files:
        print(f"{'wrote' if yes else 'would write'} {name}")
        if not yes:
            print(_indented(text))
    _tell(plan.install, yes)
    if plan.remark:
        c.note(plan.remark)


@app.command()
@c.verb(without=("space",))
def remove(run: c.Run, yes: Yes = False) -> None:
    """Take the job away again."""
    plan = _plan(run.db)
    there = _found(plan)
    if yes and there:
        _run(plan.remove, may_fail=True)  # it may have been stopped by hand
        for name in there:
            Path(name).unlink(missing_ok=True)
        _run(plan.after, may_fail=True)
    if run.told({**_state(plan), "done": yes and bool(there), "commands": [*plan.remove, *plan.after]}):
        return
    if not there:
        print(f"{plan.scheduler} {plan.name}: not installed")
    else:
        for name in there:
            print(f"{'removed' if yes else 'would remove'} {name}")
        _tell((*plan.remove, *plan.after), yes)


@app.command()
@c.verb("embedder", "llm", without=("space",))
def show(run: c.Run) -> None:
    """Say whether the job is installed, and what it is."""
    plan = _plan(run.db, run.embedder, run.llm)
    state = _state(plan)
    if run.told(state):
        return
    other = "" if state["current"] else "; `mnemic schedule install` would write another text now"
    print(f"{plan.scheduler} {plan.name}: {'installed' + other if state['installed'] else 'not installed'}")
    for name, text in _found(plan).items():
        print(f"{name}\n{_indented(text)}")


# -- inside -----------------------------------------------------------------------------------------------------------


def _words(db: str, embedder: str, llm: str) -> tuple[str, ...]:
    """The command of the job. On Windows the Python beside this one that opens no window, where there is one."""
    from mnemic.config import Config

    quiet = Path(sys.executable).with_name("pythonw.exe")
    python = str(quiet) if sys.platform == "win32" and quiet.exists() else sys.executable
    return timers.command(python, _path(db), embedder=embedder, llm=llm, config=Config.load())


def _path(db: str) -> str:
    return str((Path(db).expanduser() if db else default_db()).absolute())


def _plan(db: str, embedder: str = "auto", llm: str = "none") -> timers.Plan:
    words = _words(db, embedder, llm)
    user = os.getuid() if hasattr(os, "getuid") else 0
    plan = timers.plan(sys.platform, words, _path(db), str(jobs()), user)
    if plan is None:
        raise _unknown(sys.platform, words)
    return plan


def _unknown(what: str, words: tuple[str, ...]) -> InvalidInput:
    return InvalidInput(
        "schedule", f"no scheduler that is known is here ({what})", f"for cron: {timers.crontab(words)}"
    )


def _found(plan: timers.Plan) -> dict[str, str]:
    """The files of the job that are there, with their texts."""
    paths = [Path(name) for name, _ in plan.files]
    return {str(path): path.read_bytes().decode(errors="replace") for path in paths if path.is_file()}


def _state(plan: timers.Plan) -> dict[str, Any]:
    found = _found(plan)
    return {
        "scheduler": plan.scheduler,
        "name": plan.name,
        "installed": len(found) == len(plan.files),
        "current": found == dict(plan.files),
        "files": [{"path": name, "text": text, "there": found.get(name)} for name, text in plan.files],
    }


def _run(commands: Sequence[tuple[str, ...]], *, may_fail: bool = False) -> None:
    for words in commands:
        try:
            ended = subprocess.run(words, capture_output=True, check=False, timeout=60)
            said, failed = (ended.stderr or ended.stdout).decode(errors="replace"), ended.returncode != 0
        except (OSError, subprocess.TimeoutExpired) as error:
            said, failed = str(error), True
        if failed:
            problem = f"{shlex.join(words)}: {said.strip() or 'failed'}"
            if not may_fail:
                raise StoreError(f"{problem}; the files are written, `mnemic schedule remove --yes` takes them away")
            c.note(f"note: {problem}")


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def _tell(commands: Sequence[tuple[str, ...]], done: bool) -> None:
    for words in commands:
        print(f"{'ran' if done else 'would run'} {shlex.join(words)}")
    if not done:
        print("Nothing was done: --yes does it.")


__all__ = ["app"]
