"""Which current facts may not stand together, and what was decided about two of them. The tools of an agent and a
person."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any, Literal, get_args

from ..clock import to_datetime
from ..errors import InvalidInput, NotFound
from ..models import Node
from ..store import facts, merging
from ..store.base import Store
from ..store.facts import Fact
from ..store.tx import Tx
from ..text.analyse import clean
from .decide import decide
from .write import ENDED_CONFIDENCE, ENDED_STABILITY, claim_of, group_of

Resolution = Literal["supersedes", "coexists", "duplicate", "keep_left", "keep_right"]
#: What a person says of the two sides of an open conflict → the verdict.
SAID: Mapping[str, Resolution] = {"left": "keep_left", "right": "keep_right", "both": "coexists"}
#: Verdicts of the pure rules that are worth a look.
FINDINGS = frozenset({"duplicate", "refines", "supersedes", "conflict"})
OPEN = 10_000  # open conflicts of a space that are looked through
PERSON = "user"  # the one who may overrule trust and confirmations
REASON = 500  # characters of a reason that are kept


@dataclass(frozen=True, slots=True)
class Side:
    """One of two memories that meet."""

    id: str
    text: str
    since: str
    trust: float
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two memories that may not stand together; ``left`` is the later one. ``open``: noted as a conflict."""

    left: Side
    right: Side
    verdict: str
    reason: str
    open: bool


@dataclass(frozen=True, slots=True)
class Meetings:
    """Pairs that wait for a decision, open conflicts first, and how many memories were looked at."""

    pairs: tuple[Meeting, ...]
    looked_at: int


@dataclass(frozen=True, slots=True)
class Resolved:
    """What was decided: ids that stay, the id that ended or is hidden. ``changed``: false where it had been so
    before."""

    verdict: str
    kept: tuple[str, ...]
    gone: str | None
    changed: bool


def detect(store: Store, space: str, zone: tzinfo, rows: Sequence[int]) -> Meetings:
    """Open conflicts of some memories, and pairs of their slots that the rules would not leave side by side."""
    mine = set(rows)
    found: dict[frozenset[int], tuple[str, str, bool]] = {}
    for a, b, _, why in store.conflicts(space, OPEN):
        if a in mine or b in mine:
            found[frozenset((a, b))] = ("conflict", why or "", True)
    with store.snapshot():
        for fact in store.facts(rows).values():
            if not _live(fact):
                continue
            others = [o for o in store.rivals(fact.entity, group_of(fact.predicate)) if _live(o) and o.row != fact.row]
            behind = store.evidence([fact.row, *(o.row for o in others)])
            for other in others:
                pair = frozenset((fact.row, other.row))
                if pair in found:
                    continue
                older, newer = sorted((fact, other), key=lambda f: (f.begins, f.row))
                decision = decide(
                    claim_of(newer, behind.get(newer.row, ())), [claim_of(older, behind.get(older.row, ()))]
                )[0]
                if decision.verdict in FINDINGS:
                    found[pair] = (decision.verdict, decision.reason, False)
    nodes = store.nodes(sorted({row for pair in found for row in pair}))
    pairs = []
    for pair, (verdict, why, is_open) in found.items():
        two = sorted((nodes[row] for row in pair if row in nodes), key=lambda n: (_begins(n), n.recorded_at, n.id))
        if len(two) == 2:
            pairs.append(Meeting(_side(two[1], zone), _side(two[0], zone), verdict, why, is_open))
    return Meetings(tuple(pairs), len(mine))


def resolve(store: Store, space: str, left: str, right: str, verdict: str, reason: str, *, actor: str) -> Resolved:
    """Decide about two memories.

    Raises:
        NotFound: no such memory here. InvalidInput: the verdict is unknown or not possible.
    """
    verdict = SAID.get(verdict, verdict)
    if verdict not in get_args(Resolution):
        raise InvalidInput(
            "verdict", f"{verdict!r} is not known", f"one of {', '.join((*get_args(Resolution), *SAID))}"
        )
    if not isinstance(reason, str):
        raise InvalidInput("reason", "must be text")
    if left == right:
        raise InvalidInput("right", "is the same memory as left", "give two different ids")
    a, b = store.node(space, left)[0], store.node(space, right)[0]
    why = clean(reason).strip()[:REASON] or verdict
    return store.run(lambda tx: _Case(tx, space, actor, why).resolve((a, left), (b, right), verdict))


def settle(tx: Tx, space: str, kept: int, gone: int, verdict: str, why: str, *, actor: str) -> None:
    """Decide about two rows within a transaction: one ``supersedes`` the other, or the other is its ``duplicate``.

    Raises:
        InvalidInput: what would go begins later, was confirmed, or is trusted more.
    """
    case = _Case(tx, space, actor, why)
    (case._merge if verdict == "duplicate" else case._end)(gone, kept)
    case._close(kept, gone, verdict)


@dataclass(slots=True)
class _Case:
    """One decision, in one transaction."""

    tx: Tx
    space: str
    actor: str
    why: str

    def resolve(self, left: tuple[int, str], right: tuple[int, str], verdict: str) -> Resolved:
        if verdict == "keep_right":
            left, right = right, left
        changed = False
        if verdict == "supersedes":
            changed = self._end(right[0], left[0])
        elif verdict == "duplicate":
            changed = self._merge(right[0], left[0])
        elif verdict != "coexists":
            changed = self._reject(right[0], left[0])
        closed = self._close(left[0], right[0], verdict)
        if verdict == "coexists":
            return Resolved(verdict, (left[1], right[1]), None, closed)
        return Resolved(verdict, (left[1],), right[1], changed)

    def _end(self, old: int, new: int) -> bool:
        was, until, began = self._belief(old), self._begin(new), self._begin(old)
        if until < began:
            raise InvalidInput("left", "begins before right", "the later one supersedes: swap the two")
        if was["valid_until"] is not None and was["valid_until"] <= until:
            return False
        self._may_go(was, new)
        stability = was["stability"]
        facts.supersede(
            self.tx, self.tx.space(self.space), old, new, until, confidence=ENDED_CONFIDENCE,
            stability=stability * ENDED_STABILITY if stability else None, actor=self.actor, why=self.why,
        )  # fmt: skip
        return True

    def _merge(self, same: int, kept: int) -> bool:
        was = self._belief(same)
        if was["hidden_at"] is not None:
            return False
        self._may_go(was, kept)
        merging.merge(self.tx, self.tx.space(self.space), same, kept, actor=self.actor, why=self.why)
        return True

    def _reject(self, wrong: int, right: int) -> bool:
        was = self._belief(wrong)
        if was["hidden_at"] is not None:
            return False
        self._may_go(was, right)
        follow = sorted(facts.dependents(self.tx.connection, [wrong]))
        self._hide(wrong, "rejected", "false")
        self.tx.hide(self.space, follow, "source false", actor=self.actor)
        return True

    def _hide(self, row: int, act: str, hidden_why: str) -> None:
        values = {"hidden_at": self.tx.clock.now(), "hidden_why": hidden_why}
        facts.alter(self.tx, self.tx.space(self.space), row, act, values, actor=self.actor, why=self.why)

    def _close(self, a: int, b: int, verdict: str) -> bool:
        """The open conflict between the two is settled; whether there was one."""
        return facts.settle(self.tx, a, b, f"{verdict}: {self.why}")

    def _may_go(self, loser: Mapping[str, Any], winner: int) -> None:
        """A confirmed memory, or one that is trusted more, is ended by a person only."""
        if self.actor == PERSON:
            return
        if "confirmed_at" in json.loads(loser["attributes"] or "{}"):
            raise InvalidInput("verdict", "would end a memory that the user confirmed", "ask the user")
        if loser["trust"] > self._belief(winner)["trust"] + 1e-9:
            raise InvalidInput("verdict", "would end a memory by a less trusted one", "ask the user")

    def _belief(self, row: int) -> dict[str, Any]:
        found = facts.belief(self.tx, row)
        if found is None:
            raise NotFound("memory", str(row))
        return found

    def _begin(self, row: int) -> int:
        return facts.begins(self.tx, row)


def _live(fact: Fact) -> bool:
    return fact.hidden_at is None and fact.valid_until is None


def _begins(node: Node) -> int:
    return node.event_time if node.valid_from is None else node.valid_from


def _side(node: Node, zone: tzinfo) -> Side:
    since = to_datetime(_begins(node), zone).isoformat(timespec="seconds")
    return Side(node.id, node.content, since, node.trust, "confirmed_at" in node.attributes)


__all__ = ["Meeting", "Meetings", "Resolution", "Resolved", "Side", "detect", "resolve", "settle"]
