"""Search terms: never raises, one form for one word, the same in NFC and NFD."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.text.analyse import clean, fold, is_unspaced, length, query_terms, raw_words, search_text, stop_terms, terms

ANY = st.text(alphabet=st.characters(), max_size=200)
LETTERS = st.text(alphabet=st.characters(categories=["Lu", "Ll", "Lo", "Mn", "Nd"]), max_size=60)


@given(ANY)
def test_never_raises_and_gives_single_spaced_terms(text: str) -> None:
    made = search_text(text)
    assert made == " ".join(made.split())
    assert terms(text) == " ".join(terms(text)).split()
    assert 0 <= length(made) <= len(made.split())
    raw_words(text)
    query_terms(text)


@given(ANY)
def test_every_term_of_a_query_is_in_the_index_of_the_same_text(text: str) -> None:
    assert set(query_terms(text)) <= set(terms(text)) <= set(search_text(text).split())


@given(st.one_of(ANY, LETTERS))
def test_composed_and_decomposed_forms_are_equal(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    assert search_text(unicodedata.normalize("NFD", text)) == search_text(composed)
    assert terms(unicodedata.normalize("NFD", text)) == terms(composed)


@given(st.one_of(ANY, LETTERS))
def test_folding_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(ANY)
def test_cleaned_text_can_be_encoded_and_stays_as_it_is(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode()
    assert "\0" not in cleaned
    assert clean(cleaned) == cleaned
    assert len(cleaned) == len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café CAFÉ cafe\u0301", "cafe cafe cafe"), ("Ещё еще ЕЩЁ", "ещ ещ ещ"), ("Straße STRASSE", "strass strass"),
        ("Łódź Ærø", "lodz aero"),
        ("до́ма дома", "дом дом"), ("паро\u00adль пароль", "парол парол"), ("Ｄｏｃｋｅｒ", "docker"), ("ﬁle", "file"),
        ("İstanbul", "istanbul"),
        ("مُحَمَّد محمد", "محمد محمد"), ("й и", "й и"), ("don't don’t dont", "dont dont dont"),
        ("Anna's Anna", "anna anna"),
        ("l'hôtel", "hotel lhotel"), ("getUserName", "get user name getusernam"), ("max_retry", "max retri max_retry"),
        ("v20.04", "v 20 v20 04 v20.04"),
        ("C++ C#", "c++ c c# c"), ("OC-41252", "oc 41252 oc-41252"), ("队列端口", "队列 列端 端口 口"), ("口", "口"),
        ("队列。端口", "队列 列 端口 口"), ("", ""), ("...", ""),
        ("👍", ""), ("_x __", "x _x"),
    ],
)  # fmt: skip
def test_examples(text: str, expected: str) -> None:
    assert search_text(text) == expected


@pytest.mark.parametrize(
    "forms",
    [
        "деплой деплоя деплою деплоем деплое", "сервер сервера серверах серверу серверов",
        "пароль пароли паролей паролями", "книга книги книгу книгой",
        "move moved moves moving", "deployment deployments", "cafés café", "Иванов Иванова Иванову",
    ],
)  # fmt: skip
def test_forms_of_a_word_are_one_term(forms: str) -> None:
    assert len(set(terms(forms))) == 1, terms(forms)


@pytest.mark.parametrize("pair", ["мел медь", "Анна Олег", "й и", "2026 2027", "test toast", "кот кит"])
def test_other_words_are_other_terms(pair: str) -> None:
    assert len(set(terms(pair))) == 2


def test_a_query_drops_stop_words_unless_nothing_else_remains() -> None:
    assert query_terms("where is the cat") == ["cat"]
    assert query_terms("где моя кошка") == terms("кошка")
    assert query_terms("to be or not to be") == ["to", "be", "or", "not"]
    assert query_terms("что это") == ["что", "эт"] or set(query_terms("что это")) <= stop_terms()


def test_unspaced_scripts() -> None:
    for word in ("队", "しり", "서버", "สวัสดี", "ខ្មែរ"):
        assert is_unspaced(word)
    for word in ("cat", "кот", "नया", "2026", "", "a队"):
        assert not is_unspaced(word)


@pytest.mark.parametrize("part", ["_", "a_", "'", "A'", "-", "a-", "\u0301", "AbC", "队", "#", "+", "नि", ".\n"])
def test_terms_grow_with_the_length_only(part: str) -> None:
    """Four times the text gives at most four times the terms; what it costs is measured by ``bench/hostile.py``."""
    short, long = (search_text((part * size)[:size]) for size in (50_000, 200_000))
    assert len(long) <= 4 * len(short) + 40
