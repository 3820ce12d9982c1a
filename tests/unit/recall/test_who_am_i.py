"""Who somebody is begins with his name, then family, home and work, whatever was told last; an id that is none is refused."""

from __future__ import annotations

import pytest

from mnemic import Config, InvalidInput, Memory

#: What an agent saves of the user in this order (predicate, scope, object), and how it is asked.
FACTS = [
    ("name", "", "Olga"), ("works_at", "", "Bosch"), ("lives_in", "", "Porto"), ("family", "sister", "Ines"),
    ("likes", "", "jazz"), ("likes", "", "chess"),
]  # fmt: skip


@pytest.mark.parametrize("question", ["Who am I?", "кто я?", "What do you know about me?", "Что ты знаешь обо мне?"])
def test_the_name_comes_first_then_family_home_and_work(question: str) -> None:
    with Memory(":memory:", embedder=None, config=Config(background=False)) as memory:
        for i, (predicate, scope, value) in enumerate(FACTS):
            text = f"{predicate} {scope} {value}"
            node = memory.observe(text, session="s", at=f"2026-01-0{i + 1}")
            fact = {"content": text, "predicate": predicate, "scope": scope, "object": value, "quote": text}
            assert not memory.workflow().save_nodes_batch("s", [{**fact, "source": node.id}]).dropped
        memory.flush()
        hits = memory.recall(question).hits
        assert [hit.node.predicate for hit in hits[:6]] == ["name", "family", "lives_in", "works_at", "likes", "likes"]
        assert hits[4].node.object == "chess"


@pytest.mark.parametrize("wrong", [None, 7, ["a"]], ids=repr)
def test_an_id_that_is_no_text_is_refused(wrong: object) -> None:
    with Memory(":memory:", embedder=None, config=Config(background=False)) as memory:
        for ask in (memory.get, memory.graph.neighbours):
            with pytest.raises(InvalidInput, match="id"):
                ask(wrong)  # type: ignore[operator]
