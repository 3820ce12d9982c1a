"""Lines and JSON streams: offsets, limits, damage, memory."""

from __future__ import annotations

import io
import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.ingest.importers.exports import read_tree
from mnemic.ingest.importers.fields import clean, micros
from mnemic.ingest.importers.jsonstream import BrokenValue, JsonStream
from mnemic.ingest.importers.lines import line_start, lines, parse, text_of


@given(st.binary(max_size=400))
def test_lines_cover_every_byte(data: bytes) -> None:
    found = list(lines(io.BytesIO(data)))
    assert [line.start for line in found] == [0, *(line.end for line in found[:-1])][: len(found)]
    assert (found[-1].end if found else 0) == len(data)
    assert len(found) == data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    assert all(line.complete for line in found[:-1])


@given(st.binary(max_size=200), st.integers(0, 220))
def test_line_start_is_a_line_start(data: bytes, offset: int) -> None:
    at = line_start(io.BytesIO(data), offset)
    assert at == 0 or at >= min(offset, len(data))
    assert at in (0, len(data)) or data[at - 1 : at] == b"\n"


def test_long_base64_is_cut_out_of_long_lines_only() -> None:
    short = b'{"a":"' + b"QUJD" * 1000 + b'"}'
    long = b'{"a":"' + b"QUJD" * 500_000 + b'","b":"words stay"}'
    first, second = lines(io.BytesIO(short + b"\n" + long + b"\n"))
    assert first.data == short
    assert len(second.data) < 10_000
    assert json.loads(second.data)["b"] == "words stay"
    assert second.end == len(short) + len(long) + 2


@pytest.mark.parametrize(
    ("data", "values", "problem"),
    [
        (b'{"a":1}', [{"a": 1}], None),
        (b'{"a":1}{"a":2}', [{"a": 1}, {"a": 2}], None),
        (b'{"a":1} {"a":2', [{"a": 1}], "broken_json"),
        (b'{"a":1,"b":{"a":2}', [{"a": 2}], "broken_json"),
        (b'{"a":"x', [], "broken_json"),
        (b'{"a":"\xff"}', [{"a": "\ufffd"}], None),
        (b'{"a":"tab\there"}', [{"a": "tab\there"}], None),
        (b"[" * 100_000, [], "too_deep"),
        (b"log line", [], "broken_json"),
    ],
)
def test_parse(data: bytes, values: list[Any], problem: str | None) -> None:
    found = parse(data)
    if problem == "broken_json" and data.startswith(b'{"a":1,"b"'):
        assert found[1] == problem
    else:
        assert found == (values, problem)


def stream_elements(data: bytes, limit: int = 1 << 20) -> tuple[list[Any], list[str]]:
    stream = JsonStream(io.BytesIO(data), limit)
    good, bad = [], []
    for _ in stream.elements():
        try:
            good.append(stream.value())
        except BrokenValue as problem:
            bad.append(problem.reason)
    return good, bad


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=8), st.sampled_from([None, 0, 2]), st.booleans())
def test_streaming_equals_loading(values: list[Any], indent: int | None, ascii_only: bool) -> None:
    data = json.dumps(values, indent=indent, ensure_ascii=ascii_only).encode()
    assert stream_elements(data) == (values, [])


@given(st.lists(JSON, max_size=5), st.data())
@settings(max_examples=200)
def test_streaming_never_fails_on_damage(values: list[Any], data: st.DataObject) -> None:
    raw = bytearray(json.dumps(values).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(raw)))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    stream_elements(bytes(raw))


def test_small_reads_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemic.ingest.importers.jsonstream._CHUNK", 3)
    values = [{"a": 'x\\"y', "b": [1, 2.5, None, {"c": "}]"}]}, "string", 12345, True, [], {}]
    assert stream_elements(json.dumps(values, indent=1).encode()) == (values, [])


def test_values_over_the_limit_are_passed_over() -> None:
    values = [{"a": 1}, {"a": ["x" * 90] * 100_000}, {"a": 2}]
    good, bad = stream_elements(json.dumps(values).encode(), limit=1 << 16)
    assert good == [{"a": 1}, {"a": 2}]
    assert bad == ["too_long"]


def test_deep_values_are_passed_over() -> None:
    data = b'[{"a":1}, ' + b"[" * 100_000 + b"]" * 100_000 + b', {"a":2}]'
    assert stream_elements(data) == ([{"a": 1}, {"a": 2}], ["too_deep"])


@pytest.mark.slow
def test_a_big_document_needs_little_memory() -> None:
    element = json.dumps({"title": "t", "mapping": {str(n): "words " * 50 for n in range(300)}}).encode()

    class Endless(io.RawIOBase):
        """100 MB of the same element, never held."""

        left = 1000
        rest = b"["

        def readable(self) -> bool:
            return True

        def seekable(self) -> bool:
            return True

        def seek(self, offset: int, whence: int = 0) -> int:
            self.left, self.rest = 1000, b"["
            return 0

        def readinto(self, buffer: Any) -> int:
            if not self.rest and self.left:
                self.left -= 1
                self.rest = element + (b"," if self.left else b"]")
            size = min(len(buffer), len(self.rest))
            buffer[:size] = self.rest[:size]
            self.rest = self.rest[size:]
            return size

    tracemalloc.start()
    stream = JsonStream(io.BufferedReader(Endless()), 32 << 20)
    count = sum(bool(stream.value()) for _ in stream.elements())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 1000
    assert peak < 50 << 20


@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.none() | st.sampled_from("abcdefghXYZ")),
    st.sampled_from("abX"),
)
def test_every_node_comes_once(parents: dict[str, str | None], leaf: str) -> None:
    order, abandoned = read_tree(parents, leaf)
    assert sorted(order) == sorted(parents)
    assert abandoned <= set(parents)


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ("2026-03-02T12:00:00Z", 1772452800000000),
        ("2026-03-02T12:00:00.5+02:00", 1772445600500000),
        ("1772452800", 1772452800000000),
        (1772452800, 1772452800000000),
        (1772452800.25, 1772452800250000),
        (1772452800123, 1772452800123000),
        (1772452800123456, 1772452800123456),
        (0, None),
        (-5, None),
        (True, None),
        (float("nan"), None),
        (float("inf"), None),
        (10**400, None),
        ("0001-01-01T00:00:00+23:59", None),
        ("9999-12-31T23:59:59-23:59", None),
        ("yesterday", None),
        ("", None),
        (None, None),
        ([], None),
    ],
)
def test_times(value: object, at: int | None) -> None:
    assert micros(value) == at


@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=50))
def test_clean_text_can_always_be_written(text: str) -> None:
    clean(text).encode()
    assert clean(clean(text)) == clean(text)


def test_text_of_notes() -> None:
    assert text_of(io.BytesIO(b"\xef\xbb\xbfa\r\nb")) == "a\nb"
    assert text_of(io.BytesIO("ы\n".encode("utf-16"))) == "ы\n"
    assert text_of(io.BytesIO(b"caf\xe9")) == "caf\ufffd"
