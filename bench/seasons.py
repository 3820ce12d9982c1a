"""How long finding what comes back every year takes, and how much of it is accident: ``python bench/seasons.py
[MESSAGES]``.

A memory of three years with words drawn by Zipf's law is filled with so many messages (100,000 by default), at random
times, and with twelve topics of two words that really come back, one in each month, said once a year. Printed are the
seconds of the phase, the peak of memory over what was there before it, the topics that were planted and found, and
those that chance made.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import tempfile
import time
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

from mnemic import Config, Memory
from mnemic.clock import to_micros
from mnemic.ingest.observe import prepare
from mnemic.phase import PhaseContext
from mnemic.recall import seasons

YEARS = (2023, 2024, 2025)
VOCABULARY = 60_000
WORDS = 14
BATCH = 2_000
SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]


def word(number: int) -> str:
    """A word for a number."""
    parts = []
    number += 70
    while number:
        number, rest = divmod(number, len(SYLLABLES))
        parts.append(SYLLABLES[rest])
    return "".join(parts) + "k"


def filled(memory: Memory, count: int, chance: random.Random) -> set[str]:
    """Write the messages; returns the words of the planted topics."""
    weights = list(accumulate(1 / (rank + 3) for rank in range(VOCABULARY)))
    vocabulary = [word(number) for number in range(VOCABULARY)]
    begin = datetime(YEARS[0], 1, 1, tzinfo=UTC)
    texts = [(begin + timedelta(minutes=chance.randrange(3 * 365 * 1440)), "") for _ in range(count)]
    planted = set()
    for month in range(1, 13):
        pair = (word(10**6 + month), word(2 * 10**6 + month))
        planted |= set(pair)
        for year in YEARS:
            texts.append((datetime(year, month, chance.randrange(1, 29), 12, tzinfo=UTC), " ".join(pair)))
    nodes = []
    for at, extra in texts:
        text = " ".join(chance.choices(vocabulary, cum_weights=weights, k=WORDS)) + " " + extra
        nodes.append(prepare(text, now=0, zone=UTC, at=at, session=f"{at:%Y%m%d}", mask_secrets=False))
    for start in range(0, len(nodes), BATCH):
        part = nodes[start : start + BATCH]
        memory._store.run(lambda tx, part=part: tx.add("default", part))
    return planted


def main() -> None:
    """Measure once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("messages", nargs="?", type=int, default=100_000)
    arguments = parser.parse_args()
    night = PhaseContext(to_micros(datetime(2026, 2, 1, tzinfo=UTC)), UTC)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with Memory(path, embedder=None, config=Config(background=False)) as memory:
            planted = filled(memory, arguments.messages, random.Random(7))
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            began = time.perf_counter()
            out = seasons.find(memory._store, "default", night)
            seconds = time.perf_counter() - began
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            shown = {s.topic: s for month in range(1, 13) for s in memory.review.seasonal(f"2026-{month:02}-15")}
            began = time.perf_counter()
            memory.review.seasonal("2026-06-15")
            reading = time.perf_counter() - began
    found = {topic for topic in shown if planted & set(topic.split())}
    result = {
        "messages": arguments.messages,
        "seconds": round(seconds, 2),
        "extra_megabytes": round(peak / 1024),
        "planted": len(planted) // 2,
        "found": len(found),
        "by_accident": len(shown) - len(found),
        "counts": dict(out.counts),
        "seasonal_ms": round(reading * 1000, 2),
    }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
