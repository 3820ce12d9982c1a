"""Remarks in passing against the known preferences of who makes them: "I think I'm over Italian food for now".

The rules read what is stated; most changes of taste are not. What a remark means for known preferences is decided by
:mod:`.preferences`, before the transaction, because it may ask an embedder.

Only what the user says to an assistant is read so, where a remark is a wish. In talk among people ("I haven't danced in
ages", "no worries") the same words end nothing: on LoCoMo all of 18 preferences that they ended were still true.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ..embed import Embedder
from ..store import facts
from ..store.facts import Fact
from ..store.sqlite import SqliteStore
from ..text.names import alias
from . import preferences
from .claims import USER, Candidate, Claim, Said
from .preferences import Near
from .slots import object_key
from .write import ENDED_CONFIDENCE, Page, claim_of

log = logging.getLogger("mnemic.consolidate")

TASTES = ("likes", "dislikes", "prefers", "favorite")
#: What else tells of somebody's ways: "Tom doesn't drink coffee any more" says nothing of the speaker's.
WAYS = (*TASTES, "habit", "diet", "uses")
LONGEST = 240  # characters of a remark; what is longer is no remark in passing
SHOWN = 300  # characters of it that are kept as the quote


@dataclass(frozen=True, slots=True)
class Remark:
    """What one message means for preferences known before: ids of those that it repeats and that it ends.

    ``narrower``: words of the values that it speaks of itself; a preference that has fewer words is wider, and stays.
    """

    source: str
    repeats: tuple[str, ...]
    ends: Mapping[str, str]
    narrower: tuple[frozenset[str], ...] = ()


def nearness(embedder: Embedder | None) -> Near | None:
    """Closeness by meaning, each text embedded once; ``None`` without an embedder."""
    if embedder is None:
        return None
    vectors: dict[str, object] = {}

    def near(a: str, b: str) -> float:
        for text in (a, b):
            if text not in vectors:
                vectors[text] = embedder.embed([text], kind="document")[0]
        return float(vectors[a] @ vectors[b])  # type: ignore[operator]

    return near


def read(store: SqliteStore, space: str, page: Iterable[Said], near: Near | None) -> list[Remark]:
    """The remarks of a page that speak of preferences known before it."""
    out: list[Remark] = []
    known: dict[str, list[Claim]] = {}
    for said in page:
        who = said.speaker or USER
        if who.casefold() != USER or said.role != "user" or said.third_party or len(said.text) > LONGEST:
            continue
        if "?" in said.text and _ASKS_OF_ME.search(said.text):
            continue
        if who not in known:
            known[who] = _tastes(store, space, who)
        before = [claim for claim in known[who] if claim.valid_from < said.at]
        if not before or not preferences.touches(said.text, before):
            continue
        try:
            reading = preferences.read(said.text, before, at=said.at, near=near)
        except Exception as error:  # an embedder that is out of order: the remark stays in its message
            log.warning("a remark could not be compared: %s", type(error).__name__)
            continue
        ends = {d.target: d.reason for d in reading.decisions if d.verdict == "supersedes" and d.target}
        repeats = tuple(d.target for d in reading.decisions if d.verdict == "duplicate" and d.target)
        if ends or repeats:
            out.append(Remark(said.id, repeats, ends))
    return out


#: Questions about the speaker's own taste: nothing is wished for, and nothing taken back.
_ASKS_OF_ME = re.compile(
    r"\b(?:do|did|am|was|would|should|will) i\b[^.!]*\?|\b(?:do|did) you (?:think|know|remember|believe)\b[^.!]*\?"
    r"|\b(?:ты|вы) (?:думаешь|считаешь|помнишь|знаешь|думаете|считаете|помните|знаете)\b[^.!]*\?|\bли я\b[^.!]*\?"
    r"|\bя (?:не )?(?:люблю|ненавижу|обожаю|разлюбил[аи]?)\b[^.!]*\?",
    re.I,
)


def of_the_speaker(remarks: Iterable[Remark], read: Iterable[Candidate]) -> list[Remark]:
    """The remarks but those of messages in which only the taste of somebody else was read ("Vera is over jazz")."""
    tastes: dict[str, set[str]] = {}
    values: dict[str, list[frozenset[str]]] = {}
    for candidate in read:
        if candidate.predicate in WAYS:
            tastes.setdefault(candidate.source, set()).add(candidate.subject)
        if candidate.predicate in TASTES:
            values.setdefault(candidate.source, []).append(frozenset(object_key(candidate.object).split()))
    return [
        replace(remark, narrower=tuple(values.get(remark.source, ())))
        for remark in remarks
        if USER in tastes.get(remark.source, {USER})
    ]


def _tastes(store: SqliteStore, space: str, who: str) -> list[Claim]:
    found = [no for no, entity in store.entities(space, alias(who)) if entity.type == "person"]
    with store.reader() as r:
        stored = [fact for no in found for fact in facts.facts_of(r, no, TASTES)]
        behind = facts.evidence_of(r, [fact.row for fact in stored])
    return [
        _as_written(f, claim_of(f, behind.get(f.row, ())))
        for f in stored
        if f.hidden_at is None and f.valid_until is None
    ]


def _as_written(fact: Fact, claim: Claim) -> Claim:
    """A preference with the words of its value and scope: folded, "topic: kind" and what stands in brackets are lost."""
    return replace(claim, object=fact.value or claim.object, scope=str(fact.attributes.get("scope", claim.scope)))


def write(page: Page, remarks: Iterable[Remark]) -> None:
    """Note what remarks mean, where the page's own facts have not changed it already."""
    for remark in remarks:
        said, row = page.said[remark.source], page.rows[remark.source]
        rows = page.tx.connection.execute(facts.F.rows_of, (json.dumps([*remark.ends, *remark.repeats]),)).fetchall()
        for fact in facts.facts_in(page.tx.connection, [n for (n,) in rows]).values():
            if fact.hidden_at is not None or fact.valid_until is not None or fact.begins >= said.at:
                continue
            if fact.id in remark.repeats:
                page.counts["duplicate"] += facts.support(
                    page.tx, fact.row, row, said.text[:SHOWN], relation="supports"
                )
            elif any(set(fact.object.split()) < value for value in remark.narrower):
                continue  # "I hate hiking in the rain"
            elif "confirmed_at" not in fact.attributes and fact.trust <= said.trust:
                values = {"valid_until": said.at, "closed_at": page.tx.clock.now(), "confidence": ENDED_CONFIDENCE}
                why = remark.ends[fact.id]
                facts.alter(page.tx, page.space, fact.row, "superseded", values, actor=page.actor, why=why)
                facts.link(page.tx, row, "contradicts", fact.row)
                page.counts["ended by a remark"] += 1
