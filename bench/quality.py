"""Recall quality on all development sets, and what each feature is worth: ``python bench/quality.py [SET…] [--ablation]
[--json FILE]``.

One configuration for all sets, no language model anywhere. Sets are looked for in ``../shared/data/benchmarks``
(``MNEMIC_SHARED`` names another place).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from corpus import SHARED

from mnemic import Memory
from mnemic.evaluate.datasets import Dataset, load
from mnemic.evaluate.run import Asked, ask, filled, report
from mnemic.knobs import Numbers
from mnemic.recall import believed, evidence, rank

BENCHMARKS = SHARED / "data" / "benchmarks"
#: Name → (documents, questions where they are another set's).
SETS: dict[str, tuple[str, str | None]] = {
    "locomo": ("locomo", None),
    "longmemeval_s": ("longmemeval_s", None),
    "longmemeval_oracle": ("longmemeval_oracle", None),
    "beam_100K": ("beam_100K", None),
    "realmem": ("realmem", None),
    "carmem": ("carmem", None),
    "koziev_ru": ("koziev_ru", None),
    "xquad_ru": ("xquad_ru", None),
    "xquad_ru_en": ("xquad_en", "xquad_ru"),
    "ru_facts": ("ru_facts", None),
    "prefeval_dev": ("prefeval_dev", None),
    "lifebench_dev": ("lifebench_dev", None),
}
#: What is switched off together in the ablation.
GROUPS: dict[str, tuple[str, ...]] = {
    "words": ("words",),
    "relatives of words": (),
    "session, topic": ("session", "topic"),
    "meaning, theme": ("meaning", "theme"),
    "speaker": ("speaker",),
    "date": ("date",),
    "user, asked, reply": ("user", "asked", "reply"),
    "question": ("question",),
    "phrase": ("phrase",),
    "grammar, person": ("grammar", "person"),
    "feedback": (),
    "session cost": (),
    "newest first": (),
    "links": ("linked",),
}


def dataset(name: str, limit: int | None = None) -> Dataset:
    """One of :data:`SETS`."""
    documents, questions = SETS[name]
    return load(BENCHMARKS / documents, queries=BENCHMARKS / questions if questions else None, limit=limit)


def switched(memory: Memory, group: str) -> Callable[[], None]:
    """Switch a group of features off; what is returned switches it on again."""
    recaller, was = memory._recaller, memory._recaller.knobs
    recaller.knobs = replace(was, weights=Numbers({**was.weights, **dict.fromkeys(GROUPS[group], 0.0)}))
    undo: list[tuple[Any, str, Any]] = [(recaller, "knobs", was)]
    for wanted, module, name, value in (
        ("relatives of words", evidence, "RELATED", 0.0),
        ("feedback", rank, "FEEDBACK_WEIGHT", 0.0),
        ("session cost", rank, "SESSION_COST", 0.0),
        ("newest first", believed, "FIRST", 0),
    ):
        if group == wanted:
            undo.append((module, name, getattr(module, name)))
            setattr(module, name, value)

    def back() -> None:
        for where, name, old in undo:
            setattr(where, name, old)

    return back


def short(result: dict[str, Any]) -> dict[str, float]:
    """The measures that the tables show."""
    m, types = result["metrics"], result["by_type"]
    out = {
        k: m[k]
        for k in ("recall@1", "recall@5", "recall@10", "session_recall@5", "abstention_auc")
        if m.get(k) is not None
    }
    if "multi-hop" in types:
        out["multi-hop all@10"] = types["multi-hop"]["all@10"]
    out["se"] = result["standard_error"].get("recall@10", 0.0)
    return {k: round(v, 4) for k, v in out.items()}


def main() -> None:
    """Run the sets named (all by default)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", help=f"of {', '.join(SETS)}; all by default")
    parser.add_argument("--ablation", action="store_true", help="also with each group of features off in turn")
    parser.add_argument("--facts", action="store_true", help="also with facts beside the messages")
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--limit", type=int, help="only the first so many questions of each set")
    parser.add_argument("--keep", type=Path, help="folder for the filled memories: a stopped run goes on from there")
    parser.add_argument("--json", type=Path, help="also write everything here")
    arguments = parser.parse_args()
    everything: dict[str, Any] = {}
    for name in arguments.sets or SETS:
        began = time.perf_counter()
        data = dataset(name, arguments.limit)
        path = str(arguments.keep / f"{name}.db") if arguments.keep else ":memory:"
        with filled(data, arguments.embedder, path=path) as (memory, clock):
            asked: list[Asked] = ask(memory, clock, data)
            result = report(data, asked, {"embedder": memory.embedder})
            result["seconds"] = round(time.perf_counter() - began, 1)
            if arguments.facts:
                clock.at = None
                written = sum(memory.consolidate(space=scope).facts for scope in data.scopes)
                memory.flush()
                result["with_facts"] = {"facts": written, **short(report(data, ask(memory, clock, data), {}))}
                print(f"{name} with facts beside the messages: {result['with_facts']}", flush=True)
            if arguments.ablation:
                result["ablation"] = {}
                for group in GROUPS:
                    back = switched(memory, group)
                    try:
                        result["ablation"][group] = short(report(data, ask(memory, clock, data), {}))
                    finally:
                        back()
                    print(f"  {name} without {group}: {result['ablation'][group]}", file=sys.stderr, flush=True)
        everything[name] = result
        print(
            f"{name} ({len(asked)} questions, {result['seconds']} s): {short(result)} latency {result['latency_ms']}",
            flush=True,
        )
        for kind, values in result["by_type"].items():
            line = {k: round(values[k], 3) for k in ("recall@5", "recall@10", "all@10") if values.get(k) is not None}
            print(f"    {kind} ({values['questions']}): {line}", flush=True)
        if arguments.json:
            arguments.json.write_text(json.dumps(everything, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
