"""Neighbours and paths: what joins two memories, what may be seen on the way, and where a walk ends."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemic import AsyncMemory, Config, InvalidInput, Memory, NotFound
from mnemic.store.graph import HUB
from mnemic.testing import FrozenClock
from mnemic.tools import GraphTools

TALKS = [
    ("Where does Anna Petrova work?", "At Globex, I think.", "Thanks!"),
    ("Где работает Анна Петрова?", "Кажется, в Глобексе.", "Спасибо!"),
    ("did the deploy go through", "It failed at step three.", "try again"),
]


@pytest.fixture
def memory() -> Iterator[Memory]:
    clock = FrozenClock("2026-03-02T09:00:00Z")
    with Memory(":memory:", embedder=None, clock=clock, config=Config(background=False)) as memory:
        yield memory


def talk(memory: Memory, turns: tuple[str, str, str], session: str = "one") -> list[str]:
    roles = ("user", "assistant", "user")
    return [memory.observe(t, role=r, session=session).id for t, r in zip(turns, roles, strict=True)]


def relations(memory: Memory, id: str, **options: object) -> dict[str, tuple[str, int]]:
    return {n.node.id: (n.edge.relation, n.depth) for n in memory.graph.neighbours(id, **options) if n.edge}  # type: ignore[arg-type]


@pytest.mark.parametrize("turns", TALKS)
@pytest.mark.parametrize("old", [False, True], ids=["new file", "older file"])
def test_158_an_answer_leads_to_its_question(memory: Memory, turns: tuple[str, str, str], old: bool) -> None:
    asked, answer, after = talk(memory, turns)
    if old:  # files of before have the order of the session there
        sql = "update edges set source = target, target = source, relation = 'temporal', predicate = null where predicate = 'turn'"
        memory._store.run(lambda tx: tx.connection.execute(sql))
    assert relations(memory, asked, relations="response_to") == {answer: ("response_to", 1)}
    assert relations(memory, answer) == {asked: ("response_to", 1), after: ("temporal", 1)}
    (found,) = memory.graph.neighbours(asked, relations=["response_to"])
    assert found.edge is not None
    assert (found.edge.source, found.edge.target) == (answer, asked)
    assert relations(memory, asked, depth=2, relations=["response_to", "temporal"])[after] == ("temporal", 2)
    assert relations(memory, asked, relations=["temporal"]) == {}


@pytest.mark.parametrize(
    ("first", "second"),
    [("user", "user"), ("assistant", "user"), ("assistant", "assistant"), ("tool", "assistant"), ("user", "tool")],
)
def test_158_other_turns_are_order_only(memory: Memory, first: str, second: str) -> None:
    a, b = (memory.observe(f"said {r} {i}", role=r, session="s").id for i, r in enumerate((first, second)))
    assert relations(memory, a) == {b: ("temporal", 1)}


def test_158_an_answer_is_found_across_writes_and_not_across_sessions(memory: Memory) -> None:
    asked = memory.observe("Который час?", session="a").id
    memory.observe("What time is it?", session="b")
    elsewhere = memory.observe("Noon.", role="assistant", session="c").id
    answer = memory.observe("Полдень.", role="assistant", session="a").id
    assert relations(memory, asked) == {answer: ("response_to", 1)}
    assert relations(memory, elsewhere) == {}


def test_158_the_order_of_a_session_is_no_link_of_a_hit_and_a_link_of_a_caller_is(memory: Memory) -> None:
    asked, answer, _ = talk(memory, TALKS[2])
    assert memory.explain(answer).related == ()
    assert memory.recall("deploy").hits[0].related == ()
    memory.link(answer, asked, "response_to")
    assert [relation for relation, _ in memory.explain(answer).related] == ["response_to"]


@pytest.mark.parametrize(("one", "other", "name"), [
    ("We hired Anna Petrova in May.", "Lunch with Anna Petrova was fun.", "Anna Petrova"),
    ("В мае к нам пришла Анна Петрова.", "Обед готовила Анна Петрова.", "Анна Петрова"),
    ("The invoice of Globex Corp is late.", "We sued Globex Corp yesterday.", "Globex Corp"),
])  # fmt: skip
def test_memories_that_name_the_same_are_joined(memory: Memory, one: str, other: str, name: str) -> None:
    a, b = memory.observe(one, session="a").id, memory.observe(other, session="b").id
    (found,) = memory.graph.neighbours(a)
    assert found.edge is not None
    assert (found.node.id, found.edge.relation, found.edge.name) == (b, "mentions", name)
    assert [n.node.id for n in memory.graph.shortest_path(a, b)] == [a, b]


def chain(memory: Memory, length: int = 5) -> list[str]:
    ids = [memory.remember(f"Wheel number {i} turns wheel number {i + 1}.", key=f"k{i}").id for i in range(length)]
    for a, b in itertools.pairwise(ids):
        memory.link(a, b, "causal")
    return ids


def test_depth_limit_and_order(memory: Memory) -> None:
    ids = chain(memory)
    assert [(n.node.id, n.depth) for n in memory.graph.neighbours(ids[0], 3)] == [
        (id_, i) for i, id_ in enumerate(ids) if 0 < i < 4
    ]
    assert len(memory.graph.neighbours(ids[0], 4, limit=2)) == 2
    assert [n.node.id for n in memory.graph.shortest_path(ids[4], ids[0])] == ids[::-1]
    assert memory.graph.shortest_path(ids[4], ids[0], 3) == ()
    memory.link(ids[0], ids[3], "references")
    found = memory.graph.shortest_path(ids[0], ids[4])
    assert [(n.edge and n.edge.relation, n.depth) for n in found] == [(None, 0), ("references", 1), ("causal", 2)]
    assert [n.node.id for n in memory.graph.shortest_path(ids[0], ids[0])] == [ids[0]]


def test_nothing_hidden_or_ended_is_reached_or_passed(memory: Memory) -> None:
    ids = chain(memory)
    memory.forget(ids[2])
    assert [n.node.id for n in memory.graph.neighbours(ids[1], 4)] == [ids[0]]
    assert memory.graph.shortest_path(ids[1], ids[3]) == ()
    assert memory.graph.shortest_path(ids[2], ids[3]) == ()
    memory.restore(ids[2])
    assert len(memory.graph.shortest_path(ids[1], ids[3])) == 3
    ended = memory.remember("The lease ran.", key="lease", valid_from="2025-01-01", valid_until="2026-01-01").id
    memory.link(ids[0], ended, "context")
    assert ended not in relations(memory, ids[0])


@pytest.mark.parametrize(
    "texts", [("Anna Petrova rows.", "We met Anna Petrova."), ("Гребёт Анна Петрова.", "Пришла Анна Петрова.")]
)
def test_spaces_are_apart(memory: Memory, texts: tuple[str, str]) -> None:
    a = memory.observe(texts[0], session="s").id
    b = memory.observe(texts[1], session="s", space="other").id
    assert memory.graph.neighbours(a) == ()
    assert memory.graph.neighbours(b, space="other") == ()
    for call in (
        lambda: memory.graph.neighbours(b),
        lambda: memory.graph.shortest_path(a, b),
        lambda: memory.graph.shortest_path(b, a, space="other"),
    ):
        with pytest.raises(NotFound):
            call()


def test_a_thing_that_thousands_mention_does_not_explode(memory: Memory) -> None:
    ids = [memory.observe(f"Call {i} with Anna Petrova.", session=f"s{i}", ack="accepted").id for i in range(1_500)]
    memory.flush()
    assert len(memory.graph.neighbours(ids[0], 6, limit=1_000)) == HUB
    found = memory.graph.shortest_path(ids[0], ids[3])  # neither is among the newest
    assert [n.depth for n in found] == [0, 1]
    assert found[1].edge is not None
    assert found[1].edge.name == "Anna Petrova"


@pytest.mark.parametrize("bad", [{"depth": 0}, {"depth": 7}, {"depth": "2"}, {"limit": 0}, {"relations": "friend"}, {"relations": 3}, {"relations": ["causal", "is"]}])  # fmt: skip
def test_wrong_input_is_named(memory: Memory, bad: dict[str, object]) -> None:
    a = memory.observe("x").id
    with pytest.raises(InvalidInput, match=next(iter(bad))):
        memory.graph.neighbours(a, **bad)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        memory.graph.neighbours("nope")


def test_awaited(tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncMemory(tmp_path / "m.db", embedder=None) as memory:
            a = await memory.observe("Хранится ли рукопись?", session="s")
            b = await memory.observe("Да.", role="assistant", session="s")
            assert [n.node.id for n in await memory.graph.neighbours(a.id)] == [b.id]
            assert len(await memory.graph.shortest_path(a.id, b.id)) == 2

    asyncio.run(story())


@pytest.mark.parametrize("turns", TALKS)
def test_as_tools(memory: Memory, turns: tuple[str, str, str]) -> None:
    asked, answer, after = talk(memory, turns)
    tools = GraphTools(memory)
    (found,) = tools.get_neighbours(asked, relations=["response_to"]).steps
    assert (found.item.id, found.relation, found.forward, found.depth) == (answer, "response_to", False, 1)
    steps = tools.find_path(asked, after).steps
    assert [(s.item.id, s.relation, s.forward) for s in steps] == [
        (asked, None, True), (answer, "response_to", False), (after, "temporal", True),
    ]  # fmt: skip
    with pytest.raises(NotFound):
        GraphTools(memory, space="other").get_neighbours(asked)
