"""Preferences that a request bears on without sharing words: ``python bench/preferences.py [--json FILE]``.

PrefEval: 300 preferences of one user, and for each a request ("recommend a smartphone") that a good answer must bend to
("I detest foldable devices"). Printed is how often the block of ``context`` holds the preference's whole sentence,
within 1,000 and 400 tokens and by default, and the recall of messages; before and after the rules have read facts.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from quality import dataset, short

from mnemic import Memory
from mnemic.evaluate import metrics
from mnemic.evaluate.datasets import Dataset
from mnemic.evaluate.run import AskedAt, ask, filled, report

BUDGETS = (1_000, 400, None)


def measured(memory: Memory, clock: AskedAt, data: Dataset) -> dict[str, Any]:
    """Shares over the requests."""
    said = {d.id: " ".join(d.text.split()) for documents in data.scopes.values() for d in documents}
    out: dict[str, Any] = {}
    for budget in BUDGETS:
        held, tokens = [], []
        for question in data.questions:
            block = memory.context(question.text, budget=budget, space=question.scope)
            text = " ".join(block.text.split()) if block is not None else ""
            held.append(float(all(said[e] in text for e in question.evidence)))
            tokens.append(float(block.tokens) if block is not None else 0.0)
        name = f"block of {budget}" if budget else "block by default"
        out[name] = {"holds it": metrics.mean(held), "tokens": metrics.mean(tokens)}
    return {**out, **short(report(data, ask(memory, clock, data), {}))}


def main() -> None:
    """Fill, measure, read facts, measure again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    data = dataset("prefeval_dev")
    with filled(data, arguments.embedder) as (memory, clock):
        result: dict[str, Any] = {"before": measured(memory, clock, data)}
        result["facts"] = sum(memory.consolidate(space=scope).facts for scope in data.scopes)
        memory.flush()
        result["after"] = measured(memory, clock, data)
    print(json.dumps(result, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
