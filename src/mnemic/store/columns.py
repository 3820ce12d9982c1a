"""The rows of a space as numpy columns: what ranking and filters need of every row, without reading the rows.

Immutable facts of a row (length, session, time, speaker …) are kept packed in the file, 4,096 rows to a chunk, and
are derived: a missing chunk is read from the rows instead. What can change (hidden, ended) is a short list read apart.
"""

from __future__ import annotations

import copy
import json
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

CHUNK = 4_096
NEVER = np.iinfo(np.int64).max
T = TypeVar("T")

_NUMBERS: tuple[tuple[str, str], ...] = (
    ("row", "<i8"),
    ("words", "<i4"),
    ("session", "<i4"),
    ("source", "<i4"),
    ("event_time", "<i8"),
    ("valid_from", "<i8"),
    ("recorded_at", "<i8"),
    ("trust", "<f4"),
    ("asks", "|u1"),
)
_MARK = b"col2"
_HEAD = struct.Struct("<4sqI")
_WIDTHS = {"": 0, "<u1": 2**8 - 1, "<u2": 2**16 - 1, "<u4": 2**32 - 1, "<i8": 2**63 - 1}
_NAMES = ("kind", "label", "role", "speaker")
#: Position of each column in a row of the query ``column_rows``.
_PLACE = {
    "row": 0, "words": 1, "session": 2, "source": 3, "kind": 4, "label": 5, "role": 6, "speaker": 7, "event_time": 8,
    "valid_from": 9, "recorded_at": 10, "trust": 11, "asks": 12,
}  # fmt: skip


def pack(rows: Sequence[tuple[Any, ...]], upto: int) -> bytes:
    """One chunk: a mark, up to which row it goes, a JSON head, then the columns, each as narrow as it can be.

    The head says how many rows (``n``), the names behind the codes (``names``), and of each column its number type and
    what to make of it: a value is ``base + step * number``, and just ``base`` where there is no type.
    """
    names: dict[str, list[str]] = {}
    values: dict[str, NDArray[Any]] = {}
    for column, kind in _NUMBERS:
        values[column] = _bits(np.array([row[_PLACE[column]] for row in rows], dtype=kind))
    for column in _NAMES:
        found = [row[_PLACE[column]] for row in rows]
        known = {value: i for i, value in enumerate(dict.fromkeys(found))}
        names[column] = list(known)
        values[column] = np.array([known[value] for value in found], dtype="<i4")
    columns: dict[str, tuple[str, int, int]] = {}
    parts: list[bytes] = []
    for column, plain in values.items():
        base = int(plain.min()) if rows else 0
        numbers = plain.astype(np.int64) - base
        step = int(np.gcd.reduce(numbers)) or 1
        numbers //= step
        top = int(numbers.max(initial=0))
        kind = next(kind for kind, most in _WIDTHS.items() if top <= most)
        columns[column] = (kind, base, step)
        if kind:
            parts.append(numbers.astype(kind).tobytes())
    head = json.dumps({"n": len(rows), "names": names, "columns": columns}, ensure_ascii=False).encode()
    return _HEAD.pack(_MARK, upto, len(head)) + head + b"".join(parts)


def packed_upto(data: bytes) -> int | None:
    """Up to which row a packed chunk goes, from its beginning; ``None`` where it was packed in another way."""
    mark, upto, _ = _HEAD.unpack_from(data)
    return int(upto) if mark == _MARK else None


def _bits(values: NDArray[Any]) -> NDArray[Any]:
    """Floats as the whole numbers that their bits spell."""
    return values.view("<i4") if values.dtype.kind == "f" else values


@dataclass(frozen=True, slots=True)
class _Piece:
    """One column of a packed chunk, on its way into the rows from ``start`` on."""

    start: int
    count: int
    data: bytes
    kind: str
    offset: int
    base: int
    step: int
    codes: list[int] | None  # what the codes of the chunk are here

    def write(self, column: NDArray[Any]) -> None:
        target = column[self.start : self.start + self.count]
        if self.kind:
            numbers = np.frombuffer(self.data, dtype=self.kind, count=self.count, offset=self.offset)
            kind = target.dtype  # what was packed fits it, so whatever overflows on the way comes back
            step, base = (np.array(number, dtype=np.int64).astype(kind) for number in (self.step, self.base))
            np.multiply(numbers, step, out=target, dtype=kind, casting="unsafe")
            target += base
        else:
            target[:] = self.base
        if self.codes and self.codes != list(range(len(self.codes))):
            target[:] = np.array(self.codes, dtype="<i4")[target]


class Sessions:
    """Rows in the order of their sessions: who stands beside whom is then a matter of counting.

    Attributes:
        order: place of the row at each position, ``None`` where the rows stand in this order anyway.
        position: position of the row at each place, ``None`` likewise.
        starts: first position of each session; ``numbers``: the number of each.
    """

    def __init__(self, session: NDArray[Any]) -> None:
        self.order: NDArray[np.int64] | None = None
        self.position: NDArray[np.int64] | None = None
        if np.any(session[1:] < session[:-1]):
            self.order = np.argsort(session, kind="stable")
            self.position = np.empty(len(session), dtype=np.int64)
            self.position[self.order] = np.arange(len(session))
        self._session = session if self.order is None else session[self.order]
        new = np.ones(len(session), dtype=bool)
        np.not_equal(self._session[1:], self._session[:-1], out=new[1:])
        self.starts = np.flatnonzero(new)
        self.numbers = self._session[self.starts]

    def together(self, distance: int) -> NDArray[np.bool_]:
        """Whether the rows at position i and i + distance are of one session."""
        first, second = self._session[:-distance], self._session[distance:]
        out: NDArray[np.bool_] = (first == second) & (first != 0)
        return out


class Columns:
    """Growable columns of one space. ``n`` rows are valid; arrays are views and never change once handed out.

    Whoever grows columns that others may be reading grows a :meth:`copy`, which shares what is there.
    """

    def __init__(self) -> None:
        self.n = 0
        self._buffers = {name: np.empty(0, dtype=kind) for name, kind in _NUMBERS}
        self._buffers.update({name: np.empty(0, dtype="<i4") for name in _NAMES})
        self._packed: dict[str, list[_Piece]] = {name: [] for name in self._buffers}
        self.names: dict[str, list[str]] = {name: [] for name in _NAMES}
        self._codes: dict[str, dict[str, int]] = {name: {} for name in _NAMES}
        self.hidden_at = np.empty(0, dtype="<i8")
        self.valid_until = np.empty(0, dtype="<i8")
        self.closed_at = np.empty(0, dtype="<i8")
        self._any_changed = False
        self._derived: dict[str, tuple[int, Any]] = {}

    def __getattr__(self, name: str) -> NDArray[Any]:
        try:
            if self.__dict__["_packed"][name]:
                self._unpack(name)
            return self.__dict__["_buffers"][name][: self.n]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(name) from None

    def copy(self) -> Columns:
        """Columns that can grow while readers of these see no change; no values are copied."""
        new = copy.copy(self)
        new._buffers = dict(self._buffers)
        new._packed = {name: list(pieces) for name, pieces in self._packed.items()}
        new._derived = dict(self._derived)
        return new

    def derived(self, name: str, make: Callable[[], T]) -> T:
        """What follows from the rows alone, made once for so many rows."""
        known = self._derived.get(name)
        if known is None or known[0] != self.n:
            known = self._derived[name] = (self.n, make())
        value: T = known[1]
        return value

    def code(self, column: str, value: str) -> int:
        """Code of a name in a column, or -1 when no row has it."""
        return self._codes[column].get(value, -1)

    def reserve(self, more: int) -> None:
        """Make room for so many rows more."""
        need = self.n + more
        if need > len(self._buffers["row"]):
            size = max(1_024, need * 3 // 2)
            for name, old in self._buffers.items():
                grown = np.empty(size, dtype=old.dtype)
                grown[: self.n] = old[: self.n]
                self._buffers[name] = grown

    def _recode(self, column: str, values: Iterable[str]) -> list[int]:
        codes, names = self._codes[column], self.names[column]
        out = []
        for value in values:
            code = codes.get(value)
            if code is None:
                code = codes[value] = len(names)
                names.append(value)
            out.append(code)
        return out

    def add_rows(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Append rows of the query ``column_rows``."""
        if not rows:
            return
        self.reserve(len(rows))
        span = slice(self.n, self.n + len(rows))
        columns = list(zip(*rows, strict=True))
        for name, _ in _NUMBERS:
            self._buffers[name][span] = columns[_PLACE[name]]
        for name in _NAMES:
            self._buffers[name][span] = self._recode(name, columns[_PLACE[name]])
        self.n += len(rows)

    def add_packed(self, data: bytes) -> None:
        """Append a chunk made by :func:`pack`."""
        *_, length = _HEAD.unpack_from(data)
        offset = _HEAD.size + length
        head = json.loads(data[_HEAD.size : offset])
        count = int(head["n"])
        self.reserve(count)
        for name, (kind, base, step) in head["columns"].items():
            codes = self._recode(name, head["names"][name]) if name in self.names else None
            self._packed[name].append(_Piece(self.n, count, data, kind, offset, base, step, codes))
            offset += count * np.dtype(kind).itemsize if kind else 0
        self.n += count

    def _unpack(self, name: str) -> None:
        """Bring the packed chunks of one column into its buffer: of most columns nobody ever asks."""
        target = _bits(self._buffers[name])
        for piece in self._packed[name]:
            piece.write(target)
        self._packed[name] = []

    def set_changed(self, rows: Sequence[tuple[int, int | None, int | None, int | None]]) -> None:
        """Take in which rows are hidden or ended: (row, hidden_at, valid_until, closed_at)."""
        self._any_changed = bool(rows)
        length = self.n if rows else 0
        self.hidden_at = np.full(length, NEVER, dtype="<i8")
        self.valid_until = np.full(length, NEVER, dtype="<i8")
        self.closed_at = np.full(length, NEVER, dtype="<i8")
        where = self.index([row[0] for row in rows])
        for position, (_, hidden, until, closed) in zip(where, rows, strict=True):
            if position >= 0:
                self.hidden_at[position] = NEVER if hidden is None else hidden
                self.valid_until[position] = NEVER if until is None else until
                self.closed_at[position] = NEVER if closed is None else closed

    def index(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions of row numbers; -1 for those that are not here."""
        wanted = np.asarray(rows, dtype=np.int64)
        mine = self.row
        if not len(mine):
            return np.full(len(wanted), -1, dtype=np.int64)
        if mine[-1] - mine[0] == len(mine) - 1:  # no gaps, as long as nothing was erased: no need to search
            place = wanted - mine[0]
            return np.where((place >= 0) & (place < len(mine)), place, -1)
        place = np.minimum(np.searchsorted(mine, wanted), len(mine) - 1)
        return np.where(mine[place] == wanted, place, -1)

    def visible(self, as_of: int | None, known_at: int | None, now: int, *, ended: bool = False) -> NDArray[np.bool_]:
        """Which rows a reader may see at a world time and a system time (both now by default), or those over too."""
        known = now if known_at is None else known_at
        world = now if as_of is None else as_of
        # Where nobody named a beginning, valid_from is the event's time: what was said of the future is known now.
        mask = self.valid_from <= world
        if not mask.all():
            mask |= (self.valid_from == self.event_time) & (self.recorded_at <= world)
        if known_at is not None:
            mask &= self.recorded_at <= known
        if self._any_changed:
            grown = self.n - len(self.hidden_at)
            hidden, until, closed = (
                np.pad(a, (0, grown), constant_values=NEVER) if grown else a
                for a in (self.hidden_at, self.valid_until, self.closed_at)
            )
            mask &= hidden > known
            if not ended:
                mask &= (until > world) | ((closed > known) & (closed != NEVER))
        return mask

    def sequence(self) -> Sessions:
        """The rows in the order of their sessions."""
        return self.derived("sequence", lambda: Sessions(self.session))

    def neighbours(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Places of the message before and after each one in its session, -1 at the ends."""
        return self.derived("neighbours", self._make_neighbours)

    def _make_neighbours(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        sequence = self.sequence()
        order = np.arange(self.n) if sequence.order is None else sequence.order
        same = sequence.together(1)
        before = np.full(self.n, -1, dtype=np.int64)
        after = np.full(self.n, -1, dtype=np.int64)
        before[order[1:][same]] = order[:-1][same]
        after[order[:-1][same]] = order[1:][same]
        return before, after

    def session_count(self) -> int:
        """Highest session number here; sessions are numbered from 1, 0 means "none"."""
        return self.derived("session_count", lambda: int(self.session.max(initial=0)))

    def dialogue(self) -> NDArray[np.float32]:
        """1 for rows of sessions in which at least two take part, else 0."""
        return self.derived("dialogue", self._make_dialogue)

    def _make_dialogue(self) -> NDArray[np.float32]:
        voices = len(self.names["role"]) + 1
        small = voices * len(self.names["speaker"]) < np.iinfo(np.int32).max
        voice = self.role
        if len(self.names["speaker"]) > 1:
            voice = voice + self.speaker.astype(np.int32 if small else np.int64) * voices
        sequence = self.sequence()
        many = np.zeros(self.session_count() + 1, dtype=np.float32)
        if self.n:
            ordered = voice if sequence.order is None else voice[sequence.order]
            several = np.minimum.reduceat(ordered, sequence.starts) < np.maximum.reduceat(ordered, sequence.starts)
            many[sequence.numbers] = several
        many[0] = 0
        out: NDArray[np.float32] = many[self.session]
        return out

    def session_sizes(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """By session number: how many rows, and how many words in them."""
        size = self.session_count() + 1
        return self.derived(
            "session_sizes",
            lambda: (
                np.bincount(self.session, minlength=size),
                np.bincount(self.session, weights=self.words, minlength=size),
            ),
        )
