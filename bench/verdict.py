"""The verdict: is what was found enough to answer from? ``python bench/verdict.py [--fit] [--json FILE] [--plot FILE.svg]``.

Questions of eight development sets are asked of memories of 1, 5, 20, 60 and some 600 messages, each once with its
evidence in the memory and once without, with the local embedder and without one. Printed are, by size and set, how many
*strong* answers hold the evidence in the first five hits, how many answerable questions are *none*, how many
unanswerable ones *strong*, the AUC, and how often an answer is right by its score (the reliability diagram).
``--fit`` fits the weights anew, cross-validated by set, and prints the tables of ``recall/sufficiency.py``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from quality import SETS, dataset

from mnemic import Config, Memory
from mnemic.embed import Cached, MemoryCache, resolve
from mnemic.evaluate import metrics
from mnemic.evaluate.datasets import Dataset, Question
from mnemic.evaluate.run import AskedAt, fill
from mnemic.recall import run as recalling
from mnemic.recall import sufficiency

SIZES = (1, 5, 20, 60, 600)
#: Set → questions drawn of it for each size.
DRAWN = {
    "locomo": 90, "longmemeval_oracle": 60, "beam_100K": 60, "koziev_ru": 60, "xquad_ru": 40, "xquad_ru_en": 40,
    "ru_facts": 50, "carmem": 40,
}  # fmt: skip
RIDGE = 1.0


@dataclass
class Asked:
    """One question of one memory: where it is from, whether its evidence is there and was found, and the verdict."""

    set: str
    size: int
    embedder: str
    answerable: bool
    found: bool
    features: dict[str, float]
    verdict: str
    score: float


def memories(name: str, data: Dataset, size: int, count: int, seed: int) -> Iterator[tuple[Question, Dataset, bool]]:
    """Questions, each with the small memory it is asked of: with its evidence, and without."""
    draw = random.Random(f"{name} {size} {seed}")
    able = [q for q in data.questions if not q.abstain and q.evidence and q.level == "message"]
    for question in draw.sample(able, min(count, len(able))):
        documents = data.scopes[question.scope]
        index = {d.id: i for i, d in enumerate(documents)}
        wanted = sorted(index[e] for e in question.evidence if e in index)
        if not wanted or len(wanted) > size:
            continue
        for there in (True, False):
            near = set(wanted) if there else set()
            if size >= 20:  # a conversation goes on around what answers
                near |= {i + d for i in wanted for d in (-1, 1) if 0 <= i + d < len(documents)} - set(wanted)
            others = [i for i in range(len(documents)) if i not in near and i not in wanted]
            kept = near | set(draw.sample(others, max(0, min(size - len(near), len(others)))))
            chosen = [documents[i] for i in sorted(kept)] or [documents[draw.choice(others)]]
            yield question, replace(data, scopes={question.scope: chosen}, questions=[question]), there


def asked(embedder: Any, names: list[str], sizes: tuple[int, ...], seed: int = 0) -> Iterator[Asked]:
    """Every question of every memory."""
    seen: list[dict[str, float]] = []

    def watched(found: Any, scored: Any, places: Any, allowed: Any) -> sufficiency.Verdict:
        seen.append(sufficiency.features(found, scored, places, allowed) if len(places) and found.words else {})
        return sufficiency.judge(found, scored, places, allowed)

    recalling.judge = watched  # type: ignore[attr-defined]
    label = "none" if embedder is None else "local"
    for name in names:
        data = dataset(name)
        for size in sizes:
            for question, small, there in memories(name, data, size, DRAWN[name], seed):
                clock = AskedAt()
                with Memory(
                    ":memory:", embedder=embedder, config=Config(background=False, mask_secrets=False), clock=clock
                ) as memory:
                    clock.at = min((d.at for d in small.scopes[question.scope] if d.at is not None), default=None)
                    fill(memory, small)
                    clock.at = None
                    memory.flush()
                    clock.at = question.at
                    seen.clear()
                    answer = memory.recall(question.text, space=question.scope)
                top = {n.key for h in answer.hits[:5] for n in (h.node, *h.answer)}
                found = there and bool(top & set(question.evidence))
                yield Asked(name, size, label, there, found, seen[-1] if seen else {}, answer.sufficiency, answer.score)


def fit(x: NDArray[np.float64], y: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logistic regression with a ridge, by Newton's method; the first column is the constant."""
    theta = np.zeros(x.shape[1])
    ridge = np.full(x.shape[1], RIDGE)
    ridge[0] = 0
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ theta, -30, 30)))
        gradient = x.T @ (weight * (p - y)) + ridge * theta
        curve = (x * (weight * p * (1 - p))[:, None]).T @ x + np.diag(ridge)
        step = np.linalg.solve(curve, gradient)
        theta -= step
        if np.abs(step).max() < 1e-6:
            break
    return theta


def fitted(rows: list[Asked]) -> dict[str, float]:
    """Weights by name. Right is an answer whose evidence is among the first five hits."""
    rows = [row for row in rows if row.features]
    names = list(rows[0].features)
    x = np.array([[row.features[name] for name in names] for row in rows])
    y = np.array([float(row.found) for row in rows])
    groups = {key: sum((r.set, r.size) == key for r in rows) for key in {(r.set, r.size) for r in rows}}
    weight = np.array([len(rows) / len(groups) / groups[(r.set, r.size)] for r in rows])
    return dict(zip(names, fit(x, y, weight).tolist(), strict=True))


def scored(rows: list[Asked], weights: dict[str, float]) -> list[Asked]:
    """The rows with the verdict that some weights give."""
    out = []
    for row in rows:
        logit = sum(weights.get(name, 0.0) * value for name, value in row.features.items())
        score = 1 / (1 + np.exp(-np.clip(logit, -30, 30))) if row.features else 0.0
        name = "strong" if score >= sufficiency.STRONG else "weak" if score >= sufficiency.WEAK else "none"
        out.append(replace(row, verdict=name, score=float(score)))
    return out


def shares(rows: list[Asked]) -> dict[str, float | None]:
    """What the bars are about."""
    strong = [row for row in rows if row.verdict == "strong"]
    able, unable = [r for r in rows if r.answerable and r.found], [r for r in rows if not r.answerable]
    return {
        "n": len(rows),
        "strong right": metrics.mean([float(r.found) for r in strong]),
        "answerable none": metrics.mean([float(r.verdict == "none") for r in able]),
        "answerable strong": metrics.mean([float(r.verdict == "strong") for r in able]),
        "unanswerable strong": metrics.mean([float(r.verdict == "strong") for r in unable]),
        "auc": metrics.auc([r.score for r in able], [r.score for r in unable]),
    }


def show(title: str, rows: list[Asked]) -> None:
    """One line."""
    values = shares(rows)
    print(f"{title:28}" + "  ".join(f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in values.items()))


def report(rows: list[Asked]) -> dict[str, Any]:
    """Printed by embedder, size and set, and the reliability diagram as numbers."""
    out: dict[str, Any] = {}
    for label in ("local", "none"):
        mine = [row for row in rows if row.embedder == label]
        show(f"{label}, all", mine)
        out[label] = {"all": shares(mine)}
        for size in SIZES:
            if part := [row for row in mine if row.size == size]:
                show(f"{label}, {size} messages", part)
                out[label][str(size)] = shares(part)
        for name in DRAWN:
            if part := [row for row in mine if row.set == name]:
                show(f"{label}, {name}", part)
                out[label][name] = shares(part)
        edges = np.linspace(0, 1, 11)
        bins = []
        for low, high in itertools.pairwise(edges):
            part = [row for row in mine if low <= row.score < high or (high == 1 and row.score == 1)]
            bins.append(
                [len(part), metrics.mean([r.score for r in part]), metrics.mean([float(r.found) for r in part])]
            )
        out[label]["reliability"] = bins
        print("    score → right:", "  ".join(f"{b[1]:.2f}→{b[2]:.2f} ({b[0]})" for b in bins if b[0]))
    return out


def main() -> None:
    """Ask, fit where wanted, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--sets", nargs="*", default=list(DRAWN), choices=[n for n in SETS if n in DRAWN])
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    local = resolve("local")
    assert local is not None
    rows: list[Asked] = []
    for embedder in (Cached(local, MemoryCache(200_000)), None):
        rows += asked(embedder, arguments.sets, SIZES)
    if arguments.fit:
        judged: list[Asked] = []
        for label in ("local", "none"):
            mine = [row for row in rows if row.embedder == label]
            for left_out in arguments.sets:
                weights = fitted([row for row in mine if row.set != left_out])
                judged += scored([row for row in mine if row.set == left_out], weights)
            print(label, json.dumps({name: round(value, 2) for name, value in fitted(mine).items()}))
        print("\ncross-validated by set:")
        rows = judged
    result = report(rows)
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
