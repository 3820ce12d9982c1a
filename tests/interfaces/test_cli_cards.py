"""`mnemic cards …`: what each verb says, its JSON, its exit codes, its errors; each is in docs/cli.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer.main
from test_cli_knowledge import Run, document, run

from mnemic.interfaces.cli.extras import cards

__all__ = ["run"]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "pumps.md").write_text(
        "# Pumps\n\nThe pump runs at night.\n\n## Changing filters\n\n**Filter life**: one year.\n", encoding="utf-8"
    )
    (folder / "скважины.md").write_text("# Скважины\n\n## Промывка\n\nПромывка идёт раз в год.\n", encoding="utf-8")
    return folder


def test_a_life_of_a_card(run: Run, docs: Path) -> None:
    card = document(run("cards", "add", str(docs / "pumps.md"), "--json"))
    assert (card["title"], card["sections"]) == ("Pumps", 2)
    _, out, _ = run("cards", "add", str(docs))
    assert out.split() == ["added", "1", "unchanged", "1"]
    assert document(run("cards", "add", str(docs), "--json"))["unchanged"] == 2
    listed = document(run("cards", "list", "--json"))
    assert {c["title"] for c in listed} == {"Pumps", "Скважины"}
    assert listed[0]["event_time"].endswith("Z")
    _, out, _ = run("cards", "list", "--limit", "1")
    assert len(out.splitlines()) == 1
    _, out, _ = run("cards", "show", card["id"])
    assert "Filter life · " in out
    assert "The pump runs at night." in out
    assert document(run("cards", "show", str(docs / "pumps.md"), "--json"))["id"] == card["id"]
    assert document(run("cards", "show", "pumps", "--json"))["uses"] == 2
    (routed,) = document(run("cards", "route", "how do I change the filter?", "--json"))
    assert (routed["id"], "heading “Changing filters”" in routed["why"]) == (card["id"], True)
    _, out, _ = run("cards", "route", "когда", "промывка", "--limit", "1")
    assert "Скважины" in out
    _, out, err = run("cards", "route", "where does Anna live?")
    assert (out, "no card answers" in err) == ("", True)
    _, _, err = run("recall", "how do I change the filter?")
    assert f"see card {card['id']}: Pumps" in err
    assert document(run("recall", "how do I change the filter?", "--json"))["cards"][0]["id"] == card["id"]


def test_refresh_remove_index(run: Run, docs: Path) -> None:
    card = document(run("cards", "add", str(docs / "pumps.md"), "--title", "Our pumps", "--importance", "2", "--json"))
    assert (card["title"], card["importance"]) == ("Our pumps", 2.0)
    (docs / "pumps.md").write_text("# Pumps\n\nThe pump runs by day.\n", encoding="utf-8")
    assert document(run("cards", "refresh", "--dry-run", "--json"))["changed"] == 1
    _, out, _ = run("cards", "refresh")
    assert out.split() == ["changed", "1"]
    _, out, _ = run("cards", "index", str(docs / "MEMORY.md"))
    assert out.startswith("written ")
    assert "[Our pumps](pumps.md)" in (docs / "MEMORY.md").read_text(encoding="utf-8")
    page = document(run("cards", "index", str(docs / "MEMORY.md"), "--json"))
    assert (page["shown"], page["left_out"], page["written"]) == (1, 0, False)
    (docs / "MEMORY.md").write_text("mine\n", encoding="utf-8")
    _, _, err = run("cards", "index", str(docs / "MEMORY.md"), code=2)
    assert "was not written by mnemic" in err
    run("cards", "index", str(docs / "MEMORY.md"), "--force")
    assert (docs / "MEMORY.md").read_text(encoding="utf-8").startswith("mine\n")
    _, out, _ = run("cards", "remove", "our pumps")
    assert out.startswith("removed ")
    _, _, err = run("cards", "list")
    assert "no cards" in err
    assert document(run("cards", "list", "--hidden", "--json"))[0]["hidden_why"] == "removed"


def test_somebody_elses_document(run: Run, docs: Path) -> None:
    card = document(run("cards", "add", str(docs / "pumps.md"), "--origin", "external", "--json"))
    assert (card["origin"], card["trust"]) == ("external", 0.3)


@pytest.mark.parametrize(("arguments", "code", "said"), [
    (["add", "no-such-file.md"], 2, "not there"), (["add", ""], 2, "must name a file"), (["add", ".", "--title", "x"], 2, "single file"),
    (["show", "nothing"], 1, "no card 'nothing'"), (["show", ""], 2, "empty"), (["remove", "nothing"], 1, "no card"),
    (["list", "--limit", "0"], 2, "limit"), (["route", "x", "--limit", "0"], 2, "limit"), (["index"], 2, "must name a file"),
    (["add", "memory.db"], 2, "no text"), (["add", "x", "--origin", "me"], 2, "origin"), (["index", "no/such/F.md"], 2, "folder"),
    (["add", "x", "--importance", "-1"], 2, "importance"),
])  # fmt: skip
def test_wrong_input_is_one_plain_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    run("init")
    _, out, err = run("cards", *arguments, code=code)
    assert out == ""
    assert err.startswith("error: ")
    assert len(err.splitlines()) == 1
    assert said in err


def test_every_verb_and_option_is_documented() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    part = re.search(r"^## cards$(.*?)^## ", text, re.M | re.S)
    assert part
    for verb, command in typer.main.get_command(cards).commands.items():  # type: ignore[attr-defined]
        assert f"`{verb}" in part[1], verb
        options = {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
        assert "--json" in options
        for option in options:
            assert option in text, option
