"""Duplicates: what is merged, what is not, who stays, what it inherits, and the way back."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nights import memory_at, night, offered, remember, rows

from mnemic import InvalidInput
from mnemic.forget.dedupe import Duplicates, copies
from mnemic.store.merging import Compared

PHASE = Duplicates()


def card(row: int, content: str, **given: object) -> Compared:
    values: dict[str, object] = {
        "row": row, "id": f"id{row}", "content": content, "entity": None, "predicate": None, "scope": None, "object": None,
        "begins": 0, "event_time": 0, "trust": 1.0, "confirmed": 0, "holder": "", "recorded_at": 0, "support": 0,
    }  # fmt: skip
    return Compared(**(values | given))  # type: ignore[arg-type]


@pytest.mark.parametrize(("a", "b"), [
    ("I live in Berlin.", "Berlin is where I live."), ("В Казани живёт Марта.", "Марта живёт в Казани."),
    ("The timeout is 30 seconds.", "the timeout is thirty seconds"), ("У нас 3 офиса.", "У нас три офиса."),
    ("PR #317 fixes the login bug.", "The login bug is fixed by PR #317."),
])  # fmt: skip
def test_the_same_is_merged(a: str, b: str) -> None:
    with memory_at() as (memory, _):
        first, second = remember(memory, a, b)
        out = night(memory, PHASE)
        assert [x.act for x in out.acts] == ["duplicate"]
        assert sum(offered(memory, first, second)) == 1
        assert "by words" in out.note


@pytest.mark.parametrize(("a", "b"), [
    ("PR #260 was merged.", "PR #480 was merged."), ("PR #12 was merged.", "Issue #12 was merged."),
    ("Config for apps.12 is here.", "Config for apps.13 is here."), ("Anna likes jam.", "Olga likes jam."),
    ("The fee is 50 dollars.", "The fee is 50 euros."), ("Таймаут 30 секунд.", "Таймаут 30 минут."),
    ("The gate is locked.", "The gate is not locked."), ("Отопление включено.", "Отопление выключено."),
    ("Leo lent money to Max.", "Max lent money to Leo."), ("Мама звонила бабушке.", "Бабушка звонила маме."),
    ("I might move to Oslo.", "I moved to Oslo."), ("I was born before the war.", "I was born after the war."),
    ("Use tabs, not spaces.", "Use spaces, not tabs."), ("We have a cat.", "We have a cat named Rex."),
    ("У него красная машина.", "У неё красная машина."), ("Can guests pay?", "Guests can pay."),
    ("It is -5 outside.", "It is 5 outside."), ("There are 5 cats and 3 dogs.", "There are 3 cats and 5 dogs."),
    ("We moved from v1.2 to v1.3.", "We moved from v1.3 to v1.2."), ("The cost is 9 euros a month.", "The cost is 9 euros a year."),
])  # fmt: skip
def test_what_differs_in_anything_stays(a: str, b: str) -> None:
    with memory_at() as (memory, _):
        both = remember(memory, a, b)
        assert night(memory, PHASE).acts == []
        assert offered(memory, *both) == [True, True]


def test_the_survivor_inherits_and_one_undo_gives_it_back() -> None:
    with memory_at() as (memory, _):
        memory.observe("I live in Berlin, since you ask.", session="s")
        (kept,) = remember(memory, "I live in Berlin.", tags=["home"])
        (copy,) = remember(
            memory, "Berlin is where I live.", tags=["city"], at="2025-01-01T00:00:00Z", importance=1.5, confidence=0.5
        )
        (other,) = remember(memory, "The flat is on the third floor.")
        (older,) = remember(memory, "The flat was found by Ivo.")
        memory.link(copy, other, "references")
        memory.link(older, copy, "causal")
        memory.confirm(kept)
        before = rows(memory)
        (act,) = night(memory, PHASE).acts
        assert (act.id, act.other) == (copy, kept)
        told = memory.explain(kept)
        assert set(told.node.tags) == {"home", "city"}
        assert told.node.importance == 1.5
        assert f"{told.node.valid_from}"[:4] == "1735"  # 2025-01-01
        assert {("references", other), ("causal", older)} <= {(r, n.id) for r, n in told.related}
        gone = memory.explain(copy)
        assert gone.node.hidden_why == "duplicate"
        assert ("similar", kept) in {(r, n.id) for r, n in gone.related}
        assert act.change is not None
        memory.review.undo(act.change)
        back = memory.explain(kept)
        assert set(back.node.tags) == {"home"}
        assert back.node.importance == 1.0
        assert {r for r, _ in back.related} == set()
        assert before[0] == rows(memory)[0]
        assert offered(memory, copy, kept) == [True, True]


def test_a_restored_copy_is_left_alone_from_then_on() -> None:
    with memory_at() as (memory, clock):
        both = remember(memory, "I live in Berlin.", "Berlin is where I live.")
        (act,) = night(memory, PHASE).acts
        memory.restore(act.id)
        for _ in range(3):
            clock.advance(days=1)
            assert night(memory, PHASE).acts == []
        assert offered(memory, *both) == [True, True]
        assert memory.explain(act.other or "").node.hidden_at is None


def test_restoring_takes_no_evidence_from_the_survivor_that_it_had_itself() -> None:
    with memory_at() as (memory, _):
        memory.observe("My daughter goes to school by bus.", session="s")
        memory.observe("bye", session="t")
        (kept,) = remember(memory, "I live in Berlin.")
        (copy,) = remember(memory, "Berlin is where I live.")
        episode = memory.recall("daughter").hits[0].node.id
        memory.link(kept, episode, "supports")
        memory.link(copy, episode, "supports")
        (act,) = night(memory, PHASE).acts
        memory.restore(act.id)
        assert ("supports", episode) in {(r, n.id) for r, n in memory.explain(kept).related}


def test_confirmed_facts_stay_both() -> None:
    with memory_at() as (memory, _):
        both = remember(memory, "I live in Berlin.", "Berlin is where I live.")
        for id_ in both:
            memory.confirm(id_)
        assert night(memory, PHASE).acts == []


def test_a_confirmed_or_more_trusted_fact_stays() -> None:
    with memory_at() as (memory, _):
        (low,) = remember(memory, "I live in Berlin.", origin="import")
        (high,) = remember(memory, "Berlin is where I live.", origin="user")
        assert night(memory, PHASE).acts[0].id == low
        (third,) = remember(memory, "I live in Berlin, really.", origin="import")
        memory.confirm(third)
        assert night(memory, PHASE).acts[0].id == high


def test_a_pair_at_issue_is_not_merged() -> None:
    with memory_at() as (memory, _):
        a, b = remember(memory, "I live in Berlin.", "Berlin is where I live.")
        memory.link(a, b, "contradicts")
        memory.review.resolve(a, b, "both")
        assert night(memory, PHASE).acts == []


def test_nights_change_nothing_more_and_a_dry_run_nothing_at_all() -> None:
    with memory_at() as (memory, clock):
        remember(memory, "I live in Berlin.", "Berlin is where I live.", "i live in berlin", "Tea is hot.")
        start = rows(memory)
        planned = night(memory, PHASE, dry_run=True)
        assert rows(memory) == start
        done = night(memory, PHASE)
        assert [(a.id, a.other, a.why) for a in planned.acts] == [(a.id, a.other, a.why) for a in done.acts]
        first = rows(memory)
        for _ in range(4):
            clock.advance(minutes=5)
            assert night(memory, PHASE).acts == []
        assert rows(memory) == first


def test_the_order_of_rows_does_not_matter() -> None:
    texts = [
        "I live in Berlin.",
        "Berlin is where I live.",
        "Tea is hot.",
        "the tea is hot",
        "I don't live in Berlin.",
        "Tea is hot!",
    ]
    found = set()
    for order in itertools.islice(itertools.permutations(texts), 0, 720, 60):
        with memory_at() as (memory, _):
            for text in order:
                memory.remember(text, key=text)
            found.add(
                frozenset(
                    (memory.explain(a.id).node.content, memory.explain(a.other or "").node.content)
                    for a in night(memory, PHASE).acts
                )
            )
    assert len(found) == 1


def test_a_night_that_was_stopped_goes_on() -> None:
    with memory_at() as (memory, _):
        for i in range(700):
            remember(memory, f"The lamp number {i} is in hall {i % 7}.", f"In hall {i % 7} is the lamp number {i}.")
        asked = itertools.count()
        first = night(memory, PHASE, stop=lambda: next(asked) >= 1)
        assert not first.finished
        merged, nights = 0, 0
        finished = False
        while not finished:
            asked = itertools.count()
            out = night(memory, PHASE, stop=lambda: next(asked) >= 4)  # noqa: B023
            merged, finished, nights = merged + len(out.acts), out.finished, nights + 1
            assert nights < 50
        assert merged == 700
        assert night(memory, PHASE).acts == []


def test_facts_erased_and_spaces_apart() -> None:
    with memory_at() as (memory, _):
        a, b = remember(memory, "I live in Berlin.", "Berlin is where I live.")
        memory.remember("I live in Berlin.", key="x", space="other")
        night(memory, PHASE)
        memory.erase(item=b if not offered(memory, b)[0] else a)
        assert night(memory, PHASE).acts == []
        assert night(memory, PHASE, space="nowhere").acts == []
        with memory._store.reader() as r:
            left = r.execute("select count(*) from senses").get
        assert left == 1


def test_a_duplicate_that_a_person_named_is_undone_with_all_it_gave() -> None:
    with memory_at() as (memory, _):
        (kept,) = remember(memory, "The kettle is red.")
        (copy,) = remember(memory, "Our kettle has the colour of blood.", tags=["kitchen"])
        memory.review.resolve(kept, copy, "duplicate")
        assert memory.explain(kept).node.tags == ("kitchen",)
        memory.restore(copy)
        assert memory.explain(kept).node.tags == ()


def test_a_later_change_of_the_survivor_stands() -> None:
    with memory_at() as (memory, _):
        (kept,) = remember(memory, "I live in Berlin.", confidence=0.5)
        remember(memory, "Berlin is where I live.", confidence=0.9, origin="import")
        (act,) = night(memory, PHASE).acts
        memory.confirm(kept)
        memory.restore(act.id)
        assert memory.explain(kept).node.confidence == 1.0
        with pytest.raises(InvalidInput):
            memory.review.undo(act.change or 0)


def test_a_deed_told_again_much_later_is_another_deed() -> None:
    near = [card(1, "The build failed."), card(2, "the build failed", begins=86_400_000_000)]
    far = [card(1, "The build failed."), card(2, "the build failed", begins=40 * 86_400_000_000)]
    assert len(copies(near, {})) == 1
    assert copies(far, {}) == []


def test_slots_and_holders_part() -> None:
    mine, theirs = {"entity": 1, "predicate": "likes", "scope": ""}, {"entity": 2, "predicate": "likes", "scope": ""}
    assert copies([card(1, "Likes tea.", **mine), card(2, "Likes tea.", **theirs)], {}) == []
    assert len(copies([card(1, "Likes tea.", **mine), card(2, "likes tea", **mine)], {})) == 1
    assert len(copies([card(1, "Likes tea.", **mine), card(2, "likes tea")], {})) == 1
    assert copies([card(1, "Likes tea.", **mine), card(2, "Likes tea.", **theirs), card(3, "likes tea")], {}) == []
    assert copies([card(1, "I like tea.", holder="Anna"), card(2, "I like tea.", holder="Boris")], {}) == []


_TEXTS = [
    "Tea is hot.",
    "the tea is hot",
    "Hot is the tea.",
    "Tea is not hot.",
    "Anna likes tea.",
    "Tea is what Anna likes.",
]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(_TEXTS),
            st.sampled_from([None, 1, 2]),
            st.sampled_from(["", "Anna", "Boris"]),
            st.integers(0, 2),
        ),
        max_size=9,
    ),
    st.randoms(),
)
def test_every_copy_matches_its_survivor_whatever_the_order(
    facts: list[tuple[str, int | None, str, int]], chance: random.Random
) -> None:
    made = [
        card(i, text, entity=entity, holder=holder, support=support)
        for i, (text, entity, holder, support) in enumerate(facts)
    ]
    found = copies(made, {})
    shuffled = list(made)
    chance.shuffle(shuffled)
    assert {(c.copy.id, c.kept.id) for c in copies(shuffled, {})} == {(c.copy.id, c.kept.id) for c in found}
    gone = {c.copy.row for c in found}
    assert not gone & {c.kept.row for c in found}
    assert all(copies([c.copy, c.kept], {}) for c in found)
    assert copies([c for c in made if c.row not in gone], {}) == []
