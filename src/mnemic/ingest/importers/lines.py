r"""Lines of a binary file and the JSON in them: ``\n`` only, bounded memory, tolerant.

Only ``\n`` ends a line (never ``str.splitlines``: messages hold U+2028, U+0085, ``\r``). A line longer than a
megabyte is read in pieces and long base64 runs are cut out of it on the way, so that a 30 MB line with a
screenshot costs a few megabytes. Lines that are still too long are passed over, not held.
"""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO, NamedTuple, cast

from .base import Progress, ReadOptions, Skip
from .records import Item

_PIECE = 1 << 20
_WORD = rb"A-Za-z0-9+/=_\-"
#: A base64 run. The look-behind makes the search linear: a run is tried once, not from each of its bytes.
_BASE64 = re.compile(rb"(?<![" + _WORD + rb"])[" + _WORD + rb"]{2048,}+")
_DECODER = json.JSONDecoder(strict=False)  # raw control characters inside strings are real
_SPACE = re.compile(r"[\s\x00\ufeff]*")
_FIRST_KEY = re.compile(r'\s*(\{\s*"[^"\\]{1,64}"\s*:)')
_RETRIES = 8


class Line(NamedTuple):
    """One line.

    Attributes:
        number: counted from 1 at the place where reading began.
        start: byte offset of its first byte.
        end: byte offset after its newline.
        data: its bytes without the newline, base64 payloads cut out; empty when ``problem`` is set.
        complete: whether a newline ended it (the last line of a growing file may lack one).
        problem: ``"line_too_long"`` or ``None``.
    """

    number: int
    start: int
    end: int
    data: bytes
    complete: bool
    problem: str | None = None


def lines(file: BinaryIO, *, start: int = 0, limit: int = 32 * _PIECE) -> Iterator[Line]:
    """Yield the lines of ``file`` from the byte ``start`` on; none is held longer than ``limit``."""
    file.seek(start)
    number = 0
    offset = start
    pending = _Pending(limit)
    while chunk := file.read(_PIECE):
        head, *rest = chunk.split(b"\n")
        pending.add(head)
        for data in rest:
            number += 1
            end = offset + pending.size + 1
            yield Line(number, offset, end, pending.take(bom=offset == 0), True, pending.problem)
            offset = end
            pending = _Pending(limit)
            pending.add(data)
    if pending.size:
        end = offset + pending.size
        yield Line(number + 1, offset, end, pending.take(bom=offset == 0), False, pending.problem)


class _Pending:
    """A line whose end has not been seen: long ones lose their base64 and, once over the limit, all bytes."""

    __slots__ = ("_held", "_limit", "_parts", "size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._held = 0
        self.size = 0

    def add(self, piece: bytes) -> None:
        self.size += len(piece)
        if self.size > _PIECE:
            if self._parts and self._held == self.size - len(piece):  # the first time it is long
                self._parts = [_BASE64.sub(b"", part) for part in self._parts]
            piece = _BASE64.sub(b"", piece) if self._held <= self._limit else b""
        self._held += len(piece)
        self._parts.append(piece)

    @property
    def problem(self) -> str | None:
        return "line_too_long" if self._held > self._limit else None

    def take(self, *, bom: bool) -> bytes:
        if self.problem:
            return b""
        data = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        if bom and data.startswith(codecs.BOM_UTF8):
            data = data[3:]
        return data.removesuffix(b"\r")


def parse(data: bytes) -> tuple[list[Any], str | None]:
    """Return the JSON values of a line and what was wrong with it (``None`` if nothing was).

    Two objects on one line give two values. Of a damaged line the values that can be read are returned
    together with ``"broken_json"``; nesting that is too deep is ``"too_deep"``.
    """
    text = data.decode("utf-8", "replace")
    try:
        return [_DECODER.decode(text)], None
    except RecursionError:
        return [], "too_deep"
    except ValueError:
        return _salvage(text)


def parse_line(line: Line) -> tuple[list[Any], str | None]:
    """Return what :func:`parse` says of ``line``, or why there is nothing to read in it."""
    if line.problem or not line.data.strip():
        return [], line.problem or "blank_line"
    return parse(line.data)


def is_lines(file: BinaryIO) -> bool:
    """Whether a file is JSON lines: one of its first lines is a whole object, and it is no list."""
    for line in islice(lines(file), 20):
        if line.number == 1 and line.data.lstrip()[:1] == b"[":
            return False
        if line.data[:1] == b"{" and parse(line.data)[1] is None:
            return True
    return False


def _salvage(text: str) -> tuple[list[Any], str | None]:
    values: list[Any] = []
    opening = _FIRST_KEY.match(text)
    broken = 0
    position = 0
    while broken < _RETRIES:
        position = cast("re.Match[str]", _SPACE.match(text, position)).end()
        if position >= len(text):
            break
        try:
            value, position = _DECODER.raw_decode(text, position)
            values.append(value)
        except (ValueError, RecursionError):
            broken += 1
            position = text.find(opening[1], position + 1) if opening else -1
            if position < 0:
                break
    return values, "broken_json" if broken or not values else None


class _Transcoded(io.RawIOBase):
    """A UTF-16 file seen as UTF-8."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-16")("replace")
        self._ready = b""
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if offset != 0 or whence != io.SEEK_SET:
            raise OSError("a transcoded file can only be rewound")
        self._file.seek(0)
        self._decoder.reset()
        self._ready = b""
        return 0

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            raw = self._file.read(1 << 16)
            self._ready = self._decoder.decode(raw, not raw).encode("utf-8", "replace")
            if not raw:
                break
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size


def as_utf8(file: BinaryIO) -> tuple[BinaryIO, bool]:
    """Return ``file`` readable as UTF-8, and whether its byte offsets are those of the file itself."""
    file.seek(0)
    head = file.read(2)
    file.seek(0)
    if head in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return cast(BinaryIO, io.BufferedReader(_Transcoded(file))), False
    return file, True


def text_of(file: BinaryIO) -> str:
    r"""Return the whole text of a small text file, ``\r\n`` as ``\n``, byte order mark dropped."""
    readable, _ = as_utf8(file)
    return readable.read().decode("utf-8-sig", "replace").replace("\r\n", "\n").lstrip("\ufeff")


def line_start(file: BinaryIO, offset: int) -> int:
    """Return the offset of the first line that begins at or after ``offset``."""
    if offset <= 0:
        return 0
    file.seek(min(offset - 1, file.seek(0, 2)))
    while (piece := file.readline(_PIECE)) and not piece.endswith(b"\n"):
        pass
    return file.tell()


# Rows of files that grow at their end: read on from a place, and known again where they have no ids.

_STEP = 500
#: What a row gives: the row, where it stands (for people), and a mark of its place (for keys).
ReadRow = Callable[[Mapping[str, Any], str, str], Iterable[Item]]


def read_rows(
    file: BinaryIO,
    options: ReadOptions,
    read: ReadRow,
    *,
    offset: int,
    exact: bool,
    start: int = 0,
    needless: Callable[[bytes], bool] = lambda data: False,
) -> Iterator[Item]:
    """Yield what ``read`` makes of each JSON row from ``offset`` on, and how far the file has been read.

    Args:
        offset: where the last import stopped.
        exact: byte offsets are those of the file (it is not transcoded).
        start: where to begin; the rows before ``offset`` are read for what hangs on them, and give nothing.
        needless: says of a row before ``offset`` that nothing hangs on it.
    """
    end = offset
    for line in lines(file, start=start, limit=options.max_line):
        if line.start < offset and needless(line.data):
            continue
        where = f"line {line.number}" if not offset else f"byte {line.start}"
        values, problem = parse_line(line)
        taken = line.complete or (not problem and all(isinstance(value, dict) for value in values))
        found: list[Item] = []
        for number, value in enumerate(values if taken else ()):
            mark = f"@{line.start}" + (f"+{number}" if number else "")
            found += read(value, where, mark) if isinstance(value, dict) else [Skip("not_an_object", where)]
        if problem:
            found.append(Skip(problem if taken else "incomplete_line", where))
        if line.start < offset:
            continue
        yield from found
        end = line.end if taken and line.complete else end  # a row may yet be written onto the last line
        if exact and line.number % _STEP == 0:
            yield Progress(end)
    if exact:
        yield Progress(end)


class Repeats:
    """Names for rows without ids: what they say, and for the how-manieth time in their conversation.

    Times are no part of it: a copy of a conversation may be dated anew.
    """

    def __init__(self) -> None:
        self._times: dict[str, tuple[int, object]] = {}

    def name(self, said: str, moment: object) -> str:
        """Return ``said`` (a hash), numbered from the second time on; at the same ``moment`` it is the same row."""
        times, last = self._times.get(said, (0, None))
        times += not times or moment != last
        self._times[said] = times, moment
        return said if times == 1 else f"{said}~{times}"
