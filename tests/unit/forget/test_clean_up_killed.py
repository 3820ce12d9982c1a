"""kill -9 between any two steps of the clean-up leaves a correct file, and the next night comes to the same end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from nights import memory_at, night, remember

from mnemic import Memory
from mnemic.forget.contradict import Contradictions
from mnemic.forget.dedupe import Duplicates

CHILD = """
import itertools, os, signal, sys
from nights import memory_at, night
from mnemic.forget.contradict import Contradictions
from mnemic.forget.dedupe import Duplicates

asked, last = itertools.count(1), int(sys.argv[2])

def stop():
    if next(asked) == last:
        os.kill(os.getpid(), signal.SIGKILL)
    return False

with memory_at(sys.argv[1]) as (memory, _):
    for phase in (Duplicates(), Contradictions()):
        night(memory, phase, stop=stop)
"""


def fill(memory: Memory) -> None:
    for i in range(300):
        remember(memory, f"The lamp of hall{i} is on.", f"On is the lamp of hall{i}.", f"The lamp of hall{i} is off.")


def ends(memory: Memory) -> set[tuple[str, str | None]]:
    with memory._store.reader() as r:
        nodes = set(r.execute("select content, hidden_why from nodes"))
        conflicts = r.execute("select count(*) from edges where relation = 'contradicts' and hidden_at is null").get
    return nodes | {("conflicts", str(conflicts))}


@pytest.mark.parametrize("last", [2, 4, 6, 8])
def test_killed_and_run_again(db: Path, last: int) -> None:
    with memory_at(db) as (memory, _):
        fill(memory)
    paths = {"PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in (str(Path(__file__).parent), *sys.path))}
    killed = subprocess.run([sys.executable, "-c", CHILD, str(db), str(last)], env=os.environ | paths, check=False)
    assert killed.returncode == -9
    with memory_at(db) as (memory, _):
        for phase in (Duplicates(), Contradictions()):
            night(memory, phase)
        found = ends(memory)
        with memory._store.reader() as r:
            assert r.execute("pragma integrity_check").get == "ok"
    with memory_at() as (memory, _):
        fill(memory)
        for phase in (Duplicates(), Contradictions()):
            night(memory, phase)
        assert ends(memory) == found
