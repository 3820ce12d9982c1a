"""Questions against the rules of documents: where they go, where they do not, why; the index against brute force."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from mnemic import Config, Memory
from mnemic.text.analyse import terms
from mnemic.text.routing import KINDS, LEAST, Rule, asked, score

TEXTS = {
    "Billing": "## Refunds\n\n**Grace period**: three days. The Recovery Time Objective (RTO) is an hour.\n\n"
    "## Rotating API keys\n\nEvery month.\n\n## Dunning letters\n\nAfter a week.",
    "Deploy": "## Rollback\n\nUse the canary first; a canary is small.\n\n## Deploy on Fridays\n\nNo.\n\n## Staging keys\n\nIn the safe.",
    "Скважины": "## Замена фильтра\n\nРаз в год.\n\n## Промывка скважины\n\nДебит — это литры в час.",
}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "m.db", embedder=None, config=Config(background=False, consolidate=False)) as memory:
        for title, text in TEXTS.items():
            memory.cards.add(text=text, title=title)
        yield memory


@pytest.mark.parametrize(("question", "title"), [
    ("how do I rotate the API key?", "Billing"), ("what is the grace period?", "Billing"), ("what does RTO mean", "Billing"),
    ("may we deploy on a Friday?", "Deploy"), ("canary", "Deploy"), ("как делается замена фильтров?", "Скважины"),
    ("что такое дебит", "Скважины"), ("когда промывка скважин", "Скважины"),
])  # fmt: skip
def test_questions_go_where_they_are_answered(memory: Memory, question: str, title: str) -> None:
    found = memory.cards.route(question)
    assert [card.title for card in found][:1] == [title]
    assert LEAST <= found[0].score <= 1
    assert "“" in found[0].why
    assert memory.recall(question).cards == tuple(found)


@pytest.mark.parametrize("question", [
    "", "?", "the", "where does Anna live?", "thanks, that works", "у кого день рождения?", "what keys does the piano have, black ones?",
    "→ %", "x" * 10_000, "\ud800",
])  # fmt: skip
def test_other_questions_go_nowhere(memory: Memory, question: str) -> None:
    assert memory.cards.route(question) == []


def test_words_under_one_heading_say_more_than_words_from_everywhere() -> None:
    rarity = dict.fromkeys(asked("rotate API key"), 1.0)
    near, far = Rule(headings=("Rotate API key",)), Rule(headings=("Rotate shifts", "API style", "Key people"))
    assert score(near, rarity)[0] == 1.0
    assert score(far, rarity)[0] == pytest.approx(2 / 3, abs=1e-4)
    assert score(Rule(), rarity) == (0.0, ())


def test_what_only_asks_is_not_asked() -> None:
    assert asked("what does the RTO mean, please explain it") == terms("RTO please")
    assert asked("explain") == terms("explain")


def test_the_index_finds_what_reading_every_rule_finds(tmp_path: Path) -> None:
    words = ["pump", "ledger", "refund", "keys", "насос", "счёт", "HTTP2", "retry_after"]
    with Memory(tmp_path / "m.db", embedder=None, config=Config(background=False, consolidate=False)) as memory:
        memory.observe("The pump and the ledger were mentioned; счёт too.")
        for number, (a, b) in enumerate(product(words[:6], words[2:])):
            text = f"## {a} of {b}\n\n**{b} {number}**: it is {a}.\n\n## Other {number}\n\nHere {words[number % 8]} stands."
            memory.cards.add(text=text, title=f"Title {number} {words[-number % 8]}")
        cards = memory.cards.list()
        rules = {card.id: Rule.load({name: list(card.answers[name]) for name in KINDS}) for card in cards}
        for a, b in product(words, words):
            question = f"how do {a} and {b} other go"
            rarity = {}
            for term in asked(question):
                holding = sum(
                    any(term in terms(p) for kind in KINDS for p in getattr(rule, kind)) for rule in rules.values()
                )
                rarity[term] = math.log(1 + (len(rules) + 1) / (holding + 1))
            expected = {id_: value for id_, rule in rules.items() if (value := score(rule, rarity)[0]) >= LEAST}
            found = memory.cards.route(question, limit=1_000)
            assert {card.id: card.score for card in found} == expected
            assert [card.score for card in found] == sorted(expected.values(), reverse=True)
