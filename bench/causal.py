"""How well reasons are found in what people say: ``python bench/causal.py [--errors] [--json FILE]``.

Runs :mod:`mnemic.text.causes` over ``tests/labelled/causal.jsonl``: does the text give a reason outright (*reason*), are
cause and effect the right way round in it (*inside*), and is one of two messages the cause of the other (*edge*)? What the
labels mean stands in ``tests/labelled/README.md``. ``--errors`` shows what was missed and made up.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mnemic.text.causes import Reason, asks, asks_why, between, reasons

SET = Path(__file__).resolve().parents[1] / "tests" / "labelled" / "causal.jsonl"
Row = Mapping[str, Any]


def read() -> list[Row]:
    """The rows of the set."""
    return [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]


def found(row: Row) -> tuple[list[Reason], str | None]:
    """The reasons in a row's text, and which of its messages is the cause of the other."""
    before, text = row["before"] or "", row["text"]
    given = [r for r in reasons(text, answers=asks(before) and asks_why(before)) if r.sure]
    sides = [side for r in given if row["before"] and (side := between(before, text, r))]
    return given, sides[0] if sides else None


def inside(row: Row, given: Iterable[Reason]) -> bool:
    """Whether some reason has the labelled words on the right sides."""
    text = row["text"]
    return any(
        r.cause and r.effect and row["cause"] in text[slice(*r.cause)] and row["effect"] in text[slice(*r.effect)]
        for r in given
    )


def measure(rows: Iterable[Row]) -> tuple[dict[str, dict[str, float | int]], list[str]]:
    """Figures by question, and the misses in words."""
    counts = {name: [0, 0, 0] for name in ("reason", "inside", "edge")}  # right, made up, missed
    errors: list[str] = []

    def count(name: str, row: Row, wanted: object, got: object) -> None:
        right = bool(wanted) and wanted == got
        counts[name][0] += right
        counts[name][1] += bool(got) and not right
        counts[name][2] += bool(wanted) and not right
        if wanted != got:
            errors.append(f"{row['id']} {name}: wanted {wanted}, got {got}: {row['before']} | {row['text']}")

    for row in rows:
        given, side = found(row)
        count("reason", row, row["says"], bool(given))
        count("edge", row, row["edge"], side)
        if "cause" in row:
            count("inside", row, True, inside(row, given))
    figures: dict[str, dict[str, float | int]] = {}
    for name, (right, wrong, missed) in counts.items():
        figures[name] = {
            "precision": round(right / (right + wrong), 3) if right + wrong else 1.0,
            "recall": round(right / (right + missed), 3) if right + missed else 1.0,
            "right": right, "wrong": wrong, "missed": missed,
        }  # fmt: skip
    return figures, errors


def main() -> None:
    """Measure both parts and both languages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", action="store_true", help="print what was missed and made up")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    arguments = parser.parse_args()
    rows, results = read(), {}
    slices = {"all": rows} | {
        f"{key} {value}": [r for r in rows if r[key] == value]
        for key in ("part", "lang")
        for value in sorted({r[key] for r in rows})
    }
    print(f"{'':<12}{'':<8}{'precision':>10}{'recall':>8}{'right':>7}{'wrong':>7}{'missed':>8}")
    for name, part in slices.items():
        results[name], errors = measure(part)
        for question, f in results[name].items():
            print(
                f"{name:<12}{question:<8}{f['precision']:>10.3f}{f['recall']:>8.3f}{f['right']:>7}{f['wrong']:>7}{f['missed']:>8}"
            )
        if name == "all" and arguments.errors:
            print(*errors, sep="\n")
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": len(rows), **results}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
