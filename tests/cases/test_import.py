"""Import, case by case: the same twice, what grew, transcripts of Claude Code and Codex, notes that were edited."""

from __future__ import annotations

import json
import lzma
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from casekit import Make, found
from importkit import (
    EXPORTS,
    PLACELESS,
    claude,
    codex,
    codex_row,
    contents,
    held,
    put,
    put_json,
    run,
    said,
    stamp,
    telegram,
    turn,
    words,
)

from mnemic import Memory
from shared import SHARED

# -- ingest-idempotence ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [3, 11])
@pytest.mark.parametrize("format_", sorted(EXPORTS))
def test_B064_the_same_twice_then_five_more(make: Make, tmp_path: Path, format_: str, size: int) -> None:
    memory, write = make(), EXPORTS[format_]
    first = run(memory, write(tmp_path / "export", size))
    assert (first.stored, first.formats) == (size, {format_: 1})
    again = run(memory, tmp_path)
    assert (again.stored, again.unchanged, again.read) == (0, 1, 0)
    os.utime(write(tmp_path / "export", size), ns=(1, 1))  # written anew with the same content
    touched = run(memory, tmp_path)
    assert (touched.stored, touched.updated) == (0, 0)
    newer = run(memory, write(tmp_path / "export", size + 5))
    assert (newer.stored, newer.updated) == (5, 0)
    assert contents(held(memory)) == sorted(contents(held(memory)), key=lambda text: int(text.rpartition("(")[2][:-1]))
    assert len(held(memory)) == size + 5


@pytest.mark.parametrize("format_", PLACELESS)
def test_B064_a_newer_export_at_another_place(make: Make, tmp_path: Path, format_: str) -> None:
    memory, write = make(), EXPORTS[format_]
    (tmp_path / "May").mkdir()
    (tmp_path / "Июнь").mkdir()
    assert run(memory, write(tmp_path / "May" / "x", 7)).stored == 7
    dry = run(memory, write(tmp_path / "Июнь" / "y", 12), dry_run=True)
    newer = run(memory, tmp_path / "Июнь")
    assert (newer.stored, newer.known) == (dry.stored, dry.known) == (5, 7)


def test_B064_an_export_of_many_batches(make: Make, tmp_path: Path) -> None:
    memory, write = make(), EXPORTS["telegram"]
    path = write(tmp_path / "big", 1700)
    assert run(memory, path).stored == 1700
    path.touch()
    assert run(memory, path).known == 1700
    assert run(memory, write(tmp_path / "big", 1705)).stored == 5


OWN = "<mnemic-internal task='extract'/>\nWhich durable facts are said here?\n"


def own_session(name: str, kind: str, prompt: str) -> list[dict[str, Any]]:
    if kind == "codex":
        return [
            codex_row("session_meta", id=name, cwd="/w"),
            codex("user", prompt),
            codex("assistant", "Three facts.", 1),
        ]
    ahead = {
        "type": "queue-operation",
        "operation": "enqueue",
        "content": prompt,
        "sessionId": name,
        "timestamp": stamp(0),
    }
    caveat = claude("user", "Caveat: local commands", f"{name}-0", isMeta=True, sessionId=name)
    rows = [
        claude("user", prompt, f"{name}-1", f"{name}-0", sessionId=name),
        claude("assistant", "Three facts.", f"{name}-2", f"{name}-1", 1, sessionId=name),
    ]
    return [ahead, *rows] if kind == "queued" else [caveat, *rows]


@pytest.mark.parametrize("quoted", ["the user likes tea", "Пользователь любит чай. " * 20_000], ids=["short", "long"])
@pytest.mark.parametrize("kind", ["claude", "queued", "codex"])
def test_B067_own_sessions_are_not_imported(make: Make, tmp_path: Path, kind: str, quoted: str) -> None:
    memory, folder = make(), tmp_path / ".claude" / "projects" / "-w"
    put(folder / "real.jsonl", claude("user", "I like tea", "r1"), claude("assistant", "Noted.", "r2", "r1", 1))
    assert run(memory, tmp_path).stored == 2
    for round_ in range(3):
        name = f"own-{round_}"
        put(folder / f"{name}.jsonl", *own_session(name, kind, OWN + quoted))
        assert run(memory, tmp_path).skipped["own_session"] >= 2
        more = codex("assistant", f"Ещё {name}", 5)
        if kind != "codex":
            more = claude("assistant", f"Ещё {name}", f"{name}-3", f"{name}-2", 5, sessionId=name)
        put(folder / f"{name}.jsonl", more, append=True)  # the session goes on after it was read once
        assert run(memory, tmp_path).skipped == {"own_session": 1}
    assert contents(held(memory)) == ["I like tea", "Noted."]


def test_B069_a_resume_writes_earlier_lines_again(make: Make, tmp_path: Path) -> None:
    memory, path = make(), tmp_path / "s.jsonl"
    rows = [claude(turn(i)[0], words(i), f"u{i}", f"u{i - 1}" if i else None, i) for i in range(600)]
    split = {"message_id": "msg_split_over_two_rows_"}
    rows[301] = claude("assistant", "Первая половина.", "u301", "u300", 301, **split)
    rows.insert(303, claude("assistant", "Second half.", "u301b", "u302", 303, **split))
    put(path, *rows, *rows[100:601], claude("user", "а теперь дальше", "u-new", "u599", 700))
    counts = run(memory, path)
    assert counts.stored == 601
    assert counts.skipped["duplicate"] == 501
    texts = contents(held(memory))
    assert texts[301] == "Первая половина.\n\nSecond half."
    assert texts[-1] == "а теперь дальше"
    assert [*texts[:301], *texts[302:-1]] == [words(i) for i in range(600) if i != 301]
    put(path, *rows[20:520], claude("user", "and on", "u-new2", "u-new", 800), append=True)
    assert run(memory, path).stored == 1
    assert [n for n in contents(held(memory)) if "half" in n] == ["Первая половина.\n\nSecond half."]


@pytest.mark.parametrize("gap", [1, 3, 70, 600])
def test_B069_the_halves_of_an_answer_far_apart(make: Make, tmp_path: Path, gap: int) -> None:
    memory, path = make(), tmp_path / "s.jsonl"
    between = [claude("user", words(i), f"g{i}", second=i + 2) for i in range(gap)]
    head = claude("assistant", "Начало ответа.", "a1", second=1, message_id="msg_split_over_two_rows_")
    tail = claude("assistant", "Its end.", "a2", second=gap + 3, message_id="msg_split_over_two_rows_")
    put(path, head, *between)
    assert run(memory, path).stored == gap + 1
    put(path, tail, append=True)
    assert (run(memory, path).updated, run(memory, tmp_path).read) == (1, 0)
    assert contents(held(memory))[0] == "Начало ответа.\n\nIts end."


@pytest.mark.parametrize("glue", [b"", b"\n", b"\r\n", b" "])
@pytest.mark.parametrize("format_", ["claude-code", "codex", "cursor", "messages"])
def test_B064_a_last_line_without_an_end(make: Make, tmp_path: Path, format_: str, glue: bytes) -> None:
    memory, write = make(), EXPORTS[format_]
    path = write(tmp_path / "export", 11)
    rows = path.read_bytes().rstrip(b"\n").split(b"\n")
    path.write_bytes(b"\n".join(rows[:-5]))
    assert run(memory, path).stored == 6
    for row in rows[-5:]:
        with path.open("ab") as file:
            file.write(glue + row)
        assert run(memory, path).stored == 1
    assert contents(held(memory)) == [words(i) for i in range(11)]


# -- Claude Code -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("total", "bad"), [(7_000, 3_000), (40, 20), (1_100, 1_000)])
def test_B128_a_damaged_transcript(make: Make, tmp_path: Path, total: int, bad: int) -> None:
    memory, path = make(), tmp_path / "s.jsonl"
    rows = [
        json.dumps(claude(turn(i)[0], words(i), f"u{i}", second=i), ensure_ascii=False).encode()
        for i in range(1, total + 1)
    ]
    last = rows[-1]
    rows[bad - 1] = rows[bad - 1][:-30]
    rows[bad] = b""
    rows[bad + 1], rows[bad + 2] = b"null", b"[]"
    rows[bad + 3] = b"\x00" * (4 << 20)
    put(path, *rows[:-1], last[:-40], end=b"")
    counts = run(memory, path)
    assert counts.stored == total - 6
    assert counts.skipped == {"broken_json": 2, "blank_line": 1, "not_an_object": 2, "incomplete_line": 1}
    assert [place.removeprefix(f"{path}: ") for place in counts.damaged] == [
        f"broken_json, line {bad}", f"not_an_object, line {bad + 2}", f"not_an_object, line {bad + 3}",
        f"broken_json, line {bad + 4}", f"incomplete_line, line {total}",
    ]  # fmt: skip
    assert counts.errors == {}
    put(path, last[-40:], append=True)
    after = run(memory, path)
    assert (after.stored, after.read) == (1, 1)
    assert contents(held(memory))[-1] == words(total)


ODD = (
    "system",
    "attachment",
    "ai-title",
    "continued-in",
    "file-history-snapshot",
    "summary",
    "zz-new",
    7,
    None,
    ["user"],
)


def test_B129_every_kind_of_row_and_block(make: Make, tmp_path: Path) -> None:
    memory = make()
    result = [{"type": "tool_result", "tool_use_id": "t", "content": "секретный вывод"}]
    answer = [
        {"type": "thinking", "thinking": "a draft"}, {"type": "text", "text": "Готово."},
        {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}, {"type": "zz-block", "x": 1},
    ]  # fmt: skip
    rows = [
        claude("user", "Прочти файл", "u1"), claude("user", result, "u2", "u1", 1),
        claude("assistant", answer, "a1", "u2", 2),
        *({"type": kind, "sessionId": "s-1", "summary": "Old talk", "leafUuid": "x"} for kind in ODD),
        claude("user", [{"type": "text", "text": "Thanks"}], "u3", "a1", 3),
    ]  # fmt: skip
    path = put(tmp_path / "s.jsonl", *rows)
    counts = run(memory, path)
    assert [(n.role, n.content) for n in held(memory)] == [
        ("user", "Прочти файл"), ("assistant", "Готово."), ("user", "Thanks"),
    ]  # fmt: skip
    assert counts.skipped == {
        "tool_output": 1, "thinking": 1, "tool_call": 1, "unknown_block": 1, "summary": 1, "unknown_type": 4,
        "system": 1, "attachment": 1, "ai-title": 1, "continued-in": 1, "file-history-snapshot": 1,
    }  # fmt: skip
    whole = run(memory, path, keep=["message", "tool_output", "thinking", "tool_call", "summary"])
    assert (whole.stored, whole.known) == (4, 3)
    assert {n.label for n in held(memory)} == {"message", "tool_output", "thinking", "tool_call", "summary"}


@pytest.mark.parametrize(
    "content", [None, 5, {}, [], [[]], [None], [5], [{"type": None}], [{"type": "text", "text": 3}], ""]
)
@pytest.mark.parametrize("kind", ["user", "assistant"])
def test_B129_content_of_any_shape(make: Make, tmp_path: Path, kind: str, content: Any) -> None:
    row = claude(kind, "x", "u1")
    row["message"]["content"] = content
    memory = make()
    counts = run(memory, put(tmp_path / "s.jsonl", row, claude("user", "и дальше", "u2", "u1", 1)))
    assert (counts.stored, counts.errors) == (1, {})
    assert contents(held(memory)) == ["и дальше"]


def test_B131_a_rewind_a_compaction_and_sidechains(make: Make, tmp_path: Path) -> None:
    memory = make()
    boundary = {
        "type": "system", "subtype": "compact_boundary", "uuid": "b1", "parentUuid": None, "sessionId": "s-1",
        "logicalParentUuid": "gone-with-its-file", "timestamp": stamp(6), "content": "Conversation compacted",
    }  # fmt: skip
    rows = [
        claude("user", "Составь план", "u1", "missing", 0),
        claude("assistant", "Два шага.", "a1", "u1", 1),
        claude("user", "use Redis", "u2", "a1", 2), claude("assistant", "Redis then.", "a2", "u2", 3),
        claude("user", "лучше SQLite", "u3", "a1", 4), claude("assistant", "SQLite then.", "a3", "u3", 5),
        boundary,
        claude("user", "The user asked for a plan and chose SQLite.", "u4", "b1", 7, isCompactSummary=True),
        claude("user", "дальше", "u5", "u4", 8),
        claude("user", "Search the docs", "u6", None, 9, isSidechain=True, agentId="ag"),
        claude("assistant", "Found WAL mode.", "a6", "u6", 10, isSidechain=True, agentId="ag"),
    ]  # fmt: skip
    counts = run(memory, put(tmp_path / "s.jsonl", *rows))
    assert counts.skipped == {"system": 1, "summary": 1}
    assert [(n.role, n.label, n.content, n.attributes.get("branch")) for n in held(memory)] == [
        ("user", "message", "Составь план", None), ("assistant", "message", "Два шага.", None),
        ("user", "message", "use Redis", "abandoned"), ("assistant", "message", "Redis then.", "abandoned"),
        ("user", "message", "лучше SQLite", None), ("assistant", "message", "SQLite then.", None),
        ("user", "message", "дальше", None),
        ("assistant", "sidechain", "Search the docs", None), ("assistant", "sidechain", "Found WAL mode.", None),
    ]  # fmt: skip


PROJECTS = [
    ("-home-u-my-app", "/home/u/my-app"), ("-home-u-my--app", "/home/u/my_app"), ("-home-u-my-app-", "/home/u/my.app"),
    ("-home-u-------", "/home/u/мой-проект"), ("C--Users-u-my-app", "C:\\Users\\u\\my-app"),
]  # fmt: skip


def test_B133_projects_by_cwd(make: Make, tmp_path: Path) -> None:
    memory = make()
    for i, (folder, cwd) in enumerate(PROJECTS):
        put(
            tmp_path / folder / f"{i}.jsonl",
            claude("user", f"Работа номер {i}", f"u{i}", second=i, cwd=cwd, sessionId=f"s{i}"),
        )
    assert run(memory, tmp_path).stored == len(PROJECTS)
    assert {s.project for s in memory.sessions()} == {cwd for _, cwd in PROJECTS}
    assert [n.project for n in held(memory)] == [cwd for _, cwd in PROJECTS]
    for i, (_, cwd) in enumerate(PROJECTS):
        [hit] = memory.recall("работа", session=f"claude-code:s{i}").hits
        assert (hit.node.content, hit.node.project) == (f"Работа номер {i}", cwd)


# -- Codex -------------------------------------------------------------------------------------------------------------


def rollout(user: str, answer: str, base: str = "") -> Iterator[dict[str, Any]]:
    yield codex_row("session_meta", 0, id="01990000-aaaa", cwd="/srv/orders", instructions=base)
    yield codex_row("turn_context", 1, cwd="/srv/orders", model="gpt-5")
    yield codex("developer", "You are careful.", 2)
    yield codex("user", "<environment_context>\n<cwd>/srv/orders</cwd>\n</environment_context>", 3)
    yield codex("user", user, 4)
    yield codex_row("event_msg", 4, type="user_message", message=user)
    yield codex_row("response_item", 5, type="function_call", name="shell", arguments="{}", call_id="c")
    yield codex_row("response_item", 6, type="function_call_output", output="ok", call_id="c")
    yield codex_row("event_msg", 7, type="agent_message", message=answer)
    yield codex("assistant", answer, 7)


TALKS = [("Why does it round down?", "It is cut by int()."), ("Почему итог округлён вниз?", "Его обрезает int().")]


@pytest.mark.parametrize(("user", "answer"), TALKS)
def test_B134_a_rollout_gives_each_text_once(make: Make, tmp_path: Path, user: str, answer: str) -> None:
    memory = make()
    counts = run(memory, put(tmp_path / "rollout-1.jsonl", *rollout(user, answer)))
    assert [(n.role, n.content) for n in held(memory)] == [("user", user), ("assistant", answer)]
    assert [n.at.second for n in held(memory)] == [4, 7]
    assert {n.attributes["model"] for n in held(memory)} == {"gpt-5"}
    assert counts.skipped == {
        "session_meta": 1, "turn_context": 1, "injected": 2, "duplicate": 2, "tool_call": 1, "tool_output": 1,
    }  # fmt: skip


@pytest.mark.parametrize("size", [40_000, 200_000, 3_000_000])
@pytest.mark.parametrize(("user", "answer"), TALKS)
def test_B135_a_long_first_line(make: Make, tmp_path: Path, size: int, user: str, answer: str) -> None:
    memory = make()
    base = ("You are a coding agent. Ты — помощник. " * (size // 39))[:size]
    counts = run(memory, put(tmp_path / "rollout-1.jsonl", *rollout(user, answer, base)))
    assert counts.formats == {"codex": 1}
    assert contents(held(memory)) == [user, answer]
    assert {n.project for n in held(memory)} == {"/srv/orders"}
    assert {s.key for s in memory.sessions()} == {"codex:01990000-aaaa"}


# -- files that are edited in place ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "new", ["Переехали в Казань.", "We moved to Kazan last spring, and we like it there a lot.", "x"]
)
def test_an_edited_note_replaces_the_old_text(make: Make, tmp_path: Path, new: str) -> None:
    memory, path = make(), tmp_path / "home.md"
    path.write_text("# Home\n\nWe live in Porto, Rua das Flores 12.\n\n# Cat\n\nMurka\n", encoding="utf-8")
    assert run(memory, path).stored == 2
    path.write_text(f"# Home\n\n{new}\n\n# Cat\n\nMurka\n", encoding="utf-8")
    counts = run(memory, path)
    assert (counts.stored, counts.updated, counts.known) == (0, 1, 1)
    assert sorted(contents(held(memory))) == ["Cat\n\nMurka", f"Home\n\n{new}"]
    assert not [text for text in found(memory, "Porto Flores") if "Porto" in text]
    assert found(memory, new)[0].endswith(new)


def test_a_turn_that_was_still_being_written_is_one_memory(make: Make, tmp_path: Path) -> None:
    memory, path = make(), tmp_path / "t.md"
    head = "<!-- Claude Code Session 1f2e3d4c-0000 -->\n\n_**User**_\n\nРасскажи\n\n---\n\n_**Agent (m)**_\n\n"
    for answer in ("Жили", "Жили-были дед и баба.", "Коротко."):
        path.write_text(f"{head}{answer}\n\n---\n", encoding="utf-8")
        run(memory, path)
        assert sorted(contents(held(memory))) == sorted(["Расскажи", answer])


def test_an_edited_telegram_message_replaces_the_old_text(make: Make, tmp_path: Path) -> None:
    memory = make()
    run(memory, put_json(tmp_path / "a.json", telegram(said(1, "Встреча в пятницу в семь вечера"))))
    counts = run(memory, put_json(tmp_path / "b.json", telegram(said(1, "Встречи нет", edited_unixtime="1714546900"))))
    assert (counts.updated, contents(held(memory))) == (1, ["Встречи нет"])


# -- real files --------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(SHARED is None, reason="the shared material is absent (set MNEMIC_SHARED)")
def test_real_exports_and_transcripts(make: Make, tmp_path: Path) -> None:
    assert SHARED is not None
    shutil.copytree(SHARED / "data" / "exports", tmp_path / "exports", copy_function=shutil.copyfile)
    for folder in tmp_path.rglob("*"):
        folder.chmod(0o755)
    transcripts = []
    for packed in sorted((SHARED / "data" / "sessions" / "claude_code").glob("2026-*.xz"))[:60:6]:
        path = tmp_path / packed.stem
        path.write_bytes(lzma.decompress(packed.read_bytes()))
        transcripts.append(path)
    memory: Memory = make(path=tmp_path / "m.db")
    dry = run(memory, tmp_path, dry_run=True)
    first = run(memory, tmp_path)
    assert (dry.stored, dry.read) == (first.stored, first.read)
    assert first.stored > 200
    assert first.errors == {}
    assert memory.status()["memories"] == first.stored
    again = run(memory, tmp_path)
    assert (again.stored, again.updated, again.unchanged) == (0, 0, again.files - first.skipped["unrecognised_file"])
    for path in transcripts:
        path.touch()
    touched = run(memory, tmp_path)
    assert (touched.stored, touched.updated) == (0, 0)
    grown = next(path for path in transcripts if path.stat().st_size > 100_000 and b'"parentUuid"' in path.read_bytes())
    for last in ("И последнее слово", "and one more"):  # the first on the last line itself: it had no end
        put(grown, claude("user", last, f"u-{last}", sessionId="new"), append=True)
        tail = run(memory, grown)
        assert tail.stored == 1
        assert tail.read < 5
    assert tail.read == 1


def test_a_batch_that_fails_is_not_jumped_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The place reached in a file never moves past messages that were not stored."""
    from mnemic import Config, Memory, MnemicError
    from mnemic.ingest import reading
    from mnemic.store.tx import Tx

    monkeypatch.setattr(reading, "BATCH", 10)
    source = tmp_path / "chat.jsonl"
    rows = [{"role": "user", "content": f"message {i}", "session_id": "s", "id": f"m{i}"} for i in range(2_000)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    add, calls = Tx.add, []

    def failing(self: Tx, *args: object, **more: object) -> object:
        calls.append(1)
        if len(calls) == 7:
            raise MnemicError("no luck")
        return add(self, *args, **more)  # type: ignore[arg-type]

    with Memory(tmp_path / "m.db", embedder=None, config=Config(background=False)) as memory:
        monkeypatch.setattr(Tx, "add", failing)
        with pytest.raises(MnemicError):
            memory.import_(source)
        monkeypatch.setattr(Tx, "add", add)
        memory.import_(source)
        assert memory.status()["memories"] == 2_000
