"""CarMem maintenance: what a remark in passing does to a known preference: ``python bench/carmem.py [--through memory|pure] [--half dev|held|both] [--embedder NAME] [--errors] [--json FILE]``.

For each of the 690 questions the user's preferences are known: from their sessions by the rules, else remembered as
the answer path says. Then each of three remarks arrives by itself: one that repeats the preference, one that takes it
back, one that asks for something else. Counted are: *equal* kept as one, *negate* ended (that one and no other),
*different* handled (the new value is current, nothing else ended), and false retirements: any other preference ended,
or the preference ended by *equal*. Every second conversation was for tuning (``dev``). No language model.

Through ``memory`` each remark has a space of its own in which the preferences are known (handed in as an agent does);
it is observed and consolidated, and what the store holds afterwards counts. *equal*: no preference ended, nothing new
beside them. *different*: the old one was not taken for repeated and no other one ended; ``value named`` is the share in
which a current fact holds the new value (else only its message does). ``pure`` asks the function alone.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus import SHARED

from mnemic import Memory
from mnemic.config import Config
from mnemic.consolidate.claims import USER, Candidate, Claim, Said
from mnemic.consolidate.preferences import Near, read
from mnemic.models import KINDS as NODE_KINDS
from mnemic.testing import FrozenClock
from mnemic.text.analyse import terms

BASE = SHARED / "data" / "benchmarks" / "carmem"
KINDS = ("equal", "negate", "different")
#: Predicates of the rules that are preferences.
TASTES = frozenset({"likes", "dislikes", "prefers", "favorite"})
LATER = 1_000
DERIVED = tuple(kind for kind in NODE_KINDS if kind != "episodic")
BEFORE, AFTER, NOW = "2026-01-10T12:00:00Z", "2026-02-10T12:00:00Z", "2026-03-01T12:00:00Z"


def rows(part: str) -> list[dict[str, Any]]:
    """Documents or questions of the set."""
    with lzma.open(f"{BASE}.{part}.jsonl.xz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def halves(conversations: set[str]) -> dict[str, str]:
    """Conversation → ``dev`` or ``held``: every second in order of their names."""
    return {name: ("dev", "held")[i % 2] for i, name in enumerate(sorted(conversations))}


def from_answer(question: dict[str, Any]) -> Claim:
    """A preference as its answer path says it: category; topic; kind; value."""
    _, topic, kind, value = [part.strip() for part in question["answer"].split("; ", 3)]
    content = f"{topic}: {kind}: {value}"
    return Claim(question["qid"], content, USER, "prefers", value, f"{topic}: {kind}", valid_from=1, origins=("user",))


def from_rules(texts: list[str], extractor: Any) -> list[Candidate]:
    """Preferences that the rules read out of what the user said in a session."""
    page = [Said(str(i), text, 1) for i, text in enumerate(texts)]
    return [c for c in extractor.extract(page, {}).candidates if c.predicate in TASTES and c.subject == USER]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One remark: whether it was handled as it should be, and which preferences were wrongly ended."""

    kind: str
    right: bool
    false_ends: int
    named: bool


def judge(kind: str, question: dict[str, Any], known: list[Claim], near: Near | None) -> tuple[Outcome, str]:
    """Let one remark arrive."""
    maintenance = question["maintenance"]
    text = maintenance[f"question_{kind}_preference"]
    reading = read(text, known, at=LATER, near=near)
    mine = question["qid"]
    ended = {d.target for d in reading.decisions if d.verdict == "supersedes"}
    kept = {d.target for d in reading.decisions if d.verdict == "duplicate"}
    false_ends = len(ended - {mine}) + (kind == "equal" and mine in ended)
    if kind == "equal":
        right = not ended and not reading.asserts  # no second fact, none ended
    elif kind == "negate":
        right = ended == {mine}
    else:
        # The value asked for may be known already, as another preference.
        wanted = set(terms(maintenance["different_attribute"]))
        there = any(c.id in kept and c.id != mine and wanted <= set(terms(c.object)) for c in known)
        right = (bool(reading.asserts) or there) and not ended - {mine} and mine not in kept
    wanted = {t for t in terms(maintenance["different_attribute"]) if len(t) > 2}
    named = bool(wanted & set(terms(reading.asserts)))
    note = f"{[(d.verdict, d.reason, '*' if d.target == mine else next(c.content for c in known if c.id == d.target)) for d in reading.decisions]} + {reading.asserts!r}"
    return Outcome(kind, right, false_ends, named), note


def told(memory: Memory, space: str, kind: str, question: dict[str, Any], known: list[Claim]) -> tuple[Outcome, str]:
    """Let one remark arrive in a memory that knows the preferences."""
    maintenance = question["maintenance"]
    texts = {c.id or "": c.content for c in known}
    said = {
        id_: memory.observe(text, session="before", at=BEFORE, origin="user", space=space).id
        for id_, text in texts.items()
    }
    workflow = memory.workflow(space=space)
    batch = workflow.save_nodes_batch(
        "before",
        [
            {
                "source": said[c.id or ""], "quote": c.content, "content": c.content, "predicate": c.predicate,
                "object": c.object, "scope": c.scope,
            }
            for c in known
        ],
    )  # fmt: skip
    workflow.mark_session_consolidated("before")
    ids = {c.id or "": node.id for c, node in zip(known, batch.saved, strict=True)}
    names = {node: id_ for id_, node in ids.items()}
    remark = memory.observe(maintenance[f"question_{kind}_preference"], session="after", at=AFTER, space=space)
    memory.consolidate(session="after", space=space)
    live = memory.timeline(space=space, kinds=DERIVED, limit=1_000)
    current = {node.id for node in live}
    ended = {id_ for node, id_ in names.items() if node not in current}
    kept = {id_ for node, id_ in names.items() if any(
        e.node.id == remark.id for e in memory.explain(node, space=space).evidence)}  # fmt: skip
    mine = question["qid"]
    added = [node for node in live if node.id not in names]
    false_ends = len(ended - {mine}) + (kind == "equal" and mine in ended)
    wanted = {t for t in terms(maintenance["different_attribute"]) if len(t) > 2}
    held = [texts[id_] for id_ in names.values() if id_ not in ended] if kind == "different" else []
    named = bool(wanted) and any(wanted & set(terms(text)) for text in [*(n.content for n in added), *held])
    right = {
        "equal": not ended and not added,
        "negate": ended == {mine},
        "different": not ended - {mine} and mine not in kept,
    }[kind]
    note = f"ended {[texts[i] for i in ended]}, repeated {[texts[i] for i in kept]}, new {[n.content for n in added]}"
    return Outcome(kind, right, false_ends, named), note


def nearness(name: str) -> Near | None:
    """Cosine by an embedder, remembered; ``None`` without one."""
    from mnemic.embed import resolve

    embedder = resolve(name) if name != "none" else None
    if embedder is None:
        return None
    vectors: dict[str, Any] = {}

    def near(a: str, b: str) -> float:
        for text in (a, b):
            if text not in vectors:
                vectors[text] = embedder.embed([text], kind="document")[0]
        return float(vectors[a] @ vectors[b])

    return near


def table(outcomes: list[Outcome]) -> dict[str, Any]:
    """Shares of what was right, by kind, and of remarks with a false retirement."""
    out: dict[str, Any] = {"remarks": len(outcomes)}
    for kind in KINDS:
        mine = [o for o in outcomes if o.kind == kind]
        out[kind] = round(sum(o.right for o in mine) / len(mine), 4)
    different = [o for o in outcomes if o.kind == "different"]
    out["different, value named"] = round(sum(o.right and o.named for o in different) / len(different), 4)
    out["false retirements"] = round(sum(o.false_ends > 0 for o in outcomes) / len(outcomes), 4)
    return out


def known_of(
    questions: list[dict[str, Any]], said: dict[str, list[str]], extractor: Any
) -> tuple[list[Claim], Counter[str]]:
    """The preferences of one conversation, and where each came from."""
    known: list[Claim] = []
    origin: Counter[str] = Counter()
    for question in questions:
        answer = from_answer(question)
        found = from_rules(said[question["evidence"][0]], extractor) if extractor is not None else []
        wanted = set(terms(question["answer"].split("; ", 3)[3]))
        hit = next((c for c in found if wanted & set(terms(c.object))), None)
        if hit is None:
            known.append(answer)
            origin["other value read" if found else "nothing read"] += 1
        else:
            known.append(
                Claim(
                    answer.id, hit.content, USER, hit.predicate, hit.object, hit.scope, valid_from=1, origins=("user",)
                )
            )
            origin["rules"] += 1
    return known, origin


def rules() -> Any:
    """The extractor."""
    from mnemic.consolidate.rules import Rules

    return Rules()


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--through", choices=("memory", "pure"), default="memory")
    parser.add_argument("--half", choices=("dev", "held", "both"), default="both")
    parser.add_argument("--known", choices=("rules", "answers"), default="rules", help="where preferences come from")
    parser.add_argument("--embedder", default="auto")
    parser.add_argument("--errors", action="store_true", help="list what went wrong (dev half only)")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    began = time.perf_counter()
    pure = arguments.through == "pure"
    near = nearness(arguments.embedder) if pure else None
    memory = Memory(":memory:", embedder=arguments.embedder, config=Config(background=False), clock=FrozenClock(NOW))
    extractor: Callable[..., Any] | None = rules() if arguments.known == "rules" else None
    said: dict[str, list[str]] = defaultdict(list)
    for row in rows("docs"):
        if row["speaker"] == "USER":
            said[row["session"]].append(row["text"])
    conversations: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for question in rows("queries"):
        conversations[question["conv"]].append(question)
    half = halves(set(conversations))
    outcomes: dict[str, list[Outcome]] = {"dev": [], "held": []}
    origins: Counter[str] = Counter()
    for conversation, questions in conversations.items():
        if arguments.half not in ("both", half[conversation]):
            continue
        known, origin = known_of(questions, said, extractor)
        origins.update(origin)
        for question in questions:
            for kind in KINDS:
                space = f"{question['qid']} {kind}"
                outcome, note = (
                    judge(kind, question, known, near) if pure else told(memory, space, kind, question, known)
                )
                outcomes[half[conversation]].append(outcome)
                if arguments.errors and half[conversation] == "dev" and (not outcome.right or outcome.false_ends):
                    text = question["maintenance"][f"question_{kind}_preference"]
                    print(f"{kind}{' FALSE' if outcome.false_ends else ''} | {question['answer']} | {text} | {note}")
    memory.close()
    results = {name: table(found) for name, found in outcomes.items() if found}
    if len(results) == 2:
        results["both"] = table(outcomes["dev"] + outcomes["held"])
    total = sum(origins.values())
    shares = {name: round(count / total, 4) for name, count in sorted(origins.items())}
    print(f"preferences known: {shares}; {time.perf_counter() - began:.1f} s")
    columns = [*KINDS, "different, value named", "false retirements"]
    print(f"{'half':<6}{'remarks':>8}" + "".join(f"{name:>24}" for name in columns))
    for name, values in results.items():
        print(f"{name:<6}{values['remarks']:>8}" + "".join(f"{values[c]:>24.3f}" for c in columns))
    if arguments.json:
        report = {"known": shares, "halves": results, "embedder": arguments.embedder, "through": arguments.through}
        arguments.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
