"""A block of memory for a prompt: who the user is, what is known, what was said, and why, within a token budget.

Facts have 40 % of it, profiles 25 %, what was said 25 %, reasons 10 %, and where there are
reference documents as much for them as for what was said, all in proportion; what a section does not need falls to the
next one. What is noise is left out line by line; ``None`` when nothing is left.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..clock import to_datetime
from ..lang.pack import union
from ..models import Context, Hit, Node, Recall, Routed
from ..store.documents import SECTION
from ..text.analyse import stop_terms, terms
from ..text.recalled import FOOT, HEAD, SEASON
from ..text.sentences import spans
from ..text.tokens import estimate
from .fence import cut, quoted
from .filters import Filters
from .plan import complexity
from .rank import PAGE
from .run import Recaller

#: Section → (title, the share that it is paid from), in the order of the block.
SECTIONS: Mapping[str, tuple[str, str]] = {
    "user": ("About the user", "entities"),
    "facts": ("What is known", "facts"),
    "entities": ("Who and what", "entities"),
    "events": ("What was said, newest first", "events"),
    "reference": ("From reference documents", "reference"),
    "why": ("Why", "evidence"),
}
#: Those with a share of their own, in the order in which they are paid; the rest goes by rank.
PAID = ("facts", "entities", "reference", "why")
BY_TIME = frozenset({"user", "facts", "events"})  # shown newest first
#: A line of a profile that tells what is over.
BEFORE = re.compile(rf"- (?:{union('recall', 'over')}):")
TALK = 0.2  # from here on a message of the user is small talk, less strictly than a filler by itself (:mod:`..text.lasting`)
COURTESY = 240  # characters: what is longer says something
REMARK = 0.08  # from here on a message of the assistant is a mere remark; "Build failed." (.05) is none
PLAIN = 0.8  # from here on a message is so plainly small talk that a short reply to it is, too
FLOOR = 0.2  # share of the best score below which a hit has nothing to do with the prompt
LINE = 12  # tokens of the shortest line
STATEMENT = 240  # characters of one that are shown there
STANDING = 16  # statements of the user's that a profile is made of where no fact was read
_LONGEST = 600  # characters of one item; the rest is behind its id
_BRIEF = 160  # characters of a reason

Shares = Mapping[str, float]
#: Name of an entity → its profile and the ids of the facts that it shows; ``None`` where nothing is known.
About = Callable[[str], tuple[str, tuple[str, ...]] | None]


@dataclass(frozen=True, slots=True)
class Piece:
    """What is shown or left out as a whole.

    Attributes:
        text: as it is shown, without its day. ids: of the memories in it. day, at: when they are of.
    """

    text: str
    ids: tuple[str, ...]
    day: str = ""
    at: int = 0

    def line(self, *, same_day: bool = False) -> str:
        """As it is shown; of a run of lines of one day only the first names it."""
        if not self.day or (same_day and not self.text.startswith("- []")):
            return self.text
        return self.text.replace("- [", f"- [{self.day}, ", 1).replace(", ]", "]", 1)


@dataclass(slots=True)
class Block:
    """A block as it grows: pieces are taken while there is room, and no memory is shown twice."""

    room: int
    count: Callable[[str], int]
    taken: dict[str, list[Piece]] = field(default_factory=dict)
    items: dict[str, None] = field(default_factory=dict)

    def take(self, key: str, piece: Piece, left: float) -> float:
        """Take a piece into a section if it says something new and fits; returns what is left of the section's tokens."""
        there = self.taken.get(key, [])
        line = piece.line(same_day=key in BY_TIME and any(piece.day == other.day for other in there))
        cost = self.count(f"{line}\n")
        if not there:
            cost += self.count(f"## {SECTIONS[key][0]}\n")
        if self.items.keys() >= set(piece.ids) or cost > min(left, self.room):
            return left
        self.taken.setdefault(key, []).append(piece)
        self.items.update(dict.fromkeys(piece.ids))
        self.room -= cost
        return left - cost

    def fill(
        self, profile: Iterable[Piece], pieces: Mapping[str, Sequence[Piece]], ranked: Iterable[tuple[str, Piece]],
        shares: Shares,
    ) -> None:  # fmt: skip
        """Each section up to its share, then whatever was found, the best first, as long as there is room.

        The profile keeps to its share of the whole: it is there for every prompt, and must not crowd out the answer.
        """
        whole = self.room
        left = whole * shares["entities"] / (sum(shares.values()) or 1.0)
        for piece in profile:
            left = self.take("user", piece, left)
            if left < LINE:
                break
        others = [key for key in PAID if pieces[key]]
        total = sum(shares[SECTIONS[key][1]] for key in (*others, "events")) or 1.0
        spare, whole = 0.0, self.room
        for key in others:
            spare += whole * shares[SECTIONS[key][1]] / total
            for piece in pieces[key]:
                spare = self.take(key, piece, spare)
        for key, piece in ranked:
            self.take(key, piece, self.room)
            if self.room < LINE:
                break

    def text(self) -> list[str]:
        """The sections, in their order."""
        parts = []
        for key in SECTIONS:
            taken = self.taken.get(key, [])
            if key in BY_TIME:
                taken = sorted(taken, key=lambda piece: -piece.at)
            before = [None, *(piece.day for piece in taken)]
            lines = [p.line(same_day=key in BY_TIME and p.day == day) for p, day in zip(taken, before, strict=False)]
            if lines:
                parts.append("\n".join([f"## {SECTIONS[key][0]}", *lines]))
        return parts


def build_context(
    recaller: Recaller,
    space: str,
    prompt: str,
    filters: Filters,
    budget: int | None,
    *,
    count: Callable[[str], int] = estimate,
    about: About | None = None,
) -> Context | None:
    """The block; ``None`` when nothing is relevant.

    Args:
        about: gives the profile of an entity. Not asked where filters are set, which a profile knows nothing of.
    """
    knobs = recaller.knobs
    filters = recaller.apart(space, filters, prompt)
    most = None if budget is not None else int(knobs.sizes[f"{complexity(prompt)}_hits"])
    depth = int(knobs.depth["hits"])
    answer = recaller.recall(space, prompt, filters, limit=min(depth, most or depth), why=False)
    room = budget or int(knobs.sizes[answer.plan.complexity])
    block = Block(room - count(f"{HEAD}\n{FOOT}"), count)
    hits = _worth(recaller, space, prompt, answer)
    profiles = about if filters.plain else None
    if profiles is not None and not recaller.has_facts(space):  # nobody has a profile yet
        profiles = _unknown
    lines = _Lines(recaller, space, filters, answer, hits)
    facts = {
        id(hit): lines.fact(hit)
        for hit in hits[:PAGE]  # those behind them have no right to a share before what answers better
        if hit.node.kind != "episodic" and not _is_section(hit.node)
    }
    pieces: dict[str, list[Piece]] = {
        "facts": list(facts.values()),
        "entities": lines.entities(profiles),
        "reference": [_pointer(card) for card in answer.cards]
        + [lines.section(hit) for hit in hits if _is_section(hit.node)],
        "why": lines.reasons(),
    }
    block.fill(lines.user(profiles), pieces, itertools.islice(lines.ranked(facts), most), knobs.shares)
    if not block.items:
        return None
    parts = block.text()
    season = recaller.season(space, [hit.node.id for hit in hits])
    if season is not None:
        line = f"{SEASON}{cut(quoted(season.topic), _LONGEST // 2)} ({', '.join(map(str, season.years))})"
        if count(line) + 1 <= block.room:
            parts.append(line)
    text = "\n".join([HEAD, *parts, FOOT])
    return Context(text, count(text), tuple(block.items), answer.sufficiency)


def _unknown(name: str) -> None:
    """The profile of anybody where no fact is known."""


def _worth(recaller: Recaller, space: str, prompt: str, answer: Recall) -> list[Hit]:
    """The hits that may have to do with the prompt and say something; none for a prompt that only greets or thanks."""
    if not answer.hits or recaller.empty(prompt):
        return []
    best = max(hit.score for hit in answer.hits)
    return [hit for hit in answer.hits if hit.score >= FLOOR * best and not _echoes(hit.node, answer)]


def telling(recaller: Recaller, space: str, hits: Sequence[Hit]) -> set[str]:
    """Ids of the messages among hits and their replies that say something.

    Of the assistant's, courtesies are left out more strictly, and so is a short reply to small talk: a joke is one.
    """
    short = {
        n.id: n for hit in hits for n in (hit.node, *hit.answer) if n.kind == "episodic" and len(n.content) <= COURTESY
    }
    empty = dict(zip(short, recaller.fillers(space, list(short.values())).tolist(), strict=True))
    idle = {id_ for id_, share in empty.items() if share >= (REMARK if short[id_].role == "assistant" else TALK)}
    idle |= {
        hit.node.id
        for hit in hits
        if hit.node.id in short
        and hit.node.role == "assistant"
        and any(n.role == "user" and empty.get(n.id, 0.0) >= PLAIN for n in hit.answer)
    }
    return {n.id for hit in hits for n in (hit.node, *hit.answer)} - idle


def _echoes(node: Node, answer: Recall) -> bool:
    """Whether a message is the prompt itself: as memory it says nothing."""
    return " ".join(node.content.split()).casefold() == " ".join(answer.plan.query.split()).casefold()


@dataclass(slots=True)
class _Lines:
    """How the memories of one answer are written down."""

    recaller: Recaller
    space: str
    filters: Filters
    answer: Recall
    hits: Sequence[Hit]

    def user(self, about: About | None) -> Iterator[Piece]:
        """The standing profile: what is believed of the user; where no fact was read, his weightiest statements."""
        if about is None:
            return
        best = max((hit.score for hit in self.hits), default=1.0)
        found = {hit.node.id: hit for hit in self.hits}
        fit = {id_: max(0.0, hit.score / best) for id_, hit in found.items()}
        known = about("user")
        if known is not None:
            facts = [
                node for node in self.recaller.memories(self.space, known[1], self.filters) if node.valid_until is None
            ]
            facts.sort(key=lambda node: (-fit.get(node.id, 0.0), -node.importance, -node.event_time))
            yield from (self.fact(found.get(node.id, Hit(node, 0.0, {}))) for node in facts)
            yield from (Piece(quoted(line), (line,)) for line in known[0].splitlines() if BEFORE.match(line))
            return
        first = {hit.node.id for hit in self.hits[:PAGE]}  # these stand under what was said, in order of time
        told = [item for item in self.recaller.standing(self.space, self.filters) if item[1].id not in first]
        told.sort(key=lambda item: -(item[0] / 2 + fit.get(item[1].id, 0.0)))
        for _, node in told[:STANDING]:
            text = cut(" ".join(node.content.split()), STATEMENT)
            yield self._line(node, text, found[node.id].status if node.id in found else "")

    def entities(self, about: About | None) -> list[Piece]:
        """The profiles of those whom the prompt names."""
        if about is None:
            return []
        out = []
        for name in self.answer.plan.entities[: int(self.recaller.knobs.depth["names"])]:
            known = about(name)
            if known is None:
                continue
            facts = self.recaller.memories(self.space, known[1], self.filters)
            if len(facts) < len(known[1]):  # some of it was said just now
                out += [self.fact(Hit(node, 0.0, {})) for node in facts]
            else:
                text = "\n".join(cut(quoted(line), _LONGEST) for line in known[0].splitlines())
                out.append(Piece(text, known[1] or (name,)))
        return out

    def fact(self, hit: Hit) -> Piece:
        """A fact with its date and the reference that ``get`` takes: in the words it was read from where they hold its
        value ("I can't stand jazz, it is loud"), else in its own, with those words behind them where they say more."""
        said = next((e.text for e in hit.evidence if e.text), "")
        if not said and hit.evidence and hit.evidence[0].relation == "derived_from":  # the same in his own words
            said = " ".join(hit.evidence[0].node.content.split())
            said = said if len(said) <= 2 * len(hit.node.content) else ""
        told = set(terms(hit.node.object or hit.node.content)) - stop_terms() - set(terms(hit.node.subject or ""))
        text = said if said and told <= set(terms(said)) else hit.node.content + (f" — “{said}”" if said else "")
        status = hit.status or (f"before: {hit.history[0].content}" if hit.history else "")
        ids = (
            hit.node.id,
            *(e.node.id for e in hit.evidence if said and len(said) >= len(" ".join(e.node.content.split()))),
        )
        source = hit.evidence[0].node if hit.evidence else None
        who = (source.speaker or source.role) if source is not None else ""
        piece = self._line(hit.node, text, status, self.recaller.short_id(self.space, hit.node.id), quoted(who or ""))
        return replace(piece, ids=ids)

    def ranked(self, facts: Mapping[int, Piece]) -> Iterator[tuple[str, Piece]]:
        """Section and line of everything that was found, the best first, without what says nothing; read as it is asked for."""
        for start in range(0, len(self.hits), PAGE):
            page = self.hits[start : start + PAGE]
            told = telling(self.recaller, self.space, page)
            for hit in page:
                if hit.node.kind != "episodic":
                    if not _is_section(hit.node):
                        yield "facts", facts.get(id(hit)) or self.fact(hit)
                    continue
                if hit.node.id in told:
                    yield "events", self._line(hit.node, hit.node.content, hit.status)
                for node in hit.answer:
                    if node.role == "assistant" and node.id in told and not _echoes(node, self.answer):
                        yield "events", self._line(node, node.content)

    def section(self, hit: Hit) -> Piece:
        """A section of a document, with the title of its card."""
        title = str(hit.evidence[0].node.attributes.get("title", "")) if hit.evidence else ""
        return self._line(hit.node, hit.node.content, who=f"“{cut(quoted(title), _BRIEF)}”" if title else "")

    def reasons(self) -> list[Piece]:
        """What is known to be the cause of what was found: "… because …"."""
        out = []
        for hit in self.hits:
            for cause in hit.causes:
                effect, reason = (cut(quoted(node.content), _BRIEF) for node in (hit.node, cause.node))
                out.append(Piece(f"- {effect} — because: {reason}", (f"{hit.node.id} because", cause.node.id)))
        return out

    def _line(self, node: Node, text: str, status: str = "", ref: str = "", who: str | None = None) -> Piece:
        when = to_datetime(node.event_time, self.recaller.zone)
        if who is None:
            who = quoted(node.speaker or node.role or "")
        if node.third_party:
            who = f"{who}, quoted third party" if who else "quoted third party"
        shown = quoted(text)
        if len(shown) > _LONGEST:
            shown = quoted(excerpt(text, self.answer.plan.terms, _LONGEST))
        notes = "".join(f" ({note})" for note in (quoted(status), ref) if note)
        return Piece(f"- [{who}] {shown}{notes}", (node.id,), f"{when:%Y-%m-%d}", node.event_time)


def excerpt(text: str, wanted: Sequence[str], limit: int) -> str:
    """The part of a long text that holds most of the query's words, cut at sentences where that is possible."""
    if len(text) <= limit:
        return text
    asked = set(wanted) - stop_terms()
    sentences = spans(text[:20_000])
    held = [len(asked & set(terms(text[a:b]))) for a, b in sentences]
    best, start = -1.0, 0
    for i, (a, _) in enumerate(sentences):
        inside = sum(n for n, (_, end) in zip(held[i:], sentences[i:], strict=True) if end - a <= limit) or held[i] / 2
        if inside > best:
            best, start = inside, a
    part = text[start : start + limit]
    return ("… " if start else "") + cut(part, limit - 2) + (" …" if start + limit < len(text) else "")


def _is_section(node: Node) -> bool:
    return node.label == SECTION and "mark" in node.attributes


def _pointer(card: Routed) -> Piece:
    """Where to look: the card, its file, and by which words the prompt is for it."""
    whose = "quoted third party, " if card.third_party else ""
    where = f" ({quoted(card.path)})" if card.path else ""
    line = f"- [{whose}card {card.id}] “{cut(quoted(card.title), _BRIEF)}”{where}: {quoted(card.why)}"
    return Piece(line, (card.id,))


__all__ = ["About", "Block", "Piece", "build_context", "excerpt"]
