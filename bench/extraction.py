"""How well the rules read facts out of dialogue: ``python bench/extraction.py [--errors] [--json FILE]``.

Runs ``mnemic.consolidate.reader.Rules`` over ``tests/labelled/extraction.jsonl`` and prints precision and recall by
part, language and predicate, and what was made up where nothing durable is said. What counts as right stands in
``tests/labelled/README.md``. Tune on part ``dev``; ``--errors`` shows the misses of that part only, so that ``held``
stays unseen.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mnemic.clock import to_datetime, to_micros
from mnemic.consolidate.claims import Candidate, Said
from mnemic.models import ORIGINS
from mnemic.text.analyse import STOP_WORDS, fold, raw_words, terms

SET = Path(__file__).resolve().parents[1] / "tests" / "labelled" / "extraction.jsonl"
PARTS = ("dev", "held")
#: Words that an object may hold beside those of the label. Without a limit the whole sentence would always be right.
EXTRA_WORDS = 4
#: The same for predicates whose object is a phrase, of which the label gives the kernel.
EXTRA_PHRASE = 12
PHRASES = frozenset(
    [
        "likes",
        "dislikes",
        "prefers",
        "habit",
        "plans",
        "health",
        "status",
        "states",
        "decided",
        "fixed_by",
        "breaks_when",
        "command",
    ]
)
NEGATIONS = frozenset(("not", "no", "не", "нет", "без"))

Row = Mapping[str, Any]
Label = Mapping[str, Any]


def words(text: str) -> frozenset[str]:
    """Stems of the words that carry a value: without stop words, unless there is nothing else. Negations stay."""
    kept = [w for w in raw_words(text) if fold(w) not in STOP_WORDS or fold(w) in NEGATIONS]
    return frozenset(terms(" ".join(kept) or text))


def is_right(label: Label, found: Candidate) -> bool:
    """Whether a candidate says what a label says: subject, predicate, act and object."""
    if found.act != label["act"] or found.predicate not in (label["predicate"], *label.get("predicate_any", ())):
        return False
    if not any(words(found.subject) == words(s) for s in (label["subject"], *label.get("subject_any", ()))):
        return False
    extra = EXTRA_PHRASE if found.predicate in PHRASES else EXTRA_WORDS
    said = words(found.object)
    wanted = (words(o) for o in (label["object"], *label.get("object_any", ())))
    return any(w and w <= said and len(said - w) <= extra for w in wanted)


@dataclass
class Score:
    """Counts of one slice. ``wrong``: candidates that are neither right, nor optional, nor a right one said again."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def add(self, other: Score) -> None:
        """Add the counts of another slice."""
        self.right += other.right
        self.wrong += other.wrong
        self.missed += other.missed

    def figures(self) -> dict[str, float | int | None]:
        """Precision, recall, F1 (``None`` where nothing is there to divide by) and the counts."""
        given, due = self.right + self.wrong, self.right + self.missed
        return {
            "precision": round(self.right / given, 3) if given else None,
            "recall": round(self.right / due, 3) if due else None,
            "f1": round(2 * self.right / (given + due), 3) if given + due else None,
            "right": self.right,
            "wrong": self.wrong,
            "missed": self.missed,
        }


@dataclass
class Judged:
    """One row as it came out. ``pairs``: the labels met, with the candidate that met them."""

    row: Row
    pairs: list[tuple[Label, Candidate]] = field(default_factory=list)
    missed: list[Label] = field(default_factory=list)
    wrong: list[Candidate] = field(default_factory=list)


def judge(row: Row, found: Iterable[Candidate]) -> Judged:
    """Pair labels with candidates, each used once, in order; what is optional or said twice counts for nothing."""
    out, left = Judged(row), list(found)
    for label in row["facts"]:
        hit = next((c for c in left if is_right(label, c)), None)
        if hit is None:
            out.missed.append(label)
        else:
            left.remove(hit)
            out.pairs.append((label, hit))
    neutral = [*(label for label, _ in out.pairs), *row.get("optional", ())]
    out.wrong = [c for c in left if not any(is_right(label, c) for label in neutral)]
    return out


def page(row: Row) -> list[Said]:
    """The episodes of a row; the role names the channel, as it does for messages taken in live."""
    at = to_micros(datetime.fromisoformat(row["at"]).astimezone(UTC))
    return [
        Said(f"{row['id']}/{i}", m["text"], at, m["role"], m["speaker"], m["role"], ORIGINS[m["role"]])
        for i, m in enumerate(row["messages"])
    ]


def day(micros: int | None) -> str | None:
    """The day of a time, UTC, as labels write it."""
    return None if micros is None else to_datetime(micros).date().isoformat()


def report(judged: list[Judged]) -> dict[str, Any]:
    """All figures of one part."""
    total, agreed = Score(), Counter[str]()
    by_lang: dict[str, Score] = {}
    by_predicate: dict[str, Score] = {}
    empty = empty_hit = empty_wrong = 0
    for one in judged:
        here = Score(len(one.pairs), len(one.wrong), len(one.missed))
        total.add(here)
        by_lang.setdefault(one.row["lang"], Score()).add(here)
        if not one.row["facts"]:
            empty += 1
            empty_hit += bool(one.wrong)
            empty_wrong += len(one.wrong)
        for label, hit in one.pairs:
            by_predicate.setdefault(label["predicate"], Score()).right += 1
            agreed["source"] += hit.source == f"{one.row['id']}/{label['message']}"
            agreed["quote verbatim"] += any(hit.quote in m["text"] for m in one.row["messages"])
            for edge in ("valid_from", "valid_until"):
                if edge in label:
                    agreed[f"{edge} due"] += 1
                    agreed[edge] += day(getattr(hit, edge)) == label[edge]
        for label in one.missed:
            by_predicate.setdefault(label["predicate"], Score()).missed += 1
        for hit in one.wrong:
            by_predicate.setdefault(hit.predicate, Score()).wrong += 1
    return {
        "rows": len(judged),
        "all": total.figures(),
        "by_lang": {k: v.figures() for k, v in sorted(by_lang.items())},
        "by_predicate": {k: v.figures() for k, v in sorted(by_predicate.items())},
        "nothing": {"rows": empty, "rows_with_false_facts": empty_hit, "false_facts": empty_wrong},
        "of_the_right": {"facts": total.right, **dict(sorted(agreed.items()))},
    }


def show(part: str, result: Mapping[str, Any]) -> None:
    """Print the figures of one part."""
    print(f"\n{part}: {result['rows']} rows")
    print(f"  {'':<14}{'precision':>10}{'recall':>8}{'f1':>7}{'right':>7}{'wrong':>7}{'missed':>8}")
    rows = [("all", result["all"]), *result["by_lang"].items(), *result["by_predicate"].items()]
    for name, f in rows:
        p, r, f1 = ("–" if f[k] is None else f"{f[k]:.3f}" for k in ("precision", "recall", "f1"))
        print(f"  {name:<14}{p:>10}{r:>8}{f1:>7}{f['right']:>7}{f['wrong']:>7}{f['missed']:>8}")
    n = result["nothing"]
    print(f"  nothing to find: {n['rows_with_false_facts']} of {n['rows']} rows with false facts ({n['false_facts']})")
    print("  of the right ones:", ", ".join(f"{k} {v}" for k, v in result["of_the_right"].items()))


def show_errors(judged: Iterable[Judged]) -> None:
    """Print every row with a miss or a false fact."""
    for one in judged:
        if not one.missed and not one.wrong:
            continue
        print(f"\n{one.row['id']} [{one.row['kind']}]")
        for m in one.row["messages"]:
            print(f"  {m['role']}{'/' + m['speaker'] if m['speaker'] else ''}: {m['text']}")
        for label in one.missed:
            print(f"  - missed {label['subject']} · {label['predicate']} · {label['object']} ({label['act']})")
        for c in one.wrong:
            print(f"  + wrong  {c.subject} · {c.predicate} · {c.object} ({c.act}; {c.made_by}: {c.quote!r})")


def main() -> None:
    """Measure both parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--errors", action="store_true", help="print what was missed and made up in part dev")
    arguments = parser.parse_args()
    from mnemic.consolidate.reader import Rules

    rules, began = Rules(), time.perf_counter()
    rows = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]
    judged = [judge(row, rules.extract(page(row), {}).candidates) for row in rows]
    seconds = time.perf_counter() - began
    results: dict[str, Any] = {p: report([j for j in judged if j.row["part"] == p]) for p in PARTS}
    if arguments.errors:
        show_errors(j for j in judged if j.row["part"] == "dev")
    for part in PARTS:
        show(part, results[part])
    print(f"\n{rules.name}: {len(rows)} rows in {seconds * 1000:.0f} ms")
    if arguments.json:
        body = {"extractor": rules.name, "seconds": round(seconds, 4), **results}
        arguments.json.write_text(json.dumps(body, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
