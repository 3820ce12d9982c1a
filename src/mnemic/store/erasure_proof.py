"""Proof of an erasure: distinctive strings of the erased texts are looked for in every byte of the files.

One pass, whatever the number of strings. Of two eights of bytes that begin one after the other, one begins on an even
place of the file, so that a block is four rows of 64-bit numbers, each looked up in a table.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from ..text.analyse import terms
from .cold import side_path
from .queries import load

X = load("erasing.sql")

LEAST = 9  # bytes of a string that can be searched: eight from an even place on, wherever it begins
RUN = 40  # bytes of the longest string
WORDS = 4  # words of one text
MOST = 50_000  # strings of one erasure
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
            if len(self.words) + len(self.runs) >= MOST:
                return
            words = sorted(dict.fromkeys(_WORD.findall(text[:100_000])), key=lambda w: (-len(w.encode()), w))
            long = [word for word in words[:WORDS] if LEAST <= len(word.encode()) <= RUN]
            self.words.update(dict.fromkeys(long))
            start = text.find(words[0]) if words else 0
            for run in (_cut(text[start:]), _cut(text)):
                if len(run.encode("utf-8", "replace")) >= LEAST:
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
    return text[:RUN].encode("utf-8", "replace")[:RUN].decode("utf-8", "ignore")


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
        rest = whole[-RUN:]


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
