"""The rows of a space as numpy columns: what ranking and filters need of every row, without reading the rows.

Immutable facts of a row (length, session, time, speaker …) are kept packed in the file, 4,096 rows to a chunk, and
are derived: a missing chunk is read from the rows instead. What can change (hidden, ended) is a short list read apart.
"""

from __future__ import annotations

import copy
import json
import struct
from collections.abc import Callable, Iterable, Sequence
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
_NAMES = ("kind", "label", "role", "speaker")
#: Position of each column in a row of the query ``column_rows``.
_PLACE = {
    "row": 0, "words": 1, "session": 2, "source": 3, "kind": 4, "label": 5, "role": 6, "speaker": 7, "event_time": 8,
    "valid_from": 9, "recorded_at": 10, "trust": 11, "asks": 12,
}  # fmt: skip


def pack(rows: Sequence[tuple[Any, ...]]) -> bytes:
    """One chunk: a JSON head (count, names), then the columns one after the other, little-endian."""
    names: dict[str, list[str]] = {}
    parts: list[bytes] = []
    for column, kind in _NUMBERS:
        parts.append(np.array([row[_PLACE[column]] for row in rows], dtype=kind).tobytes())
    for column in _NAMES:
        values = [row[_PLACE[column]] for row in rows]
        known = {value: i for i, value in enumerate(dict.fromkeys(values))}
        names[column] = list(known)
        parts.append(np.array([known[value] for value in values], dtype="<i4").tobytes())
    head = json.dumps({"n": len(rows), "names": names}, ensure_ascii=False).encode()
    return struct.pack("<I", len(head)) + head + b"".join(parts)


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
        self.starts = np.flatnonzero(np.diff(self._session, prepend=-1))
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
        self.names: dict[str, list[str]] = {name: [] for name in _NAMES}
        self._codes: dict[str, dict[str, int]] = {name: {} for name in _NAMES}
        self.hidden_at = np.empty(0, dtype="<i8")
        self.valid_until = np.empty(0, dtype="<i8")
        self.closed_at = np.empty(0, dtype="<i8")
        self._any_changed = False
        self._derived: dict[str, tuple[int, Any]] = {}

    def __getattr__(self, name: str) -> NDArray[Any]:
        try:
            return self.__dict__["_buffers"][name][: self.n]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(name) from None

    def copy(self) -> Columns:
        """Columns that can grow while readers of these see no change; no values are copied."""
        new = copy.copy(self)
        new._buffers = dict(self._buffers)
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

    def _room(self, more: int) -> None:
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
        self._room(len(rows))
        span = slice(self.n, self.n + len(rows))
        columns = list(zip(*rows, strict=True))
        for name, _ in _NUMBERS:
            self._buffers[name][span] = columns[_PLACE[name]]
        for name in _NAMES:
            self._buffers[name][span] = self._recode(name, columns[_PLACE[name]])
        self.n += len(rows)

    def add_packed(self, data: bytes) -> None:
        """Append a chunk made by :func:`pack`."""
        (length,) = struct.unpack_from("<I", data)
        head = json.loads(data[4 : 4 + length])
        count, offset = int(head["n"]), 4 + length
        self._room(count)
        span = slice(self.n, self.n + count)
        for name, kind in _NUMBERS:
            values = np.frombuffer(data, dtype=kind, count=count, offset=offset)
            self._buffers[name][span] = values
            offset += values.nbytes
        for name in _NAMES:
            values = np.frombuffer(data, dtype="<i4", count=count, offset=offset)
            offset += values.nbytes
            table = np.array(self._recode(name, head["names"][name]) or [0], dtype="<i4")
            self._buffers[name][span] = table[values]
        self.n += count

    def set_changed(self, rows: Sequence[tuple[int, int | None, int | None, int | None]]) -> None:
        """Take in which rows are hidden or ended: (row, hidden_at, valid_until, closed_at)."""
        self._any_changed = bool(rows)
        if not rows:
            return
        self.hidden_at = np.full(self.n, NEVER, dtype="<i8")
        self.valid_until = np.full(self.n, NEVER, dtype="<i8")
        self.closed_at = np.full(self.n, NEVER, dtype="<i8")
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

    def visible(self, as_of: int | None, known_at: int | None, now: int) -> NDArray[np.bool_]:
        """Which rows a reader may see at a world time and a system time (both now by default)."""
        known = now if known_at is None else known_at
        world = now if as_of is None else as_of
        mask = np.ones(self.n, dtype=bool)
        if known_at is not None:
            mask &= self.recorded_at <= known
        # Where nobody named a beginning, valid_from is the event's time: what was said of the future is known now.
        mask &= (self.valid_from <= world) | ((self.valid_from == self.event_time) & (self.recorded_at <= world))
        if self._any_changed:
            grown = self.n - len(self.hidden_at)
            hidden, until, closed = (
                np.pad(a, (0, grown), constant_values=NEVER) if grown else a
                for a in (self.hidden_at, self.valid_until, self.closed_at)
            )
            mask &= hidden > known
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
        voice = self.speaker.astype(np.int64) * (len(self.names["role"]) + 1) + self.role
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
