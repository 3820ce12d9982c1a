"""Values that changed: does the newer message stand above the older one? ``python bench/updates.py [--keep FOLDER]
[--json FILE]``.

BEAM-100K says for each question about an updated value which messages gave the old one and which the new one. Printed
is how often the newest stands above the oldest among the first twenty hits where both are there, and how often an older
one says that there is a newer one; and how many hits say so in answers to questions of other types.
"""

from __future__ import annotations

import argparse
import json
import lzma
from pathlib import Path

from quality import BENCHMARKS, dataset

from mnemic.evaluate.run import filled

SET, TYPE, DEPTH = "beam_100K", "knowledge_update", 20


def pairs() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Question id → ids of the messages with the old value, and of those with the new one."""
    out = {}
    with lzma.open(BENCHMARKS / f"{SET}.queries.jsonl.xz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if row["type"] == TYPE:
                old, new = (frozenset(map(str, row["roles"][name])) for name in ("original_info", "updated_info"))
                out[row["qid"]] = (old - new, new - old)
    return out


def main() -> None:
    """Ask all questions of the set once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--keep", type=Path, help="folder of filled databases, as of bench/quality.py")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    data, known = dataset(SET), pairs()
    result = {"pairs": sum(bool(old and new) for old, new in known.values()), "found": 0, "above": 0, "marked": 0}
    result |= {"other_hits": 0, "other_marked": 0}
    path = str(arguments.keep / f"{SET}.db") if arguments.keep else ":memory:"
    with filled(data, arguments.embedder, path=path) as (memory, clock):
        for question in data.questions:
            clock.at = question.at
            hits = memory.recall(question.text, limit=DEPTH, space=question.scope).hits
            place = {hit.node.key: i for i, hit in enumerate(hits)}
            old, new = known.get(question.qid, (frozenset[str](), frozenset[str]()))
            olds, news = ([place[key] for key in keys if key in place] for keys in (old, new))
            if question.qid not in known:
                result["other_hits"] += len(hits)
                result["other_marked"] += sum(bool(hit.status) for hit in hits)
            elif olds and news:
                result["found"] += 1
                result["above"] += min(news) < min(olds)
                result["marked"] += any(hits[i].status for i in olds)
    print(json.dumps(result, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(result) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
