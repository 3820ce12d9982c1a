"""Messages that are read anew: of two readings of one message that say two things, the better supported one stays.

Better supported: the value stands in its quote, then more trust, then more evidence; where these are equal, the new
reading, because somebody asked for it. What only one of the two has read stays.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import InvalidInput
from ..store import facts
from ..store.facts import Fact
from ..text.names import alias
from .claims import Candidate
from .quotes import stands
from .slots import object_key, replaces

if TYPE_CHECKING:
    from .write import Page

#: Why the weaker reading is hidden.
WHY = "read anew"


def wins(page: Page, candidate: Candidate) -> bool:
    """Whether a candidate is to be written: no other reading of its message is better supported. Those that lose are
    hidden."""
    source, said = page.rows[candidate.source], page.said[candidate.source]
    entity = page.linker.subject(candidate)
    connection = page.tx.connection
    read = [fact for _, fact, relation in facts.derived(connection, [source]) if relation == "derived_from"]
    rivals = [fact for fact in facts.facts_in(connection, read).values() if _rivals(fact, candidate, entity)]
    behind = facts.evidence_of(connection, [fact.row for fact in rivals])
    support = (stands(candidate.object, candidate.quote), said.trust, 1)
    for fact in rivals:
        evidence = behind.get(fact.row, ())
        quoted = any(stands(fact.value or fact.object, quote) for e in evidence for quote in e.quotes)
        if "confirmed_at" in fact.attributes or (quoted, fact.trust, len(evidence)) > support:
            return False
    for fact in rivals:
        _hide(page, fact)
    return True


def _rivals(fact: Fact, candidate: Candidate, entity: int) -> bool:
    """Whether a stored fact and a candidate are two readings of one thing: one slot of one, or a value cut out of the
    other."""
    value = object_key(candidate.object)
    if (
        fact.entity != entity
        or fact.hidden_at is not None
        or fact.predicate != candidate.predicate
        or fact.object == value
    ):
        return False
    left, right = set(fact.object.split()), set(value.split())
    cut = bool(left and right) and (left < right or right < left)
    return cut or (fact.scope == alias(candidate.scope) and replaces(candidate.predicate, candidate.scope))


def _hide(page: Page, fact: Fact) -> None:
    """Hide a reading, and let go on what it has ended."""
    tx, actor = page.tx, page.actor
    for _, older in facts.predecessors(tx.connection, [fact.row]):
        changes = facts.changes_of(tx.connection, [older])
        ended = next((c for c in reversed(changes) if c.act == "superseded"), None)
        if ended is not None:
            with suppress(InvalidInput):  # something else has become of it since
                facts.undo(tx, page.space, ended.no, actor=actor)
    values = {"hidden_at": tx.clock.now(), "hidden_why": WHY}
    facts.alter(tx, page.space, fact.row, "reread", values, actor=actor, why=f"{WHY} by {actor}")
    page.counts["read anew"] += 1
