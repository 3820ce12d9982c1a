"""The command line: every verb, its exit codes, its JSON; errors are one plain line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemic import Memory
from mnemic.interfaces.cli.app import app
from mnemic.interfaces.places import default_db, own_transcripts, samples

Answer = tuple[int, str, str]
Run = Callable[..., Answer]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process: (exit code, stdout, stderr)."""
    monkeypatch.setenv("MNEMIC_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("MNEMIC_EMBEDDER", "hash:64")
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_DIR"):
        monkeypatch.setenv(variable, str(tmp_path / "nothing"))

    def command(*arguments: str, code: int | None = 0) -> Answer:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            app(args=list(arguments), prog_name="mnemic")
        out, err = capsys.readouterr()
        number = ended.value.code if isinstance(ended.value.code, int) else 0
        if code is not None:
            assert number == code, err
        assert "Traceback" not in err
        assert "select " not in err
        return number, out, err

    return command


def document(answer: Answer) -> Any:
    return json.loads(answer[1])


def test_init_makes_the_file_and_names_the_next_step(run: Run, tmp_path: Path) -> None:
    _, out, _ = run("init")
    assert (tmp_path / "memory.db").exists()
    assert "mnemic import" in out
    found = document(run("init", "--json"))
    assert found["embedder"] == "hash:64"
    assert set(found["extras"]) >= {"local", "openai"}


def test_default_folder_is_for_its_owner_only(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MNEMIC_DB")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_db() == tmp_path / ".mnemic" / "memory.db"
    run("init")
    assert (tmp_path / ".mnemic").stat().st_mode & 0o777 == 0o700


def test_verbs_that_read_do_not_make_a_file(run: Run, tmp_path: Path) -> None:
    for verb in (["recall", "x"], ["context", "x"], ["timeline"], ["status"], ["doctor"], ["show", "x"]):
        _, out, err = run(*verb, code=1)
        assert err.startswith("error: ")
        assert "mnemic init" in err
        assert not out
    assert not (tmp_path / "memory.db").exists()


def test_observe_recall_show_and_back(run: Run) -> None:
    said = ["observe", "We ship on Fridays.", "--speaker", "Ann", "--session", "s1", "--key", "k/1"]
    node = document(run(*said, "--at", "2026-03-04T10:00:00Z", "--tag", "ops", "--json"))
    assert node["event_time"] == "2026-03-04T10:00:00Z"
    assert (node["speaker"], node["session"], node["tags"]) == ("Ann", "s1", ["ops"])
    assert run("observe", "We ship on Fridays.", "--speaker", "Ann", "--session", "s1", "--key", "k/1")[1].startswith(
        "known"
    )
    found = document(run("recall", "when do we ship?", "--json"))
    assert found["hits"][0]["node"]["id"] == node["id"]
    assert found["hits"][0]["channels"]
    assert found["sufficiency"] == "strong"
    _, out, _ = run("recall", "when do we ship?", "--why", "--neighbours", "1")
    assert out.startswith("1\t2026-03-04\tAnn\tWe ship on Fridays.")
    assert "why" in out
    _, out, _ = run("show", node["id"])
    assert out.endswith("\nWe ship on Fridays.\n")
    assert document(run("timeline", "--when", "March 2026", "--json"))[0]["id"] == node["id"]
    assert document(run("timeline", "--when", "April 2025", "--json")) == []
    run("forget", node["id"], "--why", "test")
    assert document(run("recall", "ship", "--json"))["hits"] == []
    run("restore", node["id"])
    assert len(document(run("recall", "ship", "--json"))["hits"]) == 1


def test_filters_reach_the_search(run: Run) -> None:
    run("observe", "alpha one", "--role", "user", "--tag", "a", "--session", "s", "--at", "2026-01-05")
    run("observe", "alpha two", "--role", "assistant", "--session", "t", "--at", "2026-02-05")

    def texts(*options: str) -> list[str]:
        return [h["node"]["content"] for h in document(run("recall", "alpha", *options, "--json"))["hits"]]

    assert sorted(texts()) == ["alpha one", "alpha two"]
    assert texts("--role", "assistant") == ["alpha two"]
    assert texts("--tag", "a") == ["alpha one"]
    assert texts("--session", "t") == ["alpha two"]
    assert texts("--after", "2026-02-01") == ["alpha two"]
    assert texts("--before", "2026-02-01") == ["alpha one"]
    assert texts("--when", "January 2026") == ["alpha one"]
    assert texts("--known-at", "2020-01-01") == []
    assert texts("--min-trust", "0.9") == ["alpha one"]
    assert len(texts("--limit", "1")) == 1
    assert texts("--kind", "semantic") == []


def test_text_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("first\n- second 🎉\n"))
    assert document(run("observe", "-", "--json"))["content"] == "first\n- second 🎉"


@pytest.mark.parametrize("query", ["--error-on-warnings", "-x", "-rf", "--no-verify"])
def test_queries_that_look_like_options(run: Run, query: str) -> None:
    run("observe", f"build with {query} please")
    for arguments in (["--", query], [query]):
        found = document(run("recall", "--json", *arguments))
        assert found["plan"]["query"] == query
        assert found["hits"][0]["node"]["content"] == f"build with {query} please"


def test_a_mistyped_option_is_told(run: Run) -> None:
    run("init")
    _, _, err = run("recall", "build", "--limt", "5", code=2)
    assert err == "error: query: no such option: --limt (to use it as text, put -- before the text)\n"
    run("recall", "where", "do", "we", "deploy")  # several words without quotes are one query
    run("status", "--limt", code=2)


def test_values_that_cannot_be_used_exit_with_two(run: Run) -> None:
    run("init")
    for arguments in (
        ["recall", "x", "--limit", "0"],
        ["recall", "x", "--kind", "wrong"],
        ["recall", "x", "--when", "qwertz"],
        ["observe", "   "],
        ["observe", "x", "--role", "king"],
        ["import", "x", "--format", "wrong"],
        ["init", "--embedder", "no-such-provider"],
        ["init", "--space", " "],
        ["erase"],
        ["erase", "--item", "x", "--everything"],
        ["eval", "no-such-set"],
    ):
        _, _, err = run(*arguments, code=2)
        assert err.count("\n") == 1, err
        assert err.startswith("error: ")


def test_things_that_are_not_there_exit_with_one(run: Run, tmp_path: Path) -> None:
    run("init")
    for arguments in (["show", "nope"], ["forget", "nope"], ["import", str(tmp_path / "nope")], ["import"]):
        _, _, err = run(*arguments, code=1)
        assert err.startswith("error: ")
    (tmp_path / "bad.db").write_text("this is not a database, it is a text that goes on and on", encoding="utf-8")
    _, _, err = run("status", "--db", str(tmp_path / "bad.db"), code=1)
    assert "not a SQLite database" in err


def test_import_counts_add_up_and_the_second_run_is_empty(run: Run, tmp_path: Path) -> None:
    dry = document(run("import", str(samples()), "--dry-run", "--json"))
    first = document(run("import", str(samples()), "--json"))
    second = document(run("import", str(samples()), "--json"))
    for counts in (dry, first, second):
        skipped = sum(counts["skipped"].values())
        assert counts["read"] == counts["stored"] + counts["updated"] + counts["known"] + skipped
    assert dry["stored"] == first["stored"] == first["embedded"] >= 50
    assert dry["dry_run"] is True
    assert first["files"] == 4
    assert first["embeddings_due"] == 0
    assert (second["stored"], second["unchanged"]) == (0, 4)
    _, out, _ = run("import", str(samples()), str(tmp_path / "nope"), code=0)
    assert "unchanged" in out


def test_import_without_vectors_then_recall_catches_up(run: Run) -> None:
    assert document(run("import", str(samples()), "--no-embed", "--json"))["embedded"] == 0
    found = document(run("recall", "на что аллергия?", "--json"))
    assert "грецкие орехи" in found["hits"][0]["node"]["content"]
    assert not any("not embedded" in reason for reason in found["degraded"])


def test_import_keeps_more_when_asked(run: Run) -> None:
    counts = document(run("import", str(samples()), "--keep", "thinking", "--json"))
    assert "thinking" not in counts["skipped"]


def test_import_of_nothing_fails(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    _, _, err = run("import", str(tmp_path / "empty"), code=1)
    assert "nothing could be imported" in err


def test_import_finds_the_transcripts_of_this_user(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    shutil.copytree(samples(), tmp_path / "claude" / "projects")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    assert own_transcripts() == [("Claude Code", tmp_path / "claude" / "projects")]
    _, out, err = run("import", "--no-embed")
    assert "Claude Code" in err
    assert "stored" in out


def test_interrupted_import_says_what_was_kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(self: Memory, *args: object, **kwargs: object) -> None:
        self.observe("kept")
        raise KeyboardInterrupt

    monkeypatch.setattr(Memory, "import_", stop)
    _, _, err = run("import", str(samples()), code=130)
    assert "1 new messages are kept" in err


def test_interrupted_verb_exits_with_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    run("init")
    monkeypatch.setattr(Memory, "recall", stop)
    run("recall", "x", code=130)


def test_unexpected_errors_are_one_line_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError("select secret from nodes")

    run("init")
    monkeypatch.setattr(Memory, "recall", fail)
    _, _, err = run("recall", "x", code=1)
    assert err.startswith("error: internal error (ZeroDivisionError)")


def test_context_within_its_budget_or_nothing(run: Run) -> None:
    run("import", str(samples()))
    _, out, _ = run("context", "When may we deploy ledger to production?", "--budget", "400")
    assert out.startswith("<mnemic-memory")
    assert "deploy" in out.lower()
    block = document(run("context", "When may we deploy ledger to production?", "--budget", "400", "--json"))
    assert block["tokens"] <= 400
    _, _, err = run("observe", block["text"], code=2)
    assert "without the block" in err
    assert "deploy" not in err
    _, out, err = run("context", "qqq", "--space", "other")
    assert not out
    assert "nothing relevant" in err
    assert document(run("context", "qqq", "--space", "other", "--json")) is None


def test_status_doctor_backup_reembed(run: Run, tmp_path: Path) -> None:
    run("import", str(samples()))
    state = document(run("status", "--json"))
    assert state["memories"] == state["keyword_rows"] >= 50
    assert state["embeddings_due"] == 0
    assert "embedder" in run("status")[1]
    assert run("doctor")[1] == "sound\n"
    assert document(run("doctor", "--repair", "--json"))["ok"] is True
    assert document(run("backup", str(tmp_path / "copy.db"), "--json"))["bytes"] > 0
    assert document(run("status", "--db", str(tmp_path / "copy.db"), "--json"))["memories"] == state["memories"]
    report = document(run("reembed", "--embedder", "hash:32", "--json"))
    assert (report["embedder"], report["embedded"]) == ("hash:32", state["memories"])
    run("reembed", "--embedder", "none", code=2)


def test_another_embedder_is_not_filled_in_secretly(run: Run) -> None:
    run("import", str(samples()))
    found = document(run("recall", "deploy", "--embedder", "hash:32", "--json"))
    assert any("reembed" in reason for reason in found["degraded"])


def test_doctor_exits_with_one_when_there_are_problems(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("init")
    bad = {"ok": False, "problems": ["keyword index: CorruptError"], "repaired": []}
    monkeypatch.setattr(Memory, "doctor", lambda self, repair=False: bad)
    _, out, _ = run("doctor", code=1)
    assert "problem: keyword index" in out
    assert document(run("doctor", "--json", code=1))["ok"] is False


def test_erase_asks_first(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    node = document(run("observe", "to be erased", "--json"))
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    run("erase", "--item", node["id"], code=1)
    run("show", node["id"])
    assert document(run("erase", "--item", node["id"], "--yes", "--json"))["nodes"] == 1
    run("show", node["id"], code=1)
    run("observe", "one")
    run("erase", "--everything", "--yes")
    assert document(run("timeline", "--json")) == []


def test_spaces_are_separate(run: Run) -> None:
    run("observe", "hidden from others", "--space", "a")
    assert document(run("recall", "hidden", "--space", "b", "--json"))["hits"] == []
    assert len(document(run("recall", "hidden", "--space", "a", "--json"))["hits"]) == 1


def test_eval_prints_one_object_or_a_table(run: Run, tmp_path: Path) -> None:
    texts = ["the cat sleeps", "the dog barks", "rain all week"]
    common = {"conv": "c", "session": "s", "time": "2026-01-01"}
    docs = [{**common, "id": f"d{i}", "speaker": "user", "text": text} for i, text in enumerate(texts)]
    question = {"conv": "c", "qid": "q", "question": "which dog?", "answer": "", "type": "one", "time": None}
    questions = [{**question, "evidence": ["d1"], "abstain": False}]
    for name, rows in (("docs", docs), ("queries", questions)):
        (tmp_path / f"set.{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    report = document(run("eval", str(tmp_path / "set"), "--json", "--embedder", "none"))
    assert set(report) >= {"dataset", "config", "questions", "metrics", "by_type", "latency_ms"}
    assert report["metrics"]["recall@5"] == 1.0
    _, out, _ = run("eval", str(tmp_path / "set"), "--limit", "1")
    assert out.splitlines()[1].startswith("all\t1\t1.000")


def test_help_version_and_completion(run: Run) -> None:
    _, out, _ = run("--help")
    care = "init status doctor backup reembed eval forget restore erase undo purge mcp"
    know = "consolidate remember correct confirm explain history diff entity weak conflicts"
    for verb in f"import observe recall context timeline show {care} {know}".split():
        assert f"\n  {verb} " in out
        run(verb, "--help")
    assert run("--version")[1].startswith("mnemic ")
    assert "--install-completion" in out


# -- cases ------------------------------------------------------------------------------------------


def test_B001_any_query_is_plain_text(run: Run) -> None:
    run("observe", "Rust gives memory safety without a garbage collector")
    assert len(document(run("recall", "memory:safe", "--json"))["hits"]) == 1
    for query in ('say "hi', "foo AND", "(rust", "NEAR(", "^"):
        _, _, err = run("recall", query, "--json")
        assert "error" not in err
        assert "fts5" not in err


def test_B002_paths_are_searched_as_text(run: Run) -> None:
    run("observe", "moved exports to Downloads/transcripts/2026")
    found = document(run("recall", "Downloads/transcripts", "--embedder", "none", "--json"))
    assert found["hits"][0]["node"]["content"] == "moved exports to Downloads/transcripts/2026"
    for query in ("/etc/hosts", "C:\\Temp\\log.txt"):
        _, out, err = run("recall", query, "--embedder", "none", "--json")
        assert json.loads(out)["hits"] == []
        assert "syntax error" not in err


def test_B124_cuts_never_fall_inside_a_character(run: Run) -> None:
    from mnemic.interfaces.cli.common import one_line

    clusters = ("👩‍👩‍👧", "🟡", "и\u0306", "🇬🇪", "👍🏽", "1\ufe0f\u20e3")
    for cluster in clusters:
        for before in range(6):
            text = "a" * before + cluster * 3
            for limit in range(1, len(text)):
                kept = one_line(text, limit).removesuffix(" …").removesuffix("…")
                rest = kept.removeprefix("a" * min(before, len(kept)))
                assert rest == cluster * (len(rest) // len(cluster)), (cluster, limit, kept)
    run("observe", "x " + "👩‍👩‍👧" * 500)
    json.loads(run("recall", "x", "--json")[1])


def test_B194_odd_paths_and_names_are_kept_as_given(run: Run) -> None:
    for number, odd in enumerate(
        [
            "C:\\Users\\м\\мой проект",
            "\\\\srv\\share",
            "D:\\x:y",
            "Desktop ",
            "CON",
            "a.",
            "ж" * 300,
            "../up",
            "a/../b",
        ]
    ):
        node = document(run("observe", f"text {number}", "--session", odd, "--key", f"{odd}#1", "--json"))
        assert (node["session"], node["key"]) == (odd, f"{odd}#1")


# -- due work without a process that stays ----------------------------------------------------------------------------


def test_a_command_that_wrote_does_a_piece_of_what_is_due(run: Run) -> None:
    run("observe", "Anna lives in Oslo.", "--session", "a", "--at", "2026-01-10T10:00:00Z")
    assert document(run("status", "--json"))["embeddings_due"] == 0
    counts = document(run("import", str(samples()), "--json"))
    assert counts["facts"] > 0
    assert (counts["embeddings_due"], counts["unread_messages"]) == (0, 0)
    run("remember", "We deploy on Fridays.")
    state = document(run("status", "--json"))
    assert (state["embeddings_due"], state["unread_sessions"], state["unread_messages"]) == (0, 0, 0)
    assert state["night_due_at"].endswith("Z")
    _, out, _ = run("status")
    assert "not read yet" in out
    assert "next night" in out


def test_due_work_is_switched_off_by_a_setting(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_CATCH_UP", "0")
    run("import", str(samples()), "--no-embed")
    run("observe", "Anna lives in Oslo.", "--session", "a", "--at", "2026-01-10T10:00:00Z")
    state = document(run("status", "--json"))
    assert state["unread_messages"] == state["embeddings_due"] == state["memories"] > 50


def test_facts_wait_for_the_model_that_reads_them(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_LLM", "ollama:llama3.2")
    counts = document(run("import", str(samples()), "--json"))
    assert (counts["facts"], counts["embeddings_due"]) == (0, 0)
    assert counts["unread_messages"] == counts["stored"]


def test_an_embedder_that_cannot_be_used_does_not_keep_a_message_out(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_EMBEDDER", "no-such-provider:x")
    _, out, _ = run("observe", "Kept all the same.")
    assert out.startswith("stored ")
    assert "Kept all the same." in run("timeline")[1]


def test_what_is_due_and_no_more(run: Run) -> None:
    run("import", str(samples()), "--no-embed")
    done = document(run("sleep", "--due", "--set", "sleep=off", "--json"))
    assert done["embedded"] >= 50
    assert done["nights"] == {}
    assert run("sleep", "--due")[1].split() == ["embedded", "0", "messages", "read", "0", "facts", "0"]
    for arguments, problem in ((("--set", "zone"), "names no value"), (("--set", "color=red"), "no setting"),
                               (("--set", "sleep=never ever"), "is no schedule"), (("--dry-run",), "not for --due")):  # fmt: skip
        assert problem in run("sleep", "--due", *arguments, code=2)[2]
