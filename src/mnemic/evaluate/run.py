"""Measure a memory on a data set, through the same doors that users go through."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..clock import SystemClock
from ..config import Config
from ..embed import Cached, Embedder, MemoryCache, resolve
from ..errors import InvalidInput
from ..ingest.observe import prepare
from ..memory import Memory
from ..models import Hit, Node, Recall
from . import metrics
from .datasets import Dataset, Question

DEPTH = 50
MEASURES = ("recall@5", "recall@10", "recall@20", "all@10", "hit@5", "session_recall@5", "ndcg@10", "mrr")


class AskedAt(SystemClock):
    """A clock that stands at the time a question is asked."""

    def __init__(self) -> None:
        self.at: int | None = None

    def now(self) -> int:
        return super().now() if self.at is None else self.at


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, what came back, and how long it took."""

    question: Question
    measures: Mapping[str, float]
    score: float
    milliseconds: float


def fill(memory: Memory, data: Dataset, progress: Callable[[str], None] | None = None) -> int:
    """Store every scope of a data set in a space of its own; returns how many documents could not be (empty texts)."""
    refused = 0
    for number, (scope, documents) in enumerate(data.scopes.items(), 1):
        last = 0
        for start in range(0, len(documents), 500):
            nodes = []
            for d in documents[start : start + 500]:
                last = d.at if d.at is not None else last
                try:
                    node = prepare(
                        d.text, now=last, zone=memory._zone, role=d.role, speaker=d.speaker, session=d.session,
                        channel="import:benchmark", key=d.id, origin="import",
                    )  # fmt: skip
                except InvalidInput:
                    refused += 1
                    continue
                node.grows = True  # a haystack may hold a document twice
                nodes.append(node)
            memory._store.run(lambda tx, scope=scope, nodes=nodes: tx.add(scope, nodes))  # type: ignore[misc]
        if progress:
            progress(
                f"stored {number}/{len(data.scopes)} scopes"
                + (f", {refused} empty documents left out" if refused else "")
            )
    return refused


@contextmanager
def filled(
    data: Dataset,
    embedder: str | Embedder | None = "auto",
    progress: Callable[[str], None] | None = None,
    *,
    path: str = ":memory:",
) -> Iterator[tuple[Memory, AskedAt]]:
    """A memory that holds a data set, every scope in a space of its own, and the clock to set before each question.

    Args:
        path: where it is kept; a file that is there already is gone on with, so that embedding can be stopped and
            resumed.
    """
    clock = AskedAt()
    found = resolve(embedder)
    cached = Cached(found, MemoryCache(200_000)) if found is not None else None  # haystacks share their texts
    with Memory(path, embedder=cached, config=Config(background=False, mask_secrets=False), clock=clock) as memory:
        if not memory.status(space=next(iter(data.scopes), None))["memories"]:
            # All of it is known to whoever asks, also what the data dates some hours after the question.
            dated = (d.at for documents in data.scopes.values() for d in documents if d.at is not None)
            clock.at = min(dated, default=None)
            fill(memory, data, progress)
            clock.at = None
        memory.flush(lambda n: progress(f"embedded {n}") if progress else None)
        yield memory, clock


def ask(memory: Memory, clock: AskedAt, data: Dataset, progress: Callable[[str], None] | None = None) -> list[Asked]:
    """Ask every question of a data set at the time it was asked."""
    sessions = {scope: _session_order(documents) for scope, documents in data.scopes.items()}
    asked: list[Asked] = []
    for number, question in enumerate(data.questions, 1):
        clock.at = question.at
        began = time.perf_counter()
        answer = memory.recall(question.text, limit=200 if question.before_session else DEPTH, space=question.scope)
        took = (time.perf_counter() - began) * 1000
        asked.append(Asked(question, measure(question, answer, sessions[question.scope]), answer.score, took))
        if progress and number % 50 == 0:
            progress(f"asked {number}/{len(data.questions)}")
    return asked


def evaluate(
    data: Dataset,
    *,
    embedder: str | Embedder | None = "auto",
    progress: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Store a data set, ask its questions, and report in the form of docs/benchmarks.md."""
    with filled(data, embedder, progress) as (memory, clock):
        asked = ask(memory, clock, data, progress)
        name = memory.embedder
    return report(data, asked, {"embedder": name})


def _session_order(documents: list[Any]) -> dict[str, int]:
    return {session: i for i, session in enumerate(dict.fromkeys(d.session for d in documents))}


def measure(question: Question, answer: Recall, order: Mapping[str, int]) -> Mapping[str, float]:
    """Measures of one answer; empty for a question that should find nothing."""
    if question.abstain or not question.evidence:
        return {}
    hits = answer.hits
    if question.before_session is not None:
        limit = order.get(question.before_session)
        if limit is not None:
            hits = tuple(h for h in hits if order.get(h.node.session or "", 0) < limit)
    ids = list(dict.fromkeys(node.key or "" for h in hits for node in _said(h)))
    sessions = list(dict.fromkeys(node.session or "" for h in hits for node in _said(h)))
    ranked = sessions if question.level == "session" else ids
    out = {f"recall@{k}": metrics.recall_at(ranked, question.evidence, k) for k in (5, 10, 20)}
    out["all@10"] = metrics.all_at(ranked, question.evidence, 10)
    out["hit@5"] = metrics.hit_at(ranked, question.evidence, 5)
    out["recall@1"] = metrics.recall_at(ranked, question.evidence, 1)
    if question.sessions:
        out["session_recall@5"] = metrics.recall_at(sessions, question.sessions, 5)
    out["ndcg@10"] = metrics.ndcg_at(ranked, question.evidence, 10)
    out["mrr"] = metrics.reciprocal_rank(ranked, question.evidence)
    return out


def _said(hit: Hit) -> list[Node]:
    """The messages of a hit: itself, or those a fact was read from."""
    return [hit.node] if hit.node.kind == "episodic" else [e.node for e in hit.evidence]


def report(data: Dataset, asked: list[Asked], config: Mapping[str, Any]) -> dict[str, Any]:
    """The one object that ``mnemic eval --json`` prints."""
    groups: dict[str, list[Asked]] = defaultdict(list)
    for item in asked:
        groups[item.question.type].append(item)
    positive = [a.score for a in asked if not a.question.abstain]
    negative = [a.score for a in asked if a.question.abstain]
    latencies = [a.milliseconds for a in asked]
    measures = summary(asked)
    measures["abstention_auc"] = metrics.auc(positive, negative)
    errors = {
        m: metrics.standard_error([a.measures[m] for a in asked if m in a.measures]) for m in (*MEASURES, "recall@1")
    }
    return {
        "dataset": data.name,
        "config": dict(config),
        "questions": len(asked),
        "metrics": measures,
        "standard_error": {name: value for name, value in errors.items() if value is not None},
        "by_type": {
            kind: {"questions": len(items), **summary(items), "mean_score": metrics.mean([a.score for a in items])}
            for kind, items in sorted(groups.items())
        },
        "latency_ms": {"p50": metrics.percentile(latencies, 0.5), "p95": metrics.percentile(latencies, 0.95)},
    }


def summary(asked: list[Asked]) -> dict[str, float | None]:
    """Mean of every measure over the questions it applies to."""
    return {m: metrics.mean([a.measures[m] for a in asked if m in a.measures]) for m in (*MEASURES, "recall@1")}
