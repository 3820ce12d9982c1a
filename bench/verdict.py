"""The verdict: is what was found enough to answer from? ``python bench/verdict.py [--keep FOLDER] [--fit] [--json
FILE]``.

Questions of the development sets are asked of memories of 1, 5, 20, 60 and some 600 messages, each once with its
evidence in the memory and once without, and of the whole sets with their own unanswerable questions; with the local
embedder and without one. Printed are, by size and set, how many *strong* answers hold the evidence in the first five
hits, how many answerable questions are *none*, how many unanswerable ones *strong*, the AUC, and how often an answer is
right by its score (the reliability diagram; ``--plot FILE.svg`` draws it). ``--fit`` fits the weights anew and prints
the tables of ``recall/sufficiency.py``; its figures are cross-validated, by conversation on the whole sets and by set
on the others.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from quality import dataset

from mnemic import Config, Memory
from mnemic.embed import Cached, Embedder, MemoryCache, resolve
from mnemic.evaluate import metrics
from mnemic.evaluate.datasets import Dataset, Question
from mnemic.evaluate.run import AskedAt, fill, filled
from mnemic.recall import run as recalling
from mnemic.recall import sufficiency

SIZES = (1, 5, 20, 60, 600)
#: Set → questions drawn of it for each size.
DRAWN = {
    "locomo": 90, "longmemeval_oracle": 60, "beam_100K": 60, "koziev_ru": 60, "xquad_ru": 40, "xquad_ru_en": 40,
    "ru_facts": 50,
}  # fmt: skip
#: Sets asked as a whole, and how many of their questions at the most.
WHOLE = {"locomo": None, "beam_100K": None, "longmemeval_oracle": None, "ru_facts": None, "koziev_ru": 400}
#: Long conversations come back to a matter so often that one without its evidence is no memory without an answer.
REPEATING = ("locomo", "longmemeval_oracle", "beam_100K")
MOST_REPEATING = 20
RIDGE, FOLDS = 0.1, 5
#: What the questions of two sets that nobody can answer, made by others, count beside the other groups.
OTHERS_COUNT = 8.0


@dataclass
class Asked:
    """One question of one memory.

    Attributes:
        set, scope, size: where it is from, and how many messages there were. whole: of the whole set. answerable: its
            evidence is there. found: … and among the first five hits.
    """

    set: str
    scope: str
    size: int
    whole: bool
    embedder: str
    answerable: bool
    found: bool
    features: dict[str, float]
    verdict: str
    score: float


def memories(name: str, data: Dataset, size: int, count: int) -> Iterator[tuple[Question, Dataset, bool]]:
    """Questions, each with the small memory it is asked of: with its evidence, and without."""
    draw = random.Random(f"{name} {size}")
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


def watched(seen: list[dict[str, float]]) -> None:
    """From now on every verdict leaves its features in a list."""

    def judge(found: Any, scored: Any, places: Any, allowed: Any) -> sufficiency.Verdict:
        seen.append(sufficiency.features(found, scored, places, allowed) if len(places) and found.words else {})
        return sufficiency.judge(found, scored, places, allowed)

    recalling.judge = judge  # type: ignore[attr-defined]


def one(
    memory: Memory, name: str, question: Question, there: bool, size: int, whole: bool, embedder: str,
    seen: list[dict[str, float]],
) -> Asked:  # fmt: skip
    """Ask one question."""
    seen.clear()
    answer = memory.recall(question.text, space=question.scope)
    top = {n.key for h in answer.hits[:5] for n in (h.node, *h.answer, *(e.node for e in h.evidence))}
    found = there and bool(top & set(question.evidence))
    features = seen[-1] if seen else {}
    return Asked(name, question.scope, size, whole, embedder, there, found, features, answer.sufficiency, answer.score)


def of_small(embedder: Embedder | None, label: str) -> Iterator[Asked]:
    """Every question of every small memory."""
    seen: list[dict[str, float]] = []
    watched(seen)
    quiet = Config(background=False, mask_secrets=False)
    for name, count in DRAWN.items():
        data = dataset(name)
        for size in SIZES:
            if name in REPEATING and size > MOST_REPEATING:
                continue
            for question, small, there in memories(name, data, size, count):
                clock = AskedAt()
                with Memory(":memory:", embedder=embedder, config=quiet, clock=clock) as memory:
                    documents = small.scopes[question.scope]
                    clock.at = min((d.at for d in documents if d.at is not None), default=None)
                    fill(memory, small)
                    clock.at = None
                    memory.flush()
                    clock.at = question.at
                    yield one(memory, name, question, there, len(documents), False, label, seen)


def of_whole(embedder: str | None, label: str, folder: Path) -> Iterator[Asked]:
    """The questions of whole sets, answerable or not, over memories kept in a folder."""
    seen: list[dict[str, float]] = []
    watched(seen)
    for name, most in WHOLE.items():
        data = dataset(name, most)
        path = folder / f"{name}.db"
        with filled(data, "local", path=str(path)) as (memory, _):
            pass
        clock = AskedAt()
        with Memory(path, embedder=embedder, config=Config(background=False), clock=clock) as memory:
            for question in data.questions:
                if question.abstain or question.evidence:
                    clock.at = question.at
                    size = len(data.scopes[question.scope])
                    yield one(memory, name, question, not question.abstain, size, True, label, seen)


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


def mixed(row: Asked, names: list[str]) -> list[float]:
    """The features of an answer, each once as in a memory of few messages and once as in one of many."""
    share = sufficiency.grown(row.size)
    values = [row.features.get(name, 0.0) for name in names]
    return [*((1 - share) * v for v in values), *(share * v for v in values)]


def fitted(rows: list[Asked]) -> dict[str, tuple[float, float]]:
    """Weights by name, in a memory of few messages and in one of many. Every group of questions counts the same."""
    rows = [row for row in rows if row.features]
    names = list(rows[0].features)
    x = np.array([mixed(row, names) for row in rows])
    y = np.array([float(row.answerable) for row in rows])
    groups = [
        (row.set, row.whole or next(s for s in SIZES if s >= min(row.size, SIZES[-1])), row.answerable) for row in rows
    ]
    sizes = Counter(groups)
    weight = np.array([len(rows) / len(sizes) / sizes[group] for group in groups])
    weight *= [OTHERS_COUNT if row.whole and row.set in ("locomo", "beam_100K") else 1.0 for row in rows]
    theta = fit(x, y, weight).tolist()
    return {name: (theta[i], theta[len(names) + i]) for i, name in enumerate(names)}


def scored(rows: list[Asked], weights: dict[str, tuple[float, float]]) -> list[Asked]:
    """The rows with the verdict that some weights give."""
    out = []
    theta = [few for few, _ in weights.values()] + [many for _, many in weights.values()]
    for row in rows:
        logit = float(np.dot(theta, mixed(row, list(weights)))) if row.features else -30.0
        score = 1 / (1 + np.exp(-np.clip(logit, -30, 30)))
        name = "strong" if score >= sufficiency.STRONG else "weak" if score >= sufficiency.WEAK else "none"
        out.append(replace(row, verdict=name, score=float(score)))
    return out


def validated(rows: list[Asked]) -> list[Asked]:
    """The rows judged by weights that were fitted without their conversation, or for small memories without their
    set."""
    keys = {row.scope if row.whole else f"set {row.set}" for row in rows}
    fold = {key: i % FOLDS for i, key in enumerate(sorted(keys))}
    out: list[Asked] = []
    for k in range(FOLDS):
        held = [row for row in rows if fold[row.scope if row.whole else f"set {row.set}"] == k]
        rest = [row for row in rows if fold[row.scope if row.whole else f"set {row.set}"] != k]
        out += scored(held, fitted(rest))
    return out


def shares(rows: list[Asked]) -> dict[str, float | None]:
    """What the bars are about."""
    strong = [row for row in rows if row.verdict == "strong"]
    able, unable = [r for r in rows if r.answerable], [r for r in rows if not r.answerable]
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
    """Printed by embedder, kind of memory, and set; the reliability diagram as numbers."""
    out: dict[str, Any] = {}
    for label in ("local", "none"):
        mine = [row for row in rows if row.embedder == label]
        groups = {"all": mine}
        groups |= {f"up to {size}": [r for r in mine if not r.whole and _near(r.size) == size] for size in SIZES}
        groups |= {f"{name}, whole": [r for r in mine if r.whole and r.set == name] for name in WHOLE}
        out[label] = {}
        for name, part in groups.items():
            show(f"{label}, {name}", part)
            out[label][name] = shares(part)
        bins = []
        for low in np.arange(0, 1, 0.1):
            part = [row for row in mine if low <= row.score < low + 0.1 or (row.score == 1 and low > 0.85)]
            bins.append(
                [len(part), metrics.mean([r.score for r in part]), metrics.mean([float(r.answerable) for r in part])]
            )
        out[label]["reliability"] = bins
        print("    score → answerable:", "  ".join(f"{b[1]:.2f}→{b[2]:.2f} ({b[0]})" for b in bins if b[0]))
    return out


def _near(size: int) -> int:
    return next((s for s in SIZES if size <= s), SIZES[-1])


def drawn(result: dict[str, Any]) -> str:
    """The reliability diagram: how often an answer is there, by its score."""
    marks = []
    for label, colour in (("local", "#1f6feb"), ("none", "#d1742f")):
        points = [(40 + 300 * b[1], 320 - 300 * b[2]) for b in result[label]["reliability"] if b[0]]
        line = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
        marks.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        marks += [f'<circle cx="{x:.0f}" cy="{y:.0f}" r="4" fill="{colour}"/>' for x, y in points]
        marks.append(f'<text x="60" y="{50 if label == "local" else 70}" fill="{colour}">{label}</text>')
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="360" height="360" font-family="sans-serif" font-size="12">'
        '<rect width="360" height="360" fill="white"/><rect x="40" y="20" width="300" height="300" fill="none" '
        'stroke="#999"/>'
        '<line x1="40" y1="320" x2="340" y2="20" stroke="#ccc" stroke-dasharray="4"/>'
        '<text x="150" y="345">score</text><text x="4" y="16">answer is there</text>' + "".join(marks) + "</svg>\n"
    )


def main() -> None:
    """Ask, fit where wanted, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--keep", type=Path, help="folder for the filled sets, as of bench/quality.py")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    local = resolve("local")
    assert local is not None
    rows: list[Asked] = []
    with tempfile.TemporaryDirectory() as scratch:
        for embedder, name, label in ((Cached(local, MemoryCache(200_000)), "local", "local"), (None, "none", "none")):
            rows += of_whole(name, label, arguments.keep or Path(scratch))
            rows += of_small(embedder, label)
    if arguments.fit:
        judged: list[Asked] = []
        for label in ("local", "none"):
            mine = [row for row in rows if row.embedder == label]
            judged += validated(mine)
            print(label, json.dumps({k: [round(few, 2), round(many, 2)] for k, (few, many) in fitted(mine).items()}))
        rows = judged
    result = report(rows)
    if arguments.plot:
        arguments.plot.write_text(drawn(result), encoding="utf-8")
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
