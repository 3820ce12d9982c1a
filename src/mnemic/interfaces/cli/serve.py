"""Verbs that serve others: mcp."""

from __future__ import annotations

import json as jsonlib
import os
from typing import Annotated

import typer

from mnemic.errors import InvalidInput

from . import common as c

SETS = ("memory", "consolidation", "graph")


@c.verb("embedder", "llm", without=("json",))
def mcp(
    run: c.Run,
    toolset: Annotated[
        str,
        typer.Option(
            "--toolset",
            help="memory: the ten tools; consolidation: those and the seven that write facts; graph: those and two that "
            "walk.",
        ),
    ] = "memory",
    tools: Annotated[bool, typer.Option("--tools", help="Print the tool list and its fingerprint, and end.")] = False,
) -> None:
    """Serve the tools to an agent over standard input and output (MCP)."""
    if toolset not in SETS:
        raise InvalidInput("toolset", f"{toolset!r} is not known", f"one of {', '.join(SETS)}")
    if tools:
        from mnemic.interfaces import toolbox

        listed = {"sha256": toolbox.fingerprint(toolset), "tools": toolbox.listing(toolset)}
        print(jsonlib.dumps(listed, ensure_ascii=False, indent=2))
        return
    parent = os.getppid()  # before the slow part: it may die while we start
    from mnemic.interfaces.streams import take

    with take() as (given, taken):
        from mnemic.config import Config
        from mnemic.interfaces import mcp as server
        from mnemic.memory import Memory

        path = c.db_path(run.db, make=True)
        # An agent that consolidates does it instead of the rules, not in a race with them.
        config = Config.load(consolidate=False) if toolset == "consolidation" else Config.load()
        with Memory(path, space=run.space, embedder=run.embedder, llm=run.llm, config=config) as memory:
            code = server.serve(memory, toolset, given, taken, parent=parent)
    if code:
        raise typer.Exit(code)


__all__ = ["mcp"]
