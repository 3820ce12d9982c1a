"""Verbs about the night: sleep, forecast, seasonal, and the job that a scheduler runs."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mnemic.errors import InvalidInput, StoreError
from mnemic.interfaces import timers
from mnemic.interfaces.places import default_db, jobs
from mnemic.records import iso

from . import common as c
from .common import bar, one_line, pairs, say_json, table

if TYPE_CHECKING:
    from mnemic.memory import Memory
    from mnemic.models import Act, PhaseReport, SleepReport

#: Acts of one kind that are shown; ``--json`` has all.
SHOWN = 20


@c.verb("embedder", "llm")
def sleep(
    run: c.Run,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")] = False,
    minutes: Annotated[
        float | None, typer.Option("--minutes", help="Time it may take [default: as long as it takes].")
    ] = None,
    due: Annotated[
        bool, typer.Option("--due", help="Only what is due: vectors, ended conversations, nights that have come.")
    ] = False,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting for this run (repeatable).")
    ] = None,
) -> None:
    """The nightly run, now: consolidate, clean up, let fade, put in order. It may be stopped and run again."""
    if due and dry_run:
        raise InvalidInput("dry_run", "is not for --due", "mnemic status says what is due")
    with run.opened(run.embedder, llm=run.llm, settings=settings(setting)) as memory, bar("steps") as tell:
        if due:
            _due(memory, memory.config.sleep_minutes if minutes is None else minutes, run)
            return
        report = memory.sleep(
            dry_run=dry_run, minutes=minutes, progress=lambda phase, done, total: tell(done, total, phase)
        )
    if not run.told(report) and not report.note:
        print_report(report)
    if report.note:
        c.fail(report.note, 1)
    if any(phase.state == "failed" for phase in report.phases):
        raise typer.Exit(1)


def settings(given: list[str] | None) -> dict[str, str]:
    """Settings as ``NAME=VALUE`` by name."""
    found = {}
    for item in given or ():
        name, sign, value = item.partition("=")
        if not sign:
            raise InvalidInput("set", f"{item!r} names no value", "--set zone=Europe/Lisbon")
        found[name.strip()] = value
    return found


def _due(memory: Memory, minutes: float, run: c.Run) -> None:
    done = memory.catch_up(minutes * 60, nights=True)
    if run.json:
        say_json(done)
    else:
        pairs([("embedded", done.embedded), ("messages read", done.episodes), ("facts", done.facts)])
        for space, report in done.nights.items():
            print(f"\nThe night of {space}:")
            print_report(report)
    if done.note:
        c.note(f"note: vectors wait: {done.note}")
    if any(phase.state == "failed" for report in done.nights.values() for phase in report.phases):
        raise typer.Exit(1)


def print_report(report: SleepReport) -> None:
    """What a night did, or would do."""
    rows: list[tuple[str, object]] = [(phase.name, _summary(phase)) for phase in report.phases]
    pairs([*rows, ("seconds", f"{report.seconds:.1f}")])
    acts = [act for phase in report.phases for act in phase.acts]
    if acts:
        print("\nWould do:" if report.dry_run else "\nDone:")
        table(("act", "memory", "why"), [_line(act) for act in acts[:SHOWN]], wide=2)
    if len(acts) > SHOWN:
        print(f"… and {len(acts) - SHOWN} more: --json shows all")


def _summary(phase: PhaseReport) -> str:
    counts = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in phase.counts.items() if count)
    return (
        "; ".join(filter(None, (phase.state if phase.state != "done" else "", counts, phase.note))) or "nothing to do"
    )


def _line(act: Act) -> tuple[str, str, str]:
    return act.act, act.id if act.other is None else f"{act.id} / {act.other}", act.why


@c.verb()
def forecast(run: c.Run, days: Annotated[float, typer.Option("--days", help="How far to look ahead.")] = 30) -> None:
    """What will fade out of sight if nobody uses it; `mnemic confirm ID` pins it."""
    with run.opened() as memory:
        found = memory.review.forecast(days)
    if run.told(found):
        return
    if not found:
        print(f"nothing fades within {days:g} days")
    else:
        rows = [
            (item.node.id, iso(item.falls_at)[:10], f"{item.strength:.2f}", one_line(item.node.content))
            for item in found
        ]
        table(("id", "until", "strength", "text"), rows, wide=3)


@c.verb()
def seasonal(
    run: c.Run, at: Annotated[str, typer.Option("--at", help="A day or moment, ISO 8601 [default: now].")] = ""
) -> None:
    """What comes back every year at this time of it, as the nightly run found."""
    with run.opened() as memory:
        found = memory.review.seasonal(at)
    if run.told(found):
        return
    if not found:
        print("nothing comes back at this time of the year")
    else:
        rows = [(one_line(s.topic), f"{s.first} … {s.last}", ", ".join(map(str, s.years)), s.ids[0]) for s in found]
        table(("topic", "days", "years", "newest"), rows, wide=0)


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
