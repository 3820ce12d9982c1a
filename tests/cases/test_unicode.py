"""Reported cases of text: half characters, NUL, other line ends, other locales, paths of other systems."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from casekit import Make, cli, found, texts

from mnemic import Memory
from mnemic.embed import chunk
from mnemic.ingest.observe import storable
from mnemic.text.recalled import cut

LINE = {"type": "user", "sessionId": "s1", "isSidechain": False, "cwd": "/home/u/p", "version": "2.1.7"}


def transcript(path: Path, contents: list[str], *, ascii: bool = True, ids: str = "u") -> Path:
    """A Claude Code transcript with these messages, written byte by byte as given."""
    lines = []
    for i, content in enumerate(contents):
        line = {
            **LINE,
            "uuid": f"{ids}{i}",
            "timestamp": f"2026-03-02T12:00:{i:02}.000Z",
            "message": {"role": "user", "content": content},
        }
        lines.append(json.dumps(line, ensure_ascii=ascii))
    path.write_bytes("".join(line + "\n" for line in lines).encode("utf-8", "surrogatepass"))
    return path


def valid(memory: Memory) -> list[str]:
    """All texts of a memory; everything that comes out of it is valid UTF-8 and JSON."""
    nodes = memory.timeline(limit=10_000)
    for node in nodes:
        json.loads(
            json.dumps([node.content, node.session, node.speaker, list(node.tags), dict(node.attributes)]).encode()
        )
        node.content.encode()
    block = memory.context(" ".join(n.content for n in nodes)[:200])
    if block:
        block.text.encode()
    return [n.content for n in nodes]


HALVES = ["bad \udcb2 tail", "\ud83d", "конец \ud83d", "\udc00\ud800 mixed", "whole 😀 pair"]


def test_B120_half_characters_in_a_transcript(make: Make, tmp_path: Path) -> None:
    path = transcript(tmp_path / "t.jsonl", [*HALVES, "после них"])
    memory = make()
    counts = memory.import_(path)
    assert counts.stored == 6
    assert counts.errors == {}
    assert valid(memory) == [
        "bad \ufffd tail",
        "\ufffd",
        "конец \ufffd",
        "\ufffd\ufffd mixed",
        "whole 😀 pair",
        "после них",
    ]
    assert found(memory, "tail") == ["bad \ufffd tail"]


def test_B120_broken_bytes_in_a_transcript(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    transcript(path, ["first", "second"])
    path.write_bytes(path.read_bytes().replace(b"first", b"fir\xff\xfest") + b"\xff\xfe broken\n")
    memory = make()
    counts = memory.import_(path)
    assert counts.read == counts.stored + counts.known + counts.updated + sum(counts.skipped.values())
    assert "second" in valid(memory)


@pytest.mark.parametrize("text", HALVES)
@pytest.mark.parametrize("embedder", [None, "hash:64"])
def test_B120_half_characters_everywhere(make: Make, text: str, embedder: Any) -> None:
    memory = make(embedder=embedder)
    memory.observe(text + " x", session=text, speaker=text, tags=[text], key=text, attributes={"note": text})
    memory.remember(text + " fact")
    memory.flush()
    assert len(valid(memory)) == 2
    memory.recall(text).plan.query.encode()
    memory.recall("fact", session=text, entity=text, tags=text, source=text)
    assert memory.get(memory.timeline()[0].id).content


NUL = "before\x00after секрет"


@pytest.mark.parametrize("query", ["before", "after", "секрет"])
@pytest.mark.parametrize("text", [NUL, "\x00" + NUL, NUL + "\x00", "before \x00\x00 after \x01\x1f секрет"])
def test_B121_nul(make: Make, text: str, query: str) -> None:
    memory = make(text, "something else")
    assert found(memory, query) == [text.replace("\x00", "\u2400")]
    assert memory.doctor()["ok"]


def test_B121_nul_in_names_and_queries(make: Make) -> None:
    memory = make()
    memory.observe("hello", session="a\x00b", key="k\x00", speaker="Анна\x00", tags=["t\x00g"])
    assert found(memory, "hel\x00lo hello", session="a\x00b", tags="t\x00g") == ["hello"]
    assert found(memory, "\x00") == []
    assert memory.observe("hello", session="a\x00b", key="k\x00", speaker="Анна\x00").acknowledged == "known"


TEXT = "последние изменения 🎉"


@pytest.mark.parametrize("coding", ["cp1252", "ascii"])
def test_B122_other_locales(tmp_path: Path, coding: str) -> None:
    path = tmp_path / "память.db"
    env = {
        **os.environ,
        "PYTHONIOENCODING": coding,
        "LANG": "C",
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
    }
    assert cli("observe", "-", path=path, input=TEXT, env=env).returncode == 0
    assert cli("observe", TEXT + " два", path=path, env=env).returncode == 0
    answer = cli("recall", "изменения", "--embedder", "none", path=path, env=env)
    assert answer.returncode == 0, answer.stderr
    said = answer.stdout.decode("utf-8")
    assert said.count(TEXT) == 2
    assert TEXT + " два" in said


def test_B122_no_file_is_read_in_the_locale(tmp_path: Path) -> None:
    path = transcript(tmp_path / "t.jsonl", [TEXT], ascii=False)
    (tmp_path / "note.md").write_text(f"# Заметка\n\n{TEXT} вторые\n", encoding="utf-8")
    code = (
        "import sys; from mnemic import Config, Memory\n"
        "with Memory(sys.argv[1], embedder='hash:64', config=Config(background=False)) as m:\n"
        "    for p in sys.argv[2:]: m.import_(p, format='markdown' if p.endswith('.md') else 'auto')\n"
        "    m.flush(); assert len(m.recall('изменения').hits) == 2, m.timeline()\n"
        "    m.status(); m.doctor(); m.backup(sys.argv[1] + '.copy')\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code, encoding="utf-8")
    env = {**os.environ, "PYTHONWARNDEFAULTENCODING": "1", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [
        sys.executable,
        "-W",
        "error::EncodingWarning",
        str(script),
        str(tmp_path / "m.db"),
        str(path),
        str(tmp_path / "note.md"),
    ]
    answer = subprocess.run(command, capture_output=True, env=env, check=False)
    assert answer.returncode == 0, answer.stderr.decode("utf-8", "replace")


CLUSTERS = [
    "👩‍👩‍👧",
    "🟡",
    "и\u0306",
    "🇷🇺",
    "👍🏽",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "é́",
    "क्षि",
    "각",
    "❤️",
    "1️⃣",
]


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_B124_cuts_never_split_a_character(make: Make, cluster: str) -> None:
    for lead in range(14):
        text = "x" * lead + cluster * 40
        for limit in range(1, 60):
            head = cut(text, limit)
            head.encode()
            whole = head[lead:]
            assert whole == cluster * (len(whole) // len(cluster)), (lead, limit)
        for piece in chunk(text, 32):
            piece.encode()
    memory = make()
    for lead in range(3):
        memory.observe("флаг " + "x" * lead + cluster * 1_500, session=str(lead))
    block = memory.context("флаг", budget=2_000)
    if block:
        json.loads(json.dumps(block.text).encode())


@pytest.mark.parametrize("text", ["", "a", "\u0301", "\u0301" * 500, "🇷" * 301, "\u200d" * 100, "a" * 10])
def test_B124_cut_of_odd_texts(text: str) -> None:
    for limit in (0, 1, 5, 99, 1_000):
        assert text.startswith(cut(text, limit))
        assert len(cut(text, limit)) <= limit
    assert len(cut(text, 200)) >= min(len(text), 200) - 65, "a stack of marks is cut anywhere"


def test_B124_the_command_line_shows_whole_characters(tmp_path: Path, make: Make) -> None:
    path = tmp_path / "memory.db"
    memory = make(path=path)
    for lead in range(8):
        memory.observe("флаг " + "x" * lead + "👩‍👩‍👧" * 300, session=str(lead))
    memory.close()
    answer = cli("recall", "флаг", "--embedder", "none", path=path)
    assert answer.returncode == 0
    answer.stdout.decode("utf-8")


ENDS = [
    "one\u2028two",
    "три\u0085четыре",
    "five\x0bsix",
    "seven\reight",
    "nine\r\nten",
    "\x1celeven\x1d\x1etwelve",
    "a\fb",
    "tab\tend",
]


@pytest.mark.parametrize("ascii", [True, False])
def test_B125_other_line_ends_inside_a_message(make: Make, tmp_path: Path, ascii: bool) -> None:
    path = transcript(tmp_path / "t.jsonl", ENDS, ascii=ascii)
    memory = make()
    counts = memory.import_(path)
    assert counts.stored == path.read_bytes().count(b"\n") == len(ENDS)
    assert [n.content for n in memory.timeline()] == ENDS
    assert found(memory, "четыре") == [ENDS[1]]


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\r"])
def test_B125_raw_signs_in_a_line(make: Make, tmp_path: Path, sign: str) -> None:
    """Control characters stand raw in the string, as some writers leave them."""
    path = transcript(tmp_path / "t.jsonl", ["before", "leftMARKright", "after"])
    path.write_bytes(path.read_bytes().replace(b"MARK", sign.encode()))
    memory = make()
    counts = memory.import_(path)
    assert counts.read == counts.stored + sum(counts.skipped.values())
    said = [n.content for n in memory.timeline()]
    assert said[0] == "before"
    assert said[-1] == "after"
    assert f"left{sign}right" in said


PATHS = [
    "C:\\Users\\м\\мой проект", "\\\\srv\\share", "D:\\x:y", "Desktop ", "Desktop", "Desktop.", " Desktop", "CON",
    "nul.txt", "a.", "..", ".", "~", "%2e%2e",
    "п" * 300, "x/" * 200, "a?b#c", "file:x", "con/aux", "проект\n2", "🎉", "%", "_",
]  # fmt: skip


def test_B194_names_are_stored_as_given_and_stay_distinct(make: Make) -> None:
    memory = make()
    for i, name in enumerate(PATHS):
        memory.observe(f"note {i}", session=name, project=name, key=name, tags=[name], channel=name)
    nodes = memory.timeline()
    assert [(n.session, n.project, n.key, n.tags) for n in nodes] == [(p, p, p, (p,)) for p in PATHS]
    assert len({n.id for n in nodes}) == len(PATHS)
    assert {s.project for s in memory.sessions()} == set(PATHS)
    for i, name in enumerate(PATHS):
        assert found(memory, "note", session=name) == [f"note {i}"]
        assert found(memory, "note", tags=name) == [f"note {i}"]


def test_B194_projects_of_imported_files(make: Make, tmp_path: Path) -> None:
    memory = make()
    for i, name in enumerate(PATHS):
        line = {**LINE, "cwd": name, "sessionId": f"s{i}", "uuid": f"u{i}", "timestamp": "2026-03-02T12:00:00Z"}
        path = tmp_path / f"{i}.jsonl"
        path.write_text(
            json.dumps({**line, "message": {"role": "user", "content": f"note {i}"}}) + "\n", encoding="utf-8"
        )
    assert memory.import_(tmp_path).stored == len(PATHS)
    assert {n.project for n in memory.timeline()} == set(PATHS)


@pytest.mark.parametrize(
    "name",
    ["мой проект.db", "a?b#c&d%20.db", "file:x?mode=memory", "Desktop ", " ", "x" * 200, "🎉.db", "a'b\"c.db", "-x.db"],
)
def test_B194_names_of_memory_files(make: Make, tmp_path: Path, name: str, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    make("заметка", path=name).close()
    assert [p.name for p in tmp_path.iterdir() if not p.name.endswith(("-wal", "-shm"))] == [name]
    memory = make(path=name)
    assert texts(memory.recall("заметка")) == ["заметка"]
    assert memory.backup(tmp_path / "copies" / name if (tmp_path / "copies").mkdir() is None else name).name == name


@pytest.mark.parametrize("folder", ["мой проект", "Desktop ", "a%b_c", "[x]", "a'b", "🎉"])
def test_B194_sources_in_odd_folders(make: Make, tmp_path: Path, folder: str) -> None:
    memory = make()
    for name in (folder, folder + "2", "другое"):
        (tmp_path / name).mkdir()
        path = transcript(tmp_path / name / "t.jsonl", [f"note of {name}"], ids=name)
        assert memory.import_(path).stored == 1
    assert found(memory, "note", source=str(tmp_path / folder)) == [f"note of {folder}"]
    assert memory.erase(source=str(tmp_path / folder / "t.jsonl"))["nodes"] == 1
    assert len(found(memory, "note")) == 2


def test_text_is_kept_to_the_letter() -> None:
    for text in ["  spaces  ", "\r\n", "e\u0301", "ﬁ", "\u202eabc", "\x01"]:
        if text.strip():
            assert storable(text) == text
