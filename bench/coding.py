"""Questions over real coding history: what a developer asks weeks later, and whether the message that answers comes up.

``python bench/coding.py [--keep FOLDER] [--misses] [--json FILE]``: imports every transcript of
``../shared/data/sessions`` into one memory, asks the questions of ``tests/labelled/coding_questions.jsonl`` and looks
for their answers. A second run with the same ``--keep`` imports and embeds nothing again.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transcripts import unpack

from mnemic import Config, Hit, Memory, Node
from mnemic.evaluate import metrics
from mnemic.testing import FrozenClock

QUESTIONS = Path(__file__).resolve().parents[1] / "tests" / "labelled" / "coding_questions.jsonl"
ASKED_AT = "2026-03-10T10:00:00Z"  # weeks after the last transcript, and the same in every run
#: What is measured of each question → how it is called on the page.
MEASURES = {
    "first3": "answer in the first 3 hits",
    "shown3": "or shown with one of them",
    "first10": "answer in the first 10",
    "block": "in the block of `context`",
    "users": "share of hits that are the user's",
}
KINDS = ("why", "what", "how", "where", "command", "error", "decision")
GROUPS = ("all", "tune", "held", *KINDS, "en", "ru", "echo")


@dataclass(frozen=True)
class Asked:
    """A question, its hits, where its answer stands among them (1 = first, ``None``: nowhere), and its measures."""

    row: Mapping[str, Any]
    hits: tuple[Hit, ...]
    rank: int | None
    measures: Mapping[str, float]


def questions() -> list[dict[str, Any]]:
    """The labelled questions."""
    return [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


def ids_of_rows(memory: Memory, folder: Path) -> dict[str, str]:
    """Row uuid → id of the message that holds it: the rows of one answer are one message, under the id of the
    answer."""
    stored = {node.key: node.id for node in memory.timeline(limit=100_000)}
    ids: dict[str, str] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_bytes().split(b"\n"):
            try:
                row = json.loads(line)
            except ValueError:  # a damaged line, or a file of another format
                continue
            if isinstance(row, dict) and row.get("type") in ("user", "assistant") and "uuid" in row:
                key = f"claude-code:{row['message'].get('id') or row['uuid']}"
                if key in stored:
                    ids.setdefault(row["uuid"], stored[key])
    return ids


def shown(hits: Iterable[Hit]) -> set[str]:
    """Ids of the messages that a reader of these hits has before them: what was found and what is shown with it."""
    nodes: list[Node] = []
    for hit in hits:
        nodes += [hit.node, *getattr(hit, "answer", ()), *(e.node for e in hit.evidence)]
    return {node.id for node in nodes}


def ask(memory: Memory, row: Mapping[str, Any], ids: Mapping[str, str]) -> Asked:
    """Ask one question."""
    wanted = {ids[uuid] for uuid in row["answers"]}
    hits = memory.recall(row["q"], limit=10).hits
    block = memory.context(row["q"])
    rank = next((place for place, hit in enumerate(hits, 1) if hit.node.id in wanted), None)
    measures = {
        "first3": float(rank is not None and rank <= 3),
        "shown3": float(bool(wanted & shown(hits[:3]))),
        "first10": float(rank is not None),
        "block": float(block is not None and not wanted.isdisjoint(block.items) and answered(row, block.text)),
        "users": sum(hit.node.role == "user" for hit in hits) / max(1, len(hits)),
    }
    return Asked(row, hits, rank, measures)


def answered(row: Mapping[str, Any], text: str) -> bool:
    """Whether a text has the words that an answer to this question must have: a block may cut a message before them."""
    return re.search(row["must"], text, re.I) is not None


def filled(folder: Path, embedder: str) -> Path:
    """The memory of all transcripts in ``folder``; what is there already is neither imported nor embedded again."""
    files, path = folder / "files", folder / "coding.db"
    if not files.exists():
        files.mkdir(parents=True)
        unpack(files)
    with opened(path, embedder) as memory:
        memory.import_(files)
        memory.flush()
    return path


def opened(path: Path, embedder: str) -> Memory:
    """The memory at ``path``, at the moment at which the questions are asked."""
    return Memory(path, embedder=embedder, clock=FrozenClock(ASKED_AT), config=Config(background=False))


def summary(asked: list[Asked]) -> dict[str, Any]:
    """Means and standard errors over questions, of all and of each group."""
    groups: dict[str, list[Asked]] = {name: [] for name in GROUPS}
    for one in asked:
        row = one.row
        for name in ("all", "tune" if row["tune"] else "held", row["kind"], row["lang"], *["echo"] * row["echo"]):
            groups[name].append(one)
    return {
        name: {
            "questions": len(members),
            **{m: metrics.mean([one.measures[m] for one in members]) for m in MEASURES},
            "standard_error": {m: metrics.standard_error([one.measures[m] for one in members]) for m in MEASURES},
        }
        for name, members in groups.items()
    }


def show_misses(asked: list[Asked]) -> None:
    """Questions whose answer is not shown with the first three hits, and what stands there in its place."""
    for one in asked:
        if not one.measures["shown3"]:
            print(f"{one.row['id']} {one.row['q']}  (answer at {one.rank or '-'})")
            for hit in one.hits[:3]:
                print(f"    {hit.node.role}: {' '.join(hit.node.content.split())[:100]}")


def main() -> None:
    """Import, ask, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--keep", type=Path, help="folder for the filled memory, one for each embedder")
    parser.add_argument(
        "--misses", action="store_true", help="also print what was found in place of each missed answer"
    )
    parser.add_argument("--json", type=Path, help="also write the figures here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        kept = filled(arguments.keep or Path(scratch), arguments.embedder)
        with opened(kept, arguments.embedder) as memory:
            copy = memory.backup(Path(scratch) / "asked.db")  # asking leaves traces, and every run starts without them
        with opened(copy, arguments.embedder) as memory:
            ids = ids_of_rows(memory, kept.parent / "files")
            asked = [ask(memory, row, ids) for row in questions()]
            embedder = memory.embedder
    result = summary(asked)
    print(f"{'':10} {'asked':>5}  " + "  ".join(f"{name:>13}" for name in MEASURES))
    for name, group in result.items():
        cells = (f"{group[m]:.3f} ± {group['standard_error'][m] or 0:.3f}" for m in MEASURES)
        print(f"{name:10} {group['questions']:5}  " + "  ".join(cells))
    if arguments.misses:
        show_misses(asked)
    if arguments.json:
        text = json.dumps({"embedder": embedder, "titles": MEASURES, "groups": result}, indent=1)
        arguments.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
