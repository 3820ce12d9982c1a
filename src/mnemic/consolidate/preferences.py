"""What a remark in passing does to the preferences already known of its speaker.

Nobody says "my preference for Italian restaurants has ended". They say "I'm over Italian food, let's skip it", «хватит
джаза», or ask for sushi from now on. :func:`read` finds the known preferences a remark speaks of (their value, other
words for it, or its opposite), hears whether it is for or against, and says: kept, over, or something new beside.

Precision first: a preference ends only where the remark names it, or what excludes it on the same topic.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal

from ..text.analyse import fold, raw_words, terms
from ..text.wording import MAX_CHARS, clauses, find, listed, split_words
from .claims import Claim, Decision
from .everyday import (
    AFTERTHOUGHT,
    BORNE,
    CONCESSION,
    DISMISS,
    FORMAL,
    HEADS,
    INDIFFERENT,
    LASTING,
    OPPOSED,
    PRAISE,
    SHUNNED,
    STANCES,
    TURNED,
)
from .meanings import implied, meanings

__all__ = ["Near", "Reading", "read", "touches"]

#: Closeness of two short texts, −1…1.
Near = Callable[[str, str], float]

#: Share of a value's words that a remark must hold to speak of it.
NAMED = 0.5
#: How far the preference that a remark ends may be from the one closest to it in meaning.
NEARLY = 0.08
#: Weight of a word that several known preferences share, or that only names the topic, against one of its own.
COMMON = 0.25
#: Concepts that say how much, of anything: they mean a preference only together with its topic.
_LEVELS = frozenset(
    {"high", "medium", "low", "off", "warm", "cool", "bright", "dim", "cheap", "expensive", "moderate", "free"}
)
#: Words that ask for something and say nothing of what.
_ASKING = frozenset(
    terms(
        "find search look locate show play set want need like please can could would make sure let lets help get give hey start"
        " think thinking know feel good great nice nearby near closest nearest place places around something option options"
        " today time new try prefer always only keep use using go going really maybe just also available spot spots"
        " найди найти покажи включи поставь хочу можешь давай пожалуйста нужно место рядом хорошо"
    )
)
#: Words behind another one that name no thing which that one could be part of.
_NO_THING = listed(
    "anymore more now lately recently again tonight tomorrow yesterday yet still instead ever really all much long enough every"
    " this that these those here there once forever anyway though either please thanks week weekend month year day days night"
    " morning evening lunch dinner breakfast time times stuff thing things one ones kind kinds sort type types vibe vibes scene"
    " phase option options stage больше теперь сейчас сегодня завтра снова опять пока вообще совсем очень уже ещё еще раз пожалуйста"
)
_POINTING = listed("it that those them this these one ones это этого его их тот ту те")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a remark means for known preferences.

    Attributes:
        decisions: ``duplicate`` for each preference it repeats, ``supersedes`` (ends ``old``) for each that is over.
        asserts: the words that ask for something not known yet; empty where it only repeats or takes back.
    """

    decisions: tuple[Decision, ...]
    asserts: str = ""


Polarity = Literal["for", "against", "indifferent", "turned", "aside"]


@dataclass(frozen=True, slots=True)
class _Idea:
    """A word of a remark: what it means, and what the remark says of it.

    ``aside``: named only to say where something else is taken from ("exclude jazz from the radio"). ``of``: what the word
    right behind it means, where it names a thing ("Chinese cars"); empty elsewhere.
    """

    names: frozenset[str]
    polarity: Polarity
    of: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Remark:
    """A remark taken apart: its words and all that they mean, the part that asks for something, its proper names."""

    ideas: tuple[_Idea, ...]
    said: frozenset[str]
    asks: str
    lasting: bool
    names: tuple[frozenset[str], ...]


_Units = tuple[tuple[frozenset[str], float], ...]


@dataclass(frozen=True, slots=True)
class _Liking:
    """A known preference as remarks are compared with it.

    ``value``: (meanings, weight) of each of its words. ``kind``: those of its slot, without what only names the topic.
    ``topic``: meanings of all words of its slot. ``accepts``: what may be said of the value without changing anything.
    ``of_kind``: its value says yes or no to what the slot names; ``detail``: what it says besides, in brackets.
    ``means``, ``excludes``: meanings of its value, and those that cannot be had together with it.
    """

    claim: Claim
    value: _Units
    kind: _Units
    topic: frozenset[str]
    accepts: frozenset[Polarity]
    of_kind: bool
    detail: _Units
    means: frozenset[str]
    excludes: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Finding:
    """What a remark says of one preference, with what decides between several: words named, then words of the topic."""

    liking: _Liking
    decision: Decision
    held: float
    about: int


def read(text: str, known: Sequence[Claim], *, at: int = 0, near: Near | None = None) -> Reading:
    """Read a remark against the current preferences of its speaker.

    Args:
        known: preferences of one subject; ``object`` is the value, ``scope`` (with ``content``) what it is about. Of a
            scope "topic: kind" the first part counts less.
        at: when it was said: an ended preference ends then.
        near: closeness by meaning, where an embedder is at hand; decides between preferences that are named alike.
    """
    remark = _remark(text)
    likings = _likings(tuple(known))
    found = [f for liking in likings if (f := _named(liking, remark, at))]
    found = found or [f for liking in likings if (f := _opposed(liking, remark, at) or _dismissed(liking, remark, at))]
    found = _nearest(found, likings, text, near)
    kept = [f for f in found if f.decision.verdict == "duplicate"]
    asserts = remark.asks
    if kept:
        told = {n for f in kept for unit, _ in (*f.liking.value, *f.liking.kind, *f.liking.detail) for n in unit}
        asserts = remark.asks if any(not name & told for name in remark.names) else ""
    elif any(f.liking.of_kind for f in found):
        asserts = text  # "no need for a roof" is itself what is wanted now
    return Reading(tuple(f.decision for f in found), asserts)


def touches(text: str, known: Sequence[Claim]) -> bool:
    """Whether a remark holds a word that could speak of one of these preferences: what does not need not be read."""
    spoken_of = _spoken_of(tuple(known))
    return any(not names.isdisjoint(spoken_of) for words in clauses(text) for names in implied(words))


@lru_cache(maxsize=16)
def _spoken_of(known: tuple[Claim, ...]) -> frozenset[str]:
    likings = _likings(known)
    units = (unit for liking in likings for unit, _ in (*liking.value, *liking.kind, *liking.detail))
    return frozenset().union(*units, *(liking.excludes for liking in likings))


# -- the remark ------------------------------------------------------------------------------------------------------


def _remark(text: str) -> _Remark:
    """Take a remark apart, clause by clause."""
    ideas: list[_Idea] = []
    asks: list[str] = []
    turned = False
    for words in clauses(text):
        said = implied(words)
        telling = [any(n[1:] not in _asking() for n in names) for names in said]
        polarities = _polarities(words, telling, said)
        turned = turned or bool(find(words, TURNED))
        if words[0] in _GOING_ON and ideas and ideas[-1].polarity in ("against", "indifferent"):
            polarities = [ideas[-1].polarity] * len(words)
        # "Let's turn those off": what it is against was named before.
        against = [i for i, polarity in enumerate(polarities) if polarity == "against"]
        if against and _POINTING & set(words) and not any(telling[i] for i in against):
            ideas = [replace(idea, polarity="against") for idea in ideas]
            asks = []
        things = [
            *(
                names if telling[i] and word not in _NO_THING else frozenset()
                for i, (word, names) in enumerate(zip(words, said, strict=True))
            ),
            frozenset[str](),
        ]
        ideas += [
            _Idea(names, polarity, things[i + 1])
            for i, (names, polarity) in enumerate(zip(said, polarities, strict=True))
        ]
        wanted = [i for i, polarity in enumerate(polarities) if polarity == "for"]
        if any(telling[i] for i in wanted):
            asks.append(" ".join(words[i] for i in wanted))
    if turned:
        ideas = [replace(idea, polarity="turned") for idea in ideas]
    everything = frozenset(name for idea in ideas for name in idea.names)
    return _Remark(tuple(ideas), everything, "; ".join(asks), bool(find(split_words(text), LASTING)), _proper(text))


@cache
def _asking() -> frozenset[str]:
    return frozenset(terms(" ".join(_ASKING))) | _ASKING


def _polarities(words: Sequence[str], telling: Sequence[bool], meanings: Sequence[frozenset[str]]) -> list[Polarity]:
    """What a clause says of each of its words."""
    if find(words, INDIFFERENT):
        return ["indifferent"] * len(words)
    if find(words, AFTERTHOUGHT):
        return ["against"] * len(words)
    praise = {i for first, past in find(words, PRAISE) for i in range(first, past)}
    starts = [past for first, past in find(words, DISMISS) if first not in praise]
    compared = any(w in ("prefer", "rather") or w.startswith("prioriti") for w in words)
    starts += [i + 1 for i, word in enumerate(words) if word == "than" or (word == "over" and compared)]
    leaves = next((i for i, word in enumerate(words) if word in _LEAVING), None)
    if leaves is not None:
        starts += [
            i + 1 for i, word in enumerate(words) if word == "from" and i > leaves and words[i + 1 : i + 2] != ["now"]
        ]
    taken_out = bool(_TAKING_OUT & set(words))
    out: list[Polarity] = ["for"] * len(words)
    if starts:
        begins = min(starts)
        if not any(telling[begins:]):  # "jazz no more": it speaks of what stands before
            begins = 0
        polarity: Polarity = "against"
        for i in range(begins, len(words)):
            if (words[i] in ("when", "while") or (words[i] == "from" and taken_out)) and any(telling[begins:i]):
                polarity = "aside"
            elif (words[i] == "to" and leaves is not None and leaves < i and any(telling[begins:i])) or (
                i > begins and words[i] == "and" and i + 1 < len(words) and words[i + 1] in _ORDERS
            ):
                polarity = "for"
            out[i] = polarity
    for _, past in find(words, CONCESSION):
        out[past:] = ["indifferent"] * (len(words) - past)
    return ["against" if word.startswith("non-") else polarity for word, polarity in zip(words, out, strict=True)]


#: A clause that begins so goes on with what the one before said.
_GOING_ON = listed("especially particularly including like such mainly особенно")
#: Verbs that take something out of something else, and those that leave one thing for another.
_TAKING_OUT = listed("exclude excluding remove delete drop disable исключи убери")
_LEAVING = listed("change switch move go shift adjust swap")
#: After "and" these begin another request.
_ORDERS = listed("find show use play switch look focus go try just set give choose pick stick take prefer")


def _proper(text: str) -> tuple[frozenset[str], ...]:
    """Meanings of the proper names in a remark: of words with a capital inside a sentence."""
    out = []
    for sentence in re.split(r"[.!?]\s", text[:MAX_CHARS]):
        for word in raw_words(sentence)[1:]:
            if not word[0].isupper() or word == "I" or word[:2] in ("I'", "I’"):
                continue
            (names,) = meanings([fold(word)])
            if names and not any(n[1:] in _formal_stems() for n in names):
                out.append(names)
    return tuple(out)


# -- what is known ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)  # the same for nearly every message of a page
def _likings(known: tuple[Claim, ...]) -> list[_Liking]:
    current = [c for c in known if c.valid_until is None and not c.hidden_why and c.act == "assert"]
    spread = Counter(name for c in current for name in {n for unit in _units(c.scope) for n in unit})
    return [_liking(claim, spread) for claim in current]


def _liking(claim: Claim, spread: Counter[str]) -> _Liking:
    head, _, tail = claim.scope.rpartition(":")
    general = {n for unit in _units(head) for n in unit}
    slot = {n for unit in _units(claim.scope) for n in unit}
    kind = _units(tail)
    said, _, detail = claim.object.partition(" (")
    words = [word.casefold() for word in raw_words(said)]
    named = [word.casefold() for word in raw_words(tail)]
    shun = next((i for i, word in enumerate(named) if word in SHUNNED), None)
    borne = bool(BORNE & set(named)) and {"low", "high"} & set(words)
    stance = next((STANCES[word] for word in words if word in STANCES), None) if kind else None
    of_kind = stance is not None or bool(borne)
    if of_kind and shun is not None:
        kind = _units(" ".join(raw_words(tail)[shun:]))
    accepts: frozenset[Polarity] = frozenset({"for"})
    if borne:
        accepts = frozenset({"against"}) if "low" in words else frozenset({"for", "indifferent"})
    elif stance == 0:
        accepts = frozenset({"indifferent"})
    elif stance == -1:
        accepts = frozenset({"for", "indifferent"}) if shun is not None else frozenset({"against", "indifferent"})
    elif shun is not None or claim.predicate == "dislikes":
        accepts = frozenset({"against"})

    def weigh(units: list[frozenset[str]], own: bool) -> _Units:
        def common(unit: frozenset[str]) -> bool:
            return (
                bool(unit & (general | _heads()))
                or (own and bool(unit & slot))
                or any(spread[n] > (n in slot) for n in unit)
            )

        return tuple((unit, COMMON if common(unit) else 1.0) for unit in units)

    value = weigh(kind if of_kind else _units(said), own=not of_kind)
    means = frozenset(n for unit, _ in value for n in unit)
    return _Liking(
        claim=claim,
        value=value,
        kind=weigh(kind, own=False),
        topic=frozenset(slot),
        accepts=accepts,
        of_kind=of_kind,
        detail=weigh(_units(detail), own=True),
        means=means,
        excludes=frozenset(o for n in means for o in _excluded().get(n, ())) - means,
    )


@lru_cache(maxsize=4096)
def _units(text: str) -> list[frozenset[str]]:
    """Meanings of each word of a value or slot that says something; a phrase counts once.

    A value of nothing but formal words ("the car") keeps them.
    """
    found = [names for words in clauses(text.replace("/", " ").replace(":", ".")) for names in meanings(words) if names]
    telling = [names for names in found if not any(n[1:] in _formal_stems() for n in names)] or found
    return [names for i, names in enumerate(telling) if not i or telling[i - 1] != names]


@cache
def _formal_stems() -> frozenset[str]:
    return frozenset(t for word in FORMAL | SHUNNED | BORNE | STANCES.keys() for t in terms(word))


@cache
def _heads() -> frozenset[str]:
    return frozenset(f"={t}" for word in HEADS for t in terms(word))


# -- the two together ------------------------------------------------------------------------------------------------


def _hits(units: _Units, remark: _Remark) -> tuple[float, float, list[tuple[float, list[_Idea], frozenset[str]]]]:
    """Weight of the words that a remark holds, of all of them, and where it holds them."""
    hits = []
    for unit, weight in units:
        if unit.isdisjoint(remark.said):
            continue
        there = [idea for idea in remark.ideas if idea.names & unit and idea.polarity != "aside"]
        if there:
            hits.append((weight, there, unit))
    return sum(weight for weight, _, _ in hits), sum(weight for _, weight in units), hits


def _named(liking: _Liking, remark: _Remark, at: int) -> _Finding | None:
    """What a remark that names the value says of it."""
    if liking.detail and (kept := _detailed(liking, remark)):
        return kept
    held, whole, hits = _hits(liking.value, remark)
    if not hits or held / whole < NAMED:
        return None
    if held < whole and all(_of_another(idea, liking) for _, ideas, _ in hits for idea in ideas):
        return None
    own = set().union(*(unit for _, _, unit in hits))
    about = sum(1 for idea in remark.ideas if idea.names & liking.topic and not idea.names & own)
    if not about and (all(unit & _LEVELS for _, _, unit in hits) or (liking.of_kind and len(hits) < 2)):
        return None
    most = max(weight for weight, _, _ in hits)
    said = {idea.polarity for weight, ideas, _ in hits if weight == most for idea in ideas}
    polarity: Polarity = next(p for p in ("turned", "against", "indifferent", "for") if p in said)
    score = round(held / whole, 2)
    if polarity in liking.accepts:
        return _Finding(
            liking, Decision("duplicate", liking.claim.id, reason="asked for again", score=score), held, about
        )
    if "indifferent" in liking.accepts and not remark.lasting:
        return None
    why = _WHY[polarity]
    return _Finding(liking, Decision("supersedes", liking.claim.id, "old", at, why, score), held, about)


def _of_another(idea: _Idea, liking: _Liking) -> bool:
    """Whether a word that is part of a value tells of another thing: "Chinese cars" are no Chinese food."""
    return (
        bool(idea.of) and idea.of.isdisjoint(liking.means | liking.topic | _heads()) and not idea.of & liking.excludes
    )


_WHY: Mapping[str, str] = {
    "against": "taken back",
    "indifferent": "does not matter any more",
    "for": "asked for after all",
    "turned": "a mind changed",
}


def _detailed(liking: _Liking, remark: _Remark) -> _Finding | None:
    """A remark that asks for what the value says in brackets ("no (cheapest preferred)")."""
    if not liking.of_kind:
        return None
    held, whole, hits = _hits(liking.detail, remark)
    if not hits or held / whole < NAMED or any(idea.polarity != "for" for _, ideas, _ in hits for idea in ideas):
        return None
    about = sum(1 for idea in remark.ideas if idea.names & liking.topic)
    if not about or all(unit & liking.topic for _, _, unit in hits):
        return None
    return _Finding(liking, Decision("duplicate", liking.claim.id, reason="asked for again", score=0.6), held, about)


@cache
def _excluded() -> Mapping[str, frozenset[str]]:
    out: dict[str, set[str]] = {}
    for row in OPPOSED:
        for name in row:
            out.setdefault(name, set()).update(set(row) - {name})
    return {name: frozenset(others) for name, others in out.items()}


def _opposed(liking: _Liking, remark: _Remark, at: int) -> _Finding | None:
    """A remark on the topic that asks for what excludes the value."""
    others = liking.excludes
    if others.isdisjoint(remark.said) or "for" not in liking.accepts or liking.of_kind or remark.names:
        return None
    asked = [idea for idea in remark.ideas if idea.names & others and idea.polarity == "for"]
    if not asked:
        return None
    topic = liking.topic - liking.means - others
    about = sum(1 for idea in remark.ideas if idea.names & topic and not idea.names & others)
    if not about:
        return None
    words = sorted({n for idea in asked for n in idea.names & others})
    decision = Decision("supersedes", liking.claim.id, "old", at, f"asked for {' '.join(words)} instead", 0.5)
    return _Finding(liking, decision, 0.5, about)


def _dismissed(liking: _Liking, remark: _Remark, at: int) -> _Finding | None:
    """A remark that wants nothing more of the whole matter: "turn off the seat heating", "regardless of the price"."""
    if "indifferent" in liking.accepts or "against" in liking.accepts or not liking.kind:
        return None
    held, whole, hits = _hits(liking.kind, remark)
    if not hits or held / whole < NAMED or max(weight for weight, _, _ in hits) < 1.0:
        return None
    said = {idea.polarity for _, ideas, _ in hits for idea in ideas}
    if "for" in said or not said:
        return None
    decision = Decision("supersedes", liking.claim.id, "old", at, "the whole matter was dismissed", 0.5)
    return _Finding(liking, decision, held * 0.5, len(hits))


def _nearest(found: list[_Finding], likings: Sequence[_Liking], text: str, near: Near | None) -> list[_Finding]:
    """Of several preferences that a remark seems to speak of, those it names best; one, where meaning can tell."""
    if not found:
        return []
    best = max((f.held, f.about) for f in found)
    found = [f for f in found if (f.held, f.about) == best]
    if near is None:
        return found
    if len(found) > 1:
        found = [max(found, key=lambda f: near(text, f.liking.claim.content))]
    if any(f.decision.verdict == "supersedes" for f in found):
        closest = max(near(text, liking.claim.content) for liking in likings)
        found = [f for f in found if near(text, f.liking.claim.content) >= closest - NEARLY]
    return found
