"""kill -9 in every phase of the night: the file is correct, and the next night makes of it what a whole one would have."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import night

from mnemic import Config, Memory
from mnemic.testing import FrozenClock


def test_kill_in_every_phase(workers: Any, tmp_path: Path) -> None:
    base = tmp_path / "base.db"
    night.fill(base)
    whole = tmp_path / "whole.db"
    shutil.copy(base, whole)
    assert workers.run("night", path=str(whole), say=str(tmp_path / "said")) == 0
    expected = night.left(whole)
    upto = json.loads((tmp_path / "said").read_text("utf-8"))  # phase → statements at its end
    points: dict[int, str] = {}
    before = 0
    for phase, end in upto.items():
        points.update((at, phase) for at in {before + 1, (before + end) // 2 + 1, end} if before < at <= end)
        before = end
    assert len(points) >= 2 * len(upto)
    for at, phase in points.items():
        path = tmp_path / f"{at}.db"
        shutil.copy(base, path)
        assert workers.run("night", path=str(path), at=at) == -9, phase
        with Memory(
            path, embedder="hash:64", config=Config(background=False), clock=FrozenClock(night.NIGHT)
        ) as memory:
            assert memory.doctor()["ok"], (phase, at)
        assert workers.run("night", path=str(path)) == 0, (phase, at)
        assert night.left(path) == expected, (phase, at)
        with Memory(
            path, embedder="hash:64", config=Config(background=False), clock=FrozenClock(night.NIGHT)
        ) as memory:
            assert memory.doctor()["ok"], (phase, at)
        for rest in tmp_path.glob(f"{at}.db*"):
            rest.unlink()
