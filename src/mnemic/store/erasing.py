"""Erase many rows in short transactions, so that others write and read in between, and finish what was cut off.

A hundred rows or fewer are one transaction. More are noted as a job first, then their packed vectors are taken out
chunk by chunk, then the rows in transactions of about 50 ms; their words leave the keyword index at the end, when it is
merged step by step (a hundred times quicker than removing each word of each row from it). Each transaction takes what
stood on its rows with it and mends the rest (:mod:`.erase_dependents`), so that a killed erasure leaves nothing half done.

The proof: distinctive strings of the erased texts are looked for in every byte of the files, in one pass.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import numpy as np
from numpy.typing import NDArray

from ..errors import ColdMissing, MissingExtra, StoreError
from ..text.analyse import terms
from . import entities, freezing
from .cold import side_path
from .connect import open_connection
from .erase_dependents import Aftermath, forget_names, mend_surfaces, reach, texts_of
from .facts import F
from .queries import load
from .rows import first_row, last_row
from .tx import Q, SpaceRow, Tx, hash_of
from .vectors import has_rows

if TYPE_CHECKING:
    from .sqlite import SqliteStore

X = load("erasing.sql")

SHORTEST = 9  # bytes of a string that can be searched: eight from an even place on, wherever it begins
LONGEST = 40  # bytes of the longest string
WORDS_OF_TEXT = 4  # words of one text
STRINGS = 50_000  # strings of one erasure
BLOCK = 1 << 18
_WORD = re.compile(r"[^\W_]{3,}")
_BITS = 20
_FACTOR, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


class Traces:
    """Collects what is to be searched, while the texts are still there."""

    def __init__(self) -> None:
        self.words: dict[str, None] = {}
        self.runs: dict[str, None] = {}

    def add(self, texts: Iterable[str]) -> None:
        """The longest words of each text, and a run of it that begins with the longest."""
        for text in texts:
            if len(self.words) + len(self.runs) >= STRINGS:
                return
            words = sorted(dict.fromkeys(_WORD.findall(text[:100_000])), key=lambda w: (-len(w.encode()), w))
            long = [word for word in words[:WORDS_OF_TEXT] if SHORTEST <= len(word.encode()) <= LONGEST]
            self.words.update(dict.fromkeys(long))
            start = text.find(words[0]) if words else 0
            for run in (_cut(text[start:]), _cut(text)):
                if len(run.encode("utf-8", "replace")) >= SHORTEST:
                    self.runs[run] = None
                    break

    def distinctive(self, connection: Any) -> list[str]:
        """What nothing that remains in the file is known to hold: words out of use, and the runs."""
        stems = {word: terms(word) for word in self.words}
        asked = json.dumps(sorted({stem for found in stems.values() for stem in found}), ensure_ascii=False)
        left = {stem for (stem,) in connection.execute(X.terms_left, (asked,))}
        own = "\n".join(text for (text,) in connection.execute(X.own_words))  # names of columns, of what was done
        words = [word for word, found in stems.items() if not left.issuperset(found) and word not in own]
        return words + list(self.runs)


def _cut(text: str) -> str:
    """The beginning of a text, as much as a string may hold."""
    return text[:LONGEST].encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore")


def search(path: str, strings: Collection[str]) -> tuple[int, list[str]]:
    """Look for strings in a database file, its log, the index of its log and its side file.

    Returns:
        How many bytes were read, and the strings that were found.
    """
    wanted = [string.encode("utf-8", "replace") for string in strings]
    named = dict(zip(wanted, strings, strict=True))
    scanned, found = 0, set()
    index = _Index(wanted)
    for block, fresh in _blocks(path):
        scanned += fresh
        found |= index.found(block)
    return scanned, sorted(named[raw] for raw in found)


class _Index:
    """Strings by their first eight bytes or, where they have so many, sixteen: half of a common word is common."""

    def __init__(self, wanted: Collection[bytes]) -> None:
        self.wanted = frozenset(wanted)
        self.lengths: dict[int, set[tuple[int, int]]] = {}  # key → (shift, length) of strings
        keys: dict[bool, list[int]] = {False: [], True: []}
        first: set[int] = set()
        for raw in self.wanted:
            for shift in (0, 1):
                eight, long = int.from_bytes(raw[shift : shift + 8], "little"), len(raw) > 16
                key = _mixed(eight, int.from_bytes(raw[shift + 8 : shift + 16], "little")) if long else eight
                first.add(eight)
                keys[long].append(key)
                self.lengths.setdefault(key, set()).add((shift, len(raw)))
        self.short, self.long = (np.array(sorted(set(keys[long])), dtype=np.uint64) for long in (False, True))
        self.table = np.zeros(1 << _BITS, dtype=bool)
        self.table[_slot(np.array(sorted(first), dtype=np.uint64))] = True

    def found(self, block: bytes) -> set[bytes]:
        """Those of the strings that a block holds whole."""
        out: set[bytes] = set()
        for offset in (0, 2, 4, 6):
            count = (len(block) - offset) // 8
            if count <= 0 or not self.wanted:
                break
            eights = np.frombuffer(block, dtype="<u8", count=count, offset=offset)
            near = np.flatnonzero(self.table[_slot(eights)])
            pairs = near[near + 1 < count]
            for places, keys, known in (
                (near, eights[near], self.short),
                (pairs, eights[pairs] * _FACTOR ^ eights[pairs + 1] * _SECOND, self.long),
            ):
                hit = _among(keys, known)
                for place, key in zip(places[hit].tolist(), keys[hit].tolist(), strict=True):
                    at = offset + place * 8
                    out |= {block[at - shift : at - shift + size] for shift, size in self.lengths[key] if at >= shift}
        return out & self.wanted


def _mixed(eight: int, next_: int) -> int:
    return (eight * int(_FACTOR) ^ next_ * int(_SECOND)) & 0xFFFFFFFFFFFFFFFF


def _among(keys: NDArray[np.uint64], known: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which keys are among sorted ones."""
    if not len(known):
        return np.zeros(len(keys), dtype=bool)
    found: NDArray[np.bool_] = known[np.minimum(np.searchsorted(known, keys), len(known) - 1)] == keys
    return found


def _slot(eights: NDArray[np.uint64]) -> NDArray[np.intp]:
    return ((eights * _FACTOR) >> np.uint64(64 - _BITS)).astype(np.intp)


# -- reading the files -------------------------------------------------------------------------------------------------

#: Indexes of logs held open, by device and number. On POSIX, closing any handle of a file drops the locks that this
#: process holds on it, SQLite's too; so a handle of an index is kept until the file is gone.
_held: dict[tuple[int, int], int] = {}
_lock = threading.Lock()


def _blocks(path: str) -> Iterator[tuple[bytes, int]]:
    """Blocks of all files that overlap by a string's length, each with the number of its new bytes."""
    yield from _overlapping(_of_database(path))
    for name in (f"{path}-wal", f"{path}-journal"):  # no locks are ever held on these
        if os.path.exists(name):
            yield from _overlapping(_of_file(name))
    yield from _overlapping(_of_index(f"{path}-shm"))
    side = side_path(path)
    if os.path.exists(side):
        yield from _overlapping(_of_database(side))
    if os.path.exists(f"{side}-journal"):
        yield from _overlapping(_of_file(f"{side}-journal"))


def _overlapping(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    rest = b""
    for block in blocks:
        whole = rest + block
        yield whole, len(block)
        rest = whole[-LONGEST:]


def _of_database(path: str) -> Iterator[bytes]:
    """The main file, read through SQLite's own layer, which closes it only when that drops no lock."""
    flags = [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0]
    file = apsw.VFSFile("", str(Path(path).resolve()), flags)
    try:
        size, at = file.xFileSize(), 0
        while at < size:
            block = file.xRead(min(BLOCK, size - at), at)
            yield block
            at += len(block) or size
    finally:
        file.xClose()


def _of_file(name: str) -> Iterator[bytes]:
    with open(name, "rb") as file:
        while block := file.read(BLOCK):
            yield block


def _of_index(name: str) -> Iterator[bytes]:
    with _lock:
        for key, handle in list(_held.items()):
            if os.fstat(handle).st_nlink == 0:
                os.close(_held.pop(key))
        try:
            about = os.stat(name)
        except FileNotFoundError:
            return
        key = (about.st_dev, about.st_ino)
        if key not in _held:
            _held[key] = os.open(name, os.O_RDONLY)
        handle = _held[key]
        os.lseek(handle, 0, os.SEEK_SET)
        content = b"".join(iter(lambda: os.read(handle, BLOCK), b""))
    yield content


log = logging.getLogger("mnemic.store")

AT_ONCE = 100
SECONDS = 0.05
STALE = 60_000_000  # µs without progress after which an erasure counts as cut off
WORDS = 500
LEAST, MOST = 10, 1_000  # rows of one transaction of a large erasure


@dataclass(slots=True)
class _Work:
    """One erasure: what it is about, what it has removed, and what must not be found afterwards."""

    store: SqliteStore
    space: str
    asked: frozenset[int]
    actor: str
    totals: Counter[str] = field(default_factory=Counter)
    traces: Traces = field(default_factory=Traces)
    terms: set[str] = field(default_factory=set)  # of the erased texts
    named: dict[int, set[str]] = field(default_factory=dict)  # entity → runs of terms that spoke of it

    # -- in a transaction -----------------------------------------------------------------------------------------

    def part(self, tx: Tx, rows: Iterable[int], *, bulk: bool) -> None:
        """Remove some of the rows and what was made from them, and mend the rest."""
        space = tx.space(self.space)
        bounds = first_row(space.no), last_row(space.no)
        gone = sorted(row for row in reach(tx.connection, rows) if bounds[0] <= row <= bounds[1])
        self._note(tx, gone)
        freezing.note_erased(tx, self.store.path, gone)
        aftermath = Aftermath(tx, space, frozenset(gone), self.asked)
        aftermath.before()
        self.totals.update(tx.erase(self.space, gone, bulk=bulk, derived=frozenset(gone) - self.asked))
        aftermath.space = tx.space(self.space)
        aftermath.after()
        self.totals.update(aftermath.counts)

    def _note(self, tx: Tx, gone: Sequence[int]) -> None:
        """Keep in memory, for the time of the erasure, what has to be looked for."""
        self.traces.add(texts_of(tx.connection, gone))
        part = json.dumps(gone)
        runs = dict(tx.connection.execute(Q.texts_in, (part, True)).fetchall())
        for run in runs.values():
            self.terms.update(run.split())
        for row, entity in tx.connection.execute(F.mentions_of, (part,)).fetchall():
            self.named.setdefault(entity, set()).add(runs.get(row, ""))

    def finish(self, tx: Tx, job: str | None = None) -> None:
        """Names, reasons and results that quoted the erased; and the entry that says what was done, without content."""
        space = tx.space(self.space)
        runs = {run for entity in self.named for run in self.named[entity]}
        self.totals["names"] += forget_names(tx, space, list(self.named), runs)
        tx.connection.execute(X.delete_lone_entities, (space.no,))
        self.totals["entities"] += tx.connection.changes()
        self.totals["changes"] += entities.scrub(tx, self.space)
        self._jobs(tx)
        if self.totals["nodes"]:
            counts = {name: count for name, count in sorted(self.totals.items()) if count}
            tx.log(space, self.actor, "erase", None, None, counts, None)
        if job is not None:
            tx.connection.execute(Q.drop_job, (job,))
        tx.changed(space, [])

    def _jobs(self, tx: Tx) -> None:
        """Jobs that quote the erased: those that are done keep their state, the others go."""
        words = None
        for id_, state, *parts in tx.connection.execute(X.other_jobs).fetchall():
            if words is None:
                words = self.traces.distinctive(tx.connection)
            if any(word in text for text in parts if text for word in words):
                tx.connection.execute(X.blank_job if state == "done" else Q.drop_job, (id_,))
                self.totals["jobs"] += 1

    def surfaces(self, tx: Tx, space: SpaceRow, terms: Collection[str]) -> None:
        """Forms of words that only the erased texts had."""
        self.totals["words"] += mend_surfaces(tx, space, terms, (first_row(space.no), last_row(space.no)))

    # -- in many ----------------------------------------------------------------------------------------------------

    def small(self) -> None:
        """All at once."""

        def write(tx: Tx) -> None:
            self.part(tx, self.asked, bulk=False)
            self.surfaces(tx, tx.space(self.space), self.terms)
            self.finish(tx)

        self.store.run(write)

    def large(self, job: str) -> None:
        """Step by step, each step noted under the job."""
        todo = sorted(self.asked)
        self.totals["vectors"] += _erase_vectors(self.store, self.space, todo)
        start, size = 0, AT_ONCE
        while start < len(todo):
            rows = todo[start : start + size]
            start += size
            took = self.store.run(lambda tx, rows=rows: self._step(tx, rows, job))  # type: ignore[misc]
            size = max(LEAST, min(MOST, int(size * min(4.0, SECONDS / max(took, 1e-4)))))
        first, more = True, True
        while more:
            more = self.store.run(lambda tx, first=first: tx.merge_search(first=first, job=job))  # type: ignore[misc]
            first = False
        self._words()
        self.store.run(lambda tx: self.finish(tx, job))

    def _step(self, tx: Tx, rows: Sequence[int], job: str) -> float:
        began = time.monotonic()
        self.part(tx, rows, bulk=True)
        tx.connection.execute(X.progress_job, (self.store.now(), json.dumps(self.totals), job))
        return time.monotonic() - began

    def _words(self) -> None:
        """Go through the vocabulary of a space and remove what no row holds any more."""
        last = 0
        while page := self.store._in(self.space, Q.words_page, last, WORDS):
            terms = [term for _, term in page]

            def write(tx: Tx, terms: Sequence[str] = terms) -> None:
                space = tx.space(self.space)
                tx.drop_words(space, terms)
                self.surfaces(tx, space, self.terms.intersection(terms))

            self.store.run(write)
            last = page[-1][0]

    def receipt(self) -> dict[str, int]:
        """Counts, and what a search of all bytes for the erased has found. The log should be empty by now."""
        with self.store.reader(fresh=True) as r:
            strings = self.traces.distinctive(r) if self.totals["nodes"] else []
            scanned, found = search(self.store.path, strings) if strings else (0, [])
            asked = json.dumps(found, ensure_ascii=False)
            rightly = {text for (text,) in r.execute(X.held_elsewhere, (asked,))} if found else set()
            if left := [string for string in found if string not in rightly]:
                with contextlib.suppress(ColdMissing, MissingExtra):  # then it holds nothing to be found either
                    rightly |= {text for (text,) in r.execute(X.held_cold, (json.dumps(left, ensure_ascii=False),))}
        left = [string for string in found if string not in rightly]
        if left:
            log.warning("erased, but %d strings of it are still in the bytes: a reader holds the log", len(left))
        return {**self.totals, "searched": len(strings), "scanned": scanned, "found": len(left)}


def erase(store: SqliteStore, space: str, rows: Iterable[int], *, actor: str = "user") -> dict[str, int]:
    """Remove rows and what was made from them, and empty the log.

    Returns:
        Counts per table, of ``facts`` that were made from the rows, of memories that lost ``evidence`` or were
        ``reopened``, of episodes ``to_read_again``; and the proof: how many strings were ``searched`` in how many bytes
        (``scanned``), and how many of them were ``found``. That is 0 unless a reader elsewhere still holds the log.
    """
    work = _Work(store, space, frozenset(rows), actor)
    if len(work.asked) <= AT_ONCE:
        work.small()
    else:
        job = f"erase:{time.time_ns()}:{id(work)}"
        payload = json.dumps({"space": space, "rows": sorted(work.asked), "actor": actor})
        store.run(lambda tx: tx.connection.execute(Q.put_job, (job, "erase", "running", payload, store.now())))
        work.large(job)
    return _proved(work)


def finish(store: SqliteStore) -> None:
    """Go on with erasures that a killed process left half done."""
    for job, payload, result in store._rows(Q.stale_jobs, "erase", store.now() - STALE):
        what = json.loads(payload)
        work = _Work(store, what["space"], frozenset(what["rows"]), what.get("actor", "user"))
        work.totals.update(json.loads(result or "{}"))
        work.large(job)
        _proved(work)
    _from_side(store)


def again(store: SqliteStore, other: Path) -> Mapping[str, int]:
    """Erase from this file what was erased from another one, by the hashes that are left there.

    For a backup that is older than an erasure: open the backup, name the file that it replaces.

    Raises:
        StoreError: the other file cannot be read.
    """
    totals: Counter[str] = Counter()
    for space in store.spaces():
        connection = open_connection(str(other), write=False)
        try:
            hashes = {bytes(found) for (found,) in connection.execute(X.tombstones, (space,))}
        finally:
            connection.close()
        rows = [row for row, id_ in store._within(space, X.ids) if hash_of(id_) in hashes] if hashes else []
        if rows:
            totals.update(erase(store, space, rows))
    return dict(totals)


def _proved(work: _Work) -> dict[str, int]:
    try:
        work.store.checkpoint()
    except StoreError as error:
        log.warning("erased, but the log could not be emptied yet: %s", error)
    _from_side(work.store)
    return work.receipt()


def _from_side(store: SqliteStore) -> None:
    try:
        freezing.finish_erased(store)
    except (StoreError, MissingExtra) as error:
        log.warning("erased, but not yet from the side file: %s", error)


def _erase_vectors(store: SqliteStore, space: str, todo: Sequence[int]) -> int:
    """Rewrite each packed chunk that holds some of the rows once, each in a transaction of its own."""
    numbers, gone, removed = np.array(todo, dtype=np.int64), set(todo), 0
    hit: list[tuple[int, int]] = []
    with store.reader() as r:
        found = store.space_no(r, space)
        if found is None:
            return 0
        for no, _, dimension in r.execute(Q.generations).fetchall():
            held = r.execute(Q.vector_chunk_rows, (no, found[0]))
            hit += [(chunk, dimension) for chunk, rows in held if has_rows(rows, numbers)]
    for chunk, dimension in hit:
        removed += store.run(lambda tx, c=chunk, d=dimension: tx.thin_chunk(c, d, gone))  # type: ignore[misc]
    return removed
