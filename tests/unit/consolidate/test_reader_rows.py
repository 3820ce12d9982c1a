"""Every row of the reader reads its own examples, and what a row may hold is checked when it is loaded."""

from __future__ import annotations

from typing import Any

import pytest

from mnemic.consolidate.claims import Said
from mnemic.consolidate.reader import Rules
from mnemic.consolidate.reader.rows import Row, _language, tables

ROWS = [(row, example) for language in tables() for row in language.rows for example in row.examples]
SAID = 1_767_600_000_000_000  # 2026-01-05


@pytest.mark.parametrize(("row", "example"), ROWS, ids=[f"{r.language}-{r.number}-{e[0]}" for r, e in ROWS])
def test_a_row_reads_its_example(row: Row, example: tuple[str, str, str, str]) -> None:
    text, subject, value, content = example
    found = Rules().extract([Said("m", text, SAID)], {}).candidates
    assert (row.predicate, row.act, subject, value, content) in [
        (c.predicate, c.act, c.subject, c.object, c.content) for c in found
    ]


def test_the_rows_are_few_and_each_has_an_example_and_its_count() -> None:
    rows = [row for language in tables() for row in language.rows]
    assert len([row for row in rows if row.language in ("en", "ru")]) <= 150
    assert all(row.examples and row.seen >= 0 for row in rows)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"colour": "red"}, "unknown keys"),
        ({"predicate": "flies_to"}, "predicate"),
        ({"value": "planet"}, "value"),
        ({"time": "never"}, "time"),
        ({"act": "deny"}, "act"),
        ({"examples": []}, "examples"),
        ({"examples": [["I like tea."]]}, "an example is"),
        ({"pattern": "{nobody} likes {o}"}, "unknown part"),
    ],
)
def test_a_wrong_row_is_refused_with_its_place(change: dict[str, Any], fault: str) -> None:
    row = {"predicate": "likes", "cue": "like", "pattern": "i like (?P<o>.+)", "content": "{S} likes {o}",
           "examples": [["I like tea.", "user", "tea", "User likes tea"]]}  # fmt: skip
    assert _language("xx", {"row": [row]}).rows
    with pytest.raises(ValueError, match=fault):
        _language("xx", {"row": [{**row, **change}]})


def test_a_language_is_data_alone() -> None:
    table = {
        "shown": {"user": "Der Nutzer", "project": "Das Projekt"},
        "guards": {"next": ["ich"]},
        "row": [{"predicate": "lives_in", "cue": "wohne", "pattern": "ich wohne in (?P<o>.+)", "value": "place",
                 "content": "{S} wohnt in {o}", "examples": [["Ich wohne in Ulm.", "user", "Ulm", "Der Nutzer wohnt in Ulm"]]}],
    }  # fmt: skip
    (row,) = _language("de", table).rows
    assert row.pattern.fullmatch("Ich wohne in Ulm")
