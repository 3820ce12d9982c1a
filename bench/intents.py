"""How well questions are told apart by what they are after: ``python bench/intents.py [--embedder NAME] [--errors]``.

Runs :mod:`mnemic.recall.plan` over ``tests/labelled/intents.jsonl``, by keywords alone and with exemplars, and prints
how many are right in each part and language, with the anchors of *after* and *before*. ``--errors`` shows the misses of
``dev``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mnemic.embed import resolve
from mnemic.recall.plan import Embed, classify

SET = Path(__file__).resolve().parents[1] / "tests" / "labelled" / "intents.jsonl"
Row = Mapping[str, Any]


def read() -> list[Row]:
    """The rows of the set."""
    return [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]


def measure(rows: Iterable[Row], embed: Embed | None) -> tuple[Counter[str], list[str]]:
    """How many are right, of how many, by part and language; and the misses of the half for tuning, in words."""
    counts: Counter[str] = Counter()
    errors = []
    for row in rows:
        found = classify(row["text"], embed)
        right = found.name == row["intent"] and found.anchor == row.get("anchor", "")
        for key in (row["part"], f"{row['part']} {row['lang']}", f"{row['part']} {row['intent']}"):
            counts[key] += right
            counts[f"all {key}"] += 1
        if not right and row["part"] == "dev":
            errors.append(f"{row['id']}: {row['text']!r}: {found.name} {found.anchor!r} {found.score:.2f} {found.by}")
    return counts, errors


def main() -> None:
    """Measure both ways."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default="auto", help="auto, none or provider:model")
    parser.add_argument("--errors", action="store_true", help="print the misses of dev")
    arguments = parser.parse_args()
    embedder = resolve(arguments.embedder)

    def embed(texts: Any) -> Any:
        assert embedder is not None
        return embedder.embed(list(texts), kind="query")

    for name, way in (("keywords", None), (embedder.name if embedder else "", embed if embedder else None)):
        if name:
            counts, errors = measure(read(), way)
            print(f"{name}: " + ", ".join(f"{k} {counts[k]}/{n}" for k, n in (
                (key.removeprefix("all "), n) for key, n in counts.items() if key.startswith("all "))))  # fmt: skip
            if arguments.errors:
                print(*errors, sep="\n")


if __name__ == "__main__":
    main()
