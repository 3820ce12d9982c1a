"""Measures against numbers worked out by hand, and the two forms of data sets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemic.errors import InvalidInput
from mnemic.evaluate import metrics
from mnemic.evaluate.datasets import load, read_time
from mnemic.evaluate.run import evaluate

RANKED = ["a", "b", "c", "d"]


def test_measures_by_hand() -> None:
    assert metrics.recall_at(RANKED, ["b", "z"], 2) == 0.5
    assert metrics.all_at(RANKED, ["a", "d"], 4) == 1.0
    assert metrics.all_at(RANKED, ["a", "d"], 3) == 0.0
    assert metrics.hit_at(RANKED, ["z"], 4) == 0.0
    assert metrics.reciprocal_rank(RANKED, ["c", "d"]) == pytest.approx(1 / 3)
    assert metrics.ndcg_at(RANKED, ["b"], 10) == pytest.approx(0.63093, abs=1e-5)
    assert metrics.ndcg_at(RANKED, ["a", "b"], 10) == 1.0
    assert metrics.auc([0.9, 0.5], [0.5, 0.1]) == pytest.approx((1 + 1 + 0.5 + 1) / 4)
    assert metrics.auc([0.9], []) is None
    assert metrics.percentile([3, 1, 2], 0.5) == 2
    assert metrics.mean([]) is None
    assert metrics.standard_error([1.0, 0.0]) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("1:56 pm on 8 May, 2023", "2023-05-08"),
        ("2023/05/21 (Sun) 19:50", "2023-05-21"),
        ("March-15-2024", "2024-03-15"),
        ("2025-12-15 (Monday)", "2025-12-15"),
        (None, None),
        ("", None),
    ],
)
def test_times_as_the_sets_write_them(text: str | None, iso: str | None) -> None:
    from mnemic.clock import to_datetime

    found = read_time(text)
    assert (None if found is None else to_datetime(found).date().isoformat()) == iso


def write(folder: Path, name: str, rows: list[dict[str, object]]) -> None:
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def docs(conv: str, *texts: str) -> list[dict[str, object]]:
    return [
        {
            "conv": conv,
            "id": f"{conv}:{i}",
            "session": f"{conv}-s",
            "time": "2024-01-05",
            "speaker": "user",
            "text": text,
        }
        for i, text in enumerate(texts)
    ]


def question(conv: str, text: str, evidence: list[str], **more: object) -> dict[str, object]:
    base = {"conv": conv, "qid": text, "question": text, "answer": "", "type": "t", "time": None, "evidence": evidence}
    return {**base, "evidence_level": "message", "abstain": False, **more}


def test_scopes_do_not_see_each_other_and_the_form_is_the_promised_one(tmp_path: Path) -> None:
    write(
        tmp_path,
        "set.docs.jsonl",
        docs("a", "the falcon nests on the tower", "tea is hot") + docs("b", "a falcon again"),
    )
    asked = [
        question("a", "where does the falcon nest?", ["a:0"]),
        question("b", "tea", [], abstain=True),
        question("b", "falcon", ["b:0"]),
    ]
    write(tmp_path, "set.queries.jsonl", asked)
    result = evaluate(load(tmp_path / "set"), embedder=None)
    assert set(result) >= {"dataset", "config", "questions", "metrics", "by_type", "latency_ms"}
    wanted = {
        "recall@5",
        "recall@10",
        "recall@20",
        "all@10",
        "hit@5",
        "session_recall@5",
        "ndcg@10",
        "mrr",
        "abstention_auc",
    }
    assert wanted <= set(result["metrics"])
    assert result["questions"] == 3
    assert result["metrics"]["recall@5"] == 1.0
    assert result["metrics"]["abstention_auc"] == 1.0
    assert set(result["latency_ms"]) == {"p50", "p95"}


def test_haystack_form_and_session_evidence(tmp_path: Path) -> None:
    sessions = [
        {
            "session_id": "s1",
            "turns": [{"role": "user", "content": "I keep bees"}, {"role": "assistant", "content": "Nice"}],
        },
        {"session_id": "s2", "turns": [{"role": "user", "content": "I sold the car"}, {"role": "user", "content": ""}]},
    ]
    write(tmp_path, "hay.sessions.jsonl", sessions)
    asked = question(
        "q", "which animals do I keep?", ["s1:0"], evidence_sessions=["s1"], haystack_session_ids=["s1", "s2", "s1"],
        haystack_dates=["2023/05/21 (Sun) 19:50"] * 3,
    )  # fmt: skip
    write(
        tmp_path,
        "hay.queries.jsonl",
        [
            asked,
            question(
                "q",
                "bees",
                ["s1"],
                evidence_level="session",
                haystack_session_ids=["s1", "s2"],
                haystack_dates=["2023/05/21"] * 2,
            ),
        ],
    )
    data = load(tmp_path / "hay")
    assert [d.id for d in data.scopes["q"]] == ["s1:0", "s1:1", "s2:0"]
    result = evaluate(data, embedder=None)
    assert result["metrics"]["session_recall@5"] == 1.0
    assert result["metrics"]["recall@5"] == 1.0


def test_a_missing_set_is_a_plain_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"nothing\.queries"):
        load(tmp_path / "nothing")
    write(tmp_path, "odd.docs.jsonl", [{"text": "no id"}])
    write(tmp_path, "odd.queries.jsonl", [question("a", "x", ["a:0"])])
    with pytest.raises(InvalidInput, match="expected fields"):
        load(tmp_path / "odd")


def test_only_sessions_before_the_question_count(tmp_path: Path) -> None:
    rows = docs("c", "kiwi one")
    rows += [{**docs("c", "kiwi two")[0], "id": "c:9", "session": "late"}]
    write(tmp_path, "when.docs.jsonl", rows)
    write(
        tmp_path,
        "when.queries.jsonl",
        [question("c", "kiwi", ["c-s"], evidence_level="session", asked_in_session="late")],
    )
    assert evaluate(load(tmp_path / "when"), embedder=None)["metrics"]["recall@5"] == 1.0


def test_empty_and_doubled_documents_do_not_stop_an_evaluation(tmp_path: Path) -> None:
    rows = docs("d", "the ferry leaves at nine", "\u200b", "   ")
    rows.append({**rows[0], "text": "the ferry leaves at nine sharp"})
    write(tmp_path, "odd.docs.jsonl", rows)
    write(tmp_path, "odd.queries.jsonl", [question("d", "when does the ferry leave", ["d:0"])])
    assert evaluate(load(tmp_path / "odd"), embedder=None)["metrics"]["recall@5"] == 1.0
