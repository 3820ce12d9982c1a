"""Codex rollouts: no doubles, nothing injected, nothing encrypted, old forms too."""

from __future__ import annotations

from typing import Any

import pytest
from importing import EVERYTHING, FIXTURES, jsonl, run


def item(role: str, words: str, at: str = "2026-02-01T09:00:00.000Z") -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    payload = {"type": "message", "role": role, "content": [{"type": kind, "text": words}]}
    return {"timestamp": at, "type": "response_item", "payload": payload}


def event(kind: str, words: str, at: str = "2026-02-01T09:00:00.000Z") -> dict[str, Any]:
    return {"timestamp": at, "type": "event_msg", "payload": {"type": kind, "message": words}}


def test_the_fixture_gives_each_text_once() -> None:
    found = run("codex", FIXTURES / "codex.jsonl")
    assert [(r.role, r.text) for r in found.records] == [
        ("user", "Why does the order total round down?"),
        ("assistant", "The total is cut by int()."),
        ("user", "Use round half even, please."),
    ]
    assert {r.project for r in found.records} == {"/srv/orders"}
    assert {r.session for r in found.records} == {"codex:01990000-aaaa-7000-8000-000000000001"}
    assert found.skips["duplicate"] == 2
    assert len({r.at for r in found.records}) == 3


def test_everything_never_holds_encrypted_reasoning() -> None:
    found = run("codex", FIXTURES / "codex.jsonl", keep=EVERYTHING)
    assert "Z0FBQUFB" not in " ".join(found.texts)
    assert [r.text for r in found.of("thinking")] == ["Check the decimal context"]
    assert [r.text for r in found.of("summary")] == ["User asked about rounding."]
    assert len({r.key for r in found.records}) == len(found.records)


def test_events_are_read_where_there_are_no_messages() -> None:
    data = jsonl(event("user_message", "hello"), event("agent_message", "hi"), event("agent_reasoning", "hm"))
    assert run("codex", data).texts == ["hello", "hi"]
    assert run("codex", data + jsonl(item("assistant", "hi"))).texts == ["hi"]


def test_old_bare_rows() -> None:
    data = jsonl(
        {"id": "0000-old", "timestamp": "2025-05-01T10:00:00Z", "instructions": None, "git": {}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "yes"}]},
        {"role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "yes"}]},
        {"type": "reasoning", "summary": [], "encrypted_content": "x"},
    )
    found = run("codex", data)
    assert found.texts == ["yes", "done", "yes"]
    assert len({r.key for r in found.records}) == 3
    assert {r.session for r in found.records} == {"codex:0000-old"}
    assert found.records[0].at == found.records[2].at is not None


@pytest.mark.parametrize(
    "words",
    [
        "<environment_context>\n<cwd>/x</cwd>\n</environment_context>",
        "<user_instructions>\nBe kind.\n</user_instructions>",
        "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nBe kind.\n</INSTRUCTIONS>",
        "<turn_aborted>\ninterrupted\n</turn_aborted>",
    ],
)
def test_injected_user_messages_are_no_words(words: str) -> None:
    assert run("codex", jsonl(item("user", words), item("user", "mine"))).texts == ["mine"]


def test_a_long_header_line_is_read_whole_and_not_stored() -> None:
    meta = {
        "type": "session_meta",
        "payload": {"id": "big", "cwd": "/w", "base_instructions": {"text": "x" * 40_000}},
    }
    found = run("codex", jsonl(meta, item("user", "hello")), keep=EVERYTHING)
    assert found.texts == ["hello"]
    assert found.records[0].session == "codex:big"


def test_reading_on_gives_the_same_as_reading_whole() -> None:
    data = (FIXTURES / "codex.jsonl").read_bytes()
    whole = {r.key: (r.text, r.session, r.project) for r in run("codex", data).records}
    for cut in range(0, len(data), 61):
        first = run("codex", data[:cut])
        second = run("codex", data, offset=first.offset)
        assert {r.key: (r.text, r.session, r.project) for r in first.records + second.records} == whole, cut


def test_own_sessions_are_skipped() -> None:
    data = jsonl(
        item("user", "<environment_context>x</environment_context>"),
        item("user", "<mnemic-internal/> Extract"),
    )
    assert not run("codex", data + jsonl(item("assistant", "[]"))).records
    assert not run("codex", data + jsonl(item("assistant", "[]")), offset=len(data)).records


def test_damage() -> None:
    data = jsonl(item("user", "one"), b"{", b"[]", b"", item("nobody", "x"), {"type": "new_thing"}, item("user", "two"))
    found = run("codex", data + b'{"timestamp":')
    assert found.texts == ["one", "two"]
    assert found.skips == {
        "broken_json": 1, "not_an_object": 1, "blank_line": 1,
        "unknown_role": 1, "unknown_type": 1, "incomplete_line": 1,
    }  # fmt: skip
