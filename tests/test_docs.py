"""Documents are checked like code: what they show runs, and what there is they name."""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import apsw
import pytest
import typer.main

from mnemic import Config, Memory
from mnemic.interfaces.cli.app import app
from mnemic.interfaces.places import samples
from mnemic.store.queries import script

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(?:#([^)\s]+))?\)")
NAMESPACES = ("entities", "review", "archive", "cards", "graph")
#: Pages by other hands, whose snippets may need services or data that a test has not.
NOT_RUN = {"benchmarks.md"}


def blocks(page: Path, *languages: str) -> list[str]:
    return [body for language, body in FENCE.findall(page.read_text(encoding="utf-8")) if language in languages]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with `transcripts`, a home of its own and no settings from outside."""
    for variable in [v for v in os.environ if v.startswith("MNEMIC_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MNEMIC_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("MNEMIC_EMBEDDER", "hash:64")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "home").mkdir()
    shutil.copytree(samples(), tmp_path / "transcripts")
    return tmp_path


@pytest.mark.timeout(1_200)  # a page may hold sixty commands, a process each
@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "console")], ids=name)
def test_commands_run(page: Path, workplace: Path) -> None:
    with Memory("memory.db", embedder="none") as memory:
        node = memory.observe("something to show", session="planning")
    bin_ = workplace / "bin"
    bin_.mkdir()
    (bin_ / "mnemic").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m mnemic "$@"\n', encoding="utf-8")
    (bin_ / "mnemic").chmod(0o755)
    environ = {**os.environ, "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}"}
    for block in blocks(page, "console"):
        for line in block.splitlines():
            if not line.startswith("$ "):
                continue
            command = re.sub(r"\bID\b", node.id, line[2:])
            done = subprocess.run(
                ["sh", "-c", command],
                env=environ,
                capture_output=True,
                check=False,
                cwd=workplace,
                timeout=120,
            )
            assert done.returncode == 0, f"{name(page)}: {command}\n{done.stderr.decode()}"


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python") and p.name not in NOT_RUN], ids=name)
def test_python_runs(page: Path, workplace: Path) -> None:
    for number, block in enumerate(blocks(page, "python"), 1):
        code = compile(textwrap.dedent(block), f"{name(page)} block {number}", "exec")
        exec(code, {"__name__": "__docs__"})


def test_shell_blocks_name_only_targets_and_verbs_that_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    known = set(commands())
    for page in PAGES:
        for block in blocks(page, "sh", "console"):
            for line in block.splitlines():
                words = line.removeprefix("$ ").split()
                if words[:1] == ["make"]:
                    assert words[1] in targets, f"{name(page)}: {line}"
                if words[:1] == ["mnemic"] and not words[1].startswith("-"):
                    assert words[1] in known, f"{name(page)}: {line}"


def commands() -> dict[str, Any]:
    return dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def test_every_verb_and_every_option_is_documented() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for verb, command in commands().items():
        assert re.search(rf"^##.*\b{verb}\b", text, re.M), f"docs/cli.md has no section on {verb}"
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--"):
                    assert re.search(rf"{option}\b", text), f"docs/cli.md does not name {option} of {verb}"


def test_every_verb_of_memory_is_documented() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    with Memory(":memory:", embedder=None) as memory:
        for line, target in [(text, memory), *((row(text, n), getattr(memory, n)) for n in NAMESPACES)]:
            for verb, _ in inspect.getmembers(type(target), inspect.isfunction):
                assert verb.startswith("_") or f"`{verb}`" in line, f"docs/api.md does not name {verb}"


def row(text: str, namespace: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(f"| `memory.{namespace}`"))


def test_every_setting_is_documented_with_its_default() -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for field in dataclasses.fields(Config):
        row = next((line for line in text.splitlines() if line.startswith(f"| `{field.name}` |")), "")
        assert f"`MNEMIC_{field.name.upper()}`" in row, f"docs/settings.md has no row for {field.name}"
        assert f"`{field.default}`" in row, f"docs/settings.md: default of {field.name} is {field.default}"


def test_every_variable_that_is_read_is_documented() -> None:
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    for path in (ROOT / "src").rglob("*.py"):
        for variable in set(re.findall(r"[\"'](MNEMIC_[A-Z_]+[A-Z])[\"']", path.read_text(encoding="utf-8"))):
            assert variable in pages, f"{variable} ({path.name}) is not documented"


def test_every_table_and_column_is_in_the_specification() -> None:
    text = (ROOT / "docs" / "file-format.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)`", text)) | set(re.findall(r"[\w]+", " ".join(re.findall(r"^### .*$", text, re.M))))
    connection = apsw.Connection(":memory:")
    connection.execute(script("schema.sql"))
    tables = [
        row[0]
        for row in connection.execute(
            "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'"
        )
    ]
    for table in tables:
        if table.startswith("search_") and table != "search_terms":
            continue  # the full-text index keeps these for itself
        assert table in named, f"docs/file-format.md does not name the table {table}"
        if table.startswith("search"):
            continue
        for _, column, *_ in connection.execute(f"pragma table_info({table})"):
            assert column in named, f"docs/file-format.md does not name {table}.{column}"
    connection.close()


def test_format_number_is_the_current_one() -> None:
    from mnemic.store.connect import LATEST

    text = (ROOT / "docs" / "file-format.md").read_text(encoding="utf-8")
    assert f"\nFormat {LATEST}. " in text


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        found = (page.parent / target).resolve()
        assert found.exists(), f"{name(page)} links to {target}, which does not exist"
        if anchor and found.suffix == ".md":
            assert anchor in anchors(found), f"{name(page)} links to {target}#{anchor}"
    for anchor in re.findall(r"\]\(#([^)\s]+)\)", page.read_text(encoding="utf-8")):
        assert anchor in anchors(page), f"{name(page)} links to #{anchor}"


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", head).strip().lower().replace(" ", "-") for head in heads}


def test_index_lists_every_page() -> None:
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        if page.name != "index.md":
            assert f"({page.name})" in text, f"docs/index.md does not list {page.name}"


def test_changelog_has_the_current_version() -> None:
    from mnemic import __version__

    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
