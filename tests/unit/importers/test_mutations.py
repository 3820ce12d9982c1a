"""Good exports made bad in many ways: never an exception, sound records, and the good ones stay."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from importing import EVERYTHING, FIXTURES, FORMATS, Outcome, run

from mnemic.ingest.importers import LABELS, Progress, Record, Skip

ROUNDS = 150
ODD_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 3.5, 1e308, 10**30, "", " ", "x", "\ud800", [], {}, [None], ["x"], {"text": 5}, [[[]]],
    {"type": "text", "text": "y"}, [{"type": "text"}], [{"type": []}], {"role": {}},
)  # fmt: skip


def assert_sound(found: Outcome) -> None:
    """Every item is what the contract promises."""
    for item in found.items:
        if isinstance(item, Record):
            assert item.key
            assert item.text.strip()
            assert item.session
            assert item.role in ("user", "assistant", "system", "tool")
            assert item.label in LABELS
            assert item.at is None or isinstance(item.at, int)
            for words in (item.key, item.text, item.session, item.speaker, item.project):
                assert words is None or isinstance(words, str)
                (words or "").encode()
            json.dumps(dict(item.attributes), allow_nan=False).encode()
        elif isinstance(item, Skip):
            assert item.reason
            assert item.count > 0
        else:
            assert isinstance(item, Progress)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (container, key) of everything inside ``value``."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield value, key
        yield from places(inner)


def change_values(document: Any, dice: random.Random) -> Any:
    changed = copy.deepcopy(document)
    for _ in range(dice.randint(1, 4)):
        spots = list(places(changed))
        if not spots:
            break
        container, key = dice.choice(spots)
        act = dice.randrange(4)
        if act == 0:
            container[key] = copy.deepcopy(dice.choice(ODD_VALUES))
        elif act == 1:
            del container[key]
        elif act == 2 and isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        else:
            other, place = dice.choice(spots)
            container[key] = copy.deepcopy(
                other.get(place) if isinstance(other, dict) else (other[place : place + 1] or [0])[0]
            )
    return changed


def change_bytes(data: bytes, dice: random.Random) -> bytes:
    raw = bytearray(data)
    for _ in range(dice.randint(1, 5)):
        at = dice.randrange(len(raw) + 1)
        size = dice.choice((0, 1, 1, 2, 30, 300))
        act = dice.randrange(5)
        if act == 0:
            del raw[at : at + size]
        elif act == 1:
            raw[at:at] = raw[max(0, at - size) : at]
        elif act == 2:
            raw[at:at] = bytes(dice.randrange(256) for _ in range(size % 7))
        elif act == 3:
            raw[at:at] = dice.choice(
                (b"\0", b"\n", b'"', b"{", b"}", b"[", b"]", b"\\", b"\xff", b"{" * 20_000, b"\\ud800")
            )
        elif dice.random() < 0.3:
            del raw[at:]
    return bytes(raw)


@pytest.mark.parametrize("name", FORMATS)
def test_changed_bytes(name: str) -> None:
    data = (FIXTURES / name).read_bytes()
    dice = random.Random(name)
    for _ in range(ROUNDS):
        changed = change_bytes(data, dice)
        keep = EVERYTHING if dice.random() < 0.5 else frozenset({"message", "note"})
        assert_sound(run(FORMATS[name], changed, keep=keep))
        assert_sound(run(FORMATS[name], changed, offset=dice.randrange(len(data) + 9)))


@pytest.mark.parametrize("name", [name for name in FORMATS if not name.endswith(".md")])
def test_changed_values(name: str) -> None:
    raw = (FIXTURES / name).read_text(encoding="utf-8")
    by_line = name.endswith(".jsonl")
    document = [json.loads(line) for line in raw.splitlines()] if by_line else json.loads(raw)
    write: Callable[[Any], str] = (lambda rows: "\n".join(map(json.dumps, rows)) + "\n") if by_line else json.dumps
    dice = random.Random(name)
    for _ in range(ROUNDS):
        changed = change_values(document, dice)
        found = run(FORMATS[name], write(changed), keep=EVERYTHING if dice.random() < 0.5 else frozenset({"message"}))
        assert_sound(found)


@pytest.mark.parametrize("name", [name for name in FORMATS if name.endswith(".jsonl")])
def test_the_other_lines_of_a_damaged_file_stay(name: str) -> None:
    """One line is cut, doubled or filled with rubbish: what the others say is there, each line counts."""
    rows = (FIXTURES / name).read_bytes().splitlines(keepends=True)
    dice = random.Random(name)
    for _ in range(ROUNDS):
        at = dice.randrange(len(rows))
        expected = {r.text for r in run(FORMATS[name], b"".join(rows[:at] + rows[at + 1 :])).records}
        cut = rows[at][: dice.randrange(1, len(rows[at]) - 1)] + b"\n"
        for line in (cut, rows[at] * 2, b"\0" * 99 + b"\n", b"\n", b"null\n"):
            found = run(FORMATS[name], b"".join([*rows[:at], line, *rows[at + 1 :]]))
            texts = " ".join(found.texts)
            assert all(part in texts for text in expected for part in text.split("\n\n")), (at, line[:60])
            assert len(found.records) + found.skips.total() >= len(rows) - 1


def test_counts_add_up_between_settings() -> None:
    """What is kept and what is skipped is the same sum, whatever is to be kept."""
    for name, format_ in FORMATS.items():
        sums = set()
        for keep in (frozenset({"message"}), frozenset({"message", "tool_output"}), EVERYTHING):
            found = run(format_, FIXTURES / name, keep=keep)
            sums.add(len(found.records) + found.skips.total())
        assert len(sums) == 1, name
