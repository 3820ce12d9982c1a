"""What holds now stands first; what is over says so; questions bring their answers; blocks leave out what is noise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from mnemic import Config, InvalidInput, Memory
from mnemic.interfaces.places import samples
from mnemic.recall import believed
from mnemic.recall.context import excerpt
from mnemic.recall.plan import LONG, focus
from mnemic.testing import FrozenClock

QUIET = Config(background=False)


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder="local", config=QUIET, clock=FrozenClock("2026-05-01T12:00:00Z")) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("where do I live?", 1),
        ("где я живу?", 1),
        ("wo wohne ich?", 1),
        ("where did I live in March?", 0),
        ("кто звонил вчера?", 0),
        ("what did Anna buy?", 0),
        ("where did I live before?", -1),
        ("who used to be my boss?", -1),
        ("где я жил раньше?", -1),
    ],
)
def test_a_question_asks_for_now_or_for_a_past(question: str, way: int) -> None:
    assert believed.direction(question) == way


STORIES = [
    ("I live in a small flat in Oslo.", "Found my own place! A studio flat in Lisbon.", "where do I live?", "where did I live before?"),
    ("We deploy the frontend to Netlify.", "We moved the frontend deploy to Vercel.", "where is the frontend deployed?", "where was the frontend deployed previously?"),
    ("Пью шесть кружек кофе в день.", "Кофе теперь одна кружка в день, врач напугал.", "сколько кофе я пью?", "сколько кофе я пил раньше?"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "now", "then"), STORIES)
def test_the_newer_statement_stands_first_and_a_question_about_before_turns_it_round(
    memory: Memory, old: str, new: str, now: str, then: str
) -> None:
    memory.observe(old, session="a", at="2026-01-10")
    memory.observe("The cat broke a vase.", session="b", at="2026-02-10")
    memory.observe(new, session="c", at="2026-03-10")
    memory.flush()
    found = [hit.node.content for hit in memory.recall(now).hits]
    assert found.index(new) < found.index(old)
    found = [hit.node.content for hit in memory.recall(then).hits]
    assert found.index(old) < found.index(new)
    assert memory.recall(now, as_of="2026-02-15").hits[0].node.content == old


def test_what_has_nothing_to_do_with_the_question_does_not_rise(memory: Memory) -> None:
    memory.observe("I live in Oslo.", session="a", at="2026-01-10")
    memory.observe("My sister is Mira and she loves jazz.", session="b", at="2026-02-10")
    memory.flush()
    assert memory.recall("where do I live?").hits[0].node.content == "I live in Oslo."


def test_words_looked_up_are_found_by_relevance(memory: Memory) -> None:
    memory.observe("vitamin C", session="a", at="2026-03-01")
    memory.observe("my C++ build is slow", session="b", at="2026-02-01")
    memory.flush()
    assert memory.recall("C++").hits[0].node.content == "my C++ build is slow"


def test_likeness_by_words_is_shared_words() -> None:
    alike = believed.by_words(["a b c", "a b d", "x"])
    assert np.allclose(np.diag(alike), 1)
    assert alike[0, 1] == pytest.approx(2 / 3)
    assert alike[0, 2] == 0


REASONS = [
    ("We decided to drop Python 3.9 since numpy requires 3.10.", "which Python do we support?", "numpy requires 3.10"),
    ("I avoid sports that involve running because of my knee.", "which sports do I avoid?", "because of my knee"),
    ("Мы решили отказаться от Qdrant, потому что он съедает память.", "что мы решили про Qdrant?", "съедает память"),
]


@pytest.mark.parametrize(("text", "question", "reason"), REASONS)
def test_a_fact_never_hides_the_reason_that_its_message_gave(
    memory: Memory, text: str, question: str, reason: str
) -> None:
    memory.observe(text, session="a", at="2026-02-04")
    memory.flush()
    memory.consolidate()
    memory.flush()
    assert reason in " ".join(hit.text for hit in memory.recall(question).hits[:3])
    block = memory.context(question)
    assert block is not None
    assert reason in block.text


def test_two_facts_of_one_message_are_two_answers(memory: Memory) -> None:
    memory.observe("I speak French and German.", session="a", at="2026-02-04")
    memory.flush()
    memory.consolidate()
    memory.flush()
    said = " ".join(hit.text for hit in memory.recall("which languages does the user speak?").hits)
    assert "French" in said
    assert "German" in said


def test_what_is_found_before_facts_were_read_is_found_after(memory: Memory) -> None:
    texts = [
        "I prefer tea to coffee in the morning.", "I work at Globex as a welder.", "I love jazz and old films.",
        "My sister is Mira.", "I avoid milk.", "I live in Bergen.", "We use Postgres for the shop.",
    ]  # fmt: skip
    for i, text in enumerate(texts):
        memory.observe(text, session=f"s{i}", at=f"2026-02-{i + 1:02}")
    memory.flush()
    questions = ["what do I drink?", "where do I work?", "music", "who is Mira?", "which database?"]
    before = {q: {hit.node.id for hit in memory.recall(q).hits} for q in questions}
    memory.consolidate()
    memory.flush()
    for question in questions:
        after = {node.id for h in memory.recall(question).hits for node in (h.node, *(e.node for e in h.evidence))}
        assert before[question] <= after


def test_a_block_leaves_out_the_running_session_and_the_prompt(memory: Memory) -> None:
    memory.observe("The release train leaves on Fridays.", session="old", at="2026-04-01T10:00:00Z")
    memory.observe("I'd like to talk about the release train.", session="now", at="2026-05-01T11:58:00Z")
    memory.observe("When does the release train leave?", session="now", at="2026-05-01T11:59:00Z")
    memory.flush()
    for given in ({}, {"session": "now"}):
        block = memory.context("When does the release train leave?", **given)
        assert block is not None
        assert "Fridays" in block.text
        assert "talk about" not in block.text
        assert "When does" not in block.text
    elsewhere = memory.context("When does the release train leave?", session="another")
    assert elsewhere is not None
    assert "talk about" in elsewhere.text


def test_a_prompt_that_greets_gets_the_profile_alone(memory: Memory) -> None:
    memory.observe("I live in Bergen and work as a welder.", session="a", at="2026-02-04")
    memory.observe("The boiler was repaired.", session="a", at="2026-02-04")
    memory.observe("Good morning!", session="b", at="2026-02-05")
    memory.observe("Noted.", role="assistant", session="b", at="2026-02-05")
    memory.flush()
    for prompt in ("Good morning!", "Привет!", "thanks"):
        block = memory.context(prompt)
        assert block is not None
        assert "## About the user" in block.text
        assert "## What was said" not in block.text
        assert "Noted." not in block.text


def test_a_budget_is_used_and_kept(memory: Memory) -> None:
    for i in range(80):
        memory.observe(f"I prefer restaurant number {i} for its soup of day {i}.", session=f"s{i}", at="2026-02-04")
    memory.flush()
    sizes = []
    for budget in (120, 400, 1_000):
        block = memory.context("recommend a restaurant with soup", budget=budget)
        assert block is not None
        assert 0.6 * budget <= block.tokens <= budget
        sizes.append(len(block.items))
    assert sizes == sorted(sizes)


def test_a_reference_of_a_block_is_an_id_everywhere(memory: Memory) -> None:
    memory.remember("The user lives in Bergen.")
    memory.flush()
    block = memory.context("where does the user live?")
    assert block is not None
    reference = block.text.split("(#")[1].split(")")[0]
    node = memory.get(f"#{reference}")
    assert node.content == "The user lives in Bergen."
    assert memory.explain(f"#{reference}").node.id == node.id
    with pytest.raises(LookupError):
        memory.get("#999999")
    with pytest.raises(LookupError):
        memory.get(f"#{reference}", space="another")


def test_a_long_prompt_is_its_questions() -> None:
    log = "worker finished " * 200
    assert focus("short?") == "short?"
    assert focus(f"{log}. What is the code?") == "What is the code?"
    assert "begin" in focus("begin " + log)
    assert len(focus("x" * 10 * LONG)) <= 2_001


def test_the_part_of_a_long_text_that_matters_is_shown() -> None:
    text = "Nothing here. " * 80 + "The gate code is 5528. " + "More of nothing. " * 80
    shown = excerpt(text, ["gate", "code"], 200)
    assert "5528" in shown
    assert len(shown) <= 210


def test_settings_turn_the_ranking(memory: Memory) -> None:
    config = Config(background=False, weights={"words": 0.0, "meaning": 0.0})
    assert memory.config.weights["words"] != config.weights["words"]
    with pytest.raises(InvalidInput, match="weights"):
        Config(weights={"wordz": 1.0})


def test_words_of_third_parties_are_no_profile(memory: Memory) -> None:
    memory.observe("I live in Bergen and work as a welder.", session="a", at="2026-02-04")
    memory.observe("I live in Hooktown and love spam.", session="b", at="2026-02-05", origin="external")
    memory.flush()
    block = memory.context("Good morning!")
    assert block is not None
    assert "Bergen" in block.text
    assert "Hooktown" not in block.text
    assert all("Hooktown" not in hit.node.content for hit in memory.recall("what do you know about me?").hits)


UNRELATED = [
    (["My wife is Ann.", "My boss is Bob."], "who is my wife?", "My wife is Ann."),
    (["I have a dog called Rex.", "Tom and I got divorced."], "do I have a dog?", "I have a dog called Rex."),
    (["My salary is 5500 euros.", "I weigh 78 kg.", "My brother is Jim."], "what is my salary?", "My salary is 5500 euros."),
    (["Моя жена — Анна.", "Мой начальник — Борис."], "кто моя жена?", "Моя жена — Анна."),
    (["Мою жену зовут Анна.", "Моего начальника зовут Борис."], "как зовут мою жену?", "Мою жену зовут Анна."),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "question", "wanted"), UNRELATED)
def test_a_later_statement_on_another_matter_does_not_overtake_the_answer(
    memory: Memory, texts: list[str], question: str, wanted: str
) -> None:
    for i, text in enumerate(texts):
        memory.observe(text, session=f"s{i}", at=f"2026-0{i + 1}-03")
    memory.flush()
    assert memory.recall(question).hits[0].node.content == wanted


def test_a_question_about_before_is_answered_with_what_was(memory: Memory) -> None:
    memory.observe("I live in Berlin.", session="a", at="2025-03-01")
    memory.observe("I moved to Lisbon.", session="b", at="2026-05-01")
    memory.flush()
    memory.consolidate()
    memory.flush()
    assert "Lisbon" in memory.recall("where do I live?").hits[0].node.content
    for question in ("where did I live before?", "where did I live in 2025?"):
        assert "Berlin" in memory.recall(question).hits[0].node.content


def test_what_is_forgotten_is_no_strong_answer(memory: Memory) -> None:
    memory.observe("I live in Berlin.", session="a", at="2026-01-01")
    memory.flush()
    memory.consolidate()
    memory.flush()
    memory.forget(memory.recall("where do I live?").hits[0].node.id)
    answer = memory.recall("where do I live?")
    assert answer.hits == ()
    assert answer.sufficiency == "none"


ACROSS = [
    (["We missed the flight to Porto.", "Sorry to hear that.", "Because the train to the airport was late."], "why did we miss the flight?"),
    (["The deploy to staging failed.", "Why?", "Because the disk was full."], "why did the deploy fail?"),
    (["Мы опоздали на самолёт в Порту.", "Сочувствую.", "Потому что поезд в аэропорт задержали."], "почему мы опоздали на самолёт?"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "question"), ACROSS)
def test_a_reason_is_that_of_what_the_user_said_across_the_assistant(
    memory: Memory, said: list[str], question: str
) -> None:
    for i, text in enumerate(said):
        role = "assistant" if i == 1 else "user"
        memory.observe(text, role=role, session="a", at=f"2026-02-04T10:0{i}:00Z")
    memory.observe("Something else entirely.", session="b", at="2026-02-05")
    memory.flush()
    memory.sleep()
    hits = memory.recall(question).hits
    explained = next(hit for hit in hits if hit.node.content == said[0])
    assert [because.node.content for because in explained.causes] == [said[2]]
    block = memory.context(question)
    assert block is not None
    assert "## Why" in block.text
    assert f"{said[0]} — because: {said[2]}" in block.text


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Why is the nightly invoice run slow?", "nightly invoice run"),
        ("how long does the invoice run take?", "41 minutes"),
        ("what was E4107?", "E4107"),
        ("на что у меня аллергия?", "орехи"),
    ],
)
def test_what_is_merely_newer_is_not_the_first_answer(memory: Memory, question: str, says: str) -> None:
    """In the sample that a newcomer sees first, a later message of other matters stood before the answer."""
    memory.import_(samples())
    memory.flush()
    assert says in memory.recall(question).hits[0].node.content
