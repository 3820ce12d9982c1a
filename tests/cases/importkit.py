"""Files as other tools write them, for the case tests of the import."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mnemic import ImportCounts, Memory, Node


def put(path: Path, *rows: Any, end: bytes = b"\n", append: bool = False) -> Path:
    """Write JSON lines; bytes stand as they are."""
    raw = [row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode() for row in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab" if append else "wb") as file:
        file.write(b"\n".join(raw) + end)
    return path


def put_json(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def stamp(second: int, base: str = "2026-03-02T") -> str:
    return f"{base}{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000Z"


def claude(
    kind: str, content: Any, uuid: str, parent: str | None = None, second: int = 0, **more: Any
) -> dict[str, Any]:
    """A row of a Claude Code transcript."""
    message: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        message = {"id": more.pop("message_id", f"msg_{uuid:0>24}"), "type": "message", "model": "m", **message}
        if isinstance(content, str):
            message["content"] = [{"type": "text", "text": content}]
    base = {"parentUuid": parent, "isSidechain": False, "cwd": "/w", "sessionId": "s-1", "type": kind}
    return {**base, "message": message, "uuid": uuid, "timestamp": stamp(second), **more}


def codex(role: str, words: str, second: int = 0) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    payload = {"type": "message", "role": role, "content": [{"type": kind, "text": words}]}
    return {"timestamp": stamp(second), "type": "response_item", "payload": payload}


def codex_row(type_: str, second: int = 0, **payload: Any) -> dict[str, Any]:
    return {"timestamp": stamp(second), "type": type_, "payload": payload}


def chat_node(name: str, parent: str | None, role: str = "user", words: Any = None, **message: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [words or name]}
    said = {"id": name, "author": {"role": role}, "content": content, "create_time": None, **message}
    return {"id": name, "parent": parent, "children": [], "message": said}


def chat(id_: str, *nodes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A conversation of a ChatGPT export."""
    return {"conversation_id": id_, "title": id_, "mapping": {n["id"]: n for n in nodes}, **more}


def telegram(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "Чат", "type": "personal_chat", "id": 1, "messages": list(messages), **more}


def said(id_: int, text: Any, **more: Any) -> dict[str, Any]:
    date = {"date": "2024-05-01T10:00:00", "date_unixtime": str(1714546800 + id_)}
    return {"id": id_, "type": "message", **date, "from": "Оля", "from_id": "user1", "text": text, **more}


def run(memory: Memory, path: Path, **options: Any) -> ImportCounts:
    """Import; the counts always add up."""
    counts = memory.import_(path, **options)
    assert counts.read == counts.stored + counts.updated + counts.known + sum(counts.skipped.values()), counts
    return counts


def held(memory: Memory, session: str | None = None) -> list[Node]:
    """All that is stored, in the order in which it was said."""
    return memory.timeline(session=session, limit=100_000)


def contents(nodes: Sequence[Node]) -> list[str]:
    return [node.content for node in nodes]


# -- the same talk in every format

WORDS = ("Where is the spare key?", "Под ковриком у двери.", "And the bike pump?", "В гараже, на полке.")


def words(i: int) -> str:
    return f"{WORDS[i % 4]} ({i})"


def turn(i: int) -> tuple[str, str]:
    return ("user", "assistant")[i % 2], words(i)


def chatgpt_export(path: Path, n: int) -> Path:
    nodes = [chat_node(f"n{i}", f"n{i - 1}" if i else None, *turn(i), create_time=1.7e9 + i) for i in range(n)]
    return put_json(path.with_suffix(".json"), [chat("c", *nodes, current_node=f"n{n - 1}", update_time=1.7e9 + n)])


def claude_ai_export(path: Path, n: int) -> Path:
    rows = [
        {"uuid": f"k{i}", "sender": ("human", "assistant")[i % 2], "text": words(i), "created_at": stamp(i)}
        for i in range(n)
    ]
    return put_json(
        path.with_suffix(".json"), [{"uuid": "cv", "name": "x", "created_at": stamp(0), "chat_messages": rows}]
    )


def gemini_export(path: Path, n: int) -> Path:
    rows = [
        {"id": f"g{i}", "timestamp": stamp(i), "type": ("user", "gemini")[i % 2], "content": words(i)} for i in range(n)
    ]
    return put_json(path.with_suffix(".json"), {"sessionId": "g", "projectHash": "ab", "messages": rows})


def specstory_export(path: Path, n: int) -> Path:
    turns = [f"_**{('User', 'Agent')[i % 2]} ({stamp(i)})**_\n\n{words(i)}\n\n---\n" for i in range(n)]
    head = "<!-- Generated by SpecStory -->\n\n<!-- Claude Code Session 1f2e3d4c-0000 (2026-01-07 09:00:00Z) -->\n\n"
    path.with_suffix(".md").write_text(head + "\n".join(turns), encoding="utf-8")
    return path.with_suffix(".md")


def aider_export(path: Path, n: int) -> Path:
    turns = [f"#### {words(i)}\n" if i % 2 == 0 else f"{words(i)}\n" for i in range(n)]
    path.with_suffix(".md").write_text(
        "# aider chat started at 2025-10-20 21:49:17\n\n" + "\n".join(turns), encoding="utf-8"
    )
    return path.with_suffix(".md")


def notes(path: Path, n: int) -> Path:
    path.with_suffix(".md").write_text("\n\n".join(f"# Часть {i}\n\n{words(i)}" for i in range(n)), encoding="utf-8")
    return path.with_suffix(".md")


def cursor_export(path: Path, n: int) -> Path:
    rows = [{"role": turn(i)[0], "message": {"content": [{"type": "text", "text": words(i)}]}} for i in range(n)]
    return put(path.with_suffix(".jsonl"), *rows)


def mcp_memory_file(path: Path, n: int) -> Path:
    rows = [{"type": "entity", "name": f"n{i}", "entityType": "x", "observations": [words(i)]} for i in range(n)]
    return put(path.with_suffix(".jsonl"), *rows)


Export = Callable[[Path, int], Path]
EXPORTS: dict[str, Export] = {
    "chatgpt": chatgpt_export,
    "claude-ai": claude_ai_export,
    "gemini": gemini_export,
    "cursor": cursor_export,
    "mcp-memory": mcp_memory_file,
    "specstory": specstory_export,
    "aider": aider_export,
    "markdown": notes,
    "telegram": lambda p, n: put_json(p.with_suffix(".json"), telegram(*(said(i + 1, words(i)) for i in range(n)))),
    "claude-code": lambda p, n: put(
        p.with_suffix(".jsonl"), *(claude(turn(i)[0], words(i), f"u{i}", second=i) for i in range(n))
    ),
    "codex": lambda p, n: put(
        p.with_suffix(".jsonl"), codex_row("session_meta", id="c-1", cwd="/w"), *(codex(*turn(i), i) for i in range(n))
    ),
    "messages": lambda p, n: put(
        p.with_suffix(".jsonl"), *({"role": turn(i)[0], "content": words(i)} for i in range(n))
    ),
}
#: Formats whose messages have ids of their own, so that a copy at another place is known.
PLACELESS = sorted(EXPORTS.keys() - {"messages", "markdown"})
