"""ChatGPT exports: the shown line, the branches, times that are missing, damage."""

from __future__ import annotations

import json
from typing import Any

import pytest
from importing import EVERYTHING, FIXTURES, run


def node(name: str, parent: str | None, role: str = "user", words: Any = None, **message: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [words or name]}
    return {
        "id": name,
        "parent": parent,
        "message": {"id": name, "author": {"role": role}, "content": content, **message},
    }


def talk(*nodes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"conversation_id": "c", "mapping": {n["id"]: n for n in nodes}, **more}


def read(*talks: Any, **options: Any) -> Any:
    return run("chatgpt", json.dumps(list(talks)), **options)


def test_the_fixture() -> None:
    found = run("chatgpt", FIXTURES / "chatgpt.json")
    bees = [r for r in found.records if r.session == "chatgpt:c-bees"]
    assert [r.text for r in bees] == [
        "When do I open the hive?",
        "On a warm day in April.",
        "Is this frame healthy?",
        "Yes, the brood pattern is even.",
        "In December.",
    ]
    assert [r.attributes.get("branch") for r in bees] == [None, None, None, None, "abandoned"]
    assert found.skips == {"no_message": 1, "hidden": 2, "empty": 1, "image": 1, "thinking": 1}
    assert all(r.at for r in found.records)


def test_times_fall_back_to_the_conversation_then_to_its_first_message() -> None:
    times = {r.session: r.at for r in run("chatgpt", FIXTURES / "chatgpt.json").records[-3::2]}
    assert times == {"chatgpt:c-none": 1700001000000000, "chatgpt:c-dated": 1700002000000000}


def test_children_only_exports_are_walked_too() -> None:
    nodes = [node("a", None), node("b", None, "assistant"), node("c", None)]
    nodes[0]["children"], nodes[1]["children"] = ["b"], ["c"]
    assert read(talk(*reversed(nodes), current_node="c")).texts == ["a", "b", "c"]


def test_circles_and_missing_parents_lose_nothing() -> None:
    circle = talk(node("a", "c"), node("b", "a"), node("c", "b"), current_node="c")
    orphan = talk(node("x", None), node("y", "gone"), node("z", "y"), conversation_id="d", current_node="z")
    found = read(circle, orphan)
    assert sorted(r.text for r in found.records) == ["a", "b", "c", "x", "y", "z"]
    assert not any("branch" in r.attributes for r in found.records)


def test_an_unknown_current_node_takes_the_last_leaf() -> None:
    found = read(talk(node("a", None), node("b", "a"), node("c", "a"), current_node="nowhere"))
    assert [(r.text, r.attributes.get("branch")) for r in found.records] == [
        ("a", None),
        ("c", None),
        ("b", "abandoned"),
    ]


@pytest.mark.parametrize(
    ("message", "expected", "skips"),
    [
        ({"author": {"role": "user"}}, [], {"empty": 1}),
        ({"author": None, "content": None}, [], {"unknown_role": 1}),
        ({"author": {"role": "user"}, "content": {"parts": []}}, [], {"empty": 1}),
        (
            {"author": {"role": "user"}, "content": {"parts": [None, {"x": 1}, "words"]}},
            ["words"],
            {"image": 1},
        ),
        ({"author": {"role": "user"}, "content": {"parts": "words"}}, ["words"], {}),
        (
            {
                "author": {"role": "user"},
                "content": {"content_type": "user_editable_context", "user_profile": "x"},
            },
            [],
            {"profile": 1},
        ),
        (
            {
                "author": {"role": "assistant"},
                "content": {"content_type": "thoughts", "thoughts": [{"content": "x"}]},
            },
            [],
            {"thinking": 1},
        ),
        (
            {
                "author": {"role": "assistant"},
                "recipient": "python",
                "content": {"content_type": "code", "text": "1+1"},
            },
            [],
            {"tool_call": 1},
        ),
        (
            {"author": {"role": "tool"}, "content": {"content_type": "execution_output", "text": "2"}},
            [],
            {"tool_output": 1},
        ),
        ({"author": {"role": "user"}, "content": {"parts": ["x"]}, "weight": 0}, [], {"hidden": 1}),
        (
            {
                "author": {"role": "user"},
                "content": {"parts": ["x"]},
                "metadata": None,
                "create_time": "soon",
            },
            ["x"],
            {},
        ),
        (
            {"author": {"role": ["user"]}, "content": {"content_type": {}, "parts": ["x"]}},
            [],
            {"unknown_role": 1},
        ),
    ],
)
def test_odd_messages(message: dict[str, Any], expected: list[str], skips: dict[str, int]) -> None:
    found = read({"id": "c", "mapping": {"n": {"id": "n", "parent": None, "message": message}}})
    assert found.texts == expected
    assert found.skips == skips


def test_the_rest_is_kept_on_request() -> None:
    found = run("chatgpt", FIXTURES / "chatgpt.json", keep=EVERYTHING)
    assert [r.text for r in found.of("thinking")] == ["Brood pattern"]
    assert "I keep bees" not in " ".join(found.texts)


def test_a_broken_conversation_loses_only_itself() -> None:
    talks = [json.dumps(talk(node(f"n{i}", None), conversation_id=f"c{i}")) for i in range(40)]
    talks[17] = talks[17].replace('"parts"', '"parts')  # a lost quote turns all strings after it inside out
    talks[20] = talks[20][:-1]  # a lost bracket
    found = run("chatgpt", "[" + ", ".join(talks) + "]")
    assert len(found.records) >= 38
    assert found.skips["broken_json"] >= 1


@pytest.mark.parametrize(
    "wrong", [None, [], "x", 5, {"mapping": []}, {"mapping": {"a": None}}, {"mapping": {"a": 5, "b": {}}}]
)
def test_things_that_are_no_conversation(wrong: Any) -> None:
    assert read(wrong, talk(node("a", None))).texts == ["a"]


def test_other_shapes_of_the_document() -> None:
    one = talk(node("a", None))
    assert run("chatgpt", json.dumps(one)).texts == ["a"]
    assert run("chatgpt", json.dumps({"conversations": [one]})).texts == ["a"]
