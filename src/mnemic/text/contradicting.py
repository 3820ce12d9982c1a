"""Whether two statements that stand side by side cannot both be true, for the nightly look over what is known: pure.

The four signals and their weights are those of :mod:`.signals` (design §7). One signal by itself is a hint, and no weight
of one reaches a finding: many things are closed while other things are open. What makes a hint a finding is that *nothing
else differs*. So sameness of topic counts as a term of its own (:data:`TOPIC`), given where the content of the two is one
set of words once opposites, numbers, dates and negation are taken away (docs/adr/0008).

Nothing is found where the two are about different times, are not both stated as facts (a plan, a wish, a condition), or
where the later one says itself that things have changed.
"""

from __future__ import annotations

from .analyse import terms
from .equivalents import canonical
from .opposites import table
from .sameness import Reading, one_person
from .signals import WEIGHTS, Contradiction
from .wording import says_change

__all__ = ["TOPIC", "at_odds"]

#: Added where the two speak of one thing in the same words, but for what contradicts.
TOPIC = 0.25
#: Kinds of claims that contradict nothing that is so.
_NOT_STATED = frozenset({"open", "condition", "plan", "wish", "past", "question"})
#: Opposites of "always" and "everyone" that negate.
_NEGATING = frozenset(terms("never nobody nothing none никогда никто никому ничего нельзя"))
_NONE = Contradiction({}, 0.0)


def at_odds(newer: str, a: Reading, b: Reading) -> Contradiction:
    """Signals that two statements contradict each other, and how sure that is.

    Args:
        newer: the text of the one that holds since later. a, b: the two, read; they have one :func:`~.sameness.topic`.
    """
    if a.long or b.long or not a.words or not b.words or (a.kinds | b.kinds) & _NOT_STATED or a.done != b.done:
        return _NONE
    if not one_person(a, b) or a.identifiers != b.identifiers or says_change(newer):
        return _NONE
    left, right, opposed = _apart_from_opposites(a, b)
    if left or right:
        return _NONE  # one has something of its own: another door, another train
    signals: dict[str, str] = {}
    if bool(a.denied) != bool(b.denied):
        if opposed:
            return _NONE  # "not open", "closed"
        signals["negation"] = " ".join(sorted(a.denied | b.denied))
    elif len(opposed) == 1:
        signals["antonym"] = opposed[0]
    if _other_amounts(a, b):
        signals["numeric"] = f"{_shown(a)} / {_shown(b)}"
    if a.dates - b.dates and b.dates - a.dates:
        signals["temporal"] = f"{' '.join(sorted(a.dates))} / {' '.join(sorted(b.dates))}"
    if len(signals) != 1 or (a.dates != b.dates and "temporal" not in signals):
        return _NONE  # what differs on another day, or for another number, is about two things
    return Contradiction(signals, round(sum(WEIGHTS[name] for name in signals) + TOPIC, 2))


def _apart_from_opposites(a: Reading, b: Reading) -> tuple[set[str], set[str], list[str]]:
    """What content each has alone without the words that are opposites of each other, and those pairs."""
    opposites, canon = table(), canonical()
    pairs = [
        (one, other)
        for one in sorted(a.stems - b.stems - _NEGATING)
        for other in sorted(opposites.get(one, frozenset()) & (b.stems - a.stems - _NEGATING))
    ]
    gone = {canon.get(stem, stem) for pair in pairs for stem in pair}
    left = a.words.keys() - b.words.keys() - gone
    right = b.words.keys() - a.words.keys() - gone
    return set(left), set(right), [f"{one} / {other}" for one, other in pairs]


def _other_amounts(a: Reading, b: Reading) -> bool:
    """Another number of the same unit in the same place; several that differ are several things."""
    one, other = set(a.amounts) - set(b.amounts), set(b.amounts) - set(a.amounts)
    return len(one) == 1 and len(other) == 1 and {unit for _, unit in one} == {unit for _, unit in other}


def _shown(read: Reading) -> str:
    return " ".join(f"{value:g} {unit}".strip() for value, unit in read.amounts)
