"""Columns: packed and read the same, grown, and what is visible at the two clocks."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.store.columns import _NAMES, _NUMBERS, _PLACE, Columns, pack, packed_upto

COLUMNS = [name for name, _ in _NUMBERS] + list(_NAMES)


def rows(count: int, first: int = 1, seed: int = 0) -> list[tuple[Any, ...]]:
    """Rows of the query ``column_rows``, ascending."""
    draw = random.Random(seed)
    values: dict[str, Any] = {
        "words": lambda: draw.randrange(500), "session": lambda: draw.randrange(9),
        "source": lambda: draw.randrange(3),
        "kind": lambda: draw.choice(["episodic", "semantic"]),
        "label": lambda: draw.choice(["message", "fact", "заметка"]),
        "role": lambda: draw.choice(["user", "assistant", ""]),
        "speaker": lambda: draw.choice(["", "Анна", "Boris 🎉"]),
        "event_time": lambda: draw.randrange(10**15), "valid_from": lambda: draw.randrange(10**15),
        "recorded_at": lambda: draw.randrange(10**15),
        "trust": lambda: draw.choice([0.2, 0.5, 1.0]), "asks": lambda: draw.randrange(2),
    }  # fmt: skip
    out = []
    for i in range(count):
        row: list[Any] = [None] * len(_PLACE)
        for name, place in _PLACE.items():
            row[place] = first + i * 2 if name == "row" else values[name]()
        out.append(tuple(row))
    return out


def content(columns: Columns) -> dict[str, list[Any]]:
    out: dict[str, list[Any]] = {name: getattr(columns, name).tolist() for name, _ in _NUMBERS}
    for name in _NAMES:
        out[name] = [columns.names[name][code] for code in getattr(columns, name)]
    return out


@given(st.lists(st.integers(0, 40), max_size=6), st.integers(0, 2**63 - 1))
def test_packed_and_read_rows_are_equal(sizes: list[int], bits: int) -> None:
    read, packed, mixed = Columns(), Columns(), Columns()
    first = 1
    for number, size in enumerate(sizes):
        part = rows(size, first, number)
        first += size * 2
        read.add_rows(part)
        packed.add_packed(pack(part, first))
        mixed.add_packed(pack(part, first)) if bits >> number & 1 else mixed.add_rows(part)
    assert content(read) == content(packed) == content(mixed)
    assert packed_upto(pack(rows(3), 77)) == 77
    assert packed_upto(b"\x40\0\0\0" + bytes(60)) is None  # as it was packed once: read from the rows instead
    assert read.n == sum(sizes)


def test_arrays_handed_out_never_change() -> None:
    columns = Columns()
    columns.add_rows(rows(3))
    before = columns.event_time
    kept = before.copy()
    for start in range(10, 5_000, 100):
        columns.add_rows(rows(20, start, start))
    assert np.array_equal(before, kept)
    assert len(before) == 3


def test_index_and_code() -> None:
    columns = Columns()
    assert columns.index([1, 2]).tolist() == [-1, -1]
    columns.add_rows(rows(4))  # rows 1, 3, 5, 7
    assert columns.index([7, 1, 2, 0, 99]).tolist() == [3, 0, -1, -1, -1]
    assert columns.code("kind", "never seen") == -1
    with pytest.raises(AttributeError):
        columns.no_such_column  # noqa: B018


def row(number: int, *, event: int, valid: int | None = None, recorded: int = 100, session: int = 1) -> tuple[Any, ...]:
    values: dict[str, Any] = dict.fromkeys(_PLACE, 0) | {
        "row": number, "kind": "semantic", "label": "fact", "role": "", "speaker": "", "event_time": event,
        "session": session,
        "valid_from": event if valid is None else valid, "recorded_at": recorded, "trust": 1.0,
    }  # fmt: skip
    return tuple(value for _, value in sorted((place, values[name]) for name, place in _PLACE.items()))


NOW = 1_000


def seen(columns: Columns, as_of: int | None = None, known_at: int | None = None) -> list[int]:
    return columns.row[columns.visible(as_of, known_at, NOW)].tolist()  # type: ignore[no-any-return]


def test_visible_on_both_clocks() -> None:
    columns = Columns()
    columns.add_rows([
        row(1, event=10, valid=10),
        row(2, event=10, valid=500),
        row(3, event=10, recorded=900),
        row(4, event=10),  # hidden at 700
        row(5, event=10),  # ended at 300, learned at 800
        row(6, event=10, valid=2_000),  # not true yet
        row(7, event=2_000),  # said already, of a time to come
    ])  # fmt: skip
    columns.set_changed([(4, 700, None, None), (5, None, 300, 800), (99, 1, 1, 1)])
    assert seen(columns) == [1, 2, 3, 7]
    assert seen(columns, known_at=750) == [1, 2, 5, 7]
    assert seen(columns, known_at=650) == [1, 2, 4, 5, 7]
    assert seen(columns, known_at=50) == []
    assert seen(columns, as_of=200) == [1, 3, 5, 7]
    assert seen(columns, as_of=300) == [1, 3, 7]
    assert seen(columns, as_of=400, known_at=790) == [1, 5, 7]
    assert seen(columns, as_of=2_500) == [1, 2, 3, 6, 7]
    assert seen(columns, as_of=5) == []
    columns.set_changed([])
    assert seen(columns) == [1, 2, 3, 4, 5, 7]


def test_rows_added_after_a_change_are_visible() -> None:
    columns = Columns()
    columns.add_rows([row(1, event=1), row(2, event=1)])
    columns.set_changed([(1, 50, None, None)])
    columns.add_rows([row(3, event=1)])
    assert seen(columns) == [2, 3]


def test_neighbours_are_of_the_same_session() -> None:
    columns = Columns()
    columns.add_rows([row(i, event=1, session=s) for i, s in enumerate([1, 2, 1, 0, 2, 0, 1], 1)])
    before, after = columns.neighbours()
    assert before.tolist() == [-1, -1, 0, -1, 1, -1, 2]
    assert after.tolist() == [2, 4, 6, -1, -1, -1, -1]
