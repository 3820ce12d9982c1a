"""What a person had forgotten: kept in the file, and told to nobody who does not ask for it by its id.

Forgetting a fact hides one row; the messages that it was read from still say it. So whatever reads messages for somebody
asks here which of their sentences are to be left out. Nothing is written, so ``restore`` brings them back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..errors import ColdMissing, MissingExtra
from ..text.sentences import speaking_of, without
from .cold import prepare
from .queries import load

Q = load("forgotten.sql")
#: Why memories are hidden by something else than a wish to forget them.
NO_WISH = ("duplicate", "decayed", "purged", "file gone")


@dataclass(slots=True)
class Forgotten:
    """What is forgotten among some rows.

    Attributes:
        rows: those that are forgotten themselves. left: message → what it says without what is forgotten, empty where
            nothing is left. since: message → when that was forgotten, microseconds.
    """

    rows: set[int] = field(default_factory=set)
    left: dict[int, str] = field(default_factory=dict)
    since: dict[int, int] = field(default_factory=dict)


def among(connection: Any, rows: Iterable[int]) -> Forgotten:
    """Look at some rows. Of a message whose text cannot be read, nothing is left.

    Raises:
        StoreBusy: as :func:`mnemic.store.cold.texts_of`.
    """
    out = Forgotten()
    if connection.execute(Q.any).get is None:
        return out
    said: dict[int, list[tuple[bool, list[str], str]]] = {}
    asked = (json.dumps([int(row) for row in rows]), json.dumps(NO_WISH))
    for row, relation, quotes, value, at in connection.execute(Q.among, asked).fetchall():
        if relation is None:
            out.rows.add(row)
            continue
        said.setdefault(row, []).append((relation == "supports", json.loads(quotes) if quotes else [], value))
        out.since[row] = max(at, out.since.get(row, at))
    for row, text in _texts(connection, said):
        gone = [span for narrow, quotes, value in said[row] for span in speaking_of(text, quotes, value, narrow=narrow)]
        out.left[row] = without(text, gone)
    return out


def is_wish(why: str) -> bool:
    """Whether a reason for which memories are hidden is a person's wish that they be forgotten."""
    return why not in NO_WISH and not why.startswith("source ")


def note(connection: Any) -> None:
    """Something is forgotten in this file: from now on readers look for it."""
    connection.execute(Q.note)


def _texts(connection: Any, rows: Iterable[int]) -> list[tuple[int, str]]:
    wanted = json.dumps(list(rows))
    if wanted == "[]":
        return []
    try:
        prepare(connection, wanted)
        found: list[tuple[int, str]] = connection.execute(Q.messages, (wanted,)).fetchall()
        return found
    except (ColdMissing, MissingExtra):
        return [(row, "") for row in rows]


def says(text: str, quote: str) -> bool:
    """Whether a text holds words, however they are broken into lines."""
    return " ".join(quote.split()).casefold() in " ".join(text.split()).casefold()
