"""Telegram exports: both forms, texts in pieces, times with and without a zone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from importing import FIXTURES, run

from mnemic.errors import InvalidInput


def chat(*messages: Any, **more: Any) -> str:
    return json.dumps({"name": "Chat", "type": "personal_chat", "id": 1, "messages": list(messages), **more})


def test_one_chat() -> None:
    found = run("telegram", FIXTURES / "telegram.json")
    assert [(r.speaker, r.text) for r in found.records] == [
        ("Оля", "Смотри https://ex.org и жирное"),
        ("Пётр", "Вижу"),
        ("Пётр", "Завтра дождь"),
        (None, "от удалённого"),
    ]
    assert {r.role for r in found.records} == {"user"}
    assert found.skips == {"service": 1, "sticker": 1, "media": 1}
    assert found.records[1].attributes["reply_to"] == "2"


def test_forwards_keep_the_claimed_author_beside_the_sender() -> None:
    forward = run("telegram", FIXTURES / "telegram.json").records[2]
    assert (forward.speaker, forward.attributes["forwarded_from"]) == ("Пётр", "Новости")
    assert forward.attributes["edited"] == 1714547040000000


def test_a_whole_account() -> None:
    found = run("telegram", FIXTURES / "telegram_account.json")
    assert [r.session for r in found.records] == ["telegram:11", "telegram:12", "telegram:13"]
    assert run(
        "telegram", json.dumps({"chats": [json.loads(chat({"id": 1, "text": "x", "type": "message"}))]})
    ).texts == ["x"]


def test_unixtime_counts_and_the_zone_is_for_the_rest() -> None:
    both = {
        "id": 1,
        "type": "message",
        "date": "2024-05-01T10:00:00",
        "date_unixtime": "1714546800",
        "text": "a",
    }
    local = {"id": 2, "type": "message", "date": "2024-05-01T10:00:00", "text": "b"}
    neither = {"id": 3, "type": "message", "text": "c"}
    at = [r.at for r in run("telegram", chat(both, local, neither), zone="Europe/Moscow").records]
    assert at == [1714546800000000] * 1 + [1714546800000000] * 2
    with pytest.raises(InvalidInput, match="zone"):
        run("telegram", chat(), zone="Mars/Olympus")


def test_a_newer_export_gives_the_same_keys() -> None:
    messages = [{"id": n, "type": "message", "date_unixtime": str(1714546800 + n), "text": f"t{n}"} for n in range(10)]
    old = {r.key for r in run("telegram", chat(*messages[:5])).records}
    new = {r.key for r in run("telegram", chat(*messages)).records}
    assert old < new
    assert len(new - old) == 5


def test_without_ids_messages_still_differ() -> None:
    rows = [{"type": "message", "date_unixtime": "1714546800", "from": who, "text": "да"} for who in ("А", "Б")]
    assert len(run("telegram", json.dumps({"messages": rows})).records) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ([], []),
        (None, []),
        (5, []),
        ([None, {"text": 5}, "a", {"type": "bold", "text": "b"}], ["ab"]),
        ({"text": "x"}, []),
    ],
)
def test_odd_texts(text: Any, expected: list[str]) -> None:
    assert run("telegram", chat({"id": 1, "type": "message", "text": text})).texts == expected


def test_a_broken_message_loses_only_itself() -> None:
    good = [json.dumps({"id": n, "type": "message", "text": f"t{n}"}) for n in range(10)]
    head = '{"name": "Chat", "id": 1, "messages": ['
    for broken in (good[4][:-1], good[4].replace('"text"', '"text'), good[4][1:], good[4] + "}", "nul"):
        found = run("telegram", head + ",\n".join([*good[:4], broken, *good[5:]]) + "]}")
        assert set(found.texts) >= {f"t{n}" for n in range(10) if n != 4}, broken
    cut = run("telegram", head + ",\n".join(good)[:-12])
    assert cut.texts == [f"t{n}" for n in range(9)]
    assert cut.skips == {"broken_json": 1, "damaged_file": 1}
