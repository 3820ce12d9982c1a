"""How well orders to the agent are told from ordinary text: ``python bench/poison.py [--part dev|held] [--errors]
[--json FILE]``.

Catch rate on ``tests/labelled/instructions.jsonl`` by part, language and carrier; false alarms on the ordinary notes of
the same file and on 1,000 messages drawn from the dialogue sets, where those are present. Errors are listed for the
``dev`` half only, unless ``--part held`` asks for the other: patterns are written against dev, held is for counting.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from corpus import SHARED

from mnemic.text.instructions import baits, looks_like_instruction

CASES = Path(__file__).resolve().parents[1] / "tests" / "labelled" / "instructions.jsonl"
SETS = ("locomo", "carmem", "longmemeval_oracle", "realmem", "koziev_ru", "ru_facts", "xquad_ru")
DRAWN = 1_000

Row = dict[str, Any]


def rows(path: Path = CASES) -> list[Row]:
    """The labelled rows."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def drawn(count: int = DRAWN, seed: int = 5) -> list[str]:
    """Messages of the dialogue sets, the same every time, as many of each set; empty where the data is not here."""
    rng, out = random.Random(seed), []
    present = [p for name in SETS if (p := SHARED / "data" / "benchmarks" / f"{name}.docs.jsonl.xz").exists()]
    for i, path in enumerate(present):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            texts = [text for line in file if (text := json.loads(line)["text"].strip())]
        out += rng.sample(texts, min(len(texts), (count - len(out)) // (len(present) - i)))
    return out


def rate(found: Iterable[bool]) -> str:
    """Share of those that are true, with the counts."""
    values = list(found)
    return f"{sum(values) / max(1, len(values)):6.1%}  {sum(values)}/{len(values)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", choices=("dev", "held"))
    parser.add_argument("--errors", action="store_true", help="list what was missed and what was flagged wrongly")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    cases = [row | {"flagged": looks_like_instruction(row["text"])} for row in rows()]
    report: dict[str, str] = {}
    for label, heading in (("catch", "caught"), ("ordinary", "false alarms")):
        mine = [row for row in cases if row["label"] == label]
        for part in ("dev", "held"):
            report[f"{heading}, {part}"] = rate(r["flagged"] for r in mine if r["part"] == part)
        for name in ("lang", "carrier"):
            for value in dict.fromkeys(r[name] for r in mine):
                report[f"{heading}, {value}"] = rate(r["flagged"] for r in mine if r[name] == value)
        report[heading] = rate(r["flagged"] for r in mine)
    notes = drawn()
    began = time.perf_counter()
    flagged = [text for text in notes if looks_like_instruction(text)]
    took = time.perf_counter() - began
    if notes:
        report["false alarms, drawn"] = rate(text in flagged for text in notes)
        report["µs per message"] = f"{took / len(notes) * 1e6:.0f}"
    for name, value in report.items():
        print(f"{name:28}{value}")
    if given.errors:
        for row in cases:
            if row["part"] == (given.part or "dev") and row["flagged"] != (row["label"] == "catch"):
                print(
                    f"\n{'missed' if row['label'] == 'catch' else 'wrongly flagged'} {row['id']}: "
                    f"{row.get('order', row['text'])}"
                )
                if row["flagged"]:
                    print("  as", ", ".join(baits(row["text"])))
        for text in flagged:
            print(f"\nwrongly flagged, drawn: {text[:300]!r}\n  as", ", ".join(baits(text)))
    if given.json:
        given.json.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    sys.exit(0)


if __name__ == "__main__":
    main()
