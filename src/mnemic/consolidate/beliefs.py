"""What a person says about memories: remember this, that is wrong, this is certain, forget that. Writes, all logged.

A statement that the rules can read takes its slot, so that it ends or joins what is known there. Any other text is
compared with the memories nearest to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..compare.relation import relate
from ..compare.statement import parse
from ..models import Node
from ..store import facts, merging
from ..store.facts import Fact
from ..store.rows import NewNode
from ..store.tx import Tx
from ..text.names import alias
from .claims import Candidate, Decision, Extractor, Said
from .linking import Linker
from .pairs import Told, judge
from .slots import object_key, replaces
from .write import ENDED_CONFIDENCE, Page, carry_out

#: A statement is its slot when the words the slot was read from are at least this part of it.
COVERED = 0.6


@dataclass(frozen=True, slots=True)
class Near:
    """A stored memory near to a new text: its row, itself, the cosine of the two where there are vectors."""

    row: int
    node: Node
    cosine: float | None = None


def read_slot(extractor: Extractor, node: NewNode) -> Candidate | None:
    """The slot of a statement, when it says one thing and little else."""
    said = Said("remembered", node.content, node.event_time, "user", node.speaker, node.origin, node.trust)
    found = extractor.extract([said], {}).candidates
    if len(found) != 1:
        return None
    covered = len(found[0].quote.split()) / max(1, len(node.content.split()))
    return found[0] if covered >= COVERED else None


def judged(node: NewNode, near: Sequence[Near]) -> list[tuple[Near, Decision]]:
    """What a new statement does to each memory near it, by the words of both. Takes a while: before the transaction."""
    new = Told(node.content, node.event_time, node.speaker, node.origin, node.trust)
    return [(other, judge(_told(other.node), new, cosine=other.cosine)) for other in near]


def remember(
    tx: Tx,
    space_name: str,
    node: NewNode,
    candidate: Candidate | None,
    decided: Sequence[tuple[Near, Decision]],
    actor: str,
) -> tuple[int, str]:
    """Write a statement; returns its row and ``stored``, or the row of what it repeats and ``known``.

    Its slot decides where it has one; memories that the slot does not reach are compared by their words (``decided``, of
    :func:`judged`).
    """
    same = next((other for other, decision in decided if decision.verdict == "duplicate"), None)
    if candidate is not None and any(d.verdict == "refines" or _said_less(candidate, node, o.node) for o, d in decided):
        candidate = None
    met: frozenset[int] = frozenset()
    if candidate is not None and (same is None or same.node.predicate == candidate.predicate):
        space = tx.space(space_name)
        page = Page(tx, space, Linker(tx, space), {}, {}, actor)
        said = replace(
            candidate, content=node.content, confidence=node.confidence, source=node.id or "", made_by=actor,
            valid_from=candidate.valid_from if node.valid_from is None else node.valid_from,
            object=same.node.object or candidate.object if same else candidate.object,
        )  # fmt: skip
        outcome = page.settle(said, page.linker.subject(said), node.trust, node.origin, None, node)
        if outcome.verdict == "duplicate":
            return _repeated(tx, space_name, node, outcome.row, actor)
        row, met = outcome.row, outcome.met
    elif same is not None:
        return _repeated(tx, space_name, node, same.row, actor)
    else:
        written = tx.add(space_name, [node])[0]
        if written.outcome != "stored":
            return written.row, written.outcome
        row = written.row
    _compared(tx, space_name, row, node, decided, met, actor)
    return row, "stored"


def _said_less(candidate: Candidate, node: NewNode, known: Node) -> bool:
    """Whether a slot leaves out what parts two statements: "500 per month", "500 per year"."""
    if known.predicate != candidate.predicate or alias(known.subject or "") != alias(candidate.subject):
        return False
    told = parse(node.content).turn & {"change", "correct", "end", "stop"}
    same = object_key(known.object or "") == object_key(candidate.object)
    touches = same or (replaces(candidate.predicate, alias(candidate.scope)) and not told)
    return touches and relate(known.content, node.content).kind in ("other", "conflicts")


def _compared(
    tx: Tx, space_name: str, row: int, node: NewNode, decided: Sequence[tuple[Near, Decision]], met: frozenset[int],
    actor: str,
) -> None:  # fmt: skip
    """What a new statement does to memories by their words; those of its slot (``met``) are decided already, and what
    the user confirmed ends by nobody's words but theirs."""
    space = tx.space(space_name)
    corrected = "correct" in parse(node.content).turn
    for other, decision in decided:
        told = corrected or decision.verdict in ("refines", "supersedes")
        if (other.row in met and not told) or _over(tx, row) or _over(tx, other.row):
            continue
        if "confirmed_at" in other.node.attributes and decision.ends == "old":
            decision = Decision("conflict", reason=f"{decision.reason}, confirmed", score=decision.score)
        at = decision.at if decision.at is not None else node.event_time
        carry_out(tx, space, decision, row, other.row, at, other.node.stability, actor)


def _over(tx: Tx, row: int) -> bool:
    """Whether a memory is hidden or has ended."""
    belief = facts.belief(tx, row)
    return belief is None or belief["hidden_at"] is not None or belief["valid_until"] is not None


def _repeated(tx: Tx, space_name: str, node: NewNode, same: int, actor: str) -> tuple[int, str]:
    """Keep a statement as evidence of the memory it repeats, not offered beside it."""
    written = tx.add(space_name, [node])[0]
    if written.outcome == "stored":
        tx.hide(space_name, [written.row], "duplicate", actor=actor)
        facts.support(tx, same, written.row, "", relation="supports")
        facts.use(tx, {same: (0, node.event_time)})  # said again: it is as fresh as if it were new
    return same, "known"


def correct(
    tx: Tx, space_name: str, old: int, node: NewNode, candidate: Candidate | None, *, at: int | None, actor: str
) -> int:
    """Put a new statement in the place of an old one; returns its row.

    Args:
        at: world time at which it changed, microseconds; ``None``: the old one was never true.
    """
    space = tx.space(space_name)
    fact = facts.facts_in(tx.connection, [old]).get(old)
    begins = facts.begins(tx, old)
    if node.valid_from is None:
        node.valid_from = begins if at is None else at
    row = _placed(tx, space_name, node, fact, candidate, actor)
    until = begins if at is None else at
    values = {"valid_until": until, "closed_at": tx.clock.now(), "confidence": ENDED_CONFIDENCE}
    space = tx.space(space_name)
    facts.alter(
        tx, space, old, "corrected" if at is None else "superseded", values, actor=actor, why="corrected by a person"
    )
    facts.link(tx, row, "supersedes", old)
    return row


def _placed(tx: Tx, space_name: str, node: NewNode, fact: Fact | None, candidate: Candidate | None, actor: str) -> int:
    """Write a correction into the slot of what it corrects, or into its own."""
    if fact is None:
        return tx.add(space_name, [node])[0].row
    space = tx.space(space_name)
    linker = Linker(tx, space)
    node.predicate, node.subject = fact.predicate, linker.name(fact.entity)
    value = node.content
    if candidate is not None and candidate.predicate == fact.predicate:
        value = node.object = candidate.object
    row, _ = facts.put(
        tx, space_name, node, entity=fact.entity, scope=fact.scope, object=object_key(value), actor=actor
    )
    linker.mention(fact.entity, row, node.event_time)
    return row


def confirm(tx: Tx, space_name: str, row: int, attributes: dict[str, object], *, actor: str) -> None:
    """Hold a memory for certain, and safe from forgetting, for good."""
    values = {"confidence": 1.0, "attributes": {**attributes, "confirmed_at": tx.clock.now()}}
    facts.alter(tx, tx.space(space_name), row, "confirmed", values, actor=actor, why=None)


def forget(tx: Tx, space_name: str, rows: Sequence[int], why: str, *, actor: str) -> list[int]:
    """Hide memories, and what was read out of nothing but them; returns all rows hidden."""
    follow = sorted(facts.dependents(tx.connection, rows))
    tx.hide(space_name, rows, why, actor=actor)
    tx.hide(space_name, follow, f"source {why}", actor=actor)
    return [*rows, *follow]


def restore(tx: Tx, space_name: str, row: int, *, actor: str) -> None:
    """Offer a hidden memory again, with what was hidden along with it; an ended one is no longer ended."""
    space = tx.space(space_name)
    belief = facts.belief(tx, row)
    if belief is None:
        return
    if belief["hidden_at"] is not None:
        follow = facts.dependents(tx.connection, [row])
        tx.unhide(space_name, [row], actor=actor)
        if belief["hidden_why"] == merging.WHY:
            merging.part(tx, space, row, actor=actor)
        hidden = facts.hidden_with(tx.connection, follow, f"source {belief['hidden_why']}")
        tx.unhide(space_name, hidden, actor=actor)
        facts.use(tx, {row: (1, tx.clock.now())})  # somebody wants it: it does not decay again tonight
        return
    if belief["valid_until"] is not None:
        change = next(
            (
                c
                for c in reversed(facts.changes_of(tx.connection, [row]))
                if "valid_until" in c.after and c.act != "undo"
            ),
            None,
        )
        if change is not None:
            facts.undo(tx, space, change.no, actor=actor)


def _told(node: Node) -> Told:
    at = node.event_time if node.valid_from is None else node.valid_from
    return Told(node.content, at, node.speaker, node.origin, node.trust)
