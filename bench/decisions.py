"""How well the decision over two statements matches the labels: ``python bench/decisions.py [--part dev|held] [--lang …] [--errors] [--json FILE]``.

Runs every pair of ``tests/labelled/pairs.jsonl`` through the decision and prints precision, recall and F1 of each
class, by language and part, with a confusion matrix (rows: label, columns: what was decided). Errors are listed for the
``dev`` half only, unless ``--part held`` asks for the other: rules are written against dev, held is for counting.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from mnemic.clock import to_micros
from mnemic.models import ORIGINS

PAIRS = Path(__file__).resolve().parents[1] / "tests" / "labelled" / "pairs.jsonl"
CLASSES = ("duplicate", "refines", "supersedes", "coexists", "conflict")
LANGUAGES = ("en", "ru", "mixed")
PARTS = ("dev", "held")
#: A verdict that is no class of the labels → the class it amounts to: two facts, neither touched.
SAME_AS = {"new": "coexists"}

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled pair with what was decided about it."""

    row: Row
    decision: str
    ends: str | None
    reason: str

    @property
    def label(self) -> str:
        return str(self.row["decision"])

    @property
    def right(self) -> bool:
        return self.decision == self.label


def pairs(path: Path = PAIRS) -> list[Row]:
    """All labelled pairs, in the order of the file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def decider() -> Callable[[Row], tuple[str, str | None, str]]:
    """The product's decision as a function of one pair → (class, which of the two ends, reason).

    The only place that knows how the product is asked.
    """
    from mnemic.consolidate.pairs import Statement, judge

    def said(side: Row) -> Any:
        return Statement(
            text=side["text"],
            at=to_micros(datetime.fromisoformat(side["at"])),
            speaker=side["speaker"],
            origin=side["origin"],
            trust=ORIGINS[side["origin"]],
        )

    def decide(row: Row) -> tuple[str, str | None, str]:
        decision = judge(said(row["old"]), said(row["new"]))
        return SAME_AS.get(decision.verdict, decision.verdict), decision.ends, decision.reason

    return decide


def ratio(part: int, whole: int) -> float | None:
    """``part / whole``, ``None`` where there is nothing to divide by."""
    return round(part / whole, 4) if whole else None


def score(judged: Iterable[Judged]) -> dict[str, Any]:
    """Precision, recall, F1 and size of each class; accuracy, confusions, and how often the right one of two ended."""
    all_of_them = list(judged)
    cells = Counter((j.label, j.decision) for j in all_of_them)
    classes: dict[str, dict[str, Any]] = {}
    for name in CLASSES:
        hits = cells[name, name]
        labelled = sum(n for (label, _), n in cells.items() if label == name)
        decided = sum(n for (_, decision), n in cells.items() if decision == name)
        classes[name] = {
            "precision": ratio(hits, decided),
            "recall": ratio(hits, labelled),
            "f1": ratio(2 * hits, labelled + decided),
            "pairs": labelled,
            "decided": decided,
        }
    ended = [j for j in all_of_them if j.right and j.label == "supersedes"]
    return {
        "pairs": len(all_of_them),
        "accuracy": ratio(sum(j.right for j in all_of_them), len(all_of_them)),
        "right_end": ratio(sum(j.ends == j.row["ends"] for j in ended), len(ended)),
        "classes": classes,
        "confusion": {label: {d: cells[label, d] for d in CLASSES} for label in CLASSES},
    }


def groups(judged: list[Judged]) -> dict[str, list[Judged]]:
    """Everything, each language, each part, and each language in each part; empty ones left out."""
    found = {"all": judged}
    for lang in LANGUAGES:
        found[lang] = [j for j in judged if j.row["lang"] == lang]
    for part in PARTS:
        found[part] = [j for j in judged if j.row["part"] == part]
    for lang in LANGUAGES:
        for part in PARTS:
            found[f"{lang} {part}"] = [j for j in judged if (j.row["lang"], j.row["part"]) == (lang, part)]
    return {name: members for name, members in found.items() if members}


def cell(value: float | None) -> str:
    """A share as the tables show it."""
    return "    –" if value is None else f"{value:5.3f}"


def show(name: str, result: dict[str, Any], matrix: bool) -> None:
    """One group on the screen."""
    print(
        f"\n{name}: {result['pairs']} pairs, accuracy {cell(result['accuracy'])}, right end {cell(result['right_end'])}"
    )
    print(f"  {'':<11}{'prec.':>6} {'recall':>6} {'F1':>6} {'pairs':>6}")
    for label, m in result["classes"].items():
        print(f"  {label:<11}{cell(m['precision']):>6} {cell(m['recall']):>6} {cell(m['f1']):>6} {m['pairs']:>6}")
    if matrix:
        print("  label ↓ decided →" + "".join(f"{c:>12}" for c in CLASSES))
        for label, row in result["confusion"].items():
            print(f"  {label:<17}" + "".join(f"{row[c]:>12}" for c in CLASSES))


def show_errors(judged: list[Judged]) -> None:
    """Every wrong decision with both texts; a supersession that ends the wrong one of two counts as wrong here."""
    for j in judged:
        if j.right and (j.label != "supersedes" or j.ends == j.row["ends"]):
            continue
        old, new = j.row["old"], j.row["new"]
        wrong_end = f" (ends {j.ends}, should be {j.row['ends']})" if j.right else ""
        print(f"\n{j.row['id']} {j.row['kind']}: {j.label}, decided {j.decision}{wrong_end}: {j.reason}")
        for which, side in (("old", old), ("new", new)):
            print(f"  {which} {side['at'][:16]} {side['speaker'] or '–'} {side['origin']}: {side['text']}")


def main() -> int:
    """Decide all pairs and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, help="only this half")
    parser.add_argument("--lang", choices=LANGUAGES, help="only this language")
    parser.add_argument("--errors", action="store_true", help="list wrong decisions (dev half, unless --part held)")
    parser.add_argument("--json", type=Path, help="also write everything here")
    arguments = parser.parse_args()
    chosen = [row for row in pairs() if arguments.part in (None, row["part"]) and arguments.lang in (None, row["lang"])]
    decide = decider()
    began = time.perf_counter()
    judged = [Judged(row, *decide(row)) for row in chosen]
    seconds = time.perf_counter() - began
    results = {name: score(members) for name, members in groups(judged).items()}
    for name, result in results.items():
        show(name, result, matrix=" " not in name)
    kinds = Counter(j.row["kind"] for j in judged)
    wrong = Counter(j.row["kind"] for j in judged if not j.right)
    print("\nwrong by kind: " + (", ".join(f"{k} {n}/{kinds[k]}" for k, n in wrong.most_common()) or "none"))
    print(f"{len(judged)} pairs in {seconds:.2f} s")
    if arguments.errors:
        show_errors([j for j in judged if j.row["part"] == (arguments.part or "dev")])
    if arguments.json:
        everything = {
            "seconds": round(seconds, 3),
            "groups": results,
            "kinds": {k: {"pairs": n, "wrong": wrong[k]} for k, n in sorted(kinds.items())},
            "pairs": [
                {
                    "id": j.row["id"],
                    "label": j.label,
                    "decision": j.decision,
                    "ends": j.ends,
                    "reason": j.reason,
                    "right": j.right,
                }
                for j in judged
            ],
        }
        arguments.json.write_text(json.dumps(everything, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
