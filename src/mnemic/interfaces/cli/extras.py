"""Verbs of the rooms that may be taken away: cards …, archive …"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemic.errors import InvalidInput
from mnemic.records import iso

from . import common as c
from .common import bar, one_line, pairs, say_json, size, table

if TYPE_CHECKING:
    from mnemic.models import Card, CardReport, Routed

Target = Annotated[str, typer.Argument(metavar="CARD", help="Its id, the path of its file, or its title.")]
Origin = Annotated[
    str, typer.Option("--origin", metavar="NAME", help="Whose it is: import, user, external …; decides its trust.")
]

cards = typer.Typer(help="Reference documents: kept, found, pointed to.", no_args_is_help=True, rich_markup_mode=None)


def _file(given: str) -> str:
    """A path where there is such a file, else what was given: an id or a title."""
    path = os.path.expanduser(given)
    return os.path.realpath(path) if os.path.exists(path) else given


def _tell(report: CardReport) -> None:
    names = ("added", "changed", "unchanged", "moved", "back", "gone")
    pairs([(name, getattr(report, name)) for name in names if getattr(report, name)])
    for name, why in report.errors.items():
        c.note(f"not kept: {one_line(name, 200)}: {why}")


def _row(card: Card) -> tuple[str, ...]:
    state = card.hidden_why or iso(card.event_time)[:10]
    return (
        card.id,
        state,
        str(card.uses),
        str(card.sections),
        one_line(card.title, 80),
        one_line(card.path or "", 200),
    )


@cards.command("add")
@c.verb("embedder", "llm")
def add(
    run: c.Run,
    path: Annotated[str, typer.Argument(metavar="PATH", help="A file, or a folder of documents.")],
    title: Annotated[str | None, typer.Option("--title", help="Instead of the document's own (a file only).")] = None,
    origin: Origin = "import",
    importance: Annotated[float | None, typer.Option("--importance", help="1 is ordinary.")] = None,
) -> None:
    """Keep a document, or all below a folder; what was kept before is brought up to date."""
    if not path.strip():
        raise InvalidInput("path", "must name a file or a folder", "'.' for the folder you are in")
    where = Path(path).expanduser()
    with run.opened(run.embedder, llm=run.llm, make=True) as memory:
        if where.is_dir():
            if title is not None:
                raise InvalidInput("title", "is for a single file", "a folder's documents have their own")
            report = memory.cards.add_folder(where, origin=origin, importance=importance)
            memory.flush()
            if run.json:
                say_json(report)
            else:
                _tell(report)
            return
        card = memory.cards.add(where, title=title, origin=origin, importance=importance)
        memory.flush()
    if not run.told(card):
        print(f"card {card.id}: {one_line(card.title, 80)} ({card.sections} sections)")


@cards.command("list")
@c.verb()
def list_(
    run: c.Run,
    limit: Annotated[int, typer.Option("--limit", help="Cards at most.")] = 100,
    hidden: Annotated[bool, typer.Option("--hidden", help="Those too that are gone or removed.")] = False,
) -> None:
    """List cards, the most useful first."""
    with run.opened() as memory:
        found = memory.cards.list(limit=limit, hidden=hidden)
    if run.told(found):
        return
    if found:
        table(("id", "of", "uses", "sections", "title", "file"), [_row(card) for card in found], wide=5)
    else:
        c.note("no cards; `mnemic cards add PATH` makes one")


@cards.command("show")
@c.verb()
def show(run: c.Run, target: Target) -> None:
    """Show a card: its digest, and the questions that it answers."""
    with run.opened() as memory:
        card = memory.cards.get(_file(target))
    if run.told(card):
        return
    facts = {
        "id": card.id, "file": card.path or "–", "version of": iso(card.event_time), "sections": card.sections,
        "uses": card.uses, "origin": card.origin, "made by": card.made_by, "offered": card.hidden_why or "yes",
    }  # fmt: skip
    pairs([(name, one_line(str(value), None)) for name, value in facts.items()])
    print()
    print("\n".join(one_line(line, None) for line in card.digest.split("\n")))


@cards.command("route", cls=c.FreeText)
@c.verb()
def route(
    run: c.Run,
    ctx: typer.Context,
    question: Annotated[list[str], typer.Argument(help="A question; any text.")],
    limit: Annotated[int, typer.Option("--limit", help="Cards at most.")] = 3,
) -> None:
    """Say which cards answer a question, and which words say so."""
    text = c.free_text(ctx, question, "question")
    with run.opened() as memory:
        found = memory.cards.route(text, limit=limit)
    if run.told(found):
        return
    if found:
        table(("score", "id", "title", "why"), [_routed(card) for card in found], wide=3)
    else:
        c.note("no card answers that by its rule; `recall` searches the sections")


def _routed(card: Routed) -> tuple[str, ...]:
    return f"{card.score:.2f}", card.id, one_line(card.title, 80), one_line(card.why, 300)


@cards.command("refresh")
@c.verb("embedder", "llm")
def refresh(
    run: c.Run,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done; write nothing.")] = False,
) -> None:
    """Look at the files of all cards again: edited, moved, gone, back."""
    with run.opened(run.embedder, llm=run.llm) as memory:
        report = memory.cards.refresh(dry_run=dry_run)
        if not dry_run:
            memory.flush()
    if not run.told(report):
        _tell(report)


@cards.command("remove")
@c.verb()
def remove(run: c.Run, target: Target) -> None:
    """No longer offer a card and its sections; `cards add` brings them back, `erase` removes bytes."""
    with run.opened() as memory:
        card = memory.cards.remove(_file(target))
    if not run.told(card):
        print(f"removed {card.id}: {one_line(card.title, 80)}")


@cards.command("index")
@c.verb()
def index(
    run: c.Run,
    path: Annotated[
        str | None, typer.Argument(metavar="PATH", help="The file to write [default: $MNEMIC_MEMORY_MD].")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Also into a file that mnemic has not written; its text is kept.")
    ] = False,
) -> None:
    """Write MEMORY.md: pointers to the cards, the most useful first, within 200 lines and 22 KB."""
    with run.opened() as memory:
        page = memory.cards.index(path, force=force)
    if run.json:
        say_json(page)
    else:
        done = "written" if page.written else "unchanged"
        print(
            f"{done} {page.path}: {page.shown} cards, {page.left_out} left out, {page.lines} lines, {page.bytes} bytes"
        )


archive = typer.Typer(
    help="Pack raw logs away and give them back; move old texts to a side file.", no_args_is_help=True
)

Folder = Annotated[
    str | None, typer.Option("--folder", metavar="PATH", help="The archive [default: NAME.archive beside the memory].")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be moved, and move nothing.")]


@archive.command("logs")
@c.verb()
def logs(
    run: c.Run,
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH]…", help="Files and folders [default: what was imported].")
    ] = None,
    days: Annotated[float, typer.Option("--days", help="Transcripts that have not changed for so long.")] = 14,
    dump_mb: Annotated[float, typer.Option("--dump-mb", help="Exports larger than that, at any age.")] = 20,
    dry_run: DryRun = False,
    folder: Folder = None,
) -> None:
    """Move raw logs into the archive: packed, verified, then removed. `mnemic archive restore` gives them back."""
    with run.opened() as memory, bar("archiving") as tell:
        report = memory.archive.logs(
            paths or (), days=days, dump_mb=dump_mb, folder=folder, dry_run=dry_run,
            progress=lambda done, total: tell(done, total, ""),
        )  # fmt: skip
    if run.json:
        say_json({"bytes": report.bytes, "packed_bytes": report.packed_bytes, "report": report})
    else:
        table(("file", "size"), [(file.path, size(file.size)) for file in report.files], wide=0)
        rows: list[tuple[str, object]] = [("would be packed" if dry_run else "packed", len(report.files))]
        if report.files and not dry_run:
            ratio = report.bytes / max(1, report.packed_bytes)
            rows.append(("size", f"{size(report.bytes)} into {size(report.packed_bytes)} ({ratio:.1f} : 1)"))
        rows += [(f"left, {reason.replace('_', ' ')}", count) for reason, count in sorted(report.skipped.items())]
        pairs(rows)
        for path, problem in report.errors.items():
            c.note(f"could not pack {path}: {problem}")
    if report.errors:
        raise typer.Exit(1)


@archive.command("list")
@c.verb(without=("space",))
def list_archived(run: c.Run, folder: Folder = None) -> None:
    """What stands in the archive, the latest first."""
    with run.opened() as memory:
        files = memory.archive.list(folder=folder)
    if run.told(files):
        return
    rows = [(f"{file.at:%Y-%m-%d}", size(file.size), size(file.packed), file.path) for file in files]
    table(("packed", "size", "now", "file"), rows, wide=3)


@archive.command("restore")
@c.verb(without=("space",))
def restore(
    run: c.Run,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]…", help="Original paths, folders they were in, or names of archives."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything that stands in the archive.")] = False,
    to: Annotated[
        str | None, typer.Option("--to", metavar="PATH", help="A folder, instead of their own place.")
    ] = None,
    folder: Folder = None,
) -> None:
    """Give archived files back, byte for byte, with mode and time. What stands there is never replaced."""
    from mnemic.errors import InvalidInput

    if bool(names) == everything:
        raise InvalidInput("names", "give some, or --all")
    with run.opened() as memory, bar("restoring") as tell:
        report = memory.archive.restore(
            names or (), to=to, folder=folder, progress=lambda done, total: tell(done, total, "")
        )
    if run.json:
        say_json(report)
    else:
        pairs([("restored", len(report.restored)), ("there already", len(report.there))])
        for path, problem in report.errors.items():
            c.note(f"could not restore {path}: {problem}")
    if report.errors:
        raise typer.Exit(1)


@archive.command("cold")
@c.verb()
def cold(
    run: c.Run,
    days: Annotated[float, typer.Option("--days", help="Episodes that happened, and were last used, so long ago.")],
    dry_run: DryRun = False,
) -> None:
    """Move the texts of old episodes to the side file NAME.cold. They are found as before, and come back when used."""
    with run.opened() as memory, bar("freezing") as tell:
        counts = memory.archive.freeze(days, dry_run=dry_run, progress=lambda done, total: tell(done, total, ""))
    if run.told(counts):
        return
    pairs(
        [
            (name.replace("_", " "), size(count) if name.endswith("bytes") else count)
            for name, count in counts.items()
            if count
        ]
        or [("frozen", 0)]
    )
