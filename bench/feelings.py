"""Does the lexicon hear how a statement is felt? ``python bench/feelings.py [--errors] [--json FILE]``.

Runs :func:`mnemic.text.feelings.valence` over ``tests/labelled/feelings.jsonl`` and prints how often the sign of a felt
statement is right, wrong or missed, how many neutral ones (technical talk among them) get a weight, and what a message
costs. ``--errors`` shows those of part ``dev`` only, so that ``held`` stays unseen.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mnemic.text.feelings import valence

SET = Path(__file__).resolve().parents[1] / "tests" / "labelled" / "feelings.jsonl"
ROUNDS = 50

Row = Mapping[str, Any]


def sign(value: float) -> int:
    """−1, 0 or 1."""
    return (value > 0) - (value < 0)


def figures(rows: Sequence[Row]) -> dict[str, float | int]:
    """Counts of one slice, and the two shares that matter."""
    felt, neutral = [r for r in rows if r["sign"]], [r for r in rows if not r["sign"]]
    right = sum(sign(valence(r["text"])) == r["sign"] for r in felt)
    missed = sum(not valence(r["text"]) for r in felt)
    false = sum(bool(valence(r["text"])) for r in neutral)
    return {
        "felt": len(felt),
        "sign_accuracy": round(right / max(1, len(felt)), 3),
        "wrong_sign": len(felt) - right - missed,
        "missed": missed,
        "neutral": len(neutral),
        "false_alarms": false,
        "false_alarm_rate": round(false / max(1, len(neutral)), 3),
    }


def main() -> None:
    """Measure the set by part and language."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]
    result: dict[str, Any] = {"all": figures(rows)}
    for name in ("dev", "held"):
        result[name] = figures([r for r in rows if r["part"] == name])
    for name in ("en", "ru"):
        result[name] = figures([r for r in rows if r["lang"] == name])
    began = time.perf_counter()
    for _ in range(ROUNDS):
        for row in rows:
            valence(row["text"])
    result["microseconds"] = round((time.perf_counter() - began) * 1e6 / ROUNDS / len(rows), 1)
    for name, values in result.items():
        print(f"{name:>13}  {values}")
    if arguments.errors:
        for row in rows:
            value = valence(row["text"])
            if row["part"] == "dev" and sign(value) != row["sign"]:
                print(f"{row['id']}  is {row['sign']:+}, heard {value:+.2f}  {row['text']}")
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
