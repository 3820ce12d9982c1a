"""From rows to hits: the nodes, their rank in each channel, what is shown with them, and the reason in words.

Questions and their answers belong together: a question that is found brings its reply, and answers nothing itself.
"""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..models import THIRD_PARTY, Hit, Node, Routed
from ..store.base import Store
from ..store.columns import Columns
from ..store.documents import CARD, SECTION, labelled
from ..store.graph import Cause
from ..text.routing import LEAST, Rule, asked, score
from .lexical import Floats, Term, positions

#: Rows read to replace those that say the same words, and twice as many each time.
SPARE = 4
MOST_AT_ONCE = 1_000
#: Of so few it is quicker to count what stands above each than to sort.
FEW = 64
STEPS = 40  # messages of a turn that are looked through for its answer
WORTH = 0.35  # share of the question's score that a reply to a mere remark needs
BEST = 2  # replies of one turn that are shown, those that fit the query best


def build(store: Store, rows: Iterable[int], scores: Mapping[int, float], limit: int) -> tuple[list[int], list[Hit]]:
    """The first hits of some rows, best first; the same words again are one hit. Returns their rows beside them."""
    kept: list[int] = []
    hits: list[Hit] = []
    seen: set[str] = set()
    left, size, spare = iter(rows), limit, SPARE
    while page := list(itertools.islice(left, size)):  # many repeats of one text must not starve the answer
        nodes = store.nodes(page)
        for row in page:
            node = nodes.get(row)
            if node is None:
                continue
            same = " ".join(node.content.split()).casefold()
            if same in seen:
                continue
            seen.add(same)
            kept.append(row)
            hits.append(Hit(node, round(scores.get(row, 1.0), 5), {}))
            if len(hits) >= limit:
                return kept, hits
        size, spare = min(spare, MOST_AT_ONCE), 2 * spare
    return kept, hits


def with_ranks(
    hits: Sequence[Hit], places: NDArray[np.int64], channels: Mapping[str, Floats], mask: NDArray[np.bool_]
) -> list[Hit]:
    """Hits with their rank (1 = first) in each channel that found them, and the reason in words."""
    found: list[dict[str, int]] = [{} for _ in hits]
    seen = None if mask.all() else np.flatnonzero(mask)
    for name, values in channels.items():
        mine = values[places] if seen is None else np.where(mask[places], values[places], np.float32(0))
        if not (mine > 0).any():
            continue
        shown = values if seen is None else values[seen]
        if len(hits) <= FEW:
            ranks = [1 + int(np.count_nonzero(shown > value)) for value in mine]
        else:
            better = np.sort(shown)
            ranks = (len(better) - np.searchsorted(better, mine, side="right") + 1).tolist()
        for i in np.flatnonzero(mine > 0):
            found[i][name] = ranks[i]
    return [replace(hit, channels=ranks, why=explain(hit.node, ranks)) for hit, ranks in zip(hits, found, strict=True)]


def with_channel(hits: Sequence[Hit], name: str) -> list[Hit]:
    """Hits of a single channel, in its order."""
    return [replace(hit, channels={name: i}, why=explain(hit.node, {name: i})) for i, hit in enumerate(hits, 1)]


def with_neighbours(
    store: Store,
    hits: Sequence[Hit],
    places: NDArray[np.int64],
    columns: Columns,
    mask: NDArray[np.bool_],
    count: int,
) -> list[Hit]:
    """Hits with the visible messages before and after each in its session."""
    before, after = columns.neighbours()
    around: list[list[int]] = []
    for place in places:
        sides: list[list[int]] = []
        for links in (before, after):
            at, side = int(place), []
            for _ in range(count):
                at = int(links[at])
                if at < 0:
                    break
                if mask[at]:
                    side.append(int(columns.row[at]))
            sides.append(side)
        around.append([*sides[0][::-1], *sides[1]])
    nodes = store.nodes([row for rows in around for row in rows])
    return [
        replace(hit, neighbours=tuple(nodes[row] for row in rows if row in nodes))
        for hit, rows in zip(hits, around, strict=True)
    ]


def with_company(
    store: Store, hits: Sequence[Hit], rows: Sequence[int], columns: Columns,
    beside: Mapping[int, Sequence[int]], newest: Mapping[int, int],
) -> list[Hit]:  # fmt: skip
    """Hits with what is shown with them (by place), and the newest statement on the same matter (by row)."""
    shown = {int(columns.row[place]): [int(columns.row[other]) for other in found] for place, found in beside.items()}
    if not shown and not newest:
        return list(hits)
    nodes = store.nodes(list(dict.fromkeys([row for found in shown.values() for row in found] + [*newest.values()])))
    return [
        replace(
            hit,
            answer=tuple(nodes[other] for other in shown.get(row, ()) if other in nodes),
            newer=nodes.get(newest.get(row, -1)),
        )
        for row, hit in zip(rows, hits, strict=True)
    ]


def explain(node: Node, channels: Mapping[str, int]) -> str:
    """One line in words: when, by whom, and by which channels at which rank."""
    found = ", ".join(f"{name} #{place}" for name, place in sorted(channels.items(), key=lambda item: item[1]))
    who = node.speaker or node.role or node.label
    return f"{node.at.date()} {who}: found by {found or 'its time'}{', cold' if node.cold else ''}"


def echoes(columns: Columns, terms: Sequence[Term]) -> NDArray[np.bool_] | None:
    """Questions that say nothing but words of the query; ``None`` where there are none.

    "When does the ferry leave?" asked once more finds itself: as evidence it is worth nothing.
    """
    asks = columns.asks.astype(bool)
    if not asks.any() or not terms:
        return None
    held = np.bincount(
        np.concatenate([term.places for term in terms]),
        weights=np.concatenate([term.counts for term in terms]),
        minlength=columns.n,
    )
    out: NDArray[np.bool_] = asks & (columns.words > 0) & (held >= columns.words)
    return out if out.any() else None


def turn(columns: Columns, place: int) -> tuple[int, list[int]]:
    """The user's message that a turn began with (−1: none), and the assistant's messages in it."""
    before, after = columns.neighbours()
    user, assistant = columns.code("role", "user"), columns.code("role", "assistant")
    start = place
    for _ in range(STEPS):
        if start < 0 or columns.role[start] == user:
            break
        start = int(before[start])
    else:
        start = -1
    replies: list[int] = []
    at = int(after[start if start >= 0 else place])
    for _ in range(STEPS):
        if at < 0 or columns.role[at] == user:
            break
        if columns.role[at] == assistant:
            replies.append(at)
        at = int(after[at])
    return start, replies


def beside(columns: Columns, mask: NDArray[np.bool_], places: Sequence[int], total: Floats) -> Mapping[int, list[int]]:
    """Place of a hit → places of what is shown with it.

    With a question, the replies that fit best and the last one, which sums up; with a reply, what was asked, and the
    other replies of its turn that fit.
    """
    if "assistant" not in columns.names["role"]:
        return {}
    user, assistant = columns.code("role", "user"), columns.code("role", "assistant")
    out: dict[int, list[int]] = {}
    for place in places:
        if place < 0 or columns.role[place] not in (user, assistant) or not columns.session[place]:
            continue
        asked, replies = turn(columns, place)
        replies = [other for other in replies if mask[other] and other != place]
        best = sorted(replies, key=lambda other: -float(total[other]))[:BEST]
        if columns.role[place] == user:
            worth = columns.asks[place] or (best and total[best[0]] >= WORTH * total[place])
            shown = [*best, replies[-1]] if best and worth else []
        else:
            shown = [asked, *(other for other in best if total[other] >= WORTH * total[place])]
        shown = [other for other in dict.fromkeys(shown) if other >= 0 and mask[other]]
        if shown:
            out[place] = sorted(shown)
    return out


# The causes of hits, for questions that ask why: they get a place right behind the hit that they explain.
# A walk along causal edges from the best hits, through live edges and rows that the filters let pass. Bounded, so that
# an answer to the words of the question is never lost for it: the first hit stays first, and few causes come in.

HEAD = 5  # best hits whose causes are looked for
DEPTH = 4  # steps of a chain of causes
CAUSE_SHARE = 3  # one in so many hits may be a cause that was put there
_SHOWN = 80  # characters of a hit in the reason of its cause


def placed(
    store: Store, columns: Columns, mask: NDArray[np.bool_], rows: Sequence[int], count: int, known_at: int
) -> tuple[list[int], dict[int, Cause]]:
    """Rows in order with the causes of the first ones behind them, and by row what each is the cause of."""
    order = list(rows)
    if count < 2 or not order:
        return order, {}
    head = order[: min(HEAD, count)]

    def visible(row: int) -> bool:
        place = int(columns.index([row])[0])
        return place >= 0 and bool(mask[place])

    with store.snapshot():
        found = store.causes(head, known_at, depth=DEPTH, allowed=visible)
        read = store.derived([cause.row for cause in found]) if found else []
    facts: dict[int, list[int]] = {}
    for episode, fact in read:
        facts.setdefault(episode, []).append(fact)
    known = set(order)
    speaks = {  # a message may be spoken for by a fact that was read from it
        cause.row: next((row for row in (cause.row, *facts.get(cause.row, ())) if row in known), cause.row)
        for cause in found
    }
    out: dict[int, Cause] = {}
    last: dict[int, int] = {}  # hit → the last cause put behind it
    moved = 0
    for cause in found:
        row, effect = speaks[cause.row], speaks.get(cause.effect, cause.effect)
        if effect not in order or row == effect:
            continue
        target = order.index(last.get(effect, effect)) + 1
        at = order.index(row) if row in order else None
        if at is None or at > target:
            if moved >= max(1, count // CAUSE_SHARE):
                continue
            moved += 1
            if at is not None:
                order.pop(at)
            order.insert(target, row)
        if at is None or at >= target:
            last[effect] = row
        out.setdefault(row, replace(cause, row=row, effect=effect))
    return order, out


def told(hits: Sequence[Hit], rows: Sequence[int], found: Mapping[int, Cause]) -> list[Hit]:
    """Hits with what they are said to be the cause of: the graph channel, and the words."""
    if not found:
        return list(hits)
    shown = dict(zip(rows, hits, strict=True))
    out = []
    for row, hit in shown.items():
        cause = found.get(row)
        effect = shown.get(cause.effect) if cause is not None else None
        if cause is None or effect is None:
            out.append(hit)
            continue
        text = " ".join(effect.node.content.split())
        text = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
        quote = f": “{cause.quote}”" if cause.quote else ""
        why = f"{hit.why}; cause of “{text}”{quote} (confidence {cause.confidence:g})"
        graph = min(cause.depth, hit.channels.get("graph", cause.depth))
        out.append(replace(hit, channels={**hit.channels, "graph": graph}, why=why))
    return out


# Reference documents in recall: the place that sections share with what was said, and the cards that a question is for.

#: Sections of one document among the hits, and their part of all hits, as long as other memories answer too.
OF_ONE, SHARE = 3, 0.5
POINTED = 3  # cards that a recall points to
CANDIDATES = 16  # cards whose rules are read for a question: those that hold most of its words


def route(
    store: Store, space: str, question: str, columns: Columns, mask: NDArray[np.bool_], *, limit: int = POINTED
) -> tuple[Routed, ...]:  # fmt: skip
    """The cards that a question is for by their rules, of those that may be seen, best first.

    All words of a rule stand in the text of its card, so the keyword index knows which cards can reach the score at
    all.
    """
    cards, words = labelled(columns, CARD), asked(question)
    if cards is None or not words:
        return ()
    places = np.flatnonzero(cards & mask)
    reach = np.zeros(len(places))
    rarity: dict[str, float] = {}
    for word, holding in zip(words, positions(columns, store.postings(space, words)), strict=True):
        there = np.zeros(columns.n, dtype=bool)
        there[holding] = True
        held = there[places]
        rarity[word] = math.log(1 + (len(places) + 1) / (int(np.count_nonzero(held)) + 1))
        reach += rarity[word] * held
    near = np.flatnonzero(reach >= LEAST * sum(rarity.values()) - 1e-9)
    near = near[np.argsort(-reach[near], kind="stable")][: max(CANDIDATES, 4 * limit)]
    found = []
    for row, id_, origin, title, path, rule in store.card_rules(columns.row[places[near]].tolist()):
        value, reasons = score(Rule.load(json.loads(rule) if rule else {}), rarity)
        if value >= LEAST:
            why = ", ".join(f"{kind} “{phrase}”" for kind, phrase in reasons)
            found.append((-value, row, Routed(id_, title or "", path, value, why, origin in THIRD_PARTY)))
    return tuple(card for _, _, card in sorted(found, key=lambda item: item[:2])[:limit])


def share(columns: Columns, rows: Sequence[int], count: int) -> list[int]:
    """Rows in order, where sections of documents leave room among the first ``count`` for what else answers.

    Those beyond :data:`OF_ONE` of one document, or :data:`SHARE` of all, stand behind the others.
    """
    sections = labelled(columns, SECTION)
    if sections is None:
        return list(rows)
    places = columns.index(rows)
    of = [int(columns.source[place]) if place >= 0 and sections[place] else 0 for place in places]
    seen: Counter[int] = Counter()
    room = max(1, round(count * SHARE))
    first: list[int] = []
    behind: list[int] = []
    others = len(of) - sum(1 for source in of if source)
    for row, source in zip(rows, of, strict=True):
        if len(first) >= count or not source:
            first.append(row)
            continue
        full = seen.total() >= room and others > len(first) - seen.total()
        if seen[source] >= OF_ONE or full:
            behind.append(row)
        else:
            seen[source] += 1
            first.append(row)
    return [*first[:count], *behind, *first[count:]]  # those that made way come next, or fill what nothing else does
