"""Questions and their answers belong together: a question that is found brings its reply, and answers nothing itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..store.columns import Columns
from .lexical import Floats, Term

STEPS = 40  # messages of a turn that are looked through for its answer
WORTH = 0.35  # share of the question's score that a reply to a mere remark needs
BEST = 2  # replies of one turn that are shown, those that fit the query best


def echoes(columns: Columns, terms: Sequence[Term]) -> NDArray[np.bool_] | None:
    """Questions that say nothing but words of the query; ``None`` where there are none.

    "When does the ferry leave?" asked once more finds itself: as evidence it is worth nothing.
    """
    asks = columns.asks.astype(bool)
    if not asks.any() or not terms:
        return None
    held = np.bincount(
        np.concatenate([term.places for term in terms]),
        weights=np.concatenate([term.counts for term in terms]),
        minlength=columns.n,
    )
    out: NDArray[np.bool_] = asks & (columns.words > 0) & (held >= columns.words)
    return out if out.any() else None


def turn(columns: Columns, place: int) -> tuple[int, list[int]]:
    """The user's message that a turn began with (−1: none), and the assistant's messages in it."""
    before, after = columns.neighbours()
    user, assistant = columns.code("role", "user"), columns.code("role", "assistant")
    start = place
    for _ in range(STEPS):
        if start < 0 or columns.role[start] == user:
            break
        start = int(before[start])
    else:
        start = -1
    replies: list[int] = []
    at = int(after[start if start >= 0 else place])
    for _ in range(STEPS):
        if at < 0 or columns.role[at] == user:
            break
        if columns.role[at] == assistant:
            replies.append(at)
        at = int(after[at])
    return start, replies


def beside(columns: Columns, mask: NDArray[np.bool_], places: Sequence[int], total: Floats) -> Mapping[int, list[int]]:
    """Place of a hit → places of what is shown with it.

    With a question, the replies that fit best and the last one, which sums up; with a reply, what was asked, and the
    other replies of its turn that fit.
    """
    if "assistant" not in columns.names["role"]:
        return {}
    user, assistant = columns.code("role", "user"), columns.code("role", "assistant")
    out: dict[int, list[int]] = {}
    for place in places:
        if place < 0 or columns.role[place] not in (user, assistant) or not columns.session[place]:
            continue
        asked, replies = turn(columns, place)
        replies = [other for other in replies if mask[other] and other != place]
        best = sorted(replies, key=lambda other: -float(total[other]))[:BEST]
        if columns.role[place] == user:
            worth = columns.asks[place] or (best and total[best[0]] >= WORTH * total[place])
            shown = [*best, replies[-1]] if best and worth else []
        else:
            shown = [asked, *(other for other in best if total[other] >= WORTH * total[place])]
        shown = [other for other in dict.fromkeys(shown) if other >= 0 and mask[other]]
        if shown:
            out[place] = sorted(shown)
    return out
