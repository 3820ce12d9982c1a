"""Raw logs: packed, verified, removed, given back byte for byte; what must stay where it is stays there."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.shared import SHARED

from mnemic import ArchiveError, Config, InvalidInput, Memory, MissingExtra, NotFound
from mnemic.extras.archive import logs, packing
from mnemic.extras.archive.manifest import NAME, Manifest, wanted
from mnemic.ingest.importers import importers
from mnemic.interfaces.places import samples
from mnemic.phase import PhaseContext
from mnemic.store.cold import zstd
from mnemic.testing import FrozenClock

NOW = "2026-06-01T00:00:00Z"
DAY_NS = 86_400 * 10**9


def age(path: Path, days: float, clock: FrozenClock) -> None:
    """Let a file be so many days old."""
    at = clock.now() * 1000 - int(days * DAY_NS) + 7  # with a fraction
    os.utime(path, ns=(at, at))


def state(folder: Path) -> dict[str, tuple[str, int, int]]:
    return {
        str(p.relative_to(folder)): (hashlib.sha256(p.read_bytes()).hexdigest(), p.stat().st_mtime_ns, p.stat().st_mode)
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NOW)


@pytest.fixture
def memory(db: Path, clock: FrozenClock) -> Iterator[Memory]:
    with Memory(db, embedder=None, config=Config(background=False), clock=clock) as memory:
        yield memory


@pytest.fixture
def transcripts(tmp_path: Path, clock: FrozenClock) -> Path:
    """The sample transcripts, twenty days old, in several folders."""
    folder = tmp_path / "projects"
    shutil.copytree(samples(), folder)
    for n, path in enumerate(sorted(folder.rglob("*.jsonl"))):
        path.chmod(0o600 + n)
        age(path, 20 + n, clock)
    return folder


def lines(count: int) -> str:
    return "".join(
        json.dumps({"n": n, "text": f"line {n} строка {n * n}"}, ensure_ascii=False) + "\n" for n in range(count)
    )


def test_imported_transcripts_go_and_come_back_as_they_were(memory: Memory, transcripts: Path) -> None:
    before = state(transcripts)
    stored = memory.import_(transcripts).stored
    report = memory.archive.logs()
    assert len(report.files) == len(before)
    assert not report.errors
    assert not report.skipped
    assert not state(transcripts)
    assert report.bytes > report.packed_bytes
    folder = Path(f"{memory.path}.archive")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(memory.timeline(limit=1000)) == stored, "memories stay"
    assert memory.import_(transcripts.parent).stored == 0, "neither the manifest nor the archives are transcripts"
    back = memory.archive.restore()
    assert (len(back.restored), back.errors) == (len(before), {})
    assert state(transcripts) == before
    again = memory.import_(transcripts)
    assert (again.stored, again.unchanged) == (0, len(before)), "the very same files"
    assert memory.archive.restore().there == back.restored
    assert memory.archive.logs().skipped == {"young": len(before)}, "somebody wanted to read them"


def test_a_restored_file_goes_again_when_it_was_left_alone_for_long(
    memory: Memory, transcripts: Path, clock: FrozenClock
) -> None:
    memory.archive.logs([transcripts])
    memory.archive.restore()
    clock.advance(days=15)
    held = state(Path(f"{memory.path}.archive"))
    assert len(memory.archive.logs([transcripts]).files) == len(held) - 1
    now = state(Path(f"{memory.path}.archive"))
    assert {k: v for k, v in now.items() if k != NAME} == {k: v for k, v in held.items() if k != NAME}, "nothing anew"


def test_a_dry_run_moves_nothing(memory: Memory, transcripts: Path) -> None:
    before = state(transcripts)
    report = memory.archive.logs([transcripts], dry_run=True)
    assert report.dry_run
    assert len(report.files) == len(before)
    assert state(transcripts) == before
    assert not os.path.exists(f"{memory.path}.archive")


def test_what_goes_and_what_stays(memory: Memory, tmp_path: Path, clock: FrozenClock) -> None:
    folder = tmp_path / "things"
    folder.mkdir()
    line = (samples() / "ledger").glob("*.jsonl")
    transcript = next(iter(line)).read_text(encoding="utf-8")
    ages = {
        "old.jsonl": (transcript, 15.0),
        "young.jsonl": (transcript, 13.0),
        "notes.md": ("# Notes\n\nWhat I think.\n", 100.0),
        "empty.jsonl": ("", 100.0),
        "unknown.jsonl": (lines(30), 15.0),
        "config.json": ('{"a": 1}', 100.0),
        "program.py": ("print(1)\n", 100.0),
        "large.json": ('{"filler": "' + "x" * 1_100_000 + '"}', 0.2),
        "writing.json": ('{"filler": "' + "x" * 1_100_000 + '"}', 0.01),
        "live.jsonl": (transcript * (1_100_000 // len(transcript) + 1), 0.2),
        "future.jsonl": (transcript, -3.0),
        "имя с пробелом\n.jsonl": (transcript, 15.0),
    }
    for name, (text, days) in ages.items():
        (folder / name).write_text(text, encoding="utf-8")
        age(folder / name, days, clock)
    report = memory.archive.logs([folder], dump_mb=1)
    gone = {"old.jsonl", "unknown.jsonl", "large.json", "имя с пробелом\n.jsonl"}
    assert {Path(f.path).name for f in report.files} == gone
    assert {p.name for p in folder.iterdir()} == set(ages) - gone
    assert report.skipped == {"young": 5, "notes": 1, "empty": 1}
    assert set(memory.archive.restore([folder]).restored) == {str(folder / name) for name in gone}


def test_links_are_not_followed(memory: Memory, tmp_path: Path, transcripts: Path, clock: FrozenClock) -> None:
    outside = tmp_path / "outside"
    shutil.move(transcripts / "ledger", outside)
    (transcripts / "linked").symlink_to(outside)
    one, *_ = outside.iterdir()
    (transcripts / "link.jsonl").symlink_to(one)
    two = transcripts / "twice.jsonl"
    two.write_text(lines(5))
    age(two, 30, clock)
    os.link(two, tmp_path / "other-name.jsonl")
    before = state(outside)
    report = memory.archive.logs([transcripts])
    assert state(outside) == before
    assert two.exists()
    assert report.skipped == {"hard_link": 1}


def test_an_imported_file_whose_folder_became_a_link_is_left(memory: Memory, transcripts: Path, tmp_path: Path) -> None:
    memory.import_(transcripts)
    shutil.move(transcripts, tmp_path / "moved")
    transcripts.symlink_to(tmp_path / "moved")
    before = state(tmp_path / "moved")
    assert not memory.archive.logs().files
    assert state(tmp_path / "moved") == before


def test_what_has_grown_since_its_import_is_imported_first(
    memory: Memory, transcripts: Path, clock: FrozenClock
) -> None:
    memory.import_(transcripts)
    path = next(transcripts.rglob("*.jsonl"))
    with path.open("a", encoding="utf-8") as file:
        file.write("\n")
    age(path, 20, clock)
    report = memory.archive.logs()
    assert report.skipped == {"not_imported": 1}
    assert path.exists()
    memory.import_(transcripts)
    assert [f.path for f in memory.archive.logs().files] == [str(path)]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="told by /proc")
def test_a_file_that_another_process_has_open_is_left(memory: Memory, transcripts: Path) -> None:
    path = next(transcripts.rglob("*.jsonl"))
    code = "import sys; f = open(sys.argv[1], 'a'); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        report = memory.archive.logs([transcripts])
        assert report.skipped == {"open": 1}
        assert path.exists()
        other.communicate(b"")
    assert len(memory.archive.logs([transcripts]).files) == 1


def test_a_file_that_changes_while_it_is_read_is_left(
    memory: Memory, transcripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = next(transcripts.rglob("*.jsonl"))
    before = path.read_bytes()
    verify = packing.verify

    def late(archive: Path, sha256: str, size: int) -> None:
        with path.open("ab") as file:
            file.write(b"more\n")
        verify(archive, sha256, size)

    monkeypatch.setattr(packing, "verify", late)
    report = memory.archive.logs([path])
    assert report.skipped == {"changed": 1}
    assert path.read_bytes() == before + b"more\n"


def test_what_is_written_in_the_last_instant_is_put_back(
    memory: Memory, transcripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = next(transcripts.rglob("*.jsonl"))
    before, mode = path.read_bytes(), path.stat().st_mode
    unlink = os.unlink

    def late(name: object, **options: object) -> None:
        if str(name) == str(path):
            with path.open("ab") as file:
                file.write(b"more\n")
        unlink(name, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(packing.os, "unlink", late)
    assert memory.archive.logs([path]).skipped == {"changed": 1}
    assert path.read_bytes() == before + b"more\n"
    assert path.stat().st_mode == mode
    assert not [p for p in path.parent.iterdir() if "partial" in p.name]


def test_an_archive_that_cannot_be_read_back_costs_nothing(
    memory: Memory, transcripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(transcripts)

    class Wrong:
        def __init__(self, **options: object) -> None:
            self.real = zstd().ZstdCompressor(**options)

        def compress(self, data: bytes) -> bytes:
            return self.real.compress(data.replace(b"e", b"E"))

        def flush(self) -> bytes:
            return self.real.flush()

    class Module:
        def __getattr__(self, name: str) -> object:
            return Wrong if name == "ZstdCompressor" else getattr(zstd(), name)

    monkeypatch.setattr(packing, "zstd", Module)
    report = memory.archive.logs([transcripts])
    assert not report.files
    assert len(report.errors) == len(before)
    assert state(transcripts) == before
    assert not list(Path(f"{memory.path}.archive").iterdir()), "nothing unfinished stays"


def test_restoring_never_replaces_what_stands_there(memory: Memory, transcripts: Path, tmp_path: Path) -> None:
    path = next(transcripts.rglob("*.jsonl"))
    content = path.read_bytes()
    memory.archive.logs([transcripts])
    path.write_text("another session\n")
    report = memory.archive.restore([str(path)])
    assert "something stands there" in report.errors[str(path)]
    assert path.read_text() == "another session\n"
    aside = memory.archive.restore([str(path)], to=tmp_path / "aside")
    assert Path(aside.restored[0]).read_bytes() == content
    with pytest.raises(NotFound):
        memory.archive.restore(["nothing.jsonl"])


def test_two_states_of_one_file_are_both_kept(memory: Memory, transcripts: Path, clock: FrozenClock) -> None:
    path = next(transcripts.rglob("*.jsonl"))
    first = path.read_bytes()
    memory.archive.logs([path])
    path.write_bytes(first + b"{}\n")
    age(path, 20, clock)
    memory.archive.logs([path])
    newest, oldest = memory.archive.list()
    assert newest.size == oldest.size + 3
    memory.archive.restore([str(path)])
    assert path.read_bytes() == first + b"{}\n"
    path.unlink()
    memory.archive.restore([oldest.file])
    assert path.read_bytes() == first


@pytest.mark.parametrize("harm", ["cut", "flip", "bomb", "longer", "missing"])
def test_a_damaged_archive_gives_nothing_back(memory: Memory, transcripts: Path, harm: str) -> None:
    """Headers lie: what comes out is counted while it streams, and never more than the manifest says (R61)."""
    path = next(transcripts.rglob("*.jsonl"))
    memory.archive.logs([path])
    (file,) = memory.archive.list()
    archive = Path(f"{memory.path}.archive", file.file)
    data = archive.read_bytes()
    if harm == "missing":
        archive.unlink()
    else:
        bomb = zstd().compress(bytes(50_000_000))
        middle = len(data) // 2
        flipped = data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]
        archive.write_bytes({"cut": data[:-9], "flip": flipped, "bomb": bomb, "longer": data + data}[harm])
    report = memory.archive.restore()
    assert str(archive) in report.errors[str(path)]
    assert not path.exists()
    assert not list(path.parent.glob(".*"))


def test_an_archive_that_wants_too_much_memory_is_refused(memory: Memory, tmp_path: Path) -> None:
    z = zstd()
    frame = z.compress(
        os.urandom(1000),
        options={z.CompressionParameter.window_log: 28, z.CompressionParameter.enable_long_distance_matching: 1},
    )
    packer = z.ZstdCompressor(options={z.CompressionParameter.window_log: 28})
    wide = packer.compress(b"x" * 10) + packer.flush()
    (tmp_path / "wide.zst").write_bytes(wide)
    assert frame
    with pytest.raises(ArchiveError, match="damaged"):
        list(packing.blocks(tmp_path / "wide.zst", 10))


def test_the_manifest_survives_a_torn_line_and_refuses_lies(memory: Memory, transcripts: Path, caplog: object) -> None:
    memory.archive.logs([transcripts])
    folder = Path(f"{memory.path}.archive")
    count = len(memory.archive.list())
    with (folder / NAME).open("ab") as file:
        file.write(b'{"act": "packed", "path": "/x", "sha')
    assert len(memory.archive.list()) == count
    manifest = Manifest(folder)
    manifest.restored(memory.archive.list()[0], 5)
    assert [f.restored_at for f in memory.archive.list()].count(5) == 1, "the next line stands on its own"
    entry = json.loads((folder / NAME).read_text().splitlines()[0])
    for lie in ({"file": "../../etc/passwd"}, {"file": ""}, {"size": -5}, {"mode": "x"}, {"act": "eaten"}):
        with (folder / NAME).open("a") as file:
            file.write(json.dumps({**entry, "path": "/lie", **lie}) + "\n")
    assert "/lie" not in {f.path for f in memory.archive.list()}


def test_only_one_of_two_runs_at_once_moves_a_file_and_none_loses_it(memory: Memory, transcripts: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    before = state(transcripts)
    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(lambda _: memory.archive.logs([transcripts]), range(4)))
    moved = [f.path for report in reports for f in report.files]
    assert sorted(moved) == sorted(str(transcripts / name) for name in before)
    memory.archive.restore()
    assert state(transcripts) == before


def test_the_night_packs_what_was_imported_once_it_is_switched_on(
    db: Path, transcripts: Path, clock: FrozenClock
) -> None:
    with Memory(db, embedder=None, config=Config(background=False), clock=clock) as memory:
        memory.import_(transcripts)
        assert "archive" not in [p.name for p in memory.sleep().phases]
        assert state(transcripts)
    clock.advance(days=1)
    with Memory(db, embedder=None, config=Config(background=False, archive_logs=True), clock=clock) as memory:
        dry = next(p for p in memory.sleep(dry_run=True).phases if p.name == "archive")
        assert dry.counts["files"] == len(state(transcripts))
        phase = next(p for p in memory.sleep().phases if p.name == "archive")
        assert phase.state == "done"
        assert phase.counts["files"] == len(phase.acts) == dry.counts["files"]
        assert not state(transcripts)
        assert next(p for p in memory.sleep().phases if p.name == "archive").counts.get("files", 0) == 0


def test_a_stopped_night_goes_on_with_the_next_file(memory: Memory, transcripts: Path) -> None:
    memory.import_(transcripts)
    left = iter([False, True])
    night = PhaseContext(memory._clock.now(), memory._zone, stop=lambda: next(left))
    phase = logs.Logs(logs.home(memory._store))
    out = phase(memory._store, "default", night)
    assert (out.counts["files"], out.finished) == (1, False)
    out = phase(memory._store, "default", PhaseContext(memory._clock.now(), memory._zone))
    assert out.finished
    assert not state(transcripts)


def test_a_memory_without_a_file_has_no_archive_of_its_own(
    transcripts: Path, tmp_path: Path, clock: FrozenClock
) -> None:
    config = Config(background=False, archive_logs=True)
    with Memory(":memory:", embedder=None, config=config, clock=clock) as memory:
        memory.import_(transcripts)
        memory.sleep()
        with pytest.raises(InvalidInput, match="folder"):
            memory.archive.logs()
        assert state(transcripts)
        assert memory.archive.logs(folder=tmp_path / "packed").files
    assert list((tmp_path / "packed").glob("*.zst"))


def test_arguments_that_cannot_be_used(memory: Memory, monkeypatch: pytest.MonkeyPatch, transcripts: Path) -> None:
    with pytest.raises(InvalidInput, match="path"):
        memory.archive.logs(["no/such/folder"])
    for bad in ({"days": 0}, {"dump_mb": -1}, {"days": "x"}):
        with pytest.raises(InvalidInput):
            memory.archive.logs(**bad)  # type: ignore[arg-type]

    def missing() -> None:
        raise MissingExtra("the archive", "archive")

    monkeypatch.setattr(packing, "zstd", missing)
    before = state(transcripts)
    with pytest.raises(MissingExtra, match=r"mnemic\[archive\]"):
        memory.archive.logs([transcripts])
    assert state(transcripts) == before


def test_every_format_has_its_kind_or_is_left_on_purpose() -> None:
    assert {i.name for i in importers()} == set(logs.KINDS) | {"markdown", "mcp-memory"}


def test_memory_is_bounded(memory: Memory, tmp_path: Path, clock: FrozenClock) -> None:
    """60 MB in and out, a tenth of it held at once at most."""
    import tracemalloc

    path = tmp_path / "dump.json"
    block = lines(2000).encode()
    with path.open("wb") as file:
        for _ in range(60_000_000 // len(block)):
            file.write(block)
    age(path, 1, clock)
    size = path.stat().st_size
    tracemalloc.start()
    try:
        memory.archive.logs([path])
        memory.archive.restore()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert path.stat().st_size == size
    assert peak < 8_000_000


@pytest.mark.skipif(SHARED is None, reason="needs the material for measuring")
def test_real_transcripts_come_back_byte_for_byte(memory: Memory, tmp_path: Path, clock: FrozenClock) -> None:
    import lzma

    assert SHARED is not None
    folder = tmp_path / "real"
    folder.mkdir()
    for n, source in enumerate(sorted((SHARED / "data" / "sessions" / "claude_code").glob("*.xz"))[:12]):
        (folder / source.stem).write_bytes(lzma.decompress(source.read_bytes()))
        age(folder / source.stem, 20 + n, clock)
    before = state(folder)
    memory.import_(folder)
    report = memory.archive.logs()
    assert not state(folder)
    assert report.bytes > 4 * report.packed_bytes
    memory.archive.restore()
    assert state(folder) == before
    assert wanted(Manifest(logs.home(memory._store)), [str(folder)])
