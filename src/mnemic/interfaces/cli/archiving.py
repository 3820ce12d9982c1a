"""Verbs of the cellar: archive logs, list, restore, cold."""

from __future__ import annotations

from typing import Annotated

import typer

from . import common as c
from .importing import bar
from .output import pairs, say_json, size, table

app = typer.Typer(help="Pack raw logs away and give them back; move old texts to a side file.", no_args_is_help=True)

Folder = Annotated[
    str | None, typer.Option("--folder", metavar="PATH", help="The archive [default: NAME.archive beside the memory].")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be moved, and move nothing.")]


@app.command("logs")
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


@app.command("list")
@c.verb(without=("space",))
def list_(run: c.Run, folder: Folder = None) -> None:
    """What stands in the archive, the latest first."""
    with run.opened() as memory:
        files = memory.archive.list(folder=folder)
    if run.told(files):
        return
    rows = [(f"{file.at:%Y-%m-%d}", size(file.size), size(file.packed), file.path) for file in files]
    table(("packed", "size", "now", "file"), rows, wide=3)


@app.command("restore")
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


@app.command("cold")
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
