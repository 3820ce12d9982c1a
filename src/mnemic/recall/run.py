"""Recall: plan, channels, fusion, a second look, near-duplicates, neighbours, sufficiency, and the reason for every
hit."""

from __future__ import annotations

import contextlib
import copy
import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

import numpy as np
from numpy.typing import NDArray

from ..clock import Clock
from ..embed import Embedder
from ..errors import ColdMissing, InvalidInput, MissingExtra, StoreBusy
from ..knobs import RecallKnobs
from ..models import KINDS, Hit, Node, Recall, Routed, Seasonal
from ..store.base import Store
from ..store.columns import Columns
from ..store.graph import Cause
from ..store.rows import short_id
from ..strength import nudge, strength
from ..text.analyse import clean
from ..text.lasting import filler
from . import believed, hits, rank, walks
from .evidence import VectorChannel, gather
from .filters import Filters, whole
from .lexical import Floats, positions
from .plan import Reading, focus, read_query
from .rank import HIDDEN, PAGE, by_channel, grounded, held, keep_firsts
from .seasons import seasonal_near
from .standing import Standing, who_first
from .sufficiency import Verdict, judge

MAX_LIMIT = 10_000
MAX_NEIGHBOURS = 20
LATEST = 4  # messages among which a prompt that was just told is looked for
DEPTHS = {"simple": 2, "complex": 4}  # steps of a walk over what memories have in common
REACHED = 200  # rows that a walk brings in at the most
WALKED = 50_000  # rows of a space from which on a walk over names would cost more than all the rest
EMPTY = 0.8  # from here on a prompt is taken for a mere courtesy
RUNNING = 30 * 60 * 1_000_000  # microseconds after which a session no longer runs
POOL = 20  # hits among which what is over, newer or ordered by a third party finds its place
#: Characters that only punctuate: a query of nothing else asks for nothing.
PUNCTUATION = frozenset(".,;:!?'\"()[]{}<>«»“”„‘’…—–-/|^ \t\r\n")
OF_HIM = 200  # newest facts of the user that are put in that order
NOTHING = Verdict("none", 0.0)
CERTAIN = Verdict("strong", 1.0)


class Recaller:
    """Answers queries over one store."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        clock: Clock,
        zone: tzinfo,
        knobs: RecallKnobs | None = None,
    ) -> None:
        self._store, self._clock = store, clock
        self.zone = zone
        self.knobs = knobs or RecallKnobs()
        self._vector = VectorChannel(store, embedder)
        name = embedder.name if embedder is not None else None
        self._standing = Standing(store, lambda space: self._vector.indexes(space)[0], name)

    def recall(
        self,
        space: str,
        query: str,
        filters: Filters,
        *,
        limit: int | None = None,
        neighbours: int = 0,
        why: bool = True,
    ) -> Recall:
        """See :meth:`mnemic.Memory.recall`; ``why``: with the rank of each hit in each channel, which few readers
        need."""
        try:
            with contextlib.suppress(StoreBusy), self._store.snapshot():
                return self._recall(space, query, filters, limit, neighbours, why)
            with self._store.snapshot():  # a text was thawed or erased after the first one was taken
                return self._recall(space, query, filters, limit, neighbours, why)
        except (ColdMissing, MissingExtra) as error:  # what is hot is answered, and what is not is said
            hot = copy.copy(self)
            hot._store = self._store.hot()
            answer = hot._recall(space, query, filters, limit, neighbours, why, self._store.cold_rows(space))
            return replace(answer, degraded=(f"cold: {error}", *answer.degraded))

    def _recall(
        self, space: str, query: str, filters: Filters, limit: int | None, neighbours: int, why: bool,
        without: Sequence[int] = (),
    ) -> Recall:  # fmt: skip
        if not isinstance(query, str):
            raise InvalidInput("query", f"must be text, not {type(query).__name__}")
        count = whole(limit, "limit", 10, 1, MAX_LIMIT)
        beside = whole(neighbours, "neighbours", 0, 0, MAX_NEIGHBOURS)
        timings: dict[str, float] = {}
        began = time.perf_counter()

        def lap(name: str) -> None:
            nonlocal began
            now = time.perf_counter()
            timings[name] = round((now - began) * 1000, 3)
            began = now

        query = focus(clean(query))
        now = self._clock.now()
        reading = self._read(query, now)
        columns = self._store.columns(space)
        mask = filters.mask(self._store, space, columns, now)
        if without:
            mask = mask & ~np.isin(columns.row, np.array(without, dtype=np.int64))
        cards = hits.route(self._store, space, query, columns, mask)
        mask = filters.without_cards(mask, columns)
        known_at = now if filters.known_at is None else filters.known_at
        lap("plan")
        degraded: list[str] = []
        if reading.not_understood:
            degraded.append("time: an expression of time in the query was not understood; name dates with after/before")
        rows: list[int] = []
        found: list[Hit] = []
        verdict = NOTHING
        first: dict[int, int] = {}
        as_of = now if filters.as_of is None else filters.as_of
        wanted = max(count, POOL)  # what stands where is decided among so many, whatever the limit
        if not columns.n or not query.strip():
            pass
        elif not reading.plan.terms:
            rows, found, verdict = self._literal(space, query, columns, mask, wanted)
        elif reading.about_self and (told := self._of_the_user(space, columns, mask)):
            rows, found = hits.build(self._store, told, {}, wanted)
            found, verdict = hits.with_channel(found, "entity"), CERTAIN
        elif reading.only_time:
            when = filters.happened(mask, columns)
            rows, found, verdict = self._by_time(space, reading, columns, when, count)
        else:
            rows, found, verdict, first = self._ranked(
                space, query, reading, columns, mask, wanted, as_of, known_at, why, degraded, lap
            )
        if beside and found:
            found = hits.with_neighbours(self._store, found, columns.index(rows), columns, mask, beside)
        found = believed.told(
            self._store,
            columns,
            found,
            rows,
            as_of=as_of,
            known_at=known_at,
            zone=self.zone,
            first=first,
            now=not reading.of_a_past(as_of),
            explain=reading.plan.intent == "why" or not why,
        )[:count]
        if not found:  # what answered is forgotten
            verdict = NOTHING
        lap("fetch")
        return Recall(tuple(found), verdict.name, verdict.score, tuple(degraded), reading.plan, timings, cards)

    def route(self, space: str, question: str, limit: int) -> tuple[Routed, ...]:
        """The cards that a question is for by their rules, and why."""
        columns = self._store.columns(space)
        mask = Filters().mask(self._store, space, columns, self._clock.now())
        return hits.route(self._store, space, clean(question), columns, mask, limit=limit)

    def has_facts(self, space: str) -> bool:
        """Whether a space holds anything but messages."""
        return believed.has_facts(self._store.columns(space))

    def season(self, space: str, ids: Sequence[str]) -> Seasonal | None:
        """What comes back at this time of the year and one of the memories is about; the surest, if there is any."""
        found = seasonal_near(self._store, space, self._clock.now(), self.zone, ids)
        return found[0] if found else None

    def cosines(self, text: str, others: Sequence[str]) -> list[float | None]:
        """How near in meaning other texts are to one; ``None`` for each without an embedder."""
        if not others or not self._vector.can_embed:
            return [None] * len(others)
        vectors = self._vector.embed_many([text, *others])
        return [float(vectors[0] @ vector) for vector in vectors[1:]]

    # -- for context blocks ------------------------------------------------------------------------------------------

    def apart(self, space: str, filters: Filters, prompt: str) -> Filters:
        """The filters without the running session: the one named, or the one that the prompt was just told to."""
        if filters.running is not None or filters.session is not None:
            return filters
        columns, now = self._store.columns(space), self._clock.now()
        last = columns.row[max(0, columns.n - LATEST) :].tolist()
        said, answered = " ".join(clean(prompt).split()), set()
        nodes = self._store.nodes(last)
        for node in (nodes[row] for row in reversed(last) if row in nodes):
            waits = node.role == "user" and node.session and node.session not in answered
            if waits and now - RUNNING <= node.event_time <= now and " ".join(node.content.split()) == said:
                return replace(filters, running=node.session)
            answered.add(node.session)
        return filters

    def empty(self, prompt: str) -> bool:
        """Whether a prompt asks for nothing that was said: it greets, thanks, or says "go on"."""
        vectors = None
        if self._vector.can_embed and self._standing.reads:
            with contextlib.suppress(Exception):  # an embedder that is down leaves the words
                vectors = np.array(self._vector.embed_many([prompt]))
        return bool(filler([prompt], vectors)[0] >= EMPTY)

    def fillers(self, space: str, texts: Sequence[str | Node]) -> Floats:
        """How likely nothing is lost without each of some texts or messages, 0…1."""
        return self._standing.filler(space, texts)

    def standing(self, space: str, filters: Filters) -> list[tuple[float, Node]]:
        """What the user said of himself that lasts, the likeliest first."""
        columns, now = self._store.columns(space), self._clock.now()
        found = self._standing.statements(space, columns, filters.mask(self._store, space, columns, now))
        as_of, known_at = (now if moment is None else moment for moment in (filters.as_of, filters.known_at))
        over = believed.over(self._store, columns, [row for _, row, _ in found], as_of, known_at)
        return [(weight, node) for weight, row, node in found if row not in over]

    def memories(self, space: str, ids: Sequence[str], filters: Filters) -> list[Node]:
        """Memories by id, in the order given, without those of the running session or no longer there."""
        rows = self._store.rows_of(space, ids)
        running = set(filters.before_him(self._store, space, self._store.columns(space)))
        nodes = self._store.nodes([row for row in rows.values() if row not in running])
        return [nodes[rows[id_]] for id_ in ids if id_ in rows and rows[id_] in nodes]

    def short_id(self, space: str, id_: str) -> str:
        """The reference by which a block names a memory, and ``get`` finds it: ``#`` and its number in the space."""
        row = self._store.rows_of(space, [id_]).get(id_)
        return "" if row is None else short_id(row)

    # -- the four ways to answer -------------------------------------------------------------------------------------

    def _ranked(
        self, space: str, query: str, reading: Reading, columns: Columns, mask: NDArray[np.bool_], count: int,
        as_of: int, known_at: int, why: bool, degraded: list[str], lap: Callable[[str], None],
    ) -> tuple[list[int], list[Hit], Verdict, dict[int, int]]:  # fmt: skip
        """By all channels: the rows of the hits, the hits, the verdict, and the message that is shown with each
        fact."""
        evidence, missing = gather(self._store, self._vector, space, query, reading, columns, mask, lap)
        if missing:
            degraded.append(missing)
        asks = reading.plan.intent != "general" or "?" in query
        scored = rank.score(columns, evidence, self.knobs.weights)
        allowed = mask & grounded(scored, evidence)
        self._linked(space, query, reading, columns, mask, scored, allowed)
        if evidence.echoes is not None and asks:
            allowed &= ~evidence.echoes  # a question does not answer itself; its reply has its words
        total = np.where(allowed, scored.total, HIDDEN)
        wanted = min(columns.n, max(rank.CANDIDATES, count * 2 + 16))
        best = np.flatnonzero(total >= max(np.partition(total, -wanted)[-wanted], HIDDEN / 2))
        best = best[np.lexsort((-best, -total[best]))][:wanted]
        lap("rank")
        places, scores = self._second_look(space, query, columns, evidence, best, total[best])
        channels = by_channel(scored, self.knobs.weights)
        order = dict(zip(columns.row[places].tolist(), scores.tolist(), strict=True))
        places = keep_firsts(places, channels, allowed, PAGE)
        lap("rerank")
        verdict = judge(evidence, scored, places, allowed)
        rows, first = believed.group(self._store, columns, mask, columns.row[places].tolist(), order, scored.total)
        way = 0 if reading.plan.intent in ("after", "before", "why") else believed.direction(query)
        rows, newest = self._current(way, asks, columns, evidence, scored, rows, order)
        rows = walks.walked(reading, columns, mask, rows)
        if not reading.of_a_past(as_of):
            rows = [*believed.replaced(self._store, columns, mask, rows[:POOL], as_of, known_at), *rows[POOL:]]
        rows = list(dict.fromkeys(rows))
        causes: Mapping[int, Cause] = {}
        if reading.plan.intent == "why":
            rows, causes = hits.placed(self._store, columns, mask, rows, PAGE, known_at)
            for row, cause in causes.items():
                order.setdefault(row, order.get(cause.effect, 0.0))
        rows = hits.share(columns, rows, PAGE)

        def behind() -> Iterator[int]:
            """The rows behind the candidates, the best first: for when repeats of a few texts fill those."""
            others = np.flatnonzero(allowed)
            if len(others) > len(places):
                others = others[np.isin(others, places, invert=True)]
                for place in others[np.argsort(-total[others], kind="stable")]:
                    order[int(columns.row[place])] = min(float(total[place]), float(scores[-1]))
                    yield int(columns.row[place])

        kept, found = hits.build(self._store, itertools.chain(rows, behind()), order, count)
        places = columns.index(kept)
        found = hits.with_ranks(found, places, channels, mask) if why else found
        found = hits.with_company(
            self._store, found, kept, columns, hits.beside(columns, mask, places.tolist(), scored.total), newest
        )
        return kept, hits.told(found, kept, causes), verdict, first

    def _read(self, query: str, now: int) -> Reading:
        """The query read; by example where the embedder is at hand, else by keywords alone."""
        if self._vector.can_embed:
            with contextlib.suppress(Exception):  # an embedder that is down is told of when vectors are compared
                return read_query(query, now, self.zone, self._vector.embed_many)
        return read_query(query, now, self.zone)

    def _linked(
        self, space: str, query: str, reading: Reading, columns: Columns, mask: NDArray[np.bool_], scored: rank.Scored,
        allowed: NDArray[np.bool_],
    ) -> None:  # fmt: skip
        """What is said of the things that the query names, and of what those are linked to, counts as the graph
        does."""
        weight = self.knobs.weights["linked"]
        if not weight or not believed.has_facts(columns) or columns.n > WALKED or reading.plan.intent == "general":
            return
        things = [thing for thing in walks.named(self._store, space, query) if thing.entity is not None]
        if not things:
            return
        derived = mask & (columns.kind != columns.code("kind", "episodic"))
        found = walks.joined(self._store, space, columns, derived, things, DEPTHS[reading.plan.complexity])[:REACHED]
        places = columns.index([one.row for one in found])
        values = np.array([one.score if one.depth > 1 else 0.0 for one in found], dtype=np.float32)
        there = (places >= 0) & (values > 0)
        scored.total[places[there]] += np.float32(weight) * values[there]
        allowed[places[there]] = True

    def _current(
        self, way: int, asks: bool, columns: Columns, evidence: rank.Evidence, scored: rank.Scored, rows: list[int],
        scores: Mapping[int, float],
    ) -> tuple[list[int], dict[int, int]]:  # fmt: skip
        """The rows with the newest of one matter first, and which row has a newer one."""
        pool = np.array(rows[:POOL], dtype=np.int64)
        places = columns.index(pool)
        stated = np.flatnonzero(believed.statements(columns, places))
        if len(stated) < 2 or not way:
            return rows, {}
        head, places = pool[stated], places[stated]
        texts = self._store.search_texts(head)
        if evidence.vectors is not None:
            vectors = evidence.vectors.means(head)
            alike = vectors @ vectors.T
        else:
            alike = believed.by_words(texts)
        words = scored.own[places]
        rises = (
            (words >= believed.WORDS * max(float(words.max()), 1e-6))
            | (believed.changed(texts) & ~believed.derived(columns, places))
            | (way < 0)
        )
        values = np.array([scores.get(int(row), 0.0) for row in pool], dtype=np.float32)
        own = scored.own[places] if evidence.cosine is None else np.maximum(evidence.cosine[places], 0)
        lift, newest = believed.lift(way, columns, places, values[stated], alike, own, rises, asks=asks)
        values[stated] += lift
        order = np.argsort(-values, kind="stable")
        newer = {int(head[old]): int(head[new]) for old, new in newest.items()}
        return [*pool[order].tolist(), *rows[POOL:]], newer

    def _second_look(
        self, space: str, query: str, columns: Columns, evidence: rank.Evidence, best: NDArray[np.int64], scores: Floats
    ) -> tuple[NDArray[np.int64], Floats]:
        """The candidates in their final order, with their final scores."""
        head = best[: rank.CANDIDATES]
        if not len(head):
            return best, scores
        scores = scores.astype(np.float32).copy()
        rows = columns.row[head]
        texts = rank.Texts(len(rows), lambda wanted: self._store.search_texts(rows[wanted]))
        for name, values in rank.small_words(query, texts, held(evidence, head)).items():
            scores[: len(head)] += np.float32(self.knobs.weights[name]) * values
        scores[: len(head)] += np.abs(scores[: len(head)]) * self._fading(columns, head)
        order = np.argsort(-scores[: len(head)], kind="stable")
        head, first = head[order], scores[: len(head)][order]
        if evidence.vectors is not None:
            vectors = evidence.vectors.means(columns.row[head])
            centre = rank.feedback(first, lambda places: vectors[places])
            if len(centre):
                first = first + np.float32(rank.FEEDBACK_WEIGHT) * (vectors @ centre)
                again = np.argsort(-first, kind="stable")
                head, first = head[again], first[again]
        order = rank.diversify(first, columns.session[head])
        return np.concatenate([head[order], best[len(head) :]]), np.concatenate([first[order], scores[len(head) :]])

    def _fading(self, columns: Columns, places: NDArray[np.int64]) -> Floats:
        """By which share strength changes each score, at most 15 %; messages never fade."""
        out = np.zeros(len(places), dtype=np.float32)
        derived = columns.row[places[columns.kind[places] != columns.code("kind", "episodic")]]
        if len(derived):
            now = self._clock.now()
            traces = self._store.fading(derived.tolist(), now)
            factors = nudge(strength(item.trace, now) for item in traces)
            where = {int(row): i for i, row in enumerate(columns.row[places])}
            for item, factor in zip(traces, factors, strict=True):
                out[where[item.row]] = factor - 1
        return out

    def _of_the_user(self, space: str, columns: Columns, mask: NDArray[np.bool_]) -> list[int]:
        """What is known of the user: who he is, other facts, the newest first, then what he said that lasts."""
        facts = mask & Filters(entity="user", kinds=KINDS[1:]).mask(self._store, space, columns, self._clock.now())
        places = np.flatnonzero(facts)
        rows: list[int] = columns.row[places[np.argsort(-columns.event_time[places], kind="stable")]].tolist()
        rows = who_first(rows, self._store.nodes(rows[:OF_HIM]))
        return rows + [row for _, row, _ in self._standing.statements(space, columns, mask)]

    def _by_time(
        self, space: str, reading: Reading, columns: Columns, mask: NDArray[np.bool_], count: int
    ) -> tuple[list[int], list[Hit], Verdict]:
        """A query that names nothing but a time: what happened then, in order, and then what mentions that date."""
        assert reading.plan.after is not None
        assert reading.plan.before is not None
        at = columns.event_time
        then = mask & (at >= reading.plan.after) & (at < reading.plan.before)
        dated = mask & ~then & self._dated(space, columns, reading.plan.terms)
        happened, mentioned = (
            p[np.argsort(at[p], kind="stable")] for p in (np.flatnonzero(then), np.flatnonzero(dated))
        )
        most = count - min(len(mentioned), count // 2)
        rows, first = hits.build(self._store, columns.row[happened].tolist(), {}, most)
        more, second = (
            hits.build(self._store, columns.row[mentioned].tolist(), {}, count - len(first))
            if len(first) < count
            else ([], [])
        )
        found = [*hits.with_channel(first, "time"), *hits.with_channel(second, "lexical")]
        return [*rows, *more], found, CERTAIN if found else NOTHING

    def _dated(self, space: str, columns: Columns, terms: Sequence[str]) -> NDArray[np.bool_]:
        """Rows whose text holds a date as the query writes it (``2026-03-14``, ``14.03.2026``)."""
        out = np.zeros(columns.n, dtype=bool)
        dates = [term for term in terms if term[0].isdigit() and not term.isalnum()]
        for places in positions(columns, self._store.postings(space, dates)):
            out[places] = True
        return out

    def _literal(
        self, space: str, query: str, columns: Columns, mask: NDArray[np.bool_], count: int
    ) -> tuple[list[int], list[Hit], Verdict]:
        """A query without words ("%", "→"): texts that hold it to the letter; of mere punctuation, nothing."""
        text = query.strip()
        if all(c in PUNCTUATION for c in text):
            return [], [], NOTHING
        rows = self._store.literal(space, text, columns.n)  # the filters come after, so no smaller limit
        places = columns.index(rows)
        shown = [row for row, place in zip(rows, places, strict=True) if place >= 0 and mask[place]]
        kept, found = hits.build(self._store, shown, {}, count)
        return kept, hits.with_channel(found, "literal"), CERTAIN if found else NOTHING

    # -- by time and by id -------------------------------------------------------------------------------------------

    def timeline(self, space: str, filters: Filters, limit: int, offset: int) -> list[Node]:
        """Rows in the order they happened."""
        columns = self._store.columns(space)
        mask = filters.mask(self._store, space, columns, self._clock.now())
        places = np.flatnonzero(filters.happened(filters.without_cards(mask, columns), columns))
        order = places[np.lexsort((places, columns.event_time[places]))][offset : offset + limit]
        rows = [int(r) for r in columns.row[order]]
        nodes = self._store.nodes(rows)
        return [nodes[row] for row in rows if row in nodes]
