"""What consolidation passes from hand to hand: what was said, what an extractor makes of it, what code decides.

Frozen and inert, like :mod:`mnemic.models`. Times are microseconds since 1970 UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from ..models import THIRD_PARTY, Kind

Act = Literal["assert", "end"]
Verdict = Literal["new", "duplicate", "refines", "supersedes", "coexists", "conflict"]

#: Subject of first-person statements where nobody gave the speaker a name.
USER = "user"


@dataclass(frozen=True, slots=True)
class Said:
    """An episode as an extractor sees it.

    Attributes:
        id: of the episode. text: as stored. at: when it was said. role, speaker: who said it.
        origin, trust: by which channel it came, and how far that is believed.
    """

    id: str
    text: str
    at: int
    role: str | None = "user"
    speaker: str | None = None
    origin: str = "user"
    trust: float = 1.0

    @property
    def third_party(self) -> bool:
        """Whether somebody else speaks: never a statement of the user about themselves."""
        return self.origin in THIRD_PARTY or self.role in ("tool", "system")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One durable thing that an extractor read out of one episode.

    Attributes:
        source: id of the episode. quote: the words it was read from, verbatim in that episode's text.
        content: a sentence that stands alone: third person, names instead of pronouns, the language of the source.
        subject, predicate, scope, object: the slot and its value; ``predicate`` is a row of
            :data:`mnemic.consolidate.slots.SLOTS`, ``scope`` parts slots of one predicate ("favorite" / "colour").
        subject_type, object_type: entity types; ``None`` where the object is no entity.
        act: ``end``: the sentence says that it is no longer so ("I don't work at Acme any more").
        replaces: the value that the sentence itself calls past ("from X to Y", "instead of X"), if any.
        also: further predicates under which what is over ends: whoever no longer uses Kafka has not chosen it either.
        event_time: when it happened or was said. valid_from, valid_until: as far as the *content* says.
        granularity: how exact ``event_time`` is (day, week, month, season, year); ``None``: the time of the message.
        aliases: name → further names of the same entity said here. attributes: further details ("role": "tech lead").
        confidence: 0…1. made_by: extractor and version, with the rule or prompt.
        valence: how it is felt, −1…1; ``None``: the extractor does not say, its sentence is listened to.
    """

    source: str
    quote: str
    content: str
    subject: str
    predicate: str
    object: str
    event_time: int
    scope: str = ""
    kind: Kind = "semantic"
    label: str = "fact"
    subject_type: str = "person"
    object_type: str | None = None
    act: Act = "assert"
    replaces: str | None = None
    also: tuple[str, ...] = ()
    holder: str | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    granularity: str | None = None
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    confidence: float = 0.6
    made_by: str = ""
    valence: float | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """An entity that an episode names: how it is written there, its type, further names, details ("role")."""

    name: str
    type: str
    source: str
    aliases: tuple[str, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extractor made of a page of episodes.

    Attributes:
        candidates, entities: what it found. skipped: reason → count of what was dropped (bad quote, unknown id …).
        failed: ids of episodes that must be tried again. refused: ids that never will be (content policy).
        calls, tokens, seconds: what it cost. note: why the extractor is asked no more in this run, if so.
    """

    candidates: tuple[Candidate, ...] = ()
    entities: tuple[Named, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    note: str = ""


class Extractor(Protocol):
    """The one door: rules, a language model, an agent."""

    name: str

    def extract(self, page: list[Said], names: Mapping[str, str]) -> Extraction:
        """Read durable things out of episodes of one session, in order.

        Args:
            page: the episodes. names: known entity names (alias → type), to tell a name from a word.
        """
        ...


class Judged(Protocol):
    """What a model says of two statements; ``verdict`` is ``None`` where it gave no usable answer."""

    @property
    def verdict(self) -> Verdict | None: ...
    @property
    def reason(self) -> str: ...
    @property
    def made_by(self) -> str: ...
    @property
    def calls(self) -> int: ...
    @property
    def tokens(self) -> int: ...


@runtime_checkable
class Confirming(Protocol):
    """An extractor that can also be asked how two statements relate."""

    def confirm_conflict(self, a: Claim, b: Claim) -> Judged:
        """``a`` is the stored one, ``b`` the new."""
        ...


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact as :func:`mnemic.consolidate.decide.decide` compares it, stored or about to be.

    ``subject`` and ``object`` are canonical here (the entity's id or its folded name where they name one, folded text
    otherwise), so that equal means equal. ``sources``: episode ids. ``hidden_why``: set when it is not offered.
    ``speakers``: those who said it, folded, as far as they have names.
    """

    id: str | None
    content: str
    subject: str
    predicate: str
    object: str
    scope: str = ""
    valid_from: int = 0
    valid_until: int | None = None
    trust: float = 1.0
    confidence: float = 0.6
    origins: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    protected: bool = False
    hidden_why: str | None = None
    act: Act = "assert"
    replaces: str | None = None
    speakers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do about a new claim and one stored fact.

    Attributes:
        verdict: ``duplicate`` (evidence for the stored one), ``refines`` (same, said more exactly: the newer takes its
            place), ``supersedes`` (one ends where the other begins), ``coexists``, ``conflict`` (both stay, open).
        target: id of the stored fact. ends: which of the two is over: the stored ``old`` or the ``new`` one (a note
            that arrives late), ``None`` where neither. at: when it ended. reason: one line for a person.
        score: strength of the signals, 0…1.
    """

    verdict: Verdict
    target: str | None = None
    ends: Literal["old", "new"] | None = None
    at: int | None = None
    reason: str = ""
    score: float = 0.0
