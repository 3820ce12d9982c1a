"""Two consolidators on one file: what one has read, another that was slower does not write again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mnemic import Config, Memory
from mnemic.consolidate.run import LEASE_SECONDS
from mnemic.testing import FrozenClock, ScriptedModel

QUIET = Config(background=False)


def answer(city: str, said: str) -> str:
    """What a model reads out of the one message."""
    fact = {
        "source": 1, "quote": said, "content": f"The user lives in {city}.", "subject": "user", "subject_type": "person",
        "predicate": "lives_in", "scope": None, "object": city, "object_type": "place", "act": "assert", "replaces": None,
        "when": None, "since": None, "until": None,
    }  # fmt: skip
    return json.dumps({"facts": [fact], "entities": []}, ensure_ascii=False)


@pytest.mark.parametrize(
    "said", ["I live in Oslo, my sister in Riga", "By the way, I live in Oslo these days", "Я живу в Oslo"]
)
def test_a_page_that_somebody_else_has_read_is_not_written_again(tmp_path: Path, said: str) -> None:
    """The lease of the slower one runs out while its model works; the faster one reads the page meanwhile."""
    path, clock = tmp_path / "memory.db", FrozenClock()
    reports: list[Any] = []

    def slow(_: Any) -> str:
        clock.advance(seconds=LEASE_SECONDS + 1)
        with Memory(
            path, embedder=None, clock=clock, llm=ScriptedModel(always=answer("Oslo", said)), config=QUIET
        ) as fast:
            reports.append(fast.consolidate())
        return answer("Oslo", said)

    with Memory(path, embedder=None, clock=clock, llm=ScriptedModel(slow), config=QUIET) as memory:
        memory.observe(said, session="s")
        clock.advance(hours=1)
        late = memory.consolidate()
        assert (reports[0].facts, late.facts, dict(late.verdicts)) == (1, 0, {})
        (fact,) = memory.timeline(kinds="semantic")
        assert fact.object == "Oslo"
