"""Whether two statements that stand side by side cannot both be true, for the nightly look over what is known: pure.

The four signals and their weights are those of :mod:`.signals` (design §7). One signal by itself is a hint, and no weight
of one reaches a finding: many things are closed while other things are open. What makes a hint a finding is that *nothing
else differs*. So sameness of topic counts as a term of its own (:data:`TOPIC`), given where the content of the two is one
set of words once opposites, numbers, dates and negation are taken away (docs/adr/0008).

Nothing is found where the two are about different times, are not both stated as facts (a plan, a wish, a condition), or
where the later one says itself that things have changed.
"""

from __future__ import annotations

import re

from .analyse import terms
from .equivalents import PREPOSITIONS, canonical
from .opposites import table
from .sameness import Reading, one_person
from .signals import WEIGHTS, Contradiction
from .stopwords import STOP_WORDS
from .wording import listed, says_change

__all__ = ["TOPIC", "at_odds", "two_things"]

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
    if _IN_PART.search(a.flat) or _IN_PART.search(b.flat):
        return _NONE  # "not all tests", "nobody but Anna", "not just a colleague": they deny a part only
    left, right, opposed = _apart_from_opposites(a, b)
    if left or right:
        return _NONE  # one has something of its own: another door, another train
    if _two_things(a, b, opposed):
        return _NONE  # the old server and the new one, table 3 and table 4
    signals: dict[str, str] = {}
    if bool(a.denied) != bool(b.denied):
        if opposed:
            return _NONE  # "not open", "closed"
        signals["negation"] = " ".join(sorted(a.denied | b.denied))
    elif len(opposed) == 1:
        signals["antonym"] = " / ".join(opposed[0])
    if _other_amounts(a, b):
        signals["numeric"] = f"{_shown(a)} / {_shown(b)}"
    if a.dates - b.dates and b.dates - a.dates:
        if a.done and not _ONCE & set(a.flat.split()):
            return _NONE  # who was there in March may have been there in May
        signals["temporal"] = f"{' '.join(sorted(a.dates))} / {' '.join(sorted(b.dates))}"
    if len(signals) != 1 or (a.dates != b.dates and "temporal" not in signals):
        return _NONE  # what differs on another day, or for another number, is about two things
    return Contradiction(signals, round(sum(WEIGHTS[name] for name in signals) + TOPIC, 2))


def two_things(a: Reading, b: Reading) -> bool:
    """Whether what differs tells which thing is meant, so that both may be true: the old server and the new one."""
    return _two_things(a, b, _apart_from_opposites(a, b)[2])


def _two_things(a: Reading, b: Reading, opposed: list[tuple[str, str]]) -> bool:
    if _numbered_thing(a) and _numbered_thing(b) and a.amounts != b.amounts:
        return True
    return any(_names_a_thing(a, one) and _names_a_thing(b, other) for one, other in opposed)


#: Negations and exceptions that leave the rest as it is.
_IN_PART = re.compile(
    r"\b(?:not (?:just|only|merely|always|all|every|everyone|everybody|everything|much|many|often|quite|entirely|necessarily|yet)"
    r"|(?:don't|doesn't|didn't|isn't|aren't|do not|does not|did not|is not|are not) (?:\w+ )?(?:just|only|always|all|much|many|often|every|yet)"
    r"|(?:nobody|no one|none|nothing|everyone|everybody|all|every \w+) (?:but|except|besides|apart)|with or without"
    r"|не (?:только|просто|всегда|все|каждый|каждая|каждое|раз|очень|совсем|слишком|часто|много|обязательно)"
    r"|еще не|(?:никто|ничего|никого|все) кроме)\b"
)
#: What happens once: told of two days, one of them is wrong.
_ONCE = listed(
    "born died founded married signed released birthday deadline родился родилась умер умерла основана основан подписан вышел вышла"
)
#: Forms of English verbs that stand behind a subject.
_VERBS = listed(
    "is are was were has have had does do did runs returns holds stands uses costs opens closes starts ends takes works leads goes"
)
_RUSSIAN_VERB = re.compile(r"(?:ть|ться|ти|й|йте|ешь|ет|ут|ют|ит|ат|ят|ем|им|у|ю|л|ла|ло|ли|ся|сь)$")


def _names_a_thing(read: Reading, stem: str) -> bool:
    """Whether a word tells which thing is meant: before a noun ("the old server"), or as the subject ("uploads are")."""
    words = read.flat.split()
    at = next((i for i, word in enumerate(words) if stem in terms(word)), None)
    if at is None or at + 1 == len(words):
        return False
    word, behind = words[at], words[at + 1]
    if not word.isascii():
        subject = at == 0 and not _RUSSIAN_VERB.search(word)
        return subject or bool(_RUSSIAN_ADJECTIVE.search(word) and behind not in PREPOSITIONS)
    if behind in STOP_WORDS or behind in _VERBS or behind in PREPOSITIONS or behind.endswith("ly"):
        return at == 0 and behind in _VERBS
    further = words[at + 2] if at + 2 < len(words) else ""
    return words[at - 1] in _DETERMINERS if at else further in _VERBS


#: Words before an adjective, and not before a verb.
_DETERMINERS = listed(
    "a an the my our your his her its their this that these those no some any every each with in on from of has have"
)
_RUSSIAN_ADJECTIVE = re.compile(r"(?:ый|ий|ой|ая|яя|ое|ее|ые|ие|ого|его|ому|ему|ую|юю|ых|их|ым|им|ыми|ими)$")


def _numbered_thing(read: Reading) -> bool:
    """Whether a sentence begins with a thing and its number, and goes on about it: "Table 3 is reserved", «Вагон 5 пуст»."""
    tokens = read.arranged.small.tokens
    counted = {unit for _, unit in read.amounts} - {""}
    return len(tokens) > 2 and tokens[1][0].isdigit() and not counted and not tokens[0][0].isdigit()


def _apart_from_opposites(a: Reading, b: Reading) -> tuple[set[str], set[str], list[tuple[str, str]]]:
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
    return set(left), set(right), pairs


def _other_amounts(a: Reading, b: Reading) -> bool:
    """Another number of the same unit in the same place; several that differ are several things."""
    one, other = set(a.amounts) - set(b.amounts), set(b.amounts) - set(a.amounts)
    return len(one) == 1 and len(other) == 1 and {unit for _, unit in one} == {unit for _, unit in other}


def _shown(read: Reading) -> str:
    return " ".join(f"{value:g} {unit}".strip() for value, unit in read.amounts)
