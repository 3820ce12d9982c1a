"""Questions against the rules of documents: where they go, where they do not, why."""

from __future__ import annotations

import numpy as np
import pytest

from mnemic.recall.routing import Routes
from mnemic.text.routing import Rule

RULES = {
    "billing": Rule(("Billing",), ("Refunds", "Rotating API keys", "Dunning letters"), (), ("Grace period", "RTO")),
    "deploy": Rule(("Deploy",), ("Rollback", "Deploy on Fridays", "Staging keys"), (), ("canary",)),
    "wells": Rule(("Скважины",), ("Замена фильтра", "Промывка скважины"), (), ("Дебит",)),
}


@pytest.mark.parametrize(("question", "first"), [
    ("how do I rotate the API key?", "billing"), ("what is the grace period?", "billing"), ("what does RTO mean", "billing"),
    ("may we deploy on a Friday?", "deploy"), ("canary", "deploy"), ("как заменить фильтр, замена фильтров?", "wells"),
    ("что такое дебит", "wells"), ("когда промывать скважину: промывка", "wells"),
])  # fmt: skip
def test_questions_go_where_they_are_answered(question: str, first: str) -> None:
    found = Routes(list(RULES.values())).match(question)
    assert found
    assert list(RULES)[found[0].place] == first
    assert 0.5 <= found[0].score <= 1
    assert found[0].reasons


@pytest.mark.parametrize("question", [
    "", "?", "the", "where does Anna live?", "thanks, that works", "у кого день рождения?", "what keys does the piano have, black ones?",
])  # fmt: skip
def test_other_questions_go_nowhere(question: str) -> None:
    assert Routes(list(RULES.values())).match(question) == []


def test_words_under_one_heading_say_more_than_words_from_everywhere() -> None:
    rules = {
        "near": Rule(("N",), ("Rotate API key",)),
        "far": Rule(("F",), ("Rotate shifts", "API style", "Key people")),
    }
    found = Routes(list(rules.values())).match("rotate API key")
    assert [m.place for m in found] == [0, 1]
    assert found[0].score > found[1].score


def test_only_those_that_may_be_seen() -> None:
    assert Routes(list(RULES.values())).match("what is the grace period?", among=np.array([False, True, False])) == []


def test_no_rules_answer_nothing() -> None:
    assert Routes([]).match("anything") == []
