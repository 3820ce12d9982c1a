"""Forget means forget: nothing that a reader is shown says what was forgotten, until it is restored."""

from __future__ import annotations

from typing import Any

import pytest
from casekit import Chosen, Make
from test_knowledge import facts, told

from mnemic import Memory, Node
from mnemic.tools import Tools

MONTHS = "2026-01-10T10:00:00+00:00", "2026-02-10T10:00:00+00:00", "2026-03-10T10:00:00+00:00"


def shown(memory: Memory, *queries: str, **filters: Any) -> str:
    """All texts that readers get: hits with all that hangs on them, blocks of context, the timeline, the tools."""
    out: list[str] = []

    def node(found: Node) -> None:
        out.extend((found.content, found.object or "", str(found.subject or "")))

    for query in queries:
        for hit in memory.recall(query, limit=50, neighbours=2, include_superseded=True, **filters).hits:
            node(hit.node)
            out.append(hit.why)
            for other in (*hit.neighbours, *hit.history, *hit.superseded_by, *(n for _, n in hit.related)):
                node(other)
            for evidence in hit.evidence:
                node(evidence.node)
                out.extend(evidence.quotes)
        block = memory.context(query, budget=4_000)
        out.append(block.text if block else "")
        out.append(repr(Tools(memory).search_memory(query)))
    for found in memory.timeline(include_superseded=True, **filters):
        node(found)
    out += [repr(found and found.profile) for found in (memory.entities.get(e.name) for e in memory.entities.list())]
    return "\n".join(out)


def one(memory: Memory, word: str) -> Node:
    """The fact whose value holds a word."""
    (found,) = [n for n in facts(memory) if word.casefold() in (n.object or n.content).casefold()]
    return found


SAID = [
    ("I'm allergic to peanuts. I work at Alpha.", "peanut", "I work at Alpha."),
    (
        "I work at Alpha, ok?! I moved in 2.5 years ago, e.g. early. I live in Berlin.",
        "Berlin",
        "I work at Alpha, ok?!",
    ),
    ("My boss is strict.\nI live in Berlin\nSee you!", "Berlin", "My boss is strict.\nSee you!"),
    ("i live in lisbon. what a day", "lisbon", "what a day"),
    ("У меня аллергия на арахис. Я работаю в Альфе.", "арахис", "Я работаю в Альфе."),
    ("Плачу 2,5 тыс. руб. за зал. Я живу в Казани, т. е. далеко. Пока!", "Казан", "Плачу 2,5 тыс. руб. за зал. Пока!"),
    ("Ну и погода… Я живу в Казани!", "Казан", "Ну и погода…"),
]


@pytest.mark.parametrize("embedder", [None, Chosen()], ids=["words", "vectors"])
@pytest.mark.parametrize(("text", "word", "rest"), SAID, ids=[s[0][:16] for s in SAID])
def test_the_sentence_goes_with_the_fact_and_comes_back_with_it(
    make: Make, text: str, word: str, rest: str, embedder: Any
) -> None:
    memory = make(embedder=embedder)
    told(memory, (MONTHS[0], text))
    memory.observe("ok", session="b", at=MONTHS[1])
    memory.flush()
    before = shown(memory, word, text)
    node, message = one(memory, word), memory.timeline(kinds=["episodic"])[0]
    memory.forget(node.id)
    after = shown(memory, word, text)
    assert word.casefold() in before.casefold()
    assert word.casefold() not in after.casefold()
    assert rest.split("\n")[0] in after
    assert memory.timeline(kinds=["episodic"])[0].content.startswith(rest[:20])
    assert word.casefold() not in memory.get(message.id).content.casefold()
    for _ in range(2):
        memory.consolidate()
        memory._store.run(lambda tx: tx.connection.execute("update sessions set watermark = 0"))  # read all of it again
    assert word.casefold() not in shown(memory, word, text).casefold()
    assert memory.get(node.id).content == node.content  # by its id it is still what it was
    explained = memory.explain(node.id)
    assert explained.node.content == node.content
    assert word.casefold() in " ".join(explained.evidence[0].quotes).casefold()
    assert [v.node.content for v in memory.explain(node.id).history] == [node.content]
    assert node.content not in [n.content for n in memory.explain(message.id).derived]
    memory.restore(node.id)
    assert memory.get(message.id).content == text
    assert [n.id for n in facts(memory) if n.id == node.id] == [node.id]
    assert word.casefold() in shown(memory, word, text).casefold()


ALL_OF_IT = [("I live in Berlin.", "Berlin"), ("я живу в Казани", "Казан"), ("I'm allergic to peanuts! 🙂", "peanut")]


@pytest.mark.parametrize(("text", "word"), ALL_OF_IT)
def test_a_message_of_which_nothing_is_left_is_not_offered(make: Make, text: str, word: str) -> None:
    memory = make()
    told(memory, (MONTHS[0], text))
    node, message = one(memory, word), memory.timeline(kinds=["episodic"])[0]
    memory.forget(node.id)
    assert memory.timeline() == []
    assert memory.recall(text).hits == ()
    assert memory.context(text) is None
    kept = memory.get(message.id)
    assert (kept.content, kept.hidden_at is not None) == ("", True)
    assert memory.observe(text, key=None, session="again").content == text  # said again, it is said
    memory.restore(node.id)
    assert {text, node.content} <= {n.content for n in memory.timeline()}


EVIDENCE = [
    (
        ["I live in Berlin.", "It rains. As you know, I live in Berlin.", "I live in Berlin. Bye."],
        "Berlin",
        ["It rains.", "Bye."],
    ),
    (["Я живу в Казани.", "Холодно. Я живу в Казани, ты же знаешь."], "Казан", ["Холодно."]),
    (["I'm allergic to peanuts.", "I'm allergic to peanuts, as you know. Thanks."], "peanut", ["Thanks."]),
    (["I live in Berlin. Nice. Yes, I live in Berlin!"], "Berlin", ["Nice."]),
]


@pytest.mark.parametrize(("said", "word", "left"), EVIDENCE, ids=[e[1] + str(len(e[0])) for e in EVIDENCE])
def test_each_message_that_says_so_says_it_no_more(make: Make, said: list[str], word: str, left: list[str]) -> None:
    memory = make()
    told(memory, *zip(MONTHS, said, strict=False))
    node = one(memory, word)
    memory.forget(node.id)
    after = shown(memory, *said)
    assert word.casefold() not in after.casefold()
    assert all(rest in after for rest in left)
    memory.restore(node.id)
    assert [n.content for n in memory.timeline(kinds=["episodic"])] == said


TWO = [
    ("I live in Berlin and I work at Alpha.", "Berlin", "Alpha"),
    ("My sister Anna works at Acme and I live in Berlin. Bye.", "Berlin", "Acme"),
    ("Я живу в Казани и работаю в Альфе.", "Казан", "Альф"),
]


@pytest.mark.parametrize(("text", "word", "other"), TWO)
def test_of_two_facts_of_one_sentence_the_other_stays_and_the_sentence_goes(
    make: Make, text: str, word: str, other: str
) -> None:
    memory = make()
    told(memory, (MONTHS[0], text))
    memory.forget(one(memory, word).id)
    after = shown(memory, word, other, text)
    assert word.casefold() not in after.casefold()
    assert other in after
    kept = memory.explain(one(memory, other).id)
    assert word.casefold() not in " ".join(q for e in kept.evidence for q in (*e.quotes, e.node.content)).casefold()


CHAINS = [
    ("I live in Berlin.", "I've moved to Lisbon.", "Berlin", "Lisbon"),
    ("Я живу в Казани.", "Я переехал в Самару.", "Казан", "Самар"),
    ("I work at Acme.", "I work at Globex now.", "Acme", "Globex"),
]


@pytest.mark.parametrize(("first", "second", "word", "now"), CHAINS)
def test_what_was_true_before_is_not_told_by_what_replaced_it(
    make: Make, first: str, second: str, word: str, now: str
) -> None:
    memory = make()
    told(memory, (MONTHS[0], first), (MONTHS[1], second))
    (old,) = [n for n in facts(memory, include_superseded=True) if word in n.content]
    memory.forget(old.id)
    after = shown(memory, first, second, f"where does the user live or work: {now}")
    assert word not in after
    assert now in after
    assert word not in " ".join(v.node.content for v in memory.explain(one(memory, now).id).history)
    assert word in memory.explain(old.id).history[0].node.content


@pytest.mark.parametrize("as_of", [MONTHS[0], MONTHS[1], None])
@pytest.mark.parametrize(
    "text", ["I live in Berlin. Fine.", "Я живу в Казани. Fine.", "Berlin is where I live? No: I live in Berlin. Fine."]
)
def test_nor_at_any_time_that_is_asked_for(make: Make, text: str, as_of: str | None) -> None:
    memory = make()
    told(memory, (MONTHS[0], text))
    word = "Berlin" if "Berlin" in text else "Казан"
    memory.forget(one(memory, word).id)
    said = shown(memory, text, as_of=as_of) if as_of else shown(memory, text)
    assert f"live in {word}" not in said
    assert "в Казани" not in said


WHY = [
    ("I do not like spinach because I live in Berlin.", "Berlin"),
    ("I moved because I live in Berlin. The flat was small.", "Berlin"),
    ("Я не ем суп, потому что я живу в Казани.", "Казан"),
]


@pytest.mark.parametrize(("text", "word"), WHY)
def test_nor_by_the_words_of_a_reason(make: Make, text: str, word: str) -> None:
    memory = make()
    told(memory, (MONTHS[0], text), (MONTHS[1], "Why? Because the rent is high."))
    memory.sleep()
    memory.forget(one(memory, word).id)
    assert word not in shown(memory, text, f"why {text}", f"почему {text}")


@pytest.mark.parametrize("why", ["decayed", "duplicate", "purged"])
@pytest.mark.parametrize("text", ["I live in Berlin. Fine.", "Я живу в Казани. Ладно."])
def test_what_is_hidden_by_itself_leaves_the_message_as_it_is(make: Make, text: str, why: str) -> None:
    memory = make()
    told(memory, (MONTHS[0], text))
    memory._store.run(
        lambda tx: tx.hide("default", [memory._store.node("default", facts(memory)[0].id)[0]], why, actor="x")
    )
    assert [n.content for n in memory.timeline()] == [text]


def test_a_verdict_about_a_conflict_forgets_nothing_else(make: Make) -> None:
    memory = make()
    told(memory, (MONTHS[0], "I live in Berlin. Fine."))
    node = facts(memory)[0]
    other = memory.remember("The user lives in Lisbon.", key="k")
    memory.link(other.id, node.id, "contradicts")
    memory.review.resolve(other.id, node.id, "keep_left")
    assert memory.get(node.id).hidden_why == "false"
    assert "I live in Berlin. Fine." in [n.content for n in memory.timeline()]


@pytest.mark.parametrize("text", ["I live in Berlin. Fine.", "Я живу в Казани. Ладно.", "I'm allergic to peanuts. Ok."])
def test_any_reason_will_do(make: Make, text: str) -> None:
    for why in ("forgotten", "false", "none of your business"):
        memory = make()
        told(memory, (MONTHS[0], text))
        memory.forget(facts(memory)[0].id, why=why)
        assert [n.content for n in memory.timeline()] == [text.rsplit(" ", 1)[1]]


def test_a_forgotten_message_is_no_evidence_to_be_read(make: Make) -> None:
    memory = make()
    told(memory, (MONTHS[0], "I live in Berlin, near my ex."), (MONTHS[1], "I live in Berlin."))
    memory.forget(memory.timeline(kinds=["episodic"])[0].id)
    assert "my ex" not in shown(memory, "where do I live", "Berlin")
    assert "Berlin" in shown(memory, "Berlin")
