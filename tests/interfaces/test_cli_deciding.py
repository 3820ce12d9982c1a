"""The verbs by which a person decides: entities, merge, split, resolve; their JSON, their exit codes, their errors."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest
from test_cli_knowledge import Run, document, run

from mnemic import Config, Memory
from mnemic.forget.contradict import Contradictions
from mnemic.phase import PhaseContext

__all__ = ["run"]


def test_entities_merge_split(run: Run) -> None:
    run("remember", "Anna Petrova works at Acme.")
    run("remember", "Vera Orlova works at Globex.")
    run("remember", "Vera Orlova lives in Riga.", "--space", "other")
    names = {e["name"]: e for e in document(run("entities", "--type", "person", "--json"))}
    assert set(names) == {"Anna Petrova", "Vera Orlova"}
    _, out, _ = run("entities", "--limit", "1")
    assert len(out.splitlines()) == 1
    merged = document(run("merge", "Anna Petrova", names["Vera Orlova"]["id"], "--why", "married", "--json"))
    assert merged["id"] == names["Anna Petrova"]["id"]
    assert len(document(run("entities", "--type", "person", "--json"))) == 1
    assert document(run("entity", "Vera Orlova", "--json"))["name"] == "Anna Petrova"
    assert document(run("entity", "Vera Orlova", "--json", "--space", "other"))["name"] == "Vera Orlova"
    _, out, _ = run("split", "Anna Petrova", "Vera Orlova")
    assert out.startswith("split ")
    assert document(run("entity", "Vera Orlova", "--json"))["name"].casefold() == "vera orlova"


@pytest.mark.parametrize(("arguments", "code", "said"), [
    (["merge", "Nobody", "Anna"], 1, "no entity 'Nobody'"), (["merge", "Anna", "anna"], 2, "itself"), (["merge", "", "Anna"], 2, "empty"),
    (["merge", "Anna", "Anna", "--space", "elsewhere"], 1, "no entity"), (["split", "Anna", "Anna"], 2, "only name"),
    (["split", "Anna", "Nobody"], 1, "Nobody"), (["split", "Anna", ""], 2, "empty"), (["entities", "--limit", "0"], 2, "limit"),
    (["resolve", "a", "b", "coexists"], 1, "no memory 'a'"), (["resolve", "a", "a", "coexists"], 2, "same memory"),
    (["resolve", "a", "b", "perhaps"], 2, "supersedes, coexists"), (["resolve", "", "b", "coexists"], 2, "empty"),
])  # fmt: skip
def test_wrong_input_is_one_plain_line(run: Run, arguments: list[str], code: int, said: str) -> None:
    run("remember", "Anna lives in Oslo.")
    _, out, err = run(*arguments, code=code)
    assert out == ""
    assert err.startswith("error: ")
    assert len(err.splitlines()) == 1
    assert said in err


def test_no_entities_is_said(run: Run) -> None:
    run("init")
    _, out, err = run("entities")
    assert (out, "no entities" in err) == ("", True)


def test_resolve(run: Run, tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", embedder=None, config=Config(background=False)) as memory:
        left, right = memory.remember("The kettle is red."), memory.remember("Tea is green.")
        memory.link(left.id, right.id, "contradicts")
    assert len(document(run("conflicts", "--json"))) == 1
    answer = document(run("resolve", left.id, right.id, "keep_left", "--why", "seen", "--json"))
    assert answer["right"]["hidden_at"] is not None
    assert document(run("conflicts", "--json")) == []
    _, out, _ = run("resolve", left.id, right.id, "coexists")
    assert out.splitlines()[0].startswith("kept ")


@pytest.mark.parametrize(("said", "kept"), [("left", [True, False]), ("right", [False, True]), ("both", [True, True])])
def test_what_the_night_found_is_settled_in_a_word(run: Run, tmp_path: Path, said: str, kept: list[bool]) -> None:
    with Memory(tmp_path / "memory.db", embedder=None, config=Config(background=False)) as memory:
        for text in ("The gate is locked.", "The gate is not locked."):
            memory.remember(text, key=text)
        Contradictions()(memory._store, "default", PhaseContext(memory._store.now(), UTC))
    (open_,) = document(run("conflicts", "--json"))
    sides = [open_["left"]["id"], open_["right"]["id"]]
    answer = document(run("resolve", *sides, said, "--json"))
    assert [answer[side]["hidden_at"] is None for side in ("left", "right")] == kept
    assert document(run("conflicts", "--json")) == []
