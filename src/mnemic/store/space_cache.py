"""What one process holds in memory of each space: columns, postings, vectors, vocabulary; they follow the file.

Every question asks first whether anything was committed since its connection last looked (SQLite counts that by
itself); only then is read what is new, and always from the snapshot of that connection.
"""

from __future__ import annotations

import copy
import json
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from ..text.analyse import is_unspaced
from .columns import Columns, packed_upto
from .queries import load
from .rows import SPACE_ROWS, SPACE_SHIFT, first_row, last_row
from .tx import CHUNK_SHIFT
from .vectors import VectorIndex
from .words import WordIndex

Q = load("queries.sql")
POSTINGS_KEPT = 2_048  # terms whose postings stay in memory, per space


class _Space:
    """What is held of one space."""

    def __init__(self, no: int) -> None:
        self.no = no
        self.lock = threading.RLock()
        self.columns = Columns()
        self.epoch = -1
        self.change = -1  # the newest entry of the log that the columns know of
        self.seen = first_row(no)
        self.postings: OrderedDict[str, tuple[int, NDArray[np.int64]]] = OrderedDict()
        self.vectors: dict[str, tuple[int, VectorIndex]] = {}
        self.words: dict[str, WordIndex] = {}
        #: Connection → what it looked at → the version of the file that it saw then.
        self.looked: weakref.WeakKeyDictionary[apsw.Connection, dict[Hashable, int]] = weakref.WeakKeyDictionary()

    def is_current(self, r: apsw.Connection, what: Hashable, version: int) -> bool:
        """Whether nothing was committed since this connection looked at this: what is held is as new, or newer."""
        return self.looked.get(r, {}).get(what) == version

    def looked_at(self, r: apsw.Connection, what: Hashable, version: int) -> None:
        """What is held is brought up to the snapshot of a connection."""
        self.looked.setdefault(r, {})[what] = version


class SpaceCache:
    """All spaces of a file.

    Args:
        reader: opens a snapshot. find: (no, seq, epoch) of a space by name, ``None`` where nothing was ever written to
            it.
    """

    def __init__(
        self,
        reader: Callable[[], AbstractContextManager[Any]],
        find: Callable[[apsw.Connection, str], tuple[int, int, int] | None],
    ) -> None:
        self._reader, self._find = reader, find
        self._lock = threading.Lock()
        self._spaces: dict[str, _Space] = {}

    def clear(self) -> None:
        """Let go of everything; it is read again when it is asked for."""
        with self._lock:
            self._spaces.clear()

    def _space(self, name: str, no: int) -> _Space:
        with self._lock:
            space = self._spaces.get(name)
            if space is None or space.no != no:
                space = self._spaces[name] = _Space(no)
            return space

    def columns(self, name: str) -> Columns:
        """Columns of a space, brought up to the newest commit."""
        with self._reader() as r:
            version = r.pragma("data_version")
            known = self._spaces.get(name)
            if known is not None and known.is_current(r, "columns", version):
                return known.columns
            found = self._find(r, name)
            if found is None:
                return Columns()
            no, seq, epoch = found
            space = self._space(name, no)
            with space.lock:
                stale = epoch > space.epoch  # (a reader that began before another one may be behind what is held)
                if stale:
                    space.seen = first_row(no)
                    space.postings.clear()
                    space.vectors.clear()
                newest = first_row(no) + seq
                change = r.execute(Q.last_change).get or 0
                believed = change > space.change or stale  # hidden, ended or offered again: only that is read anew
                if newest > space.seen or believed:
                    # Others rank with the columns that are held, and are given them without waiting: filled in full
                    # first.
                    columns = Columns() if stale else space.columns.copy()
                    if newest > space.seen:
                        _read_columns(r, space, columns, newest)
                    if believed:
                        columns.set_changed(list(r.execute(Q.changed_rows, (first_row(no), last_row(no)))))
                        space.epoch, space.change = max(epoch, space.epoch), change
                    space.columns, space.seen = columns, max(newest, space.seen)
                space.looked_at(r, "columns", version)
                return space.columns

    def postings(self, name: str, terms: Sequence[str]) -> list[NDArray[np.int64]]:
        """Rows that hold each term, once per occurrence. Call :meth:`columns` first: it decides what "now" is."""
        space = self._spaces.get(name)
        if space is None:
            return [np.empty(0, dtype=np.int64) for _ in terms]
        with space.lock:
            known = {term: held[1] for term in terms if (held := space.postings.get(term)) and held[0] == space.seen}
            missing = [term for term in dict.fromkeys(terms) if term not in known]
            if missing:
                with self._reader() as r:
                    known.update(zip(missing, _postings(r, missing, space), strict=True))
            for term in dict.fromkeys(terms):
                space.postings[term] = (space.seen, known[term])
                space.postings.move_to_end(term)
            while len(space.postings) > POSTINGS_KEPT:
                space.postings.popitem(last=False)
            return [known[term] for term in terms]

    def vectors(self, name: str, model: str) -> VectorIndex | None:
        """Vectors of a space made by a model, brought up to the newest commit."""
        with self._reader() as r:
            version, what = r.pragma("data_version"), ("vectors", model)
            known = self._spaces.get(name)
            held = (
                known.vectors.get(model) if known is not None else None
            )  # (another thread may let go of it meanwhile)
            if known is not None and held is not None and known.is_current(r, what, version):
                return held[1]
            found = self._find(r, name)
            generation = r.execute(Q.generation, (model,)).fetchone()
            if found is None or generation is None:
                return None
            no, dimension = generation
            space = self._space(name, found[0])
            with space.lock:
                epoch, index = space.vectors.get(model, (-1, VectorIndex(dimension)))
                if epoch < found[2]:
                    index = VectorIndex(dimension)
                bounds = (no, first_row(found[0]), last_row(found[0]))
                state = r.execute(Q.tail_state, bounds).fetchone()
                chunks = r.execute(Q.vector_chunks, (no, found[0], index.last_chunk)).fetchall()
                if chunks or state != index.tail_state:
                    index = copy.copy(index)  # another thread may be searching the one we have
                index.reserve(sum(len(rows) for _, rows, _ in chunks) // 8)
                for number, rows, data in chunks:
                    index.add_chunk(number, rows, data)
                if state != index.tail_state:
                    tail = r.execute(Q.tail_vectors, bounds).fetchall()
                    index.set_tail([row for row, _ in tail], [data for _, data in tail], state)
                space.vectors[model] = (max(epoch, found[2]), index)
                space.looked_at(r, what, version)
                return index

    def words(self, name: str, model: str) -> WordIndex | None:
        """The vocabulary of a space with the vectors of a model; ``None`` when there is none."""
        with self._reader() as r:
            version, what = r.pragma("data_version"), ("words", model)
            known = self._spaces.get(name)
            if known is not None and known.is_current(r, what, version):
                return known.words[model]
            found = self._find(r, name)
            generation = r.execute(Q.generation, (model,)).fetchone()
            if found is None or generation is None:
                return None
            space = self._space(name, found[0])
            with space.lock:
                index = space.words.setdefault(model, WordIndex(generation[1]))
                here = (found[0], generation[0])
                if index.last:
                    new = r.execute(Q.words_after, (*here, index.last, index.last_vector)).fetchall()
                else:
                    new = r.execute(Q.words_of, here).fetchall()
                index.add(new, r.execute(Q.last_words).fetchone())
                space.looked_at(r, what, version)
                return index


def _read_columns(r: Any, space: _Space, columns: Columns, newest: int) -> None:
    start = space.seen + 1
    first = space.seen >> CHUNK_SHIFT if space.seen == first_row(space.no) else (space.seen >> CHUNK_SHIFT) + 1
    if newest >> CHUNK_SHIFT >= first:
        columns.reserve(newest - space.seen)
        for chunk, data in r.execute(Q.column_chunks, (first, newest >> CHUNK_SHIFT)):
            begin, upto = chunk << CHUNK_SHIFT, packed_upto(data)
            if upto is None:
                continue
            if begin > start:
                columns.add_rows(r.execute(Q.column_rows, (start, begin - 1)).fetchall())
            columns.add_packed(data)
            start = upto + 1
    if newest >= start:
        columns.add_rows(r.execute(Q.column_rows, (start, newest)).fetchall())


def _postings(r: Any, terms: Sequence[str], space: _Space) -> list[NDArray[np.int64]]:
    first = first_row(space.no)
    asked = json.dumps(terms, ensure_ascii=False)
    (numbers,) = r.execute(Q.postings, (asked, first, space.seen)).fetchone()
    found = np.fromstring(numbers or "", dtype=np.int64, sep=",")
    ends = np.searchsorted(found, np.arange(len(terms) + 1) << SPACE_SHIFT).tolist()
    rows = (found & (SPACE_ROWS - 1)) + first
    out = [rows[start:end] for start, end in pairwise(ends)]
    for i, term in enumerate(terms):
        if len(term) == 1 and is_unspaced(term):  # one character of a run: it begins a bigram, or is the last
            begun = r.execute(Q.postings_prefix, (term, chr(ord(term) + 1), first, space.seen))
            out[i] = np.array(sorted(row for _, row in begun), dtype=np.int64)
    return out
