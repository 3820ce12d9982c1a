"""The feeling of a fact, whoever read it, stands in its row."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from mnemic import Config, Memory
from mnemic.testing import ScriptedModel

QUIET = Config(background=False)


def facts(memory: Memory) -> dict[str, float]:
    return {node.object or node.content: node.valence for node in memory.timeline(kinds=("semantic", "opinion"))}


def test_the_rules_hear_the_sentence_that_states_a_fact() -> None:
    with Memory(":memory:", embedder=None, config=QUIET) as memory:
        memory.observe("I live in Riga and I am so happy there! I work at Globex.", session="a")
        memory.observe("Обожаю Байкал.", session="a")
        memory.observe("I hate mornings.", session="a")
        memory.consolidate()
        found = facts(memory)
        assert found["Riga"] > 0
        assert found["Globex"] == 0
        assert found["mornings"] < 0
        assert any(value > 0 for name, value in found.items() if "айкал" in name)
        assert all(node.valence == 0 for node in memory.timeline(kinds="episodic"))  # messages never fade


def test_what_is_remembered_or_corrected_is_heard_too() -> None:
    with Memory(":memory:", embedder=None, config=QUIET) as memory:
        assert memory.remember("I love my sister's cooking").valence > 0
        assert memory.remember("Умерла собака, мне очень грустно").valence < 0
        assert memory.remember("The deploy key is in the vault", key="k").valence == 0
        old = memory.remember("My favourite season is spring")
        assert memory.correct(old.id, "I hate spring").valence < 0


class OneFact(ScriptedModel):
    """Answers with one fact of a feeling given."""

    def __init__(self, feeling: object) -> None:
        item: dict[str, Any] = {
            "source": 1, "quote": "I live in Lisbon", "content": "The user lives in Lisbon.", "subject": "user",
            "subject_type": "person", "predicate": "lives_in", "scope": None, "object": "Lisbon", "object_type": "place",
            "act": "assert", "replaces": None, "when": None, "since": None, "until": None, "feeling": feeling,
        }  # fmt: skip
        super().__init__(always=json.dumps({"facts": [item], "entities": []}))


@pytest.mark.parametrize(
    ("feeling", "stored"),
    [(0.7, 0.7), (-1, -1.0), (7, 1.0), (-1e9, -1.0), (0, 0.0), (-0.0, 0.0), (None, 0.6), ("sad", 0.6), (True, 0.6), ([1], 0.6)],
)  # fmt: skip
def test_a_model_says_how_it_is_felt_and_is_held_to_the_range(feeling: object, stored: float) -> None:
    with Memory(":memory:", embedder=None, llm=OneFact(feeling), config=QUIET) as memory:
        memory.observe("I live in Lisbon and I am happy.", session="a")
        memory.consolidate()
        [value] = facts(memory).values()
        assert value == stored
        assert math.copysign(1, value) == math.copysign(1, stored)


def test_an_agent_may_say_it_or_leave_it_to_the_words() -> None:
    with Memory(":memory:", embedder=None, config=QUIET) as memory:
        said = memory.observe("I am glad to live in Lisbon, and Anna has a cat.", session="a")
        item = {
            "source": said.id,
            "quote": "live in Lisbon",
            "content": "The user lives in Lisbon.",
            "predicate": "lives_in",
        }
        batch = memory.workflow().save_nodes_batch(
            "a",
            [
                {**item, "object": "Lisbon", "valence": 0.25},
                {**item, "object": "a cat", "predicate": "has_pet", "subject": "Anna", "quote": "Anna has a cat"},
                {**item, "object": "Porto", "valence": 3},
                {**item, "object": "Porto", "valence": "sad"},
            ],
        )
        assert [d.reason for d in batch.dropped] == ["valence: must be at most 1", "valence: must be a number, not text"]
        found = facts(memory)
        assert found["Lisbon"] == 0.25
        assert found["a cat"] > 0


def test_it_survives_the_file(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder=None, config=QUIET) as memory:
        node = memory.remember("Ненавижу понедельники")
    with Memory(tmp_path / "m.db", embedder=None, config=QUIET) as memory:
        assert memory.get(node.id).valence == node.valence < 0
