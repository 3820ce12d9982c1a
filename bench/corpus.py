"""A made-up chat corpus of any size: words drawn from a Zipf law over real words where the benchmark data is
present."""

from __future__ import annotations

import json
import lzma
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

SHARED = Path(os.environ.get("MNEMIC_SHARED", Path(__file__).resolve().parents[2] / "shared"))
MEAN_WORDS = 59
SESSION = 20
START = 1_700_000_000


def vocabulary(size: int = 60_000) -> tuple[list[str], np.ndarray]:
    """Words and their chances: the counted words of LoCoMo and Koziev, then made-up rare ones."""
    counts: Counter[str] = Counter()
    for name in ("locomo", "koziev_ru"):
        path = SHARED / "data" / "benchmarks" / f"{name}.docs.jsonl.xz"
        if path.exists():
            with lzma.open(path, "rt", encoding="utf-8") as file:
                for line in file:
                    counts.update(json.loads(line)["text"].split())
    words = [w for w, _ in counts.most_common(size)]
    words += [f"слово{i}" if i % 5 == 0 else f"word{i}" for i in range(size - len(words))]
    chances = 1 / (np.arange(1, size + 1) + 2.7)
    return words, chances / chances.sum()


def messages(count: int, seed: int = 7) -> Iterator[dict[str, object]]:
    """Messages in order: role, content, session, timestamp. Those of another seed are others."""
    rng = np.random.default_rng(seed)
    words, chances = vocabulary()
    table = np.array(words, dtype=object)
    cumulative = np.cumsum(chances)
    for start in range(0, count, 5_000):
        size = min(5_000, count - start)
        lengths = np.maximum(3, rng.gamma(1.5, MEAN_WORDS / 1.5, size).astype(int))
        drawn = table[np.minimum(np.searchsorted(cumulative, rng.random(int(lengths.sum()))), len(table) - 1)]
        place = 0
        for i, length in enumerate(lengths):
            number = start + i
            yield {
                "role": "user" if number % 2 == 0 else "assistant",
                "content": " ".join(drawn[place : place + length]),
                "session_id": f"{seed}-{number // SESSION}",
                "timestamp": START + number * 40,
                "id": f"{seed}-{number}",
            }
            place += length


def dialogues(count: int) -> list[dict[str, str]]:
    """Messages of the dialogue sets where present (text, speaker), else made-up ones."""
    out: list[dict[str, str]] = []
    for name in ("locomo", "beam_100K", "realmem"):
        path = SHARED / "data" / "benchmarks" / f"{name}.docs.jsonl.xz"
        if path.exists():
            with lzma.open(path, "rt", encoding="utf-8") as file:
                out += [json.loads(line) for line in file]
    out = [d for d in out if d["text"].strip()][:count]
    return out or [{"text": str(m["content"]), "speaker": str(m["role"])} for m in messages(count)]


def write_jsonl(path: Path, count: int, seed: int = 7) -> int:
    """Write messages as JSON lines; returns the bytes written."""
    with path.open("w", encoding="utf-8") as file:
        for message in messages(count, seed):
            file.write(json.dumps(message, ensure_ascii=False) + "\n")
    return path.stat().st_size


def questions(count: int = 60, seed: int = 11) -> list[str]:
    """Real LoCoMo questions where present, else eight words of middling frequency."""
    path = SHARED / "data" / "benchmarks" / "locomo.queries.jsonl.xz"
    rng = np.random.default_rng(seed)
    if path.exists():
        with lzma.open(path, "rt", encoding="utf-8") as file:
            found = [json.loads(line)["question"] for line in file]
        return [found[i] for i in rng.choice(len(found), count, replace=False)]
    words, _ = vocabulary()
    return [" ".join(words[i] for i in rng.integers(50, 3_000, 8)) for _ in range(count)]
