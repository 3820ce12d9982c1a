"""A pull reader for big JSON documents: one element in memory at a time, a broken element loses only itself.

::

    stream = JsonStream(file, limit)
    for key in stream.members():           # of the object at the cursor
        if key == "messages":
            for _ in stream.elements():    # of the array at the cursor
                use(stream.value())        # parses the value at the cursor
        else:
            header[key] = stream.value()

A value that is not consumed is passed over. :class:`BrokenValue` is raised by :meth:`JsonStream.value` for
one value that cannot be read; the cursor then stands after it (or, when brackets do not balance, on the next
element that opens with the same key as the one before it), so the caller counts it and goes on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, BinaryIO, NoReturn

from .base import Skip
from .lines import as_utf8

_CHUNK = 1 << 20
_CANDIDATES = 64
_DECODER = json.JSONDecoder(strict=False)
_SPACE = re.compile(rb"[ \t\r\n\x00]*+")
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
#: Whole tokens that are no brackets. Greedy and bounded, not possessive: up to Python 3.11.4 a possessive group goes on
#: from where its last, failed try had come to (python/cpython#106052), here from inside a string that is not whole yet.
_PLAIN = re.compile(rb'(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+"){1,500}', re.DOTALL)
_SCALAR = re.compile(rb"[^\s,\[\]{}\":]++")
_FIRST_KEY = re.compile(rb'\{\s*"([^"\\]{1,64})"\s*:')


class BrokenValue(ValueError):
    """One value cannot be read: ``reason`` is ``broken_json``, ``too_deep`` or ``too_long``."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class JsonStream:
    """A cursor over one JSON document.

    Args:
        file: the open document.
        limit: the most bytes that one value may take.
        marker: a key that every element worth having holds; used to find the next one after damage.
    """

    def __init__(self, file: BinaryIO, limit: int, marker: str = "") -> None:
        self._file, _ = as_utf8(file)
        self._limit = limit
        self._marker = f'"{marker}"'.encode() if marker else b""
        self._buffer = b""
        self._base = 0  # bytes dropped before the buffer
        self._at = 0
        self._ended = False
        self._element_key = b""
        self._floor = 0  # end of a value that could not be read: brackets before it prove nothing
        self.damaged = False
        if self.peek() == b"\xef":
            self._at += 3

    def _more(self) -> bool:
        """Read on, dropping what lies before the cursor; ``False`` at the end of the file.

        The step grows with what is held, so that a long value is not scanned again and again.
        """
        if self._ended:
            return False
        chunk = self._file.read(max(_CHUNK, len(self._buffer) - self._at))
        self._ended = not chunk
        if chunk:
            self._buffer = self._buffer[self._at :] + chunk
            self._base += self._at
            self._at = 0
        return bool(chunk)

    def peek(self) -> bytes:
        """Move to the next byte that is not white space and return it (empty at the end of the file)."""
        while True:
            found = _SPACE.match(self._buffer, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._buffer):
                return self._buffer[self._at : self._at + 1]
            if not self._more():
                return b""

    def unsound(self) -> bool:
        """Whether something was lost, or stands behind the document that was read."""
        return self.damaged or self.peek() != b""

    def members(self) -> Iterator[str]:
        """Yield the keys of the object at the cursor; the cursor then stands on the value."""
        if self.peek() != b"{":
            return
        self._at += 1
        while (byte := self.peek()) not in (b"}", b""):
            if byte == b",":
                self._at += 1
                continue
            key = self._string() if byte == b'"' else None
            if key is None or self.peek() != b":":
                self.damaged = True
                return
            self._at += 1
            self.peek()
            before = self._position()
            yield key
            if self._position() == before:
                self.skip()
        self._close(byte)

    def elements(self) -> Iterator[int]:
        """Yield the index of each element of the array at the cursor, which then stands on the element."""
        if self.peek() != b"[":
            return
        self._at += 1
        self._element_key = b""
        index = 0
        while byte := self.peek():
            if byte == b",":
                self._at += 1
                continue
            astray = self._position() < self._floor - 1
            if byte == b"]" and not astray:
                break
            if byte in (b"]", b"}", b":"):
                if not self._resync(self._floor if astray else 0):
                    if not astray:
                        self.damaged = True
                        return
                    self._at = self._floor - self._base
                continue
            key = self._element_key = self._element_key or self._first_key()
            before = self._position()
            yield index
            index += 1
            if self._position() == before:
                self.skip()
            self._element_key = key
        self._close(byte)

    def value(self) -> Any:
        """Parse the value at the cursor and move behind it."""
        end = self._end_of_value()
        raw = self._buffer[self._at : end]
        try:
            value = _DECODER.decode(raw.decode("utf-8", "replace"))
        except RecursionError:
            self._at = end
            raise BrokenValue("too_deep") from None
        except ValueError:
            self._floor = self._base + end
            if not self._resync(self._floor):  # a lost bracket may have swallowed the elements after it
                self._at = end
            raise BrokenValue("broken_json") from None
        self._at = end
        return value

    def skip(self) -> None:
        """Move behind the value at the cursor without parsing it."""
        try:
            self._at = self._end_of_value()
        except BrokenValue:
            self.damaged = True

    def _position(self) -> int:
        return self._base + self._at

    def _close(self, byte: bytes) -> None:
        if byte:
            self._at += 1
        else:
            self.damaged = True

    def _string(self) -> str | None:
        while not (found := _STRING.match(self._buffer, self._at)):
            if len(self._buffer) - self._at > self._limit or not self._more():
                return None
        self._at = found.end()
        try:
            return str(_DECODER.decode(found[0].decode("utf-8", "replace")))
        except ValueError:
            return None

    def _first_key(self) -> bytes:
        found = _FIRST_KEY.match(self._buffer, self._at)
        return found[1] if found else b""

    def _end_of_value(self) -> int:
        """Return where the value at the cursor ends; the cursor does not move unless this raises."""
        byte = self.peek()
        if byte in (b"{", b"["):
            return self._end_of_brackets()
        pattern = _STRING if byte == b'"' else _SCALAR
        while True:
            found = pattern.match(self._buffer, self._at)
            if found and (byte == b'"' or found.end() < len(self._buffer)):
                return found.end()
            if len(self._buffer) - self._at > self._limit or not self._more():
                if found:
                    return found.end()
                self._lost()

    def _end_of_brackets(self) -> int:
        depth = 0
        at = self._at
        while True:
            at, step = self._bracket(at)
            if step:
                depth += step
                if depth == 0:
                    return at
                continue
            ahead = at - self._at
            if ahead > self._limit or len(self._buffer) - self._at > 2 * self._limit:
                self._pass_over(depth, at)
                raise BrokenValue("too_long")
            if not self._more():
                self._lost()
            at = self._at + ahead

    def _pass_over(self, depth: int, at: int) -> None:
        """Move behind a value that is too long to hold, dropping bytes as they come."""
        self._at = at
        while depth:
            self._at, step = self._bracket(self._at)
            depth += step
            if step:
                continue
            if len(self._buffer) - self._at > 2 * max(self._limit, _CHUNK) or not self._more():
                self._end()  # one endless string: no way to tell where it ends
                return

    def _end(self) -> None:
        self._ended, self._at, self.damaged = True, len(self._buffer), True

    def _lost(self) -> NoReturn:
        """Brackets or quotes do not balance: stand on the next sibling that can be told, else at the end."""
        if not self._resync():
            self._end()
        raise BrokenValue("broken_json")

    def _resync(self, before: int = 0) -> bool:
        """Move to the next sound object that opens like the ones before it; ``False`` if there is none.

        ``before`` is where to stop looking (0: at the end of what has been read).
        """
        if not self._element_key:
            return False
        stop = before - self._base if before else len(self._buffer)
        opening = re.compile(rb'[,\[}]\s*(?=\{\s*"' + re.escape(self._element_key) + rb'"\s*:)')
        for found in islice(opening.finditer(self._buffer, self._at + 1, stop), _CANDIDATES):
            end = self._balanced(found.end())
            if 0 < end <= stop and self._marker in self._buffer[found.end() : end]:
                self.damaged = True
                self._at = found.end()
                return True
        return False

    def _balanced(self, at: int) -> int:
        depth = 0
        while True:
            at, step = self._bracket(at)
            depth += step
            if not step:
                return 0
            if depth <= 0:
                return at

    def _bracket(self, at: int) -> tuple[int, int]:
        """Move behind the next bracket outside a string: the place, and 1 for an opening one, -1 for a closing one.

        Where none is in the buffer, the place up to which all is read, and 0.
        """
        while found := _PLAIN.match(self._buffer, at):
            at = found.end()
        sign = self._buffer[at : at + 1]
        if sign in (b"{", b"["):
            return at + 1, 1
        return (at + 1, -1) if sign in (b"}", b"]") else (at, 0)


def documents(
    file: BinaryIO, limit: int, marker: str, wrappers: tuple[str, ...]
) -> Iterator[tuple[str, dict[str, Any] | Skip]]:
    """Yield the objects of an export: a list of them, an object that holds such a list, or one object alone.

    Each comes with its place; what cannot be read comes as a :class:`Skip`.

    Args:
        file: the open document.
        limit: the most bytes that one object may take.
        marker: a key that every object worth having holds.
        wrappers: keys under which the list stands when the document is an object.
    """
    stream = JsonStream(file, limit, marker)
    while (byte := stream.peek()) in (b"{", b"[") and not stream.damaged:  # several documents may follow each other
        if byte == b"[":
            yield from _objects(stream)
            continue
        alone: dict[str, Any] = {}
        for key in stream.members():
            if key in wrappers and stream.peek() == b"[":
                yield from _objects(stream)
            else:
                try:
                    alone[key] = stream.value()
                except BrokenValue as problem:
                    yield key, Skip(problem.reason, key)
        if marker in alone:
            yield "document", alone
    if stream.unsound():
        yield "end", Skip("damaged_file", "")


def _objects(stream: JsonStream) -> Iterator[tuple[str, dict[str, Any] | Skip]]:
    for index in stream.elements():
        where = f"element {index}"
        try:
            value = stream.value()
        except BrokenValue as problem:
            yield where, Skip(problem.reason, where)
        else:
            yield where, value if isinstance(value, dict) else Skip("not_an_object", where)
