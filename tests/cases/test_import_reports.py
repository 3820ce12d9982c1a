"""Formats and oddities that users of such tools reported, import by import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from casekit import Make
from importkit import chat, chat_node, claude, codex, codex_row, contents, held, put, put_json, run, stamp

from mnemic import Memory


def facts_of(memory: Memory) -> list[str]:
    memory.flush()
    memory.consolidate()
    return contents(memory.timeline(kinds=("semantic", "opinion", "procedural"), limit=1000))


# -- N05: marks of a program in the text -------------------------------------------------------------------------------

OPEN, CLOSE, FIELD, SPAN, NAPS = "\ue200", "\ue201", "\ue202", "\ue203", "\ue204"
CITE = f"{OPEN}cite{FIELD}turn0search3{FIELD}turn0search8{CLOSE}"
FILE = f"{OPEN}filecite{FIELD}turn1file0{FIELD}L10-L12{CLOSE}"


def entity(*fields: Any, kind: str = "entity", after: str = FIELD) -> str:
    words = ", ".join(f'"{field}"' if isinstance(field, str) else str(field) for field in fields)
    return f"{OPEN}{kind}{after}[{words}]{CLOSE}"


MARKED = [
    (
        f"The handbook by {entity('people', 'Rosa Quintero', 0)} says {SPAN}every two seasons{NAPS}. {CITE} … {FILE}",
        "The handbook by Rosa Quintero says every two seasons.",
    ),
    (
        f"Справочник, который написала {entity('people', 'Роса Кинтеро', 'садовод', 0)}{FILE}: раз в два сезона {CITE}.",
        "Справочник, который написала Роса Кинтеро: раз в два сезона.",
    ),
    (
        f"{CITE} See {OPEN}url{FIELD}the glaze table{FIELD}turn0search2{CLOSE} ({CITE}, {FILE}), it is short.",
        "See the glaze table, it is short.",
    ),
    (f"Two coats{FIELD}turn0search0{FIELD}turn0news1, then fire. {OPEN}cite{FIELD}turn0sea", "Two coats, then fire."),
    ("Печь греют медленно【4:0†kiln.pdf】【12†L3-L9】.", "Печь греют медленно."),
    ("Cool slowly. citeturn0search3turn0view1 Then open the lid.", "Cool slowly. Then open the lid."),
    (
        f"The {entity('turn0product1', 'Skutt 818', kind='product_entity', after='')} is small.",
        "The Skutt 818 is small.",
    ),
]


@pytest.mark.parametrize(("marked", "plain"), MARKED)
def test_N05_marks_of_a_program_are_not_stored(make: Make, tmp_path: Path, marked: str, plain: str) -> None:
    memory = make()
    nodes = [chat_node("q", None, words="Who wrote it?"), chat_node("a", "q", "assistant", marked)]
    assert run(memory, put_json(tmp_path / "conversations.json", [chat("c", *nodes, create_time=1.7e9)])).stored == 2
    assert contents(held(memory))[1] == plain


@pytest.mark.parametrize(("marked", "plain"), MARKED[:3])
def test_N05_in_other_transcripts_too(make: Make, tmp_path: Path, marked: str, plain: str) -> None:
    memory = make()
    rows = [codex_row("session_meta", id="c-1"), codex("user", "Who wrote it?", 1), codex("assistant", marked, 2)]
    run(memory, put(tmp_path / "rollout.jsonl", *rows))
    run(memory, put(tmp_path / "s.jsonl", claude("user", "Who?", "u1"), claude("assistant", marked, "a1", "u1", 3)))
    assert contents(held(memory)).count(plain) == 2


def test_N05_found_as_if_the_text_were_plain(make: Make, tmp_path: Path) -> None:
    marked, plain = MARKED[0]
    answers = []
    for words in (marked, plain):
        memory = make("The lid of the kiln sticks.", "We fire on Friday.", "Rosa asked about clay.")
        nodes = [chat_node("q", None, words="How often?"), chat_node("a", "q", "assistant", words)]
        run(memory, put_json(tmp_path / "conversations.json", [chat("c", *nodes, create_time=1.7e9)]))
        memory.flush()
        found = memory.recall("Rosa Quintero handbook")
        answers.append((found.sufficiency, [hit.node.content for hit in found.hits]))
        assert not {entity.name for entity in memory.entities()} & {"L10-L12", "turn0search3"}
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    "text", ["A dagger † and 【brackets】 stay.", "the icon \U000f0f0f stays", "cite turn 0, search 3"]
)
def test_N05_what_is_no_mark_stays(make: Make, tmp_path: Path, text: str) -> None:
    memory = make()
    run(memory, put_json(tmp_path / "conversations.json", [chat("c", chat_node("a", None, words=text))]))
    assert contents(held(memory)) == [text]


# -- N07: a placeholder instead of a block -----------------------------------------------------------------------------

NOTICE = "This block is not supported on your current device yet."
FENCED = f"```\n{NOTICE}\n```"
TOOLS = [
    {"type": "tool_use", "name": "web_search", "input": {"query": "glaze"}},
    {"type": "tool_result", "name": "web_search", "content": [{"type": "text", "text": "x"}]},
]


def claude_chat(path: Path, *messages: dict[str, Any]) -> Path:
    rows = [
        {"uuid": f"m{i}", "sender": ("human", "assistant")[i % 2], "text": "", "created_at": stamp(i), **message}
        for i, message in enumerate(messages)
    ]
    return put_json(path, [{"uuid": "cv", "name": "x", "created_at": stamp(0), "chat_messages": rows}])


@pytest.mark.parametrize(
    ("text", "content", "kept"),
    [
        (FENCED, TOOLS, []),
        (f"{FENCED}\n\n\n{FENCED}", TOOLS, []),
        (NOTICE, [], []),
        ("", [{"type": "text", "text": FENCED}], []),
        (f"Let me look.\n{FENCED}\n\nCeladon it is.", TOOLS, ["Let me look.\n\nCeladon it is."]),
        ("", [{"type": "text", "text": f"Сейчас посмотрю.\n{FENCED}\n\nСеладон."}], ["Сейчас посмотрю.\n\nСеладон."]),
        (f"They ask for a glaze.\n{FENCED}", [{"type": "thinking", "thinking": "They ask for a glaze."}, *TOOLS], []),
        (
            "```\nViewing artifacts created via the Analysis Tool web feature preview isn’t yet supported on mobile.\n```"
            "\n\nГотово.",
            TOOLS,
            ["Готово."],
        ),
    ],
)
def test_N07_a_placeholder_is_no_answer(
    make: Make, tmp_path: Path, text: str, content: list[Any], kept: list[str]
) -> None:
    memory = make()
    path = claude_chat(tmp_path / "conversations.json", {"text": "Which glaze?"}, {"text": text, "content": content})
    run(memory, path)
    assert contents(held(memory)) == ["Which glaze?", *kept]
    memory.flush()
    assert memory.recall("is the device supported?").sufficiency != "strong"


@pytest.mark.parametrize("text", [f"Why do I read “{NOTICE}” everywhere?", "```\nprint('not supported')\n```"])
def test_N07_what_a_person_says_of_it_stays(make: Make, tmp_path: Path, text: str) -> None:
    memory = make()
    run(memory, claude_chat(tmp_path / "conversations.json", {"text": text}))
    assert contents(held(memory)) == [text]


# -- N08: rows in the user's name that no human typed ------------------------------------------------------------------

OTHERS = ["hook", "task-notification", "coordinator", "channel", "peer", "scheduled-trigger"]


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("words", ["I live in Hooktown.", "Я живу в Хуктауне."])
@pytest.mark.parametrize("keep", [False, True])
def test_N08_what_came_through_a_channel_is_no_statement(
    make: Make, tmp_path: Path, kind: str, words: str, keep: bool
) -> None:
    memory = make()
    rows = [
        claude("user", "Start the build.", "u0", origin={"kind": "human"}),
        claude("user", words, "u1", "u0", 60, origin={"kind": kind, "server": "chat"}),
        claude("user", [{"type": "text", "text": words}], "u2", "u1", 90, origin={"server": "chat", "kind": kind}),
    ]
    counts = run(memory, put(tmp_path / "s.jsonl", *rows), keep=["message", "injected"] if keep else None)
    assert counts.skipped.get("injected", 0) == (0 if keep else 2)
    assert contents(held(memory)) == ["Start the build.", *[words] * (2 if keep else 0)]
    assert {node.origin for node in held(memory) if node.label == "injected"} <= {"external"}
    assert not [fact for fact in facts_of(memory) if "town" in fact or "тау" in fact]


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("way", ["queue", "attachment"])
def test_N08_in_the_queue_too(make: Make, tmp_path: Path, kind: str, way: str) -> None:
    memory = make()
    words = "I work at Hookworks."
    head = {"sessionId": "s-1", "timestamp": stamp(5)}
    attached = {"type": "queued_command", "prompt": words, "origin": {"kind": kind}}
    rows = {
        "queue": [
            {"type": "queue-operation", "operation": "enqueue", "content": words, **head},
            claude("user", words, "u1", "u0", 9, origin={"kind": kind}),
        ],
        "attachment": [{"type": "attachment", "uuid": "at", "attachment": attached, **head}],
    }
    run(memory, put(tmp_path / "s.jsonl", claude("user", "Привет", "u0"), *rows[way]))
    assert contents(held(memory)) == ["Привет"]


@pytest.mark.parametrize("origin", [{"kind": "human"}, {}, None, {"kind": None}, "human", {"kind": ["x"]}, 5])
def test_N08_what_was_typed_stays(make: Make, tmp_path: Path, origin: Any) -> None:
    memory = make()
    run(memory, put(tmp_path / "s.jsonl", claude("user", "I live in Oslo.", "u1", origin=origin)))
    assert contents(held(memory)) == ["I live in Oslo."]
    assert facts_of(memory) == ["User lives in Oslo"]
