"""Verbs of the night and of what it finds: sleep, forecast, seasonal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mnemic.errors import InvalidInput
from mnemic.records import iso

from . import common as c
from .importing import bar
from .output import one_line, pairs, say_json, table

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


__all__ = ["forecast", "print_report", "sleep"]
