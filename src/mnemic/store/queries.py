"""Named SQL: every statement of the store stands in ``sql/*.sql`` under a ``-- name:`` line."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_VALUES = re.compile(r"values (\([?, ]+\))")
_NAME = re.compile(r"^-- name: (\w+).*$", re.M)


def script(name: str) -> str:
    """Text of a ``.sql`` file of the package (``schema.sql``, ``migrations/0001_initial.sql``)."""
    return (files("mnemic.store") / "sql" / name).read_text(encoding="utf-8")


def migrations() -> list[tuple[int, str, str]]:
    """All migrations as (number, file name, script), in order."""
    folder = files("mnemic.store") / "sql" / "migrations"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(int(name.split("_", 1)[0]), name, script(f"migrations/{name}")) for name in names]


class Queries:
    """The named statements of one file, as attributes."""

    def __init__(self, file: str) -> None:
        parts = _NAME.split(script(file))
        self._sql = {name: body.strip().rstrip(";") for name, body in zip(parts[1::2], parts[2::2], strict=True)}

    def __getattr__(self, name: str) -> str:
        try:
            return self._sql[name]
        except KeyError:
            raise AttributeError(f"no query named {name}") from None

    def names(self) -> list[str]:
        """Every name, in file order."""
        return list(self._sql)


@cache
def load(file: str) -> Queries:
    """The queries of a file, read once."""
    return Queries(file)


@cache
def repeated(statement: str, times: int) -> str:
    """An ``insert … values (…)`` that takes so many rows at once."""
    return _VALUES.sub(lambda found: "values " + ", ".join([found[1]] * times), statement, count=1)
