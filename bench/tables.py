"""Write measured results into docs/benchmarks.md, between its markers: ``python bench/tables.py [--quality FILE]
[--speed FILE]``.

The files are what ``bench/quality.py --json`` and ``bench/speed.py --json`` wrote. Nothing in the tables is typed by
hand.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

from life import BARS as LIFE

PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
COLUMNS = ("recall@1", "recall@5", "recall@10", "session_recall@5", "all@10", "mrr", "abstention_auc")
#: (set, type or "", measure, what it is called, must, aim)
BARS: tuple[tuple[str, str, str, str, float, float], ...] = (
    ("locomo", "", "recall@10", "LoCoMo, message R@10", 0.77, 0.83),
    ("locomo", "multi-hop", "all@10", "LoCoMo multi-hop, all evidence in the first 10", 0.28, 0.40),
    ("longmemeval_s", "", "session_recall@5", "LongMemEval-S, session R@5", 0.97, 0.99),
    ("longmemeval_s", "", "recall@5", "LongMemEval-S, message R@5", 0.78, 0.86),
    ("beam_100K", "", "recall@10", "BEAM-100K, message R@10", 0.54, 0.63),
    ("koziev_ru", "", "recall@10", "Koziev (Russian), R@10", 0.90, 0.95),
    ("xquad_ru", "", "recall@1", "XQuAD, Russian → Russian, R@1", 0.92, 0.95),
    ("xquad_ru_en", "", "recall@1", "XQuAD, Russian question → English passage, R@1", 0.35, 0.60),
    ("ru_facts", "", "recall@5", "short Russian facts, R@5", 0.60, 0.75),
    ("locomo", "", "abstention_auc", "LoCoMo adversarial, AUC of sufficiency", 0.65, 0.80),
    ("beam_100K", "", "abstention_auc", "BEAM abstention, AUC of sufficiency", 0.65, 0.80),
)


def cell(value: Any) -> str:
    """A number as the tables show it."""
    return "–" if value is None else f"{value:.3f}".removeprefix("0") if isinstance(value, float) else str(value)


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def quality(results: dict[str, Any]) -> str:
    """Bars, all sets by type, ablation."""
    rows = []
    for name, kind, measure, title, must, aim in BARS:
        if name not in results:
            continue
        source = results[name]["by_type"][kind] if kind else results[name]["metrics"]
        error = "" if kind or measure == "abstention_auc" else cell(results[name]["standard_error"].get(measure))
        rows.append([title, cell(source[measure]), error, cell(must), cell(aim)])
    parts = [table(["measure", "now", "s.e.", "must", "aim"], rows)]
    for name, result in results.items():
        lines = [["all", str(result["questions"]), *(cell(result["metrics"].get(c)) for c in COLUMNS)]]
        lines += [
            [kind, str(v["questions"]), *(cell(v.get(c)) for c in COLUMNS)] for kind, v in result["by_type"].items()
        ]
        milliseconds = {k: f"{v:.1f}" for k, v in result["latency_ms"].items()}
        parts.append(
            f"**{name}** (embedder {result['config']['embedder']}; a question takes {milliseconds['p50']} ms, "
            f"p95 {milliseconds['p95']} ms, the embedding of the question included)\n\n"
            + table(["type", "questions", *COLUMNS], lines)
        )
    return "\n\n".join(parts)


def ablation(results: dict[str, Any]) -> str:
    """What is lost with each group of features off."""
    ablated = {name: r for name, r in results.items() if "ablation" in r}
    shown = {
        "locomo": ("recall@10", "multi-hop all@10"),
        "koziev_ru": ("recall@10",),
        "xquad_ru_en": ("recall@1",),
        "xquad_ru": ("recall@1",),
    }
    columns = [
        (n, m) for n in ablated for m in shown.get(n, ("recall@5", "recall@10") if n == "beam_100K" else ("recall@5",))
    ]
    full = {
        n: {**r["metrics"], "multi-hop all@10": r["by_type"].get("multi-hop", {}).get("all@10")}
        for n, r in ablated.items()
    }
    groups = next(iter(ablated.values()))["ablation"]
    lines = [["nothing", *(cell(full[n].get(m)) for n, m in columns)]]
    lines += [[g, *(cell(ablated[n]["ablation"].get(g, {}).get(m)) for n, m in columns)] for g in groups]
    return "**One group of features off at a time** (weights not fitted again)\n\n" + table(
        ["off", *(f"{n} {m}" for n, m in columns)], lines
    )


def speed(result: dict[str, Any]) -> str:
    """Latency and rates beside the raw limits."""
    rows: list[list[str]] = []
    if "observe" in result:
        for ack, bar in (("accepted", "p99 < 1 ms"), ("stored", "p50 < 5 ms")):
            r = result["observe"][ack]
            rows.append([f"`observe`, ack `{ack}`", f"p50 {r['p50']} ms, p99 {r['p99']} ms", bar])
    if "import" in result:
        r = result["import"]
        rows.append(
            [
                "import without embeddings",
                f"{r['rows_per_second']} messages/s = {r['ratio']} × raw ({r['raw_rows_per_second']}/s)",
                "≥ 0.5 × raw",
            ]
        )
        rows.append(["import of an unchanged file", f"{r['unchanged_seconds'] * 1000:.1f} ms", "one `stat`"])
    local = {f"{name} of `local`": r for name, r in result.get("local", {}).items()}
    for name, r in (result.get("recall", {}) | local).items():
        bar = "p50 < 10 ms" if name.startswith("10000,") else "p50 < 25 ms"
        rows.append([f"recall at {name}", f"p50 {r['recall_ms']['p50']} ms, p95 {r['recall_ms']['p95']} ms", bar])
        rows.append([f"context at {name}", f"p50 {r['context_ms']['p50']} ms, p95 {r['context_ms']['p95']} ms", ""])
    if "large" in result:
        r = result["large"]
        rows.append(
            [
                f"open {r['messages']} messages and answer",
                f"p50 {r['open_and_first_answer_ms']['p50']} ms",
                "< 200 ms warm",
            ]
        )
        rows.append(
            [f"recall at {r['messages']}", f"p50 {r['recall_ms']['p50']} ms, p95 {r['recall_ms']['p95']} ms", ""]
        )
        rows.append([f"context at {r['messages']}", f"p95 {r['context_ms']['p95']} ms", "p95 < 200 ms"])
        rows.append(["status", f"{r['status_ms']} ms", ""])
    if "memory" in result:
        r = result["memory"]
        rows.append(
            [
                f"peak memory, import of {r['megabytes']} MB ({r['stored']} messages)",
                f"{r['peak_megabytes']} MB",
                "< 400 MB",
            ]
        )
    if "consolidate" in result:
        r = result["consolidate"]
        rate = f"{r['episodes_per_second']} messages/s, {r['facts']} facts, peak {r['peak_megabytes']} MB"
        rows.append([f"consolidation of {r['episodes']} messages by rules", rate, ""])
        ratio = (
            f"p50 {r['capture_ratio_p50']} × idle ({r['capture_idle_p50_ms']} ms), p95 {r['capture_ratio_p95']} × idle"
        )
        rows.append(["`observe` during consolidation", ratio, "≤ 1.5 × idle"])
    machine = result["machine"]
    return f"{machine['cpus']} cores ({machine['cpu']}), load {machine['load']:.1f} at the start.\n\n" + table(
        ["work", "measured", "must"], rows
    )


def transcripts(result: dict[str, Any]) -> str:
    """Real coding sessions."""
    rows = [[
        f"{result['files']} files, {result['sessions']} sessions, {result['messages']} messages kept",
        str(result["commits"]),
        cell(result["hit@1"]), cell(result["hit@5"]), cell(result["standard_error_hit@5"]), cell(result["mrr"]),
    ]]  # fmt: skip
    return table(["transcripts", "commits asked", "hit@1", "hit@5", "s.e.", "mrr"], rows)


def coding(result: dict[str, Any]) -> str:
    """Questions over coding history."""
    titles = result["titles"]
    rows = [
        [name, str(g["questions"]), *(f"{cell(g[m])} ± {cell(g['standard_error'][m])}" for m in titles)]
        for name, g in result["groups"].items()
    ]
    return f"Embedder: {result['embedder']}.\n\n" + table(["questions", "", *titles.values()], rows)


def extraction(result: dict[str, Any]) -> str:
    """What the rules read out of labelled dialogues."""
    rows = []
    for part in ("dev", "held"):
        r = result[part]
        for name, m in (("all", r["all"]), *r["by_lang"].items()):
            rows.append([part, name, cell(m["precision"]), cell(m["recall"]), str(m["right"] + m["missed"])])
        rows.append(
            [
                part,
                "nothing to find",
                "",
                "",
                f"{r['nothing']['rows_with_false_facts']} of {r['nothing']['rows']} with a false fact",
            ]
        )
    return table(["part", "dialogues", "precision (must .9)", "recall", "facts"], rows)


def updates(result: dict[str, int]) -> str:
    """BEAM pairs of an older and a newer value."""
    found = max(1, result["found"])
    shares = (cell(result[name] / found) for name in ("above", "marked"))
    head = ["pairs found in the first 20", "newer above older", "older marked", "marked in answers to other questions"]
    return table(
        head,
        [
            [
                f"{result['found']} of {result['pairs']}",
                *shares,
                f"{result['other_marked']} of {result['other_hits']} hits",
            ]
        ],
    )


def poison(result: dict[str, str]) -> str:
    """Instruction-like texts found, ordinary ones left alone."""
    return table(["texts", "share"], [[name, value.strip()] for name, value in result.items()])


def with_facts(result: dict[str, Any]) -> str:
    """Recall with messages alone, and with facts beside them."""
    names = ("recall@5", "recall@10", "multi-hop all@10")
    rows = []
    for name, r in result.items():
        if "with_facts" in r:
            alone = {**r["metrics"], "multi-hop all@10": r["by_type"].get("multi-hop", {}).get("all@10")}
            rows.append([name, "messages alone", "0", *(cell(alone.get(n)) for n in names)])
            facts = r["with_facts"]
            rows.append([name, "with facts", str(facts["facts"]), *(cell(facts.get(n)) for n in names)])
    return table(["set", "memory", "facts", *names], rows)


#: File of a folder of results → what it is called on the page, and how it is shown.
KNOWLEDGE: tuple[tuple[str, str, Any], ...] = (
    ("extraction", "Reading facts by rules: `python bench/extraction.py --json FILE`", extraction),
    ("updates", "Older and newer values (BEAM): `python bench/updates.py --json FILE`", updates),
    ("facts", "Recall with facts present: `python bench/quality.py locomo beam_100K --facts --json FILE`", with_facts),
    ("poison", "Instruction-like texts: `python bench/poison.py --json FILE`", poison),
)


def knowledge(folder: Path) -> str:
    """Every result of the knowledge layer that is there."""
    parts = []
    for name, title, render in KNOWLEDGE:
        path = folder / f"{name}.json"
        if path.exists():
            parts.append(f"**{title}**\n\n{render(json.loads(path.read_text(encoding='utf-8')))}")
    return "\n\n".join(parts)


def ageing(result: dict[str, Any]) -> str:
    """A year with and without forgetting, day by day."""
    rows = [
        [
            str(on["day"]), cell(on["recall@10"]), cell(off["recall@10"]), str(on["superseded above successor"]),
            f"{on['offered']:,}", f"{on['bytes'] / 1e6:.1f} MB", f"{on['latency_ms_p50']:.0f} ms",
            f"{off['latency_ms_p50']:.0f} ms",
        ]
        for on, off in zip(result["on"], result["off"], strict=True)
    ]  # fmt: skip
    head = [
        "day",
        "recall@10, forgetting on",
        "off",
        "superseded above successor",
        "offered, on",
        "file, on",
        "recall p50, on",
        "off",
    ]
    night = result["night_seconds"]
    told = (
        f"{result['questions']:,} questions; memories decayed: {result['decayed']}; a night takes "
        f"{night['p50'] * 1000:.0f} ms "
        f"(p95 {night['p95'] * 1000:.0f}); difference at the end {100 * result['difference']:+.1f} points."
    )
    return table(head, rows) + "\n\n" + told


def life(results: list[dict[str, Any]]) -> str:
    """Blocks of day 40, life by life; a file for each way to read facts."""
    rows = [
        [r["by"], name, str(figures["questions"]), *(cell(figures[key]) for key, *_ in LIFE)]
        for r in results
        for name, figures in (*r["lives"].items(), ("all", r["all"]))
    ]
    kinds = [[r["by"], *(r["all"]["by_kind"][kind] for kind in results[0]["all"]["by_kind"])] for r in results]
    heads = (f"{title} ({bar})" if bar else title for _, title, bar in LIFE)
    return (
        table(["facts by", "life", "questions", *heads], rows)
        + "\n\nAnswered, by what was asked for:\n\n"
        + table(["facts by", *results[0]["all"]["by_kind"]], kinds)
        + f"\n\nEmbedder: {results[0]['embedder']}."
    )


def night(result: dict[str, Any]) -> str:
    """The nightly run over many facts, phase by phase."""
    names = [name for name, found in result.items() if isinstance(found, dict)]
    phases = list(dict.fromkeys(phase for name in names for phase in result[name]["phases"]))
    rows = [[phase, *(f"{result[n]['phases'][phase]['seconds']:.1f} s" for n in names)] for phase in phases]
    rows.append(["all", *(f"{result[n]['seconds']:.0f} s" for n in names)])
    rows.append(["acts", *(f"{result[n]['acts']:,}" for n in names)])
    rows.append(["peak memory so far", *(f"{result[n]['mb_peak']} MB" for n in names)])
    sound = "sound" if result["ok"] else "NOT sound"
    return table([f"{result['facts']:,} facts", *names], rows) + f"\n\nThe file is {sound} afterwards (`doctor`)."


def main() -> None:
    """Fill in the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quality", type=Path, nargs="*", default=[], help="one file or several, later ones win")
    parser.add_argument("--ablation", type=Path)
    parser.add_argument("--haystack", type=Path, help="longmemeval_s, which takes an hour and is run by itself")
    parser.add_argument("--speed", type=Path)
    parser.add_argument("--transcripts", type=Path)
    parser.add_argument("--coding", type=Path)
    parser.add_argument("--knowledge", type=Path, help="folder with extraction.json, carmem.json …")
    parser.add_argument("--ageing", type=Path, help="of bench/ageing.py")
    parser.add_argument("--night", type=Path, help="of bench/facts.py --night")
    parser.add_argument("--life", type=Path, nargs="*", default=[], help="of bench/life.py, a file for each --by")
    arguments = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    where = (
        f"Python {platform.python_version()}, numpy {version('numpy')}, apsw {version('apsw')}, {os.cpu_count()} cores."
    )
    results: dict[str, Any] = {}
    for file in arguments.quality:
        results.update(json.loads(file.read_text(encoding="utf-8")))
    order = [name for name, *_ in dict.fromkeys((bar[0],) for bar in BARS)]
    bodies: dict[str, str] = {}
    if results:
        bodies["quality"] = quality(
            {n: results[n] for n in [*order, *(r for r in results if r not in order)] if n in results}
        )
    for name, path, render in (
        ("ablation", arguments.ablation, ablation),
        ("haystack", arguments.haystack, quality),
        ("speed", arguments.speed, speed),
        ("transcripts", arguments.transcripts, transcripts),
        ("coding", arguments.coding, coding),
        ("ageing", arguments.ageing, ageing),
        ("night", arguments.night, night),
    ):
        if path is not None:
            bodies[name] = render(json.loads(path.read_text(encoding="utf-8")))
    if arguments.life:
        bodies["life"] = life([json.loads(path.read_text(encoding="utf-8")) for path in arguments.life])
    if arguments.knowledge is not None:
        bodies["knowledge"] = knowledge(arguments.knowledge)
    for name, body in bodies.items():
        filled = f"<!-- {name} -->\n{where}\n\n{body}\n<!-- /{name} -->"
        text = re.sub(rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _, filled=filled: filled, text, flags=re.S)  # type: ignore[misc]
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
