"""Gemini, Aider, plain message lists, Markdown notes, SpecStory."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from importing import EVERYTHING, FIXTURES, jsonl, run


class TestGemini:
    def test_the_fixture(self) -> None:
        found = run("gemini", FIXTURES / "gemini.json")
        assert [(r.role, r.text) for r in found.records] == [
            ("user", "Rename the valve class."),
            ("assistant", "Valve is now ControlValve."),
            ("user", "And the tests?"),
        ]
        assert found.skips == {"thinking": 1, "tool_call": 1, "tool_output": 1, "info": 1}
        assert found.records[2].at == 1768010940000000

    def test_the_rest_is_kept_on_request(self) -> None:
        found = run("gemini", FIXTURES / "gemini.json", keep=EVERYTHING)
        assert [r.text for r in found.of("thinking")] == ["Plan: Find the class."]
        assert found.of("tool_call")[0].text == 'replace {"file": "valve.py"}'


class TestAider:
    def test_the_fixture(self) -> None:
        found = run("aider", FIXTURES / "aider.md")
        assert [(r.role, r.text.split("\n")[0]) for r in found.records] == [
            ("assistant", "Some text before the first header."),
            ("user", "Make the pump retry"),
            ("assistant", "Here is the change:"),
            ("user", "/ask what does retry do?"),
            ("assistant", "It tries again."),
        ]
        assert found.records[1].text == "Make the pump retry\nthree times, then stop"
        assert "#### not a user line\n> not tool output" in found.records[2].text
        assert found.records[0].at is None
        assert found.records[1].at == 1760996957000000
        assert found.skips == {"tool_output": 4, "injected": 1}

    def test_a_fence_left_open_ends_at_the_next_session(self) -> None:
        data = (
            "# aider chat started at 2025-01-01 00:00:00\n#### a\n```python\nx = 1\n\n"
            "# aider chat started at 2025-01-02 00:00:00\n#### b\n```py\ny\n```\n"
        )
        assert run("aider", data).said("user") == ["a", "b"]

    def test_a_quoted_history_is_text(self) -> None:
        data = (
            "# aider chat started at 2025-01-01 00:00:00\n#### a\n````md\n"
            "# aider chat started at 2024-01-01 00:00:00\n#### quoted\n````\n#### b\n"
        )
        assert run("aider", data).said("user") == ["a", "b"]

    def test_the_zone_is_the_callers(self) -> None:
        data = "# aider chat started at 2025-01-01 03:00:00\n#### a\n"
        assert run("aider", data, zone="Europe/Moscow").records[0].at == 1735689600000000

    def test_the_same_words_twice_are_two_messages(self) -> None:
        data = "# aider chat started at 2025-01-01 00:00:00\n#### yes\nok\n#### yes\nok\n"
        assert len({r.key for r in run("aider", data).records}) == 4


class TestMessages:
    def test_an_object_with_messages(self) -> None:
        found = run("messages", FIXTURES / "messages.json")
        assert [(r.role, r.speaker, r.text) for r in found.records] == [
            ("user", "Vera", "Is the oven on?"),
            ("assistant", None, "Yes, since five."),
        ]
        assert {r.session for r in found.records} == {"messages:shift-12"}
        assert found.skips == {"injected": 1, "image": 1, "tool_call": 1, "tool_output": 1}

    def test_json_lines_and_what_is_appended(self) -> None:
        data = (FIXTURES / "messages.jsonl").read_bytes()
        whole = run("messages", data)
        assert len(whole.records) == 3
        assert whole.offset == len(data)
        for cut in range(0, len(data), 7):
            first = run("messages", data[:cut])
            second = run("messages", data, offset=first.offset)
            assert {r.key: r.text for r in first.records + second.records} == {r.key: r.text for r in whole.records}

    @pytest.mark.parametrize(
        ("document", "expected"),
        [
            ([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}], ["a", "b"]),
            (
                [{"conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]}],
                ["a", "b"],
            ),
            (
                [
                    {"messages": [{"role": "user", "content": "a"}]},
                    {"messages": [{"role": "user", "content": "b"}]},
                ],
                ["a", "b"],
            ),
            ({"messages": []}, []),
            (
                [
                    None,
                    5,
                    "x",
                    [],
                    {"role": "user"},
                    {"role": "user", "content": {"text": "a"}},
                    {"role": 5, "content": "b"},
                ],
                ["a"],
            ),
        ],
    )
    def test_shapes(self, document: Any, expected: list[str]) -> None:
        assert run("messages", json.dumps(document)).texts == expected
        assert run("messages", json.dumps(document, indent=1), path="/d/x.jsonl").texts == expected

    def test_conversations_as_lines_are_sessions(self) -> None:
        data = jsonl(*({"messages": [{"role": "user", "content": f"hello {n}"}]} for n in range(3)))
        assert len({r.session for r in run("messages", data).records}) == 3

    def test_files_with_the_same_name_do_not_mix(self) -> None:
        data = jsonl({"role": "user", "content": "yes"})
        keys = {run("messages", data, path=path).records[0].key for path in ("/a/chat.jsonl", "/b/chat.jsonl")}
        assert len(keys) == 2


class TestMarkdown:
    def test_sections_with_their_headings(self) -> None:
        found = run("markdown", FIXTURES / "notes.md")
        assert [r.key.split("#", 1)[1] for r in found.records] == [
            "",
            "Press 7",
            "Press 7 / Oil",
            "Press 8 / Oil",
        ]
        assert found.records[2].text.startswith("Press 7 / Oil\n\nUse 32 cSt oil only.\n\n```sh\n# not a heading")
        assert {r.at for r in found.records} == {1770076800000000}
        assert {r.label for r in found.records} == {"note"}
        assert found.skips == {"empty": 2}

    def test_time_from_the_name_then_from_the_file(self, tmp_path: Path) -> None:
        plain, daily = tmp_path / "plain.md", tmp_path / "2026-01-31 Call.md"
        for path in (plain, daily):
            path.write_text("# A\n\nwords\n")
            os.utime(path, ns=(10**18, 10**18))
        assert run("markdown", plain).records[0].at == 10**15
        assert run("markdown", daily).records[0].at == 1769817600000000

    def test_keys_are_of_bearable_length(self) -> None:
        first, second = run("markdown", f"# {'a' * 9000}\n\none\n\n# {'a' * 9001}\n\ntwo\n").records
        assert max(len(first.key), len(second.key)) <= 1000
        assert first.key != second.key

    def test_the_same_heading_twice(self) -> None:
        found = run("markdown", "# A\n\none\n\n# A\n\ntwo\n")
        assert [r.key.split("#", 1)[1] for r in found.records] == ["A", "A~2"]

    @pytest.mark.parametrize("data", [b"", b"\n\n", b"\xff\xfe", b"# \n\n", b"```\n# never closed\n", b"---\nno end"])
    def test_odd_notes(self, data: bytes) -> None:
        run("markdown", data)


class TestSpecStory:
    def test_the_fixture(self) -> None:
        found = run("specstory", FIXTURES / "specstory.md")
        assert [(r.role, r.text) for r in found.records] == [
            ("user", "Please sort the bolts by length."),
            ("assistant", "Sorted: M4, M6, M8."),
            ("user", "Thank you."),
        ]
        assert found.records[1].attributes == {"model": "claude-sonnet-4-5"}
        assert found.records[1].at == 1767776412000000
        assert found.skips == {"thinking": 1, "tool_call": 1}
        assert {r.session for r in found.records} == {"specstory:1f2e3d4c-0000-4000-8000-000000000001"}
