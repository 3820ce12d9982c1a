"""Which messages last, and which are filler: ``python bench/lasting.py train|test|read [--cache DIR]``.

``train`` fits the weights of :mod:`mnemic.text.lasting` (``src/mnemic/text/data/lasting.json``) to the evidence
messages of the development sets and to the ``dev`` half of ``tests/labelled/filler.jsonl``. ``test`` measures: by
fold of conversations and with each set left out (weights of its own), and the shipped weights on the ``held`` half.
``read`` prints messages of sets that were not trained on with both scores, to be judged by a person. Vectors are kept
in ``--cache``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from corpus import SHARED
from numpy.typing import NDArray

from mnemic.embed import resolve
from mnemic.text import lasting as model

ROOT = Path(__file__).resolve().parents[1]
LABELLED = ROOT / "tests" / "labelled"
WEIGHTS = ROOT / "src" / "mnemic" / "text" / "data" / "lasting.json"
#: Kinds of ``filler.jsonl`` that are not filler.
CONTENT = ("answer", "lasting", "other")
FOLDS = 5
#: Strength of the ridge on counted columns, by part, and on vectors: what served sets that were left out best. Of a
#: language that is not read nothing is called filler: there the columns are held at nothing.
RIDGE = {
    "lasting": {"neutral": 3.0, "words": 3.0, "vectors": 3.0, "vector": 1.5},
    "filler": {"neutral": 1e9, "words": 0.5, "vectors": 3.0, "vector": 0.5},
}
#: Mass of the rows without and with a label: who calls filler must be sure, by words alone surer.
EVEN = (1000.0, 1000.0)
MASS = {
    "lasting": {"neutral": EVEN, "words": EVEN, "vectors": EVEN},
    "filler": {"neutral": (1600.0, 400.0), "words": (1840.0, 160.0), "vectors": (1600.0, 400.0)},
}

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Row:
    """A text and what is known of it; ``None`` where nothing is."""

    set: str
    conv: str
    lang: str
    text: str
    lasting: bool | None = None
    filler: bool | None = None
    part: str = "dev"
    kind: str = ""


# --------------------------------------------------------------------------------------------------
# what is learnt from
# --------------------------------------------------------------------------------------------------


def lines(name: str) -> list[dict[str, Any]]:
    """A file of the benchmarks."""
    with lzma.open(SHARED / "data" / "benchmarks" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def labelled(name: str) -> list[dict[str, Any]]:
    """A file of ``tests/labelled``."""
    return [json.loads(line) for line in (LABELLED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def evidence(name: str, roles: tuple[str, ...] = (), dense: bool = False) -> Iterator[Row]:
    """Messages of a set: evidence lasts and is not filler; the others were not asked for.

    Args:
        roles: who speaks of a life; what others say is not about the speaker's, evidence or not.
        dense: nearly every message tells something, so that not to be asked for says nothing.
    """
    asked = {(q["conv"], e) for q in lines(f"{name}.queries") for e in q["evidence"]}
    for doc in lines(f"{name}.docs"):
        told = (doc["conv"], doc["id"]) in asked
        by_other = bool(roles) and doc["speaker"] not in roles  # an assistant's message is not about the speaker's life
        if told and by_other:
            continue
        known = told or by_other or not dense
        yield Row(
            name, doc["conv"], "en", doc["text"], told if known else None, False if told else None,
            kind="other" if by_other else "",
        )  # fmt: skip


def carmem() -> Iterator[Row]:
    """The user's message that names the preference of its session lasts."""
    wanted = {q["qid"]: q["answer"].rsplit("; ", 1)[-1].lower() for q in lines("carmem.queries")}
    for doc in lines("carmem.docs"):
        value = set(re.findall(r"\w{4,}", wanted.get(doc["session"], "")))
        told = doc["speaker"] == "USER" and bool(value & set(re.findall(r"\w{4,}", doc["text"].lower())))
        yield Row(
            "carmem", doc["conv"], "en", doc["text"], told, None, kind="" if doc["speaker"] == "USER" else "other"
        )


def extraction() -> Iterator[Row]:
    """Messages with a durable fact, and pieces of dialogue without one."""
    for item in labelled("extraction"):
        told = {fact["message"] for fact in (*item["facts"], *item.get("optional", ()))}
        for number, message in enumerate(item["messages"]):
            if number in told or not item["facts"]:
                yield Row(
                    "extraction", item["id"], item["lang"], message["text"], number in told,
                    False if number in told else None, item["part"],
                )  # fmt: skip


def exemplars() -> Iterator[Row]:
    """Our own: filler of eight languages, answers that carry content, what lasts and what is neither."""
    for item in labelled("filler"):
        kind = item["kind"]
        lasts = None if kind == "answer" else kind == "lasting"
        yield Row("filler", item["id"], item["lang"], item["text"], lasts, kind not in CONTENT, item["part"], kind)


def requests() -> Iterator[Row]:
    """What PrefEval asks of an assistant tells nothing that lasts."""
    for query in lines("prefeval_dev.queries"):
        yield Row("prefeval_dev", "ask", "en", query["question"], False)


def others() -> Iterator[Row]:
    """Short facts, and what is asked of the world in both languages: not filler; whether they last was not asked."""
    for doc in lines("ru_facts.docs"):
        yield Row("others", doc["id"], "ru" if re.search("[а-я]", doc["text"]) else "en", doc["text"], None, False)
    for lang in ("en", "ru"):
        for query in lines(f"xquad_{lang}.queries")[::6]:
            yield Row("others", lang, lang, query["question"], None, False)


def rows() -> list[Row]:
    """All sets, thinned: every positive, at most thrice as many others."""
    sets: list[list[Row]] = [
        list(evidence("locomo")),
        list(evidence("longmemeval_oracle", ("user",))),
        list(evidence("beam_100K", ("user",), dense=True)),
        list(evidence("lifebench_dev", dense=True)),
        list(carmem()),
        [*evidence("prefeval_dev"), *requests()],
        list(others()),
    ]
    out = [*exemplars(), *extraction()]
    for found in sets:
        told = [r for r in found if r.lasting]
        speakers, assistants = ([r for r in found if r.lasting is False and bool(r.kind) == by] for by in (False, True))
        dice = random.Random(7)
        out += told + [r for r in found if r.lasting is None and r.filler is not None]
        out += dice.sample(speakers, min(len(speakers), 3 * len(told)))
        out += dice.sample(assistants, min(len(assistants), len(told) // 2))
    return out


def vectors(texts: Sequence[str], cache: Path) -> NDArray[np.float32]:
    """Unit vectors by the local embedder; each text is embedded once and kept in a file."""
    cache.mkdir(parents=True, exist_ok=True)
    path = cache / "vectors.npz"
    known: dict[str, Array] = {}
    if path.exists():
        with np.load(path) as stored:
            known = dict(zip(stored["keys"].tolist(), stored["rows"], strict=True))
    keys = [hashlib.sha1(text.encode("utf-8", "replace")).hexdigest() for text in texts]
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    if missing:
        embedder = resolve("local:use-m3")
        assert embedder is not None
        wanted = list(missing.items())
        for start in range(0, len(wanted), 256):
            part = wanted[start : start + 256]
            for (key, _), row in zip(part, embedder.embed([t for _, t in part], kind="document"), strict=True):
                known[key] = row.astype(np.float16)
        np.savez(path, keys=np.array(list(known)), rows=np.array(list(known.values())))
    return np.array([known[key] for key in keys], dtype=np.float32).reshape(-1, model.DIMENSION)


# --------------------------------------------------------------------------------------------------
# fitting
# --------------------------------------------------------------------------------------------------


def newton(x: Array, y: Array, mass: Array, ridge: Array) -> Array:
    """Weights of a logistic regression, the bias last: Newton's method, ridge by column."""
    x = np.hstack([x, np.ones((len(x), 1))])
    ridge = np.append(ridge, 1e-6)
    w = np.zeros(x.shape[1])
    for _ in range(25):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        slope = x.T @ (mass * (p - y)) + ridge * w
        bend = (x * (mass * p * (1 - p) + 1e-9)[:, None]).T @ x + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        w -= step
        if np.abs(step).max() < 1e-6:
            break
    return w


def masses(chosen: Sequence[Row], labels: Array, sides: tuple[float, float]) -> Array:
    """Weights of rows: sets by the root of their size, so that none speaks for all; ``sides`` as :data:`MASS` says."""
    groups = [(row.set, row.lang, row.kind == "answer", bool(label)) for row, label in zip(chosen, labels, strict=True)]
    sizes = Counter(groups)
    mass = np.array([sizes[group] ** -0.5 for group in groups])
    for side, whole in enumerate(sides):
        mass[labels == side] *= whole / mass[labels == side].sum()
    return mass


def fit(chosen: Sequence[Row], head: str, part: str, counted: Array, seen: Array | None = None) -> dict[str, Any]:
    """One part of a head's weights, as it is stored."""
    labels = np.array([float(bool(getattr(row, head))) for row in chosen])
    mean, scale = counted.mean(0), counted.std(0) + 1e-3
    x = (counted - mean) / scale
    split = x.shape[1]
    ridge = np.full(split, RIDGE[head][part])
    if seen is not None:
        x, ridge = np.hstack([x, seen]), np.append(ridge, np.full(model.DIMENSION, RIDGE[head]["vector"]))
    w = newton(x, labels, masses(chosen, labels, MASS[head][part]), ridge)
    step = float(np.abs(w[split:-1]).max(initial=0) / 127) or 1.0
    return {
        "bias": round(float(w[-1]), 4),
        "columns": [round(float(v), 4) for v in w[:split]],
        "mean": [round(float(v), 4) for v in mean],
        "scale": [round(float(v), 4) for v in scale],
        "step": round(step, 6),
        "vector": [round(v / step) for v in w[split:-1]],
    }


def weights(chosen: Sequence[Row], seen: Array, head: str) -> dict[str, Any]:
    """A head's weights, from the rows that are labelled for it."""
    known = [n for n, row in enumerate(chosen) if getattr(row, head) is not None]
    chosen, seen = [chosen[n] for n in known], seen[known]
    counted = np.array([model.neutral(row.text) for row in chosen])
    read = [n for n, row in enumerate(chosen) if row.lang in ("en", "ru")]
    words = np.array([model.lexical(chosen[n].text) for n in read])
    return {
        "neutral": fit(chosen, head, "neutral", counted),
        "words": fit([chosen[n] for n in read], head, "words", np.hstack([counted[read], words])),
        "vectors": fit(chosen, head, "vectors", counted, seen),
    }


def train(cache: Path) -> None:
    """Fit both heads to everything but what is held, and write the weights."""
    chosen = [row for row in rows() if row.part == "dev"]
    seen = vectors([row.text for row in chosen], cache)
    stored = {head: weights(chosen, seen, head) for head in MASS}
    WEIGHTS.parent.mkdir(exist_ok=True)
    WEIGHTS.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{len(chosen)} rows, {WEIGHTS.stat().st_size} bytes")


# --------------------------------------------------------------------------------------------------
# measuring
# --------------------------------------------------------------------------------------------------


def auc(scores: Array, labels: Array) -> float:
    """How often a positive stands above a negative."""
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    told = labels.sum()
    return float((ranks[labels].sum() - told * (told + 1) / 2) / (told * (len(labels) - told)))


def figures(scores: Array, labels: Array, threshold: float) -> str:
    """One line: rows, share of positives, AUC, recall, precision, and what precision were if half were positives."""
    called = scores >= threshold
    right, wrong = called[labels].mean(), called[~labels].mean()
    precision, even = (called & labels).sum() / max(1, called.sum()), right / max(1e-9, right + wrong)
    return (
        f"{len(labels):5} rows  {labels.mean():.2f} true  AUC {auc(scores, labels):.3f}  recall {right:.2f}  "
        f"precision {precision:.2f} ({even:.2f} of even numbers)"
    )


def crossed(chosen: Sequence[Row], seen: Array, head: str, parts: Sequence[str]) -> tuple[Array, Array]:
    """Probabilities of each row by weights that did not see its part: by words alone, and with vectors."""
    out = np.full((2, len(chosen)), np.nan)
    names = np.array(parts)
    trained = np.array([row.part == "dev" for row in chosen])
    for name in np.unique(names):
        inside, rest = np.flatnonzero(names == name), np.flatnonzero((names != name) & trained)
        fitted = model.unpack(weights([chosen[n] for n in rest], seen[rest], head))
        texts = [chosen[n].text for n in inside]
        out[0, inside] = model.probabilities(fitted, texts, None)
        out[1, inside] = model.probabilities(fitted, texts, seen[inside])
    return out[0], out[1]


def fold(row: Row) -> str:
    """One of :data:`FOLDS` parts: whole conversations, and single texts of sets without any."""
    one = row.set in ("prefeval_dev", "lifebench_dev", "others")
    return str(int(hashlib.sha1((row.text if one else row.conv).encode()).hexdigest(), 16) % FOLDS)


def dialogues() -> list[Row]:
    """Users' turns of the hand-written dialogues; one lasts where a gold fact of its dialogue can be read in it."""
    out = []
    for item in json.loads((SHARED / "data" / "dialogues.json").read_text(encoding="utf-8")):
        facts = [alternative.split("&") for gold in item["gold"] for alternative in gold["match"].lower().split("|")]
        for turn in (turn for session in item["sessions"] for turn in session["turns"] if turn["role"] == "user"):
            told = any(all(word in turn["text"].lower() for word in words) for words in facts)
            out.append(Row("dialogues", item["id"], item["lang"], turn["text"], told))
    return out


def test(cache: Path) -> None:
    """Measure both heads on what their weights have not seen."""
    chosen = rows()
    seen = vectors([row.text for row in chosen], cache)
    for head in MASS:
        known = [n for n, row in enumerate(chosen) if getattr(row, head) is not None]
        mine, theirs = [chosen[n] for n in known], seen[known]
        ways = {"folds of conversations": [fold(row) for row in mine]}
        if head == "lasting":
            ways["set left out"] = [row.set for row in mine]
        else:
            ways["language left out"] = [row.lang if row.set == "filler" else "" for row in mine]
        for way, parts in ways.items():
            for name, scores in zip(("words", "vectors"), crossed(mine, theirs, head, parts), strict=True):
                print(f"\n{head}, {way}, {name}")
                if head == "lasting":
                    by_set(mine, scores)
                else:
                    by_kind(
                        [
                            (row, score)
                            for row, score in zip(mine, scores, strict=True)
                            if row.set == "filler" or way != "language left out"
                        ]
                    )
    held = [row for row in chosen if row.part == "held" and row.lasting is not None] + dialogues()
    print("\nlasting, shipped weights on held halves and dialogues")
    for group, lang in dict.fromkeys((row.set, row.lang) for row in held):
        part = [row for row in held if (row.set, row.lang) == (group, lang)]
        labels = np.array([bool(row.lasting) for row in part])
        texts = [row.text for row in part]
        for name, given in (("words", None), ("vectors", vectors(texts, cache))):
            print(f"{group:>12} {lang} {name:>8} {figures(model.lasting(texts, given), labels, model.LASTING)}")


def by_set(chosen: Sequence[Row], scores: Array) -> None:
    """Print the figures of each set: of what the speakers said, of our own labels the held half."""
    for name in dict.fromkeys(row.set for row in chosen):
        ours = name in ("filler", "extraction")
        part = [n for n, row in enumerate(chosen) if row.set == name and (row.part == "held" if ours else not row.kind)]
        labels = np.array([bool(chosen[n].lasting) for n in part])
        if 0 < labels.mean() < 1:
            print(f"{name:>20} {figures(scores[part], labels, model.LASTING)}")


def by_kind(scored: Iterable[tuple[Row, float]]) -> None:
    """Print how many are called filler: of our held half by language and kind, of other sets by set."""
    lines: dict[str, dict[str, list[bool]]] = {}
    for row, score in scored:
        if row.set != "filler" or row.part == "held":
            name, kind = (
                (row.lang, row.kind if row.kind in CONTENT else "filler")
                if row.set == "filler"
                else (row.set, "content")
            )
            lines.setdefault(name, {}).setdefault(kind, []).append(score >= model.FILLER)
    for name, kinds in lines.items():
        print(f"{name:>20} " + "  ".join(f"{kind} {sum(found)} of {len(found)}" for kind, found in kinds.items()))


def read(cache: Path) -> None:
    """Print a hundred messages of sets that nothing was learnt from, with both scores, to be judged by hand."""
    dice = random.Random(11)
    real = [Row("realmem", d["conv"], "en", d["text"]) for d in lines("realmem.docs")]
    turns = [
        Row("dialogues", item["id"], item["lang"], turn["text"])
        for item in json.loads((SHARED / "data" / "dialogues.json").read_text(encoding="utf-8"))
        for session in item["sessions"]
        for turn in session["turns"]
    ]
    sample = dice.sample(turns, 50) + dice.sample(real, 50)
    texts = [row.text for row in sample]
    seen = vectors(texts, cache)
    for row, lasts, fills in zip(sample, model.lasting(texts, seen), model.filler(texts, seen), strict=True):
        mark = "LASTING" if lasts >= model.LASTING else "filler" if fills >= model.FILLER else ""
        print(f"{lasts:.2f} {fills:.2f} {mark:8} {row.set[:4]} {' '.join(row.text.split())[:220]}")


def main() -> None:
    """Train, test or read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["train", "test", "read"])
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "lasting-cache")
    arguments = parser.parse_args()
    {"train": train, "test": test, "read": read}[arguments.what](arguments.cache)


if __name__ == "__main__":
    main()
