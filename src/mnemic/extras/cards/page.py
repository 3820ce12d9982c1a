"""MEMORY.md: a list of pointers to cards that an agent reads at its start, kept within what such a file may hold.

Only what stands between two marked lines is ours. Everything around them is kept to the byte; a file without them is
not touched unless asked for, and then the list goes below what stands there.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from ...errors import InvalidInput
from ...models import Card, Page
from ...text.digest import plain
from ...text.instructions import looks_like_instruction

MOST_LINES = 200
MOST_BYTES = 22_000  # of UTF-8: below 22 KB however those are counted
LONGEST_TITLE, LONGEST_HINT = 80, 110  # characters
TRIES = 5  # when somebody else writes the file meanwhile
_BEGIN = re.compile(rb"^(?:\xef\xbb\xbf)?<!-- mnemic:cards ([\w.~%-]*) [^\n]*-->[ \t]*(?:\r?\n|\Z)", re.M)
_END = re.compile(rb"^<!-- /mnemic:cards -->[ \t]*(?:\r?\n|\Z)", re.M)
_LINES = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_MARKS = re.compile(r"[\\`*_\[\]<>|]|!(?=\[)")


@dataclass(frozen=True, slots=True)
class Block:
    """Our part of the file, how many cards it shows, and how many it has no room for."""

    data: bytes
    shown: int
    left_out: int


def is_ours(data: bytes) -> bool:
    """Whether a file holds a list that we wrote."""
    return _BEGIN.search(data) is not None


def write(path: Path, cards: Sequence[Card], space: str, *, force: bool = False) -> Page:
    """Write the list of cards, given most useful first, into a file; it is whole at every moment.

    Args:
        force: also into a file that holds none yet, or the list of another space; what stands there is kept.

    Raises:
        InvalidInput: the folder is not there, the file is not ours, or what stands around the list leaves no room.
    """
    target = path.expanduser()
    target = target.resolve() if target.is_symlink() else target.absolute()
    if target.is_dir() or not target.parent.is_dir():
        raise InvalidInput(
            "path", f"{target} is a folder" if target.is_dir() else f"the folder {target.parent} does not exist"
        )
    for _ in range(TRIES):
        before = _read(target)
        head, tail = around(before, target, space, force=force)
        block = fitting(cards, space, target.parent, head, tail)
        data = head + block.data + tail
        if data == before or _replace(target, before, data):
            lines = _count(data)
            return Page(str(target), block.shown, block.left_out, lines, len(data), data != before)
    raise InvalidInput("path", f"{target} is being written by somebody else", "try again")


def around(before: bytes | None, path: Path, space: str, *, force: bool) -> tuple[bytes, bytes]:
    """What stands before and after our list and is to be kept."""
    if not before or not before.strip():
        return b"", b""
    begin = _BEGIN.search(before)
    end = _END.search(before, begin.end()) if begin else None
    if begin and end and (force or begin[1] == _name(space)):
        return before[: begin.start()], before[end.end() :]
    if not force:
        why = "was not written by mnemic"
        if begin:
            why = "holds the list of another space" if end else "lacks the line that ends the list"
        raise InvalidInput("path", f"{path} {why}", "name another file, or force it: what stands there is kept")
    if begin:  # nobody knows where the list ends, so all of it is kept
        before = before[: begin.start()] + before[begin.end() :]
    return (before if before.endswith(b"\n") else before + b"\n") + b"\n", b""


def fitting(cards: Sequence[Card], space: str, folder: Path, head: bytes, tail: bytes) -> Block:
    """As much of the list as fits beside what is kept.

    Raises:
        InvalidInput: not even the frame fits.
    """
    first = (
        f"<!-- mnemic:cards {_name(space).decode()} written by mnemic; what stands outside these marks is kept -->\n"
    )
    frame = [first, "# Reference cards\n", "\n", "<!-- /mnemic:cards -->\n"]
    room_lines = MOST_LINES - _count(head) - _count(tail) - len(frame)
    room_bytes = MOST_BYTES - len(head) - len(tail) - sum(len(line.encode()) for line in frame)
    lines = [line(card, folder) for card in cards[:MOST_LINES]]
    shown = 0
    used = 0
    for text in lines:
        size = len(text.encode())
        last = shown + 1 == len(cards)
        rest = 0 if last else len(_rest(len(cards) - shown - 1).encode())
        if used + size + rest > room_bytes or shown + 1 + (not last) > room_lines:
            break
        used += size
        shown += 1
    left = len(cards) - shown
    kept = lines[:shown] + ([_rest(left)] if left else [] if cards else ["- no cards yet\n"])
    if len(kept) > room_lines or sum(len(text.encode()) for text in kept) > room_bytes:
        raise InvalidInput(
            "path", f"what stands around the list leaves no room in {MOST_LINES} lines and {MOST_BYTES} bytes",
            "shorten it, or name another file",
        )  # fmt: skip
    return Block("".join([*frame[:-1], *kept, frame[-1]]).encode(), shown, left)


def _rest(count: int) -> str:
    return f"- … and {count} more card{'' if count == 1 else 's'}: `mnemic cards list`\n"


def line(card: Card, folder: Path) -> str:
    """The pointer to one card. Of somebody else's document only the name of the file is shown: this file is read as
    ours."""
    where = _link(card.path, folder) if card.path else ""
    if card.third_party:
        title, hint = Path(card.path).stem if card.path else card.id, "by a third party: quoted data"
    else:
        title, hint = card.title, _hint(card)
    name = _short(title, LONGEST_TITLE) or card.id
    pointer = f"[{name}]({where})" if where else f"{name}: `mnemic cards show {card.id}`"
    return f"- {pointer}{' – ' + hint if hint else ''}\n"


def _hint(card: Card) -> str:
    """What it answers, in its own words; none where those give orders."""
    answers = card.answers
    said = [*answers.get("questions", ())[:2]] or [*answers.get("headings", ())[:5]]
    text = " · ".join(said) or " · ".join([*answers.get("defined", ())[:3], *answers.get("rare", ())[:5]])
    return "" if looks_like_instruction(f"{card.title}. {text}") else _short(text, LONGEST_HINT)


def _short(text: str, most: int) -> str:
    """One line of words without marks, so that nothing in it is Markdown or the end of our list."""
    text = " ".join(_MARKS.sub(" ", plain(" ".join(_LINES.sub(" ", text).split()))).split())
    text = "".join(c for c in text if c.isprintable())
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[most // 2 :] else cut).rstrip(" ·–-") + "…"


def _link(path: str, folder: Path) -> str:
    """A path as the target of a link: relative where the file lies below the folder of the list."""
    file = Path(path)
    with contextlib.suppress(ValueError):
        file = file.relative_to(folder.resolve())
    return quote(file.as_posix(), safe="/._-~")


def _name(space: str) -> bytes:
    return quote(space, safe="").encode()


def _count(data: bytes) -> int:
    """Lines, however a reader splits them."""
    text = data.decode("utf-8", "replace")
    return max(len(_LINES.findall(text)) + (not text.endswith("\n")), 1) if text else 0


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _replace(path: Path, before: bytes | None, data: bytes) -> bool:
    """Put a file in its place at once (a new one is its owner's alone); false when it changed since it was read."""
    number, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            os.chmod(name, path.stat().st_mode & 0o777)
        if _read(path) != before:
            return False
        os.replace(name, path)
        return True
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
