"""Two plain statements: the same, one more exact, one over, side by side, or at odds.

For what is written without an extractor: ``remember()``, imported lists of facts, the nightly look at close pairs.
Where rules read comparable slots out of both, :func:`~.decide.decide` judges; the texts are compared only where they
do not, and then with caution: whatever is not plainly one of the other cases stands side by side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from ..text.analyse import stop_terms, terms
from ..text.arrangement import parted
from ..text.contradicting import two_things
from ..text.marks import UNITS, marks, may_be_value
from ..text.names import alias
from ..text.particulars import forms_only
from ..text.sameness import apart, first_person, read
from ..text.signals import Contradiction, contradiction, folded, same_thing
from ..text.wording import (
    CHANGE,
    clauses,
    content_stems,
    corrects,
    find,
    listed,
    split_words,
)
from .claims import USER, Candidate, Claim, Decision, Extractor, Said
from .decide import decide
from .restated import Sameness, Text, one_topic, same, take
from .slots import object_key
from .synonyms import one_thing, rounds

__all__ = ["Statement", "judge"]

#: Longest value that may be swapped for another, in words.
_VALUE_WORDS = 5

#: Words of a frame that take many values at once: another value stands beside the first.
MANY = frozenset(
    terms(
        "speak know like love hate enjoy adore dislike have has own read watch play visit visited eat drink want need see met meet"
        " lunch dinner bought buy learn study studied allergic allergy listen collect wrote write use uses using also another too"
        " said says told think thinks contains includes supports depends"
        " говорю знаю люблю нравится обожаю ненавижу есть имею читаю смотрю играю ем пью хочу надо вижу встретил обедал ужинал купил"
        " учу изучаю аллергия слушаю собираю написал использую еще также сказал говорит думаю содержит поддерживает зависит был была"
    )
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact in plain words: when it was said, by whom, by which channel, and how far that is believed."""

    text: str
    at: int
    speaker: str | None = None
    origin: str = "user"
    trust: float = 1.0


def judge(
    old: Statement, new: Statement, *, extractor: Extractor | None = None, cosine: float | None = None
) -> Decision:
    """What a new statement does to an old one.

    Args:
        extractor: reads slots out of the texts; the rules by default.
        cosine: closeness of the two texts by an embedder, if one is at hand. It only ever finds paraphrases; it never
            ends anything.

    Returns:
        A decision without a target. ``ends`` follows the times of the statements, not the order of the arguments.
    """
    left, right = _first_person(old), _first_person(new)
    found = _judged(left, right, extractor or _rules(), cosine)
    if found.verdict in ("coexists", "new"):
        return found
    one, other = read(left.text), read(right.text)
    if found.verdict in ("supersedes", "conflict"):
        return (
            Decision("coexists", reason="what differs tells which thing is meant") if two_things(one, other) else found
        )
    if forms_only(one.arranged.small, other.arranged.small):
        return Decision("coexists", reason="the same words, but in other forms")
    # What says the same more exactly may well give another amount, or say it more firmly.
    why = apart(one, other) if found.verdict == "duplicate" else parted(one.arranged, other.arranged)
    return Decision("coexists", reason=f"much the same words, but other {why}") if why else found


def _judged(left: Statement, right: Statement, extractor: Extractor, cosine: float | None) -> Decision:
    if folded(left.text) == folded(right.text) and _one_speaker(left, right):
        return Decision("duplicate", reason="the same words", score=1.0)
    if _about_themselves(left) and _about_themselves(right) and not _one_speaker(left, right):
        return Decision("coexists", reason="two people, each of themselves")
    by_slot = _by_claims(left, right, extractor)
    if by_slot is not None and by_slot.verdict != "coexists":
        return by_slot
    by_text = _by_text(left, right, cosine)
    # Side by side as slots go: the texts may still be the same said otherwise, or one set the other right.
    if by_slot is None or by_text.verdict in ("duplicate", "refines") or (corrects(right.text) and by_text.ends):
        return by_text
    return by_slot


# -- who speaks ----------------------------------------------------------------------------------------------------


def _first_person(said: Statement) -> Statement:
    """What an agent notes of the user, as the user would say it."""
    return replace(said, text=first_person(said.text))


_ME = listed("i i'm i've my me mine я мне меня мной мой моя мое мои")


def _about_themselves(said: Statement) -> bool:
    return bool(_ME & set(split_words(said.text)[:4])) or _verb_of_mine(said.text)


def _verb_of_mine(text: str) -> bool:
    """Russian leaves the pronoun out: «Живу в Риге»."""
    words = split_words(text)[:2]
    return any(len(w) > 3 and w.endswith(("ю", "аю", "ую", "юсь", "аюсь")) for w in words)


def _one_speaker(a: Statement, b: Statement) -> bool:
    """Whether nothing says that two different people speak."""
    return a.speaker is None or b.speaker is None or alias(a.speaker) == alias(b.speaker)


# -- by slots ------------------------------------------------------------------------------------------------------


@cache
def _rules() -> Extractor:
    from .reader import Rules

    return Rules()


def _by_claims(old: Statement, new: Statement, extractor: Extractor) -> Decision | None:
    """The decision of the slots that both texts fill; ``None`` where they have no slot in common, or the slots say
    less than the texts."""
    before, after = _claims(old, extractor, "old"), _claims(new, extractor, "new")
    stored = [claim for claim, _ in before]
    found = [
        d for claim, value in after for d in decide(_as_written(claim, value, before), stored) if d.verdict != "new"
    ]
    if not found:
        return None
    if not _one_speaker(old, new):
        found = [_unsettled(d) if d.verdict in ("supersedes", "refines") else d for d in found]
    first = min(found, key=lambda d: _WEIGHT[d.verdict])
    if first.verdict == "duplicate" and len(after) > len(before):
        first = Decision("refines", ends="old", at=new.at, reason="the same and more", score=1.0)
    return Decision(first.verdict, None, first.ends, first.at, first.reason, first.score)


def _as_written(claim: Claim, value: str, before: list[tuple[Claim, str]]) -> Claim:
    """The claim with its value as the other text writes it, where both name one thing: Berlin, «Берлине»."""
    for other, known in before:
        if other.predicate == claim.predicate and other.object != claim.object and one_thing(value, known):
            return replace(claim, object=other.object)
    return claim


#: Which decision stands for a pair of texts that says several things: the gravest.
_WEIGHT: Mapping[str, int] = {"supersedes": 0, "conflict": 1, "refines": 2, "duplicate": 3, "coexists": 4, "new": 5}


def _unsettled(decision: Decision) -> Decision:
    return Decision("conflict", decision.target, reason=f"{decision.reason}; two people say it", score=decision.score)


def _claims(said: Statement, extractor: Extractor, id_: str) -> list[tuple[Claim, str]]:
    """What an extractor reads out of a statement, with the values as written."""
    found = extractor.extract([Said(id_, said.text, said.at, speaker=None, origin="user", trust=said.trust)], {})
    return [(_claim(candidate, said, f"{id_}{n}"), candidate.object) for n, candidate in enumerate(found.candidates)]


def _claim(candidate: Candidate, said: Statement, id_: str) -> Claim:
    mine = candidate.subject == USER and said.speaker and said.origin == "user"
    return Claim(
        id=id_,
        content=candidate.content,
        subject=alias(said.speaker) if mine and said.speaker else alias(candidate.subject),
        predicate=candidate.predicate,
        object=object_key(candidate.object),
        scope=alias(candidate.scope),
        valid_from=said.at if candidate.valid_from is None else candidate.valid_from,
        valid_until=candidate.valid_until,
        trust=said.trust,
        confidence=candidate.confidence,
        origins=(said.origin,),
        sources=(id_,),
        act=candidate.act,
        replaces=object_key(candidate.replaces) if candidate.replaces else None,
    )


# -- by words ------------------------------------------------------------------------------------------------------


def _by_text(old: Statement, new: Statement, cosine: float | None) -> Decision:
    a, b = take(old.text), take(new.text)
    swaps = [swap for words in (b.words, *_clauses(new.text)) if (swap := _swapped(a, replace(b, words=words)))]
    found = _contradiction(old.text, new.text)
    again = None if found.signals else same(a, b, None if swaps else cosine)
    if again is not None and one_topic(a, b):
        return _restated(again, old, new)
    if same_thing(old.text, new.text) and (rounds(old.text, new.text) or rounds(new.text, old.text)):
        return _restated("finer" if rounds(old.text, new.text) else "coarser", old, new)
    if a.open or b.open:
        return Decision("coexists", reason="one of them is open yet")
    if _several_numbers(a, b):
        return Decision("coexists", reason="several numbers differ: other things, not other values")
    if found.found:
        why = "; ".join(f"{name}: {words}" for name, words in found.signals.items())
        if a.marks.clocks != b.marks.clocks and not b.changes and not a.changes:
            return Decision("conflict", reason=f"{why}; nothing says that it was moved", score=found.score)
        return _at_odds(old, new, a, b, why, found.score)
    if swaps:
        return _at_odds(old, new, a, b, swaps[0], 1.0)
    if same_thing(old.text, new.text) and (taken := _taken_back(a, b)):
        return _at_odds(old, new, a, b, taken, found.score or 0.5)
    return Decision("coexists", reason="nothing says otherwise", score=found.score)


def _several_numbers(a: Text, b: Text) -> bool:
    """Whether one wording holds other numbers at two places and more ("Crate 1 holds 17", "Crate 2 holds 9")."""
    if len(a.words) != len(b.words):
        return False
    differ = [(x, y) for x, y in zip(a.words, b.words, strict=True) if x != y]
    return len(differ) >= 2 and all(_is_number(x) and _is_number(y) for x, y in differ)


def _clauses(text: str) -> list[tuple[str, ...]]:
    """The clauses of a text of several, without their words of change."""
    found = clauses(text)
    out = []
    for words in found if len(found) > 1 else []:
        form = {i for first, past in find(words, CHANGE) for i in range(first, past)}
        out.append(tuple(word for i, word in enumerate(words) if i not in form))
    return out


def _contradiction(old: str, new: str) -> Contradiction:
    """Signals between the whole texts, or else between the old one and a clause of the new one."""
    whole = contradiction(old, new)
    if whole.found or not same_thing(old, new):
        return whole
    parts = (contradiction(old, " ".join(words)) for words in (clauses(new) if len(clauses(new)) > 1 else []))
    return max((whole, *parts), key=lambda found: found.score)


def _restated(same: Sameness, old: Statement, new: Statement) -> Decision:
    if same == "finer" and new.trust >= old.trust - 1e-9 and _one_speaker(old, new):
        return Decision("refines", ends="old", at=max(old.at, new.at), reason="the same, said more exactly", score=1.0)
    if not _one_speaker(old, new) and same != "equal":
        return Decision("coexists", reason="two people, one says more", score=1.0)
    if same == "finer":
        return Decision("coexists", reason="more exact, but less trusted", score=1.0)
    return Decision("duplicate", reason="the same in other words", score=1.0)


def _at_odds(old: Statement, new: Statement, a: Text, b: Text, why: str, score: float) -> Decision:
    """Two statements that cannot both hold now: which is over, or an open conflict."""
    if a.once or b.once:
        return Decision("coexists", reason=f"{why}; one of them tells of the past", score=score)
    if not _one_speaker(old, new):
        return Decision("conflict", reason=f"{why}; two people say it", score=score)
    newer_wins = new.at > old.at or (new.at == old.at and b.changes and not a.changes)
    older_wins = new.at < old.at or (new.at == old.at and a.changes and not b.changes)
    if newer_wins and new.trust >= old.trust - 1e-9:
        return Decision("supersedes", ends="old", at=new.at, reason=why, score=score)
    if older_wins and old.trust >= new.trust - 1e-9:
        return Decision("supersedes", ends="new", at=old.at, reason=why, score=score)
    return Decision(
        "conflict", reason=f"{why}; {'less trusted' if old.at != new.at else 'at the same time'}", score=score
    )


def _swapped(a: Text, b: Text) -> str:
    """Two sentences of one frame with one value each in the same place, where the frame takes one value."""
    left, right = list(a.words), list(b.words)
    first = 0
    while first < min(len(left), len(right)) and _word(left[first]) == _word(right[first]):
        first += 1
    last = 0
    while last < min(len(left), len(right)) - first and _word(left[-1 - last]) == _word(right[-1 - last]):
        last += 1
    one, other = left[first : len(left) - last], right[first : len(right) - last]
    if not (0 < len(one) <= _VALUE_WORDS and 0 < len(other) <= _VALUE_WORDS):
        return ""
    head, tail = content_stems(left[:first]), content_stems(left[len(left) - last :] if last else [])
    if (
        not head
        or not _one_value(one, a)
        or not _one_value(other, b)
        or _initials(one, other)
        or one_thing(" ".join(one), " ".join(other))
        or bool(a.denied) != bool(b.denied)
    ):
        return ""
    moved = a.changes or b.changes
    left_ids, right_ids = a.marks.identifiers - b.marks.identifiers, b.marks.identifiers - a.marks.identifiers
    if not moved and (left_ids or right_ids) and not all(map(may_be_value, left_ids | right_ids)):
        return ""
    dated = a.marks.dates != b.marks.dates
    if dated and not moved:
        return ""  # of another day, or an appointment nobody is known to have moved
    if set(terms(" ".join(left))) & MANY or set(terms(" ".join(right))) & MANY:
        return ""
    # A value in the middle of the sentence may be part of what it speaks of ("the web container listens").
    if tail and not moved:
        return ""
    before = left[first - 1] if first else ""
    if before in _AT and not moved and len(one) == len(other) == 1 and _is_number(one[0]) and _is_number(other[0]):
        return ""
    return f"{' '.join(one)} / {' '.join(other)}"


#: A bare number after one of these is a time of day.
_AT = frozenset({"at", "в", "к", "с", "до"})


def _is_number(word: str) -> bool:
    return bool(marks(word).numbers)


def _word(word: str) -> str:
    found = terms(word)
    return found[-1] if found else word


_ARTICLES = frozenset({"a", "an", "the"})


def _one_value(words: list[str], text: Text) -> bool:
    """Whether words are one value and no second predicate: one content word, or a name or an amount of several."""
    bare = [word for word in words if word not in _ARTICLES]
    stems = [t for word in bare for t in terms(word)]
    if not bare or any(t in stop_terms() for t in stems):
        return False
    numbers = bare[0][0].isdigit() or _is_number(bare[0])
    return (
        len(bare) == 1
        or (numbers and len(bare) == 2 and bare[1] in UNITS)
        or all(_word(word) in text.capital for word in bare)
    )


def _initials(one: list[str], other: list[str]) -> bool:
    """Whether one is short for the other ("New York City", "NYC")."""
    short, long = sorted((one, other), key=len)
    return len(short) == 1 and len(long) > 1 and short[0] == "".join(word[0] for word in long)


def _taken_back(a: Text, b: Text) -> str:
    """One says that what the other says has changed: it holds the other's content, and a word of change."""
    for stated, changed in ((a, b), (b, a)):
        if not changed.changes or stated.changes:
            continue
        held = stated.stems & changed.stems
        if len(held) >= 2 and len(held) / len(stated.stems) >= 0.66:
            return f"{' '.join(sorted(held))}: said to be otherwise"
    return ""
