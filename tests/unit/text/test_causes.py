"""Reasons that are given outright: the table row by row, the labelled set, and texts that no one would write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnemic.text.causes import QUOTE, Connective, asks, asks_why, between, connectives, reasons

SET = Path(__file__).resolve().parents[2] / "labelled" / "causal.jsonl"
ROWS = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", connectives(), ids=lambda row: row.word)
def test_every_row_counts_in_its_example_and_not_elsewhere(row: Connective) -> None:
    found = reasons(row.example, sure=row.sure)
    assert [reason.word for reason in found] == [row.word]
    assert found[0].sure is row.sure
    if row.ordinary:
        assert not reasons(row.ordinary, sure=row.sure)


@pytest.mark.parametrize("row", [row for row in connectives() if not row.sure], ids=lambda row: row.word)
def test_words_that_are_not_enough_count_only_where_a_model_judges(row: Connective) -> None:
    assert row.word not in [reason.word for reason in reasons(row.example)]


def test_names_of_rows_are_unique() -> None:
    assert len({row.word for row in connectives()}) == len(connectives())


@pytest.mark.parametrize("part", ["dev", "held"])
def test_the_labelled_set(part: str) -> None:
    """At least these figures; ``python bench/causal.py`` prints them."""
    rows = [row for row in ROWS if row["part"] == part]
    right = wrong = missed = 0
    for row in rows:
        before = row["before"] or ""
        given_ = reasons(row["text"], answers=asks(before) and asks_why(before))
        sides = [side for reason in given_ if before and (side := between(before, row["text"], reason))]
        edge = sides[0] if sides else None
        right += edge is not None and edge == row["edge"]
        wrong += edge is not None and edge != row["edge"]
        missed += row["edge"] is not None and edge != row["edge"]
    assert right / (right + wrong) >= 0.95
    assert right / (right + missed) >= 0.9


def test_cause_and_effect_are_places_in_the_text() -> None:
    text = "Ну вот. Сборка упала из-за того, что на диске кончилось место."
    (reason,) = reasons(text)
    assert reason.cause
    assert reason.effect
    assert text[slice(*reason.cause)] == "на диске кончилось место"
    assert text[slice(*reason.effect)] == "Сборка упала"


def test_what_only_points_back_is_what_was_said_before() -> None:
    assert reasons("That's why I left.")[0].cause is None
    assert reasons("Wow, thanks! That's why I left.")[0].cause is None
    assert reasons("The boss shouted. That's why I left.")[0].cause == (0, 17)
    assert reasons("It was because of the noise.")[0].effect is None


def test_a_denied_reason_gives_way_to_the_one_that_is_given() -> None:
    text = "I left not because of the pay but because of the noise."
    (reason,) = reasons(text)
    assert reason.cause
    assert text[slice(*reason.cause)] == "the noise"


@pytest.mark.parametrize(
    ("before", "text", "side"),
    [
        ("Are you coming?", "That's why I asked.", None),  # a question is no cause
        ("Where is it?", "Because I moved it.", None),
        ("Why is it gone?", "Because I moved it.", "text"),
        ("The pump failed.", "It failed because the fuse blew.", "text"),
        ("The pump failed.", "Dinner failed because the oven is old.", None),  # one word is not enough
        ("The fuse blew and the pump failed.", "The pump failed because the fuse blew.", None),  # only repeats it
        ("", "That's why I asked.", None),
    ],
)
def test_which_of_two_messages_is_the_cause(before: str, text: str, side: str | None) -> None:
    question = asks(before) and asks_why(before)
    (reason,) = reasons(text, answers=question)
    assert between(before, text, reason) == side


def test_a_long_message_and_a_request_are_not_taken_up_by_words() -> None:
    text = "The deploy failed because the disk of the runner is full."
    (reason,) = reasons(text)
    said = "The deploy failed again."
    assert between(said, text, reason) == "text"
    assert between(said + " Some other thing happened on that day too." * 12, text, reason) is None
    assert between(said, text, reason, asked=True) is None
    assert between("Why did the deploy fail?", text, reason, asked=True) == "text"


WORDS = [w for row in connectives() for w in row.example.split()]


@given(
    st.one_of(
        st.text(max_size=300), st.lists(st.sampled_from([*WORDS, ".", "?", "\n", ","]), max_size=40).map(" ".join)
    )
)
@example("because " * 2_000)
@example("из-за " * 3_000 + ".")
@example("the reason " * 3_000 + "is because")
@example("’" * 9_000)
@example("```" * 50 + "because")
def test_any_text_is_safe(text: str) -> None:
    """Places lie in the text, quotes stand there, and reading it twice gives the same."""
    found = reasons(text, sure=False)
    assert found == reasons(text, sure=False)
    for reason in found:
        assert reason.quote in text
        assert len(reason.quote) <= QUOTE
        for span in (reason.cause, reason.effect):
            assert span is None or 0 <= span[0] < span[1] <= len(text)
    assert asks(text) in (True, False)
    assert asks_why(text) in (True, False)
