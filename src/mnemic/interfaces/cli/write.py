"""Verbs that bring in, bring back and take away for good: observe, import, restore, erase."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mnemic.errors import ImportFailed, InvalidInput, MnemicError
from mnemic.interfaces.places import own_transcripts
from mnemic.models import ImportCounts
from mnemic.records import plain

from . import common as c
from .common import one_line, pairs, say_json

if TYPE_CHECKING:
    from mnemic.memory import Memory


@dataclass(slots=True)
class Outcome:
    """All paths of one command together."""

    total: ImportCounts = field(default_factory=ImportCounts)
    failed: dict[str, str] = field(default_factory=dict)
    embedded: int = 0
    facts: int = 0
    waiting: int = 0
    unread: int = 0
    interrupted: bool = False

    @property
    def nothing(self) -> bool:
        """Not one file gave, or had given before, a message."""
        t = self.total
        return not (t.stored or t.updated or t.known or t.unchanged)

    def document(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            **plain(self.total), "failed": self.failed, "embedded": self.embedded,
            "facts": self.facts, "embeddings_due": self.waiting, "unread_messages": self.unread,
            "interrupted": self.interrupted,
        }  # fmt: skip


def run_import(
    memory: Memory,
    paths: Sequence[str],
    *,
    format: str,
    dry_run: bool,
    keep: Sequence[str] | None,
    embed: bool,
) -> Outcome:
    """Import one path after the other; a path that fails does not stop the others."""
    from mnemic.ingest.importers.base import DEFAULT_KEEP

    labels = None if keep is None else DEFAULT_KEEP | set(keep)
    outcome = Outcome(ImportCounts(dry_run=dry_run))
    before = memory.status()["memories"]
    try:
        for path in paths:
            with c.bar("reading", unit="bytes") as tell:
                try:
                    counts = memory.import_(
                        path, format=format, dry_run=dry_run, keep=labels,
                        progress=lambda p: tell(p.bytes_done, p.bytes_total, f"{p.stored} stored"),
                    )  # fmt: skip
                except ImportFailed as error:
                    outcome.failed[path] = str(error)
                    c.note(f"error: {error}")
                    continue
            outcome.total = add(outcome.total, counts)
        if embed and memory.embedder is not None:
            due = memory.status()["embeddings_due"]
            with c.bar("embedding") as tell:
                outcome.embedded = memory.flush(lambda n: tell(n, max(n, due), ""))
        elif not dry_run:
            memory.flush()  # names; without an embedder there are no vectors to wait for
        if not dry_run:
            done = c.follow_up(memory, c.AFTER_MANY)
            if done is not None:
                outcome.facts = done.facts
    except KeyboardInterrupt:
        outcome.interrupted = True
        new = memory.status()["memories"] - before
        outcome.total = replace(outcome.total, stored=max(outcome.total.stored, new))
    if not outcome.interrupted:
        status = memory.status()
        outcome.waiting, outcome.unread = status["embeddings_due"], status["unread_messages"]
    return outcome


def add(a: ImportCounts, b: ImportCounts) -> ImportCounts:
    """The sum of two counts."""
    maps: dict[str, Any] = {
        name: dict(Counter(getattr(a, name)) + Counter(getattr(b, name))) for name in ("skipped", "masked", "formats")
    }
    names = ("files", "unchanged", "read", "stored", "updated", "known", "seconds")
    values: dict[str, Any] = {name: getattr(a, name) + getattr(b, name) for name in names}
    return replace(b, **values, **maps, errors={**a.errors, **b.errors}, damaged=a.damaged + b.damaged)


def print_counts(outcome: Outcome) -> None:
    """The counts, so that they can be seen to add up: read = stored + updated + known + skipped."""
    t = outcome.total
    rows: list[tuple[str, object]] = [
        ("files", f"{t.files} ({t.unchanged} unchanged)" if t.unchanged else t.files),
        *((f"  {name}", count) for name, count in sorted(t.formats.items())),
        ("read", t.read),
        ("  would be stored" if t.dry_run else "  stored", t.stored),
        ("  updated", t.updated),
        ("  known", t.known),
        ("  skipped", sum(t.skipped.values())),
        *((f"    {name}", count) for name, count in sorted(t.skipped.items(), key=lambda item: -item[1])),
    ]
    if t.masked:
        rows.append(("secrets masked", sum(t.masked.values())))
        rows += [(f"  {name}", count) for name, count in sorted(t.masked.items())]
    if outcome.embedded:
        rows.append(("embedded", outcome.embedded))
    if outcome.facts:
        rows.append(("facts read", outcome.facts))
    if outcome.waiting:
        rows.append(("waiting for a vector", outcome.waiting))
    if outcome.unread:
        rows.append(("messages not read yet", outcome.unread))
    rows.append(("seconds", f"{t.seconds:.1f}"))
    pairs(rows)
    for file, problem in t.errors.items():
        c.note(f"could not read {file}: {problem}")
    for place in t.damaged:
        c.note(f"damaged: {place}")


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
