"""Cases of reports about recall and context: what is true now, questions, long prompts, other languages, the user himself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mnemic import Config, Memory

QUIET = Config(background=False)
NOTES = [
    f"Note {i}: the {what} was {done}."
    for i, (what, done) in enumerate(
        (what, done)
        for what in (
            "gutter",
            "ladder",
            "lantern",
            "carpet",
            "kettle",
            "mirror",
            "basket",
            "candle",
            "drawer",
            "pillow",
        )
        for done in ("cleaned", "repaired", "sold", "painted", "moved", "measured")
    )
]


@pytest.fixture(params=["none", "local"])
def memory(request: pytest.FixtureRequest) -> Iterator[Memory]:
    with Memory(":memory:", embedder=request.param, config=QUIET) as memory:
        yield memory


def tell(memory: Memory, *said: tuple[str, str], role: str = "user") -> None:
    for i, (text, at) in enumerate(said):
        memory.observe(text, session=f"s{i}", at=at, role=role)
    memory.flush()


CHANGES = [
    ("I live in Oslo.", "I moved to Bergen.", "where does the user live?", "Bergen"),
    ("I live in Oslo.", "I moved to Bergen.", "where do I live?", "Bergen"),
    ("I work at Acme.", "I've joined Globex.", "where do I work?", "Globex"),
    ("Я живу в Туле.", "Я переехал в Самару.", "где живёт пользователь?", "Самар"),
    ("Я работаю в Сбере.", "Я перешёл в Яндекс.", "где я работаю?", "Яндекс"),
]


@pytest.mark.parametrize(("old", "new", "question", "wanted"), CHANGES)
def test_N11_the_current_fact_stands_first_and_the_old_message_is_marked(
    memory: Memory, old: str, new: str, question: str, wanted: str
) -> None:
    tell(memory, (old, "2026-01-03"), (new, "2026-02-03"))
    memory.consolidate()
    memory.flush()
    hits = memory.recall(question).hits
    assert wanted in hits[0].node.content
    for hit in hits:
        if hit.node.content == old:
            assert hit.superseded_by
            assert "until 2026-02-03; since then:" in hit.text
            assert wanted in hit.text


@pytest.mark.parametrize("limit", [1, 2, 3, 5])
def test_N11_a_limit_cuts_the_list_and_never_changes_its_order(memory: Memory, limit: int) -> None:
    tell(memory, *((note, "2026-01-03") for note in NOTES), ("I live in Oslo.", "2026-01-04"), ("I moved to Bergen.", "2026-02-03"))  # fmt: skip
    memory.consolidate()
    memory.flush()
    for question in ("where do I live?", "what was sold?", "kettle repaired"):
        whole = [hit.node.id for hit in memory.recall(question, limit=20).hits]
        assert [hit.node.id for hit in memory.recall(question, limit=limit).hits] == whole[:limit]


FERRIES = [
    "When does the ferry to Hven leave?",
    "Which pier does the Hven ferry leave from?",
    "Когда отходит паром на Вен?",
    "Во сколько закрывается музей паровозов?",
]


@pytest.mark.parametrize("question", FERRIES)
def test_N19_a_question_is_not_its_own_answer(memory: Memory, question: str) -> None:
    tell(memory, *((note, "2026-01-03") for note in NOTES[:12]))
    before = memory.recall(question).sufficiency
    memory.observe(question, session="asked")
    memory.flush()
    answer = memory.recall(question)
    assert "strong" not in (before, answer.sufficiency)
    assert all(hit.node.content != question for hit in answer.hits)
    block = memory.context(question)
    assert block is None or question not in block.text


def test_N19_an_old_question_brings_its_answer(memory: Memory) -> None:
    memory.observe("When does the ferry to Hven leave?", session="a", at="2026-01-03")
    memory.observe("At seven, from pier two.", role="assistant", session="a", at="2026-01-03")
    memory.flush()
    answer = memory.recall("when does the ferry to Hven leave?")
    assert answer.hits[0].node.content == "At seven, from pier two."
    asked = memory.recall("ferry Hven").hits
    shown = {node.content for hit in asked for node in (hit.node, *hit.answer)}
    assert "At seven, from pier two." in shown


LOG = "\n".join(f"2026-01-03 10:{i % 60:02} worker-{i} zyx{i} qwv{i * 7} jkl{i * 13} finished" for i in range(120))
GATES = [
    ("The night gate code is 5528.", "What is the night gate code?", "5528"),
    ("Our parking spot is number 41, behind the bakery.", "Which parking spot is ours?", "number 41"),
    ("Код от ночных ворот 5528.", "Какой код от ночных ворот?", "5528"),
]


@pytest.mark.parametrize(("fact", "question", "wanted"), GATES)
@pytest.mark.parametrize("first", [True, False])
def test_N21_a_long_prompt_is_read_for_its_question(
    memory: Memory, fact: str, question: str, wanted: str, first: bool
) -> None:
    tell(memory, *((note, "2026-01-03") for note in NOTES[:20]), (fact, "2026-01-04"))
    prompt = f"{question}\n{LOG}" if first else f"{LOG}\nThat was the log. {question}"
    assert len(prompt) > 5_000
    block = memory.context(prompt)
    assert block is not None
    assert wanted in block.text
    assert memory.recall(prompt).sufficiency != "none"


ABROAD = [
    ("Die Zahlungserinnerungen gehen am Monatsende raus.", "wann gehen die Zahlungserinnerungen raus?"),
    ("Les rappels de paiement partent à la fin du mois.", "quand partent les rappels de paiement ?"),
    ("Los recordatorios de pago salen a fin de mes.", "¿cuándo salen los recordatorios de pago?"),
    ("I solleciti di pagamento partono a fine mese.", "quando partono i solleciti di pagamento?"),
    ("付款提醒在月底发出。", "付款提醒什么时候发出？"),
    ("تُرسل تذكيرات الدفع في نهاية الشهر.", "متى ترسل تذكيرات الدفع؟"),
]


@pytest.mark.parametrize(("fact", "question"), ABROAD)
def test_N28_questions_of_other_languages_are_not_none(memory: Memory, fact: str, question: str) -> None:
    tell(memory, *((note, "2026-01-03") for note in NOTES), (fact, "2026-01-04"))
    answer = memory.recall(question)
    assert answer.hits[0].node.content == fact
    assert answer.sufficiency != "none"
    block = memory.context(question)
    assert block is not None
    assert fact in block.text


OWN = [
    "I live in Bergen.", "I go boxing on Mondays.", "I love jazz.", "I work at Globex as a welder.", "My sister is Mira.",
]  # fmt: skip
SELF = [
    "what do you know about me?",
    "tell me about myself",
    "who am I?",
    "что ты знаешь обо мне?",
    "расскажи обо мне",
    "кто я?",
]


@pytest.mark.parametrize("question", SELF)
def test_N32_the_user_asks_about_himself(memory: Memory, question: str) -> None:
    tell(memory, *((text, f"2026-01-{i + 3:02}") for i, text in enumerate(OWN)), ("Can you tell me who directed Alien?", "2026-01-20"))  # fmt: skip
    memory.consolidate()
    memory.flush()
    answer = memory.recall(question)
    said = " ".join(hit.text for hit in answer.hits)
    assert all(word in said for word in ("Bergen", "jazz", "Globex", "Mira"))
    assert "Alien" not in answer.hits[0].node.content
    block = memory.context(question)
    assert block is not None
    assert "## About the user" in block.text
    assert all(word in block.text for word in ("Bergen", "jazz", "Globex", "Mira"))


PEOPLE = ["Dario Quintero restores globes in Modena.", "Дарио Кинтеро реставрирует глобусы в Модене."]
ASKED = [
    ("{} Quintero", 0), ("What do you know about {} Quintero?", 0), ("Tell me about {} Quintero", 0),
    ("Do you remember {} Quintero?", 0), ("Have I ever mentioned {} Quintero?", 0), ("Что ты знаешь про Дарио Кинтеро?", 1),
    ("Расскажи про Дарио Кинтеро", 1), ("Помнишь Дарио Кинтеро?", 1),
]  # fmt: skip


@pytest.mark.parametrize(("question", "which"), ASKED)
@pytest.mark.parametrize("beside", [0, 5, 60])
def test_N33_words_that_only_ask_do_not_change_the_verdict(
    memory: Memory, question: str, which: int, beside: int
) -> None:
    tell(memory, *((note, "2026-01-03") for note in NOTES[:beside]), (PEOPLE[which], "2026-01-04"))
    answer = memory.recall(question.format("Dario"))
    assert answer.hits[0].node.content == PEOPLE[which]
    assert answer.sufficiency == "strong"
    assert memory.context(question.format("Dario")) is not None
