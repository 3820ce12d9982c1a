"""Questions that ask why: causes stand behind the hit that they explain, seen through the filters, and never before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC

import pytest

from mnemic import Config, Hit, Memory
from mnemic.consolidate.causal import Causes
from mnemic.phase import PhaseContext
from mnemic.testing import FrozenClock

FULL, FAILED, OLD = (
    "The disk of the server is full.",
    "Because of that the deploy failed.",
    "Therefore nobody saw the prices.",
)


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-03-02T09:00:00Z")


@pytest.fixture
def memory(clock: FrozenClock) -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, clock=clock, config=Config(background=False)) as memory:
        yield memory


def tell(memory: Memory, *texts: str, session: str = "one") -> list[str]:
    ids = []
    for text in texts:
        memory._clock.advance(minutes=1)  # type: ignore[attr-defined]
        ids.append(memory.observe(text, session=session).id)
    return ids


def night(memory: Memory) -> None:
    Causes()(memory._store, memory.space, PhaseContext(memory._clock.now(), UTC))


def contents(hits: Sequence[Hit]) -> list[str]:
    return [hit.node.content for hit in hits]


@pytest.fixture
def chain(memory: Memory) -> list[str]:
    """A chain of three among messages that share words with the question."""
    ids = tell(memory, FULL, FAILED, OLD)
    for number in range(12):
        tell(memory, f"Shop {number} shows the prices in its window.", session=f"s{number}")
    night(memory)
    return ids


def test_the_chain_stands_behind_the_hit_it_explains(memory: Memory, chain: list[str]) -> None:
    hits = memory.recall("why did nobody see the prices?").hits
    at = contents(hits).index(OLD)
    assert contents(hits)[at : at + 3] == [OLD, FAILED, FULL]
    assert hits[at + 1].channels["graph"] == 1
    assert hits[at + 1].why.endswith(f"cause of “{OLD}”: “{OLD}” (confidence 0.7)")
    assert f"cause of “{FAILED}”" in hits[at + 2].why


def test_in_russian(memory: Memory) -> None:
    tell(memory, "Курьер потерял паспорт.", "Из-за этого я пропустила свадьбу.")
    night(memory)
    hits = memory.recall("почему я пропустила свадьбу?").hits
    assert contents(hits) == ["Из-за этого я пропустила свадьбу.", "Курьер потерял паспорт."]


def test_other_questions_are_answered_as_before(memory: Memory, chain: list[str]) -> None:
    asked = "what prices did nobody see?"
    hits = memory.recall(asked).hits
    memory._store.run(lambda tx: tx.connection.execute("delete from edges where relation = 'causal'"))
    assert contents(hits) == contents(memory.recall(asked).hits)
    assert not any("cause of" in hit.why for hit in hits)


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 10])
def test_the_first_hit_stays_first_and_few_causes_come_in(memory: Memory, chain: list[str], limit: int) -> None:
    asked = "why did nobody see the prices?"
    hits = memory.recall(asked, limit=limit).hits
    memory._store.run(lambda tx: tx.connection.execute("delete from edges where relation = 'causal'"))
    before = memory.recall(asked, limit=limit).hits
    assert hits[0].node.id == before[0].node.id
    assert len(hits) == len(before)
    lost = set(contents(before)) - set(contents(hits))
    assert len(lost) <= 3 * (limit > 1)  # of ten; a limit cuts the order and does not change it


def test_what_may_not_be_seen_explains_nothing_and_leads_nowhere(memory: Memory, chain: list[str]) -> None:
    """A hidden link cuts the chain; so does one that a filter leaves out."""
    asked = "why did nobody see the prices?"
    memory.forget(chain[1])
    assert not any("cause of" in hit.why for hit in memory.recall(asked).hits)
    memory.restore(chain[1])
    assert sum("cause of" in hit.why for hit in memory.recall(asked).hits) == 2
    since = memory.explain(chain[1]).node.event_time
    hits = memory.recall(asked, after=memory._zone and _iso(since)).hits
    assert FULL not in contents(hits)
    assert FAILED in contents(hits)


def _iso(micros: int) -> str:
    from mnemic.clock import to_datetime

    return to_datetime(micros).isoformat()


def test_before_it_was_known_it_explains_nothing(memory: Memory, clock: FrozenClock) -> None:
    tell(memory, FULL, "Nothing.", session="x")
    tell(memory, FULL.replace("server", "runner"), FAILED)
    then = clock.at
    clock.advance(days=1)
    night(memory)
    asked = "why did the deploy fail?"
    assert any("cause of" in hit.why for hit in memory.recall(asked).hits)
    assert not any("cause of" in hit.why for hit in memory.recall(asked, known_at=then.isoformat()).hits)


def test_a_fact_has_the_causes_of_the_message_it_was_read_from(memory: Memory) -> None:
    tell(memory, "They closed the Hamburg office of Siemens.", "That's why I live in Lisbon now.")
    memory.consolidate()
    night(memory)
    hits = memory.recall("why does the user live in Lisbon?", kinds=("semantic", "episodic")).hits
    assert any("Hamburg" in hit.node.content and "cause of" in hit.why for hit in hits)


def test_circles_end(memory: Memory) -> None:
    a, b = tell(memory, "The prices rose.", "The wages rose.")
    memory.link(a, b, "causal")
    memory.link(b, a, "causal")
    memory.link(a, a, "causal")
    hits = memory.recall("why did the prices rise?").hits
    assert sorted(contents(hits)) == ["The prices rose.", "The wages rose."]
