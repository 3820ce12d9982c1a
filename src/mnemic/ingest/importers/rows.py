"""Rows of files that grow at their end: read on from a place, and known again where they have no ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from .base import Progress, ReadOptions, Skip
from .lines import lines, parse_line
from .records import Item

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
