"""Every row of the rule tables, every guard, every answer and every cue by its own example."""

from __future__ import annotations

import pytest

from mnemic.consolidate.claims import Candidate, Said
from mnemic.consolidate.rules import ENGLISH, RUSSIAN, Rules
from mnemic.consolidate.rules.answers import ANSWERS, Answer
from mnemic.consolidate.rules.entities import CUES
from mnemic.consolidate.rules.facts import KINDS
from mnemic.consolidate.rules.guards import GUARDS, Guard
from mnemic.consolidate.rules.row import Example, Row
from mnemic.consolidate.rules.tools import scope_of
from mnemic.consolidate.slots import SLOTS

AT = 1_773_482_400_000_000  # 2026-03-14T10:00Z, a Saturday
RULES = Rules()
ROWS = [*ENGLISH, *RUSSIAN]
EXAMPLES = [(row, example) for row in ROWS for example in row.examples]


def read(text: str, **details: str) -> tuple[Candidate, ...]:
    return RULES.extract([Said("1", text, AT, **details)], {}).candidates  # type: ignore[arg-type]


@pytest.mark.parametrize(("row", "example"), EXAMPLES, ids=[f"{r.predicate}-{e.text[:40]}" for r, e in EXAMPLES])
def test_example(row: Row, example: Example) -> None:
    """A row makes of its sentence what it says."""
    found = read(example.text)
    right = [
        c
        for c in found
        if (c.subject, c.predicate, c.object, c.act) == (example.subject, row.predicate, example.object, row.act)
        and example.scope in (None, c.scope)
        and example.content in (None, c.content)
    ]
    assert right, [(c.subject, c.predicate, c.scope, c.object, c.act, c.content) for c in found]
    assert all(c.quote and c.quote in example.text for c in found)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.predicate}-{row.cue[:30]}")
def test_row_is_whole(row: Row) -> None:
    """A row names a slot and a kind of value that exist, cue words, and at least one example unless another covers it."""
    assert row.predicate in SLOTS
    assert row.value in KINDS
    assert row.cue.split()
    assert SLOTS[row.predicate].scoped or not row.scope


def test_both_languages_cover_the_slots() -> None:
    """Every predicate has rows in both languages."""
    for rows in (ENGLISH, RUSSIAN):
        assert {row.predicate for row in rows} == set(SLOTS)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.name)
def test_guard(guard: Guard) -> None:
    """The example of a guard states nothing."""
    assert read(guard.example) == ()


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.question)
def test_answer(answer: Answer) -> None:
    """A short answer states what its question asks."""
    page = [Said("1", answer.question, AT, "assistant", None, "assistant"), Said("2", answer.answer, AT)]
    found = RULES.extract(page, {}).candidates
    assert [(c.source, c.predicate, c.object) for c in found] == [("2", answer.predicate, answer.object)]


@pytest.mark.parametrize(("cue", "pattern", "kind", "text", "name"), CUES, ids=[row[3] for row in CUES])
def test_entity_cue(cue: str, pattern: str, kind: str, text: str, name: str) -> None:
    """The words around a name give its type."""
    named = {n.name: n.type for n in RULES.extract([Said("1", text, AT)], {}).entities}
    assert named.get(name) == kind, named


def test_scope_of_tools() -> None:
    """Two editors are rivals, an editor and a database are not."""
    assert scope_of("VS Code") == scope_of("neovim") == "editor"
    assert scope_of("PostgreSQL 17") == "database"
    assert scope_of("a hammer") == ""
