"""The laws of decisions, by example and against random histories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.consolidate.claims import Claim, Decision
from mnemic.consolidate.decide import REJECTED, SCOPELESS, Saying, decide
from mnemic.consolidate.slots import SLOTS


def claim(
    object_: str, at: int = 1, predicate: str = "lives_in", *, content: str = "", id_: str | None = None, **more: Any
) -> Claim:
    """A claim about Vera; the content says no more than the slot unless given."""
    values = {"subject": "vera", "origins": ("user",), "sources": (f"e-{predicate}-{object_}-{at}",), **more}
    return Claim(id_, content or f"{predicate} {object_}", predicate=predicate, object=object_, valid_from=at, **values)


def only(new: Claim, old: Claim, **more: Any) -> Decision:
    found = decide(new, [replace(old, id="old")], **more)
    assert len(found) == 1
    return found[0]


# -- a store in small ------------------------------------------------------------------------------------------------


class Store:
    """Applies decisions as the writer does, so that histories can be played."""

    def __init__(self) -> None:
        self.facts: dict[str, Claim] = {}
        self.said: dict[str, list[Saying]] = {}
        self.conflicts: set[frozenset[str]] = set()

    def arrive(self, new: Claim) -> None:
        decisions = decide(new, list(self.facts.values()), said=self.said)
        again = next((d for d in decisions if d.verdict == "duplicate"), None)
        if again is not None:
            assert again.target is not None
            if self.facts[again.target].hidden_why:
                return
            self.said.setdefault(again.target, []).append(Saying(new.valid_from, new.trust))
            known = self.facts[again.target]
            self.facts[again.target] = replace(
                known,
                protected=known.protected or new.protected,
                sources=(*known.sources, *new.sources),
                origins=tuple(dict.fromkeys((*known.origins, *new.origins))),
            )
            me = again.target
        else:
            me = f"f{len(self.facts)}"
            self.facts[me] = replace(new, id=me)
        for decision in decisions:
            target = decision.target
            if decision.verdict == "conflict" and target:
                self.conflicts.add(frozenset((me, target)))
            if decision.verdict in ("supersedes", "refines") and target:
                assert decision.at is not None
                assert decision.ends is not None
                if decision.ends == "new" and again is not None:
                    continue  # the fact it repeats has its own fate
                over = target if decision.ends == "old" else me
                until = self.facts[over].valid_until
                self.facts[over] = replace(
                    self.facts[over], valid_until=decision.at if until is None else min(until, decision.at)
                )

    def current(self) -> set[tuple[str, str, str]]:
        return {
            (c.predicate, c.scope, c.object)
            for c in self.facts.values()
            if c.valid_until is None and c.act == "assert" and not c.hidden_why
        }


def play(claims: Sequence[Claim]) -> Store:
    store = Store()
    for one in claims:
        store.arrive(one)
    return store


_slots = st.sampled_from(["lives_in", "likes", "dislikes", "speaks"])
_claims = st.builds(
    lambda predicate, object_, at, trust, protected, act: claim(
        object_, at, predicate, trust=trust, protected=protected and act == "assert", act=act
    ),
    _slots,
    st.sampled_from(["riga", "oslo", "rome"]),
    st.integers(1, 5),
    st.sampled_from([0.3, 0.7, 1.0]),
    st.booleans(),
    st.sampled_from(["assert", "assert", "assert", "end"]),
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(_claims, min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(claims: list[Claim], random: Any) -> None:
    other = claims[:]
    random.shuffle(other)
    assert play(claims).current() == play(other).current()


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(_claims, min_size=2, max_size=6))
def test_less_trust_never_ends_more_and_nothing_protected_ends(claims: list[Claim]) -> None:
    store = Store()
    for one in claims:
        before = dict(store.facts)
        for decision in decide(one, list(before.values()), said=store.said):
            if decision.verdict == "supersedes":
                old = before[decision.target or ""]
                loser, winner = (old, one) if decision.ends == "old" else (one, old)
                assert not loser.protected
                trusts = [winner.trust, *(s.trust for s in store.said.get(winner.id or "", []))]
                assert max(trusts) >= loser.trust
        store.arrive(one)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(_claims, _claims)
def test_subjects_never_meet(a: Claim, b: Claim) -> None:
    (found,) = decide(replace(a, subject="anna"), [replace(b, id="b")])
    assert found.verdict == "new"


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(_claims, min_size=1, max_size=4))
def test_saying_everything_again_changes_nothing(claims: list[Claim]) -> None:
    once, twice = play(claims), play([*claims, *claims])
    assert once.current() == twice.current()


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(_claims, min_size=1, max_size=6))
def test_what_is_said_to_be_false_stays_away_for_its_sources(claims: list[Claim]) -> None:
    hidden = [replace(c, id=f"h{i}", hidden_why="false") for i, c in enumerate(claims)]
    for one in claims:
        assert decide(one, hidden)[0].verdict == "duplicate"


# -- by example ------------------------------------------------------------------------------------------------------


def test_a_later_value_ends_the_older_one() -> None:
    found = only(claim("oslo", 5), claim("riga", 2))
    assert (found.verdict, found.ends, found.at, found.target) == ("supersedes", "old", 5, "old")


def test_a_late_note_is_itself_ended() -> None:
    found = only(claim("riga", 2), claim("oslo", 5))
    assert (found.verdict, found.ends, found.at) == ("supersedes", "new", 5)


def test_a_late_note_between_two_sayings_ends_where_the_second_begins() -> None:
    found = only(claim("riga", 3), claim("oslo", 2), said={"old": [Saying(2, 1.0), Saying(6, 1.0)]})
    assert (found.verdict, found.ends, found.at) == ("supersedes", "new", 6)


@pytest.mark.parametrize("old", [{"trust": 1.0}, {"trust": 0.5, "protected": True}])
def test_what_code_may_not_end_is_a_conflict(old: dict[str, Any]) -> None:
    found = only(claim("oslo", 5, trust=0.5), claim("riga", 2, **old))
    assert (found.verdict, found.ends) == ("conflict", None)


def test_values_of_many_stand_side_by_side() -> None:
    assert only(claim("french", 5, "speaks"), claim("german", 2, "speaks")).verdict == "coexists"


def test_likes_and_dislikes_of_one_thing_replace_each_other() -> None:
    found = only(claim("chinese food", 5, "dislikes"), claim("chinese food", 2, "likes"))
    assert (found.verdict, found.ends) == ("supersedes", "old")
    (other,) = decide(claim("thai food", 5, "dislikes"), [claim("chinese food", 2, "likes", id_="x")])
    assert other.verdict == "new"


def test_an_end_ends_its_value_only() -> None:
    end = claim("acme", 5, "works_at", act="end")
    assert only(end, claim("acme", 2, "works_at")).ends == "old"
    assert decide(end, [claim("globex", 2, "works_at", id_="x")])[0].verdict == "new"
    assert only(replace(end, object=""), claim("globex", 2, "works_at")).ends == "old"


def test_an_end_keeps_late_news_from_reviving_the_value() -> None:
    found = only(claim("acme", 2, "works_at"), claim("acme", 5, "works_at", act="end"))
    assert (found.verdict, found.ends, found.at) == ("supersedes", "new", 5)
    anew = only(claim("acme", 6, "works_at"), claim("acme", 5, "works_at", act="end"))
    assert (anew.verdict, anew.ends, anew.at) == ("supersedes", "old", 6)


def test_a_replaced_value_ends_even_among_many() -> None:
    new = claim("postgresql", 5, "uses", replaces="mongodb")
    assert only(new, claim("mongodb", 2, "uses")).ends == "old"
    assert only(new, claim("redis", 2, "uses")).verdict == "coexists"
    assert only(claim("mongodb", 2, "uses"), new).ends == "new"


def test_at_the_same_time_only_wording_makes_a_change() -> None:
    old = claim("riga", 2, content="Vera lives in Riga.")
    assert only(claim("oslo", 2, content="Vera lives in Oslo."), old).verdict == "conflict"
    moved = claim("oslo", 2, content="Vera moved to Oslo.")
    assert only(moved, old).ends == "old"
    assert only(old, moved).ends == "new"
    russian = claim("осло", 2, content="Вера теперь живёт в Осло.")
    assert only(russian, old).ends == "old"


def test_the_same_again_is_evidence_and_one_channel_does_not_add_up() -> None:
    old = claim("riga", 2)
    again = only(claim("riga", 5, sources=("e9",)), old)
    assert (again.verdict, again.score) == ("duplicate", 0.0)
    other = only(claim("riga", 5, sources=("e9",), origins=("tool",)), old)
    assert (other.verdict, other.score) == ("duplicate", 1.0)


def test_what_is_more_exact_takes_the_place() -> None:
    assert only(claim("riga latvia", 5), claim("riga", 2)).verdict == "refines"
    assert only(claim("riga", 5), claim("riga latvia", 2)).verdict == "duplicate"
    assert only(claim("dog named rex", 5, "has_pet"), claim("dog", 2, "has_pet")).verdict == "refines"
    assert only(claim("iced coffee", 5, "likes"), claim("coffee", 2, "likes")).verdict == "coexists"
    assert only(claim("dog and cat", 5, "has_pet"), claim("dog", 2, "has_pet")).verdict == "coexists"


@pytest.mark.parametrize("why", sorted(REJECTED))
def test_a_later_source_may_bring_back_what_was_false(why: str) -> None:
    old = claim("keepass", 2, "uses", hidden_why=why, sources=("e1",))
    assert only(claim("keepass", 2, "uses", sources=("e1",)), old).verdict == "duplicate"
    assert only(claim("keepass", 1, "uses", sources=("e0",)), old).verdict == "duplicate"
    assert only(claim("keepass", 7, "uses", sources=("e7",)), old).verdict == "new"


def test_hidden_claims_end_nothing() -> None:
    assert only(claim("oslo", 5), claim("riga", 2, hidden_why="decayed")).verdict == "new"


def test_a_slot_without_its_scope_replaces_nothing() -> None:
    for predicate in sorted(SCOPELESS):
        assert SLOTS[predicate].cardinality == "one"
        assert only(claim("tea", 5, predicate), claim("windows", 2, predicate)).verdict == "coexists"
        assert only(claim("tea", 5, predicate, scope="s"), claim("windows", 2, predicate, scope="s")).ends == "old"


def test_identifiers_keep_claims_apart() -> None:
    old = claim("broken", 2, "status", content="Config for apps.12 is broken", subject="config")
    new = claim("fixed", 5, "status", content="Config for apps.13 is fixed", subject="config")
    assert only(new, old).verdict == "coexists"
    assert only(replace(new, content="Config for apps.12 is fixed"), old).ends == "old"


def test_an_interval_that_was_said_is_history() -> None:
    old = claim("dublin", 10)
    assert only(claim("madrid", 12, valid_until=14), old).verdict == "coexists"
    assert only(claim("madrid", 2, valid_until=4), old).verdict == "coexists"


def test_statements_that_contradict_are_open() -> None:
    old = claim("the door is open", 2, "states", content="The door is open")
    new = claim("the door is closed", 5, "states", content="The door is closed")
    assert only(new, old).verdict == "conflict"
    assert only(replace(new, content="The door is closed now"), old).ends == "old"
    assert only(claim("it rains", 5, "states", content="It rains"), old).verdict == "coexists"


def test_a_hostile_text_is_harmless() -> None:
    long = "не " * 40_000
    assert only(claim(long, 5, "states", content=long), claim("x", 2, "states")).verdict == "coexists"
