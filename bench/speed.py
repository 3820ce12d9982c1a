"""Speed of mnemic beside the raw limit of the same machine in the same run: ``python bench/speed.py [PART…] [--json
FILE]``.

Parts: observe, import, recall, local (recall with the vectors of that extra), large (540,000 messages; minutes), memory
(a 1 GB folder; minutes), consolidate (10,000 messages of real dialogues to facts). Ratios are what counts: absolute
figures of a busy machine say little.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import numpy as np
from corpus import dialogues, messages, questions, write_jsonl

from mnemic import Config, Memory
from mnemic.text.analyse import search_text

QUIET = Config(background=False)


def milliseconds(values: list[float]) -> dict[str, float]:
    """Median and tails of seconds, in milliseconds."""
    ordered = sorted(values)

    def at(share: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000, 3)

    return {"p50": at(0.5), "p95": at(0.95), "p99": at(0.99), "runs": len(values)}


def timed(fn: Callable[[], object]) -> float:
    """Seconds of one call."""
    began = time.perf_counter()
    fn()
    return time.perf_counter() - began


def part_observe(folder: Path) -> dict[str, Any]:
    """Latency of ``observe`` by acknowledgement, messages paced as an agent would send them."""
    with Memory(folder / "observe.db", embedder=None, config=QUIET) as memory:
        texts = [str(m["content"]) for m in messages(4_200, seed=3)]
        for text in texts[:200]:
            memory.observe(text)
        accepted, stored = [], []
        for i, text in enumerate(texts[200:]):
            ack = "accepted" if i % 2 else "stored"
            (accepted if i % 2 else stored).append(timed(lambda text=text, ack=ack: memory.observe(text, ack=ack)))  # type: ignore[misc]
            time.sleep(0.0005)
    return {"accepted": milliseconds(accepted), "stored": milliseconds(stored)}


def raw_inserts(path: Path, texts: list[str]) -> float:
    """Rows a second of batched FTS5 inserts of ready normalised text: what SQLite itself can do."""
    connection = apsw.Connection(str(path))
    connection.execute("pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -65536")
    connection.execute(
        "create table terms (row integer primary key, terms text);"
        "create virtual table search using fts5 (terms, content = 'terms', content_rowid = 'row',"
        " tokenize = \"unicode61 remove_diacritics 0 categories 'L* N* Co S* P* M*'\")"
    )
    began = time.perf_counter()
    for start in range(0, len(texts), 1_000):
        rows = list(enumerate(texts[start : start + 1_000], start + 1))
        with connection:
            connection.executemany("insert into terms values (?, ?)", rows)
            connection.executemany("insert into search (rowid, terms) values (?, ?)", rows)
    took = time.perf_counter() - began
    connection.close()
    return len(texts) / took


def part_import(folder: Path, count: int = 60_000) -> dict[str, Any]:
    """Import without embeddings against raw FTS5 inserts of the same normalised text, alternating."""
    source = folder / "import.jsonl"
    size = write_jsonl(source, count)
    normalised = [search_text(str(m["content"])) for m in messages(count)]
    ours, raw = [], []
    for i in range(3):
        raw.append(raw_inserts(folder / f"raw{i}.db", normalised))
        with Memory(folder / f"import{i}.db", embedder=None, config=QUIET) as memory:
            counts = memory.import_(source)
            assert counts.stored == count, counts
            ours.append(count / counts.seconds)
    again = Memory(folder / "import0.db", embedder=None, config=QUIET)
    unchanged = timed(lambda: again.import_(source))
    again.close()
    best, limit = statistics.median(ours), statistics.median(raw)
    return {
        "messages": count, "megabytes": round(size / 1e6, 1), "rows_per_second": round(best),
        "raw_rows_per_second": round(limit),
        "ratio": round(best / limit, 3), "unchanged_seconds": round(unchanged, 4),
        "file_bytes_per_message": round((folder / "import0.db").stat().st_size / count),
    }  # fmt: skip


def fill(path: Path, count: int, folder: Path, embedder: str | None) -> None:
    """A file with so many messages (and vectors of the hash embedder, where asked)."""
    source = folder / f"{path.stem}.jsonl"
    write_jsonl(source, count)
    with Memory(path, embedder=embedder, config=QUIET) as memory:
        memory.import_(source)
        memory.flush()
    source.unlink()


def ask(memory: Memory, asked: list[str]) -> dict[str, Any]:
    """Latency of recall and of context; queries and their words are embedded beforehand."""
    vector = memory._recaller._vector
    if memory.embedder:
        vector.embed_many([*asked, *{w for q in asked for w in q.casefold().replace("?", "").split()}])
    memory.recall(asked[0])
    recall = [timed(lambda q=q: memory.recall(q)) for q in asked]  # type: ignore[misc]
    context = [timed(lambda q=q: memory.context(q)) for q in asked]  # type: ignore[misc]
    return {"recall_ms": milliseconds(recall), "context_ms": milliseconds(context)}


def part_local(folder: Path) -> dict[str, Any]:
    """Recall at 10,000 messages with the vectors of the ``local`` extra (its call is not counted)."""
    return part_recall(folder, (10_000,), ("local",))


def part_recall(
    folder: Path,
    sizes: tuple[int, ...] = (10_000, 100_000),
    embedders: tuple[str | None, ...] = (None, "hash:256"),
) -> dict[str, Any]:
    """Recall by size, with words alone and with vectors (of the hash embedder: its call is not counted)."""
    out: dict[str, Any] = {}
    for size in sizes:
        for embedder in embedders:
            path = folder / f"recall-{size}-{'words' if embedder is None else 'vectors'}.db"
            fill(path, size, folder, embedder)
            with Memory(path, embedder=embedder, config=QUIET) as memory:
                out[f"{size}, {'words' if embedder is None else 'words and vectors'}"] = ask(memory, questions())
            path.unlink()
    return out


OPEN = """
import sys, time
from mnemic import Config, Memory
import mnemic.memory
began = time.perf_counter()
memory = Memory(sys.argv[1], embedder=None, config=Config(background=False))
answer = memory.recall(sys.argv[2])
print(time.perf_counter() - began)
memory.close()
"""


def part_large(folder: Path, count: int = 540_000) -> dict[str, Any]:
    """A file of 540,000 messages: opening it with the first answer in a fresh process (warm), then recall and
    context."""
    path = folder / "large.db"
    fill(path, count, folder, None)
    firsts = []
    for question in questions(6):
        done = subprocess.run(
            [sys.executable, "-c", OPEN, str(path), question], capture_output=True, text=True, check=True
        )
        firsts.append(float(done.stdout))
    with Memory(path, embedder=None, config=QUIET) as memory:
        status = timed(memory.status)
        out = ask(memory, questions())
    return {
        "messages": count, "file_megabytes": round(path.stat().st_size / 1e6),
        "open_and_first_answer_ms": milliseconds(firsts[1:]),
        "status_ms": round(status * 1000, 2), **out,
    }  # fmt: skip


def part_memory(folder: Path, megabytes: int = 1_000) -> dict[str, Any]:
    """Peak resident memory while importing a folder of so many megabytes."""
    source = folder / "folder"
    source.mkdir()
    size, number = 0, 0
    while size < megabytes * 1_000_000:
        size += write_jsonl(source / f"{number}.jsonl", 100_000, seed=number)
        number += 1
    code = (
        "import sys\nfrom pathlib import Path\nfrom mnemic import Config, Memory\n"
        "with Memory(sys.argv[1], embedder=None, config=Config(background=False)) as m: c = m.import_(sys.argv[2])\n"
        # (ru_maxrss would begin with what the process that started this one holds)
        "print(c.stored, c.seconds, Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder / "memory.db"), str(source)], capture_output=True, text=True, check=True
    )
    stored, seconds, peak = done.stdout.split()
    return {
        "megabytes": round(size / 1e6),
        "stored": int(stored),
        "seconds": round(float(seconds), 1),
        "peak_megabytes": round(int(peak) / 1024),
    }


CONSOLIDATE = """
import json, lzma, resource, sys, threading, time
from mnemic import Config, Memory
memory = Memory(sys.argv[1], embedder=None, config=Config(background=False))
texts = json.load(open(sys.argv[2], encoding="utf-8"))
for space in ("alone", "busy"):
    for i, (text, speaker) in enumerate(texts):
        role = "assistant" if speaker.lower() == "assistant" else "user"
        memory.observe(text, role=role, speaker=speaker, session=f"s{i // 30}",
            at=f"2026-01-{1 + i // 30 % 28:02d}T10:00:00Z", ack="accepted", space=space)
memory.flush()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
def consolidated(space):
    began = time.perf_counter()
    report = memory.consolidate(space=space)
    return time.perf_counter() - began, report
seconds, report = consolidated("alone")
peak = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
def latencies(until):
    out = []
    while not until(len(out)):
        began = time.perf_counter()
        memory.observe(texts[len(out) % len(texts)][0], session="live", space="live")
        out.append(time.perf_counter() - began)
        time.sleep(0.002)
    return sorted(out)
idle = latencies(lambda n: n >= 1000)
done = []
thread = threading.Thread(target=lambda: done.append(consolidated("busy")))
thread.start()
busy = latencies(lambda n: done)
thread.join()
print(json.dumps({
    "episodes": report.episodes, "facts": report.facts, "seconds": round(seconds, 2),
    "episodes_per_second": round(report.episodes / seconds),
    "peak_megabytes": peak // 1024, "peak_before": before // 1024, "seconds_beside_capture": round(done[0][0], 2),
    "capture_idle_p50_ms": round(idle[len(idle) // 2] * 1000, 3),
    "capture_busy_p50_ms": round(busy[len(busy) // 2] * 1000, 3),
    "capture_ratio_p50": round(busy[len(busy) // 2] / idle[len(idle) // 2], 2),
    "capture_ratio_p95": round(busy[int(len(busy) * .95)] / idle[int(len(idle) * .95)], 2),
}))
memory.close()
"""


def part_consolidate(folder: Path, count: int = 10_000) -> dict[str, Any]:
    """Consolidation of real dialogues by rules: episodes a second, peak memory, capture latency meanwhile against
    idle."""
    texts = [[d["text"], d["speaker"]] for d in dialogues(count)]
    (folder / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
    command = [sys.executable, "-c", CONSOLIDATE, str(folder / "consolidate.db"), str(folder / "texts.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


PARTS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "observe": part_observe,
    "import": part_import,
    "recall": part_recall,
    "local": part_local,
    "large": part_large,
    "memory": part_memory,
    "consolidate": part_consolidate,
}


def main() -> None:
    """Run the parts named (all by default) and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="which parts; all by default")
    parser.add_argument("--json", type=Path, help="also write the result here")
    arguments = parser.parse_args()
    result: dict[str, Any] = {
        "machine": {
            "cpus": os.cpu_count(),
            "cpu": platform.processor() or platform.machine(),
            "load": os.getloadavg()[0],
        },
        "versions": {"python": platform.python_version(), "sqlite": apsw.sqlite_lib_version(), "numpy": np.__version__},
    }
    for name in arguments.parts or PARTS:
        with tempfile.TemporaryDirectory(prefix="mnemic-bench-") as folder:
            result[name] = PARTS[name](Path(folder))
        print(f"{name}: {json.dumps(result[name])}", file=sys.stderr, flush=True)
    result["peak_megabytes_of_this_process"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps(result, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
