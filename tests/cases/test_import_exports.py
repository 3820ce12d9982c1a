"""Import of exports, case by case: ChatGPT and Telegram."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from casekit import Make, cli
from importkit import chat, chat_node, contents, held, put_json, run, said, telegram

# -- ChatGPT -----------------------------------------------------------------------------------------------------------


def seconds(nodes: Any) -> list[int]:
    return [node.event_time // 1_000_000 for node in nodes]


def test_B138_times_that_are_missing(make: Make, tmp_path: Path) -> None:
    memory = make()
    plain = [chat_node("a1", None, words="Привет"), chat_node("a2", "a1", "assistant")]
    dated = [chat_node("c1", None), chat_node("c2", "c1", "assistant", create_time=1700002000.5), chat_node("c3", "c2")]
    bare = [chat_node("b1", None, words="без времени")]
    counts = run(memory, put_json(tmp_path / "conversations.json", [
        chat("normal", *plain, create_time=1700000000.0, update_time=1700000100.0),
        chat("no-create", *bare, update_time=1700001000.0),
        chat("null-create", *dated, create_time=None),
    ]))  # fmt: skip
    assert counts.stored == 6
    assert seconds(held(memory, "chatgpt:normal")) == [1700000000, 1700000000]
    assert seconds(held(memory, "chatgpt:no-create")) == [1700001000]
    assert seconds(held(memory, "chatgpt:null-create")) == [1700002000] * 3


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ({"create_time": "2023-11-14T22:13:20Z"}, 1700000000),
        ({"create_time": "1700000000"}, 1700000000),
        ({"create_time": 1700000000000}, 1700000000),
        ({"create_time": 0, "update_time": 1700000000}, 1700000000),
        ({"create_time": -5, "update_time": "вчера"}, None),
        ({"create_time": float("1e300")}, None),
        ({"create_time": {}, "update_time": [1]}, None),
        ({}, None),
    ],
)
def test_B138_times_of_any_shape(make: Make, tmp_path: Path, times: dict[str, Any], expected: int | None) -> None:
    memory = make()
    path = put_json(tmp_path / "conversations.json", [chat("c", chat_node("a", None, words="Чай"), **times)])
    assert run(memory, path).stored == 1
    assert seconds(held(memory)) == [expected or path.stat().st_mtime_ns // 1_000_000_000]


HIDDEN = {
    "content_type": "user_editable_context", "user_profile": "Живу в Твери", "user_instructions": "Answer briefly",
    "parts": ["The user lives in Tver"],
}  # fmt: skip


def test_B139_content_of_every_kind(make: Make, tmp_path: Path) -> None:
    memory = make()
    image = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    nodes = [
        chat_node("no-metadata", None, words="Первый"),
        chat_node("no-content", "no-metadata", content=None),
        chat_node("null-part", "no-content", content={"content_type": "text", "parts": [None, "после null"]}),
        chat_node("picture", "null-part", content={"content_type": "multimodal_text", "parts": [image, "what is it?"]}),
        chat_node("empty-list", "picture", content={"content_type": "text", "parts": []}),
        chat_node("thoughts", "empty-list", "assistant", content={
            "content_type": "thoughts", "thoughts": [{"summary": "s", "content": "draft"}]}),
        chat_node("profile", "thoughts", content=HIDDEN),
        chat_node("profile2", "profile", content=HIDDEN, metadata={"is_user_system_message": True}),
        chat_node("hidden", "profile2", "system", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
        chat_node("null-metadata", "hidden", "assistant", "Последний", metadata=None),
    ]  # fmt: skip
    for node in nodes[:1]:
        node["message"].pop("metadata", None)
    counts = run(memory, put_json(tmp_path / "conversations.json", [chat("c", *nodes, create_time=1.7e9)]))
    assert contents(held(memory)) == ["Первый", "после null", "what is it?", "Последний"]
    assert counts.skipped == {"empty": 2, "image": 1, "thinking": 1, "profile": 2, "hidden": 1}
    assert "Твер" not in " ".join(contents(held(memory)))


@pytest.mark.parametrize("value", [None, 0, "", "текст", [], {}, [None], True])
@pytest.mark.parametrize(
    "field", ["metadata", "content", "author", "create_time", "id", "weight", "recipient", "status"]
)
def test_B139_fields_of_any_shape(make: Make, tmp_path: Path, field: str, value: Any) -> None:
    memory = make()
    odd = chat_node("odd", "a", words="странное", **{field: value})
    nodes = [chat_node("a", None, words="до"), odd, chat_node("b", "odd", words="после")]
    counts = run(memory, put_json(tmp_path / "conversations.json", [chat("c", *nodes, create_time=1.7e9)]))
    assert counts.errors == {}
    texts = contents(held(memory))
    assert (texts[0], texts[-1]) == ("до", "после")


def test_B139_the_exit_code_is_zero_when_anything_was_imported(tmp_path: Path) -> None:
    odd = chat_node("odd", "a", content={"parts": [None]})
    some = put_json(tmp_path / "some.json", [chat("c", chat_node("a", None, words="Есть"), odd), 5, None])
    none = put_json(tmp_path / "none.json", [chat("c", chat_node("p", None, content=HIDDEN))])
    good = cli("import", str(some), "--no-embed", "--json", path=tmp_path / "a.db")
    assert good.returncode == 0, good.stderr
    assert json.loads(good.stdout)["skipped"] == {"empty": 1, "not_an_object": 2}
    assert b"element 1" in good.stderr or "element 1" in " ".join(json.loads(good.stdout)["damaged"])
    empty = cli("import", str(none), "--no-embed", "--json", path=tmp_path / "b.db")
    assert empty.returncode != 0
    assert json.loads(empty.stdout)["skipped"] == {"profile": 1}


@pytest.mark.parametrize("shown", ["r1", "r2", "end"])
@pytest.mark.parametrize("shuffled", [False, True])
def test_B140_a_regenerated_answer(make: Make, tmp_path: Path, shown: str, shuffled: bool) -> None:
    memory = make()
    nodes = [
        {"id": "root", "parent": None, "children": ["q"], "message": None},
        chat_node("q", "root", words="Сколько варить яйцо?"),
        chat_node("r1", "q", "assistant", "Девять минут."), chat_node("r2", "q", "assistant", "Six minutes."),
        chat_node("sys", "r2", "system", "browser is on"),
        chat_node("q2", "sys", words="А всмятку?"), chat_node("end", "q2", "assistant", "Три минуты."),
    ]  # fmt: skip
    if shuffled:
        random.Random(7).shuffle(nodes)
    path = put_json(tmp_path / "conversations.json", [chat("c", *nodes, current_node=shown, create_time=1.7e9)])
    counts = run(memory, path)
    assert (counts.stored, len(memory.sessions())) == (5, 1)
    assert counts.skipped == {"no_message": 1, "injected": 1}
    line = [n.content for n in held(memory) if "branch" not in n.attributes]
    side = {n.content for n in held(memory) if n.attributes.get("branch") == "abandoned"}
    if shown == "r1":
        assert line == ["Сколько варить яйцо?", "Девять минут."]
        assert side == {"Six minutes.", "А всмятку?", "Три минуты."}
    else:
        assert line == ["Сколько варить яйцо?", "Six minutes.", "А всмятку?", "Три минуты."]
        assert side == {"Девять минут."}


def forty(broken: dict[int, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    talks = []
    for i in range(1, 41):
        nodes = [chat_node(f"{i}a", None, words=f"Вопрос {i}"), chat_node(f"{i}b", f"{i}a", "assistant", f"Answer {i}")]
        talks.append(chat(f"c{i}", *broken.get(i, nodes), current_node=f"{i}b", create_time=1.7e9 + i))
    return talks


def test_B143_cycles_and_missing_parents(make: Make, tmp_path: Path) -> None:
    memory = make()
    broken = {
        17: [chat_node("17a", "17c", words="Вопрос 17"), chat_node("17b", "17a", "assistant", "Answer 17"),
             chat_node("17c", "17b", words="и по кругу")],
        18: [chat_node("18a", "no-such-node", words="Вопрос 18"), chat_node("18b", "18a", "assistant", "Answer 18")],
    }  # fmt: skip
    counts = run(memory, put_json(tmp_path / "conversations.json", forty(broken)))
    assert (counts.stored, len(memory.sessions())) == (81, 40)
    assert set(contents(held(memory, "chatgpt:c17"))) == {"Вопрос 17", "Answer 17", "и по кругу"}
    assert contents(held(memory, "chatgpt:c18")) == ["Вопрос 18", "Answer 18"]


@pytest.mark.parametrize("links", [
    {"a": "a", "b": "a"}, {"a": "b", "b": "a"}, {"a": 5, "b": None}, {"a": None, "b": "gone"}, {"a": [], "b": {}},
])  # fmt: skip
@pytest.mark.parametrize("leaf", ["a", "b", "gone", None, 7, []])
def test_B143_links_of_any_shape(make: Make, tmp_path: Path, links: dict[str, Any], leaf: Any) -> None:
    memory = make()
    nodes = [chat_node(name, parent, words=f"узел {name}") for name, parent in links.items()]
    for node in nodes:
        node["children"] = ["a", "b", "gone", None, 3]
    counts = run(memory, put_json(tmp_path / "conversations.json", [chat("c", *nodes, current_node=leaf), *forty({})]))
    assert counts.stored == 82
    assert set(contents(held(memory, "chatgpt:c"))) == {"узел a", "узел b"}


@pytest.mark.parametrize("damage", [b'{"mapping": {"x": ', b'{"mapping": 5}', b"null", b'"\xd1"', b"]["], ids=repr)
def test_B143_a_broken_conversation_among_good_ones(make: Make, tmp_path: Path, damage: bytes) -> None:
    memory = make()
    talks = [json.dumps(talk, ensure_ascii=False).encode() for talk in forty({})]
    talks[16] = damage
    path = tmp_path / "conversations.json"
    path.write_bytes(b"[" + b",\n".join(talks) + b"]")
    counts = run(memory, path)
    assert counts.stored == 78
    assert bool(counts.skipped) == (damage != b"][")  # two lists one after the other lose nothing


@pytest.mark.parametrize("between", ["", "\n", "\n\n", "\x00"], ids=repr)
@pytest.mark.parametrize("lists", [False, True])
def test_B143_several_documents_in_one_file(make: Make, tmp_path: Path, lists: bool, between: str) -> None:
    memory, path = make(), tmp_path / "conversations.json"
    documents = [json.dumps([talk] if lists else talk, ensure_ascii=False) for talk in forty({})]
    path.write_text(between.join(documents), encoding="utf-8")
    counts = run(memory, path)
    assert (counts.stored, counts.skipped) == (80, {})


@pytest.mark.parametrize("tail", ["}", "мусор", ', "x"', "]]"])
def test_B143_what_stands_behind_the_end_is_reported(make: Make, tmp_path: Path, tail: str) -> None:
    memory, path = make(), tmp_path / "conversations.json"
    path.write_text(json.dumps(forty({})) + tail, encoding="utf-8")
    counts = run(memory, path)
    assert (counts.stored, counts.skipped, counts.damaged) == (80, {"damaged_file": 1}, (f"{path}: damaged_file",))


# -- Telegram ----------------------------------------------------------------------------------------------------------

ONE = said(1, "Ключ под ковриком")
LEFT = {"about": "Chats left", "list": [telegram(said(1, "Пока"), id=13, name="Старый чат")]}
ACCOUNT = {"about": "Here is the data you requested.", "personal_information": {"user_id": 7, "first_name": "Оля"}}


@pytest.mark.parametrize(("export", "expected"), [
    (telegram(ONE), {"telegram:1": ["Ключ под ковриком"]}),
    ({"messages": [ONE]}, {"telegram:chat": ["Ключ под ковриком"]}),
    ({**ACCOUNT, "chats": {"about": "All chats", "list": [telegram(ONE, id=11), telegram(said(1, "Milk"), id=12)]}},
     {"telegram:11": ["Ключ под ковриком"], "telegram:12": ["Milk"]}),
    ({**ACCOUNT, "chats": {"list": [telegram(ONE, id=11)]}, "left_chats": LEFT},
     {"telegram:11": ["Ключ под ковриком"], "telegram:13": ["Пока"]}),
    ({**ACCOUNT, "left_chats": LEFT}, {"telegram:13": ["Пока"]}),
    ({"chats": {"list": [telegram(ONE, id=11)]}, "left_chats": LEFT},
     {"telegram:11": ["Ключ под ковриком"], "telegram:13": ["Пока"]}),
    ({**ACCOUNT, "contacts": {"list": [{"user_id": i, "first_name": "Пётр " * 40} for i in range(900)]},
      "chats": {"list": [telegram(ONE, id=11)]}}, {"telegram:11": ["Ключ под ковриком"]}),
])  # fmt: skip
def test_B144_one_chat_and_a_whole_account(
    make: Make, tmp_path: Path, export: dict[str, Any], expected: dict[str, list[str]]
) -> None:
    memory = make()
    counts = run(memory, put_json(tmp_path / "result.json", export))
    assert counts.formats == {"telegram": 1}
    assert {s.key: contents(held(memory, s.key)) for s in memory.sessions()} == expected


def test_B145_text_in_pieces_forwards_and_what_has_no_text(make: Make, tmp_path: Path) -> None:
    memory = make()
    pieces = ["Смотри ", {"type": "link", "text": "https://ex.org"}, " и ", {"type": "bold", "text": "жирное"}]
    rows = [
        said(1, pieces),
        said(2, ""),
        {
            "id": 3,
            "type": "service",
            "date": "2024-05-01T10:00:00",
            "actor": "Оля",
            "action": "pin_message",
            "text": "",
        },
        said(4, "", media_type="sticker", sticker_emoji="👍", file="s.webp"),
        said(5, "", media_type="voice_message", file="v.ogg"),
        said(6, "Согласен", reply_to_message_id=1, **{"from": "Пётр"}),
        said(7, "Завтра дождь", forwarded_from="Погода", **{"from": "Пётр"}),
        said(8, "fixed", edited="2024-05-01T11:00:00", edited_unixtime="1714550400"),
        said(9, "подпись", photo="p.jpg"),
    ]
    counts = run(memory, put_json(tmp_path / "result.json", telegram(*rows)))
    nodes = {n.content: n for n in held(memory)}
    assert list(nodes) == ["Смотри https://ex.org и жирное", "Согласен", "Завтра дождь", "fixed", "подпись"]
    assert counts.skipped == {"empty": 1, "service": 1, "sticker": 1, "media": 1}
    assert nodes["Согласен"].attributes["reply_to"] == "1"
    forward = nodes["Завтра дождь"]
    assert (forward.speaker, forward.attributes["forwarded_from"]) == ("Пётр", "Погода")
    assert nodes["fixed"].attributes["edited"] == 1714550400000000


@pytest.mark.parametrize(("text", "expected"), [
    ("plain", "plain"),
    (["a", "b"], "ab"),
    ([{"type": "mention", "text": "@оля"}, " привет"], "@оля привет"),
    ([{"type": "custom_emoji", "text": "🙂", "document_id": "x"}, "!"], "🙂!"),
    (["до", None, 5, {}, {"type": "bold"}, {"type": "bold", "text": None}, "после"], "допосле"),
    ([], None), (None, None), ("   ", None), ([""], None), (5, None), ({}, None),
])  # fmt: skip
def test_B145_texts_of_any_shape(make: Make, tmp_path: Path, text: Any, expected: str | None) -> None:
    memory = make()
    run(memory, put_json(tmp_path / "result.json", telegram(said(1, text), said(2, "дальше"))))
    assert contents(held(memory)) == ([expected] if expected else []) + ["дальше"]


@pytest.mark.parametrize(
    ("author", "claimed"), [("Новости", "Новости"), (5, "5"), ({"name": "x"}, None), (None, None), ("", None)]
)
def test_B145_a_forward_is_never_said_by_its_author(
    make: Make, tmp_path: Path, author: Any, claimed: str | None
) -> None:
    memory = make()
    run(memory, put_json(tmp_path / "result.json", telegram(said(1, "Переслано", forwarded_from=author))))
    [node] = held(memory)
    assert (node.speaker, node.attributes.get("forwarded_from")) == ("Оля", claimed)
