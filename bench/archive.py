"""The archive on real material: ``python bench/archive.py logs`` and ``python bench/archive.py cold [SET]``.

``logs`` packs copies of the real transcripts, gives them back, and compares every byte, time and mode. ``cold`` asks
the questions of a set (LoCoMo by default) of the same memory hot, half cold and cold. Material: see
``bench/quality.py``.
"""

from __future__ import annotations

import argparse
import hashlib
import lzma
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from corpus import SHARED
from quality import dataset, short

from mnemic import Config, Memory
from mnemic.evaluate.run import ask, filled, report
from mnemic.store import freezing

LONG_AGO = 1_700_000_000


def unpacked(folder: Path) -> None:
    """Copies of the transcripts, as an agent's program would have left them."""
    for source in sorted((SHARED / "data" / "sessions" / "claude_code").glob("*.jsonl.xz")):
        target = folder / source.name.removesuffix(".xz")
        target.write_bytes(lzma.decompress(source.read_bytes()))
        os.chmod(target, 0o640)
        os.utime(target, ns=(LONG_AGO * 10**9 + len(source.name), LONG_AGO * 10**9 + len(source.name)))


def state(folder: Path) -> dict[str, tuple[str, int, int]]:
    """Hash, time and mode of every file."""
    return {
        path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns, path.stat().st_mode)
        for path in folder.iterdir()
    }


def logs() -> None:
    """Pack, give back, compare."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "transcripts")
        folder.mkdir()
        unpacked(folder)
        before = state(folder)
        with Memory(Path(name, "memory.db"), embedder=None, config=Config(background=False)) as memory:
            stored = memory.import_(folder).stored
            began = time.perf_counter()
            packed = memory.archive.logs()
            packing = time.perf_counter() - began
            assert not packed.errors, packed.errors
            assert not list(folder.iterdir()), packed.skipped
            began = time.perf_counter()
            back = memory.archive.restore()
            unpacking = time.perf_counter() - began
            assert not back.errors, back.errors
            assert state(folder) == before, "what came back is not what was there"
            again = memory.import_(folder)
            assert (again.stored, again.unchanged) == (0, len(before)), again
    print(
        f"{len(before)} transcripts, {packed.bytes:,} bytes ({stored} messages imported from them): "
        f"{packed.packed_bytes:,} bytes packed, {packed.bytes / packed.packed_bytes:.2f} : 1; "
        f"packed in {packing:.1f} s, given back byte for byte in {unpacking:.1f} s; imported again: nothing new"
    )


def halves(memory: Memory, scopes: list[str]) -> Iterator[tuple[str, int]]:
    """Freeze nothing, then every other message, then the rest; yields a name and bytes of the file at each state."""
    store = memory._store
    yield "hot", size(memory)
    for name, step in (("half cold", 2), ("cold", 1)):
        moved = freezing.Frozen()
        for scope in scopes:
            due = freezing.waiting(store, scope, 1 << 62)[::step]
            freezing.learn(store, [row for row, _ in due])
            for page in freezing.pages(due):
                done = freezing.freeze(store, page)
                moved = freezing.Frozen(*(a + b for a, b in zip(_tuple(moved), _tuple(done), strict=True)))
        freezing.shrink(store)
        ratio = moved.text_bytes / max(1, moved.packed_bytes)
        print(
            f"    moved {moved.memories}: {moved.text_bytes:,} bytes of texts in {moved.packed_bytes:,} ({ratio:.2f} "
            f": 1)"
        )
        yield name, size(memory)


def _tuple(frozen: freezing.Frozen) -> tuple[int, int, int]:
    return frozen.memories, frozen.text_bytes, frozen.packed_bytes


def size(memory: Memory) -> int:
    """Bytes of the main file, its log folded in."""
    memory._store.checkpoint()
    return os.path.getsize(memory.path)


def cold(name: str, embedder: str, limit: int | None) -> None:
    """Quality and latency by temperature."""
    data = dataset(name, limit)
    with tempfile.TemporaryDirectory() as folder, filled(data, embedder, path=f"{folder}/m.db") as (memory, clock):
        for state_, bytes_ in halves(memory, list(data.scopes)):
            result = report(data, ask(memory, clock, data), {})
            side = freezing.about(memory._store)["bytes"]
            print(
                f"{name} {state_}: {short(result)} latency {result['latency_ms']} file {bytes_:,} side {side:,}",
                flush=True,
            )
        clock.at = None
        print(f"    doctor: {memory.doctor()}")


def main() -> None:
    """Run what is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("logs", "cold"))
    parser.add_argument("set", nargs="?", default="locomo")
    parser.add_argument("--embedder", default="hash:256")
    parser.add_argument("--limit", type=int, help="only the first so many questions")
    arguments = parser.parse_args()
    if arguments.what == "logs":
        logs()
    else:
        cold(arguments.set, arguments.embedder, arguments.limit)


if __name__ == "__main__":
    main()
