"""What is said of the work at hand is no fact about the project; what resembles it and is one stays."""

from __future__ import annotations

import pytest

from mnemic.consolidate.claims import Said
from mnemic.consolidate.rules import Rules, facts, passing
from mnemic.consolidate.rules.passing import PASSING, Passing

RULES = Rules()


def read(text: str, role: str = "user") -> list[tuple[str, str, str]]:
    found = RULES.extract([Said("1", text, 0, role, None, role)], {}).candidates
    return [(c.predicate, c.subject, c.object) for c in found]


@pytest.mark.parametrize("row", PASSING, ids=lambda row: row.example[:40])
def test_every_row_is_needed_and_its_example_states_nothing(row: Passing, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(row.example) == []
    monkeypatch.setattr(passing, "said_in_passing", lambda predicate, fields: False)
    assert facts.passing is passing
    assert read(row.example) != []


@pytest.mark.parametrize(
    "text",
    [
        "Run `./tool status` (or any command) to test it sends events.",
        "Both conflicts were resolved by taking the branch's version — the clean pattern in `config.go`.",
        "All 12 new tests pass.",
    ],
)
def test_sentences_of_real_transcripts(text: str) -> None:
    assert read(text, "assistant") == []


@pytest.mark.parametrize(
    ("text", "predicate", "subject"),
    [
        ("The tests are run with `tox -p`.", "command", "tests"),
        ("Run `make check` to lint the code.", "command", "project"),
        ("The flaky login test was fixed by freezing the clock.", "fixed_by", "flaky login test"),
        ("The fix for the slow import is to batch the inserts.", "fixed_by", "slow import"),
        ("All 52 tests pass.", "count", "project"),
    ],
)
def test_facts_that_resemble_them_stay(text: str, predicate: str, subject: str) -> None:
    assert (predicate, subject) in {(p, s) for p, s, _ in read(text, "assistant")}
