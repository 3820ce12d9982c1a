"""Values that changed: of two messages, does the newer stand above the older, and is the older marked? ``python bench/updates.py [--embedder NAME] [--depth N] [--json FILE]``.

BEAM-100K says for each question about an updated value which messages gave the old one and which the new one. Printed
are, with and without :func:`mnemic.recall.believed.mark`, how often the newest stands above the oldest where both are
among the hits, and how often an older one is marked; and how many hits are marked for questions of other types, with
those pairs to be read by a person. The filled database is kept in the folder for temporary files between runs.
"""

from __future__ import annotations

import argparse
import json
import lzma
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from quality import BENCHMARKS, dataset

from mnemic import Config, Memory
from mnemic.evaluate.datasets import Dataset
from mnemic.evaluate.run import AskedAt, fill
from mnemic.models import Hit
from mnemic.recall import believed

SET = "beam_100K"
TYPE = "knowledge_update"


def pairs() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Question id → ids of the messages with the old value, and of those with the new one."""
    out = {}
    with lzma.open(BENCHMARKS / f"{SET}.queries.jsonl.xz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if row["type"] == TYPE:
                old, new = (frozenset(map(str, row["roles"][name])) for name in ("original_info", "updated_info"))
                out[row["qid"]] = (old - new, new - old)
    return out


def opened(data: Dataset, embedder: str, clock: AskedAt) -> Memory:
    """A memory that holds the set: as an earlier run left it, else filled now."""
    path = Path(tempfile.gettempdir()) / f"mnemic-bench-{SET}-{embedder}.db"
    named, config = None if embedder == "none" else embedder, Config(background=False, mask_secrets=False)
    if not path.exists():
        part = path.with_suffix(".part")  # what was interrupted is no database to ask
        for old in part.parent.glob(part.name + "*"):
            old.unlink()
        with Memory(part, embedder=named, config=config) as memory:
            fill(memory, data)
            memory.flush()
        part.rename(path)
    return Memory(path, embedder=named, config=config, clock=clock)


def without(query: str, hits: Sequence[Hit], rows: Sequence[int]) -> list[Hit]:
    """What recall does where nothing is compared."""
    return list(hits)


def both(memory: Memory, scope: str, question: str, depth: int) -> tuple[list[Hit], list[Hit]]:
    """Hits without and with the comparison."""
    kept, believed.mark = believed.mark, without
    try:
        plain = list(memory.recall(question, limit=depth, space=scope).hits)
    finally:
        believed.mark = kept
    rows = memory._store.rows_of(scope, [hit.node.id for hit in plain])
    return plain, believed.mark(question, plain, [rows[hit.node.id] for hit in plain])


def counted(
    asked: Mapping[str, Sequence[Hit]], known: Mapping[str, tuple[frozenset[str], frozenset[str]]]
) -> dict[str, Any]:
    """Shares over the questions of which both an old and a new message are among the hits."""
    out: Counter[str] = Counter()
    for qid, (old, new) in known.items():
        place = {hit.node.key: i for i, hit in enumerate(asked[qid])}
        olds, news = ([place[key] for key in keys if key in place] for keys in (old, new))
        if olds and news:
            out["found"] += 1
            out["newer above"] += min(news) < min(olds)
            out["older marked"] += any(asked[qid][i].superseded_by for i in olds)
            out["by the pair's newer"] += any(later.key in new for i in olds for later in asked[qid][i].superseded_by)
    return {
        "pairs": sum(bool(old and new) for old, new in known.values()),
        "found": out["found"],
        **{
            name.replace(" ", "_").replace("'", ""): round(out[name] / max(1, out["found"]), 3)
            for name in ("newer above", "older marked", "by the pair's newer")
        },
    }


def evidence_recall(data: Dataset, asked: Mapping[str, Sequence[Hit]], depth: int) -> float:
    """Mean share of a question's evidence among its first hits."""
    found = [
        len({hit.node.key for hit in asked[q.qid][:depth]} & set(q.evidence)) / len(set(q.evidence))
        for q in data.questions
        if q.evidence and not q.abstain
    ]
    return round(sum(found) / len(found), 4)


def main() -> None:
    """Ask all questions of the set once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--depth", type=int, default=20)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    data, known, clock = dataset(SET), pairs(), AskedAt()
    sides: tuple[dict[str, list[Hit]], dict[str, list[Hit]]] = ({}, {})
    with opened(data, arguments.embedder, clock) as memory:
        name = memory.embedder
        for question in data.questions:
            clock.at = question.at
            for side, hits in zip(sides, both(memory, question.scope, question.text, arguments.depth), strict=True):
                side[question.qid] = hits
    plain, marked = sides
    text: Callable[[str], str] = lambda content: " ".join(content.split())[:200]  # noqa: E731
    others = [
        {
            "type": q.type,
            "question": q.text,
            "older": text(hit.node.content),
            "newer": text(hit.superseded_by[0].content),
        }
        for q in data.questions
        if q.type != TYPE
        for hit in marked[q.qid]
        if hit.superseded_by
    ]
    compared = sum(len(marked[q.qid]) * (len(marked[q.qid]) - 1) // 2 for q in data.questions if q.type != TYPE)
    result = {
        "set": SET,
        "embedder": name,
        "depth": arguments.depth,
        "without": counted(plain, known),
        "with": counted(marked, known),
        "recall": {
            f"recall@{k}": {"without": evidence_recall(data, plain, k), "with": evidence_recall(data, marked, k)}
            for k in (5, 10)
        },
        "other_types": {
            "questions": sum(q.type != TYPE for q in data.questions),
            "pairs": compared,
            "marked": len(others),
            "share": round(len(others) / max(1, compared), 6),
            "by_type": dict(Counter(str(row["type"]) for row in others)),
            "to_read": others,
        },
    }
    print(json.dumps(result, indent=1, ensure_ascii=False))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
