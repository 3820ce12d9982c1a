"""What a memory holds and answers with: frozen, slotted, inert. No database, no clock, no I/O.

Times are ``Micros`` with an aware datetime beside them, see :mod:`mnemic.records`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Required, TypedDict

from .records import At, Micros, Record

Kind = Literal["episodic", "semantic", "procedural", "opinion"]
KINDS: tuple[Kind, ...] = ("episodic", "semantic", "procedural", "opinion")
#: What is learned, and not merely said.
FACTS: tuple[Kind, ...] = ("semantic", "procedural", "opinion")
MOST = 1_000_000_000  # bound of counts that callers give
Role = Literal["user", "assistant", "system", "tool"]
ROLES: tuple[Role, ...] = ("user", "assistant", "system", "tool")
Sufficiency = Literal["strong", "weak", "none"]
Ack = Literal["accepted", "stored"]

#: Where a row came from, set by the channel that wrote it, never by its text. The number is its trust, 0…1.
ORIGINS: Mapping[str, float] = {
    "user": 1.0,
    "import": 0.8,
    "assistant": 0.7,
    "tool": 0.5,
    "external": 0.3,
    "unknown": 0.2,
}
#: Channels whose words are somebody else's than the user's and the agent's: quoted, never obeyed.
THIRD_PARTY = frozenset({"tool", "external", "unknown"})


class Message(TypedDict, total=False):
    """One of the messages of ``observe_many``; its fields mean what the arguments of ``observe`` do."""

    text: Required[str]
    role: str
    session: str | None
    at: object
    key: str | None
    origin: str | None
    speaker: str | None
    channel: str
    project: str | None
    tags: Sequence[str] | None
    attributes: Mapping[str, Any] | None


class Filtering(TypedDict, total=False):
    """The fields of :class:`Filter` as keywords; without ``session``, which ``context`` has another use for."""

    kinds: Iterable[str] | str | None
    labels: Iterable[str] | str | None
    roles: Iterable[str] | str | None
    origins: Iterable[str] | str | None
    tags: Iterable[str] | str | None
    entity: str | None
    source: str | None
    when: str | None
    after: object
    before: object
    as_of: object
    known_at: object
    min_trust: float | None
    include_superseded: bool


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories are meant; what is not given (``None``, ``""``) lets everything through.

    Attributes:
        kinds, labels, roles, origins: one of these. tags: all of these. session, entity, source: of this conversation,
            with this name, out of this imported file.
        when: a time expression ("last week", «вчера»); one that is not understood is an error.
        after, before: only what happened from … until (exclusive).
        as_of: what was true then. known_at: what was known then. A plain date means the end of that day.
        min_trust: leave out what came by a less trusted channel, 0…1. include_superseded: also what is no longer true.
    """

    kinds: Iterable[str] | str | None = None
    labels: Iterable[str] | str | None = None
    roles: Iterable[str] | str | None = None
    origins: Iterable[str] | str | None = None
    tags: Iterable[str] | str | None = None
    session: str | None = None
    entity: str | None = None
    source: str | None = None
    when: str | None = None
    after: object = None
    before: object = None
    as_of: object = None
    known_at: object = None
    min_trust: float | None = None
    include_superseded: bool = False


@dataclass(frozen=True, slots=True)
class Node(Record):
    """One memory atom.

    Attributes:
        id: text UUID. space: isolation boundary. kind, label: what sort of atom (see ``docs/concepts.md``).
        content: the text as it was given. key: outside key it was made from.
        session: key of its conversation. role, speaker: who said it.
        origin, trust: the channel it came by and how far that channel is believed, 0…1.
        event_time: when it happened or was said. valid_from/valid_until: while it was true (``None`` = still).
        recorded_at: when the row was written. closed_at: when we learned ``valid_until``.
        hidden_at, hidden_why: since when and why it is no longer offered.
        confidence: how sure we are, 0…1. importance: 0…∞, 1 is ordinary. valence: −1…1.
        stability: days; shape: exponent of the forgetting curve. access_count, last_accessed: useful uses only.
        subject, predicate, object: the slot of a fact. attributes: further JSON. tags: exact labels to filter by.
        made_by: extractor name and version. cold: its text stood in the side file; a useful access brings it back.
    """

    id: str
    space: str
    kind: str
    label: str
    content: str
    event_time: Micros
    recorded_at: Micros
    key: str | None = None
    session: str | None = None
    role: str | None = None
    speaker: str | None = None
    origin: str = "unknown"
    trust: float = 0.2
    valid_from: Micros | None = None
    valid_until: Micros | None = None
    closed_at: Micros | None = None
    hidden_at: Micros | None = None
    hidden_why: str | None = None
    confidence: float = 1.0
    importance: float = 1.0
    valence: float = 0.0
    stability: float | None = None
    shape: float = 0.8
    access_count: int = 0
    last_accessed: Micros | None = None
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    made_by: str | None = None
    project: str | None = None
    cold: bool = False
    acknowledged: str = "stored"

    at = At[datetime]("event_time")
    recorded = At[datetime]("recorded_at")
    since = At[datetime | None]("valid_from")
    until = At[datetime | None]("valid_until")
    closed = At[datetime | None]("closed_at")
    hidden = At[datetime | None]("hidden_at")
    used = At[datetime | None]("last_accessed")

    @property
    def third_party(self) -> bool:
        """Whether these are somebody else's words (a tool's, a page's, an unknown voice's), or were read out of
        them."""
        return self.origin in THIRD_PARTY or self.role in ("tool", "system")


@dataclass(frozen=True, slots=True)
class Edge(Record):
    """A typed link between two nodes (ids). ``name``: what both mention, where the relation is ``mentions``."""

    source: str
    target: str
    relation: str
    weight: float = 1.0
    confidence: float = 1.0
    recorded_at: Micros = 0
    name: str = ""

    recorded = At[datetime]("recorded_at")


@dataclass(frozen=True, slots=True)
class Entity(Record):
    """A person, project, organization, place, concept or tool, with its names.

    ``change`` is the number under which ``undo`` takes back the merge or split that this entity comes from.
    ``profile``: what is known of it now, in a few lines of Markdown; only ``Memory.entity`` fills it in.
    """

    id: str
    space: str
    type: str
    name: str
    aliases: tuple[str, ...] = ()
    mentions: int = 0
    first_seen: Micros | None = None
    last_seen: Micros | None = None
    change: int | None = None
    profile: str | None = None

    first = At[datetime | None]("first_seen")
    last = At[datetime | None]("last_seen")


@dataclass(frozen=True, slots=True)
class Session(Record):
    """One conversation."""

    key: str
    space: str
    channel: str
    started_at: Micros
    last_at: Micros
    messages: int
    completed_at: Micros | None = None
    project: str | None = None

    started = At[datetime]("started_at")
    last = At[datetime]("last_at")
    completed = At[datetime | None]("completed_at")


@dataclass(frozen=True, slots=True)
class Hit(Record):
    """One answer of a recall.

    Attributes:
        node: what was found. score: fused score, comparable inside one recall only.
        channels: rank (1 = first) in each channel that found it.
        neighbours: messages before and after it in its session, in order, when asked for.
        history: earlier versions it replaced, newest first.
        evidence: the messages it was read from, when it is a fact. superseded_by: facts or messages that replaced
            what it says.
        related: memories linked to it by ``link`` (relation, node).
        why: one line that says in words why it is here.
        answer: what the assistant replied, when it is a question; what was asked, when it is a reply.
        newer: the newest statement on the same matter by the same speaker, where there is one: what this one says may
            be over.
        causes: what is known to be the reason for it.
        status: whether it still holds, in words ("until 2026-07-01; since then: …"); empty where nothing newer is
            known.
    """

    node: Node
    score: float
    channels: Mapping[str, int]
    neighbours: tuple[Node, ...] = ()
    history: tuple[Node, ...] = ()
    why: str = ""
    evidence: tuple[Evidence, ...] = ()
    superseded_by: tuple[Node, ...] = ()
    related: tuple[tuple[str, Node], ...] = ()
    answer: tuple[Node, ...] = ()
    newer: Node | None = None
    causes: tuple[Because, ...] = ()
    status: str = ""

    @property
    def text(self) -> str:
        """What a reader should see: the content, the words it was read from where they say more, and its status."""
        said = [f"“{e.text}”" for e in self.evidence if e.text]
        return " ".join([self.node.content, *said[:1], *([f"({self.status})"] if self.status else [])])


@dataclass(frozen=True, slots=True)
class Plan(Record):
    """How a query was read: its terms, language, intent, time window, named entities and size class."""

    query: str
    terms: tuple[str, ...]
    language: str
    intent: str
    complexity: str
    entities: tuple[str, ...] = ()
    after: Micros | None = None
    before: Micros | None = None
    time_text: str | None = None

    start = At[datetime | None]("after")
    end = At[datetime | None]("before")


@dataclass(frozen=True, slots=True)
class Routed(Record):
    """A reference document that answers a question by its routing rule.

    Attributes:
        id: of its card. title, path: of the document; ``path`` is ``None`` for a text that was given as such.
        score: how much of the question the rule holds, 0…1. why: the phrases that hold it, in words.
        third_party: somebody else's document: data, never instructions.
    """

    id: str
    title: str
    path: str | None
    score: float
    why: str
    third_party: bool = False


@dataclass(frozen=True, slots=True)
class Recall(Record):
    """The answer to a query.

    Attributes:
        hits: best first.
        sufficiency: ``strong`` (answer from it), ``weak`` (say that you are not sure), ``none`` (abstain).
        score: the number behind the verdict, 0…1.
        degraded: reasons why a channel could not take part; empty when all did.
        plan: how the query was read. timings: milliseconds by stage.
        cards: reference documents whose rule says that they answer it, best first.
    """

    hits: tuple[Hit, ...]
    sufficiency: Sufficiency
    score: float
    degraded: tuple[str, ...]
    plan: Plan
    timings: Mapping[str, float]
    cards: tuple[Routed, ...] = ()


@dataclass(frozen=True, slots=True)
class Context(Record):
    """A block of memory for a prompt.

    Attributes:
        text: Markdown, quoted data fenced off. tokens: estimated size. items: ids of what it shows, in order.
        sufficiency: as in :class:`Recall`.
    """

    text: str
    tokens: int
    items: tuple[str, ...]
    sufficiency: Sufficiency = "strong"


@dataclass(frozen=True, slots=True)
class ImportCounts(Record):
    """What an import did. ``read == stored + updated + known + sum(skipped)`` always holds.

    Attributes:
        files: files looked at. unchanged: files that cost one ``stat``. read: things found in the rest.
        stored: new episodes. updated: episodes that grew. known: episodes already stored.
        skipped: reason → count. masked: kind of secret → count. errors: file → what went wrong.
        formats: format → files. seconds: wall time. dry_run: nothing was written.
        damaged: the first hundred damaged places, ``file: reason, line``; ``skipped`` counts all of them.
    """

    files: int = 0
    unchanged: int = 0
    read: int = 0
    stored: int = 0
    updated: int = 0
    known: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    masked: Mapping[str, int] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    formats: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    dry_run: bool = False
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConsolidationReport(Record):
    """What a consolidation did.

    Attributes:
        sessions, episodes: read, without those that failed. facts: written. verdicts: decision → count (new, duplicate,
            supersedes, conflict …).
        skipped: reason → count of candidates that were dropped. failed: episodes to be tried again.
        refused: episodes that the model will not read. calls, tokens, seconds: what the extractor cost.
        note: why nothing was done, or no more, if so.
    """

    sessions: int = 0
    episodes: int = 0
    facts: int = 0
    verdicts: Mapping[str, int] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    failed: int = 0
    refused: int = 0
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Evidence(Record):
    """What stands behind a memory: the node it was read from, the words there, and how it counts.

    ``relation`` is ``derived_from`` (it was read from there) or ``supports`` (a less trusted voice says so too).
    ``text``: the sentence of the message, where it says more than what was read from it; only recall fills it in.
    """

    node: Node
    quotes: tuple[str, ...] = ()
    relation: str = "derived_from"
    text: str = ""


@dataclass(frozen=True, slots=True)
class Change(Record):
    """One act on a memory: its number in the log (for ``undo``), when, who, what, and why."""

    no: int
    made_at: Micros
    actor: str
    act: str
    id: str | None = None
    why: str | None = None

    at = At[datetime]("made_at")


@dataclass(frozen=True, slots=True)
class Version(Record):
    """One link of a chain: the memory as it was then, and why the next one took its place (``None``: it is the
    last)."""

    node: Node
    why: str | None = None
    changed_at: Micros | None = None
    actor: str | None = None

    changed = At[datetime | None]("changed_at")


@dataclass(frozen=True, slots=True)
class Because(Record):
    """A memory that is said to be the cause of another, or to have come of it: how sure, and in which words.

    ``quote`` is empty where the link was put by ``link``.
    """

    node: Node
    confidence: float
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Explanation(Record):
    """Why a memory is believed.

    Attributes:
        node: the memory. evidence: where it is known from, oldest first. history: its chain, oldest version first.
        entities: whom and what it names. related: links to other memories (relation, node). changes: who did what,
            when.
        derived: what was read out of it, when it is an episode. causes: why it happened; effects: what came of it.
    """

    node: Node
    evidence: tuple[Evidence, ...] = ()
    history: tuple[Version, ...] = ()
    entities: tuple[Entity, ...] = ()
    related: tuple[tuple[str, Node], ...] = ()
    changes: tuple[Change, ...] = ()
    derived: tuple[Node, ...] = ()
    causes: tuple[Because, ...] = ()
    effects: tuple[Because, ...] = ()


@dataclass(frozen=True, slots=True)
class Diff(Record):
    """What changed in belief between two moments: what came, what ended, what is no longer offered, what was
    altered."""

    added: tuple[Node, ...] = ()
    ended: tuple[Node, ...] = ()
    hidden: tuple[Node, ...] = ()
    changed: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Conflict(Record):
    """Two memories that contradict each other, and neither could be preferred."""

    left: Node
    right: Node
    why: str | None
    found_at: Micros

    found = At[datetime]("found_at")


@dataclass(frozen=True, slots=True)
class Seasonal(Record):
    """Something that comes back every year.

    Attributes:
        topic: its words as they were written last. month: in which most of it was said, 1…12.
        years: in which it was seen. ids: the memories behind it, the newest first.
        first, last: days of the year that it spans, ``"12-05"``; over New Year ``first`` is the later one.
        chance: how likely such a pattern is by accident, 0…1. why: one line for a person.
    """

    topic: str
    month: int
    years: tuple[int, ...]
    ids: tuple[str, ...]
    first: str
    last: str
    chance: float
    why: str


@dataclass(frozen=True, slots=True)
class Act(Record):
    """One thing that the nightly run did, or in a dry run would do.

    Attributes:
        act: ``decayed``, ``duplicate``, ``conflict``, ``profile``, ``causal``, … id: the memory (or entity, session,
            file) it was done to. why: the reason in words. other: the second memory of a pair. change: its number in
            the log, by which ``undo`` takes it back.
    """

    act: str
    id: str
    why: str
    other: str | None = None
    change: int | None = None


@dataclass(frozen=True, slots=True)
class PhaseReport(Record):
    """What one phase of the nightly run did: ``done``, ``stopped`` (to go on next time), ``failed`` or ``skipped``."""

    name: str
    state: Literal["done", "stopped", "failed", "skipped"]
    seconds: float = 0.0
    counts: Mapping[str, int] = field(default_factory=dict)
    acts: tuple[Act, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class SleepReport(Record):
    """What a nightly run did, phase by phase. ``note`` says why nothing was done, if so."""

    phases: tuple[PhaseReport, ...] = ()
    seconds: float = 0.0
    dry_run: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Forecast(Record):
    """A memory that will be hidden at a moment (microseconds UTC) if nobody uses it, and its strength now."""

    node: Node
    falls_at: Micros
    strength: float

    falls = At[datetime]("falls_at")


@dataclass(frozen=True, slots=True)
class Neighbour(Record):
    """A memory reached by a walk over the graph: by which edge, in how many steps. Where a path begins there is no
    edge."""

    node: Node
    edge: Edge | None
    depth: int


@dataclass(frozen=True, slots=True)
class CaughtUp(Record):
    """What was done of the work that was due: texts embedded, messages read, facts found, nights by space.

    ``note`` says why texts still wait where the embedder is out of order.
    """

    embedded: int = 0
    episodes: int = 0
    facts: int = 0
    nights: Mapping[str, SleepReport] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class ArchivedFile(Record):
    """A file as it stands in an archive.

    Attributes:
        path: where it was. sha256, size, mtime_ns, mode: of the original. file: name of its archive in the folder.
        packed: bytes of that. packed_at: when. restored_at: when it was last given back.
    """

    path: str
    sha256: str
    size: int
    mtime_ns: int
    mode: int
    file: str
    packed: int
    packed_at: Micros
    restored_at: Micros | None = None

    at = At[datetime]("packed_at")
    restored = At[datetime | None]("restored_at")


@dataclass(frozen=True, slots=True)
class ArchiveReport(Record):
    """What an archiving of raw logs did.

    Attributes:
        files: packed and removed (in a dry run: what would be). skipped: reason → count. errors: file → what went
            wrong.
        finished: whether it came to the end.
    """

    files: tuple[ArchivedFile, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    finished: bool = True
    dry_run: bool = False

    @property
    def bytes(self) -> int:
        """Of the originals."""
        return sum(file.size for file in self.files)

    @property
    def packed_bytes(self) -> int:
        """Of their archives."""
        return sum(file.packed for file in self.files)


@dataclass(frozen=True, slots=True)
class RestoreReport(Record):
    """What was given back from the archive: paths ``restored``, those that stood ``there`` already, and ``errors``."""

    restored: tuple[str, ...] = ()
    there: tuple[str, ...] = ()
    errors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Card(Record):
    """A reference document as it is kept.

    Attributes:
        id, space, title, importance, origin, trust: as of any memory.
        path: its file; ``None`` for a text that was given as such.
        digest: Markdown: title, telling sentences, headings. made_by: the method or model that wrote it.
        answers: its routing rule: part (title, headings, questions, defined, rare) → phrases.
        sections: how many it has. event_time: when its present version was written, microseconds.
        uses, last_used: useful accesses of it and its sections, and the last one.
        hidden_why: why it is not offered (``file gone``, ``removed`` …), ``None`` when it is.
    """

    id: str
    space: str
    title: str
    path: str | None
    digest: str
    answers: Mapping[str, tuple[str, ...]]
    sections: int
    event_time: Micros
    uses: int = 0
    last_used: Micros | None = None
    importance: float = 1.0
    origin: str = "import"
    trust: float = 0.8
    hidden_why: str | None = None
    made_by: str | None = None

    at = At[datetime]("event_time")
    used = At[datetime | None]("last_used")

    @property
    def third_party(self) -> bool:
        """Whether it is somebody else's document: quoted, never obeyed."""
        return self.origin in THIRD_PARTY


@dataclass(frozen=True, slots=True)
class CardReport(Record):
    """What became of documents: how many were ``added``, had ``changed``, were ``unchanged``, ``moved``, are ``back``
    or ``gone``; ``errors``: file or card → why it could not be kept."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    moved: int = 0
    back: int = 0
    gone: int = 0
    errors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page(Record):
    """A ``MEMORY.md`` as it stands: cards ``shown`` and ``left_out``, its size, and whether it had to be
    ``written``."""

    path: str
    shown: int
    left_out: int
    lines: int
    bytes: int
    written: bool
