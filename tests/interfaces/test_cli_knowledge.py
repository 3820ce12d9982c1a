"""The verbs about knowledge on the command line: what they say, their JSON, their exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemic import Memory
from mnemic.interfaces.cli.app import app

Answer = tuple[int, str, str]
Run = Callable[..., Answer]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process: (exit code, stdout, stderr)."""
    monkeypatch.setenv("MNEMIC_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("MNEMIC_EMBEDDER", "hash:64")

    def command(*arguments: str, code: int = 0) -> Answer:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            app(args=list(arguments), prog_name="mnemic")
        out, err = capsys.readouterr()
        number = ended.value.code if isinstance(ended.value.code, int) else 0
        assert number == code, err
        assert "Traceback" not in err
        return number, out, err

    return command


def document(answer: Answer) -> Any:
    return json.loads(answer[1])


def told(run: Run) -> None:
    run("observe", "I live in Oslo.", "--session", "a", "--at", "2026-01-10T10:00:00Z")
    run("observe", "I moved to Bergen.", "--session", "b", "--at", "2026-03-10T10:00:00Z")


def fact(run: Run, text: str = "where do I live?") -> dict[str, Any]:
    return document(run("recall", text, "--kind", "semantic", "--json"))["hits"][0]["node"]  # type: ignore[no-any-return]


def test_consolidate(run: Run) -> None:
    told(run)
    report = document(run("consolidate", "a", "--json"))
    assert (report["sessions"], report["episodes"], report["verdicts"]) == (1, 1, {"new": 1})
    _, out, _ = run("consolidate")
    assert "\n  supersedes" in out
    assert document(run("consolidate", "--json"))["episodes"] == 0
    _, _, err = run("consolidate", "nowhere", code=1)
    assert "no session 'nowhere'" in err
    run("consolidate", "--llm", "no-such-provider:x", code=2)


def test_N12_what_waits_is_listed_and_what_was_read_is_read_again(run: Run) -> None:
    told(run)
    waiting = document(run("consolidate", "--waiting", "--json"))
    assert (waiting["sessions"][0]["session"], waiting["messages"] > 0) == ("a", True)
    _, out, err = run("consolidate", "--waiting")
    assert out.startswith("a  1 messages  ")
    assert "wait" in err
    read = document(run("consolidate", "--json"))["episodes"]
    assert document(run("consolidate", "--waiting", "--json"))["messages"] == 0
    again = document(run("consolidate", "--again", "--json"))
    assert (again["episodes"], again["facts"]) == (read, 0)
    assert document(run("consolidate", "--again", "--since", "2100-01-01", "--json"))["episodes"] == 0
    _, _, err = run("consolidate", "--since", "2026-01-01", code=2)
    assert "since" in err


def test_an_interrupted_consolidation_says_that_it_goes_on_later(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    run("init")
    monkeypatch.setattr(Memory, "consolidate", stop)
    run("consolidate", code=130)


def test_another_process_at_work_is_exit_code_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from mnemic.models import ConsolidationReport

    run("init")
    busy = ConsolidationReport(note="another process is consolidating this space")
    monkeypatch.setattr(Memory, "consolidate", lambda *args, **kwargs: busy)
    assert document(run("consolidate", "--json", code=1))["note"] == busy.note


def test_remember_every_option(run: Run) -> None:
    options = [
        "--kind",
        "opinion",
        "--label",
        "preference",
        "--importance",
        "2",
        "--confidence",
        "0.9",
        "--at",
        "2026-01-01",
        "--valid-from",
        "2026-01-02",
        "--valid-until",
        "2026-02-01",
        "--key",
        "k",
        "--tag",
        "a",
        "--origin",
        "assistant",
        "--json",
    ]
    node = document(run("remember", "Tea over coffee", *options))
    found = {
        name: node[name] for name in ("kind", "label", "importance", "confidence", "key", "tags", "origin", "trust")
    }
    assert found == {
        "kind": "opinion", "label": "preference", "importance": 2.0, "confidence": 0.9, "key": "k", "tags": ["a"],
        "origin": "assistant", "trust": 0.7,
    }  # fmt: skip
    assert node["valid_until"][:10] in ("2026-02-01", "2026-02-02")
    assert run("remember", "The staging server is called Otter.")[1].startswith("stored ")
    assert run("remember", "The staging server is called Otter.")[1].startswith("known ")
    run("remember", " ", code=2)


def test_correct_confirm_forget_restore_by_id_or_text(run: Run) -> None:
    first = document(run("remember", "The staging server is called Otter.", "--at", "2026-01-01", "--json"))
    second = document(run("correct", "staging server called Otter", "The staging server is called Heron.", "--json"))
    assert second["id"] != first["id"]
    third = document(
        run("correct", second["id"], "The staging server is called Finch.", "--at", "2026-08-01", "--json")
    )
    chain = document(run("history", third["id"], "--json"))
    assert [v["node"]["id"] for v in chain] == [first["id"], second["id"], third["id"]]
    assert run("confirm", "staging server called Finch")[1].startswith(f"confirmed {third['id']}")
    assert run("forget", "staging", "server", "called", "Finch", "--why", "gone")[1].startswith(f"hidden {third['id']}")
    assert document(run("show", third["id"], "--json"))["hidden_why"] == "gone"
    run("restore", third["id"])
    assert document(run("show", third["id"], "--json"))["hidden_at"] is None
    run("forget", third["id"], "--json")


@pytest.mark.parametrize("verb", ["correct", "confirm", "forget"])
def test_where_a_text_may_mean_several_they_are_listed(run: Run, verb: str) -> None:
    ids = {
        document(run("remember", f"The release train leaves on {day} at noon.", "--key", day, "--json"))["id"]
        for day in ("Monday", "Tuesday")
    }
    new = ["It never leaves."] if verb == "correct" else []
    _, out, err = run(verb, "release train leaves at noon", *new, code=1)
    assert {line.split("\t")[0] for line in out.splitlines()} == ids
    assert "nothing was changed" in err
    listed = document(run(verb, "release train leaves at noon", *new, "--json", code=1))
    assert listed["status"] == "not_sure"
    assert {node["id"] for node in listed["candidates"]} == ids
    assert document(run("diff", "2020-01-01", "--json"))["hidden"] == []


@pytest.mark.parametrize("arguments", [["confirm", "x y z"], ["forget", "x y z"], ["explain", "x"], ["history", "x"], ["undo", "9"], ["entity", "x"], ["restore", "x"]], ids=lambda a: a[0])  # fmt: skip
def test_what_does_not_exist_is_exit_code_one(run: Run, arguments: list[str]) -> None:
    run("init")
    _, out, err = run(*arguments, code=1)
    assert not out
    assert err.startswith("error: ")


def test_explain_and_undo(run: Run) -> None:
    told(run)
    run("consolidate")
    first = document(run("history", fact(run)["id"], "--json"))[0]["node"]
    _, out, _ = run("explain", first["id"])
    for words in ("User lives in Oslo", "Known from:", "“I live in Oslo”", "Versions:", "Changes:", "superseded"):
        assert words in out
    why = document(run("explain", first["id"], "--json"))
    change = next(c for c in why["changes"] if c["act"] == "superseded")
    assert change["made_at"].endswith("Z")
    assert f"{change['no']}  {change['made_at']}" in out
    assert run("undo", str(change["no"]))[1].startswith(f"undone {first['id']}")
    assert document(run("show", first["id"], "--json"))["valid_until"] is None
    assert document(run("explain", first["id"], "--known-at", "2020-01-01", "--json"))["changes"] == []


def test_history_diff_entity_weak(run: Run) -> None:
    told(run)
    run("consolidate")
    _, out, _ = run("history", fact(run)["id"])
    assert [line.split("\t")[3] for line in out.splitlines()] == ["User lives in Oslo", "User lives in Bergen"]
    _, out, _ = run("diff", "2020-01-01")
    assert "+\t2026-03-10\tUser lives in Bergen" in out
    _, _, err = run("diff", "2020-01-01", "2020-01-02")
    assert "nothing changed" in err
    run("diff", "2026-02-01", "2026-01-01", code=2)
    _, out, _ = run("entity", "USER")
    assert "User lives in Bergen" in out
    assert document(run("entity", "user", "--limit", "1", "--json"))["facts"][0]["object"] == "Bergen"
    _, out, _ = run("weak", "--below", "0.9")
    assert out.split("\t")[0] == "0.60"
    assert document(run("weak", "--below", "0.1", "--json")) == []


def test_conflicts(run: Run, tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", embedder=None) as memory:
        a = memory.remember("The port is 8080.", key="a")
        b = memory.remember("The port is 9090.", key="b")
        memory.link(b.id, a.id, "contradicts")
    _, out, _ = run("conflicts")
    assert "The port is 8080." in out
    assert "The port is 9090." in out
    assert len(document(run("conflicts", "--json"))) == 1
    run("forget", b.id)
    assert document(run("conflicts", "--json")) == []


def test_purge(run: Run) -> None:
    run("remember", "The moon is made of cheese.", "--origin", "external")
    assert run("purge", "--origin", "external")[1] == "hidden 1\n"
    assert document(run("purge", "--origin", "external", "--json")) == {"hidden": 0}
    run("purge", code=2)
    run("purge", "--source", "nowhere.md", code=1)


def test_mcp_lists_its_tools(run: Run) -> None:
    assert len(document(run("mcp", "--tools"))["tools"]) == 10
    assert len(document(run("mcp", "--tools", "--toolset", "consolidation"))["tools"]) == 18
    run("mcp", "--toolset", "everything", code=2)
