"""What a newer statement does to an older one: the relation of their words, weighed by time, speaker and trust.

For what is written in plain words: ``remember()``, imported lists of facts, a correction. No extractor is asked.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..clock import DAY, MINUTE
from ..compare.relation import Relation, relate
from ..compare.statement import parse
from ..text.names import alias
from .claims import Decision

__all__ = ["Told", "judge"]

#: Two times of one thing within one talk are at odds, unless the second sets the first right in the same breath.
BREATH, ONE_TALK = MINUTE, DAY // 12


@dataclass(frozen=True, slots=True)
class Told:
    """A fact in plain words: when it was said, by whom, by which channel, and how far that is believed."""

    text: str
    at: int
    speaker: str | None = None
    origin: str = "user"
    trust: float = 1.0


def judge(old: Told, new: Told, *, cosine: float | None = None) -> Decision:
    """What a new statement does to an old one.

    Args:
        cosine: closeness of the two texts by an embedder, if one is at hand. It only ever finds paraphrases.

    Returns:
        A decision without a target. ``ends`` follows the times of the statements, not the order of the arguments.
    """
    late = new.at < old.at
    found = relate(*((new.text, old.text) if late else (old.text, new.text)), cosine=cosine)
    one = _one_speaker(old, new)
    if found.kind == "other" or (not one and _of_themselves(old) and _of_themselves(new)):
        return Decision("coexists", reason=found.why if one else "two people, each of themselves")
    if found.kind == "same":
        return Decision("duplicate", reason=found.why, score=1.0)
    if found.kind == "refines":
        return _finer(old, new, found, late, one)
    if not one:
        return Decision("conflict", reason=f"{found.why}; two people say it", score=1.0)
    if found.kind == "conflicts":
        return Decision("conflict", reason=f"{found.why}; nothing says that it changed", score=1.0)
    return _over(old, new, found, late)


def _finer(old: Told, new: Told, found: Relation, late: bool, one: bool) -> Decision:
    if not one:
        return Decision("coexists", reason="two people, one says more", score=1.0)
    newer_says_more = (found.finer == "new") != late
    if not newer_says_more:
        return Decision("duplicate", reason="known more exactly", score=1.0)
    if new.trust < old.trust - 1e-9:
        return Decision("coexists", reason="more exact, but less trusted", score=1.0)
    return Decision("refines", ends="old", at=max(old.at, new.at), reason=found.why, score=1.0)


def _over(old: Told, new: Told, found: Relation, late: bool) -> Decision:
    """Two answers to one question: the later one holds, where it is no less trusted."""
    told = parse(new.text).turn & {"change", "correct", "end", "stop"}
    if new.at == old.at and not told:
        return Decision("conflict", reason=f"{found.why}; at the same time", score=1.0)
    if found.signal == "temporal" and not told and BREATH < abs(new.at - old.at) <= ONE_TALK:
        return Decision("conflict", reason=f"{found.why}; nothing says that it was moved", score=1.0)
    if late and old.trust >= new.trust - 1e-9:
        return Decision("supersedes", ends="new", at=old.at, reason=found.why, score=1.0)
    if not late and new.trust >= old.trust - 1e-9:
        return Decision("supersedes", ends="old", at=new.at, reason=found.why, score=1.0)
    return Decision("conflict", reason=f"{found.why}; less trusted", score=1.0)


def _of_themselves(said: Told) -> bool:
    return parse(said.text).person == "i"


def _one_speaker(a: Told, b: Told) -> bool:
    """Whether nothing says that two different people speak."""
    return a.speaker is None or b.speaker is None or alias(a.speaker) == alias(b.speaker)
