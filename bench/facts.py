"""Many facts for measuring the clean-up of the night: ``python bench/facts.py [--facts 20000] [--vectors] [--json
FILE]``.

Makes facts of a few dozen frames, English and Russian, a twentieth of them said again in other words and a fiftieth
contradicted, and times the phases with their peak memory. ``make`` fills any memory, for other measurements.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import numpy as np

from mnemic import Config, Memory
from mnemic.forget.contradict import Contradictions
from mnemic.forget.dedupe import Duplicates
from mnemic.phase import PhaseContext
from mnemic.store.rows import NewNode
from mnemic.store.vectors import encode
from mnemic.testing import FrozenClock
from mnemic.text.analyse import search_text

#: (a statement, the same in other words, what contradicts it), with places for a name, a thing and a number.
FRAMES: tuple[tuple[str, str, str], ...] = (
    ("{name} keeps the {thing} in room {n}.", "In room {n} {name} keeps the {thing}.",
        "{name} does not keep the {thing} in room {n}."),
    ("The {thing} of {name} weighs {n} kg.", "{name}'s {thing} weighs {n} kg.", "The {thing} of {name} weighs {m} kg."),
    ("{name} is allergic to {thing}.", "{name} has a {thing} allergy.", "{name} is not allergic to {thing}."),
    ("The {thing} service of team {name} is enabled.", "Team {name}: the {thing} service is enabled.",
        "The {thing} service of team {name} is disabled."),
    ("{name} bought {n} pieces of {thing}.", "{name} purchased {n} pieces of {thing}.",
        "{name} bought {m} pieces of {thing}."),
    ("PR #{n} of {name} changes the {thing}.", "The {thing} is changed by PR #{n} of {name}.",
        "PR #{n} of {name} does not change the {thing}."),
    ("{name} любит {thing}.", "{name} обожает {thing}.", "{name} ненавидит {thing}."),
    ("В ящике {n} у команды {name} лежит {thing}.", "У команды {name} в ящике {n} лежит {thing}.",
        "В ящике {n} у команды {name} не лежит {thing}."),
    ("Сервис {thing} команды {name} включён.", "У команды {name} сервис {thing} включён.",
        "Сервис {thing} команды {name} выключен."),
    ("{name} держит {thing} в комнате {n}.", "В комнате {n} {name} держит {thing}.",
        "{name} не держит {thing} в комнате {n}."),
)  # fmt: skip
SYLLABLES = [
    "ba",
    "be",
    "bi",
    "bo",
    "bu",
    "da",
    "de",
    "di",
    "do",
    "du",
    "ka",
    "ke",
    "ki",
    "ko",
    "ku",
    "la",
    "le",
    "li",
    "lo",
    "lu",
    "ma",
    "me",
    "mi",
    "mo",
    "mu",
    "na",
    "ne",
    "ni",
    "no",
    "nu",
    "ra",
    "re",
    "ri",
    "ro",
    "ru",
    "ta",
    "te",
    "ti",
    "to",
]
TWICE, AGAINST = 0.05, 0.02
BATCH = 2_000


def texts(count: int, seed: int = 7) -> Iterator[str]:
    """So many facts, the same for the same seed."""
    chance = random.Random(seed)
    words = ["".join(chance.choice(SYLLABLES) for _ in range(3)) for _ in range(4_000)]
    made = 0
    while made < count:
        said, again, against = chance.choice(FRAMES)
        n = chance.randrange(2, 900)
        values = {"name": chance.choice(words).capitalize(), "thing": chance.choice(words), "n": n, "m": n + 1}
        kind = chance.random()
        for frame in (said, *((again,) if kind < TWICE else (against,) if kind < TWICE + AGAINST else ())):
            if made < count:
                yield frame.format(**values)
                made += 1


def make(memory: Memory, count: int, *, space: str = "default", seed: int = 7) -> None:
    """Write so many facts into a memory, all at the clock's now."""
    now = memory._store.now()
    batch: list[NewNode] = []

    def write() -> None:
        nodes = list(batch)
        memory._store.run(lambda tx: tx.add(space, nodes))
        batch.clear()

    for i, text in enumerate(texts(count, seed)):
        batch.append(
            NewNode(
                text,
                search_text(text),
                now - i,
                kind="semantic",
                label="fact",
                key=f"made:{i}",
                origin="user",
                trust=1.0,
            )
        )
        if len(batch) == BATCH:
            write()
    if batch:
        write()


def vectors(memory: Memory, model: str, dimension: int, space: str = "default") -> None:
    """Give every row of a space a vector that is nothing but its length: what they cost, not what they mean."""
    store = memory._store
    made = np.random.default_rng(7).standard_normal(dimension).astype(np.float32)
    data = encode(made / np.linalg.norm(made))
    rows = store.columns(space).row.tolist()
    with store.reader() as r:
        no = store.space_no(r, space)[0]  # type: ignore[index]
    from mnemic.store.tx import Q

    def begin(tx) -> int:  # type: ignore[no-untyped-def]
        tx.connection.execute(Q.new_generation, (model, dimension, tx.clock.now()))
        return int(tx.connection.execute(Q.generation, (model,)).fetchone()[0])

    generation = store.run(begin)
    for start in range(0, len(rows), 1_024):
        part = np.array(rows[start : start + 1_024], dtype="<i8")
        values = (generation, no, part.tobytes(), data * len(part))
        store.run(lambda tx, v=values: tx.connection.execute(Q.new_vector_chunk, v) and None)


def nights(count: int, clock: FrozenClock) -> dict[str, object]:
    """The whole nightly run over so many facts: the first, the same night again, and one when all have faded."""
    out: dict[str, object] = {}
    quiet = Config(background=False)
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory(Path(folder) / "m.db", embedder="hash:256", clock=clock, config=quiet) as memory,
    ):
        make(memory, count)
        print(f"{count} facts written, {_peak():.0f} MB", flush=True)
        for name, days in (("first", 0), ("again", 0), ("a year later", 400)):
            clock.advance(days=days)
            began = time.perf_counter()
            report = memory.sleep()
            row = {
                "seconds": round(time.perf_counter() - began, 1),
                "mb_peak": round(_peak()),
                "phases": {p.name: {"state": p.state, "seconds": p.seconds, **p.counts} for p in report.phases},
                "acts": sum(len(p.acts) for p in report.phases),
            }
            out[name] = row
            print(name, json.dumps(row), flush=True)
        out["ok"] = memory.doctor()["ok"]
        print("doctor", out["ok"], flush=True)
    return out


def main() -> int:
    """Make the facts and time the phases, the first night and one without news."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=20_000)
    parser.add_argument("--vectors", action="store_true", help="with vectors of 512 numbers beside the facts")
    parser.add_argument(
        "--night", action="store_true", help="the whole nightly run, with a hash embedder of 256 numbers"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    arguments = parser.parse_args()
    clock = FrozenClock("2026-06-01T03:00:00Z")
    report: dict[str, object] = {"facts": arguments.facts, "vectors": arguments.vectors}
    if arguments.night:
        report = {"facts": arguments.facts, **nights(arguments.facts, clock)}
        if arguments.json:
            arguments.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
        return 0
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory(Path(folder) / "m.db", embedder=None, clock=clock, config=Config(background=False)) as memory,
    ):
        make(memory, arguments.facts)
        if arguments.vectors:
            vectors(memory, "made", 512)
        report["mb_before"] = round(_peak())
        for night in ("first", "second"):
            for name, phase in (
                ("duplicates", Duplicates("made" if arguments.vectors else None)),
                ("contradictions", Contradictions()),
            ):
                began = time.perf_counter()
                out = phase(memory._store, "default", PhaseContext(clock.now(), UTC))
                row = {"seconds": round(time.perf_counter() - began, 2), "mb_peak": round(_peak()), **out.counts}
                report[f"{name}, {night} night"] = row
                print(f"{name}, {night} night: {row}")
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0


def _peak() -> float:
    """Most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    sys.exit(main())
