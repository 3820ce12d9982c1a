"""A year in the life of a memory: ``python bench/ageing.py [--set locomo] [--days 365] [--keep FOLDER] [--json FILE]
[--plot FILE.svg]``.

Two copies of one filled and consolidated memory live through the same days under a clock of their own. Both are asked
by an agent (a context block for some random questions a day). One sleeps every night: it consolidates, cleans up,
forgets. The other never does, and no use of it is noted. At some days all questions are asked of both: recall must not
suffer, no fact that was superseded may stand above its successor, and size and latency are written down.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quality import dataset

from mnemic import Config, Memory
from mnemic.evaluate import metrics
from mnemic.evaluate.datasets import Dataset
from mnemic.evaluate.run import Asked, AskedAt, _session_order, filled, measure, summary
from mnemic.models import Hit, Recall

DAY = 86_400_000_000
QUIET = Config(background=False, mask_secrets=False)
#: Days at which all questions are asked.
LOOKS = (0, 60, 120, 180, 240, 300, 365)


@dataclass
class Life:
    """One copy of the memory and what was seen of it."""

    memory: Memory
    clock: AskedAt
    points: list[dict[str, Any]] = field(default_factory=list)
    nights: list[float] = field(default_factory=list)
    decayed: int = 0


def out_of_order(hits: tuple[Hit, ...]) -> int:
    """How many hits stand above one that has superseded them."""
    said = [{h.node.id, *(e.node.id for e in h.evidence)} for h in hits]
    count = 0
    for i, hit in enumerate(hits):
        newer = {node.id for node in hit.superseded_by}
        older = {node.id for node in hit.history}
        count += any(newer & ids for ids in said[i + 1 :]) or any(older & ids for ids in said[:i])
    return count


def look(life: Life, data: Dataset, day: int, used: set[str]) -> dict[str, Any]:
    """Ask every question once and write down what came back."""
    sessions = {scope: _session_order(documents) for scope, documents in data.scopes.items()}
    asked: list[Asked] = []
    wrong = 0
    for question in data.questions:
        began = time.perf_counter()
        answer: Recall = life.memory._recaller.recall(question.scope, question.text, present(life), limit=50)
        took = (time.perf_counter() - began) * 1000
        wrong += out_of_order(answer.hits)
        asked.append(Asked(question, measure(question, answer, sessions[question.scope]), answer.score, took))
    store = life.memory.status(space=next(iter(data.scopes)))
    counts = [life.memory.status(space=scope) for scope in data.scopes]
    point = {
        "day": day,
        "recall@10": summary(asked)["recall@10"],
        "recall@10 of what was asked about": summary([a for a in asked if a.question.qid in used])["recall@10"],
        "recall@10 of the rest": summary([a for a in asked if a.question.qid not in used])["recall@10"],
        "superseded above successor": wrong,
        "offered": sum(c["memories"] - c["hidden"] for c in counts),
        "hidden": sum(c["hidden"] for c in counts),
        "bytes": store["file_bytes"],
        "latency_ms_p50": metrics.percentile([a.milliseconds for a in asked], 0.5),
        "latency_ms_p95": metrics.percentile([a.milliseconds for a in asked], 0.95),
    }
    life.points.append(point)
    return point


def present(life: Life) -> Any:
    """No filters, at the present of this life."""
    from mnemic.recall.filters import Filters

    return Filters.read(now=life.clock.now(), zone=life.memory._zone)


def age(life: Life, data: Dataset, days: int, uses: int, used: list[Any], *, sleeps: bool, say: Any) -> None:
    """Live through the days."""
    start = life.clock.now()
    rng = random.Random(7)
    by_scope: dict[str, list[Any]] = {}
    for question in used:
        by_scope.setdefault(question.scope, []).append(question)
    names = {question.qid for question in used}
    say(look(life, data, 0, names))
    for day in range(1, days + 1):
        life.clock.at = start + day * DAY
        for scope, questions in by_scope.items():
            for question in rng.choices(questions, k=uses):
                if sleeps:
                    life.memory.context(question.text, space=scope)
            if sleeps:
                began = time.perf_counter()
                report = life.memory.sleep(space=scope)
                life.nights.append(time.perf_counter() - began)
                life.decayed += sum(p.counts.get("decayed", 0) for p in report.phases)
                bad = [p for p in report.phases if p.state != "done"]
                if bad:
                    say({"day": day, "not done": [(p.name, p.state, p.note) for p in bad]})
        if day in LOOKS or day == days:
            say(look(life, data, day, names))


def plot(points: dict[str, list[dict[str, Any]]], path: Path) -> None:
    """Recall, memories offered, size and latency over the year, on and off, as one SVG."""
    wanted = (
        ("recall@10", "recall@10", 1), ("offered", "memories offered", 1), ("bytes", "file, MB", 1e6),
        ("latency_ms_p50", "recall p50, ms", 1),
    )  # fmt: skip
    width, height, pad = 300, 170, 36
    parts = []
    for n, (key, title, unit) in enumerate(wanted):
        left, top = (n % 2) * (width + 20), (n // 2) * (height + 20)
        series = {name: [(p["day"], p[key] / unit) for p in found] for name, found in points.items()}
        values = [v for line in series.values() for _, v in line]
        low, high = (0.0, max(values) * 1.1) if key != "recall@10" else (min(values) - 0.02, max(values) + 0.02)
        last = max(d for line in series.values() for d, _ in line) or 1

        def place(
            day: float,
            value: float,
            left: int = left,
            top: int = top,
            low: float = low,
            high: float = high,
            last: float = last,
        ) -> str:
            x = left + pad + (width - pad - 8) * day / last
            y = top + height - 24 - (height - 48) * (value - low) / ((high - low) or 1)
            return f"{x:.1f},{y:.1f}"

        parts.append(f'<text x="{left + pad}" y="{top + 14}" font-weight="bold">{title}</text>')
        for value in (low, (low + high) / 2, high):
            x, y = place(0, value).split(",")
            shown = f"{value:.2f}" if high < 10 else f"{value:,.0f}"
            parts.append(f'<text x="{float(x) - 4}" y="{y}" text-anchor="end" fill="#666">{shown}</text>')
            parts.append(f'<line x1="{x}" y1="{y}" x2="{left + width - 8}" y2="{y}" stroke="#ddd"/>')
        for day in (0, last // 2, last):
            x, y = place(day, low).split(",")
            parts.append(f'<text x="{x}" y="{float(y) + 14}" text-anchor="middle" fill="#666">day {day:.0f}</text>')
        for (name, line), (colour, dash) in zip(series.items(), (("#1261a0", ""), ("#c0392b", "5,4")), strict=False):
            path_points = " ".join(place(d, v) for d, v in line)
            parts.append(
                f'<polyline points="{path_points}" fill="none" stroke="{colour}" stroke-width="2" '
                f'stroke-dasharray="{dash}"><title>{name}</title></polyline>'
            )
    total = 2 * height + 60
    parts.append(
        f'<text x="{pad}" y="{total - 8}" fill="#1261a0">— forgetting on</text><text x="{pad + 140}" y="{total - 8}" '
        f'fill="#c0392b">- - forgetting off</text>'
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * width + 20} {total}" '
        f'font-family="sans-serif" font-size="10">'
        '<rect width="100%" height="100%" fill="white"/>'
    )
    path.write_text(head + "".join(parts) + "</svg>\n", encoding="utf-8")


def main() -> None:
    """Fill, copy, age, compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", default="locomo")
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--uses", type=int, default=2, help="questions a day and conversation")
    parser.add_argument("--limit", type=int, help="only the first so many questions")
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--keep", type=Path, help="folder for the filled memory: the next run need not embed it again")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    data = dataset(arguments.set, arguments.limit)
    folder = arguments.keep or Path(tempfile.mkdtemp(prefix="mnemic-ageing-"))
    folder.mkdir(parents=True, exist_ok=True)
    base = folder / f"{arguments.set}-aged.db"
    began = time.perf_counter()
    with filled(data, arguments.embedder, path=str(base)) as (memory, clock):
        clock.at = start = max(d.at for documents in data.scopes.values() for d in documents if d.at is not None)
        facts = sum(memory.consolidate(space=scope).facts for scope in data.scopes)
        memory.flush()
        print(f"filled and consolidated in {time.perf_counter() - began:.0f} s, {facts} new facts", flush=True)
    used = random.Random(11).sample(list(data.questions), len(data.questions) // 2)
    lives: dict[str, Life] = {}
    for name in ("on", "off"):
        copy = folder / f"{arguments.set}-{name}.db"
        for old in folder.glob(f"{copy.name}*"):
            old.unlink()
        shutil.copy(base, copy)
        own = AskedAt()
        own.at = start
        with Memory(copy, embedder=arguments.embedder, config=QUIET, clock=own) as memory:
            life = lives[name] = Life(memory, own)
            age(
                life, data, arguments.days, arguments.uses, used, sleeps=name == "on",
                say=lambda point, name=name: print(name, json.dumps(point), flush=True),
            )  # fmt: skip
    on, off = lives["on"], lives["off"]
    result = {
        "dataset": arguments.set, "questions": len(data.questions), "days": arguments.days,
        "uses_a_day": arguments.uses,
        "on": on.points, "off": off.points, "decayed": on.decayed,
        "night_seconds": {"p50": metrics.percentile(on.nights, 0.5), "p95": metrics.percentile(on.nights, 0.95)},
        "difference": round(on.points[-1]["recall@10"] - off.points[-1]["recall@10"], 4),
    }  # fmt: skip
    print(json.dumps({k: v for k, v in result.items() if k not in ("on", "off")}, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1), encoding="utf-8")
    if arguments.plot:
        plot({"on": on.points, "off": off.points}, arguments.plot)
    if abs(min(0.0, result["difference"])) > 0.005 or any(p["superseded above successor"] for p in on.points):
        sys.exit("recall has suffered from forgetting")


if __name__ == "__main__":
    main()
