"""Statements that people make to a memory: checked, compared with what is near, put down; and which one a text
means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidInput, KeyConflict, NotFound, Uncertain
from ..forget.erase import Targets
from ..ingest.observe import prepare
from ..models import FACTS, Filter, Message, Node
from ..recall.filters import Filters
from ..text.feelings import valence
from .entities import ID

if TYPE_CHECKING:
    from ..consolidate.beliefs import Near
    from ..store.adding import Written
    from ..store.rows import NewNode
    from ..store.tx import Tx
    from .memory import Memory

NEAREST = 8  # memories that a new statement is compared with


def statement(
    memory: Memory, text: object, *, confidence: float = 1.0, origin: str | None = "user", **given: Any
) -> NewNode:
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        raise InvalidInput("confidence", "must be a number from 0 to 1")
    node = prepare(
        text, now=memory._clock.now(), zone=memory._zone, role=None, origin=origin, confidence=float(confidence),
        mask_secrets=memory.config.mask_secrets, **given,
    )  # fmt: skip
    node.id = memory._clock.new_id()
    node.valence = valence(node.content)
    return node


def put(memory: Memory, where: str, node: NewNode, until: int | None) -> Node:
    from ..consolidate import beliefs
    from ..store import facts

    begins = node.event_time if node.valid_from is None else node.valid_from
    if until is not None and until < begins:
        raise InvalidInput("valid_until", "is before the beginning", "give a time after valid_from")
    candidate = None if node.key else beliefs.read_slot(memory._consolidator.rules, node)
    met = [] if node.key else beliefs.judged(node, near(memory, where, node.content))

    def write(tx: Any) -> tuple[int, str]:
        if node.key:
            written = tx.add(where, [node])[0]
            row, outcome = written.row, written.outcome
        else:
            row, outcome = beliefs.remember(tx, where, node, candidate, met, "user")
        if until is not None and outcome == "stored":
            values = {"valid_until": until, "closed_at": tx.clock.now()}
            facts.alter(tx, tx.space(where), row, "ended", values, actor="user", why="given")
        return row, outcome

    row, outcome = memory._store.run(write)
    if outcome == "erased":
        raise InvalidInput("key", "was erased before", "use a new key")
    found = memory._store.one(row)
    return replace(found, acknowledged="known") if outcome == "known" else found


def near(memory: Memory, where: str, text: str) -> list[Near]:
    """The live facts nearest to a text."""
    from ..consolidate.beliefs import Near

    filters = replace(Filters.read(now=memory._clock.now(), zone=memory._zone, kinds=FACTS), reference=False)
    nodes = [hit.node for hit in memory._recaller.recall(where, text, filters, limit=NEAREST).hits]
    rows = memory._store.rows_of(where, [node.id for node in nodes])
    cosines = memory._recaller.cosines(text, [node.content for node in nodes])
    return [Near(rows[n.id], n, cosine) for n, cosine in zip(nodes, cosines, strict=True) if n.id in rows]


def meant(memory: Memory, where: str, target: str) -> tuple[int, Node]:
    """Row and node of an id, or of a text that is clearly one memory; facts are looked at first."""
    from ..consolidate.explain import choose

    if not isinstance(target, str) or not target.strip():
        raise InvalidInput("target", "is empty", "give the id of a memory, or a text")
    row = memory._store.rows_of(where, [target]).get(target)
    if row is not None:
        return row, memory._store.one(row)
    if ID.fullmatch(target):
        raise NotFound("memory", target)
    near: list[Node] = []
    for kinds in (FACTS, ("episodic",)):
        filters = replace(Filters.read(now=memory._clock.now(), zone=memory._zone, kinds=kinds), reference=False)
        hits = memory._recaller.recall(where, target, filters, limit=NEAREST).hits
        meant, close = choose(target, [hit.node for hit in hits])
        if meant is not None:
            return memory._store.node(where, meant.id)
        near += close
        if close:
            break
    if near:
        raise Uncertain("memory", target, tuple(node.id for node in near))
    raise NotFound("memory", target)


def correct(memory: Memory, where: str, old: str, new: str, changed: int | None) -> Node:
    """A right statement in the place of a wrong one."""
    from ..consolidate import beliefs

    row, node = meant(memory, where, old)
    right = statement(memory, new, kind=node.kind if node.kind in FACTS else "semantic", label="fact", origin="user")
    if node.kind in FACTS:
        right.label = node.label
    candidate = beliefs.read_slot(memory._consolidator.rules, right)
    placed = memory._store.run(lambda tx: beliefs.correct(tx, where, row, right, candidate, at=changed, actor="user"))
    return memory._store.one(placed)


def put_messages(memory: Memory, where: str, messages: Iterable[str | Message]) -> list[Node]:
    """Messages in one transaction, in order; one that cannot be stored is named, and none is stored."""
    nodes = []
    for number, message in enumerate(messages):
        given: Mapping[str, Any] = {"text": message} if not isinstance(message, Mapping) else message
        try:
            for name in given.keys() - Message.__annotations__.keys():
                raise InvalidInput(str(name)[:80], "no such field", f"known are {', '.join(Message.__annotations__)}")
            nodes.append(memory._message(given.get("text"), **{k: v for k, v in given.items() if k != "text"}))
        except InvalidInput as error:
            raise InvalidInput(f"messages[{number}].{error.field}", error.problem, error.remedy) from error

    def write(tx: Tx) -> list[Written]:
        out: list[Written] = []
        for number, node in enumerate(nodes):
            try:
                out += tx.add(where, [node])
            except KeyConflict as error:
                raise KeyConflict(error.key, f"messages[{number}].key") from error
            if out[-1].outcome == "erased":
                raise InvalidInput(f"messages[{number}].key", "was erased before", "use a new key")
        return out

    written = memory._store.run(write)
    found = memory._store.nodes([one.row for one in written])
    return [
        replace(found[one.row], acknowledged="known") if one.outcome == "known" else found[one.row] for one in written
    ]


def matched(memory: Memory, where: str, target: Filter) -> list[int]:
    """Rows that a filter lets through, also of what is no longer true.

    Raises:
        InvalidInput: it lets everything through. NotFound: no such file was imported here.
    """
    read = memory._filters(target, include_superseded=True)
    if read == Filters(ended=True):
        raise InvalidInput("target", "lets everything through", "erase(everything=True) empties a space")
    if read.source is not None:
        Targets(source=read.source).rows(memory._store, where)
        read = replace(read, source=str(Path(read.source).expanduser().resolve()))
    columns = memory._store.columns(where)
    mask = read.mask(memory._store, where, columns, memory._clock.now())
    return [int(row) for row in columns.row[: columns.n][mask]]
