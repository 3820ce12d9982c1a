"""What a reader may see and asked to see: read from the caller once, then a mask *before* any ranking."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..clock import read_time, to_datetime, to_micros
from ..errors import InvalidInput
from ..lang.pack import words
from ..lang.when import parse
from ..models import KINDS, ORIGINS, ROLES, Filter
from ..store.base import Store
from ..store.columns import Columns
from ..store.documents import CARD, SECTION, drop, labelled
from ..text.analyse import clean
from ..text.names import alias


@dataclass(frozen=True, slots=True)
class Filters:
    """Times are microseconds; empty tuples and ``None`` mean "any". ``reference``: sections of documents too.
    ``running``: the session that is left out with what was read from it alone, since whoever asks has it before him."""

    kinds: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    session: str | None = None
    entity: str | None = None
    source: str | None = None
    after: int | None = None
    before: int | None = None
    as_of: int | None = None
    known_at: int | None = None
    min_trust: float | None = None
    ended: bool = False
    reference: bool = True
    running: str | None = None

    @property
    def plain(self) -> bool:
        """Whether all memories may answer, as of now."""
        return replace(self, running=None) == Filters()

    @classmethod
    def read(cls, given: Filter | None = None, *, now: int, zone: tzinfo, **more: Any) -> Filters:
        """Check what a caller gave, as a filter and by name; what is named goes before.

        Raises:
            InvalidInput: names the argument and the remedy.
        """
        if given is not None and not isinstance(given, Filter):
            raise InvalidInput("filter", f"must be a Filter, not {type(given).__name__}")
        named = {field: value for field, value in more.items() if value is not None and value != ""}
        given = replace(given or Filter(), **named)
        start = _moment(given.after, "after", now, zone, end=False)
        end = _moment(given.before, "before", now, zone, end=False)
        if given.when:
            window = parse(_text(given.when, "when") or "", to_datetime(now, zone))
            if window is None:
                raise InvalidInput(
                    "when",
                    "the time expression is not understood",
                    "for example 'last week', «3 дня назад», 2026-03-14",
                )
            low, high = to_micros(window.start), to_micros(window.end)
            start = low if start is None else max(start, low)
            end = high if end is None else min(end, high)
        trust = given.min_trust
        if isinstance(trust, bool) or not isinstance(trust, int | float | None) or not 0 <= (trust or 0) <= 1:
            raise InvalidInput("min_trust", "must be a number from 0 to 1")
        return cls(
            kinds=_choices(given.kinds, "kinds", KINDS),
            labels=_choices(given.labels, "labels", None),
            roles=_choices(given.roles, "roles", ROLES),
            origins=_choices(given.origins, "origins", tuple(ORIGINS)),
            tags=_choices(given.tags, "tags", None),
            session=_text(given.session, "session"),
            entity=_text(given.entity, "entity"),
            source=_text(given.source, "source"),
            after=start,
            before=end,
            as_of=_moment(given.as_of, "as_of", now, zone, end=True),
            known_at=_moment(given.known_at, "known_at", now, zone, end=True),
            min_trust=None if trust is None else float(trust),
            ended=bool(given.include_superseded),
        )

    def mask(self, store: Store, space: str, columns: Columns, now: int) -> NDArray[np.bool_]:
        """Which rows of a space pass: visible at the two clocks, and as asked; cards pass, see
        :meth:`without_cards`."""
        mask = columns.visible(self.as_of, self.known_at, now, ended=self.ended)
        for column, wanted in (("kind", self.kinds), ("label", self.labels), ("role", self.roles)):
            if wanted:
                codes = [columns.code(column, value) for value in wanted]
                mask &= np.isin(getattr(columns, column), codes)
        if not self.reference:
            mask = drop(mask, labelled(columns, SECTION))
        if self.after is not None:
            mask &= columns.event_time >= self.after
        if self.before is not None:
            mask &= columns.event_time < self.before
        if self.min_trust is not None:
            mask &= columns.trust >= self.min_trust - 1e-6
        if self.session is not None:
            no = store.session_no(space, self.session)
            mask &= columns.session == (-1 if no is None else no)
        if self.running is not None:
            mask &= ~_only(columns, self.before_him(store, space, columns))
        if self.source is not None:
            mask &= np.isin(columns.source, store.source_numbers(space, self.source))
        if self.origins:
            found = [row for origin in self.origins for row in store.rows_of_origin(space, origin)]
            mask &= _only(columns, found)
        for tag in self.tags:
            mask &= _only(columns, store.rows_with_tag(space, tag))
        if self.entity is not None:
            mask &= _only(columns, store.rows_of_entity(space, alias(self.entity)))
        return mask

    def before_him(self, store: Store, space: str, columns: Columns) -> list[int]:
        """Rows that whoever asks has before him: messages of the running session, and what was read from nothing
        else."""
        no = None if self.running is None else store.session_no(space, self.running)
        rows: list[int] = [] if no is None else columns.row[columns.session == no].tolist()
        if not rows or columns.names["kind"] in ([], ["episodic"]):
            return rows
        return [*rows, *store.dependents(rows)]

    def without_cards(self, mask: NDArray[np.bool_], columns: Columns) -> NDArray[np.bool_]:
        """A mask without the cards, which repeat their sections: they are pointed to (``Recall.cards``), and hits only
        where their label is asked for."""
        return mask if CARD in self.labels else drop(mask, labelled(columns, CARD))

    def happened(self, mask: NDArray[np.bool_], columns: Columns) -> NDArray[np.bool_]:
        """A mask without documents, which did not happen at any time, unless they are asked for by label or source."""
        if SECTION in self.labels or self.source is not None:
            return mask
        return drop(mask, labelled(columns, SECTION))


#: The one time that is no window, so that ``when`` does not know it.
_NOW = words("recall", "now")


def _only(columns: Columns, rows: list[int]) -> NDArray[np.bool_]:
    keep = np.zeros(columns.n, dtype=bool)
    places = columns.index(rows)
    keep[places[places >= 0]] = True
    return keep


def _text(value: object, field: str) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise InvalidInput(field, f"must be text, not {type(value).__name__}")
    return clean(value)


def _choices(value: Iterable[str] | str | None, field: str, known: tuple[str, ...] | None) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    if not isinstance(value, Iterable):
        raise InvalidInput(field, f"must be text or a list of texts, not {type(value).__name__}")
    items = (value,) if isinstance(value, str) else tuple(item for item in value if item is not None and item != "")
    for item in items:
        if not isinstance(item, str):
            raise InvalidInput(field, f"must be text, not {type(item).__name__}")
        if known is not None and item not in known:
            raise InvalidInput(field, f"{item!r} is not known", f"one of {', '.join(known)}")
    return tuple(clean(item) for item in items)


def _moment(value: object, field: str, now: int, zone: tzinfo, *, end: bool) -> int | None:
    """A time, or a time expression: its beginning, or for ``end`` its last moment."""
    if isinstance(value, str) and value.strip():
        if value.strip().casefold() in _NOW:
            return now
        try:
            return read_time(value, field=field, tz=zone, end_of_day=end)
        except InvalidInput:
            window = parse(value, to_datetime(now, zone))
            if window is None:
                raise
            return to_micros(window.end) - 1 if end else to_micros(window.start)
    return read_time(value, field=field, tz=zone, end_of_day=end)


def whole(value: object, field: str, default: int, low: int, high: int) -> int:
    """A whole number in a range; ``None`` and ``""`` mean "not given"."""
    if value is None or value == "":
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidInput(field, f"must be a whole number from {low} to {high}")
    return value


def positive(value: object, field: str) -> float:
    """A number above nothing.

    Raises:
        InvalidInput: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
        raise InvalidInput(field, "must be a positive number", "30 is usual")
    return float(value)
