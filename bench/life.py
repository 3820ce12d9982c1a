"""Day 40 of a life: ``python bench/life.py [--by rules|none|agent] [--only en] [--show WORDS] [--json FILE]``.

Three hand-made lives (``bench/lives``) of twenty conversations each are lived through under a clock of their own, as an
agent would: every message of the user first asks for its context block and is then told to the memory, the assistant's
answer after it; by night the memory sleeps. On day 40 the blocks of questions in other words are judged: does the right
answer stand there, before what has ended, and how much of the block is small talk.

A life is one JSON object a line, in the order of time:

- ``session`` with ``day`` and ``at`` opens a conversation;
- ``user`` or ``assistant``: a message of it. ``filler``: a greeting, thanks, an order to the assistant, an
  acknowledgement, small talk. ``facts``: what a careful agent would hand in about it (``save_nodes_batch``);
- ``act`` (``correct``, ``confirm``, ``forget``) with ``day`` and ``at``: what the user does about the fact that
  matches, or about the message ``told`` where no such fact is known. ``gone``: what no block may show afterwards;
- ``ask``: a question of day 40. ``now``: pattern of the right answer, or a list of which all must be there, as said in
  the message ``told``; ``stale``: of what was so before, as said in the message ``was``. One of the kind ``gone``
  tempts to show what was forgotten and has no answer; it counts for nothing else.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from mnemic import Config, Context, Memory, Node
from mnemic.evaluate import metrics
from mnemic.evaluate.run import AskedAt
from mnemic.models import KINDS

FOLDER = Path(__file__).resolve().parent / "lives"
LIVES = ("en", "ru", "coding")
ZONE = ZoneInfo("Europe/Berlin")
START = datetime(2026, 9, 1, tzinfo=ZONE)  # midnight of day 1
DAYS = 40
NIGHT, NOON = "03:05", "12:00"
FACTS = tuple(kind for kind in KINDS if kind != "episodic")
#: By any of these a line says itself that it is no longer so.
MARKS = ("until ", "since then", "changed since", "before")
PROFILE = "## About the user"
#: What is counted → what it is called, and the bar.
BARS: tuple[tuple[str, str, str], ...] = (
    ("answered", "answer in the block", ""),
    ("current_first", "current before stale", ""),
    ("filler", "filler lines", "≤ .05"),
    ("unmarked", "unmarked stale lines", "0"),
    ("gone", "forgotten, yet shown", "0"),
    ("profile", "profile present", "1.0"),
    ("echo", "prompt as a line", "0"),
    ("tokens", "tokens (median)", ""),
    ("none", "no block", "0"),
)
Row = dict[str, Any]


def at(day: int, clock: str) -> datetime:
    """A time of a day of the life, which begins with day 1."""
    hour, minute = map(int, clock.split(":"))
    return (START + timedelta(days=day - 1)).replace(hour=hour, minute=minute)


def read(name: str) -> tuple[list[Row], list[Row]]:
    """Messages and acts of a life, each with its day and time, and the questions about it."""
    events: list[Row] = []
    questions: list[Row] = []
    session, minute = {}, 0
    for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "session" in row:
            session, minute = row, 0
        elif "ask" in row:
            questions.append(row)
        elif "act" in row:
            events.append(row | {"session": None, "when": at(row["day"], row["at"])})
        else:
            role = "user" if "user" in row else "assistant"
            when = at(session["day"], session["at"]) + timedelta(minutes=minute)
            minute += 1
            events.append(
                row | {"role": role, "text": row[role], "when": when, **{k: session[k] for k in ("session", "day")}}
            )
    return events, questions


def asker(memory: Memory) -> Callable[[str, str], Context | None]:
    """``context`` told of the running session, where it can be told: its messages stand before the agent anyway."""
    known = inspect.signature(memory.context).parameters
    name = next((n for n in ("running", "session") if n in known), None)
    return lambda prompt, session: memory.context(prompt, **({name: session} if name else {}))


def live(memory: Memory, clock: AskedAt, events: Sequence[Row], by: str, days: int = DAYS) -> list[str]:
    """Live through the days, up to noon of the last; returns what was left out of what the agent handed in."""
    context, ids, refused = asker(memory), {}, []
    for day in range(1, days + 1):
        clock.at = _micros(at(day, NIGHT))
        if by != "none":
            memory.sleep()
        for key, told in groupby((e for e in events if e["day"] == day), key=lambda e: e["session"]):
            session = list(told)
            if key is None:
                for act in session:
                    clock.at = _micros(act["when"])
                    _act(memory, act, ids)
                continue
            facts: list[Row] = []
            for message in session:
                clock.at = _micros(message["when"])
                if message["role"] == "user":
                    context(message["text"], key)
                node = memory.observe(message["text"], role=message["role"], session=key)
                ids[message.get("id", "")] = node.id
                facts += [{"quote": message["text"], "source": node.id} | fact for fact in message.get("facts", ())]
            memory.flush()  # what the background does
            if by == "agent":
                steps = memory.workflow()
                if facts:
                    refused += [
                        f"{facts[d.index]['content']}: {d.reason}" for d in steps.save_nodes_batch(key, facts).dropped
                    ]
                steps.mark_session_consolidated(key)
    clock.at = _micros(at(days, NOON))
    return refused


def _micros(when: datetime) -> int:
    return int(when.timestamp()) * 1_000_000


def _act(memory: Memory, act: Row, ids: dict[str, str]) -> None:
    """Do what the user wants about a fact, found by its words as an agent would; else about the message."""
    target = ids[act["told"]]
    if "match" in act:
        hits = memory.recall(act["text"], kinds=FACTS).hits
        target = next((hit.node.id for hit in hits if re.search(act["match"], hit.node.content)), target)
    done: Node
    if act["act"] == "correct":
        done = memory.correct(target, act["new"])
    else:
        done = {"confirm": memory.confirm, "forget": memory.forget}[act["act"]](target)
    ids[act.get("id", "")] = done.id


def holds(patterns: str | Sequence[str], text: str) -> bool:
    """Whether all patterns are found in a text."""
    return all(re.search(p, text, re.I) for p in ([patterns] if isinstance(patterns, str) else patterns))


def lines(block: Context | None) -> list[str]:
    """What a block says, line by line, without its fence and titles."""
    return [line for line in block.text.splitlines() if not line.startswith(("<", "## "))] if block else []


def said(line: str, texts: Iterable[str]) -> bool:
    """Whether a line shows one of these messages: nothing else but a date before it and a remark after it."""
    body = line.split("] ", 1)[-1]
    return any(body == text or body.startswith(f"{text} (") for text in texts)


def judged(question: Row, block: Context | None, filler: Sequence[str], gone: Sequence[str]) -> Row:
    """What one block is worth."""
    shown, now, stale = lines(block), question["now"], question.get("stale")
    row: Row = {
        "ask": question["ask"], "kind": question["kind"], "none": block is None, "tokens": block.tokens if block else 0,
        "answered": holds(now, "\n".join(shown)), "lines": len(shown),
        "filler": sum(said(line, filler) for line in shown),
        "profile": block is not None and PROFILE in block.text,
        "gone": any(holds(pattern, line) for pattern in gone for line in shown),
    }  # fmt: skip
    if stale:
        # A profile asks for several values: any of them is current.
        some = now if isinstance(now, str) else "|".join(now)
        old = [i for i, line in enumerate(shown) if holds(stale, line) and not holds(some, line)]
        new = [i for i, line in enumerate(shown) if holds(some, line)]
        row["current_first"] = bool(new) and (not old or new[0] < old[0])
        row["unmarked"] = [shown[i] for i in old if not any(mark in shown[i] for mark in MARKS)]
    return row


def examine(memory: Memory, events: Sequence[Row], questions: Sequence[Row]) -> list[Row]:
    """Ask all questions, each in a conversation of its own; then each once more when it has been told already."""
    context = asker(memory)
    filler = list({e["text"] for e in events if e.get("filler")})
    gone = [e["gone"] for e in events if "gone" in e]
    blocks = [context(q["ask"], f"question {i}") for i, q in enumerate(questions)]
    rows = [judged(q, block, filler, gone) | {"block": block.text if block else None}
            for q, block in zip(questions, blocks, strict=True)]  # fmt: skip
    for i, row in enumerate(rows):
        memory.observe(row["ask"], session=f"question {i}")
        row["echo"] = any(said(line, [row["ask"]]) for line in lines(context(row["ask"], f"question {i}")))
    return rows


def run(name: str, by: str, embedder: str, days: int = DAYS) -> tuple[list[Row], list[str]]:
    """Live one life; judgements of the questions of its last day, and what the agent could not save."""
    events, questions = read(name)
    events = [e for e in events if e["day"] <= days]
    known = {e["id"] for e in events if "id" in e}
    asked = [q for q in questions if days == DAYS or q.get("told") in known]
    clock = AskedAt()
    clock.at = _micros(START)
    config = Config(background=False, zone=ZONE.key)
    with Memory(":memory:", embedder=embedder, config=config, clock=clock) as memory:
        refused = live(memory, clock, events, by, days)
        return examine(memory, events, asked), refused


def summary(rows: Sequence[Row]) -> Row:
    """The figures of one life, or of all."""
    leaks = sum(row["gone"] for row in rows)
    rows = [row for row in rows if row["kind"] != "gone"]
    blocks = [row for row in rows if not row["none"]]
    old = [row for row in rows if "unmarked" in row]
    kinds = {k: [r["answered"] for r in rows if r["kind"] == k] for k in sorted({r["kind"] for r in rows})}
    return {
        "questions": len(rows),
        "answered": metrics.mean([row["answered"] for row in rows]),
        "current_first": metrics.mean([row["current_first"] for row in old]),
        "filler": sum(row["filler"] for row in rows) / max(1, sum(row["lines"] for row in rows)),
        "unmarked": sum(len(row["unmarked"]) for row in old),
        "gone": leaks,
        "profile": metrics.mean([row["profile"] for row in blocks]),
        "echo": sum(row["echo"] for row in rows),
        "tokens": round(metrics.percentile([row["tokens"] for row in blocks], 0.5) or 0),
        "none": len(rows) - len(blocks),
        "by_kind": {k: f"{sum(answers)} of {len(answers)}" for k, answers in kinds.items()},
    }  # fmt: skip


def main() -> None:
    """Live, ask, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", choices=("rules", "none", "agent"), default="rules",
                        help="who reads facts: the rules; nobody, and no night; a careful agent")  # fmt: skip
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--only", choices=LIVES, help="one life")
    parser.add_argument("--show", metavar="WORDS", help="print the blocks of the questions that have these words")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    result: Row = {"by": arguments.by, "embedder": arguments.embedder, "lives": {}}
    every: list[Row] = []
    for name in [arguments.only] if arguments.only else LIVES:
        rows, refused = run(name, arguments.by, arguments.embedder)
        every += rows
        result["lives"][name] = summary(rows) | {"refused": refused, "asked": rows}
        _print(name, result["lives"][name])
        for row in rows:
            if arguments.show and arguments.show.casefold() in row["ask"].casefold():
                print(f"\n# {row['ask']}\n{row['block']}\n")
            elif not row["answered"]:
                print("  no answer:", row["ask"])
            for line in row.get("unmarked", ()):
                print("  unmarked: ", row["ask"], "→", line)
        for what in refused:
            print("  refused:  ", what)
    result["all"] = summary(every)
    if not arguments.only:
        _print("all", result["all"])
    if arguments.json:
        arguments.json.write_text(json.dumps(result, ensure_ascii=False, indent=1), encoding="utf-8")


def _print(name: str, figures: Row) -> None:
    print(f"== {name}: {figures['questions']} questions; answered by kind:", figures["by_kind"])
    for key, title, bar in BARS:
        value = figures[key]
        shown = "–" if value is None else f"{value:.3f}" if isinstance(value, float) else value
        print(f"  {title:22} {shown} {f'(bar {bar})' if bar else ''}")


if __name__ == "__main__":
    main()
