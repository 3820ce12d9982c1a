"""How answers look: JSON documents, tab-separated lines for pipes, tables for terminals."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from mnemic.records import plain

#: Characters of a text in a list; ``--full`` shows all.
CUT = 400


def say_json(value: Any) -> None:
    """One JSON document in UTF-8."""
    print(json.dumps(plain(value), ensure_ascii=False, indent=2))


def one_line(text: str, limit: int | None = CUT) -> str:
    """A text on one line, without control characters, cut between characters as a reader sees them."""
    from mnemic.recall.fence import cut

    flat = " ".join("".join(c if c.isprintable() or c in "\u200d\ufe0f" else " " for c in text).split())
    return flat if limit is None or len(flat) <= limit else cut(flat, limit) + " …"


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, wide: int | None = None) -> None:
    """A table on a terminal; tab-separated lines without a heading and without colour elsewhere.

    Args:
        wide: the column that takes the room that is left and wraps.
    """
    if not sys.stdout.isatty():
        for row in rows:
            print("\t".join(str(cell) for cell in row))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, pad_edge=False, header_style="bold")
    for number, name in enumerate(columns):
        grid.add_column(name, overflow="fold", no_wrap=number != wide, ratio=1 if number == wide else None)
    for row in rows:
        grid.add_row(*(Text(str(cell)) for cell in row))
    Console(highlight=False).print(grid)


def pairs(items: Mapping[str, object] | Sequence[tuple[str, object]]) -> None:
    """Names and values, one pair on a line, aligned."""
    entries = list(items.items()) if isinstance(items, Mapping) else list(items)
    width = max((len(name) for name, _ in entries), default=0)
    for name, value in entries:
        print(f"{name:<{width}}  {value}")


def who(node: Any) -> str:
    """Who said it, or what it is."""
    return one_line(str(node.speaker or node.role or node.label), 40)


def size(count: int) -> str:
    """A number of bytes for people."""
    value = float(count)
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
