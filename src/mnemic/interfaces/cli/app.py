"""``mnemic``: the command line, a thin skin over :class:`mnemic.Memory`. One file for each group of verbs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mnemic.plugins import extra

from . import (
    archiving,
    cards,
    care,
    common,
    deciding,
    graph,
    knowing,
    measure,
    read,
    reasons,
    scheduling,
    serve,
    sleeping,
    write,
)

app = typer.Typer(
    name="mnemic",
    help="Memory for long-lived AI agents, in one SQLite file.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from mnemic import __version__

        print(f"mnemic {__version__}")
        raise typer.Exit()


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Memory for long-lived AI agents, in one SQLite file."""


app.command("init")(care.init)
app.command("import")(write.import_)
app.command("observe", cls=common.FreeText)(write.observe)
app.command("recall", cls=common.FreeText)(read.recall)
app.command("context", cls=common.FreeText)(read.context)
app.command("timeline")(read.timeline)
app.command("show")(read.show)
app.command("status")(care.status)
app.command("doctor")(care.doctor)
app.command("backup")(care.backup)
app.command("reembed")(care.reembed)
app.command("eval")(measure.evaluate)
app.command("remember", cls=common.FreeText)(knowing.remember)
app.command("correct")(knowing.correct)
app.command("confirm")(knowing.confirm)
app.command("forget", cls=common.FreeText)(knowing.forget)
app.command("undo")(knowing.undo)
app.command("purge")(knowing.purge)
app.command("consolidate")(knowing.consolidate)
app.command("explain")(reasons.explain)
app.command("history")(reasons.history)
app.command("diff")(reasons.diff)
app.command("entity")(reasons.entity)
app.command("weak")(reasons.weak)
app.command("conflicts")(reasons.conflicts)
app.command("neighbours")(graph.neighbours)
app.command("path")(graph.path)
app.command("entities")(deciding.entities)
app.command("merge")(deciding.merge)
app.command("split")(deciding.split)
app.command("resolve")(deciding.resolve)
if extra("cards"):
    app.add_typer(cards.app, name="cards")
app.command("sleep")(sleeping.sleep)
app.add_typer(scheduling.app, name="schedule")
app.command("forecast")(sleeping.forecast)
app.command("seasonal")(sleeping.seasonal)
if extra("archive"):
    app.add_typer(archiving.app, name="archive")
app.command("mcp")(serve.mcp)
app.command("restore")(write.restore)
app.command("erase")(write.erase)


def main() -> None:
    """Entry point of the console script."""
    try:
        common.in_utf8()
        common.prepare_process()
        app(prog_name="mnemic")
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        raise SystemExit(130) from None


__all__ = ["app", "main"]
