"""Cutting texts: nothing lost, nothing too long, no character broken."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mnemic.embed import chunk, spans
from mnemic.embed.chunks import _joined
from mnemic.errors import InvalidInput


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_a_short_text_is_one_piece_without_the_space_around_it() -> None:
    assert chunk("  hello there \n", 100) == ["hello there"]


@pytest.mark.parametrize("text", ["", " ", "\n\n\t"])
def test_a_blank_text_has_no_pieces(text: str) -> None:
    assert chunk(text, 10) == []


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("First one here.\n\nSecond one. It is longer.", ["First one here.", "Second one. It is longer."]),
        ("One two three four. Five six seven.", ["One two three four.", "Five six seven."]),
        ("Кто там стоит? Это я, почтальон.", ["Кто там стоит?", "Это я, почтальон."]),
        ("今日は晴れです。明日は雨でしょう。", ["今日は晴れです。", "明日は雨でしょう。"]),
        ("He said “stop.” Then he left us.", ["He said “stop.”", "Then he left us."]),
    ],
)
def test_cuts_fall_at_paragraph_and_sentence_ends(text: str, pieces: list[str]) -> None:
    assert chunk(text, max(map(len, pieces)) + 1) == pieces


def test_no_crumb_is_left_at_the_end() -> None:
    words = "word " * 105  # a little more than one piece of 500 characters
    sizes = [len(piece) for piece in chunk(words, 500)]
    assert len(sizes) == 2
    assert min(sizes) > 200


@pytest.mark.parametrize(
    "cluster",
    [
        "👨‍👩‍👧‍👦",
        "👍🏽",
        "🇷🇺",
        "e\u0301",
        "क्षि",
        "❤️",
        "각",
        "🏴\U000e0067\U000e0062\U000e007f",
        "й",
        "\ud83d\ude00",
    ],
)
def test_a_grapheme_cluster_stays_whole(cluster: str) -> None:
    pieces = chunk(cluster * 60, 30)
    assert len(pieces) > 1
    assert all(piece == cluster * (len(piece) // len(cluster)) for piece in pieces)
    assert "".join(pieces) == cluster * 60


def test_a_cluster_longer_than_a_piece_is_cut_all_the_same() -> None:
    zalgo = "a" + "\u0301" * 1000
    pieces = chunk(zalgo, 100)
    assert "".join(pieces) == zalgo
    assert max(map(len, pieces)) <= 100


@given(st.text(st.characters() | st.sampled_from(" \n.!👍\u200d🇷\u0301\ud800"), max_size=400), st.integers(1, 60))
@settings(deadline=None)
def test_pieces_hold_every_visible_character_in_order(text: str, limit: int) -> None:
    pieces = chunk(text, limit)
    assert squeezed("".join(pieces)) == squeezed(text)
    assert all(0 < len(piece) <= limit and piece == piece.strip() for piece in pieces)
    places = spans(text, limit)
    assert [text[start:end] for start, end in places] == pieces
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(places))


@given(st.text(max_size=2_000), st.integers(1, 40), st.integers(1, 12))
@settings(deadline=None)
@example("00\u0300", 1, 2)
def test_never_more_pieces_than_allowed_nor_longer_ones(text: str, limit: int, most: int) -> None:
    pieces = chunk(text, limit, max_chunks=most)
    assert len(pieces) <= most
    assert all(0 < len(piece) <= limit for piece in pieces)
    if len(text) <= limit * most // 2:
        assert squeezed("".join(pieces)) == squeezed(text)


def test_half_a_million_characters_are_covered_whole() -> None:
    """B113: the middle and the end of a giant message can be found."""
    text = " ".join(f"line {number} of a very long log." for number in range(18_000))[:500_000]
    pieces = chunk(text, 600)
    assert squeezed("".join(pieces)) == squeezed(text)
    assert any("line 9000 of" in piece for piece in pieces)


def test_a_text_too_long_to_cover_is_sampled_from_head_to_tail() -> None:
    text = " ".join(f"word{number}" for number in range(400_000))
    places = spans(text, 600, max_chunks=100)
    assert len(places) == 100
    assert places[0][0] == 0
    assert places[-1][1] == len(text)
    gaps = [after[0] - before[1] for before, after in itertools.pairwise(places)]
    assert max(gaps) < 2 * len(text) / 100
    assert all(text[start:end].startswith("word") for start, end in places)


@pytest.mark.parametrize("text", ["." * 200_000, " " * 200_000 + "x", "\n \r" * 70_000 + "x", "?'\"" * 70_000])
def test_hostile_texts_are_cut_like_others(text: str) -> None:
    """What they cost is measured by ``bench/hostile.py``."""
    pieces = chunk(text, 8_000)
    assert all(0 < len(piece) <= 8_000 for piece in pieces)
    assert squeezed("".join(pieces)) == squeezed(text)


def test_limits_below_one_are_refused() -> None:
    with pytest.raises(InvalidInput, match="max_chars"):
        chunk("text", 0)
    with pytest.raises(InvalidInput, match="max_chunks"):
        chunk("text", 5, max_chunks=0)


def test_crlf_is_one_character() -> None:
    assert _joined("a\r\nb", 2)
    assert not _joined("ab", 1)
    assert not _joined("🇷🇺🇫🇷", 2)  # between two flags
