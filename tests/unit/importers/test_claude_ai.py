"""Claude.ai exports: text against content, branches, attachments, odd blocks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from importing import EVERYTHING, FIXTURES, run


def test_the_fixture() -> None:
    found = run("claude-ai", FIXTURES / "claude_ai.json")
    assert [(r.role, r.text, r.attributes.get("branch")) for r in found.records] == [
        ("user", "My dough is too wet.", None),
        ("assistant", "Use 375 g of water.", None),
        ("user", "And the oven?", None),
        ("assistant", "230 degrees.", None),
        ("user", "And the salt?", "abandoned"),
    ]
    assert found.skips == {
        "injected": 1,
        "file": 1,
        "thinking": 1,
        "tool_call": 1,
        "unknown_block": 1,
        "no_messages": 1,
    }
    assert found.records[0].at == 1767603605000000


def test_attachments_are_kept_on_request() -> None:
    found = run("claude-ai", FIXTURES / "claude_ai.json", keep=EVERYTHING)
    assert [(r.text, r.attributes["file"]) for r in found.of("injected")] == [
        ("500 g flour, 450 g water", "recipe.txt")
    ]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"sender": "human", "text": "words"}, ["words"]),
        (
            {"sender": "human", "text": "old", "content": [{"type": "text", "text": "new and longer"}]},
            ["new and longer"],
        ),
        ({"sender": "human", "text": 5, "content": 5}, []),
        ({"sender": "human", "text": "", "content": [{"type": "text", "text": None}, None, 7]}, []),
        ({"sender": "robot", "text": "x"}, []),
        ({"text": "x"}, []),
        (None, []),
    ],
)
def test_odd_messages(message: Any, expected: list[str]) -> None:
    assert run("claude-ai", json.dumps([{"uuid": "c", "chat_messages": [message]}])).texts == expected


def test_without_parents_the_chat_is_one_line_whatever_the_leaf() -> None:
    rows = [{"uuid": f"m{n}", "sender": "human", "text": f"t{n}"} for n in range(5)]
    found = run("claude-ai", json.dumps({"uuid": "c", "chat_messages": rows, "current_leaf_message_uuid": "m2"}))
    assert found.texts == [f"t{n}" for n in range(5)]
    assert not any("branch" in r.attributes for r in found.records)
