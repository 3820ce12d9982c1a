"""Questions that need the graph: ``python bench/walks.py [--embedder NAME] [--errors]``.

Tells a memory what ``tests/labelled/walks.jsonl`` says, a space for each language, and asks: things two links apart
(*hop*), who or what something is (*who*, *what*), what came after or before something in a talk (*after*, *before*).
Prints how often a wanted text is among the first three and five hits of :meth:`mnemic.Memory.recall`, and how often it
is among the first five of :mod:`mnemic.recall.walks` alone (for *after* and *before*: within three messages of the best
hit of the anchor).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mnemic import Config, Memory
from mnemic.recall import walks
from mnemic.recall.filters import Filters
from mnemic.recall.plan import classify
from mnemic.testing import FrozenClock

SET = Path(__file__).resolve().parents[1] / "tests" / "labelled" / "walks.jsonl"
STEPS = 3  # messages after or before an anchor
Row = Mapping[str, Any]


def read() -> tuple[list[Row], list[Row]]:
    """What is told, and what is asked."""
    rows = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if "sessions" in row], [row for row in rows if "query" in row]


@contextmanager
def told(worlds: list[Row], embedder: str | None) -> Iterator[Memory]:
    """A memory that was told everything, a space for each language."""
    clock = FrozenClock("2026-03-02T09:00:00Z")
    with Memory(":memory:", embedder=embedder, clock=clock, config=Config(background=False)) as memory:
        for world in worlds:
            for number, session in enumerate(world["sessions"]):
                clock.advance(hours=6)
                for role, text in session:
                    clock.advance(minutes=1)
                    memory.observe(text, role=role, session=f"{world['world']}-{number}", space=world["lang"])
            for text in world["facts"]:
                memory.remember(text, space=world["lang"])
        memory.flush()
        yield memory


def walked(memory: Memory, row: Row) -> list[str]:
    """The texts that the walks alone give for a question."""
    space, store = row["lang"], memory._store
    columns = store.columns(space)
    mask = Filters().mask(store, space, columns, memory._clock.now())
    intent = classify(row["query"])
    if intent.anchor:
        hits = memory.recall(intent.anchor, limit=1, kinds="episodic", space=space).hits
        rows = store.rows_of(space, [hit.node.id for hit in hits]).values()
        steps = STEPS if intent.name == "after" else -STEPS
        found = [
            int(columns.row[p]) for row_ in rows for p in walks.onward(columns, int(columns.index([row_])[0]), steps)
        ]
    else:
        entities = walks.named(store, space, row["query"])
        found = [j.row for j in walks.joined(store, space, columns, mask, entities, 2)][:5]
    nodes = store.nodes(found)
    return [nodes[n].content for n in found if n in nodes]


def measure(memory: Memory, questions: list[Row]) -> tuple[Counter[str], list[str]]:
    """How many of how many, by kind and measure; and what was not among the first five, in words."""
    counts: Counter[str] = Counter()
    errors = []
    for row in questions:
        wanted = set(row["wanted"])
        hits = [hit.node.content for hit in memory.recall(row["query"], limit=5, space=row["lang"]).hits]
        walk = walked(memory, row)
        for kind in (row["kind"], f"{row['kind']} {row['lang']}"):
            counts[f"{kind}: questions"] += 1
            counts[f"{kind}: hit@3"] += bool(wanted & set(hits[:3]))
            counts[f"{kind}: hit@5"] += bool(wanted & set(hits))
            counts[f"{kind}: walk"] += bool(wanted & set(walk))
        if not wanted & set(hits):
            errors.append(f"{row['id']} {row['query']!r}: wanted {row['wanted']}, got {hits[:3]}; walk {walk[:5]}")
    return counts, errors


def main() -> None:
    """Tell, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default="auto", help="auto, none or provider:model")
    parser.add_argument("--errors", action="store_true", help="print what recall did not find")
    arguments = parser.parse_args()
    worlds, questions = read()
    with told(worlds, arguments.embedder) as memory:
        counts, errors = measure(memory, questions)
        print(f"{'':<12}{'questions':>10}{'hit@3':>8}{'hit@5':>8}{'walk':>8}   embedder: {memory.embedder}")
    for kind in sorted({key.split(":")[0] for key in counts}):
        n = counts[f"{kind}: questions"]
        shares = "".join(f"{counts[f'{kind}: {name}'] / n:>8.3f}" for name in ("hit@3", "hit@5", "walk"))
        print(f"{kind:<12}{n:>10}{shares}")
    if arguments.errors:
        print(*errors, sep="\n")


if __name__ == "__main__":
    main()
