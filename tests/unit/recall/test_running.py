"""What is read out of the running session stands before the agent already: its block holds neither message nor fact of it."""

from __future__ import annotations

import pytest

from mnemic import Config, Memory

#: What was said in an older session, what in the running one, the facts of both, whom they are about, and the prompt.
TOLD = [
    ("We keep a beehive in the garden.", "We bought a kayak on Friday.", "beehive", "kayak", "user", "What do I own?"),
    ("Anna plays the oboe.", "Anna sails a dinghy.", "oboe", "dinghy", "Anna", "What do you know about Anna?"),
    ("У меня есть улей в саду.", "Я купил байдарку в пятницу.", "улей", "байдарк", "user", "Что у меня есть?"),
    ("Анна играет на гобое.", "Анна ходит под парусом на яле.", "гобо", "ял", "Анна", "Что ты знаешь про Анну?"),
]  # fmt: skip


def save(memory: Memory, session: str, text: str, subject: str) -> None:
    """A message, and the fact that an agent saves of it at once."""
    node = memory.observe(text, session=session)
    memory.flush()
    fact = {"content": text, "subject": subject, "subject_type": "person", "quote": text, "source": node.id}
    assert not memory.workflow().save_nodes_batch(session, [fact]).dropped


@pytest.mark.parametrize(("old", "new", "known", "fresh", "subject", "prompt"), TOLD, ids=[t[-1] for t in TOLD])
@pytest.mark.parametrize("named", [True, False], ids=["named", "found by its prompt"])
def test_facts_of_the_running_session_are_left_out(
    old: str, new: str, known: str, fresh: str, subject: str, prompt: str, named: bool
) -> None:
    with Memory(":memory:", embedder=None, config=Config(background=False)) as memory:
        save(memory, "old", old, subject)
        save(memory, "now", new, subject)
        memory.observe(prompt, session="now")
        block = memory.context(prompt, session="now" if named else None)
        assert block is not None
        assert known in block.text
        assert fresh not in block.text
        other = memory.context(prompt, session="another")
        assert other is not None
        assert fresh in other.text


def test_a_fact_that_was_known_before_stays() -> None:
    with Memory(":memory:", embedder=None, config=Config(background=False)) as memory:
        for session in ("old", "now"):
            save(memory, session, "We keep a beehive in the garden.", "user")
        block = memory.context("Where do we keep the beehive?", session="now")
        assert block is not None
        assert "## What is known" in block.text or "## About the user" in block.text
        assert "beehive" in block.text
