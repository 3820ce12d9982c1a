"""The embedder without a model."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from mnemic.embed import HashEmbedder
from mnemic.errors import InvalidInput


def similarity(left: str, right: str, dimension: int = 256) -> float:
    rows = HashEmbedder(dimension).embed([left, right], kind="document")
    return float(rows[0] @ rows[1])


def test_shared_words_are_near_and_word_forms_too() -> None:
    assert similarity("the cat sat on the mat", "a cat on a mat") > 0.4
    assert similarity("я купил машину", "мы купили машины") > 0.3
    assert abs(similarity("the cat sat on the mat", "quarterly revenue grew by nine percent")) < 0.25


@pytest.mark.parametrize(("left", "right"), [("Hello World", "hello, world!"), ("Ёжик", "ежик"), ("ﬁne", "fine")])
def test_case_width_and_punctuation_do_not_matter(left: str, right: str) -> None:
    assert similarity(left, right) == pytest.approx(1.0, abs=1e-6)


def test_emoji_and_punctuation_have_vectors_of_their_own() -> None:
    assert similarity("😀", "🎉") < 0.9
    assert similarity("...", "...") == pytest.approx(1.0, abs=1e-6)


def test_vectors_are_the_same_for_good() -> None:
    """A change here is another model: give it another name, stored vectors could not be compared with it."""
    rows = HashEmbedder(64).embed(["I moved to Lisbon in May.", "Я переехал в Лиссабон 🇵🇹"], kind="document")
    rounded = np.round(rows * 1000).astype("<i2")
    assert hashlib.sha256(rounded.tobytes()).hexdigest()[:16] == "d0cddf8383db6c7e"


@pytest.mark.parametrize("dimension", [0, 7, 100_000])
def test_dimensions_out_of_range(dimension: int) -> None:
    with pytest.raises(InvalidInput):
        HashEmbedder(dimension)
