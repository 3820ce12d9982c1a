"""Whom a written name means: one of the known entities of the space, a new one, or nobody that can be said.

Names decide, never the closeness of vectors. The same name in one space and type is the same entity. A bare first name
is the one person whose full name begins with it; where several do, what the session speaks of decides, or nothing
does. How often somebody is mentioned says nothing about whom "Viktor" means today.

A wrong join spoils two people, a missed one costs a merge: in doubt the answer is ``unresolved``, with candidates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from ..clock import DAY
from ..text.name_forms import folded, name_keys, parted
from ..text.name_likeness import Evidence, same_name
from .claims import Named

__all__ = ["LEAST", "MARGIN", "SIGNALS", "UNCERTAIN", "Known", "Ranked", "Resolution", "Signal", "Talk", "resolve"]

#: The type of names of which nobody has said yet what they are; any other takes its place.
UNTYPED = "concept"
#: Evidence of the names by which an only candidate is meant; with less the session must speak for him as well.
LEAST = 0.5
#: By how much one name must be likelier than the next, and one candidate's signals stronger.
CLEARER = 0.2
MARGIN = 0.5
#: Belief in a link that the session decided, and in a bare name that might mean others too.
UNCERTAIN = 0.45
#: Mentions up to which a bare name counts as just introduced ("Anna … Anna Petrova"). One used more often before may
#: have meant several people.
INTRODUCED = 3
MAX_CANDIDATES = 10
RECENT = 14 * DAY


@dataclass(frozen=True, slots=True)
class Signal:
    """What a session says for one of several candidates: how much it weighs, and words for a person."""

    weight: float
    reason: str


SIGNALS: Mapping[str, Signal] = {
    "present": Signal(1.0, "named in this session"),
    "company": Signal(0.35, "known together with others of this session"),  # for each of them, up to two
    "recent": Signal(0.2, "the only one mentioned of late"),  # never enough alone
}


@dataclass(frozen=True, slots=True)
class Known:
    """An entity of the space.

    Attributes:
        id, type, name, aliases: as stored. mentions: how many memories mention it. last_seen: time of the last one.
        together: ids of entities that the same memories mention.
    """

    id: str
    type: str
    name: str
    aliases: tuple[str, ...] = ()
    mentions: int = 0
    last_seen: int | None = None
    together: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Talk:
    """What is known of the conversation: when it is, and ids of the entities that it has named without doubt."""

    at: int | None = None
    present: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate: how far the names agree, and why."""

    id: str
    name: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a written name means.

    Attributes:
        verdict: ``same`` (``entity`` is meant), ``new`` (nobody known), ``unresolved`` (could be several: link nobody).
        entity: its id, ``None`` unless ``same``. confidence: 0…1. reason: one line for a person.
        name: as written, without role and title. details: role, title, from, at.
        type: of the entity from now on (what was a mere concept takes the type that it is given now).
        candidates: who else could be meant, or has the same name, best first.
        learn: whether the written name may become an alias. A first name may not: tomorrow it can mean another.
        absorb: ids of untyped entities of exactly this name, to be merged into this one.
    """

    verdict: Literal["same", "new", "unresolved"]
    entity: str | None
    confidence: float
    reason: str
    name: str
    type: str
    candidates: tuple[Ranked, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)
    learn: bool = True
    absorb: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    entity: Known
    evidence: Evidence

    @property
    def ranked(self) -> Ranked:
        return Ranked(self.entity.id, self.entity.name, self.evidence.score, self.evidence.reason)


def resolve(named: Named, known: Iterable[Known], talk: Talk | None = None) -> Resolution:
    """Find whom a name means.

    Args:
        named: the name as written, its type, and names that the text itself calls the same.
        known: the entities of one space, in any order. talk: what the conversation has named so far.
    """
    known = sorted(known, key=lambda entity: entity.id)
    name, details, names = _written(named)
    if not names:
        return Resolution("new", None, 0.0, "no name", name, named.type, details=details, learn=False)
    bare = named.type == "person" and " " not in names[0]
    same, untyped, others = _namesakes(names, named.type, known)
    found = _alike(names, named.type, known, frozenset(entity.id for entity in same))
    if same and not (bare and _is_full(same[0]) and len([f for f in found if f.evidence.score >= LEAST]) > 1):
        out = _exact(same, found if bare else [])
    else:
        out = _choose(found, bare, talk or Talk()) if named.type == "person" else _choose_thing(found)
        if out.verdict == "new" and untyped:
            out = replace(_meant(untyped[0], 0.9, "the same name, of no type until now"), candidates=out.candidates)
    if (out.verdict == "same" and out.type == UNTYPED) or out.verdict != "same":
        out = replace(out, type=named.type)
    if out.verdict == "same" and out.learn and named.type != UNTYPED:
        out = replace(out, absorb=tuple(entity.id for entity in untyped if entity.id != out.entity))
    return replace(out, name=name, details=details, candidates=(out.candidates + others)[:MAX_CANDIDATES])


def _written(named: Named) -> tuple[str, Mapping[str, str], list[str]]:
    """The name without role and title, those details, and all its names folded, the main one first."""
    name, details = " ".join(named.name.split()), dict[str, str]()
    if named.type == "person":
        split = parted(named.name)
        name, details = split.name, dict(split.details)
    further = [details.pop("alias")] if "alias" in details else []
    return name, details, list(dict.fromkeys(filter(None, map(folded, (name, *further, *named.aliases)))))


# -- the same name ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=50_000)
def _names(name: str, aliases: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(folded, (name, *aliases)))


@lru_cache(maxsize=50_000)
def _keys(name: str, aliases: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(name_keys, (name, *aliases)))


def _is_full(entity: Known) -> bool:
    return " " in folded(entity.name)


def _namesakes(
    names: Sequence[str], type_: str, known: Sequence[Known]
) -> tuple[list[Known], list[Known], tuple[Ranked, ...]]:
    """Entities that have one of the names: of the type, of no type (or any, where none is asked), of other types."""
    same: list[Known] = []
    untyped: list[Known] = []
    others: list[Ranked] = []
    for entity in known:
        held = _names(entity.name, entity.aliases)
        if held.isdisjoint(names):
            continue
        if entity.type == type_:
            same.append(entity)
        elif UNTYPED in (entity.type, type_):
            untyped.append(entity)
        else:
            others.append(Ranked(entity.id, entity.name, 0.0, f"the same name, but of another type: {entity.type}"))
    for group in (same, untyped):  # who is called so first, then who was called so by the way
        group.sort(key=lambda e: (names[0] != folded(e.name), names[0] not in _names(e.name, e.aliases), e.id))
    return same, untyped, tuple(others)


def _exact(same: Sequence[Known], found: Sequence[_Found]) -> Resolution:
    entity = same[0]
    others = tuple(f.ranked for f in found if f.entity.id != entity.id) or tuple(
        Ranked(e.id, e.name, 1.0, "the same name") for e in same[1:]
    )
    doubt = any(ranked.score >= LEAST for ranked in others)
    reason = "the same name, which others could be called by as well" if doubt else "the same name"
    return replace(_meant(entity, UNCERTAIN if doubt else 1.0, reason), candidates=others)


# -- names that are alike ---------------------------------------------------------------------------------------------


def _alike(names: Sequence[str], type_: str, known: Sequence[Known], same: frozenset[str]) -> list[_Found]:
    """Entities of the type whose names may be this one, the likest first."""
    keys = frozenset().union(*map(name_keys, names))
    out = []
    for entity in known:
        if entity.type != type_ or keys.isdisjoint(_keys(entity.name, entity.aliases)):
            continue
        best = max(
            same_name(name, other, person=type_ == "person")
            for name in names
            for other in (entity.name, *entity.aliases)
        )
        if best.score > 0 or entity.id in same:
            out.append(_Found(entity, best))
    return sorted(out, key=lambda f: (-f.evidence.score, f.entity.id))


def _choose_thing(found: Sequence[_Found]) -> Resolution:
    """Things are joined by their whole name only."""
    ranked = tuple(f.ranked for f in found)
    strong = [f for f in found if f.evidence.score >= LEAST]
    if len(strong) > 1 and strong[0].evidence.score - strong[1].evidence.score < CLEARER:
        return _unresolved(ranked)
    return _only(strong[0], ranked) if strong else _new(ranked)


def _choose(found: Sequence[_Found], bare: bool, talk: Talk) -> Resolution:
    """One of several persons, by the names if they suffice, else by the session."""
    ranked = tuple(f.ranked for f in found)
    # A full name is not yet whom a bare one means: "Anna" may be another Anna than "Anna Petrova".
    strong = [f for f in found if f.evidence.score >= LEAST and (bare or _is_full(f.entity) or f.evidence.whole)]
    if strong:
        first, *rest = strong
        if not rest or (_is_whole(first, bare) and not any(_is_whole(f, bare) and _is_near(f, first) for f in rest)):
            return _only(first, ranked)
    elif not bare:
        introduced = [f for f in found if f.entity.id in talk.present and f.entity.mentions <= INTRODUCED]
        return _only(introduced[0], ranked) if len(introduced) == 1 else _new(ranked)
    open_ = strong or found
    weighed = sorted(((*_signals(f.entity, open_, talk), f.entity) for f in open_), key=lambda w: (-w[0], w[2].id))
    margins = [weight for weight, _, _ in weighed] + [0.0]
    if weighed and round(margins[0] - margins[1], 3) >= MARGIN:
        _, why, entity = weighed[0]
        out = _meant(entity, UNCERTAIN, f"unclear by the name, but {why}", learn=False)
        return replace(out, candidates=tuple(r for r in ranked if r.id != entity.id))
    return _unresolved(ranked) if strong else _new(ranked)


def _is_whole(found: _Found, bare: bool) -> bool:
    """Whether the whole name agrees. That somebody was called by the bare name once does not make it his."""
    return found.evidence.whole and not (bare and _is_full(found.entity))


def _is_near(one: _Found, other: _Found) -> bool:
    return abs(one.evidence.score - other.evidence.score) < CLEARER


def _signals(entity: Known, found: Sequence[_Found], talk: Talk) -> tuple[float, str]:
    """What the session says for one candidate: weight and reasons."""
    times = {"present": int(entity.id in talk.present), "company": min(2, len(entity.together & talk.present))}
    if talk.at is not None:
        late = [f.entity.id for f in found if f.entity.last_seen is not None and f.entity.last_seen > talk.at - RECENT]
        times["recent"] = int(late == [entity.id])
    weight = sum(SIGNALS[kind].weight * count for kind, count in times.items())
    return round(weight, 3), " and ".join(SIGNALS[kind].reason for kind, count in times.items() if count)


# -- answers ----------------------------------------------------------------------------------------------------------


def _meant(entity: Known, confidence: float, reason: str, *, learn: bool = True) -> Resolution:
    return Resolution("same", entity.id, confidence, reason, entity.name, entity.type, learn=learn)


def _only(found: _Found, ranked: tuple[Ranked, ...]) -> Resolution:
    """The only one or the clearly likeliest. Part of his name does not become a name of his."""
    partial = not found.evidence.whole and _is_full(found.entity)
    out = _meant(found.entity, found.evidence.score, found.evidence.reason, learn=not partial)
    return replace(out, candidates=tuple(r for r in ranked if r.id != found.entity.id))


def _unresolved(ranked: tuple[Ranked, ...]) -> Resolution:
    reason = "could be " + " or ".join(r.name for r in ranked[:3])
    return Resolution("unresolved", None, 0.0, reason, "", "", ranked, learn=False)


def _new(ranked: tuple[Ranked, ...]) -> Resolution:
    if ranked:
        return Resolution("new", None, 0.6, f"not like enough to {ranked[0].name}: {ranked[0].reason}", "", "", ranked)
    return Resolution("new", None, 0.9, "nobody known has such a name", "", "")
