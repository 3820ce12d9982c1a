"""Verbs that change what is believed: remember, correct, confirm, forget, undo, purge, consolidate."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from mnemic.errors import NotFound, Uncertain

from . import common as c
from .common import bar, one_line, pairs, say_json, table

if TYPE_CHECKING:
    from mnemic.consolidate.tools import Unread
    from mnemic.memory import Memory
    from mnemic.models import ConsolidationReport, Node

Target = Annotated[str, typer.Argument(metavar="TARGET", help="Id of a memory, or a text that clearly means one.")]


def meant(memory: Memory, act: Callable[[], Node], run: c.Run) -> Node:
    """Do something to the memory that a text means; where it may mean several, show them and do nothing."""
    try:
        return act()
    except Uncertain as error:
        near = []
        for id_ in error.candidates:
            try:
                near.append(memory.explain(id_).node)
            except NotFound:  # erased since
                continue
        if run.json:
            say_json({"status": "not_sure", "candidates": near})
        else:
            table(("id", "date", "text"), [(n.id, f"{n.at:%Y-%m-%d}", one_line(n.content, 200)) for n in near], wide=2)
        c.fail(f"nothing was changed: {error}", 1)


def say(done: str, node: Node, run: c.Run) -> None:
    """What became of a memory."""
    if not run.told(node):
        print(f"{done} {node.id}: {one_line(node.content, 80)}")


@c.verb("embedder")
def remember(
    run: c.Run,
    ctx: typer.Context,
    text: Annotated[list[str], typer.Argument(help="One statement that stands alone.")],
    kind: Annotated[str, typer.Option("--kind", help="semantic, procedural or opinion.")] = "semantic",
    label: Annotated[str, typer.Option("--label", help="fact, preference, decision, plan, procedure, …")] = "fact",
    importance: Annotated[
        float, typer.Option("--importance", help="1 is ordinary; above 2 it is never forgotten by itself.")
    ] = 1.0,
    confidence: Annotated[float, typer.Option("--confidence", help="How sure, 0…1.")] = 1.0,
    at: Annotated[str | None, typer.Option("--at", help="When it happened, ISO 8601 [default: now].")] = None,
    valid_from: Annotated[str | None, typer.Option("--valid-from", help="Since when it is true.")] = None,
    valid_until: Annotated[str | None, typer.Option("--valid-until", help="Until when it is true.")] = None,
    key: Annotated[
        str | None, typer.Option("--key", help="Your own key: the same key and text is stored once.")
    ] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="A label to filter by (repeatable).")] = None,
    origin: Annotated[str, typer.Option("--origin", help="Whose statement it is: decides its trust.")] = "user",
) -> None:
    """Keep one statement; it ends what it replaces, and what it repeats is not stored twice."""
    given = c.free_text(ctx, text, "text")
    with run.opened(run.embedder, make=True, catch_up=True) as memory:
        node = memory.remember(
            given, kind=kind, label=label, importance=importance, confidence=confidence, at=at, valid_from=valid_from,
            valid_until=valid_until, key=key, tags=tag, origin=origin,
        )  # fmt: skip
        if c.follow_up(memory, c.AFTER_ONE, c.GOING_ON) is None:
            memory.flush()
    say(node.acknowledged, node, run)


@c.verb("embedder")
def correct(
    run: c.Run,
    old: Target,
    new: Annotated[str, typer.Argument(metavar="NEW", help="What is right.")],
    at: Annotated[
        str | None, typer.Option("--at", help="When it changed; without it the old one was never true.")
    ] = None,
) -> None:
    """Put a right statement in the place of a wrong one, which stays in the history."""
    with run.opened(run.embedder, catch_up=True) as memory:
        node = meant(memory, lambda: memory.correct(old, new, at=at), run)
        memory.flush()
    say("corrected", node, run)


@c.verb("embedder")
def confirm(run: c.Run, target: Target) -> None:
    """Hold a memory for certain: full confidence, never ended by code, never forgotten by itself."""
    with run.opened(run.embedder, catch_up=True) as memory:
        node = meant(memory, lambda: memory.confirm(target), run)
    say("confirmed", node, run)


@c.verb("embedder")
def forget(
    run: c.Run,
    ctx: typer.Context,
    target: Annotated[
        list[str], typer.Argument(metavar="TARGET", help="Id of a memory, or a text that clearly means one.")
    ],
    why: Annotated[str, typer.Option("--why", help="Reason, for the log of changes.")] = "forgotten",
) -> None:
    """Hide a memory, and what was read out of nothing but it. `restore` brings it back; `erase` removes its bytes."""
    given = c.free_text(ctx, target, "target")
    with run.opened(run.embedder, catch_up=True) as memory:
        node = meant(memory, lambda: memory.forget(given, why=why), run)
    say("hidden", node, run)


@c.verb()
def undo(
    run: c.Run,
    change: Annotated[int, typer.Argument(metavar="CHANGE", help="Number of a change, as `explain` shows it.")],
) -> None:
    """Take back one change."""
    with run.opened() as memory:
        node = memory.review.undo(change)
    if node is not None:
        say("undone", node, run)
    elif run.json:
        say_json({"undone": change})
    else:
        print(f"undone {change}")


@c.verb()
def purge(
    run: c.Run,
    origin: Annotated[
        str | None, typer.Option("--origin", metavar="NAME", help="All that came by this channel.")
    ] = None,
    source: Annotated[
        str | None, typer.Option("--source", metavar="PATH", help="All that came from this imported file.")
    ] = None,
) -> None:
    """Hide all that came by one channel or from one file, and all that stands on it alone. `restore` brings each
    back."""
    from mnemic.models import Filter

    with run.opened() as memory:
        hidden = memory.forget(Filter(origins=origin, source=c.source_path(source)), why="purged")
    if not run.told({"hidden": hidden}):
        print(f"hidden {hidden}")


@c.verb("llm")
def consolidate(
    run: c.Run,
    session: Annotated[
        str | None, typer.Argument(metavar="[SESSION]", help="Only this conversation [default: all that are behind].")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Also read anew what was read before, as with another --llm.")
    ] = False,
    since: Annotated[
        str | None, typer.Option("--since", metavar="TIME", help="With --again: only messages from then on.")
    ] = None,
    waiting: Annotated[
        bool, typer.Option("--waiting", help="List the conversations that wait to be read, and end.")
    ] = False,
) -> None:
    """Read facts out of what was said and not read yet. It may be stopped and run again."""
    if waiting:
        with run.opened() as memory:
            unread = memory.workflow().list_unread_sessions(limit=200)
        if not run.told(unread):
            print_waiting(unread)
        return
    with run.opened(llm=run.llm) as memory, bar("messages") as tell:
        report = memory.consolidate(
            session, again=again, since=since, progress=lambda done, found: tell(done, None, f"{found} facts")
        )
        memory.flush()
    if not run.told(report) and (report.calls or not report.note):
        print_report(report)
    if report.note:
        c.fail(report.note, 1)


def print_waiting(unread: Unread) -> None:
    """Conversations that wait to be read."""
    for found in unread.sessions:
        print(
            f"{found.session}  {found.unread} messages  {found.first[:10]} to {found.last[:10]}  "
            f"{found.channel}".rstrip()
        )
    c.note(f"{unread.messages} messages in {unread.total} conversations wait")


def print_report(report: ConsolidationReport) -> None:
    """What a consolidation did."""
    rows: list[tuple[str, object]] = [
        ("conversations", report.sessions),
        ("messages", report.episodes),
        ("facts", report.facts),
        *((f"  {name}", count) for name, count in sorted(report.verdicts.items())),
        ("left out", sum(report.skipped.values())),
        *((f"  {name}", count) for name, count in sorted(report.skipped.items(), key=lambda item: -item[1])),
    ]
    if report.failed:
        rows.append(("to be tried again", report.failed))
    if report.refused:
        rows.append(("refused by the model", report.refused))
    if report.calls:
        rows += [("calls", report.calls), ("tokens", report.tokens)]
    rows.append(("seconds", f"{report.seconds:.1f}"))
    pairs(rows)
