"""What agents are told about the tools: constant, complete, in step with the code; calls by name with loose arguments."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemic import InvalidInput
from mnemic.interfaces import toolbox
from mnemic.interfaces.toolbox import TOOLSETS, Spec
from mnemic.testing import HashEmbedder, temporary_memory
from mnemic.tools import Tools

DOCS = Path(__file__).resolve().parents[2] / "docs"
SPECS = {spec.name: spec for specs in TOOLSETS.values() for spec in specs}


@pytest.fixture
def tools() -> Iterator[Tools]:
    with temporary_memory(embedder=HashEmbedder(64)) as memory:
        yield Tools(memory)


def test_the_names() -> None:
    assert [s.name for s in TOOLSETS["memory"]] == [n for n in vars(Tools) if not n.startswith("_")]
    assert len(TOOLSETS["consolidation"]) == 17
    assert [s.name for s in TOOLSETS["graph"]][10:] == ["get_neighbours", "find_path"]
    assert [s.name for s in TOOLSETS["consolidation"]][:10] == [s.name for s in TOOLSETS["memory"]]


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_fingerprints_are_those_in_the_documents(toolset: str) -> None:
    text = (DOCS / "mcp.md").read_text(encoding="utf-8")
    assert f"`{toolset}`: `{toolbox.fingerprint(toolset)}`" in text, "docs/mcp.md: see `mnemic mcp --tools`"


@pytest.mark.parametrize("name", SPECS)
def test_documents_name_every_tool_with_its_hints(name: str) -> None:
    assert f"| `{name}` |" in (DOCS / "tools.md").read_text(encoding="utf-8")
    spec = SPECS[name]
    row = " | ".join("yes" if told else "no" for told in (spec.reads, spec.hides, spec.reads or spec.repeats))
    assert f"| `{name}` | {row} |" in (DOCS / "mcp.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("spec", SPECS.values(), ids=lambda s: s.name)
def test_every_hint_is_set_and_every_argument_described(spec: Spec) -> None:
    assert set(toolbox.hints(spec)) == {"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
    assert not (spec.reads and spec.hides)
    assert 20 < len(spec.says) < 500
    for name, schema in toolbox.input_schema(spec)["properties"].items():
        assert schema["description"], name
        assert schema["type"]
    for schema in (toolbox.input_schema(spec), toolbox.output_schema(spec)):
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False


def test_the_list_is_the_same_in_every_process_and_memory() -> None:
    code = "from mnemic.interfaces.toolbox import fingerprint; print(fingerprint('consolidation'))"
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        assert done.stdout.strip() == toolbox.fingerprint("consolidation")


def test_schemas_hold_for_what_is_answered(tools: Tools) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="comes with mnemic[mcp]")
    kept = toolbox.call(SPECS["remember_fact"], tools, {"text": "We deploy on Fridays."})
    calls: list[tuple[str, dict[str, Any]]] = [
        ("remember_fact", {"text": "We deploy on Fridays."}),
        ("correct_fact", {"fact": kept["item"]["id"], "new": "We deploy on Mondays."}),
        ("search_memory", {"query": "deploy"}),
        ("get_timeline", {}),
        ("explain_fact", {"id": kept["item"]["id"]}),
        ("get_entity_info", {"name": "nobody"}),
        ("weak_facts", {"below": 1}),
        ("memory_stats", {}),
    ]
    for name, arguments in calls:
        jsonschema.validate(arguments, toolbox.input_schema(SPECS[name]))
        jsonschema.validate(toolbox.call(SPECS[name], tools, arguments), toolbox.output_schema(SPECS[name]))


def test_B029_empty_and_null_mean_not_given(tools: Tools) -> None:
    toolbox.call(SPECS["remember_fact"], tools, {"text": "The cat sleeps."})
    plain = toolbox.call(SPECS["search_memory"], tools, {"query": "cat"})
    given = {"query": "cat", "entity": "", "after": None, "limit": "", "type": None}
    assert toolbox.call(SPECS["search_memory"], tools, given) == plain


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("search_memory", {}, "query: is missing"),
        ("search_memory", {"query": None}, "query: is missing"),
        ("search_memory", {"query": 7}, "query: must be text, not a number"),
        ("search_memory", {"query": "x", "limit": "many"}, "limit: must be a whole number, not text"),
        ("search_memory", {"query": "x", "limit": True}, "limit: must be a whole number, not true or false"),
        ("search_memory", {"query": "x", "limit": 1.5}, "limit: must be a whole number, not a number"),
        ("search_memory", {"query": "x", "colour": "red"}, "colour: no such argument"),
        ("remember_fact", {"text": "x", "said_by": "god"}, "said_by: 'god' is not known"),
        ("remember_fact", {"text": "x", "tags": [1]}, "tags: must be a list of texts"),
        ("remember_fact", {"text": "x", "importance": []}, "importance: must be a number, not a list"),
    ],
)
def test_wrong_arguments_are_told_by_name(tools: Tools, name: str, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(words)):
        toolbox.call(SPECS[name], tools, arguments)


@pytest.mark.parametrize(("given", "limit"), [("3", 3), (3.0, 3)], ids=["number as text", "number with a point"])
def test_numbers_as_models_write_them(tools: Tools, given: object, limit: int) -> None:
    for text in ("Otters like plums.", "The tram runs at noon.", "We paint fences green.", "Bread is baked on Monday."):
        tools.remember_fact(text)
    assert len(toolbox.call(SPECS["get_timeline"], tools, {"limit": given})["items"]) == limit


@pytest.mark.parametrize("tags", [["a", "b"], '["a", "b"]', "a"])
def test_lists_as_models_write_them(tools: Tools, tags: object) -> None:
    assert toolbox.call(SPECS["remember_fact"], tools, {"text": "Tagged.", "tags": tags})["status"] == "stored"


def test_the_list_is_printed_without_the_extra() -> None:
    code = (
        "import sys; sys.modules['mcp'] = None; sys.argv = ['mnemic', 'mcp', '--tools']\n"
        "from mnemic.interfaces.cli.app import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["sha256"] == toolbox.fingerprint("memory")
