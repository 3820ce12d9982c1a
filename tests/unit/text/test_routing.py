"""Sections, digests and routing rules: pure functions on texts, English and Russian."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.text.digest import front_matter, paragraphs, plain, sections, sentences, telling
from mnemic.text.routing import Rule, defined, definitions, rare, rule_of


def test_front_matter() -> None:
    assert front_matter("---\nTitle: 'A b'\ntags: x\n---\nrest") == ({"title": "A b", "tags": "x"}, "rest")
    assert front_matter("--- no\n") == ({}, "--- no\n")


@pytest.mark.parametrize(("text", "expected"), [
    ("a\n# H\nb", [([], "a"), (["H"], "b")]),
    ("# H ##\nb\n### D\nc\n## E\nd", [(["H"], "b"), (["H", "", "D"], "c"), (["H", "E"], "d")]),
    ("```\n# code\n```\n# H\nb", [([], "```\n# code\n```"), (["H"], "b")]),
    ("~~~\n```\n# code\n~~~\nb", [([], "~~~\n```\n# code\n~~~\nb")]),
    ("#nothing\n####### seven", [([], "#nothing\n####### seven")]),
    ("Head\n====\nb\n\nSub\n---\nc", [(["Head"], "b\n"), (["Head", "Sub"], "c")]),
    ("- item\n---\nb", [([], "- item\n---\nb")]), ("two\nlines\n---\nb", [([], "two\nlines\n---\nb")]),
])  # fmt: skip
def test_sections(text: str, expected: list[tuple[list[str], str]]) -> None:
    assert list(sections(text, underlined=True)) == expected


def test_notes_know_no_underlined_headings() -> None:
    assert list(sections("Head\n====\nb")) == [([], "Head\n====\nb")]


def test_paragraphs_keep_code_whole() -> None:
    assert paragraphs("a\nb\n\n```\nx\n\ny\n```\n\n\nc") == ["a\nb", "```\nx\n\ny\n```", "c"]


@given(st.text(alphabet="# `~-=\nab", max_size=200))
def test_sections_lose_no_text(text: str) -> None:
    kept = "".join(body for _, body in sections(text)) + "".join(h for hs, _ in sections(text) for h in hs)
    assert kept.count("a") >= text.count("a")


def test_plain() -> None:
    assert (
        plain("**Bold** [link](http://x) ![i](y) `code` <b>t</b> snake_case_name")
        == "Bold link `code` t snake_case_name"
    )


def test_sentences_of_prose_lists_and_nothing_else() -> None:
    body = (
        "We pay e.g. Acme. It costs 5.5 euros! Why?\n- one item\n- two\n\n| a | b |\n|---|---|\n\n    code here\n\n"
        "```\nmore code.\n```\nТ.е. завтра. Платит г. Москва. Готово."
    )
    assert sentences(body) == [
        "We pay e.g. Acme.", "It costs 5.5 euros!", "Why?", "one item", "two", "Т.е. завтра.", "Платит г. Москва.", "Готово.",
    ]  # fmt: skip


def test_telling_says_what_the_text_is_about_and_not_twice() -> None:
    said = [
        "The weather was pleasant on that particular afternoon.",
        "The pump sends water from the well to the tank every night.",
        "The pump sends water from the well to the tank every night.",
        "The pump needs a filter before the tank is filled.",
        "Somebody once painted the fence in a curious colour.",
        "A filter of the pump lasts one year in hard water.",
    ]
    assert telling(said, 3) == [1, 3, 5]
    assert telling(said, 100) == [0, 1, 3, 4, 5]
    assert telling([], 3) == []
    assert telling(["Short note"], 3) == [0]
    russian = [
        "Погода была хорошей в тот самый день.",
        "Насос качает воду из скважины в бак.",
        "Фильтр насоса служит год.",
    ]
    assert telling(russian, 1) != [0]


@given(st.lists(st.text(alphabet="abc de", max_size=30), max_size=12), st.integers(0, 5))
@settings(max_examples=60)
def test_telling_is_bounded_and_in_order(said: list[str], count: int) -> None:
    found = telling(said, count)
    assert found == sorted(set(found))
    assert len(found) <= count
    assert found == telling(said, count)


@pytest.mark.parametrize(
    ("name", "example", "word"), [(name, example, word) for name, _, example, word in definitions()]
)
def test_every_way_of_defining_has_an_example(name: str, example: str, word: str) -> None:
    assert word in defined([example])


def test_what_defines_nothing() -> None:
    assert defined(["**Note** that we stop. It is a test. `x` and y. Это — нет. Насос работает."]) == ()


def test_rare_words_are_those_of_few_sections() -> None:
    bodies = ["the pump runs and the filter_v2 hums", "the pump runs at night", "the pump runs by day"]
    found = rare(bodies)
    assert found[0] == "filter_v2"
    assert found.index("hums") < found.index("night") or "night" in found
    assert "the" not in found


def test_a_rule_survives_storage() -> None:
    rule = rule_of(
        "Pumps", list(sections("# Pumps\n\n## Filters\n\n**Life**: one year.")), ["How long does a filter last?"]
    )
    assert (rule.title, rule.headings, rule.defined) == (("Pumps",), ("Filters",), ("Life",))
    assert Rule.load(rule.dump()) == rule
    assert Rule.load({"headings": 5, "rare": ["a", 7]}) == Rule(rare=("a",))
    assert Rule.load("x") == Rule()
