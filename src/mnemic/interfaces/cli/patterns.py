"""Verbs of patterns in what was said: seasonal."""

from __future__ import annotations

from typing import Annotated

import typer

from . import common as c
from .output import one_line, say_json, table


@c.guarded
def seasonal(
    at: Annotated[str, typer.Option("--at", help="A day or moment, ISO 8601 [default: now].")] = "",
    db: c.Db = "",
    space: c.Space = "default",
    json: c.Json = False,
) -> None:
    """What comes back every year at this time of it, as the nightly run found."""
    with c.opened(db, space, None) as memory:
        found = memory.review.seasonal(at)
    if json:
        say_json(found)
    elif not found:
        print("nothing comes back at this time of the year")
    else:
        rows = [(one_line(s.topic), f"{s.first} … {s.last}", ", ".join(map(str, s.years)), s.ids[0]) for s in found]
        table(("topic", "days", "years", "newest"), rows, wide=0)
