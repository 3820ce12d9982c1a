"""The phase that finds causes: pairs of messages of which one says outright why the other is so.

A message that gives a reason (:mod:`mnemic.text.causes`) is judged once, beside the message before it in its session. Where
the reason points back to that message, or repeats its words, the edge joins the two messages. Where cause and effect both
stand in the one message, the edge joins the facts that were read out of its two parts; where there are none, no edge is
made: the message says all of it itself, and is found as it is.

Where a model is set it judges every such pair, also those whose words alone are not enough ("so", "since"); what it says
counts only with a verbatim quote that holds the words. What was judged is not judged again, with or without result.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..clock import to_datetime
from ..errors import LLMError, LLMMalformed, LLMRefused
from ..llm.asking import Asker, Budget, BudgetSpent
from ..llm.base import LLM, Answer
from ..llm.prompt import Prompt
from ..llm.reading import values
from ..models import Act, Node
from ..phase import PhaseContext, PhaseResult
from ..store import graph, ledger
from ..store.base import Store
from ..store.columns import Columns
from ..store.tx import Tx
from ..text.analyse import terms
from ..text.causes import Reason, Span, asks, asks_why, between, reasons
from ..text.lasting import filler
from .quotes import Source, without_recalled

__all__ = ["CONFIDENCE", "PAIRS", "Causes"]

log = logging.getLogger("mnemic.consolidate")

CONFIDENCE = 0.7  # of a causal edge (design §5)
PAIRS = 50  # judged on one local day
BUDGET = Budget(calls=2 * PAIRS, tokens=200_000)  # of one night
PAGE = 500  # messages looked through between two questions whether to stop
MOST_LINKS = 4  # between the facts of one message
RULES = "rules/1"
#: Roles whose messages neither give reasons nor stand between two that do.
ASIDE = ("system", "tool")
ACROSS = 4  # messages back at the most, of those that stand between what the user says and why
REMARK = 0.25  # from here on what the assistant says in between is a mere remark (:mod:`..text.lasting`)
_ROOM = 300  # tokens set aside for an answer
_SHOWN = 4_000  # characters of a message that a model sees


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge to be written, by row numbers, with the words that say so."""

    cause: int
    effect: int
    word: str
    quote: str


@dataclass(slots=True)
class _State:
    """How far the phase has come: the last row looked at, and how many pairs were judged on a local day."""

    upto: int
    day: str
    judged: int


class _Enough(Exception):
    """The pairs of this day are judged, and one more waits."""


class _ModelDown(Exception):
    """The model cannot be used in this night."""


@dataclass(frozen=True, slots=True)
class Causes:
    """The phase.

    Args:
        model: gives the language model that judges, if any. pairs: how many are judged on one local day. budget: of the model, for one night.
    """

    model: Callable[[], LLM | None] = lambda: None
    pairs: int = PAIRS
    budget: Budget = BUDGET

    def __call__(self, store: Store, space: str, night: PhaseContext) -> PhaseResult:
        return _Run(self, store, space, night).run()


class _Run:
    """One night of one space."""

    def __init__(self, phase: Causes, store: Store, space: str, night: PhaseContext) -> None:
        self.phase, self.store, self.space, self.night = phase, store, space, night
        self.job = f"causal:{space}"
        self.out = PhaseResult()
        llm = phase.model()
        self.judge = _Judge(llm, phase.budget) if llm is not None else None
        self.made_by = self.judge.name if self.judge else RULES
        self.state = self._state()

    def run(self) -> PhaseResult:
        columns = self.store.columns(self.space)
        mask = columns.visible(None, None, self.night.now) & (columns.kind == columns.code("kind", "episodic"))
        mask &= ~np.isin(columns.role, [columns.code("role", role) for role in ASIDE])
        due = np.flatnonzero(mask & (columns.row > self.state.upto))
        before = columns.neighbours()[0]
        try:
            for start in range(0, len(due), PAGE):
                if self.night.stop() or not self._page(columns, mask, before, due[start : start + PAGE]):
                    self.out.finished = False
                    break
                self.night.progress(min(start + PAGE, len(due)), len(due))
        except _Enough:  # for today: a night that stops for it has come to its end
            self.out.note = f"{self.phase.pairs} pairs were judged today; the next ones wait for another day"
        except _ModelDown as error:
            self.out.note = f"the model could not be asked: {error}"
        self.out.counts.update(self.judge.receipt() if self.judge else {})
        return self.out

    def _page(
        self, columns: Columns, mask: NDArray[np.bool_], before: NDArray[np.int64], places: NDArray[np.int64]
    ) -> bool:
        """Look through some messages; false when it was stopped on the way."""
        rows = columns.row[places].tolist()
        nodes = self.store.nodes(rows)
        for place, row in zip(places.tolist(), rows, strict=True):
            node = nodes.get(row)
            found = [] if node is None or node.third_party else self._reasons(without_recalled(node.content))
            if not found or node is None:
                continue
            if self.night.stop():
                return False
            if self.state.judged >= self.phase.pairs:
                self._save([], row - 1)
                raise _Enough
            earlier, previous, asked = self._before(columns, mask, before, place, node)
            edges = self._judged(row, node, earlier, previous, found, asked)
            self.state.judged += 1
            self.out.counts["judged"] += 1
            self._save(edges, row, node)
        self._save([], rows[-1])
        return True

    def _before(
        self, columns: Columns, mask: NDArray[np.bool_], before: NDArray[np.int64], place: int, node: Node
    ) -> tuple[int | None, Node | None, bool]:
        """What was said before a message, and whether it was asked why.

        What the assistant says in between ("Sorry to hear that.", "Why?") explains nothing, nor is it explained: the user
        gives the reason for what he himself said before it.
        """
        asked = False
        at = int(before[place])
        for _ in range(ACROSS):
            if at < 0:
                break
            row = int(columns.row[at])
            found = self.store.nodes([row]).get(row) if mask[at] else None
            if found is not None:
                aside = node.role == "user" and found.role == "assistant"
                why = aside and asks_why(found.content)
                if not aside or not (why or filler([found.content])[0] >= REMARK):
                    return row, found, asked
                asked = asked or why
            at = int(before[at])
        return None, None, asked

    def _reasons(self, text: str, *, answers: bool = False) -> list[Reason]:
        return reasons(text, answers=answers, sure=self.judge is None)

    def _judged(
        self, row: int, node: Node, earlier: int | None, previous: Node | None, found: Sequence[Reason], asked_why: bool
    ) -> list[Edge]:
        said = without_recalled(previous.content) if previous is not None else ""
        text = without_recalled(node.content)
        if asked_why or (asks(said) and asks_why(said)):
            found = self._reasons(text, answers=True)
        out: list[Edge] = []
        if self.judge is not None:
            given = self.judge.ask(said, text, found)
            sides = [given] if given else []
        else:
            asked = node.role == "assistant"
            sides = [(reason, between(said, text, reason, asked=asked) if said else None) for reason in found]
        for reason, side in sides:
            if side == "before" and earlier is not None:
                out.append(Edge(earlier, row, reason.word, reason.quote))
            elif side == "text" and earlier is not None:
                out.append(Edge(row, earlier, reason.word, reason.quote))
            elif reason.cause and reason.effect:
                out += self._inside(row, text, reason, reason.cause, reason.effect)
        first: dict[frozenset[int], Edge] = {}  # two sentences of one message do not turn the arrow around
        for edge in out:
            first.setdefault(frozenset((edge.cause, edge.effect)), edge)
        return list(first.values())

    def _inside(self, row: int, text: str, reason: Reason, cause: Span, effect: Span) -> list[Edge]:
        """Edges between the facts that were read out of the two parts of a reason."""
        facts = self.store.nodes([found.row for found in self.store.derived([row])])
        now = self.night.now
        alive = {
            n: f for n, f in facts.items() if f.hidden_at is None and (f.valid_until is None or f.valid_until > now)
        }
        first, second = set(terms(text[slice(*cause)])), set(terms(text[slice(*effect)]))
        sides: tuple[list[int], list[int]] = [], []
        for n, fact in sorted(alive.items()):
            words = set(terms(fact.object or ""))
            if words and (words <= first) != (words <= second):
                sides[0 if words <= first else 1].append(n)
        links = [Edge(a, b, reason.word, reason.quote) for a in sides[0] for b in sides[1]]
        return links if len(links) <= MOST_LINKS else []

    # -- the ledger ---------------------------------------------------------------------------------------------------

    def _state(self) -> _State:
        saved = self.store.noted(self.job) or {}
        day = to_datetime(self.night.now, self.night.zone).date().isoformat()
        return _State(int(saved.get("upto", 0)), day, int(saved.get("judged", 0)) if saved.get("day") == day else 0)

    def _save(self, edges: Sequence[Edge], upto: int, said_in: Node | None = None) -> None:
        """Write what one pair gave, and that it was judged, in one transaction."""
        self.state.upto = max(self.state.upto, upto)
        if self.night.dry_run:
            self._tell(edges, [None] * len(edges), would=True)
            return

        def write(tx: Tx) -> list[int | None]:
            space = tx.space(self.space)
            wanted = {row for edge in edges for row in (edge.cause, edge.effect)}
            there = tx.there(wanted)
            numbers = [
                graph.put_cause(
                    tx, space, edge.cause, edge.effect, word=edge.word, quote=edge.quote,
                    said_in=said_in.id if said_in else "", confidence=CONFIDENCE, made_by=self.made_by,
                    actor=self.night.actor,
                )
                if {edge.cause, edge.effect} <= there else None
                for edge in edges
            ]  # fmt: skip
            ledger.note(tx, self.job, asdict(self.state))
            return numbers

        self._tell(edges, self.store.run(write))

    def _tell(self, edges: Sequence[Edge], numbers: Sequence[int | None], *, would: bool = False) -> None:
        if not edges:
            return
        nodes = self.store.nodes([row for edge in edges for row in (edge.cause, edge.effect)])
        for edge, number in zip(edges, numbers, strict=True):
            if (number is not None or would) and edge.cause in nodes and edge.effect in nodes:
                why = f"said so: {edge.word}"
                self.out.acts.append(Act("causal", nodes[edge.effect].id, why, nodes[edge.cause].id, number))
                self.out.counts["causal"] += 1


class _Judge:
    """Asks a model about one pair at a time, and checks what it answers."""

    def __init__(self, llm: LLM, budget: Budget) -> None:
        self._prompt = Prompt.load("causal.v1")
        self._asker = Asker(llm, budget)
        self._unreadable = 0
        self.name = f"llm:{llm.name}/{self._prompt.name}"

    def receipt(self) -> Mapping[str, int]:
        """What it has cost, and how many answers could not be used."""
        return {"calls": self._asker.calls, "tokens": self._asker.tokens, "unreadable": self._unreadable}

    def ask(self, before: str, text: str, found: Sequence[Reason]) -> tuple[Reason, Any] | None:
        """The reason as the model sees it and which message is the cause ("before", "text", ``None``: both inside).

        Raises:
            _ModelDown: it cannot be asked in this night; the pair waits for the next.
        """
        shown = {
            "a": json.dumps(before[:_SHOWN], ensure_ascii=False),
            "b": json.dumps(text[:_SHOWN], ensure_ascii=False),
        }
        try:
            return self._asker.ask(
                self._prompt.messages(shown), self._prompt.schema, lambda answer: _checked(answer, text, found), tries=2,
                room=_ROOM,
            )  # fmt: skip
        except (LLMMalformed, LLMRefused) as error:
            log.info("%s: a pair was not judged: %s", self.name, type(error).__name__)
            self._unreadable += 1
            return None
        except (LLMError, BudgetSpent) as error:
            raise _ModelDown(type(error).__name__) from None


def _checked(answer: Answer, text: str, found: Sequence[Reason]) -> tuple[Reason, Any] | None:
    """What an answer says, as far as the later message bears it out.

    Raises:
        LLMMalformed: it is no answer to the question.
    """
    for value in values(answer):
        relation = value.get("relation") if isinstance(value, dict) else None
        if relation == "none":
            return None
        if relation not in ("a_caused_b", "b_caused_a", "inside_b"):
            continue
        source = Source(text)
        parts = {name: source.find(str(value.get(name) or "")) for name in ("quote", "cause", "effect")}
        quote = parts["quote"]
        near = next((r for r in found if quote and (quote in r.quote or r.quote in quote)), None)
        if near is None:
            return None  # no explicit words where the model sees them
        if relation == "inside_b":
            if not parts["cause"] or not parts["effect"]:
                return None
            spans = [(at := text.find(str(parts[name])), at + len(str(parts[name]))) for name in ("cause", "effect")]
            return Reason(near.word, near.quote, spans[0], spans[1], near.sure), None
        return Reason(near.word, near.quote, None, None, near.sure), "before" if relation == "a_caused_b" else "text"
    raise LLMMalformed("the answer names no relation")
