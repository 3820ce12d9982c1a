"""The verb that measures: eval."""

from __future__ import annotations

import json as jsonlib
import sys
from typing import Annotated, Any

import typer

from . import common as c
from .output import table

COLUMNS = ("recall@5", "recall@10", "recall@20", "all@10", "hit@5", "session_recall@5", "ndcg@10", "mrr")


@c.verb("embedder", without=("db", "space"))
def eval_(
    run: c.Run,
    base: Annotated[str, typer.Argument(metavar="BASE", help="Path of a data set without .docs.jsonl.xz.")],
    queries: Annotated[
        str | None, typer.Option("--queries", metavar="BASE", help="Take the questions from another set.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", help="Only the first so many questions.")] = None,
) -> None:
    """Measure recall on a data set of documents and questions (form: docs/benchmarks.md)."""
    from mnemic.evaluate.datasets import load
    from mnemic.evaluate.run import evaluate as measure

    data = load(base, queries=queries if queries else None, limit=limit)
    report = measure(data, embedder=run.embedder, progress=_progress())
    if run.json:
        print(jsonlib.dumps(report, ensure_ascii=False, indent=2))
        return
    print_report(report)


def _progress() -> Any:
    if not sys.stderr.isatty():
        return None
    return lambda text: print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def print_report(report: dict[str, Any]) -> None:
    """Overall, then by type of question."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    errors = report.get("standard_error", {})
    rows = [("all", str(report["questions"]), *(_cell(report["metrics"], m) for m in COLUMNS))]
    rows.append(("± standard error", "", *(_cell(errors, m) for m in COLUMNS)))
    rows += [
        (kind, str(group["questions"]), *(_cell(group, m) for m in COLUMNS))
        for kind, group in report["by_type"].items()
    ]
    if not sys.stdout.isatty():
        print("\t".join(("type", "n", *COLUMNS)))
    table(("type", "n", *COLUMNS), rows)
    latency = report["latency_ms"]
    auc = report["metrics"].get("abstention_auc")
    print(f"\n{report['dataset']}, embedder {report['config'].get('embedder') or 'none'}", end="")
    print(f", abstention AUC {auc:.3f}" if auc is not None else "", end="")
    print(f", recall p50 {latency['p50']:.1f} ms, p95 {latency['p95']:.1f} ms" if latency["p50"] is not None else "")


def _cell(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    return "–" if value is None else f"{value:.3f}"
