"""``memory.cards``: reference documents and ``MEMORY.md``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidInput, NotFound
from ..models import MOST, ORIGINS, Card, CardReport, Page, Routed
from ..phase import PhaseContext
from ..recall.filters import whole

if TYPE_CHECKING:
    from ..extras.cards.shelf import Shelf
    from ..sleep import Phase
    from .opened import Opened


class Cards:
    """Documents that nobody said, kept in sections that are found and pointed to; see docs/cards.md."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory

    def add(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        text: str | None = None,
        title: str | None = None,
        origin: str = "import",
        importance: float | None = None,
        space: str | None = None,
    ) -> Card:
        """Keep a reference document: its sections for recall, a digest, and the questions that it answers.

        The same file or title again is a new version: what was not edited stays as it is.

        Args:
            path: a file of Markdown or plain text. text: one instead, which needs a ``title``.
            title: instead of the one that the document has itself.
            origin: whose it is (``import``, ``user``, ``external`` …); decides how far it is trusted.
            importance: 1 is ordinary.

        Raises:
            InvalidInput: names the argument and the remedy.
        """
        from ..extras.cards.catalogue import meant
        from ..extras.cards.shelf import reason, title_of

        if (path is None) == (text is None):
            raise InvalidInput("card", "needs exactly one of path and text")
        name, weight = title_of(title), _importance(importance)
        if origin not in ORIGINS:
            raise InvalidInput("origin", f"{origin!r} is not known", f"one of {', '.join(ORIGINS)}")
        shelf = self._shelf(space)
        if text is not None:
            if name is None:
                raise InvalidInput("title", "is missing", "a text needs a title")
            if not isinstance(text, str):
                raise InvalidInput("text", f"must be text, not {type(text).__name__}")
            row = shelf.add_text(text, name, origin=origin, importance=weight)
        else:
            try:
                row, _ = shelf.add(_path(path), title=name, origin=origin, importance=weight)
            except OSError as error:
                raise InvalidInput("path", f"cannot be read: {reason(error)}") from error
        made = self._memory._store.nodes([row]).get(row)
        if made is None:
            raise NotFound("card", name or str(path))  # erased this very moment
        return meant(self._memory._store, shelf.space, made.id)[1]

    def add_folder(
        self,
        path: str | os.PathLike[str],
        *,
        origin: str = "import",
        importance: float | None = None,
        space: str | None = None,
    ) -> CardReport:
        """Keep every document below a folder (``.md``, ``.txt``, ``.rst`` …); one that cannot be kept is named.

        Raises:
            InvalidInput: there is no such folder.
        """
        if origin not in ORIGINS:
            raise InvalidInput("origin", f"{origin!r} is not known", f"one of {', '.join(ORIGINS)}")
        root = _path(path).expanduser().resolve()
        if not root.is_dir():
            raise InvalidInput("path", f"there is no folder {root}", "add takes a single file")
        return self._shelf(space).add_folder(root, origin=origin, importance=_importance(importance))[1]

    def get(self, target: str, *, space: str | None = None) -> Card:
        """One card by id, path or title (a useful access).

        Raises:
            NotFound: there is none. Uncertain: several have that title; ``candidates`` names them.
        """
        from ..extras.cards.catalogue import meant

        _, found = meant(self._memory._store, self._memory._space(space), _target(target))
        self._memory._uses.note([found.id], self._memory._clock.now())
        return found

    def remove(self, target: str, *, space: str | None = None) -> Card:
        """No longer offer a document and its sections; adding it again or ``restore`` brings them back, ``erase``
        removes.

        Raises:
            NotFound: there is none. Uncertain: several have that title; ``candidates`` names them.
        """
        from ..consolidate import beliefs
        from ..extras.cards.catalogue import meant

        where = self._memory._space(space)
        row, found = meant(self._memory._store, where, _target(target))
        self._memory._store.run(lambda tx: beliefs.forget(tx, where, [row], "removed", actor="user"))
        return meant(self._memory._store, where, found.id)[1]

    def route(self, question: str, *, limit: int = 3, space: str | None = None) -> Sequence[Routed]:
        """The reference documents that answer a question by their rules, and which words say so."""
        if not isinstance(question, str):
            raise InvalidInput("question", f"must be text, not {type(question).__name__}")
        count = whole(limit, "limit", 3, 1, 1_000)
        return [*self._memory._recaller.route(self._memory._space(space), question, count)]

    def refresh(self, *, dry_run: bool = False, space: str | None = None) -> CardReport:
        """Look at the files of all cards again: edited, moved, gone, back. The nightly run does it too."""
        out = self._shelf(space).refresh(
            PhaseContext(now=self._memory._clock.now(), zone=self._memory._zone, dry_run=dry_run)
        )
        counts = {name: out.counts[name] for name in ("changed", "unchanged", "moved", "back", "gone")}
        return CardReport(**counts, errors={a.id: a.why for a in out.acts if a.act == "card_unreadable"})

    def index(
        self, path: str | os.PathLike[str] | None = None, *, force: bool = False, space: str | None = None
    ) -> Page:
        """Write the list of cards, the most useful first, into a file that agents read: 200 lines and 22 KB at most.

        Args:
            path: the file, by default the setting ``memory_md``. What stands in it outside our marks is kept.
            force: also into a file that mnemic has not written; what stands there is kept above the list.

        Raises:
            InvalidInput: no file named, no such folder, not ours, or no room beside what is kept.
        """
        from ..extras.cards.catalogue import catalogue
        from ..extras.cards.page import write
        from ..extras.cards.shelf import reason

        self._memory._uses.write()
        where = self._memory._space(space)
        target = _path(path if path is not None else self._memory.config.memory_md)
        try:
            return write(target, catalogue(self._memory._store, where), where, force=force)
        except OSError as error:
            raise InvalidInput("path", f"cannot be written: {reason(error)}") from error

    def list(self, *, limit: int = 100, hidden: bool = False, space: str | None = None) -> Sequence[Card]:
        """Reference documents, the most useful first; with ``hidden`` also those that are gone or removed."""
        from ..extras.cards.catalogue import catalogue

        self._memory._uses.write()
        count = whole(limit, "limit", 100, 1, MOST)
        return catalogue(self._memory._store, self._memory._space(space), hidden=hidden)[:count]

    def _phases(self) -> Iterator[tuple[str, Phase]]:
        """The phase of the night."""
        from ..extras.cards.shelf import RefreshCards

        pages = {self._memory.space: Path(self._memory.config.memory_md)} if self._memory.config.memory_md else {}
        yield (
            "cards",
            RefreshCards(
                self._memory._clock, self._memory.config.mask_secrets, lambda: self._memory._consolidator.model, pages
            ),
        )

    def _shelf(self, space: str | None) -> Shelf:
        from ..extras.cards.shelf import Shelf

        return Shelf(
            self._memory._store,
            self._memory._space(space),
            self._memory._clock,
            self._memory.config.mask_secrets,
            lambda: self._memory._consolidator.model,
        )


def _path(given: Any) -> Path:
    if not isinstance(given, str | os.PathLike) or not str(given).strip():
        raise InvalidInput("path", "must name a file or a folder", "'.' for the folder you are in")
    return Path(given)


def _target(given: object) -> str:
    if not isinstance(given, str) or not given.strip():
        raise InvalidInput("card", "is empty", "give the id, the path or the title of a card")
    return given


def _importance(given: object) -> float | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < 1e6:
        raise InvalidInput("importance", "must be a number from 0 up", "1.0 is ordinary")
    return float(given)
