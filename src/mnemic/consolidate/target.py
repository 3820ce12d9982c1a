"""Which memory a text means, for verbs that act on it: above a floor and clear of the next one, or nothing is done."""

from __future__ import annotations

from collections.abc import Sequence

from ..models import Node
from ..text.analyse import query_terms, stop_terms, terms

#: Part of the text's words that a memory must hold to be meant by it.
FLOOR = 0.7
#: How far the second one must be behind.
CLEAR = 0.15


def closeness(text: str, content: str) -> float:
    """How much of a text a memory says, 0…1, a little less where it says much else."""
    wanted, there = set(query_terms(text)) - stop_terms(), set(terms(content))
    if not wanted:  # "the", «это»: words that every memory may hold mean one only if they are all that it says
        return float(bool(there) and set(terms(text)) == there)
    shared = len(wanted & there)
    return round(shared / len(wanted) - 0.1 * (1 - shared / max(1, len(there))), 4)


def choose(text: str, nodes: Sequence[Node]) -> tuple[Node | None, list[Node]]:
    """The one memory that is meant, and those that come near, nearest first (the one meant among them)."""
    scored = sorted(((closeness(text, node.content), i) for i, node in enumerate(nodes)), key=lambda s: (-s[0], s[1]))
    near = [nodes[i] for score, i in scored if score >= FLOOR - CLEAR]
    if not scored or scored[0][0] < FLOOR:
        return None, near
    if len(scored) > 1 and scored[0][0] - scored[1][0] < CLEAR and scored[1][0] >= FLOOR:
        return None, near
    return nodes[scored[0][1]], near
