"""What documents do to the recall of conversations, and how long cards take: LoCoMo with and without cards beside it.

python bench/cards.py [--scopes 4] [--embedder none] [--files 1000]
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from mnemic import Config, Memory
from mnemic.evaluate import datasets
from mnemic.evaluate.run import ask, filled, report

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("MNEMIC_SHARED", ROOT.parent / "shared"))
LONG_AGO = 1_500_000_000.0  # before any conversation, so that the documents are known in all of them
TOPICS = [
    "pump",
    "ledger",
    "refund",
    "deploy",
    "backup",
    "filter",
    "invoice",
    "tunnel",
    "garden",
    "sensor",
    "насос",
    "счёт",
    "фильтр",
    "скважина",
    "отсрочка",
]


def beside(scopes: int, embedder: str) -> None:
    """Recall of LoCoMo conversations, alone and with the documents of this repository in the same space."""
    data = datasets.load(SHARED / "data" / "benchmarks" / "locomo")
    kept = set(list(data.scopes)[:scopes])
    data = dataclasses.replace(
        data,
        scopes={name: documents for name, documents in data.scopes.items() if name in kept},
        questions=[question for question in data.questions if question.scope in kept],
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        filled(data, None if embedder == "none" else embedder) as (memory, clock),
    ):
        for path in [
            *ROOT.glob("*.md"),
            *(ROOT / "docs").glob("*.md"),
            *SHARED.glob("*.md"),
            *SHARED.glob("facts/*.md"),
        ]:
            copy = Path(folder) / f"{path.parent.name}-{path.name}"
            shutil.copy(path, copy)
            os.utime(copy, (LONG_AGO, LONG_AGO))
        alone = report(data, ask(memory, clock, data), {})["metrics"]
        clock.at = None
        for scope in data.scopes:
            added = memory.cards.add_folder(folder, space=scope).added
        sections = sum(card.sections for card in memory.cards.list(space=scope, limit=10_000))
        memory.flush()
        together = report(data, ask(memory, clock, data), {})["metrics"]
        hits = [hit for q in data.questions for hit in _recall(memory, clock, q).hits]
        pointed = sum(bool(_recall(memory, clock, q).cards) for q in data.questions)
    print(f"{len(data.questions)} questions, {added} documents with {sections} sections beside each conversation")
    for name in ("recall@5", "recall@10", "recall@20", "mrr", "abstention_auc"):
        print(f"  {name:<15} alone {alone[name]:.4f}  with documents {together[name]:.4f}")
    share = sum(hit.node.label == "card_section" for hit in hits) / len(hits)
    print(f"  sections among the first ten: {share:.1%}; questions pointed to a card: {pointed}")


def _recall(memory: Memory, clock: object, question: datasets.Question):  # type: ignore[no-untyped-def]
    clock.at = question.at  # type: ignore[attr-defined]
    return memory.recall(question.text, space=question.scope)


def many(files: int) -> None:
    """How long so many small documents take."""
    with tempfile.TemporaryDirectory() as folder:
        docs = Path(folder) / "docs"
        docs.mkdir()
        for i in range(files):
            a, b = TOPICS[i % 15], TOPICS[i // 15 % 15]
            text = (
                f"# {a} {b} {i}\n\nThe {a} {i} is checked.\n\n## Changing {b} in hall {i}\n\n**Term {i}**: {i} days.\n"
            )
            (docs / f"{i}.md").write_text(text, encoding="utf-8")
        config = Config(background=False, consolidate=False)
        with Memory(Path(folder) / "m.db", embedder=None, config=config) as memory:
            _timed("add", lambda: memory.cards.add_folder(docs))
            _timed("refresh, all files read once more", memory.cards.refresh)
            _timed("refresh, nothing changed", memory.cards.refresh)
            _timed("MEMORY.md", lambda: memory.cards.index(Path(folder) / "MEMORY.md"))
            times = []
            for i in range(50):
                began = time.process_time()
                memory.cards.route(f"how do I change the filter in hall {i}?")
                times.append((time.process_time() - began) * 1000)
            print(f"  route: {statistics.median(times):.1f} ms of processor time")


def _timed(name: str, call) -> None:  # type: ignore[no-untyped-def]
    wall, busy = time.perf_counter(), time.process_time()
    call()
    print(f"  {name}: {time.perf_counter() - wall:.1f} s ({time.process_time() - busy:.1f} s of processor time)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scopes", type=int, default=4)
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--files", type=int, default=1_000)
    given = parser.parse_args()
    print(f"{given.files} documents")
    many(given.files)
    beside(given.scopes, given.embedder)
