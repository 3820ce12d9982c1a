"""Whether the tests would notice: one-line mutants of what mnemic promises, each against the tests of its own subject.

``bench/mutants.toml`` holds the mutants: by subject the tests that must notice, and rows of file, old text, new text.
The tree is copied once for each job; every mutant is put in, tested with ``pytest -x``, and taken out again. Tests that
fail without a mutant kill nothing, so they are run unchanged first.

    python bench/mutants.py                       all of them; exit code 1 below 95 % killed
    python bench/mutants.py --only ranking        one subject (may be given several times)
    python bench/mutants.py --check               only whether every old text stands exactly once
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_suffix(".toml")
SOURCE = Path("src/mnemic")
LEAST = 0.95
SECONDS = 180  # a mutant that makes its tests hang is noticed too


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one line. ``file`` lies in ``src/mnemic``; ``tests`` are those of the same subject."""

    subject: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.subject}: {self.file}: {self.old}  →  {self.new}"

    def fault(self, root: Path = ROOT) -> str:
        """Why it cannot be put in; empty where it can."""
        path = root / SOURCE / self.file
        if not path.is_file():
            return "there is no such file"
        if missing := [test for test in self.tests if not (root / test).is_file()]:
            return f"there is no {missing[0]}"
        if "\n" in self.old + self.new or self.old == self.new:
            return "is no change of one line"
        text = path.read_text("utf-8")
        if (found := text.count(self.old)) != 1:
            return f"its old text stands there {found} times"
        if path.suffix == ".py":
            try:
                compile(text.replace(self.old, self.new), self.file, "exec")
            except SyntaxError as error:
                return f"is no Python: {error.msg}"
        return ""


def read(table: Path = TABLE) -> list[Mutant]:
    """The mutants of a table."""
    subjects = tomllib.loads(table.read_text("utf-8"))
    return [
        Mutant(name, *row, tests=tuple(subject["tests"]))
        for name, subject in subjects.items()
        for row in subject["mutants"]
    ]


def copy(root: Path, target: Path) -> Path:
    """What the tests need of a tree."""
    target.mkdir()
    for name in ("src", "tests", "bench", "pyproject.toml"):
        if (root / name).is_dir():
            shutil.copytree(root / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(root / name, target / name)
    return target


@contextmanager
def put(mutant: Mutant, tree: Path) -> Iterator[None]:
    """The tree with the mutant in it; without it again afterwards."""
    path = tree / SOURCE / mutant.file
    before = path.read_text("utf-8")
    path.write_text(before.replace(mutant.old, mutant.new), "utf-8")
    try:
        yield
    finally:
        path.write_text(before, "utf-8")


def passes(tests: Sequence[str], tree: Path, *, tell: bool = False) -> bool:
    """Whether some tests pass in a tree; ``tell``: print how they fail."""
    # "ci": the same examples every time, and none of them too slow on a busy machine
    options = ["-m", "not soak and not slow", "--hypothesis-profile=ci", "--timeout=60"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *options, *tests]
    # no compiled files: two mutants of one size within a second would look alike
    more = {"PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1", "MNEMIC_SHARED": str(tree / "none")}
    try:
        done = subprocess.run(
            command, cwd=tree, env={**os.environ, **more}, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    if done.returncode in (4, 5):  # wrong options, or no tests
        raise SystemExit(
            f"error: pytest ended with "
            f"{done.returncode}\n{done.stdout.decode()[-2_000:]}{done.stderr.decode()[-2_000:]}"
        )
    if tell and done.returncode:
        print(done.stdout.decode()[-4_000:])
    return done.returncode == 0


def main() -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", metavar="SUBJECT", help="only the mutants of this subject")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once")
    parser.add_argument("--check", action="store_true", help="run no tests")
    args = parser.parse_args()
    every = read()
    mutants = [mutant for mutant in every if not args.only or mutant.subject in args.only]
    if not mutants:
        parser.error(f"subjects are {', '.join(dict.fromkeys(mutant.subject for mutant in every))}")
    faults = [f"error: {mutant}: {fault}" for mutant in mutants if (fault := mutant.fault())]
    if faults or args.check:
        print("\n".join([*faults, f"{len(mutants)} mutants, {len(faults)} cannot be put in"]))
        return 2 if faults else 0
    with tempfile.TemporaryDirectory(prefix="mnemic-mutants-") as folder:
        trees: SimpleQueue[Path] = SimpleQueue()
        for job in range(max(1, args.jobs)):
            trees.put(copy(ROOT, Path(folder) / str(job)))
        return report(mutants, trees, args.jobs)


def report(mutants: Sequence[Mutant], trees: SimpleQueue[Path], jobs: int) -> int:
    """Try every mutant and print what became of it."""

    def killed(mutant: Mutant) -> bool:
        tree = trees.get()
        try:
            with put(mutant, tree):
                return not passes(mutant.tests, tree)
        finally:
            trees.put(tree)

    tree = trees.get()
    if not passes(list(dict.fromkeys(test for mutant in mutants for test in mutant.tests)), tree, tell=True):
        print("error: the tests fail without a mutant")
        return 2
    trees.put(tree)
    count: Counter[str] = Counter()
    total: Counter[str] = Counter()
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        for mutant, dead in zip(mutants, pool.map(killed, mutants), strict=True):
            total[mutant.subject] += 1
            count[mutant.subject] += dead
            print("killed  " if dead else "SURVIVED", mutant, flush=True)
    for subject, number in total.items():
        print(f"{subject:<14} {count[subject]:>3} of {number}")
    rate = count.total() / total.total()
    print(f"{count.total()} of {total.total()} killed: {rate:.3f} (at least {LEAST})")
    return 0 if rate >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
