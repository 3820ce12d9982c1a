"""Estimates of tokens lean to the safe side and grow with the text."""

from __future__ import annotations

import importlib.util

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import MissingExtra
from mnemic.text.tokens import estimate, exact

ANY = st.text(alphabet=st.characters(), max_size=200)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("", 0, 0), (" ", 1, 1), ("hello world", 2, 4), ("The stand-up moved to ten on Tuesday.", 8, 14),
        ("Вчера откатили деплой на сервере оплаты", 9, 16),
        ("队列端口错配导致任务无人消费", 10, 20), ("{'a': [1, 2], 'b': null}", 10, 24), ("😀" * 10, 10, 40),
    ],
)  # fmt: skip
def test_examples(text: str, low: int, high: int) -> None:
    assert low <= estimate(text) <= high


@given(ANY, ANY)
def test_never_raises_and_grows(one: str, other: str) -> None:
    assert estimate(one) >= (1 if one else 0)
    assert estimate(one + other) + 1 >= max(estimate(one), estimate(other))
    assert estimate(one + other) <= estimate(one) + estimate(other) + 1


@pytest.mark.skipif(importlib.util.find_spec("bpe_openai") is not None, reason="the extra is installed")
def test_exact_counting_names_its_extra() -> None:
    with pytest.raises(MissingExtra, match=r"mnemic\[tokens\]"):
        exact()


@pytest.mark.skipif(importlib.util.find_spec("bpe_openai") is None, reason="the extra is not installed")
@pytest.mark.parametrize(
    "text",
    [
        "The stand-up moved to ten on Tuesday.",
        "Вчера откатили деплой на сервере оплаты",
        "队列端口错配导致任务无人消费",
    ],
)
def test_estimates_are_near_the_exact_number(text: str) -> None:
    count = exact()(text)
    assert count * 0.9 <= estimate(text) <= count * 1.9 + 2
