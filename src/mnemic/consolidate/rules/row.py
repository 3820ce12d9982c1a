"""The shape of a rule: a row of data. The tables next door hold nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..claims import Act

#: Whom a row may speak of. ``i``: the speaker; ``we``; ``rel``: "my sister (Anna)"; ``name``: a capitalised name;
#: ``pet``: "my dog"; ``thing``: "the NAS in the hall".
Who = Literal["i", "we", "rel", "name", "thing"]
PERSON: tuple[Who, ...] = ("i", "we", "rel", "name")
ANYONE: tuple[Who, ...] = ("i", "we", "rel", "name", "thing")
THINGS: tuple[Who, ...] = ("we", "name", "thing")


def words(table: str) -> frozenset[str]:
    """A table of words, written as they are."""
    return frozenset(table.split())


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence and the candidate that its row makes of it. A test runs every one."""

    text: str
    object: str
    subject: str = "user"
    scope: str | None = None
    content: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """How one form of words becomes one fact.

    Attributes:
        cue: words one of which a sentence must hold before the pattern is tried; ``*`` at the end: a beginning.
        look: where the cue words are common, a pattern that the sentence must hold besides.
        pattern: on what follows the subject, from its first word on (``subject``: who that may be); where ``subject``
            is empty, on the whole clause. Group ``o`` is the value;
            ``s``: a subject of the row's own; ``k``: the scope; ``old``: what is replaced.
        content: the sentence; ``{S}``, ``{o}`` and other groups are filled in, ``{a/b}`` is a for men and b for women.
        value: which kind of value this is: a key of :data:`~.facts.KINDS`.
        case: Russian: the case of the value (``acc``, ``gen``, ``dat``, ``ins``, ``loc``) or "" for words that stay.
        scope: fixed words, or the name of a group in braces.
        needs: Russian: the case of the subject (``nom``, ``dat``, ``u`` for «у меня», ``acc``).
        keep_time: the time words belong to the value ("the deadline is Friday").
        ahead: time words without a year lie ahead. split: a list of values makes one fact each.
        assistant: also believed from an assistant.
        only_with: ``time``: only where the clause says when; ``range``: only where it says until when; ``since``: only where it says since when. whole: from the clause on to the end of the sentence.
    """

    cue: str
    pattern: str
    predicate: str
    content: str
    examples: tuple[Example, ...]
    subject: tuple[Who, ...] = PERSON
    value: str = "thing"
    case: str = ""
    needs: str = "nom"
    scope: str = ""
    act: Act = "assert"
    object_type: str | None = None
    subject_type: str | None = None
    keep_time: bool = False
    ahead: bool = False
    split: bool = False
    assistant: bool = False
    only_with: str = ""
    look: str = ""
    whole: bool = False
