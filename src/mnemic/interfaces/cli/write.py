"""Verbs that write what was said, and take it away: observe, import, restore, erase."""

from __future__ import annotations

import contextlib
import sys
from typing import Annotated

import typer

from mnemic.errors import ImportFailed, InvalidInput, MnemicError
from mnemic.interfaces.places import own_transcripts

from . import common as c
from .importing import print_counts, run_import
from .output import one_line, pairs, say_json


@c.verb("embedder")
def observe(
    run: c.Run,
    ctx: typer.Context,
    text: Annotated[list[str], typer.Argument(help="What was said; - reads it from standard input.")],
    role: Annotated[str, typer.Option("--role", help="user, assistant, system or tool.")] = "user",
    session: Annotated[str | None, typer.Option("--session", help="Name of the conversation.")] = None,
    key: Annotated[
        str | None, typer.Option("--key", help="Your own key: the same key and text is stored once.")
    ] = None,
    at: Annotated[str | None, typer.Option("--at", help="When it was said, ISO 8601 [default: now].")] = None,
    speaker: Annotated[str | None, typer.Option("--speaker", help="Name of the person.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="A label to filter by (repeatable).")] = None,
) -> None:
    """Keep one message, word for word. Its vector, and facts of ended conversations, follow in a second of due work."""
    given = c.free_text(ctx, text, "text")
    if given == "-":
        given = sys.stdin.read()
        given = given[:-1] if given.endswith("\n") else given
    with run.opened(make=True) as memory:
        node = memory.observe(given, role=role, session=session, key=key, at=at, speaker=speaker, tags=tag)
        memory.flush()
    if run.json:
        say_json(node)
    else:
        print(f"{node.acknowledged} {node.id}", flush=True)
    # the message is kept and told, whatever becomes of an embedder or a model
    with contextlib.suppress(MnemicError), run.opened(run.embedder) as memory:
        c.follow_up(memory, c.AFTER_ONE, c.GOING_ON)


@c.verb("embedder")
def import_(
    run: c.Run,
    path: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="Files or folders [default: your Claude Code, Codex and Gemini folders].",
        ),
    ] = None,
    format: Annotated[str, typer.Option("--format", help="Name the format instead of recognising it.")] = "auto",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count only, write nothing.")] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", help="Labels to store besides the default ones: tool_output, thinking, …"),
    ] = None,
    no_embed: Annotated[bool, typer.Option("--no-embed", help="Do not wait for vectors; they follow later.")] = False,
) -> None:
    """Import transcripts, exports and notes. Run it again at will: only what is new is read."""
    paths = list(path or [])
    if not paths:
        found = own_transcripts()
        for program, folder in found:
            c.note(f"{program}: {folder}")
        paths = [str(folder) for _, folder in found]
    if not paths:
        raise ImportFailed("no transcripts of Claude Code, Codex or Gemini CLI found here; name a file or a folder")
    with run.opened(None if no_embed or dry_run else run.embedder, make=True) as memory:
        outcome = run_import(memory, paths, format=format, dry_run=dry_run, keep=keep, embed=not (no_embed or dry_run))
    shown = not outcome.interrupted and (outcome.total.files or not outcome.failed)
    if not run.told(outcome.document()) and shown:
        print_counts(outcome)
    if outcome.interrupted:
        kept = outcome.total.stored + outcome.total.updated
        c.fail(f"interrupted; {kept} new messages are kept, run it again to go on", 130)
    if outcome.nothing:
        c.fail("nothing could be imported", 1)


@c.verb()
def restore(
    run: c.Run, id: Annotated[str, typer.Argument(metavar="ID", help="Id of a hidden or ended memory.")]
) -> None:
    """Offer a hidden memory again, with what was hidden along with it, or take back that it has ended."""
    with run.opened() as memory:
        node = memory.restore(id)
    if not run.told(node):
        print(f"restored {node.id}: {one_line(node.content, 80)}")


@c.verb()
def erase(
    run: c.Run,
    item: Annotated[str | None, typer.Option("--item", metavar="ID", help="One memory.")] = None,
    session: Annotated[str | None, typer.Option("--session", help="A whole conversation.")] = None,
    source: Annotated[
        str | None, typer.Option("--source", metavar="PATH", help="All that came from an imported file.")
    ] = None,
    entity: Annotated[str | None, typer.Option("--entity", metavar="NAME", help="All that mentions a name.")] = None,
    like: Annotated[
        str | None,
        typer.Option("--like", metavar="PATH", help="What was erased from the file that this backup replaces."),
    ] = None,
    everything: Annotated[bool, typer.Option("--everything", help="The whole space.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove bytes for good. This cannot be undone."""
    targets = {"item": item, "session": session, "source": source, "entity": entity, "like": like}
    given = {name: value for name, value in {**targets, "everything": everything}.items() if value}
    if len(given) != 1:
        names = "--item, --session, --source, --entity, --like or --everything"
        raise InvalidInput("erase", "needs exactly one target", names)
    with run.opened() as memory:
        if not yes:
            what = " ".join(f"{k} {v!r}" for k, v in given.items())
            what = f"everything in space {run.space!r}" if everything else what
            typer.confirm(f"Erase {what} from {memory.path} for good?", abort=True, err=True)
        counts = memory.erase(
            item=item, session=session, source=c.source_path(source), entity=entity, like=like, everything=everything
        )
    if not run.told(counts):
        pairs(counts or {"erased": "nothing"})
