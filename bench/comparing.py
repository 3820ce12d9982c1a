"""How statements are compared: ``python bench/comparing.py [SET …] [--errors] [--held] [--embedder NAME] [--json FILE]``.

Sets, all of them where none is named:

- ``plain``: the second of two plainly worded statements ends the first (``plain_pairs.jsonl``), through ``remember``.
- ``near``: near but different statements are neither joined nor ended (``near_pairs.jsonl``), through ``remember``.
- ``unrelated``: the same of sentences that people really said, at random and nearest by shared words (shared
  data), by the function alone: told to a memory the 1,440 pairs take ten minutes and give the same.
- ``dialogues``: what was so and what is so of the dialogues of the shared data, where they are there.
- ``decisions``: verdicts over ``pairs.jsonl``, through ``remember``.
- ``duplicates``, ``contradictions``: the phases of the night over their sets.

Rules are written against the ``dev`` half; ``held`` is for counting, and its errors are shown only with ``--held``.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

from mnemic import Config, Memory
from mnemic.clock import DAY
from mnemic.consolidate.pairs import Told, judge
from mnemic.forget.contradict import Contradictions
from mnemic.forget.dedupe import Duplicates
from mnemic.phase import PhaseContext
from mnemic.testing import FrozenClock
from mnemic.text.analyse import stop_terms, terms

ROOT = Path(__file__).resolve().parents[1]
LABELLED = ROOT / "tests" / "labelled"
SHARED = Path(os.environ.get("MNEMIC_SHARED", ROOT.parent / "shared")) / "data"
CLASSES = ("duplicate", "refines", "supersedes", "coexists", "conflict")
#: Set → (field of the label, act of the phase).
NIGHTS = {"duplicates": ("same", "duplicate"), "contradictions": ("contradiction", "conflict")}
CORPORA = ("locomo", "realmem", "lifebench_dev", "koziev_ru", "carmem", "prefeval_dev")
FIRST, LATER, TOLD = "2026-01-10T09:00:00Z", "2026-02-20T09:00:00Z", "2026-06-01T12:00:00Z"

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Seen:
    """A pair, what was expected of it, and what was made of it."""

    id: str
    part: str
    lang: str
    old: str
    new: str
    label: str
    found: str
    why: str = ""


def rows(name: str) -> list[Row]:
    """The rows of a labelled set."""
    return [json.loads(line) for line in (LABELLED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


# -- through remember --------------------------------------------------------------------------------------------------


def remembered(memory: Memory, space: str, old: Row, new: Row) -> tuple[str, str]:
    """What a memory made of two statements told one after the other: (class, reason)."""
    told = []
    for side in (old, new):
        told.append(memory.remember(side.pop("text"), space=space, **side))
        memory.flush()  # its vector is there before the next one is told
    if told[1].acknowledged == "known":
        return "duplicate", "known"
    before, after = told[0].id, told[1].id
    for conflict in memory.review.conflicts(space=space):
        if {conflict.left.id, conflict.right.id} == {before, after}:
            return "conflict", conflict.why or ""
    chain = memory.explain(after, space=space).history
    over = next((v for v in chain if v.node.valid_until is not None or v.node.hidden_at is not None), None)
    if over is None or before not in {version.node.id for version in chain}:
        return "coexists", ""
    return ("refines" if over.node.hidden_why == "refined" else "supersedes"), over.why or ""


def _told(memory: Memory, name: str, items: Iterable[tuple[str, str, str, str, str]], label: str) -> list[Seen]:
    out = []
    for id_, part, lang, old, new in items:
        sides = {"text": old, "at": FIRST}, {"text": new, "at": LATER}
        out.append(Seen(id_, part, lang, old, new, label, *remembered(memory, f"{name}-{id_}", *sides)))
    return out


def plain(memory: Memory, _seed: int) -> list[Seen]:
    """Plainly worded pairs: the old value ends."""
    items = [(r["id"], r["part"], r["lang"], r["old"], r["new"]) for r in rows("plain_pairs")]
    return _told(memory, "plain", items, "supersedes")


def near(memory: Memory, _seed: int) -> list[Seen]:
    """Near but different pairs: both stay."""
    items = [(r["id"], r["part"], r["lang"], r["left"], r["right"]) for r in rows("near_pairs")]
    return _told(memory, "near", items, "coexists")


def unrelated(_memory: Memory, seed: int) -> list[Seen]:
    """Sentences of one speaker from real talk: a third at random, the rest nearest by the words they share."""
    out = []
    for name in CORPORA:
        for n, (old, new) in enumerate(_sentences(name, random.Random(f"{name}{seed}"))):
            found = judge(Told(old, 0), Told(new, 30 * DAY))
            out.append(Seen(f"{name}-{n}", "held", name, old, new, "coexists", found.verdict, found.reason))
    return out


def _sentences(name: str, chance: random.Random, most: int = 240) -> Iterator[tuple[str, str]]:
    path = SHARED / "benchmarks" / f"{name}.docs.jsonl.xz"
    if not path.exists():
        return
    said: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            for sentence in re.split(r"(?<=[.!?])\s+", row["text"][:1_500]):
                if 15 < len(sentence) < 160:
                    said[row["conv"], row["speaker"]].setdefault(sentence)
    voices = [list(found) for found in said.values() if len(found) > 20]
    made: dict[tuple[str, str], None] = {}
    while voices and len(made) < most:
        found = chance.choice(voices)
        found = chance.sample(found, min(len(found), 600))
        words = [set(terms(s)) - stop_terms() for s in found]
        for at in chance.sample(range(len(found)), min(6, len(found))):
            likeness = sorted(
                ((len(words[at] & w) / (len(words[at] | w) or 1), i) for i, w in enumerate(words) if i != at),
                reverse=True,
            )
            picked = [likeness[0][1], likeness[1][1], chance.randrange(len(found))]
            for other in picked:
                pair = (found[min(at, other)], found[max(at, other)])
                if re.findall(r"\w+", pair[0].casefold()) != re.findall(r"\w+", pair[1].casefold()):
                    made.setdefault(pair)
    yield from list(made)[:most]


def dialogues(memory: Memory, _seed: int) -> list[Seen]:
    """What the dialogues say was so and is so, in the words of their judge."""
    path = SHARED / "dialogues.json"
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    items = [
        (f"{d['id']}-{n}", "held", d["lang"], ask["oracle"]["say_was"], ask["oracle"]["say_now"])
        for d in found
        for n, ask in enumerate(d["asks"])
        if ask.get("oracle", {}).get("say_was") and ask["oracle"].get("say_now")
    ]
    return _told(memory, "dialogues", items, "supersedes")


def decisions(memory: Memory, _seed: int) -> list[Seen]:
    """The labelled pairs, with their speakers, channels and times."""
    out = []
    for row in rows("pairs"):
        found = remembered(memory, row["id"], dict(row["old"]), dict(row["new"]))
        texts = row["old"]["text"], row["new"]["text"]
        out.append(Seen(row["id"], row["part"], row["lang"], *texts, row["decision"], *found))
    return out


# -- through the night -------------------------------------------------------------------------------------------------


def nights(name: str, memory: Memory, part: str | None = None) -> list[Seen]:
    """Each pair of a set told to a memory and given to its phase as a night would."""
    label, act = NIGHTS[name]
    chosen = [row for row in rows(name) if part in (None, row["part"])]
    for row in chosen:
        for side in ("left", "right"):
            said = row[side]
            key = f"{row['id']}:{side}"
            memory.remember(said["text"], at=said["at"], valid_until=said.get("until"), key=key, space=row["id"])
    memory.flush()
    phase = Duplicates(memory.embedder) if name == "duplicates" else Contradictions()
    out = []
    for row in chosen:
        outcome = phase(memory._store, row["id"], PhaseContext(memory._clock.now(), UTC))
        acts = [a for a in outcome.acts if a.act == act]
        texts = row["left"]["text"], row["right"]["text"]
        found = act if acts else "coexists"
        expected = act if row[label] else "coexists"
        out.append(Seen(row["id"], row["part"], row["lang"], *texts, expected, found, acts[0].why if acts else ""))
    return out


SETS: dict[str, Callable[[Memory, int], list[Seen]]] = {
    "plain": plain,
    "near": near,
    "unrelated": unrelated,
    "dialogues": dialogues,
    "decisions": decisions,
    "duplicates": lambda memory, _: nights("duplicates", memory),
    "contradictions": lambda memory, _: nights("contradictions", memory),
}


# -- figures -----------------------------------------------------------------------------------------------------------


def measures(found: Iterable[Seen]) -> dict[str, tuple[int, int, int]]:
    """Class → (right, decided, labelled), of the classes that occur."""
    cells = Counter((s.label, s.found) for s in found)
    out = {}
    for name in CLASSES:
        hits = cells[name, name]
        decided = sum(n for (_, f), n in cells.items() if f == name)
        labelled = sum(n for (label, _), n in cells.items() if label == name)
        if decided or labelled:
            out[name] = (hits, decided, labelled)
    return out


def touched(found: Iterable[Seen]) -> tuple[int, int]:
    """How many pairs were joined or ended, of how many."""
    whole = list(found)
    return sum(s.found in ("duplicate", "refines", "supersedes") for s in whole), len(whole)


def ended(found: Iterable[Seen]) -> tuple[int, int]:
    """In how many pairs the old value is no longer offered as current, of how many."""
    whole = list(found)
    return sum(s.found in ("refines", "supersedes") for s in whole), len(whole)


def show(name: str, found: list[Seen]) -> None:
    """The figures of a set on the screen, whole, by half and by language."""
    groups = {"all": found}
    for key in sorted({s.part for s in found}) + sorted({s.lang for s in found}):
        groups[key] = [s for s in found if key in (s.part, s.lang)]
    for group, members in groups.items():
        if name in ("plain", "dialogues", "near", "unrelated"):
            hits, whole = (ended if name in ("plain", "dialogues") else touched)(members)
            conflicts = sum(s.found == "conflict" for s in members)
            what = "ended" if name in ("plain", "dialogues") else "joined or ended"
            print(f"  {group:<14} {what} {hits}/{whole} = {hits / max(1, whole):.3f}, {conflicts} in conflict")
            continue
        for label, (hits, decided, labelled) in measures(members).items():
            if name in NIGHTS and label == "coexists":
                continue
            precision, recall = hits / max(1, decided), hits / max(1, labelled)
            print(
                f"  {group:<6} {label:<11} precision {precision:.3f} ({decided:>3})  recall {recall:.3f} ({labelled:>3})"
            )


def main() -> int:
    """Run the sets and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", choices=(*SETS, []), help=", ".join(SETS))
    parser.add_argument("--errors", action="store_true", help="list what is not as expected, of the dev half")
    parser.add_argument("--held", action="store_true", help="list it of the other half too")
    parser.add_argument("--embedder", default="auto", help="name of the embedder, or none")
    parser.add_argument("--seed", type=int, default=1, help="of the real sentences")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write everything here")
    arguments = parser.parse_args()
    report = {}
    for name in arguments.sets or SETS:
        began = time.perf_counter()
        quiet = Config(background=False)
        with Memory(":memory:", embedder=arguments.embedder, config=quiet, clock=FrozenClock(TOLD)) as memory:
            found = SETS[name](memory, arguments.seed)
        print(f"\n{name}: {len(found)} pairs in {time.perf_counter() - began:.1f} s")
        show(name, found)
        for s in found if arguments.errors else ():
            if s.label != s.found and (s.part == "dev" or arguments.held):
                print(f"    {s.id} {s.label}, found {s.found}: {s.old} | {s.new} | {s.why}")
        report[name] = [vars_of(s) for s in found]
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


def vars_of(seen: Seen) -> dict[str, str]:
    """A pair as JSON has it."""
    return {name: getattr(seen, name) for name in Seen.__slots__}


if __name__ == "__main__":
    sys.exit(main())
