"""Documents kept by several at once, and by processes that are killed: the same cards come out as if by one in peace."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from mnemic import Config, Memory

QUIET = Config(background=False, consolidate=False)
ADD = """
import sys
from mnemic import Config, Memory
from mnemic.extras.cards import keep
keep.BATCH = 5
with Memory(sys.argv[1], embedder=None, config=Config(background=False, consolidate=False)) as memory:
    print("ready", flush=True)
    while True:
        memory.cards.add_folder(sys.argv[2])
        memory.cards.refresh()
        memory.cards.index(sys.argv[2] + "/MEMORY.md")
"""


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for i in range(6):
        parts = "\n\n".join(f"## Part {n}\n\nBody {n} of {i} is here." for n in range(12))
        (folder / f"{i}.md").write_text(f"# Doc {i}\n\n{parts}\n", encoding="utf-8")
    return folder


def told(memory: Memory) -> list[tuple[str, str, int, str]]:
    return sorted((card.id, card.digest, card.sections, card.hidden_why or "") for card in memory.cards.list(limit=1_000))


def offered(memory: Memory) -> list[str]:
    return sorted(node.content for node in memory.timeline(labels="card_section", limit=10_000))


def in_peace(tmp_path: Path, docs: Path) -> tuple[list[tuple[str, str, int, str]], list[str]]:
    with Memory(tmp_path / "peace.db", embedder=None, config=QUIET) as memory:
        memory.cards.add_folder(docs)
        return told(memory), offered(memory)


def test_killed_at_any_moment(tmp_path: Path, docs: Path) -> None:
    db, page = tmp_path / "m.db", docs / "MEMORY.md"
    for number, after in enumerate((0.02, 0.15, 0.4, 0.9)):
        (docs / "0.md").write_text(f"# Doc 0\n\nVersion {number}.\n\n## Same\n\nAs ever.\n", encoding="utf-8")
        process = subprocess.Popen([sys.executable, "-c", ADD, str(db), str(docs)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        if page.exists():
            assert page.read_bytes().endswith(b"<!-- /mnemic:cards -->\n")
    with Memory(db, embedder=None, config=QUIET) as memory:
        assert memory.doctor()["ok"]
        memory.cards.add_folder(docs)
        memory.cards.refresh()
        assert (told(memory), offered(memory)) == in_peace(tmp_path, docs)


def test_several_at_once(tmp_path: Path, docs: Path) -> None:
    failed: list[BaseException] = []

    def work() -> None:
        try:
            with Memory(tmp_path / "m.db", embedder=None, config=QUIET) as memory:
                for _ in range(2):
                    memory.cards.add_folder(docs)
                    memory.cards.refresh()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    with Memory(tmp_path / "m.db", embedder=None, config=QUIET) as memory:
        assert (told(memory), offered(memory)) == in_peace(tmp_path, docs)
        assert memory.doctor()["ok"]


def test_erased_while_it_is_refreshed(tmp_path: Path, docs: Path) -> None:
    with Memory(tmp_path / "m.db", embedder=None, config=QUIET) as memory:
        memory.cards.add_folder(docs)
        for path in docs.iterdir():
            path.write_text(path.read_text(encoding="utf-8").replace("is here", "was there"), encoding="utf-8")
        thread = threading.Thread(target=memory.cards.refresh)
        thread.start()
        erased = memory.erase(source=str(docs / "5.md"))
        thread.join()
        assert erased["found"] == 0
        memory.cards.refresh()
        assert {card.title for card in memory.cards.list()} == {f"Doc {i}" for i in range(5)}
        assert not any(" of 5 " in text for text in offered(memory))
        assert memory.doctor()["ok"]
