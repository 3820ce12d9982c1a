"""Put what was extracted into the memory: link, decide, write. One page of episodes is one transaction.

Pure decisions are :mod:`.decide` and :mod:`.link`; here they meet the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..clock import key_id
from ..store import facts
from ..store.facts import Evidence, Fact
from ..store.rows import NewNode
from ..store.tx import SpaceRow, Tx
from ..text.analyse import cyrillic, search_text
from ..text.feelings import sentence_around, valence
from ..text.names import alias
from . import fitting
from .claims import USER, Candidate, Claim, Decision, Extraction, Said
from .decide import Saying, decide
from .linking import Linker
from .slots import SLOTS, object_key

#: What is left of a fact that another one has ended: belief, and the part of its stability (design §5).
ENDED_CONFIDENCE = 0.3
ENDED_STABILITY = 0.5
#: Belief that a second, independent channel adds: the part of the doubt it takes away. Never certainty.
SECOND_SOURCE, MOST_CERTAIN = 0.5, 0.95
#: Why a fact is hidden when it was said to be wrong; the same episodes do not bring it back.
REJECTED = frozenset({"false", "forgotten", "corrected"})


def group_of(predicate: str) -> list[str]:
    """The predicate and those that speak of the same thing (likes, dislikes)."""
    group = SLOTS[predicate].group
    return [name for name, slot in SLOTS.items() if name == predicate or (group and slot.group == group)]


def claim_of(fact: Fact, evidence: Iterable[Evidence] = ()) -> Claim:
    """A stored fact as decisions see it."""
    behind = list(evidence)
    return Claim(
        id=fact.id,
        content=fact.content,
        subject=str(fact.entity),
        predicate=fact.predicate,
        object=fact.object,
        scope=fact.scope,
        valid_from=fact.begins,
        valid_until=fact.valid_until,
        trust=fact.trust,
        confidence=fact.confidence,
        origins=tuple(dict.fromkeys(e.origin for e in behind)) or (fact.origin,),
        sources=tuple(e.id for e in behind),
        protected="confirmed_at" in fact.attributes,
        hidden_why=fact.hidden_why if fact.hidden_at is not None else None,
        act="end" if fact.attributes.get("act") == "end" else "assert",
        replaces=fact.attributes.get("replaces"),
        speakers=frozenset(alias(who) for who in (fact.speaker, *(e.speaker for e in behind)) if who),
    )


@dataclass(slots=True)
class Outcome:
    """What became of one candidate: the row of the fact that stands for it, the verdict, rows it was compared with."""

    row: int
    verdict: str
    met: frozenset[int] = frozenset()


@dataclass(slots=True)
class Page:
    """Writes one page of episodes.

    Attributes:
        tx, space: where. rows: episode id → row. said: episode id → the episode. actor: who decides ("rules/1").
        anew: the messages were read before, maybe by another reader: of two readings the better supported one stays.
        open: pairs (newer row, older row) that contradict each other and could not be decided.
        counts: verdict → facts, and reason → dropped (``skipped``).
    """

    tx: Tx
    space: SpaceRow
    linker: Linker
    rows: Mapping[str, int]
    said: Mapping[str, Said]
    actor: str
    anew: bool = False
    open: list[tuple[int, int]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)

    def write(self, extraction: Extraction) -> None:
        """Write all of it, in the order in which it happened."""
        for named in extraction.entities:
            if named.source in self.rows:
                self.linker.named(named, self.rows[named.source], self.said[named.source].at)
        order = {id_: i for i, id_ in enumerate(self.rows)}
        for candidate in sorted(extraction.candidates, key=lambda c: (c.event_time, order.get(c.source, 0))):
            why = self.unfit(candidate)
            if not why and self.anew and not fitting.wins(self, candidate):
                why = "read better before"
            if why:
                self.skipped[why] += 1
                continue
            self.one(candidate)

    def unfit(self, candidate: Candidate) -> str:
        """Why a candidate cannot be used; empty when it can. The last guard, whoever extracted it."""
        said = self.said.get(candidate.source)
        if said is None or candidate.source not in self.rows:
            return "unknown episode"
        if candidate.predicate not in SLOTS:
            return "unknown predicate"
        if not candidate.subject.strip() or not (candidate.object.strip() or candidate.act == "end"):
            return "incomplete"
        if _flat(candidate.quote) not in _flat(said.text) or not candidate.quote.strip():
            return "quote not in its source"
        if candidate.subject == USER and said.third_party:
            return "about the user, by a third party"
        if (
            candidate.valid_from is not None
            and candidate.valid_until is not None
            and candidate.valid_until < candidate.valid_from
        ):
            return "ends before it begins"
        return ""

    def one(self, candidate: Candidate) -> Outcome:
        """Link, decide and write one candidate."""
        said, source = self.said[candidate.source], self.rows[candidate.source]
        entity = self.linker.subject(candidate, said, source)
        return self.settle(candidate, entity, said.trust, said.origin, (source, candidate.quote, said.id))

    def settle(
        self, candidate: Candidate, entity: int, trust: float, origin: str, evidence: tuple[int, str, str] | None,
        base: NewNode | None = None,
    ) -> Outcome:  # fmt: skip
        """Decide about a linked candidate and write it.

        Args:
            evidence: (row, quote, id) of the episode behind it; ``None`` for what was remembered by itself.
            base: the node as its writer prepared it, for what was remembered.
        """
        connection = self.tx.connection
        candidate = fitting.placed(candidate, lambda: facts.facts_of(connection, entity, fitting.OPEN_TO))
        if candidate.act == "end" and candidate.valid_until is not None:  # that it is over holds from then on
            candidate = replace(candidate, valid_from=candidate.valid_until, valid_until=None)
        known = facts.facts_of(connection, entity, group_of(candidate.predicate))
        candidate = fitting.dated(candidate, known)
        behind = facts.evidence_of(connection, [fact.row for fact in known])
        told = self.said.get(candidate.source)
        candidate = fitting.within(candidate, known, behind, told)
        candidate = fitting.named(candidate, known)
        speaker = base.speaker if base is not None else told.speaker if told is not None else None
        claim = Claim(
            id=None,
            content=candidate.content,
            subject=str(entity),
            predicate=candidate.predicate,
            object=object_key(candidate.object),
            scope=alias(candidate.scope),
            valid_from=candidate.event_time if candidate.valid_from is None else candidate.valid_from,
            valid_until=candidate.valid_until,
            trust=trust,
            confidence=candidate.confidence,
            origins=(origin,),
            sources=(evidence[2],) if evidence else (),
            act=candidate.act,
            replaces=object_key(candidate.replaces) if candidate.replaces else None,
            speakers=frozenset([alias(speaker)] if speaker else ()),
        )
        # "I moved to Riga in 2020" was still so when it was said: the time of the words counts beside that in them.
        said = {
            fact.id: [Saying(e.at, e.trust) for i, e in enumerate(behind[fact.row]) if i or e.at > fact.begins]
            for fact in known
            if fact.row in behind
        }
        decisions = decide(claim, [claim_of(fact, behind.get(fact.row, ())) for fact in known], said=said)
        by_id = {fact.id: fact for fact in known}
        said_so = [by_id[d.target] for d in decisions if d.verdict == "duplicate" and d.target in by_id]
        if (
            base is not None
        ):  # what was remembered in one language is found by its own words, and so stands beside the other
            said_so = [fact for fact in said_so if cyrillic(fact.content) == cyrillic(base.content)]
        same = said_so[0] if said_so else None
        if same is not None:
            outcome = self.again(same, candidate, trust, origin, evidence, behind)
            if same.hidden_at is None:  # what ends the new saying does not end the fact it repeats: that may be later
                self._resolve_all([d for d in decisions if d.ends != "new"], by_id, same.row, claim)
            return outcome
        row, written = self.put(candidate, claim, entity, trust, origin, evidence, base)
        if written != "stored":
            self.counts["duplicate" if written == "known" else "erased"] += 1
            return Outcome(row, "duplicate")
        verdict = self._resolve_all(decisions, by_id, row, claim)
        self._end_elsewhere(candidate, claim, entity, row)
        self.counts[verdict] += 1
        return Outcome(row, verdict, frozenset(by_id[d.target].row for d in decisions if d.target in by_id))

    def _end_elsewhere(self, candidate: Candidate, claim: Claim, entity: int, row: int) -> None:
        """End what is over under other predicates too (:attr:`Candidate.also`)."""
        for predicate in candidate.also:
            held = {fact.id: fact for fact in facts.facts_of(self.tx.connection, entity, [predicate])}
            over = replace(claim, predicate=predicate, act="end", object=claim.replaces or claim.object, replaces=None)
            self._resolve_all(decide(over, [claim_of(fact) for fact in held.values()]), held, row, over)

    def _resolve_all(self, decisions: Sequence[Decision], by_id: Mapping[str, Fact], row: int, claim: Claim) -> str:
        """Carry out every decision but that it is a duplicate; returns the last verdict that changed something."""
        verdict = "new"
        for decision in decisions:
            target = by_id.get(decision.target or "")
            if target is not None and decision.verdict not in ("coexists", "duplicate", "new"):
                self.resolve(decision, target, row, claim)
                verdict = decision.verdict
        return verdict

    def again(
        self, fact: Fact, candidate: Candidate, trust: float, origin: str, evidence: tuple[int, str, str] | None,
        behind: Mapping[int, Sequence[Evidence]],
    ) -> Outcome:  # fmt: skip
        """The same thing said again: evidence for what is known, no copy."""
        if fact.hidden_at is not None and fact.hidden_why in REJECTED:
            self.skipped["known to be wrong"] += 1
            if evidence is not None:  # these words are as little to be told as those it was read from before
                facts.support(self.tx, fact.row, evidence[0], evidence[1], relation="supports")
            return Outcome(fact.row, "duplicate")
        if evidence is not None and _recalled(fact, evidence[1], behind.get(fact.row, ())):
            self.skipped["our own words, recalled"] += 1
            return Outcome(fact.row, "duplicate")
        self.counts["duplicate"] += 1
        if evidence is None:
            return Outcome(fact.row, "duplicate")
        # A less trusted voice must not lower the trust of the fact, and may not raise it either: it only supports.
        # What was remembered by itself was derived from nothing, and does not go when such a message goes.
        read_out = any(e.relation == "derived_from" for e in behind.get(fact.row, ()))
        relation = "derived_from" if trust >= fact.trust and read_out else "supports"
        fresh = facts.support(
            self.tx, fact.row, evidence[0], evidence[1], relation=relation, confidence=candidate.confidence
        )
        if fresh:
            facts.use(self.tx, {fact.row: (0, candidate.event_time)})  # it was not last heard of when it was written
        others = {e.origin for e in behind.get(fact.row, ())} | {fact.origin}
        if fresh and origin not in others:
            doubt = (1 - fact.confidence) * (1 - SECOND_SOURCE * candidate.confidence * trust)
            certain = max(fact.confidence, min(MOST_CERTAIN, round(1 - doubt, 4)))
            values = {"confidence": certain}
            facts.alter(
                self.tx, self.space, fact.row, "evidence", values, actor=self.actor, why="said by another channel"
            )
        return Outcome(fact.row, "duplicate")

    def id_of(self, candidate: Candidate) -> str:
        """The id of the fact that a candidate becomes: the same reading of the same message has the same."""
        slot = f"{candidate.predicate}:{alias(candidate.scope)}:{object_key(candidate.object)}"
        return key_id(self.space.name, f"fact:{candidate.source}:{slot}:{candidate.act}")

    def support(self, row: int, candidate: Candidate) -> None:
        """Note the words of a candidate as evidence for a memory that its reader says they confirm."""
        said, source = self.said[candidate.source], self.rows[candidate.source]
        fact = facts.facts_in(self.tx.connection, [row]).get(row)
        if fact is None:  # remembered as a sentence, without a slot
            facts.support(self.tx, row, source, candidate.quote, relation="supports")
            return
        behind = facts.evidence_of(self.tx.connection, [row])
        self.again(fact, candidate, said.trust, said.origin, (source, candidate.quote, said.id), behind)

    def put(
        self, candidate: Candidate, claim: Claim, entity: int, trust: float, origin: str,
        evidence: tuple[int, str, str] | None, base: NewNode | None = None,
    ) -> tuple[int, str]:  # fmt: skip
        """Write the fact itself."""
        id_ = base.id if base is not None and base.id else self.id_of(candidate)
        if (there := self.tx.row_of(id_)) is not None:
            return there, "known"
        attributes: dict[str, Any] = {**candidate.attributes}
        for name, value in (
            ("scope", candidate.scope),
            ("granularity", candidate.granularity),
            ("holder", candidate.holder),
        ):
            if value:
                attributes[name] = value
        if candidate.act == "end":
            attributes["act"] = "end"
        if claim.replaces:  # an older note of it may come later
            attributes["replaces"] = claim.replaces
        if entity in self.linker.unclear:
            attributes["subject_could_be"] = list(self.linker.unclear[entity])
        if base is not None:
            node = replace(base, valid_from=claim.valid_from, attributes={**base.attributes, **attributes})
        else:
            node = NewNode(
                content=candidate.content,
                terms=search_text(candidate.content),
                event_time=candidate.event_time,
                kind=candidate.kind,
                label=candidate.label,
                id=id_,
                origin=origin,
                trust=trust,
                valid_from=claim.valid_from,
                confidence=candidate.confidence,
                valence=self._valence(candidate),
                attributes=attributes,
                made_by=candidate.made_by or self.actor,
            )
        node.subject, node.predicate, node.object = self.linker.name(entity), candidate.predicate, candidate.object
        row, outcome = facts.put(
            self.tx,
            self.space.name,
            node,
            entity=entity,
            scope=claim.scope,
            object=claim.object,
            evidence=[evidence[:2]] if evidence else (),
            actor=self.actor,
        )
        self.space = self.tx.space(self.space.name)
        if outcome == "stored":
            self.linker.mention(entity, row, candidate.event_time)
            if candidate.object_type:
                self.linker.object(candidate, row)
            if claim.valid_until is not None:
                values = {"valid_until": claim.valid_until, "closed_at": self.tx.clock.now()}
                facts.alter(self.tx, self.space, row, "ended", values, actor=self.actor, why="said so")
        return row, outcome

    def _valence(self, candidate: Candidate) -> float:
        """How a candidate is felt: as its extractor says, else by the sentence that states it."""
        if candidate.valence is not None:
            return candidate.valence
        said = self.said.get(candidate.source)
        return valence(sentence_around(said.text, candidate.quote) if said else candidate.quote)

    def resolve(self, decision: Decision, target: Fact, row: int, claim: Claim) -> None:
        """What a new fact does to a stored one."""
        at = decision.at if decision.at is not None else claim.valid_from
        carry_out(self.tx, self.space, decision, row, target.row, at, target.stability, self.actor)
        if decision.verdict == "conflict":
            self.open.append((row, target.row))


def carry_out(
    tx: Tx, space: SpaceRow, decision: Decision, new: int, old: int, at: int, stability: float | None, actor: str
) -> None:
    """Write what a new memory does to a stored one.

    Args:
        new, old: their rows. at: when one of them ends, microseconds. stability: of the old one.
    """
    why = decision.reason
    if decision.verdict == "conflict":
        facts.contradict(tx, new, old, why, decision.score)
    elif decision.verdict == "refines":
        values = {"hidden_at": tx.clock.now(), "hidden_why": "refined"}
        facts.alter(tx, space, old, "refined", values, actor=actor, why=why)
        facts.link(tx, new, "supersedes", old)
    elif decision.verdict == "supersedes" and decision.ends == "new":
        facts.supersede(tx, space, new, old, at, confidence=ENDED_CONFIDENCE, stability=None, actor=actor, why=why)
    elif decision.verdict == "supersedes":
        left = stability * ENDED_STABILITY if stability else None
        facts.supersede(tx, space, old, new, at, confidence=ENDED_CONFIDENCE, stability=left, actor=actor, why=why)


def _recalled(fact: Fact, quote: str, behind: Sequence[Evidence]) -> bool:
    """Whether a quote is the sentence that we made of a fact, come back in a prompt: nobody has said it so."""
    ours = _flat(fact.content)
    return ours in _flat(quote) and not any(ours in _flat(words) for e in behind for words in e.quotes)


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()
