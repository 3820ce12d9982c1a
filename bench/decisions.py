"""How well the decision over two statements matches the labels: ``python bench/decisions.py [--through remember|observe|pure] [--embedder NAME] [--part dev|held] [--lang …] [--errors] [--json FILE]``.

Tells every pair of ``tests/labelled/pairs.jsonl`` to a memory, in a space of its own, and prints precision, recall and
F1 of each class, by language and part, with a confusion matrix (rows: label, columns: what was decided). ``remember``
keeps both as statements; ``observe`` says them as messages of two sessions and consolidates, so that only what the
rules read counts; ``pure`` asks the function alone. Errors are listed for the ``dev`` half only, unless ``--part held``
asks for the other: rules are written against dev, held is for counting.
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

from mnemic import Memory
from mnemic.clock import to_micros
from mnemic.config import Config
from mnemic.models import KINDS, ORIGINS
from mnemic.testing import FrozenClock

PAIRS = Path(__file__).resolve().parents[1] / "tests" / "labelled" / "pairs.jsonl"
CLASSES = ("duplicate", "refines", "supersedes", "coexists", "conflict")
LANGUAGES = ("en", "ru", "mixed")
PARTS = ("dev", "held")
#: A verdict that is no class of the labels → the class it amounts to: two facts, neither touched.
SAME_AS = {"new": "coexists"}

DERIVED = tuple(kind for kind in KINDS if kind != "episodic")
#: When the pairs are told, after all that they speak of.
TOLD = "2026-06-01T12:00:00Z"

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


Decider = Callable[[Row], tuple[str, str | None, str]]


def through(way: str, memory: Memory) -> Decider:
    """The product's decision as a function of one pair → (class, which of the two ends, reason)."""
    return {"remember": remembering, "observe": observing, "pure": pure}[way](memory)


def pure(memory: Memory) -> Decider:
    """The comparison of two texts by itself, with no store behind it, and the cosine as the store has it."""
    from mnemic.consolidate.pairs import Statement, judge

    embedder = memory._embedder

    def near(a: str, b: str) -> float:
        one, other = embedder.embed([a, b], kind="document")
        return float(one @ other)

    def said(side: Row) -> Any:
        at = to_micros(datetime.fromisoformat(side["at"]))
        return Statement(side["text"], at, side["speaker"], side["origin"], ORIGINS[side["origin"]])

    def decide(row: Row) -> tuple[str, str | None, str]:
        cosine = near(row["old"]["text"], row["new"]["text"]) if embedder else None
        decision = judge(said(row["old"]), said(row["new"]), cosine=cosine)
        return SAME_AS.get(decision.verdict, decision.verdict), decision.ends, decision.reason

    return decide


def remembering(memory: Memory) -> Decider:
    """Both told by ``Memory.remember``; what the store holds afterwards is the decision."""

    def decide(row: Row) -> tuple[str, str | None, str]:
        told = []
        for side in (row["old"], row["new"]):
            node = memory.remember(
                side["text"], at=side["at"], origin=side["origin"], speaker=side["speaker"], space=row["id"]
            )
            memory.flush()  # its vector is there before the next one is told
            told.append(node)
        old, new = told
        if new.acknowledged == "known":
            return "duplicate", None, "known"
        return outcome(memory, row["id"], {old.id}, {new.id})

    return decide


def observing(memory: Memory) -> Decider:
    """Both said as messages, each in a session of its own, and consolidated."""

    def decide(row: Row) -> tuple[str, str | None, str]:
        found: list[set[str]] = []
        known = 0
        for name in ("old", "new"):
            side = row[name]
            memory.observe(
                side["text"],
                role=side["origin"] if side["origin"] in ("assistant", "tool") else "user",
                at=side["at"], origin=side["origin"], speaker=side["speaker"], session=name, space=row["id"],
            )  # fmt: skip
            report = memory.consolidate(space=row["id"])
            known = report.verdicts.get("duplicate", 0)
            facts = memory.timeline(space=row["id"], kinds=DERIVED, include_superseded=True)
            found.append({node.id for node in facts})
        if known and found[0] >= found[1]:
            return "duplicate", None, "evidence for what is known"
        return outcome(memory, row["id"], found[0], found[1] - found[0])

    return decide


def outcome(memory: Memory, space: str, before: set[str], after: set[str]) -> tuple[str, str | None, str]:
    """What a store holds of two statements: linked as versions, in open conflict, or side by side."""
    for conflict in memory.review.conflicts(space=space):
        if {conflict.left.id, conflict.right.id} & before and {conflict.left.id, conflict.right.id} & after:
            return "conflict", None, conflict.why or ""
    for id_ in sorted(after):
        chain = memory.explain(id_, space=space).history
        if not before & {version.node.id for version in chain}:
            continue
        over = next((v for v in chain if v.node.valid_until is not None or v.node.hidden_at is not None), None)
        if over is not None:
            verdict = "refines" if over.node.hidden_why == "refined" else "supersedes"
            return verdict, "old" if over.node.id in before else "new", over.why or ""
    return "coexists", None, "neither was touched"


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
    parser.add_argument("--through", choices=("remember", "observe", "pure"), default="remember")
    parser.add_argument("--embedder", default="auto", help="name of the embedder, or none")
    parser.add_argument("--part", choices=PARTS, help="only this half")
    parser.add_argument("--lang", choices=LANGUAGES, help="only this language")
    parser.add_argument("--errors", action="store_true", help="list wrong decisions (dev half, unless --part held)")
    parser.add_argument("--json", type=Path, help="also write everything here")
    arguments = parser.parse_args()
    chosen = [row for row in pairs() if arguments.part in (None, row["part"]) and arguments.lang in (None, row["lang"])]
    quiet = Config(background=False)
    with Memory(":memory:", embedder=arguments.embedder, config=quiet, clock=FrozenClock(TOLD)) as memory:
        decide = through(arguments.through, memory)
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
            "through": arguments.through,
            "embedder": arguments.embedder,
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
