"""Claude Code transcripts: who said what, answers split over rows, damage, growth, branches."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from importing import EVERYTHING, FIXTURES, jsonl, run

from mnemic.ingest.importers import LABELS

SESSION = "5e55-0002"


def row(kind: str, content: Any, uuid: str, parent: str | None = None, **more: Any) -> dict[str, Any]:
    """Return a row as Claude Code writes it; ``message_id`` goes into the message."""
    message: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        message = {
            "id": more.pop("message_id", f"msg_{uuid:0>24}"),
            "type": "message",
            "model": "m",
            **message,
        }
    base = {"parentUuid": parent, "isSidechain": False, "cwd": "/w", "sessionId": SESSION, "type": kind}
    return {**base, "message": message, "uuid": uuid, "timestamp": "2026-03-02T12:00:00.000Z", **more}


def text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


class TestWhatIsKept:
    def test_the_fixture_gives_what_was_typed_and_answered(self) -> None:
        found = run("claude-code", FIXTURES / "claude_code.jsonl")
        assert found.said("user") == [
            "The torque sensor on press 7 drifts after lunch.",
            "Calibrate it at 28 degrees then.",
            "/plan order a spare sensor",
            "and tell Jonas about it",
            "Спасибо, на сегодня всё.",
        ]
        assert found.of("message")[1].text == "Let me look at the log.\n\nIt drifts by 0.4 Nm when the hall warms up."
        assert [(r.role, r.text) for r in found.of("sidechain")] == [
            ("assistant", "Search the parts list for torque sensors."),
            ("assistant", "Part TS-40 fits press 7."),
        ]
        assert {r.project for r in found.records} >= {"/home/mira/press-line"}
        assert not any("branch" in r.attributes for r in found.records)

    def test_the_rest_is_kept_on_request_under_its_label(self) -> None:
        found = run("claude-code", FIXTURES / "claude_code.jsonl", keep=EVERYTHING)
        assert [r.text for r in found.of("thinking")] == ["Heat, perhaps."]
        assert [r.text for r in found.of("tool_output")] == ["12:01 drift 0.4 Nm"]
        assert "/var/log/press7.log" in found.of("tool_call")[0].text
        assert len(found.of("summary")) == 2
        assert all(r.label in LABELS for r in found.records)

    def test_counts_of_the_default_and_of_everything_are_equal(self) -> None:
        few = run("claude-code", FIXTURES / "claude_code.jsonl")
        all_ = run("claude-code", FIXTURES / "claude_code.jsonl", keep=EVERYTHING)
        assert len(few.records) + few.skips.total() == len(all_.records) + all_.skips.total()

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ("plain", ["plain"]),
            ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], ["one\n\ntwo"]),
            (["a bare string"], ["a bare string"]),
            ([{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "out"}]}], []),
            ("[Request interrupted by user for tool use]", []),
            ("<command-name>/clear</command-name>\n<command-args></command-args>", []),
            ("<local-command-stdout>Bye!</local-command-stdout>", []),
            ("<bash-input>git status</bash-input>", []),
            ("before <system-reminder>x</system-reminder> after", ["before  after"]),
            ("<ide_opened_file>a.py</ide_opened_file>why is it slow?", ["why is it slow?"]),
            ("<mnemic-memory count='2'>old facts</mnemic-memory>\nnew words", ["new words"]),
            ("what does <system-reminder> do?", ["what does <system-reminder> do?"]),
            ("a < b and c > d", ["a < b and c > d"]),
            (42, []),
            (None, []),
            ("   ", []),
        ],
    )
    def test_user_rows(self, content: Any, expected: list[str]) -> None:
        assert run("claude-code", jsonl(row("user", content, "u1"))).texts == expected

    def test_tool_output_beside_words_keeps_the_words(self) -> None:
        content = [{"type": "tool_result", "tool_use_id": "t", "content": "no"}, *text("use pnpm instead")]
        found = run("claude-code", jsonl(row("user", content, "u1")))
        assert found.texts == ["use pnpm instead"]
        assert found.skips == {"tool_output": 1}

    def test_unknown_types_are_counted(self) -> None:
        rows = [{"type": name} for name in ("system", "attachment", "ai-title", "continued-in", "zz-new", 5, None)]
        assert run("claude-code", jsonl(*rows)).skips == {
            "system": 1, "attachment": 1, "ai-title": 1, "continued-in": 1, "unknown_type": 3,
        }  # fmt: skip

    def test_project_is_the_cwd_not_the_folder(self) -> None:
        data = jsonl(row("user", "a", "u1", cwd="/home/u/my-app"), row("user", "b", "u2", cwd="/home/u/my_app"))
        found = run("claude-code", data, path="/p/-home-u-my-app/x.jsonl")
        assert [r.project for r in found.records] == ["/home/u/my-app", "/home/u/my_app"]

    @pytest.mark.parametrize(
        "cwd", ["C:\\Users\\м\\мой проект", "\\\\srv\\share", "D:\\x:y", "Desktop ", "CON", "a" * 300]
    )
    def test_projects_are_stored_as_given(self, cwd: str) -> None:
        assert run("claude-code", jsonl(row("user", "a", "u1", cwd=cwd))).records[0].project == cwd

    def test_typed_ahead_words_come_once(self) -> None:
        ahead = {
            "type": "queue-operation",
            "operation": "enqueue",
            "content": "also lint",
            "sessionId": SESSION,
        }
        assert run("claude-code", jsonl(ahead)).texts == ["also lint"]
        assert run("claude-code", jsonl(ahead, row("user", "also lint", "u1"))).texts == ["also lint"]
        assert run("claude-code", jsonl({**ahead, "content": "/help"})).texts == []

    def test_a_missing_time_is_the_one_before(self) -> None:
        data = jsonl(row("user", "a", "u1"), row("user", "b", "u2", timestamp=None))
        first, second = run("claude-code", data).records
        assert first.at == second.at is not None

    def test_own_sessions_are_skipped(self) -> None:
        own = row("user", "<mnemic-internal task='extract'/> What durable things are said?", "u1")
        data = jsonl(row("user", "Caveat", "u0", isMeta=True), own, row("assistant", text("Three."), "a1"))
        found = run("claude-code", data)
        assert not found.records
        assert found.skips["own_session"] == 2
        grown = run("claude-code", data + jsonl(row("assistant", text("Four."), "a2")), offset=len(data))
        assert not grown.records

    def test_later_talk_about_the_mark_is_no_own_session(self) -> None:
        data = jsonl(row("user", "hello", "u1"), row("user", "what is <mnemic-internal?", "u2"))
        assert len(run("claude-code", data).records) == 2


class TestAnswers:
    def test_parts_are_joined_once_and_in_order(self) -> None:
        data = jsonl(
            row("assistant", text("one"), "a1", message_id="msg_0123456789abcdef"),
            row("user", [{"type": "tool_result", "content": "x"}], "u1"),
            row("assistant", text("two"), "a2", message_id="msg_0123456789abcdef"),
            row("assistant", text("two"), "a3", message_id="msg_0123456789abcdef"),
        )
        found = run("claude-code", data)
        assert found.texts == ["one\n\ntwo"]
        assert found.records[0].supersedes_text
        assert found.records[0].key == "claude-code:msg_0123456789abcdef"
        assert found.skips["duplicate"] == 1

    def test_rows_appended_again_on_resume_come_once(self) -> None:
        rows = [row("user", f"line {n}", f"u{n}") for n in range(500)]
        split = [row("assistant", text(t), t, message_id="msg_0123456789abcdef") for t in ("head", "tail")]
        found = run("claude-code", jsonl(*rows, split[0], *rows, split[1]))
        assert len(found.said("user")) == 500
        assert found.skips["duplicate"] == 500
        assert found.said("assistant")[-1] == "head\n\ntail"
        assert len({r.key for r in found.records}) == 501

    def test_short_ids_belong_to_their_session(self) -> None:
        data = jsonl(
            row("assistant", text("a"), "a1", message_id="msg_1"),
            row("assistant", text("b"), "a2", message_id="msg_1", sessionId="other"),
        )
        assert run("claude-code", data).texts == ["a", "b"]


class TestBranches:
    def test_a_rewind_keeps_both_branches_and_marks_the_old_one(self) -> None:
        data = jsonl(
            row("user", "start", "u1"),
            row("assistant", text("answer"), "a1", "u1"),
            row("user", "first try", "u2", "a1"),
            row("assistant", text("bad"), "a2", "u2"),
            row("user", "second try", "u3", "a1"),
            row("assistant", text("good"), "a3", "u3"),
        )
        marked = {r.text: r.attributes.get("branch") for r in run("claude-code", data).records}
        assert marked == {
            "start": None, "answer": None, "first try": "abandoned", "bad": "abandoned",
            "second try": None, "good": None,
        }  # fmt: skip

    def test_parallel_tool_calls_are_no_rewind(self) -> None:
        use = [{"type": "tool_use", "id": "t", "name": "Read", "input": {}}]
        result = [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]
        data = jsonl(
            row("user", "go", "u1"),
            row("assistant", use, "a1", "u1"),
            row("assistant", use, "a2", "a1"),
            row("user", result, "r1", "a1"),
            row("user", result, "r2", "a2"),
            row("assistant", text("done"), "a3", "r2"),
        )
        assert not any("branch" in r.attributes for r in run("claude-code", data).records)

    def test_missing_parents_and_circles_do_no_harm(self) -> None:
        data = jsonl(row("user", "a", "u1", "gone"), row("user", "b", "u2", "u3"), row("user", "c", "u3", "u2"))
        assert run("claude-code", data).texts == ["a", "b", "c"]


class TestDamage:
    def test_bad_lines_lose_only_themselves(self) -> None:
        good = [row("user", f"n{n}", f"u{n}") for n in range(20)]
        cut = json.dumps(row("user", "cut in the middle", "ux")).encode()[:120]
        bad = [cut, b"", b"null", b"[]", b"\0" * (4 << 20), b'"word"', b"[INFO] starting"]
        found = run("claude-code", jsonl(*good[:10], *bad, *good[10:]) + cut)
        assert found.texts == [f"n{n}" for n in range(20)]
        assert found.skips == {"broken_json": 3, "blank_line": 1, "not_an_object": 3, "incomplete_line": 1}

    def test_bad_lines_are_told_by_number(self) -> None:
        items = run("claude-code", jsonl(row("user", "a", "u1"), b"{broken")).items
        assert [item.where for item in items if getattr(item, "reason", "") == "broken_json"] == ["line 2"]

    def test_two_objects_on_one_line(self) -> None:
        line = jsonl(row("user", "one", "u1")).strip() + jsonl(row("user", "two", "u2")).strip()
        assert run("claude-code", line + b"\n").texts == ["one", "two"]
        progress = json.dumps({"type": "progress", "uuid": "p", "data": {}}).replace(": ", ":").encode()
        assert run("claude-code", progress + jsonl(row("user", "after", "u1"))).texts == ["after"]

    def test_a_row_cut_by_the_next_one(self) -> None:
        whole = jsonl(row("user", "two", "u2"))
        assert run("claude-code", jsonl(row("user", "one is lost", "u1"))[:90] + whole).texts == ["two"]

    def test_deep_json_is_a_skip(self) -> None:
        deep = b'{"type":"user","message":' + b'{"a":' * 10_000 + b"1" + b"}" * 10_001
        found = run("claude-code", jsonl(deep, row("user", "after", "u1")))
        assert found.texts == ["after"]
        assert found.skips == {"too_deep": 1}

    def test_deep_tool_input_is_harmless_too(self) -> None:
        value: Any = 1
        for _ in range(400):
            value = {"a": value}
        use = [{"type": "tool_use", "id": "t", "name": "X", "input": value}]
        run("claude-code", jsonl(row("assistant", use, "a1")), keep=EVERYTHING)

    def test_odd_numbers(self) -> None:
        odd = json.dumps(row("user", "x", "u1")).replace('"2026-03-02T12:00:00.000Z"', "1e400").encode()
        huge = json.dumps(row("user", "y", "u2")).replace('"2026-03-02T12:00:00.000Z"', "9" * 6000).encode()
        found = run("claude-code", jsonl(odd, huge))
        assert found.texts == ["x"]
        assert found.records[0].at is None

    def test_lone_surrogates_become_replacement_characters(self) -> None:
        line = (
            json.dumps(row("user", "X", "u1")).replace('"X"', '"bad \\udcb2 tail \\ud83d and \\ud83d\\ude00"').encode()
        )
        found = run("claude-code", jsonl(line, row("user", "next", "u2")))
        assert found.texts == ["bad \ufffd tail \ufffd and 😀", "next"]
        found.texts[0].encode()

    def test_only_newline_ends_a_line(self) -> None:
        raw = json.dumps(row("user", "X", "u1")).replace('"X"', '"a\u2028b\u0085c\x0bd\re"').encode()
        assert (
            run("claude-code", raw + b"\r\n" + raw.replace(b"u1", b"u2") + b"\n").texts
            == ["a\u2028b\u0085c\x0bd\re"] * 2
        )

    def test_nul_inside_text_is_kept(self) -> None:
        assert run("claude-code", jsonl(row("user", "a\0b", "u1"))).texts == ["a\0b"]

    def test_byte_order_mark_and_utf16(self) -> None:
        data = jsonl(row("user", "привет", "u1"))
        assert run("claude-code", b"\xef\xbb\xbf" + data).texts == ["привет"]
        assert run("claude-code", data.decode().encode("utf-16")).texts == ["привет"]
        assert run("claude-code", data.decode().encode("utf-16")).offset == 0


class TestGrowth:
    def test_an_incomplete_last_line_is_taken_when_it_is_complete(self) -> None:
        first, second = jsonl(row("user", "one", "u1")), jsonl(row("user", "two", "u2"))
        before = run("claude-code", first + second[:50])
        assert before.texts == ["one"]
        assert before.offset == len(first)
        after = run("claude-code", first + second, offset=before.offset)
        assert after.texts == ["two"]
        assert after.offset == len(first + second)

    def test_a_last_line_without_newline_is_taken_if_it_is_whole(self) -> None:
        data = jsonl(row("user", "one", "u1"), row("user", "two", "u2")).rstrip(b"\n")
        found = run("claude-code", data)
        assert found.texts == ["one", "two"]
        assert found.offset == data.index(b"\n") + 1  # read again next time: a row may be written onto it
        assert run("claude-code", data + b"\n" + jsonl(row("user", "three", "u3")), offset=len(data)).texts == ["three"]

    def test_reading_on_gives_the_same_as_reading_whole(self) -> None:
        data = (FIXTURES / "claude_code.jsonl").read_bytes()
        whole = {r.key: r.text for r in run("claude-code", data).records}
        for cut in range(0, len(data), 97):
            first = run("claude-code", data[:cut])
            second = run("claude-code", data, offset=first.offset)
            stored: dict[str, str] = {}
            for record in first.records + second.records:
                if record.key not in stored or (record.supersedes_text and len(record.text) > len(stored[record.key])):
                    stored[record.key] = record.text
            assert stored == whole, cut

    def test_an_offset_beyond_the_file_starts_again(self) -> None:
        assert run("claude-code", jsonl(row("user", "one", "u1")), offset=10_000).texts == ["one"]


@pytest.mark.slow
def test_a_giant_line_costs_little_memory(tmp_path: Path) -> None:
    """60 MB with one 30 MB picture and many small messages: all texts come, under 300 MB."""
    path = tmp_path / "big.jsonl"
    image = [
        {"type": "image", "source": {"type": "base64", "data": "QUJD" * (30 << 18)}},
        *text("look at this"),
    ]
    with path.open("wb") as file:
        file.write(jsonl(row("user", "first", "u-first"), row("user", image, "u-image")))
        for n in range(100_000):
            file.write(jsonl(row("user", f"message {n}", f"u{n}")))
    tracemalloc.start()
    found = run("claude-code", path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found.records) == 100_002
    assert found.texts[1] == "look at this"
    assert found.texts[-1] == "message 99999"
    assert found.skips == {"image": 1}
    assert peak < 300 << 20


def test_lines_over_the_limit_are_skipped() -> None:
    data = jsonl(row("user", "word " * 500_000, "u1"), row("user", "small", "u2"))
    found = run("claude-code", data, max_line=1 << 20)
    assert found.texts == ["small"]
    assert found.skips == {"line_too_long": 1}


def test_a_json_array_of_rows_is_read_too() -> None:
    rows = [row("user", "one", "u1"), row("assistant", text("two"), "a1")]
    assert run("claude-code", json.dumps(rows, indent=2)).texts == ["one", "two"]
