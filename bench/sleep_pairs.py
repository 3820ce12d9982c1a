"""Duplicates and contradictions of the night against the labels: ``python bench/sleep_pairs.py [--errors] [--words] [--json FILE]``.

Every pair of ``tests/labelled/duplicates.jsonl`` and ``contradictions.jsonl`` is remembered in a space of its own, embedded,
and given to the phases as a night would. Prints precision and recall at the default threshold, by half and language.
Rules are written against the ``dev`` half; ``held`` is for counting, and errors are listed for ``dev`` only.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

from mnemic import Config, Memory
from mnemic.forget.contradict import Contradictions
from mnemic.forget.dedupe import Duplicates
from mnemic.phase import PhaseContext
from mnemic.testing import FrozenClock

LABELLED = Path(__file__).resolve().parents[1] / "tests" / "labelled"
#: Set → (field of the label, act of the phase).
SETS = {"duplicates": ("same", "duplicate"), "contradictions": ("contradiction", "conflict")}
PARTS, LANGUAGES = ("dev", "held"), ("en", "ru")
NIGHT = "2026-06-01T03:00:00Z"

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Seen:
    """A labelled pair and what the night made of it."""

    row: Row
    label: bool
    found: bool
    why: str


def pairs(name: str) -> list[Row]:
    """The labelled pairs of a set."""
    return [json.loads(line) for line in (LABELLED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def seen(name: str, rows: Iterable[Row], embedder: str = "auto") -> list[Seen]:
    """Each pair through ``Memory`` and the phase, in a space of its own."""
    label, act = SETS[name]
    chosen = list(rows)
    out: list[Seen] = []
    clock = FrozenClock(NIGHT)
    with Memory(":memory:", embedder=embedder, clock=clock, config=Config(background=False)) as memory:
        for row in chosen:
            for side in ("left", "right"):
                said = row[side]
                memory.remember(
                    said["text"],
                    at=said["at"],
                    valid_until=said.get("until"),
                    key=f"{row['id']}:{side}",
                    space=row["id"],
                )
        memory.flush()
        phase = Duplicates(memory.embedder) if name == "duplicates" else Contradictions()
        for row in chosen:
            outcome = phase(memory._store, row["id"], PhaseContext(clock.now(), UTC))
            acts = [a for a in outcome.acts if a.act == act]
            out.append(Seen(row, bool(row[label]), bool(acts), acts[0].why if acts else ""))
    return out


def measures(found: Iterable[Seen]) -> dict[str, Any]:
    """Precision, recall and counts."""
    all_of_them = list(found)
    hits = sum(s.label and s.found for s in all_of_them)
    made, there = sum(s.found for s in all_of_them), sum(s.label for s in all_of_them)
    return {
        "pairs": len(all_of_them), "positive": there, "found": made, "right": hits,
        "precision": round(hits / made, 4) if made else None, "recall": round(hits / there, 4) if there else None,
    }  # fmt: skip


def groups(found: list[Seen]) -> dict[str, dict[str, Any]]:
    """Measures of all, of each half, and of each language in each half."""
    out = {"all": measures(found)}
    for part in PARTS:
        out[part] = measures(s for s in found if s.row["part"] == part)
        for lang in LANGUAGES:
            out[f"{part} {lang}"] = measures(s for s in found if s.row["part"] == part and s.row["lang"] == lang)
    return out


def main() -> int:
    """Run both sets and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", action="store_true", help="list wrong ones of the dev half")
    parser.add_argument("--words", action="store_true", help="without an embedder")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write everything here")
    arguments = parser.parse_args()
    report: dict[str, Any] = {}
    for name in SETS:
        began = time.perf_counter()
        found = seen(name, pairs(name), "none" if arguments.words else "auto")
        report[name] = {"groups": groups(found), "seconds": round(time.perf_counter() - began, 1)}
        print(f"\n{name}: {len(found)} pairs in {report[name]['seconds']} s")
        print(f"  {'':<8} {'prec.':>6} {'recall':>6} {'pairs':>6} {'found':>6}")
        for group, m in report[name]["groups"].items():
            shown = ["    –" if m[k] is None else f"{m[k]:6.3f}" for k in ("precision", "recall")]
            print(f"  {group:<8} {shown[0]:>6} {shown[1]:>6} {m['positive']:>3}/{m['pairs']:<3} {m['found']:>5}")
        report[name]["pairs"] = [{"id": s.row["id"], "label": s.label, "found": s.found, "why": s.why} for s in found]
        for s in found if arguments.errors else ():
            if s.row["part"] == "dev" and s.label != s.found:
                what = "found" if s.found else "missed"
                print(
                    f"  {what} {s.row['id']} {s.row['kind']}: {s.row['left']['text']} | {s.row['right']['text']} {s.why}"
                )
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
