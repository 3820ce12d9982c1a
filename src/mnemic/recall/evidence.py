"""Ask every channel about a query and put together what each row of the space has to show."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..clock import DAY, to_micros
from ..lang.pack import union
from ..lang.when import Window
from ..store.base import Store
from ..store.columns import Columns
from ..store.documents import SECTION, labelled
from ..text.analyse import asking_terms, terms
from . import hits
from .lexical import Floats, match
from .plan import Reading
from .rank import Evidence, Word
from .vector import VectorChannel

#: The query asks what the assistant said.
ASKS_ASSISTANT = re.compile(
    rf"\b(?:{union('recall', 'assistant')})\b.{{0,40}}\b(?:{union('recall', 'assistant_said')})", re.I
)
#: The query asks about the one who asks, so that what he said himself answers it.
ASKS_SELF = re.compile(union("recall", "self"), re.I)
_YEAR = re.compile(r"\d{4}")
#: What a message in the right month counts when the query names a day.
SAME_MONTH = 0.4
#: Of so few rows it says nothing how many lie in a window.
FEW = 20


def gather(
    store: Store, vector: VectorChannel, space: str, query: str, reading: Reading, columns: Columns,
    mask: NDArray[np.bool_], lap: Callable[[str], None],
) -> tuple[Evidence, str | None]:  # fmt: skip
    """Evidence of all channels, and why the vector channel took no (full) part."""
    named, names = speakers(query, columns)
    wanted = [t for t in reading.plan.terms if t not in names] or list(reading.plan.terms)
    wanted = [t for t in wanted if t not in asking_terms(home=True)] or wanted
    vectors, vocabulary = vector.indexes(space)
    cosine, why = vector.similarities(vectors, vocabulary, columns, None if mask.all() else mask, query)
    lap("vector")
    related = vector.relatives(vocabulary, query, wanted) if cosine is not None else {}
    lap("relatives")
    every = list(dict.fromkeys([*wanted, *names, *(other for kin in related.values() for other in kin)]))
    found = match(store, space, columns, every)
    if not mask.all():
        for term in found.terms:  # what may not be seen must not speak for its neighbours either
            term.keep(mask)
    known = {term.text: term for term in found.terms}
    echoes = hits.echoes(columns, [known[t] for t in dict.fromkeys([*wanted, *names])])
    words = [
        Word(
            known[t],
            [(known[other], weight) for other, weight in related.get(t, {}).items() if len(known[other].places)],
        )
        for t in wanted
    ]
    said = [word for word in words if len(word.term.places) or word.term.text not in asking_terms()]
    words = said or words
    lap("lexical")
    dated, sections = fit(columns, reading.windows), labelled(columns, SECTION)
    if dated is not None and sections is not None:
        dated[sections] = 0  # a document was not said at the time of its file
    evidence = Evidence(
        words=words,
        names=[known[t] for t in names if t not in wanted],
        cosine=cosine,
        named=None if named is None else named & mask,
        dated=dated,
        asks_assistant=bool(ASKS_ASSISTANT.search(query)),
        asks_self=bool(ASKS_SELF.search(query)),
        only_names=bool(names) and all(t in names for t in reading.plan.terms),
        vectors=vectors if cosine is not None else None,
        echoes=echoes,
    )
    return evidence, why


def speakers(query: str, columns: Columns) -> tuple[NDArray[np.bool_] | None, list[str]]:
    """Rows spoken by someone whom the query names, and the query terms that are those names."""
    asked = dict.fromkeys(terms(query))
    names: dict[str, None] = {}
    codes: list[int] = []
    for code, name in enumerate(columns.names["speaker"]):
        own = [t for t in terms(name) if t in asked] if name else []
        if own:
            names.update(dict.fromkeys(own))
            codes.append(code)
    return (np.isin(columns.speaker, codes), list(names)) if codes else (None, [])


def fit(columns: Columns, windows: tuple[Window, ...]) -> Floats | None:
    """How well the time of each row fits the times named in a query: 1 inside, 0.4 in the right month, 0 elsewhere.

    A month or day named without a year means that of any year: people ask about "May" long after. A time that most rows
    fall into tells little ("in the past three months", "lately"): all of it counts as much less as rows lie in it.
    """
    if not windows or not columns.n:
        return None
    out = np.zeros(columns.n, dtype=np.float32)
    at = columns.event_time
    months: NDArray[np.int64] | None = None
    for window in windows:
        start, end = to_micros(window.start), to_micros(window.end)
        if (
            window.granularity in ("day", "month")
            and not _YEAR.search(window.text)
            and window.direction == "past"
            and _named_month(window)
        ):
            if months is None:
                months = at.astype("datetime64[us]").astype("datetime64[M]").astype(np.int64) % 12 + 1
            inside = months == window.start.month
            if window.granularity == "month":
                out[inside] = 1.0
                continue
            days = (
                at.astype("datetime64[us]").astype("datetime64[D]")
                - at.astype("datetime64[us]").astype("datetime64[M]")
            ).astype(np.int64) + 1
            out[inside] = np.maximum(out[inside], SAME_MONTH)
            out[inside & (np.abs(days - window.start.day) <= 1)] = 1.0
            continue
        near = DAY if window.granularity == "day" else 0
        out[(at >= start - near) & (at < end + near)] = 1.0
    inside = np.count_nonzero(out > SAME_MONTH)
    return out * np.float32(1 - inside / (columns.n + FEW))


_MONTHS = re.compile(
    r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|янв|фев|март|апр|ма[йяе]|июн|июл|авг|сент|окт|нояб|дек", re.I
)


def _named_month(window: Window) -> bool:
    return bool(_MONTHS.search(window.text))
