"""Facts among the hits: one place for a fact and the message it was read from, what changed since, what belongs to
it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

import numpy as np
from numpy.typing import NDArray

from ..clock import to_datetime
from ..lang.pack import union, words
from ..models import Because, Evidence, Hit, Node
from ..store.base import Store
from ..store.columns import Columns
from ..store.documents import SECTION, labelled
from ..text.analyse import stop_terms, terms
from ..text.instructions import looks_like_instruction
from ..text.sentences import speaking_of
from .lexical import Floats

# What holds now: of statements on one matter by one speaker, the newest stands first.
# A question that names no past asks for what holds now, and the older statement often repeats its words better ("I live
# in Oslo" beside "found my own place! a studio in Lisbon"). So among the first hits a later statement on the same
# matter rises to just above the earlier one. A question that asks for how it was before turns the order round. Two
# texts are on the same matter when they are clearly more alike than the first hits are among themselves; in a memory of
# a few messages relevance says little and time much, so there nearly all that answers counts as one matter. The
# constants were chosen on hand-written dialogues and checked on LoCoMo, BEAM and LongMemEval (docs/adr/0010-what-holds-
# now.md; the ablation is in docs/benchmarks.md).

FIRST = 6  # statements among which a later one may rise
#: Likeness above the mean of the first hits at which two texts begin to count as one matter, by the size of the memory.
FEW, MANY = (60, -0.3), (250, 0.25)
WIDTH = 0.1  # … and how much more makes it certain
LEAST = 0.15  # share of the best score that a statement needs to rise
LEAP = 0.85  # share of the best score that it may leap at the most
ASKING = 12  # content words up to which a text that ends with a question mark is nothing but a question
ABOVE = 0.01  # by so much the later stands above the earlier
ANSWERS = 0.25  # share of the best own answer to the query that it needs besides
WORDS = 0.25  # share of the best match of the query's words, or of their relatives, by which a later one may rise
SURE = 0.45  # likeness from which the older one is said to have a newer one

#: A question about a past: what was, happened or was done. It is answered by relevance alone.
PAST = re.compile(union("recall", "past"), re.I)
#: A question about how it was before it changed: the older statement is the answer.
BEFORE = re.compile(union("recall", "before"), re.I)
#: Words by which people tell that something has changed, as stems of search texts: a later statement that has neither
#: one of these nor a word of the query does not rise ("My boss is Bob" over "My wife is Ann").
CHANGE = frozenset(t for word in words("recall", "change") for t in terms(word))


def direction(query: str) -> int:
    """1: the newest first, −1: the oldest first, 0: neither."""
    if BEFORE.search(query):
        return -1
    return 0 if PAST.search(query) else 1


def statements(columns: Columns, places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which rows state something of their speaker's own: no answers of the assistant, no mere questions."""
    asks = columns.asks[places].astype(bool) & (columns.words[places] <= ASKING)
    out: NDArray[np.bool_] = (columns.role[places] != columns.code("role", "assistant")) & ~asks
    return out


def derived(columns: Columns, places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which rows are facts."""
    out: NDArray[np.bool_] = columns.kind[places] != columns.code("kind", "episodic")
    return out


def lift(
    way: int, columns: Columns, places: NDArray[np.int64], scores: Floats, alike: Floats, answers: Floats,
    rises: NDArray[np.bool_], *, asks: bool,
) -> tuple[Floats, dict[int, int]]:  # fmt: skip
    """What the first statements gain, and which of them has a newer one on its matter.

    Args:
        way: see :func:`direction`. places: of the statements in the columns, best first. scores: theirs.
        alike: likeness of each to each, −1…1, shape (n, n). answers: how far each answers the query by its own words
            and meaning. rises: which may rise: those that have a word of the query, or say that something changed.
            asks: the query is a question; a few words are looked up, and what holds them best comes first.

    Returns:
        (what to add to each score, position of an older statement → of the newest on the same matter).
    """
    n = len(places)
    at, session = columns.event_time[places], columns.session[places]
    told = derived(columns, places)  # facts are the user's words
    voice = np.where(told, columns.code("role", "user"), columns.role[places]).astype(np.int64) * (1 << 32)
    voice += columns.speaker[places]
    pairs = (at[:, None] > at[None, :] if way > 0 else at[:, None] < at[None, :]) & (voice[:, None] == voice[None, :])
    pairs &= (session[:, None] != session[None, :]) | (session[:, None] == 0)
    top = float(scores.max())
    m = min(n, FIRST)
    mean = (float(alike[:m, :m].sum()) - m) / max(1, m * (m - 1))
    (few, low), (many, high) = FEW, MANY
    grown = min(1.0, max(0.0, math.log(max(columns.n, 1) / few) / math.log(many / few)))
    few_say_all = asks & ~(told[:, None] | told[None, :])  # facts are worded alike
    least = np.where(~few_say_all, high, low + (high - low) * grown)
    sure = np.clip((alike - mean - least) / WIDTH, 0, 1) * pairs
    gap = scores[None, :] - scores[:, None]
    leaps = (gap <= LEAP * top) & (scores[:, None] >= LEAST * top)
    leaps &= rises[:, None]
    leaps &= answers[:, None] >= ANSWERS * answers.max(initial=0.0)
    leaps[m:, :] = leaps[:, m:] = False
    gained: Floats = np.where(leaps, sure * np.maximum(gap + ABOVE, 0), 0).max(axis=1).astype(np.float32)
    newest: dict[int, int] = {}
    if way > 0:
        for old in range(n):
            newer = np.flatnonzero(pairs[:, old] & ~told & (alike[:, old] >= max(SURE, mean + high)))
            if len(newer):
                newest[old] = int(newer[np.argmax(at[newer])])
    return gained, newest


def changed(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Which search texts say that something has changed, by :data:`CHANGE`."""
    return np.array([not CHANGE.isdisjoint(text.split()) for text in texts], dtype=bool)


def by_words(texts: Sequence[str]) -> Floats:
    """Likeness of search texts by the words they share (Dice), for memories without vectors; shape (n, n)."""
    held = [set(text.split()) for text in texts]
    out = np.eye(len(held), dtype=np.float32)
    for i, one in enumerate(held):
        for j in range(i):
            out[i, j] = out[j, i] = 2 * len(one & held[j]) / max(1, len(one) + len(held[j]))
    return out


#: A fact takes the place of its message when it answers the question at least this well beside it; else the message
#: speaks for both.
AS_GOOD = 0.5
SOURCE = 0.7  # what the score of its message counts in that of a fact
SHORT = 25  # content words of a message that its fact's evidence shows whole
HEAD = 300  # hits that are looked at
EXPLAINED = 10  # hits whose reasons are looked for
LINKS = 8  # related memories shown of one hit
WHOLE, SENTENCES = (
    300,
    3,
)  # characters of a message that stands beside its fact as a whole, and sentences of a longer one
BRIEF = 120  # characters of what has taken a memory's place


def has_facts(columns: Columns) -> bool:
    """Whether a space holds anything but messages."""
    return columns.names["kind"] not in ([], ["episodic"])


def group(
    store: Store,
    columns: Columns,
    mask: NDArray[np.bool_],
    rows: Sequence[int],
    scores: dict[int, float],
    total: Floats,
) -> tuple[list[int], dict[int, int]]:
    """Rows in order, with one place for a fact and a short message that it was read from: the better place of the two.

    A fact is ranked by its own words and by its messages'. It stands for its message where it answers about as well and
    the message is short, so that the hit shows all of it as evidence; a longer message keeps its own place. No fact is
    dropped, and none takes a message's place that answers much better than it does.

    Args:
        scores: by row; those of facts are brought in line with their messages'. total: of all rows, by place.

    Returns:
        (the rows, fact → the message that is to be shown with it).
    """
    if not has_facts(columns):
        return list(rows), {}
    head = rows[:HEAD]
    episodic = columns.code("kind", "episodic")
    places = columns.index(head)
    section = labelled(columns, SECTION)  # stands for itself, not for its card
    derived = [
        row
        for row, place in zip(head, places, strict=True)
        if columns.kind[place] != episodic and (section is None or not section[place])
    ]
    if not derived:
        return list(rows), {}
    behind = store.evidence(derived)
    messages = [i for i, row in enumerate(head) if row not in derived]
    key: dict[int, float] = {row: float(i) for i, row in enumerate(head)}
    for fact in derived:  # a short text is easily likened to anything: what it was read from has a say
        sources = columns.index([e.row for e in behind.get(fact, ()) if e.relation == "derived_from"])
        if (sources >= 0).any():
            best_source = float(total[sources[sources >= 0]].max())
            scores[fact] = (1 - SOURCE) * scores.get(fact, 0.0) + SOURCE * best_source
            key[fact] = next((i for i in messages if scores.get(head[i], 0.0) <= scores[fact]), len(head)) - 0.5
    head = sorted(head, key=key.__getitem__)
    places = columns.index(head)
    derived.sort(key=head.index)
    rank = {row: i for i, row in enumerate(head)}
    short = {row for row, place in zip(head, places, strict=True) if columns.words[place] <= SHORT}
    place: dict[int, float] = dict(rank)
    spoken: dict[int, int] = {}  # message → the fact that stands for it
    first: dict[int, int] = {}  # fact → the message that is shown with it
    for fact in derived:  # best first: of several facts of one message, the best speaks for it
        said = [e.row for e in behind.get(fact, ()) if e.relation == "derived_from" and e.row in rank]
        fresh = [row for row in said if row not in spoken]
        best = min(fresh, key=rank.__getitem__, default=None)
        if best is None or scores.get(fact, 0.0) < AS_GOOD * scores.get(best, 0.0):
            continue
        place[fact] = min(rank[fact], rank[best] - 0.5)  # right before a message that keeps its own place
        first[fact] = best
        if best in short:  # others that say the same keep their places: each may say more
            spoken[best] = fact
    order = sorted((row for row in head if row not in spoken), key=place.__getitem__)
    return [*order, *rows[HEAD:]], first


def replaced(
    store: Store, columns: Columns, mask: NDArray[np.bool_], rows: Sequence[int], as_of: int, known_at: int
) -> list[int]:
    """The rows, where what has taken the place of something known to be over stands right before it.

    A message whose fact has ended often repeats the question's words, and what replaced it does not: the fact that
    holds now comes in with it, whether it was found or not.
    """
    if not has_facts(columns) or not rows:
        return list(rows)
    newer = _newer(store, rows, as_of, known_at)
    order = list(rows)
    for old in rows:
        for fact, sources in newer.get(old, ()):
            at = order.index(old)
            if any(row in order[:at] for row in (fact, *sources)):
                continue
            there = [row for row in (fact, *sources) if row in order] or _visible(columns, mask, [fact])
            if there:
                order = [row for row in order if row != there[0]]
                order.insert(order.index(old), there[0])
    return order


def over(store: Store, columns: Columns, rows: Sequence[int], as_of: int, known_at: int) -> set[int]:
    """Those of some messages that say what is known to be over."""
    if not has_facts(columns) or not rows:
        return set()
    return set(_newer(store, rows, as_of, known_at))


def _visible(columns: Columns, mask: NDArray[np.bool_], rows: Sequence[int]) -> list[int]:
    return [row for row, place in zip(rows, columns.index(rows), strict=True) if place >= 0 and mask[place]]


def told(
    store: Store, columns: Columns, hits: Sequence[Hit], rows: Sequence[int], *, as_of: int,
    known_at: int, zone: tzinfo, first: Mapping[int, int] | None = None, now: bool = True,
    explain: bool = False,
) -> list[Hit]:  # fmt: skip
    """Hits with their evidence, what they replaced, what has replaced them, what is linked to them, and (``explain``)
    why.

    A message whose fact has since changed stands behind the message that changed it (not where the query asks for a
    past: ``now`` is false); a text of a third party that gives orders stands last.
    """
    if not hits:
        return []
    learned = has_facts(columns)  # messages alone have neither evidence nor successors
    with store.snapshot():
        behind = store.evidence(rows) if learned else {}
        links = store.links(rows, LINKS * len(hits))
        before = {
            row: store.replaced_by(row) for row, hit in zip(rows, hits, strict=True) if hit.node.kind != "episodic"
        }
        newer = _newer(store, rows, as_of, known_at) if learned else {}
        reasons = store.causes(rows[:EXPLAINED], known_at) if explain else []
    asked = (
        {cause.row for cause in reasons}
        | {e.row for found in behind.values() for e in found}
        | {n for chain in before.values() for n in chain}
    )
    asked |= {target for _, target, *_ in links} | {n for found in newer.values() for n, _ in found}
    nodes = store.nodes(sorted(asked))
    out: list[tuple[int, Hit]] = []
    for row, hit in zip(rows, hits, strict=True):
        evidence = tuple(
            Evidence(nodes[e.row], e.quotes, e.relation, sentence(hit.node, nodes[e.row], e.quotes))
            for e in sorted(behind.get(row, ()), key=lambda e: e.row != (first or {}).get(row))
            if e.row in nodes
        )
        related = tuple(
            (relation, nodes[target])
            for source, target, relation, *_ in links
            if source == row and target in nodes and nodes[target].hidden_at is None
        )[:LINKS]
        changed = tuple(nodes[n] for n, _ in newer.get(row, ()) if n in nodes)
        why = hit.why
        if hit.node.third_party:
            why += "; quoted text of a third party"
        if changed:
            why += f"; changed since: {changed[0].at:%Y-%m-%d}"
        history = tuple(nodes[n] for n in before.get(row, ()) if n in nodes)
        because = tuple(
            Because(nodes[c.row], c.confidence, c.quote)
            for c in reasons
            if c.effect == row and c.row in nodes and nodes[c.row].hidden_at is None
        )
        out.append(
            (
                row,
                replace(
                    hit,
                    evidence=evidence,
                    history=history,
                    related=related,
                    superseded_by=changed,
                    why=why,
                    causes=because,
                ),
            )
        )
    ordered = _ordered(out, newer if now else {})
    return [replace(hit, status=status(hit, zone)) for _, hit in ordered]


def status(hit: Hit, zone: tzinfo) -> str:
    """Whether what a hit says still holds, in words; empty where nothing newer is known."""
    if hit.superseded_by:
        new = hit.superseded_by[0]
        since = to_datetime(new.event_time if new.valid_from is None else new.valid_from, zone)
        return f"until {since:%Y-%m-%d}; since then: {_brief(new.content)}"
    if hit.node.valid_until is not None:
        return f"until {to_datetime(hit.node.valid_until, zone):%Y-%m-%d}"
    if hit.newer is not None:
        return f"said before {to_datetime(hit.newer.event_time, zone):%Y-%m-%d}, when: {_brief(hit.newer.content)}"
    return ""


def _brief(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= BRIEF else text[: BRIEF - 1].rstrip() + "…"


def sentence(fact: Node, message: Node, quotes: Sequence[str]) -> str:
    """What a message says beyond the fact that was read from it: its sentence, or all of a short message.

    Empty where it holds no further word: "I live in Oslo." adds nothing to "User lives in Oslo".
    """
    text = " ".join(message.content.split())
    if fact.kind == "episodic":
        return ""
    if len(text) > WHOLE:
        spans = speaking_of(message.content, quotes, fact.object or "", narrow=True)
        text = " ".join(" ".join(message.content[a:b].split()) for a, b in spans[:SENTENCES])
        if len(text) > WHOLE:
            text = text[: WHOLE - 1].rstrip() + "…"
    more = set(terms(text)) - set(terms(fact.content)) - stop_terms()
    return text if more else ""


def _ordered(
    hits: list[tuple[int, Hit]], newer: Mapping[int, Sequence[tuple[int, frozenset[int]]]]
) -> list[tuple[int, Hit]]:
    """What is out of date behind what replaced it, where both are hits; orders of third parties last."""
    for row in [row for row, _ in hits if row in newer]:
        mine = next(i for i, (other, _) in enumerate(hits) if other == row)
        later = [
            i
            for i, (other, _) in enumerate(hits)
            if any(other == fact or other in sources for fact, sources in newer[row])
        ]
        if later and min(later) > mine:
            hits.insert(min(later), hits.pop(mine))
    orders = [item for item in hits if item[1].node.third_party and looks_like_instruction(item[1].node.content)]
    if orders and len(orders) < len(hits):
        return [item for item in hits if item not in orders] + orders
    return hits


def _newer(store: Store, rows: Sequence[int], as_of: int, known_at: int) -> dict[int, list[tuple[int, frozenset[int]]]]:
    """For messages whose facts have ended: (the fact that took its place, the messages behind that one)."""
    with store.snapshot():
        read = store.derived(rows)
        if not read:
            return {}
        stored = store.facts(fact for _, fact in read)
        after = store.successors(row for row, fact in stored.items() if fact.valid_until is not None)
        latest = store.facts(after.values())
        behind = store.evidence(after.values())
    out: dict[int, list[tuple[int, frozenset[int]]]] = {}
    for episode, fact in read:
        new = latest.get(after.get(fact, -1))
        if new is None or new.begins > as_of or new.recorded_at > known_at or new.hidden_at is not None:
            continue
        sources = frozenset(e.row for e in behind.get(new.row, ()))
        if episode not in sources:
            out.setdefault(episode, []).append((new.row, sources))
    return out
