"""The table of mutants holds: each can be put in, so that it rots loudly when the code moves on. ``make mutants`` runs them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPEC = importlib.util.spec_from_file_location("mutants", ROOT / "bench" / "mutants.py")
assert SPEC is not None
assert SPEC.loader is not None
mutants = importlib.util.module_from_spec(SPEC)
sys.modules["mutants"] = mutants  # dataclasses look their module up
SPEC.loader.exec_module(mutants)


def test_every_mutant_can_be_put_in() -> None:
    """The old text stands exactly once in its file, the new one is Python, and its tests exist."""
    assert [f"{mutant}: {fault}" for mutant in mutants.read() if (fault := mutant.fault())] == []


def test_no_mutant_is_there_twice() -> None:
    """Seventy at least, of every promise."""
    every = mutants.read()
    assert len({(m.file, m.old, m.new) for m in every}) == len(every) >= 70
    assert {m.subject for m in every} >= {
        "ranking",
        "filters",
        "spaces",
        "writer",
        "import",
        "secrets",
        "erase",
        "context",
        "forgetting",
    }


def test_a_mutant_is_taken_out_again(tmp_path: Path) -> None:
    """Whatever happens while it is in."""
    mutant = mutants.read()[0]
    path = tmp_path / mutants.SOURCE / mutant.file
    path.parent.mkdir(parents=True)
    before = (ROOT / mutants.SOURCE / mutant.file).read_text("utf-8")
    path.write_text(before, "utf-8")
    try:
        with mutants.put(mutant, tmp_path):
            assert mutant.new in path.read_text("utf-8") != before
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    assert path.read_text("utf-8") == before
