"""Formats and oddities that users of such tools reported, import by import."""

from __future__ import annotations

import json
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
        assert not {entity.name for entity in memory.entities.list()} & {"L10-L12", "turn0search3"}
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


# -- N01: Gemini CLI as a log ------------------------------------------------------------------------------------------


def gemini(id_: str, kind: str, content: Any, second: int = 0, **more: Any) -> dict[str, Any]:
    parts = [{"text": content}] if isinstance(content, str) and content else content
    return {"id": id_, "timestamp": stamp(second), "type": kind, "content": parts, **more}


HEADER = {"sessionId": "g-1", "projectHash": "f0", "startTime": stamp(0), "kind": "main"}
TALK = [
    gemini("u1", "user", "Which port does the greenhouse controller use?", 10),
    gemini("g1", "gemini", "", 20, toolCalls=[{"name": "grep", "args": {"pattern": "port"}}]),
    gemini("u9", "user", [{"functionResponse": {"name": "grep", "response": {"output": "7411"}}}], 21),
    gemini("g1", "gemini", "Port 7411.", 20, model="gemini-3-pro"),
    {"$set": {"lastUpdated": stamp(22)}},
    gemini("i1", "info", "Update available.", 23),
    gemini("e1", "error", "Request cancelled.", 24),
]
SAID = ["Which port does the greenhouse controller use?", "Port 7411."]


@pytest.mark.parametrize("place", ["session-2026-07-01T09-00-g-1.jsonl", "chats/6c1e-uuid/c-1.jsonl", "x.bin"])
@pytest.mark.parametrize("header", [HEADER, {**HEADER, "messages": []}])
def test_N01_a_log_is_read(make: Make, tmp_path: Path, place: str, header: dict[str, Any]) -> None:
    memory = make()
    counts = run(memory, put(tmp_path / place, header, *TALK))
    assert counts.formats == {"gemini": 1}
    assert (counts.stored, contents(held(memory))) == (2, SAID)
    assert counts.skipped == {"metadata": 2, "duplicate": 1, "tool_output": 1, "info": 1, "error": 1}
    assert {node.session for node in held(memory)} == {"gemini:g-1"}
    assert held(memory)[1].attributes["model"] == "gemini-3-pro"
    assert run(memory, put(tmp_path / "copy" / place, header, *TALK)).known == 2


@pytest.mark.parametrize("cut", range(1, 8))
def test_N01_appended_lines_are_read_on(make: Make, tmp_path: Path, cut: int) -> None:
    memory, path = make(), tmp_path / "session.jsonl"
    run(memory, put(path, HEADER, *TALK[:cut]))
    counts = run(memory, put(path, *TALK[cut:], gemini("u2", "user", "А порт насоса?", 60), append=True))
    assert counts.read == len(TALK) - cut + 1
    assert contents(held(memory)) == [*SAID, "А порт насоса?"]
    assert run(memory, path).unchanged == 1


@pytest.mark.parametrize("later", ["Port 7411, and 7412 for tests.", "7411", "Порт 7411."])
@pytest.mark.parametrize("apart", [False, True])
def test_N01_the_later_text_counts(make: Make, tmp_path: Path, later: str, apart: bool) -> None:
    memory, path = make(), tmp_path / "s.jsonl"
    put(path, HEADER, *TALK)
    if apart:
        run(memory, path)
    run(memory, put(path, gemini("g1", "gemini", later, 20), append=True))
    assert contents(held(memory)) == [SAID[0], later]


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(("target", "left"), [("u1", 0), ("u3", 2), ("g3", 3), ("nobody", 4)])
def test_N01_what_was_taken_back_is_marked(make: Make, tmp_path: Path, apart: bool, target: str, left: int) -> None:
    memory, path = make(), tmp_path / "s.jsonl"
    more = [gemini("u3", "user", "Смени порт на 80.", 30), gemini("g3", "gemini", "Готово.", 40)]
    put(path, HEADER, *TALK, *more)
    if apart:
        run(memory, path)
    counts = run(memory, put(path, {"$rewindTo": target}, gemini("u4", "user", "Leave it.", 50), append=True))
    assert counts.skipped["rewind"] == 1
    branches = [node.attributes.get("branch") for node in held(memory)]
    assert branches == [None] * left + ["abandoned"] * (4 - left) + [None]


def test_N01_a_message_that_comes_again_was_not_left(make: Make, tmp_path: Path) -> None:
    memory = make()
    run(memory, put(tmp_path / "s.jsonl", HEADER, *TALK, {"$rewindTo": "u1"}, TALK[0]))
    assert [n.attributes.get("branch") for n in held(memory)] == [None, "abandoned"]


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("kind", ["subagent", None])
def test_N01_a_subagent_opens_with_all_its_messages(make: Make, tmp_path: Path, header: bool, kind: str | None) -> None:
    memory = make()
    first = {"$set": {"messages": [gemini("s1", "user", "Найди порт."), gemini("s2", "gemini", "7411", 5)]}}
    head = [{key: value for key, value in {**HEADER, "sessionId": "c-1", "kind": kind}.items() if value}]
    rows = [*(head if header else []), first, gemini("s3", "gemini", "In pump.toml.", 9)]
    run(memory, put(tmp_path / "chats" / "g-1" / "c-1.jsonl", *rows))
    assert contents(held(memory)) == ["Найди порт.", "7411", "In pump.toml."]
    assert {(node.session, node.label, node.role) for node in held(memory)} == {
        ("gemini:c-1", "sidechain", "assistant")
    }


def test_N01_a_shortened_conversation_is_not_said_again(make: Make, tmp_path: Path) -> None:
    memory = make()
    shortened = [
        gemini("x0", "user", "<session_context>\nToday is Monday.\n</session_context>", 90),
        gemini("x1", "user", "<state_snapshot>The user asked for a port.</state_snapshot>", 90),
        gemini("x2", "gemini", "Got it. Thanks for the additional context!", 90),
        gemini("x3", "user", SAID[0], 90),
        gemini("g1", "gemini", "Port 7411.", 20),
        gemini("x4", "user", "Да.", 90),
    ]
    more = [gemini("u5", "user", "Да.", 91), gemini("u6", "user", "Да.", 92)]
    counts = run(memory, put(tmp_path / "s.jsonl", HEADER, *TALK, {"$set": {"messages": shortened}}, *more))
    assert contents(held(memory)) == [*SAID, "Да.", "Да.", "Да."]
    assert counts.skipped["injected"] == 3


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"content": [{"text": "explain @a.ts"}, {"text": "SECRET"}], "displayContent": [{"text": "explain @a.ts"}]}, "explain @a.ts"),
        ({"content": [{"text": "мой вопрос"}, {"text": "<hook_context>injected</hook_context>"}]}, "мой вопрос"),
        ({"content": [{"inlineData": {"data": "AAAA"}}, {"text": "see image"}]}, "see image"),
        ({"content": [{"text": "hidden", "thought": True}, {"text": "visible"}], "type": "gemini"}, "visible"),
    ],
)  # fmt: skip
def test_N01_parts_of_a_message(make: Make, tmp_path: Path, row: dict[str, Any], words: str) -> None:
    memory = make()
    run(memory, put(tmp_path / "s.jsonl", HEADER, {**gemini("p", "user", ""), **row}))
    assert contents(held(memory)) == [words]


def test_N01_damaged_lines_lose_only_themselves(make: Make, tmp_path: Path) -> None:
    memory = make()
    odd = [
        b"{not json",
        b"42",
        b"null",
        {"something": "else"},
        gemini("m", "mystery", "x"),
        {"$set": None},
        {"$rewindTo": 5},
    ]
    counts = run(memory, put(tmp_path / "s.jsonl", HEADER, *odd, *TALK))
    assert contents(held(memory)) == SAID
    assert (counts.skipped["broken_json"], counts.skipped["not_an_object"], counts.skipped["unknown_type"]) == (1, 2, 2)


def test_N01_the_older_form_and_the_newer_are_one_session(make: Make, tmp_path: Path) -> None:
    memory = make()
    old = {**HEADER, "messages": [gemini("u1", "user", SAID[0], 10), gemini("g1", "gemini", "Port 7411.", 20)]}
    run(memory, put_json(tmp_path / "session-a.json", old))
    counts = run(memory, put(tmp_path / "session-a.jsonl", HEADER, *TALK))
    assert (counts.stored, counts.known, contents(held(memory))) == (0, 2, SAID)


# -- N02: Codex forks and subagents repeat their parent ----------------------------------------------------------------


def meta(id_: str, second: int, **more: Any) -> dict[str, Any]:
    return codex_row("session_meta", second, id=id_, timestamp=stamp(second), cwd="/w", **more)


def again(rows: list[dict[str, Any]], second: int, step: float = 0) -> list[dict[str, Any]]:
    """Rows copied, dated anew."""
    return [{**row, "timestamp": stamp(second + int(i * step))} for i, row in enumerate(rows)]


PARENT = [
    meta("A", 0),
    codex_row("turn_context", 1, model="m"),
    codex("user", "The kiln peaks at 1222 degrees.", 2),
    codex("assistant", "Понял: 1222 градуса.", 40),
]
SPAWNED = {"source": {"subagent": {"thread_spawn": {"parent_thread_id": "A", "depth": 1}}}}


@pytest.mark.parametrize("turn", [True, False])
@pytest.mark.parametrize("step", [0, 1])
def test_N02_a_fork_repeats_nothing(make: Make, tmp_path: Path, turn: bool, step: int) -> None:
    memory = make()
    put(tmp_path / "rollout-1.jsonl", *PARENT)
    own = [codex("user", "Cool at 60 per hour.", 3700), codex("assistant", "Хорошо.", 3710)]
    begin = [codex_row("turn_context", 3699, model="m")] if turn else []
    fork = [meta("B", 3600, forked_from_id="A"), *again(PARENT, 3600, step), *begin, *own]
    put(tmp_path / "rollout-2.jsonl", *fork)
    counts = run(memory, tmp_path)
    assert (counts.stored, counts.known) == (4, 2)
    assert contents(held(memory, "codex:A")) == ["The kiln peaks at 1222 degrees.", "Понял: 1222 градуса."]
    assert contents(held(memory, "codex:B")) == ["Cool at 60 per hour.", "Хорошо."]
    assert contents(memory.timeline(after="2026-03-02T00:30:00Z")) == ["Cool at 60 per hour.", "Хорошо."]
    put(tmp_path / "rollout-2.jsonl", codex("user", "Next week.", 3800), append=True)
    assert run(memory, tmp_path).stored == 1


@pytest.mark.parametrize("with_header", [True, False])
@pytest.mark.parametrize("old_times", [True, False])
def test_N02_a_subagent_repeats_nothing(make: Make, tmp_path: Path, with_header: bool, old_times: bool) -> None:
    memory = make()
    put(tmp_path / "rollout-1.jsonl", *PARENT)
    copied = PARENT if with_header else PARENT[1:]
    own = [
        codex_row("turn_context", 3650, model="m"),
        codex("user", "Check the glaze table.", 3651),
        codex("assistant", "Таблица верна.", 3652),
    ]
    start = {} if old_times or with_header else {"subagent_history_start_ordinal": len(copied) + 1}
    rows = [meta("S", 3600, **SPAWNED, **start), *(copied if old_times else again(copied, 3600)), *own]
    if start:
        rows = [{**row, "ordinal": number} for number, row in enumerate(rows)]
    put(tmp_path / "rollout-2.jsonl", *rows)
    counts = run(memory, tmp_path)
    assert (counts.stored, counts.known) == (4, 2)
    assert [(n.content, n.label, n.role) for n in held(memory, "codex:S")] == [
        ("Check the glaze table.", "sidechain", "assistant"),
        ("Таблица верна.", "sidechain", "assistant"),
    ]


@pytest.mark.parametrize("order", [(1, 2, 3), (1, 3, 2), (3, 2, 1)])
def test_N02_a_fork_of_a_fork_in_any_order(make: Make, tmp_path: Path, order: tuple[int, ...]) -> None:
    memory = make()
    second = [meta("B", 3600, forked_from_id="A"), *again(PARENT, 3600), codex("user", "Остывать 60 в час.", 3700)]
    third = [meta("C", 7200, forked_from_id="B"), *again(second, 7200), codex("user", "Open the lid.", 7300)]
    files = {number: put(tmp_path / f"{number}.jsonl", *rows) for number, rows in enumerate([PARENT, second, third], 1)}
    counts = [run(memory, files[number]) for number in order]
    assert sum(c.stored for c in counts) == 4
    assert sorted(contents(held(memory))) == sorted(
        ["The kiln peaks at 1222 degrees.", "Понял: 1222 градуса.", "Остывать 60 в час.", "Open the lid."]
    )


def test_N02_the_only_copy_is_kept(make: Make, tmp_path: Path) -> None:
    memory = make()
    rows = [meta("B", 3600, forked_from_id="A"), *again(PARENT, 3600), codex("user", "Cool at 60 per hour.", 3700)]
    run(memory, put(tmp_path / "rollout-2.jsonl", *rows))
    assert len(held(memory)) == 3
    assert contents(held(memory, "codex:A")) == ["The kiln peaks at 1222 degrees.", "Понял: 1222 градуса."]


def test_N02_what_is_said_twice_is_two_messages(make: Make, tmp_path: Path) -> None:
    memory = make()
    rows = [meta("A", 0), *(codex(role, "да", i) for i, role in enumerate(["user", "assistant", "user", "user"], 1))]
    put(tmp_path / "1.jsonl", *rows)
    put(tmp_path / "2.jsonl", meta("B", 60, forked_from_id="A"), *again(rows, 60, 0.5), codex("user", "да", 99))
    for name in ("S", "T"):  # side by side, with the same task
        put(tmp_path / f"3{name}.jsonl", meta(name, 120, **SPAWNED), codex("user", "Check it.", 121))
    assert run(memory, tmp_path).stored == 4 + 1 + 2


# -- N03: Cursor's transcripts -----------------------------------------------------------------------------------------


def cursor(role: str, *content: Any) -> dict[str, Any]:
    return {
        "role": role,
        "message": {"content": [{"type": "text", "text": c} if isinstance(c, str) else c for c in content]},
    }


def asked(words: str, when: str = "Tuesday, Jul 21, 2026, 1:11 PM (UTC+3)") -> dict[str, Any]:
    return cursor("user", f"<timestamp>{when}</timestamp>\n<user_query>\n{words}\n</user_query>")


GREP = {"type": "tool_use", "name": "Grep", "input": {}}
ENDED = {"type": "turn_ended", "status": "success"}
GLAZE = [asked("Which glaze for the tall vases?"), cursor("assistant", "Celadon.\n\n[REDACTED]", GREP), ENDED]
NAME = "6f1c2b3a-0000-4000-8000-000000000001"


@pytest.mark.parametrize("name", [f"{NAME}.jsonl", "renamed.txt", "agent.json"])
def test_N03_both_sides_are_read(make: Make, tmp_path: Path, name: str) -> None:
    memory = make()
    counts = run(memory, put(tmp_path / name, *GLAZE))
    assert counts.formats == {"cursor": 1}
    assert [(n.role, n.content) for n in held(memory)] == [
        ("user", "Which glaze for the tall vases?"), ("assistant", "Celadon."),
    ]  # fmt: skip
    assert counts.skipped == {"tool_call": 1, "turn_ended": 1}
    assert {node.event_time // 1_000_000 for node in held(memory)} == {1784628660}
    assert run(memory, put(tmp_path / "copy" / name, *GLAZE)).known == 2


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_N03_read_on(make: Make, tmp_path: Path, cut: int) -> None:
    memory, path = make(), tmp_path / f"{NAME}.jsonl"
    run(memory, put(path, *GLAZE[:cut]))
    run(
        memory,
        put(path, *GLAZE[cut:], cursor("assistant", "Две минуты."), cursor("assistant", "Celadon."), append=True),
    )
    assert contents(held(memory)) == ["Which glaze for the tall vases?", "Celadon.", "Две минуты.", "Celadon."]


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("Tuesday, Jul 21, 2026, 1:11 PM (UTC+3)", 1784628660),
        ("Monday, December 1, 2025, 12:05\u202fAM (UTC-05:30)", 1764567300),
        ("Sat, Jan 3, 2026, 09:30 (UTC)", 1767432600),
        ("Jan 3, 2026 at 9:30 AM", 1767432600),
        ("2026-01-03T09:30:00Z", 1767432600),
        ("вчера", None), ("Feb 31, 2026, 1:11 PM", None), ("", None),
    ],
)  # fmt: skip
def test_N03_the_time_of_the_tag(make: Make, tmp_path: Path, when: str, expected: int | None) -> None:
    memory, path = make(), tmp_path / f"{NAME}.jsonl"
    run(memory, put(path, asked("Какую глазурь взять?", when)))
    [node] = held(memory)
    assert node.content == "Какую глазурь взять?"
    assert node.event_time // 1_000_000 == expected or (
        expected is None and node.event_time == path.stat().st_mtime_ns // 1000
    )


@pytest.mark.parametrize(
    ("row", "words", "skips"),
    [
        (cursor("user", "<open_and_recently_viewed_files>a.py</open_and_recently_viewed_files>\n<user_query>Чей это файл?</user_query>"), ["Чей это файл?"], {"injected": 1}),
        (cursor("user", "A plain question?"), ["A plain question?"], {}),
        (cursor("user", "<system_notification>done</system_notification>"), [], {"injected": 1}),
        (cursor("assistant", "[REDACTED]"), [], {"empty": 1}),
        (cursor("assistant", {"type": "thinking", "thinking": "hm"}, "I wrote [REDACTED] there."), ["I wrote [REDACTED] there."], {"thinking": 1}),
        ({"role": "assistant", "message": {"content": "Просто текст."}}, ["Просто текст."], {}),
        (cursor("user", {"type": "image", "source": {}}, "look"), ["look"], {"image": 1}),
        ({"type": "novelty"}, [], {"unknown_type": 1}),
    ],
)  # fmt: skip
def test_N03_rows_of_any_kind(
    make: Make, tmp_path: Path, row: dict[str, Any], words: list[str], skips: dict[str, int]
) -> None:
    memory = make()
    counts = run(memory, put(tmp_path / f"{NAME}.jsonl", cursor("assistant", "Hello."), row))
    assert (contents(held(memory))[1:], counts.skipped) == (words, skips)


def test_N03_as_a_list_it_is_read_too(make: Make, tmp_path: Path) -> None:
    memory = make()
    rows = [{"role": "user", "message": {"content": "Чай?"}}, {"role": "assistant", "message": {"content": "Yes."}}]
    run(memory, put_json(tmp_path / "x.json", rows))
    assert contents(held(memory)) == ["Чай?", "Yes."]


# -- N25: the file of the official MCP memory server -------------------------------------------------------------------


def about(name: str, *observations: Any, kind: str = "person") -> dict[str, Any]:
    return {"type": "entity", "name": name, "entityType": kind, "observations": list(observations)}


def relation(source: str, kind: str, target: str) -> dict[str, Any]:
    return {"type": "relation", "from": source, "to": target, "relationType": kind}


GRAPH = [
    about("Anna_Keller", "Works as a luthier", "Lives in Cremona"),
    about("Workshop", "Via Palestro 3", kind="place"),
    relation("Anna_Keller", "owns", "Workshop"),
]
TOLD = [
    "Anna Keller works as a luthier", "Anna Keller lives in Cremona", "Workshop: Via Palestro 3",
    "Anna Keller owns Workshop.",
]  # fmt: skip


@pytest.mark.parametrize("form", ["lines", "graph", "line", "indented"])
def test_N25_each_observation_is_a_statement(make: Make, tmp_path: Path, form: str) -> None:
    memory, path = make(), tmp_path / "memory.json"
    bare = [{key: value for key, value in row.items() if key != "type"} for row in GRAPH]
    graph = {"entities": bare[:2], "relations": bare[2:]}
    if form == "lines":
        put(path, *GRAPH)
    elif form == "line":
        put(path, graph)
    else:
        path.write_text(json.dumps(graph, indent=2 if form == "indented" else None), encoding="utf-8")
    counts = run(memory, path)
    assert (counts.formats, sorted(contents(held(memory)))) == ({"mcp-memory": 1}, sorted(TOLD))
    assert {node.attributes["entity"] for node in held(memory)} == {"Anna Keller", "Workshop"}
    assert {"Anna Keller lives in Cremona"} <= set(facts_of(memory))
    assert memory.recall("where does Anna Keller live?").hits[0].node.content == "Anna Keller lives in Cremona"


@pytest.mark.parametrize(
    ("row", "fact"),
    [
        (relation("Anna_Keller", "works_at", "Globex"), "Anna Keller works at Globex"),
        (relation("Anna_Keller", "livesIn", "Cremona"), "Anna Keller lives in Cremona"),
        (about("default_user", "Lives in Oslo"), "User lives in Oslo"),
        (about("User", "I live in Oslo."), "User lives in Oslo"),
        (about("Анна", "Живёт в Кремоне"), "Анна живёт в Кремоне"),
        (about("Anna Keller", {"content": "Anna Keller lives in Cremona", "timestamp": stamp(0)}), "Anna Keller lives in Cremona"),
    ],
)  # fmt: skip
def test_N25_statements_become_facts(make: Make, tmp_path: Path, row: dict[str, Any], fact: str) -> None:
    memory = make()
    run(memory, put(tmp_path / "memory.jsonl", row))
    assert facts_of(memory) == [fact]


def test_N25_the_file_is_written_anew(make: Make, tmp_path: Path) -> None:
    memory, path = make(), tmp_path / "memory.jsonl"
    run(memory, put(path, *GRAPH))
    counts = run(memory, put(path, about("Бруно", "Любит кофе"), *GRAPH))
    assert (counts.stored, counts.known) == (1, 4)
    counts = run(memory, put(tmp_path / "copy.jsonl", *GRAPH))
    assert counts.known == 4


def test_N25_odd_rows_lose_only_themselves(make: Make, tmp_path: Path) -> None:
    memory = make()
    odd = [
        b"{broken",
        b"7",
        about("Empty"),
        about("", "x"),
        relation("A", "knows", ""),
        {"type": "entity"},
        about("B", None, 5),
    ]
    counts = run(memory, put(tmp_path / "memory.jsonl", *odd, *GRAPH))
    assert sorted(contents(held(memory))) == sorted([*TOLD])
    assert counts.skipped == {"broken_json": 1, "not_an_object": 1, "empty": 3, "no_content": 2, "unknown_type": 1}
