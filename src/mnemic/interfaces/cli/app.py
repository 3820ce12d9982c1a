"""``mnemic``: the command line, a thin skin over :class:`mnemic.Memory`. One file for each group of verbs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mnemic.plugins import extra

from . import care, common, extras, knowing, read, reasons, serve, sleeping, write

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


for _verb in (
    care.init, write.import_, write.observe, read.recall, read.context, read.timeline, read.show, care.status,
    care.doctor, care.backup, care.reembed, care.eval_, knowing.remember, knowing.correct, knowing.confirm,
    knowing.forget,
    knowing.undo, knowing.purge, knowing.consolidate, reasons.explain, reasons.history, reasons.diff, reasons.entity,
    reasons.weak, reasons.conflicts, reasons.neighbours, reasons.path, reasons.entities, reasons.merge, reasons.split,
    reasons.resolve, sleeping.sleep, sleeping.forecast, sleeping.seasonal, serve.mcp, write.restore, write.erase,
):  # fmt: skip
    app.command(_verb.__name__.rstrip("_"), cls=common.command_of(_verb))(_verb)
for _name, _group in (("cards", extras.cards), ("schedule", sleeping.app), ("archive", extras.archive)):
    if _name == "schedule" or extra(_name):
        app.add_typer(_group, name=_name)


def main() -> None:
    """Entry point of the console script."""
    try:
        common.in_utf8()
        common.prepare_process()
        app(prog_name="mnemic")
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        raise SystemExit(130) from None
