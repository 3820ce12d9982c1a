"""What capture promises, by observing and by importing: secrets masked before the first write, bodies told apart, no part lost."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemic import Config, KeyConflict, Memory, MnemicError
from mnemic.ingest import files, reading
from mnemic.ingest.observe import body_hash
from mnemic.store.tx import Tx

QUIET = Config(background=False)
PART = 500


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "memory.db", embedder=None, config=QUIET) as memory:
        yield memory


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    """A transcript: one JSON object a line."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def contents(memory: Memory) -> list[str]:
    return [node.content for node in memory.timeline(limit=1_000)]


def held(memory: Memory, text: str) -> bool:
    """Whether a text stands in any byte of the file, its log included."""
    path = Path(memory._store.path)
    return any(text.encode() in part.read_bytes() for part in (path, Path(f"{path}-wal")) if part.exists())


# -- secrets -----------------------------------------------------------------------------------------------------------

#: What is said, the secret in it, and the text that is stored.
SECRETS = [
    ("the password: hunter2-4711 of alice", "hunter2-4711", "the password: [masked:password] of alice"),
    ("пароль от вайфая: 12345678", "12345678", "пароль от вайфая: [masked:password]"),
    ("use postgres://u:p4ssw0rd@h/db today", "p4ssw0rd", "use postgres://u:[masked:url_password]@h/db today"),
    ("my key is ghp_" + "A" * 36 + ", keep it", "ghp_" + "A" * 36, "my key is [masked:github], keep it"),
]  # fmt: skip


@pytest.mark.parametrize("way", ["observe", "remember", "import"])
@pytest.mark.parametrize(("said", "secret", "stored"), SECRETS)
def test_the_stored_text_is_masked(
    memory: Memory, tmp_path: Path, way: str, said: str, secret: str, stored: str
) -> None:
    """Not only counted: the text itself, its search terms and every byte of the file."""
    if way == "observe":
        memory.observe(said, session="s")
    elif way == "remember":
        memory.remember(said)
    else:
        counts = memory.import_(lines(tmp_path / "chat.jsonl", [{"role": "user", "content": said}]))
        assert sum(counts.masked.values()) == 1
    memory.flush()
    assert contents(memory) == [stored]
    assert not held(memory, secret)
    (node,) = memory.timeline()
    assert sum(node.attributes["masked"].values()) == 1


def test_what_is_told_to_stay_stays(tmp_path: Path) -> None:
    """``mask_secrets=False`` stores what was said."""
    with Memory(":memory:", embedder=None, config=Config(background=False, mask_secrets=False)) as memory:
        memory.observe(SECRETS[0][0])
        memory.import_(lines(tmp_path / "chat.jsonl", [{"role": "user", "content": SECRETS[1][0]}]))
        assert sorted(contents(memory)) == sorted([SECRETS[0][0], SECRETS[1][0]])


@pytest.mark.parametrize(
    ("role", "label", "origin"), [("system", "injected", "external"), ("tool", "tool_output", "tool")]
)
def test_what_nobody_said_is_not_trusted_like_a_person(
    memory: Memory, tmp_path: Path, role: str, label: str, origin: str
) -> None:
    """Kept on request, injected text is a third party's; what was said is the importing user's and the assistant's."""
    said = [{"role": r, "content": f"by {r}", "id": r} for r in ("user", "assistant", role)]
    counts = memory.import_(lines(tmp_path / "chat.jsonl", said), keep=["message"])
    assert (counts.read, counts.stored, counts.skipped) == (3, 2, {label: 1})
    memory.import_(tmp_path / "chat.jsonl", keep=["message", label])
    nodes = {node.content: node for node in memory.timeline()}
    assert [nodes[f"by {r}"].origin for r in ("user", "assistant", role)] == ["import", "assistant", origin]
    assert nodes[f"by {role}"].trust < nodes["by user"].trust


# -- the same key, another body ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"role": "user"}, {"role": "assistant"}),
        ({"role": "user", "speaker": "Anna"}, {"role": "user", "speaker": "Boris"}),
        ({"role": "user", "speaker": "Анна"}, {"role": "user"}),
    ],
)
def test_the_same_words_of_another_are_another_body(
    memory: Memory, first: dict[str, str], second: dict[str, str]
) -> None:
    """Who said it belongs to what was said: under one key it is refused, not taken for known."""
    node = memory.observe("yes, do it", key="k", session="s", **first)
    assert memory.observe("yes, do it", key="k", session="s", **first).id == node.id
    with pytest.raises(KeyConflict):
        memory.observe("yes, do it", key="k", session="s", **second)
    assert len(memory.timeline()) == 1


def test_a_body_is_its_text_its_role_and_its_speaker() -> None:
    """Each part counts by itself, and none runs into the next."""
    bodies = [
        ("a", "user", "b"),
        ("a", "user", None),
        ("a", None, "user"),
        ("a", "userb", None),
        ("auser", None, "b"),
        ("b", "user", "b"),
    ]
    assert len({body_hash(*body) for body in bodies}) == len(bodies)
    assert body_hash("a", None, None) == body_hash("a", None, None)


# -- files that are read again -------------------------------------------------------------------------------------------


def rows(*texts: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text, "session_id": "s", "id": text} for text in texts]


@pytest.mark.parametrize("longer", [0, 1, 40])
def test_a_file_that_was_replaced_is_read_from_its_beginning(memory: Memory, tmp_path: Path, longer: int) -> None:
    """A file that only grows is read on; one with another head at the same place holds other messages, however long it is."""
    path = lines(tmp_path / "chat.jsonl", rows("first one", "first two"))
    assert memory.import_(path).stored == 2
    lines(path, rows("other one", "other two", *(f"more {i}" for i in range(longer))))
    assert memory.import_(path).stored == 2 + longer
    assert {"other one", "other two"} <= set(contents(memory))


def test_a_file_that_grew_is_read_on_from_where_it_ended(memory: Memory, tmp_path: Path) -> None:
    path = lines(tmp_path / "chat.jsonl", rows("first one", "first two"))
    memory.import_(path)
    lines(path, rows("first one", "first two", "first three"))
    counts = memory.import_(path)
    assert (counts.read, counts.stored) == (1, 1)
    assert memory.import_(path).unchanged == 1


def test_a_file_that_was_cut_short_is_read_anew(memory: Memory, tmp_path: Path) -> None:
    path = lines(tmp_path / "chat.jsonl", rows("first one", "first two", "first three"))
    memory.import_(path)
    lines(path, rows("second"))
    assert memory.import_(path).stored == 1


@pytest.mark.parametrize("fails", [0, 1, 2])
def test_no_later_part_is_written_after_an_earlier_one_failed(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: int
) -> None:
    """Several parts wait for the writer at once. When one fails, those behind it are refused: the place reached never jumps."""
    monkeypatch.setattr(reading, "BATCH", PART)  # as many as the lines after which an importer says how far it is
    said = [f"part {i // PART}, line {i}" for i in range(PART * files.IN_FLIGHT)]
    path = lines(tmp_path / "chat.jsonl", rows(*said))
    gate, add, submit = threading.Event(), Tx.add, memory._store.submit
    stored: list[str] = []
    sent: list[object] = []

    def failing(self: Tx, space: str, nodes: Any, **more: Any) -> Any:
        gate.wait(10)  # until all parts are in the queue
        part = nodes[0].content.split(",")[0]
        if part == f"part {fails}":
            raise MnemicError("no luck")
        written = add(self, space, nodes, **more)
        stored.append(part)
        return written

    def counted(fn: Any) -> Any:
        sent.append(fn)
        future = submit(fn)
        if len(sent) == files.IN_FLIGHT:
            gate.set()
        return future

    monkeypatch.setattr(Tx, "add", failing)
    monkeypatch.setattr(memory._store, "submit", counted)
    with pytest.raises(MnemicError):
        memory.import_(path)
    assert stored == [f"part {i}" for i in range(fails)]
    monkeypatch.undo()
    memory.import_(path)
    assert sorted(node.content for node in memory.timeline(limit=10_000)) == sorted(said)
