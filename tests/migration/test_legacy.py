"""Files of every released format open in the newest program, are searched and written to (R39, B191)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mnemic import InvalidInput, Memory

LEGACY = Path(__file__).parent.parent / "legacy"
FILES = sorted(LEGACY.glob("v*.mnemic"))


def test_there_is_a_file_of_the_first_format() -> None:
    """It is in the repository, and small."""
    assert [f.name for f in FILES][:1] == ["v1.mnemic"]
    assert all(f.stat().st_size < 250_000 for f in FILES)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_B191_files_of_earlier_formats(db: Path, file: Path) -> None:
    """Everything that the old program wrote is found by the new one."""
    shutil.copy(file, db)
    with Memory(db, embedder="hash:64") as memory:
        assert memory.doctor()["ok"]
        assert memory.status()["memories"] == 7
        assert memory.status(space="work")["memories"] == 1
        talk = memory.timeline(session="planning")
        assert [n.role for n in talk] == ["user", "assistant", "user", "assistant", "user"]
        assert talk[0].event_time == 1_777_626_000_000_000
        assert memory.recall("когда переезжает сервер").hits[0].node.content.startswith(("Анна", "Записал"))
        assert "Lindqvist" in memory.recall("dentist").hits[0].node.content
        assert memory.recall("plants", tags="office").hits
        assert not [h for h in memory.recall("forgotten").hits if "forgotten" in h.node.content]
        assert memory.recall("another", space="work").hits
        assert memory.status()["embeddings_due"] == 0
        assert memory.observe(talk[0].content, key="m0").acknowledged == "known"
        with pytest.raises(InvalidInput, match="erased"):
            memory.observe("This one was erased.", key="erased")
        assert memory.observe("Written by the newest.").acknowledged == "stored"
        memory.flush()
        assert memory.recall("newest").hits
        assert memory.doctor()["ok"]
