"""``neighbours`` and ``path`` on the command line: lines, JSON, exit codes."""

from __future__ import annotations

import pytest
from test_cli_knowledge import Run, document, run

__all__ = ["run"]


@pytest.mark.parametrize(("asked", "answer"), [("Where is the key?", "Under the mat."), ("Где ключ?", "Под ковриком.")])
def test_neighbours_and_path(run: Run, asked: str, answer: str) -> None:
    a = document(run("observe", asked, "--session", "s", "--json"))["id"]
    b = document(run("observe", answer, "--role", "assistant", "--session", "s", "--json"))["id"]
    _, out, _ = run("neighbours", a)
    depth, by, _, text, id_ = out.rstrip("\n").split("\t")
    assert (depth, by, text, id_) == ("1", "response_to ←", answer, b)
    (found,) = document(run("neighbours", a, "--relation", "response_to", "--depth", "2", "--limit", "5", "--json"))
    assert (found["depth"], found["edge"]["source"], found["node"]["id"]) == (1, b, b)
    assert document(run("neighbours", a, "--relation", "mentions", "--json")) == []
    assert [n["node"]["id"] for n in document(run("path", b, a, "--json"))] == [b, a]
    assert "\tresponse_to →\t" in run("path", b, a, "--depth", "1")[1]
    alone = document(run("observe", "x", "--session", "t", "--json"))["id"]
    assert "joined to nothing" in run("neighbours", alone)[2]
    assert "no chain" in run("path", a, alone)[2]
    assert "no memory" in run("path", a, b, "--space", "other", code=1)[2]
    assert "relations" in run("neighbours", a, "--relation", "friend", code=2)[2]
