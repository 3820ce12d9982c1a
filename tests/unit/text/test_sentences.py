from __future__ import annotations

import pytest

from mnemic.text.sentences import spans, speaking_of, without

PARTS = [
    ["I'm allergic to peanuts.", "I work at Alpha."],
    ["i'm allergic to peanuts.", "i work at alpha"],
    ["I pay 3.5 euros to Mr. Smith and Dr. J. R. Brown, e.g. on Mondays.", "Fine!"],
    ["I like nuts, figs, etc. and dates.", "Really?", "Yes…", "I do."],
    ["It was in No. 5.", "No.", "Not there."],
    ["I don't.", "You do."],
    ["Я родился в 1990 г. в г. Казань на ул. Ленина, д. 5.", "Живу в Москве."],
    ["Люблю орехи, финики и т.д. и т. п.", "Работаю в Альфе."],
    ["Это стоит 2,5 тыс. руб. за штуку, т.е. дорого.", "Беру."],
    ["Наверное… всё-таки орехи.", "Да!"],
    ["我对花生过敏。", "我在北京工作。"],
    ["He said “never.”", "I left (at last).", "Good."],
]


@pytest.mark.parametrize("parts", PARTS, ids=lambda parts: parts[0][:20])
@pytest.mark.parametrize("between", [" ", "\n", "\n\n"])
def test_sentences_of_a_message(parts: list[str], between: str) -> None:
    text = between.join(parts)
    found = [text[a:b] for a, b in spans(text)]
    assert "".join(found) == text
    assert [part.strip() for part in found] == parts


def test_lines_without_full_stops_and_wrapped_ones() -> None:
    text = "- allergic to peanuts\n- works at Alpha\n1. first\n2. second"
    assert [text[a:b].strip() for a, b in spans(text)] == text.split("\n")
    wrapped = "I have known for many years, since I was a child in fact, that peanuts\nare bad for me.\nAnd so on"
    assert [wrapped[a:b].strip() for a, b in spans(wrapped)] == [wrapped[:-10], "And so on"]


@pytest.mark.parametrize("text", ["", " ", "...", ".\n.\n.", "a" * 10_000, "a. " * 5_000, " \n" * 500])
def test_any_text_has_spans(text: str) -> None:
    assert "".join(text[a:b] for a, b in spans(text)) == text


@pytest.mark.parametrize(
    ("text", "quotes", "value", "rest"),
    [
        ("Hi. I'm allergic\nto  PEANUTS. Bye.", ["i'm allergic to peanuts"], "peanuts", "Hi.\nBye."),
        ("Привет. У меня аллергия на арахис! Пока.", ["аллергия на арахис"], "арахис", "Привет. Пока."),
        ("I saw Ann.\n- tea\n- peanuts are bad\nBye", ["peanuts are bad"], "peanuts", "I saw Ann.\n- tea\nBye"),
        ("Был врач. От арахиса мне плохо. Всё.", [], "арахис", "Был врач. Всё."),  # no quote: what names the value
        ("First. It is bad. Last.", ["it is bad", "Last"], "peanuts", "First."),
        ("Nothing here says so.", [], "peanuts", ""),  # drawn from the whole
        ("Edited since then.", ["I'm allergic to peanuts"], "peanuts", "Edited since then."),
        ("🙂 I'm allergic to peanuts. 🙂", ["allergic to peanuts"], "peanuts", ""),
    ],
)
def test_a_message_without_what_it_says_of_something(text: str, quotes: list[str], value: str, rest: str) -> None:
    assert without(text, speaking_of(text, quotes, value)) == rest


def test_of_a_long_quote_only_the_sentences_that_name_the_value() -> None:
    text = "Still fond of jazz. We moved house."
    assert without(text, speaking_of(text, [text], "jazz", narrow=True)) == "We moved house."
    assert without(text, speaking_of(text, [text], "jazz")) == ""
    assert without(text, speaking_of(text, [text], "opera", narrow=True)) == ""
