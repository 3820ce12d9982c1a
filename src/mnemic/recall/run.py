"""Recall: plan, channels, fusion, near-duplicates, neighbours, sufficiency, and the reason for every hit."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from datetime import tzinfo

import numpy as np
from numpy.typing import NDArray

from ..clock import Clock
from ..embed import Embedder
from ..errors import InvalidInput
from ..ingest.observe import clean
from ..models import Hit, Node, Plan, Recall
from ..store.columns import Columns
from ..store.sqlite import SqliteStore
from ..text.analyse import terms
from . import lexical, rank
from .filters import Filters
from .plan import Reading, read_query
from .vector import VectorChannel

MAX_LIMIT = 10_000
LEAST_COSINE = 0.25
#: The query asks what the assistant said.
ASKS_ASSISTANT = re.compile(
    r"\b(you|your|assistant|ты|вы|тебе)\b.{0,40}\b(suggest|recommend|told|tell|said|mention|gave|give|provid|list|advis|explain|wrote|"
    r"creat|посовет|сказал|рекоменд|предлож)",
    re.I,
)
#: Characters that only punctuate: a query of nothing else asks for nothing.
PUNCTUATION = frozenset(".,;:!?'\"()[]{}<>«»“”„‘’…—–-/|^ \t\r\n")


class Recaller:
    """Answers queries over one store."""

    def __init__(self, store: SqliteStore, embedder: Embedder | None, clock: Clock, zone: tzinfo) -> None:
        self._store, self._clock, self._zone = store, clock, zone
        self.zone = zone
        self._vector = VectorChannel(store, embedder)

    def recall(self, space: str, query: str, filters: Filters, *, limit: int | None = None, neighbours: int = 0) -> Recall:
        """See :meth:`mnemic.Memory.recall`."""
        if not isinstance(query, str):
            raise InvalidInput("query", f"must be text, not {type(query).__name__}")
        count = 10 if limit is None or limit == "" else limit  # type: ignore[comparison-overlap]
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MAX_LIMIT:
            raise InvalidInput("limit", f"must be a whole number from 1 to {MAX_LIMIT}")
        neighbours = 0 if neighbours is None or neighbours == "" else neighbours  # type: ignore[comparison-overlap]
        if isinstance(neighbours, bool) or not isinstance(neighbours, int) or not 0 <= neighbours <= 20:
            raise InvalidInput("neighbours", "must be a whole number from 0 to 20")
        began = time.perf_counter()
        timings: dict[str, float] = {}

        def lap(name: str) -> None:
            nonlocal began
            now = time.perf_counter()
            timings[name] = round((now - began) * 1000, 3)
            began = now

        query = clean(query)
        now = self._clock.now()
        reading = read_query(query, now, self._zone)
        columns = self._store.columns(space)
        mask = filters.mask(self._store, space, columns, now)
        lap("plan")
        degraded: list[str] = []
        if reading.not_understood:
            degraded.append("time: an expression of time in the query was not understood; name dates with after/before")
        if not columns.n or not query.strip():
            return Recall((), "none", 0.0, tuple(degraded), reading.plan, timings)
        if not reading.plan.terms:
            rows = self._literal(space, query, columns, mask, count)
            lap("literal")
            hits = self._hits(space, rows, {row: {"literal": i + 1} for i, row in enumerate(rows)}, {}, neighbours, columns)
            return Recall(hits, "strong" if hits else "none", 1.0 if hits else 0.0, tuple(degraded), reading.plan, timings)
        window = self._window(reading, columns)
        if reading.only_time and window is not None:
            dated = self._dated(space, columns, reading.plan.terms) & mask
            return self._by_time(space, columns, mask & window, dated, count, neighbours, reading.plan, degraded, timings, lap)
        evidence, why = self._evidence(space, query, reading, columns, mask, lap)
        if why:
            degraded.append(why)
        cosine = evidence.cosine
        scored = rank.score(columns, evidence)
        if window is not None:
            scored.total += np.float32(0.1) * window
        total = np.where(mask & self._grounded(scored, cosine), scored.total, np.float32(-1e9))
        wanted = min(columns.n, count * 2 + 16)
        best = np.argpartition(-total, wanted - 1)[:wanted] if wanted < columns.n else np.arange(columns.n)
        best = best[np.lexsort((-best, -total[best]))]
        best = best[total[best] > np.float32(-1e9)]
        lap("rank")
        rows = [int(r) for r in columns.row[best]]
        ranks = channel_ranks(scored, best, mask, columns)
        score = self._sufficiency(evidence, cosine, best)
        hits = self._hits(space, rows, ranks, dict(zip(rows, total[best].tolist(), strict=True)), neighbours, columns, count)
        lap("fetch")
        verdict = "strong" if score >= 0.5 else "weak" if score >= 0.2 and hits else "none"
        return Recall(hits, verdict, score, tuple(degraded), reading.plan, timings)  # type: ignore[arg-type]

    # -- parts --------------------------------------------------------------------------------------------------------

    def _window(self, reading: Reading, columns: Columns) -> NDArray[np.bool_] | None:
        if reading.plan.after is None or reading.plan.before is None:
            return None
        at = columns.event_time
        return (at >= reading.plan.after) & (at < reading.plan.before)

    def _by_time(
        self, space: str, columns: Columns, mask: NDArray[np.bool_], dated: NDArray[np.bool_], count: int, neighbours: int, plan: Plan,
        degraded: list[str], timings: dict[str, float], lap: object,
    ) -> Recall:  # fmt: skip
        """A query that names nothing but a time: what happened then, in order, and then what mentions that date."""
        happened, mentioned = (
            places[np.argsort(columns.event_time[places], kind="stable")]
            for places in (np.flatnonzero(mask), np.flatnonzero(dated & ~mask))
        )
        happened = happened[: count - min(len(mentioned), count // 2)]
        then, beside = columns.row[happened].tolist(), columns.row[mentioned].tolist()
        rows = (then + beside)[:count]
        ranks = {row: {"time": i + 1} for i, row in enumerate(then)} | {row: {"lexical": i + 1} for i, row in enumerate(beside)}
        hits = self._hits(space, rows, ranks, {}, neighbours, columns)
        return Recall(hits, "strong" if hits else "none", 1.0 if hits else 0.0, tuple(degraded), plan, timings)

    def _dated(self, space: str, columns: Columns, terms: Sequence[str]) -> NDArray[np.bool_]:
        """Rows whose text holds a date as the query writes it (``2026-03-14``, ``14.03.2026``)."""
        out = np.zeros(columns.n, dtype=bool)
        for term in terms:
            if term[0].isdigit() and not term.isalnum():
                out[lexical.positions(columns, self._store.postings(space, term))[0]] = True
        return out

    def _literal(self, space: str, query: str, columns: Columns, mask: NDArray[np.bool_], count: int) -> list[int]:
        """A query without words ("%", "→"): texts that hold it to the letter; of mere punctuation, nothing."""
        text = query.strip()
        if all(c in PUNCTUATION for c in text):
            return []
        rows = self._store.literal(space, text, columns.n)  # the filters come after, so no smaller limit
        places = columns.index(rows)
        return [row for row, place in zip(rows, places, strict=True) if place >= 0 and mask[place]][:count]

    def _evidence(
        self, space: str, query: str, reading: Reading, columns: Columns, mask: NDArray[np.bool_], lap: Callable[[str], None]
    ) -> tuple[rank.Evidence, str | None]:
        """All channels: words with their relatives, meaning, speakers."""
        named, names = speakers(query, columns)
        terms = [t for t in reading.plan.terms if t not in names] or list(reading.plan.terms)
        cosine, why = self._vector.similarities(space, columns, None if mask.all() else mask, query)
        lap("vector")
        related = self._vector.relatives(space, query, terms) if why is None or cosine is not None else {}
        lap("relatives")
        wanted = list(dict.fromkeys([*terms, *(other for found in related.values() for other in found)]))
        known = {term.text: term for term in lexical.match(self._store, space, columns, wanted).terms}
        words = [
            rank.Word(known[t], [(known[other], weight) for other, weight in related.get(t, {}).items() if len(known[other].places)])
            for t in terms
        ]
        lap("lexical")
        return rank.Evidence(words, cosine, named, bool(ASKS_ASSISTANT.search(query))), why

    def _grounded(self, scored: rank.Scored, cosine: NDArray[np.float32] | None) -> NDArray[np.bool_]:
        """Which rows have evidence of their own: a word of the query, beside them at least, or a like meaning."""
        keep = scored.features["lexical"] > 0
        if cosine is not None:
            keep |= cosine >= LEAST_COSINE
        return keep

    def _sufficiency(self, found: rank.Evidence, cosine: NDArray[np.float32] | None, best: NDArray[np.int64]) -> float:
        if not len(best) or not found.words:
            return 0.0
        top = set(best[:3].tolist())
        total = sum(w.term.idf for w in found.words) or 1.0
        covered = sum(w.term.idf for w in found.words if top & set(w.term.places.tolist()))
        share = covered / total
        close = float(cosine[best[:3]].max()) if cosine is not None else share
        return round(min(1.0, max(0.0, 0.6 * share + 0.4 * close)), 4)

    def _hits(
        self,
        space: str,
        rows: Sequence[int],
        ranks: dict[int, dict[str, int]],
        scores: dict[int, float],
        neighbours: int,
        columns: Columns,
        count: int | None = None,
    ) -> tuple[Hit, ...]:
        nodes = self._store.nodes(rows)
        hits: list[Hit] = []
        seen: set[str] = set()
        for row in rows:
            node = nodes.get(row)
            if node is None:
                continue
            same = " ".join(node.content.split()).casefold()
            if same in seen:
                continue  # the same words again: one hit is enough
            seen.add(same)
            channels = ranks.get(row, {})
            hits.append(Hit(node, round(scores.get(row, 1.0), 5), channels, why=explain(node, channels)))
            if count is not None and len(hits) >= count:
                break
        return tuple(self._with_neighbours(hits, neighbours, columns)) if neighbours else tuple(hits)

    def _with_neighbours(self, hits: list[Hit], count: int, columns: Columns) -> list[Hit]:
        from dataclasses import replace

        before, after = columns.neighbours()
        index = {h.node.id: place for h, place in zip(hits, columns.index([r for r in self._rows(hits)]), strict=True)}
        around: dict[str, list[int]] = {}
        for h in hits:
            place = int(index[h.node.id])
            left: list[int] = []
            right: list[int] = []
            for chain, links in ((left, before), (right, after)):
                at = place
                for _ in range(count):
                    at = int(links[at]) if at >= 0 else -1
                    if at < 0:
                        break
                    chain.append(int(columns.row[at]))
            around[h.node.id] = left[::-1] + right
        nodes = self._store.nodes([row for rows in around.values() for row in rows])
        return [replace(h, neighbours=tuple(nodes[r] for r in around[h.node.id] if r in nodes and not nodes[r].hidden_at)) for h in hits]

    def row_numbers(self, space: str, ids: Sequence[str]) -> list[int]:
        """Row numbers of ids, in no order."""
        return list(self._store.rows_of(space, ids).values())

    def _rows(self, hits: Sequence[Hit]) -> list[int]:
        if not hits:
            return []
        known = self._store.rows_of(hits[0].node.space, [h.node.id for h in hits])
        return [known[h.node.id] for h in hits]

    def timeline(self, space: str, filters: Filters, limit: int, offset: int) -> list[Node]:
        """Rows in the order they happened."""
        columns = self._store.columns(space)
        mask = filters.mask(self._store, space, columns, self._clock.now())
        places = np.flatnonzero(mask)
        order = places[np.lexsort((places, columns.event_time[places]))][offset : offset + limit]
        rows = [int(r) for r in columns.row[order]]
        nodes = self._store.nodes(rows)
        return [nodes[row] for row in rows if row in nodes]


def speakers(query: str, columns: Columns) -> tuple[NDArray[np.bool_] | None, set[str]]:
    """Rows spoken by someone whom the query names, and the query terms that are those names."""
    asked = set(terms(query))
    names: set[str] = set()
    codes: list[int] = []
    for code, name in enumerate(columns.names["speaker"]):
        own = set(terms(name)) & asked if name else set()
        if own:
            names |= own
            codes.append(code)
    return (np.isin(columns.speaker, codes), names) if codes else (None, names)


def channel_ranks(
    scored: rank.Scored, best: NDArray[np.int64], mask: NDArray[np.bool_], columns: Columns
) -> dict[int, dict[str, int]]:
    """Rank of each of the best rows in each channel that found it."""
    out: dict[int, dict[str, int]] = {int(columns.row[p]): {} for p in best}
    for name, values in scored.features.items():
        masked = np.where(mask, values, np.float32(0))
        for place in best:
            value = masked[place]
            if value > 0:
                out[int(columns.row[place])][name] = int((masked > value).sum()) + 1
    return out


def explain(node: Node, channels: dict[str, int]) -> str:
    """One line in words: by which channels and at which rank, when and by whom."""
    found = ", ".join(f"{name} #{place}" for name, place in sorted(channels.items(), key=lambda item: item[1]))
    who = node.speaker or node.role or node.label
    return f"{node.at:%Y-%m-%d} {who}: found by {found or 'its time'}"
