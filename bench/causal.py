"""How well reasons are found in what people say: ``python bench/causal.py [--errors] [--json FILE] [--edges SET…]``.

Runs :mod:`mnemic.text.causes` over ``tests/labelled/causal.jsonl``: does the text give a reason outright (*reason*),
are cause and effect the right way round in it (*inside*), and is one of two messages the cause of the other (*edge*)?
What the labels mean stands in ``tests/labelled/README.md``. ``--errors`` shows what was missed and made up.

``--edges`` runs the phase over data sets of ``../shared/data/benchmarks`` and prints edges to be read by hand.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import Any

from corpus import SHARED

from mnemic import Config, Memory
from mnemic.consolidate.causal import Causes
from mnemic.evaluate.datasets import load
from mnemic.evaluate.run import fill
from mnemic.interfaces.places import samples
from mnemic.phase import PhaseContext
from mnemic.text.causes import Reason, asks, asks_why, between, reasons

SET = Path(__file__).resolve().parents[1] / "tests" / "labelled" / "causal.jsonl"
Row = Mapping[str, Any]


def read() -> list[Row]:
    """The rows of the set."""
    return [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]


def found(row: Row) -> tuple[list[Reason], str | None]:
    """The reasons in a row's text, and which of its messages is the cause of the other."""
    before, text = row["before"] or "", row["text"]
    given = reasons(text, answers=asks(before) and asks_why(before))
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


def edges(name: str, show: int, spaces: int) -> None:
    """Find the causes in a data set and print some, drawn by lot (the same ones each time)."""
    with Memory(":memory:", embedder=None, config=Config(background=False, mask_secrets=False)) as memory:
        if name == "samples":
            memory.import_(samples())
            scopes = [memory.space]
        else:
            data = load(SHARED / "data" / "benchmarks" / name)
            scopes = list(data.scopes)[:spaces]
            fill(memory, replace(data, scopes={scope: data.scopes[scope] for scope in scopes}))
        counts: Counter[str] = Counter()
        found: list[tuple[str, str, str, str]] = []
        for scope in scopes:
            memory.consolidate(space=scope)
            out = Causes(pairs=10**9)(memory._store, scope, PhaseContext(memory._clock.now(), UTC))
            counts.update(out.counts)
            for act in out.acts:
                explained = memory.explain(act.id, space=scope)
                cause = next(c for c in explained.causes if c.node.id == act.other)
                kinds = f"{cause.node.kind} → {explained.node.kind}"
                found.append((f"{act.why}; {kinds}", cause.node.content, explained.node.content, cause.quote))
        print(f"\n{name}: {len(scopes)} spaces, {counts['judged']} pairs judged, {counts['causal']} edges")
        random.Random(0).shuffle(found)
        for number, (why, one, other, quote) in enumerate(found[:show], 1):
            print(f"{number}. {why}\n   cause : {one[:300]!r}\n   effect: {other[:300]!r}\n   quote : {quote[:200]!r}")


def main() -> None:
    """Measure both parts and both languages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", action="store_true", help="print what was missed and made up")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--edges", nargs="+", metavar="SET", help="print edges found in data sets, or in the samples")
    parser.add_argument("--show", type=int, default=50, help="how many edges of each set")
    parser.add_argument("--spaces", type=int, default=20, help="conversations of each set")
    arguments = parser.parse_args()
    if arguments.edges:
        for name in arguments.edges:
            edges(name, arguments.show, arguments.spaces)
        return
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
