"""The cards of one space and their files: add, look again, recognise what was moved, report what is gone, each night
too."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ...clock import Clock
from ...errors import InvalidInput, MnemicError
from ...llm.asking import Asker
from ...llm.base import LLM
from ...models import Act, CardReport
from ...phase import PhaseContext, PhaseResult
from ...store import documents, ledger
from ...store.base import Store
from ...store.documents import CardState
from ...store.tx import Tx
from ...text.analyse import clean
from .catalogue import catalogue
from .describe import asker_of, describe, is_due
from .keep import Given, Kept, keep
from .page import is_ours, write
from .read import IGNORED_FOLDERS, LONGEST_NAME, SUFFIXES, decode, document, hash_of, load

FRESH = 2_000_000  # µs: a file written so lately may be written again within the same tick, so it is read once more
LOOKED_AT = 5_000  # files among which a missing one is looked for
#: Counts of a report, in the order of :class:`mnemic.models.CardReport`.
COUNTS = ("added", "changed", "unchanged", "moved", "back", "gone")


@dataclass
class Shelf:
    """Keeps documents as cards.

    Args:
        mask_secrets: mask before the first write. llm: gives the model that writes digests, ``None`` for none.
    """

    store: Store
    space: str
    clock: Clock
    mask_secrets: bool = True
    llm: Callable[[], LLM | None] = lambda: None
    _by_hash: dict[str, list[int]] | None = None

    @cached_property
    def _asker(self) -> Asker | None:
        """The model, with one budget for all that this shelf does."""
        return asker_of(self.llm())

    # -- adding -------------------------------------------------------------------------------------------------------

    def add(
        self, path: Path, *, title: str | None, origin: str, importance: float | None, root: Path | None = None
    ) -> tuple[int, str]:
        """Keep one file; returns the row of its card and what became of it (a name of :data:`COUNTS`).

        Raises:
            InvalidInput: no file, no text, nothing in it, or all of it was erased before. OSError: it cannot be read.
        """
        path = _real(path)
        data = load(path)
        text = decode(data)
        if is_ours(data):
            raise InvalidInput("path", f"{path} is a list of cards that mnemic wrote", "add the documents themselves")
        made = document(text, mask_secrets=self.mask_secrets)
        if not made.sections:
            raise InvalidInput("path", f"{path} is empty", "give a file with text")
        state = self._state(path, data)
        if root is not None:
            state["root"] = str(root)
        state["name"] = made.name
        if title is not None:
            state["given"] = title
        known = self._card_of(str(path))
        moved = None if known else self._moved(state["hash"])
        given = Given(
            made, str(path), state, self._time(path.stat().st_mtime_ns), origin, importance, moved, shown=True
        )
        was = known and (known.attributes.get("hash"), known.hidden_at)
        kept = keep(self.store, self.space, given)
        described = describe(self.store, self.space, kept.row, self._asker)
        if self._by_hash is not None:
            self._by_hash.setdefault(state["hash"], []).append(kept.row)
        if kept.new:
            return kept.row, "added"
        if moved is not None:
            return kept.row, "moved"
        if was and was[1] is not None:
            return kept.row, "back"
        return kept.row, "changed" if kept.changed or described else "unchanged"

    def add_text(self, text: str, title: str, *, origin: str, importance: float | None) -> int:
        """Keep a text under a title; the same title again is a new version of it. Returns the row of its card."""
        made = document(clean(text).replace("\r\n", "\n").replace("\r", "\n"), mask_secrets=self.mask_secrets)
        if not made.sections:
            raise InvalidInput("text", "is empty", "give a text")
        state = {"given": title, "hash": hash_of(text.encode("utf-8", "replace"))}
        given = Given(made, f"text:{title}", state, self.clock.now(), origin, importance, shown=True)
        row = keep(self.store, self.space, given).row
        describe(self.store, self.space, row, self._asker)
        return row

    def add_folder(self, root: Path, *, origin: str, importance: float | None) -> tuple[list[int], CardReport]:
        """Keep every document below a folder; a file that cannot be kept is named with its reason."""
        counts: Counter[str] = Counter()
        errors: dict[str, str] = {}
        rows: list[int] = []
        for path in below(root):
            try:
                row, outcome = self.add(path, title=None, origin=origin, importance=importance, root=root)
            except (InvalidInput, OSError) as error:
                errors[str(path)] = reason(error)
                continue
            rows.append(row)
            counts[outcome] += 1
        return rows, CardReport(**{name: counts[name] for name in COUNTS}, errors=errors)

    def _state(self, path: Path, data: bytes) -> dict[str, Any]:
        stat = path.stat()
        fresh = abs(self.clock.now() - stat.st_mtime_ns // 1000) < FRESH
        mtime = -1 if fresh else stat.st_mtime_ns
        return {"path": str(path), "mtime_ns": mtime, "size": stat.st_size, "hash": hash_of(data)}

    def _time(self, mtime_ns: int) -> int:
        return max(0, min(mtime_ns // 1000, self.clock.now()))

    def _card_of(self, path: str) -> CardState | None:
        return self.store.card_of_path(self.space, path)

    def _moved(self, digest: str) -> int | None:
        """The card of a file with this content that is no longer where it was."""
        if self._by_hash is None:
            self._by_hash = {}
            for row, card in self._all():
                self._by_hash.setdefault(str(card.attributes.get("hash")), []).append(row)
        for row in self._by_hash.get(digest, ()):
            now = self.store.card(row)
            path = now.attributes.get("path") if now else None
            if now and path and (now.hidden_at is None or now.gone) and not Path(path).exists():
                return row
        return None

    def _all(self) -> Iterator[tuple[int, CardState]]:
        for row in documents.rows_of_cards(self.store.columns(self.space)):
            card = self.store.card(row)
            if card is not None:
                yield row, card

    # -- looking again ------------------------------------------------------------------------------------------------

    def refresh(self, night: PhaseContext) -> PhaseResult:
        """Look at every card's file again; the phase of the night, also by hand. An unchanged file costs one
        ``stat``."""
        out = PhaseResult()
        job = f"cards:{self.space}"
        after = self._reached(job)
        looking = _Looking(self)
        every = documents.rows_of_cards(self.store.columns(self.space))
        todo = [row for row in every if row > after]
        for done, row in enumerate(todo):
            if night.stop():
                out.finished, out.note = False, f"{len(todo) - done} cards left"
                if not night.dry_run:
                    self._save(job, todo[done - 1] if done else after)
                return out
            self._look(row, night, out, looking)
            night.progress(done + 1, len(todo))
        if after and not night.dry_run:
            self.store.run(lambda tx: ledger.drop(tx, job))
        return out

    def _reached(self, job: str) -> int:
        return int((self.store.noted(job) or {}).get("after", 0))

    def _save(self, job: str, after: int) -> None:
        self.store.run(lambda tx: ledger.note(tx, job, {"after": after}))

    def _look(self, row: int, night: PhaseContext, out: PhaseResult, looking: _Looking) -> None:
        card = self.store.card(row)
        if card is None or (card.hidden_at is not None and not card.gone):
            return  # erased meanwhile, or removed by a person
        path = card.attributes.get("path")
        try:
            changed = self._file(card, Path(path), night, out, looking) if path else False
        except (InvalidInput, OSError) as error:
            out.counts["unreadable"] += 1
            out.acts.append(Act("card_unreadable", card.id, reason(error)))
            return
        due = changed or self._due(card)
        if not changed:
            out.counts["unchanged"] += 1
        if due and not changed:
            out.counts["described"] += 1
            out.acts.append(Act("card_described", card.id, "its sections are not those it was made from"))
        if due and not night.dry_run:
            describe(self.store, self.space, row, self._asker)

    def _due(self, card: CardState) -> bool:
        shown = self.store.sections_shown(card.row)
        return is_due(card, shown, self._asker)

    def _file(self, card: CardState, path: Path, night: PhaseContext, out: PhaseResult, looking: _Looking) -> bool:
        """Compare a card with its file and bring it up to it; whether anything was different."""
        try:
            stat = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            found = looking.find(card, path)
            if found is not None:
                return self._take(card, found, night, out, "moved", f"its file is now {found.name}")
            if card.gone:
                return False
            self._tell(out, "gone", card, "its file is not there")
            if not night.dry_run:
                self._hide(card)
            return True
        known = card.attributes
        if (stat.st_mtime_ns, stat.st_size) == (known.get("mtime_ns"), known.get("size")) and not card.gone:
            return False
        if card.gone:
            return self._take(card, path, night, out, "back", "its file is there again")
        data = load(path)
        if hash_of(data) == known.get("hash"):
            state = self._state(path, data)
            if not night.dry_run and any(known.get(name) != value for name, value in state.items()):
                self._note(card, state)
            return False
        return self._take(card, path, night, out, "changed", "its file was edited", data)

    def _take(
        self,
        card: CardState,
        path: Path,
        night: PhaseContext,
        out: PhaseResult,
        act: str,
        why: str,
        data: bytes | None = None,
    ) -> bool:
        data = load(path) if data is None else data
        made = document(decode(data), mask_secrets=self.mask_secrets)
        if night.dry_run:
            self._tell(out, act, card, why)
            return True
        state = {**self._state(path, data), "name": made.name}
        given = Given(
            made, str(path), state, self._time(path.stat().st_mtime_ns), card.origin, row=card.row, actor=night.actor
        )
        kept = keep(self.store, self.space, given)
        self._tell(out, act, card, f"{why}{_said(kept)}")
        out.counts.update(
            {f"sections_{name}": kept.counts[name] for name in ("added", "replaced", "removed") if kept.counts[name]}
        )
        return True

    def _tell(self, out: PhaseResult, act: str, card: CardState, why: str) -> None:
        out.counts[act] += 1
        out.acts.append(Act(f"card_{act}", card.id, why))

    def _hide(self, card: CardState) -> None:
        def write(tx: Tx) -> None:
            now = documents.state(tx.connection, card.row)
            if now is not None and now.hidden_at is None:
                documents.hide_gone(tx, tx.space(self.space), now, actor="sleep")

        self.store.run(write)

    def _note(self, card: CardState, state: dict[str, Any]) -> None:
        def write(tx: Tx) -> None:
            now = documents.state(tx.connection, card.row)
            if now is not None:
                documents.put_state(tx, card.row, {**now.attributes, **state})

        self.store.run(write)


def _said(kept: Kept) -> str:
    parts = [f"{kept.counts[name]} sections {name}" for name in ("added", "replaced", "removed") if kept.counts[name]]
    return f": {', '.join(parts)}" if parts else ""


@dataclass(slots=True)
class _Looking:
    """The files that a missing one may be, looked through once in a refresh."""

    shelf: Shelf
    _seen: dict[Path, dict[int, list[Path]]] = field(default_factory=dict)

    def find(self, card: CardState, path: Path) -> Path | None:
        """A file near to where one was that holds the same bytes and has no card of its own."""
        base = Path(str(card.attributes.get("root") or path.parent))
        if not base.is_dir():
            base = base.parent
        if not base.is_dir() or base == base.parent:
            return None
        for other in self._sizes(base).get(int(card.attributes.get("size") or 0), ()):
            try:
                same = hash_of(load(other)) == card.attributes.get("hash")
            except (OSError, MnemicError):
                continue
            if same and self.shelf._card_of(str(other)) is None:
                return other
        return None

    def _sizes(self, base: Path) -> dict[int, list[Path]]:
        if base not in self._seen:
            sizes: dict[int, list[Path]] = defaultdict(list)
            for number, path in enumerate(below(base)):
                if number >= LOOKED_AT:
                    break
                try:
                    sizes[path.stat().st_size].append(path.resolve())
                except OSError:
                    continue
            self._seen[base] = sizes
        return self._seen[base]


def below(root: Path) -> Iterator[Path]:
    """The documents below a folder by name, hidden folders and those of tools left out; links to folders are not
    followed."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in IGNORED_FOLDERS and not name.startswith("."))
        for name in sorted(files):
            path = Path(folder) / name
            if path.suffix.lower() in SUFFIXES and path.is_file():
                yield path


def _real(path: Path) -> Path:
    """The file itself, whatever links lead to it.

    Raises:
        InvalidInput: there is none, or its name cannot be kept as text.
    """
    try:
        found = path.expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        raise InvalidInput("path", f"{str(path)[:200]!r} is not there", "name a file or a folder") from None
    if not found.is_file():
        raise InvalidInput("path", f"{found} is no file", "name a file of text")
    if clean(str(found)) != str(found):
        raise InvalidInput("path", "the name of the file is no text", "rename it")
    return found


def reason(error: Exception) -> str:
    """Why a file could not be kept, in words."""
    if isinstance(error, InvalidInput):
        return error.problem
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__


def title_of(value: object) -> str | None:
    """A title as given by a caller: one line, or ``None``."""
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise InvalidInput("title", f"must be text, not {type(value).__name__}")
    text = " ".join(clean(value).split())
    if not text or len(text) > LONGEST_NAME:
        raise InvalidInput("title", f"must have 1 to {LONGEST_NAME} characters")
    return text


@dataclass(frozen=True, slots=True)
class RefreshCards:
    """A phase of the night.

    Args:
        mask_secrets: mask before the first write. llm: gives the model that writes digests, ``None`` for none.
        pages: space → the file that its list of cards is written into.
    """

    clock: Clock
    mask_secrets: bool = True
    llm: Callable[[], LLM | None] = lambda: None
    pages: Mapping[str, Path] = field(default_factory=dict)

    def __call__(self, store: Store, space: str, night: PhaseContext) -> PhaseResult:
        """Refresh the cards of one space."""
        out = Shelf(store, space, self.clock, self.mask_secrets, self.llm).refresh(night)
        page = self.pages.get(space)
        if page is None or night.dry_run or not out.finished:
            return out
        try:
            written = write(page, catalogue(store, space), space)
        except (InvalidInput, OSError) as error:
            out.counts["page_failed"] += 1
            out.note = f"MEMORY.md: {reason(error)}"
            return out
        if written.written:
            out.counts["page_written"] += 1
            out.acts.append(Act("memory_md", written.path, f"{written.shown} cards shown, {written.left_out} left out"))
        return out
