"""The schema as it is written down is the schema that the migrations make."""

from __future__ import annotations

import re

import apsw

from mnemic.store import cold, connect, queries


def described(scripts: list[str]) -> dict[str, object]:
    """Every object of a database made by scripts: its normalised SQL, and the columns of tables."""
    connection = apsw.Connection(":memory:")
    for script in scripts:
        connection.execute(script)
    out: dict[str, object] = {}
    for kind, name, sql in connection.execute("select type, name, sql from sqlite_schema order by name").fetchall():
        words = re.sub(r"--[^\n]*", " ", sql or "")
        out[f"{kind} {name}"] = re.sub(r"\s*([(),])\s*", r"\1", re.sub(r"\s+", " ", words)).strip()
        if kind == "table":
            out[f"columns of {name}"] = connection.execute("select * from pragma_table_xinfo(?)", (name,)).fetchall()
    out["settings"] = connection.execute("select * from search_config order by 1").fetchall()
    return out


def test_R39_schema_equals_migrations() -> None:
    """schema.sql and all migrations in order give the same tables, columns, indexes and settings."""
    assert described([queries.script("schema.sql")]) == described([sql for _, _, sql in queries.migrations()])


def test_migrations_are_numbered_without_a_gap() -> None:
    """1, 2, 3 …, each in a file that begins with its number."""
    assert [number for number, _, _ in queries.migrations()] == list(range(1, connect.LATEST + 1))


def test_every_named_query_can_be_prepared() -> None:
    """Each statement fits the schema (SQLite compiles it, with any parameters)."""
    connection = apsw.Connection(":memory:")
    connection.execute(queries.script("schema.sql"))
    cold.register(connection, ":memory:")
    named = queries.load("queries.sql")
    for name in named.names():
        sql = getattr(named, name)
        try:
            connection.execute(f"explain {sql}", ())
        except apsw.BindingsError as error:  # it was compiled, and wants so many values
            needs = int(re.search(r"uses (\d+)", str(error))[1])  # type: ignore[index]
            connection.execute(f"explain {sql}", (None,) * needs)
        assert name


def test_no_foreign_key_makes_a_delete_scan() -> None:
    """Whatever points to a row is found by a whole index: else erasing one memory would read the whole table."""
    connection = apsw.Connection(":memory:")
    connection.execute(queries.script("schema.sql"))
    pointing = """
        select t.name, f."from" from pragma_table_list t join pragma_foreign_key_list(t.name) f
        where t.type = 'table' and t.schema = 'main' and f."table" = 'nodes'
    """
    found = connection.execute(pointing).fetchall()
    assert len(found) >= 5
    for table, column in found:
        query = f'explain query plan select 1 from "{table}" where "{column}" = ?'  # noqa: S608
        plan = connection.execute(query, (1,)).fetchall()
        assert "SEARCH" in plan[0][3], (table, column, plan)
