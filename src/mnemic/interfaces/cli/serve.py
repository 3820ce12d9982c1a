"""The verb that serves others: mcp. Its streams are the protocol's alone."""

from __future__ import annotations

import contextlib
import json as jsonlib
import os
import sys
from collections.abc import Iterator
from typing import Annotated, BinaryIO

import typer

from mnemic.errors import InvalidInput

from . import common as c


@contextlib.contextmanager
def take() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Take both streams, also from libraries written in C and from child processes."""
    sys.stdout.flush()
    given, taken = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        yield given, taken
    finally:
        sys.stdout.flush()
        with contextlib.suppress(OSError):  # nobody reads any more
            taken.flush()


SETS = ("memory", "consolidation", "graph")


@c.verb("embedder", "llm", without=("json",))
def mcp(
    run: c.Run,
    toolset: Annotated[
        str,
        typer.Option(
            "--toolset",
            help="memory: the ten tools; consolidation: those and the seven that write facts; graph: those and two "
            "that "
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
