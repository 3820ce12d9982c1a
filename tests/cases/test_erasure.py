"""Reported cases of erasing what was learned: facts, their versions, their log, and the proof (B168, B169, R52–R54)."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any

import pytest
from casekit import Make, StillClock

from mnemic import Config, Memory, Node, NotFound
from mnemic.forget.erase import erase_again
from mnemic.models import FACTS
from mnemic.store import erasing, facts
from mnemic.store.rows import NewNode
from mnemic.store.tx import Tx
from mnemic.text.analyse import search_text

MARKS = ("Zqarlovsk", "Zqemtor", "zqueryn", "Жщеринск", "zqivotnoe")


def known(memory: Memory, **filters: Any) -> list[Node]:
    return memory.timeline(kinds=FACTS, limit=1_000, **filters)


def contents(memory: Memory, **filters: Any) -> str:
    return " | ".join(node.content for node in known(memory, **filters))


def told(memory: Memory, *said: tuple[str, str], **fields: Any) -> list[Node]:
    """Episodes (time, text), each in a session of its own, consolidated one after the other."""
    out = []
    for i, (at, text) in enumerate(said):
        out.append(memory.observe(text, at=at, session=f"told-{i}-{at}", **fields))
        memory.consolidate()
    return out


def held(*paths: Path, words: Any = MARKS) -> list[str]:
    """Which words stand anywhere in files, in either case."""
    out = []
    for path in paths:
        for name in (path, *(Path(f"{path}{end}") for end in ("-wal", "-shm", "-journal"))):
            data = name.read_bytes() if name.exists() else b""
            out += [f"{w} in {name.name}" for w in words if w.encode() in data or w.lower().encode() in data]
    return out


def put(memory: Memory, content: str, sources: list[tuple[int, str]], *, trust: float = 1.0, by: str = "test/1") -> int:
    """A memory made from rows (row, quote; no quote: the whole of it), written as an extractor writes."""
    node = NewNode(
        content, search_text(content), memory._clock.now(), kind="semantic", label="fact", trust=trust, predicate="states",
        subject="user", object=content, made_by=by,
    )  # fmt: skip

    def write(tx: Tx) -> int:
        written = tx.add(memory.space, [node])[0].row
        for row, quote in sources:
            facts.support(tx, written, row, quote)
        return written

    return memory._store.run(write)


def row_of(memory: Memory, node: Node) -> int:
    return memory._store.node(memory.space, node.id)[0]


def left(memory: Memory, row: int) -> Node | None:
    return memory._store.nodes([row]).get(row)


# -- everything of one user ------------------------------------------------------------------------------------------


def test_B168_physical_erasure_of_a_user(make: Make, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """50 episodes, facts, an entity, vectors, words, queue, log: gone from file, log, index and a backup made after."""
    path = tmp_path / "memory.db"
    with caplog.at_level(logging.DEBUG):
        memory = make(path=path, embedder="hash:64")
        for user in ("anna", "boris"):
            town = MARKS[0] if user == "anna" else "Tver"
            memory.observe(f"I live in {town}.", session="s0", space=user)
            memory.observe(f"I work at {MARKS[1] if user == 'anna' else 'Acme'}.", session="s0", space=user)
            for i in range(48):
                said = f"{MARKS[2]} и {MARKS[3]} номер {i}" if user == "anna" else f"ordinary remark {i}"
                memory.observe(said, session=f"s{i % 5}", space=user, tags=[MARKS[4]] if user == "anna" else None)
            memory.consolidate(space=user)
        memory.flush()
        memory._store.run(
            lambda tx: tx.connection.execute(
                facts.F.save_job, ("j1", "report", "done", json.dumps({"about": MARKS[0]}), MARKS[2], 0, 0)
            )
        )
        before = [(n.id, n.content, n.trust) for n in memory.timeline(space="boris", limit=1_000)]
        assert known(memory, space="anna")
        assert len(held(path)) >= len(MARKS) - 1
        receipt = memory.erase(everything=True, space="anna")
        backup = memory.backup(tmp_path / "after.db")
        assert held(path, backup) == []
        assert receipt["nodes"] >= 52
        assert receipt["found"] == 0
        assert receipt["searched"] > 0
        assert receipt["scanned"] >= path.stat().st_size
        assert {"terms", "vectors", "edges", "mentions", "sessions", "entities", "jobs", "changes"} <= set(receipt)
        assert all(isinstance(value, int) for value in receipt.values())
        assert [(n.id, n.content, n.trust) for n in memory.timeline(space="boris", limit=1_000)] == before
        assert memory.timeline(space="anna") == []
        assert not memory.recall(MARKS[0], space="anna").hits
        assert memory.doctor()["ok"]
        memory.flush()
        memory.close()
        assert held(path, backup) == []
    said = " ".join(record.getMessage() for record in caplog.records)
    assert not [word for word in MARKS if word.casefold() in said.casefold()]


def test_B169_versions_hold_no_text_and_an_audit_row_remains(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    memory = make(path=path, clock=None)
    told(
        memory,
        ("2026-01-10T10:00:00+00:00", f"I live in {MARKS[0]}."),
        ("2026-02-10T10:00:00+00:00", f"I moved to {MARKS[1]}."),
        ("2026-03-10T10:00:00+00:00", f"Я переехала в {MARKS[3]}."),
    )
    memory.forget(known(memory)[-1].id, why=f"because of {MARKS[2]}")
    assert len(held(path)) >= 4
    receipt = memory.erase(everything=True)
    assert receipt["changes"] > 0
    assert held(path) == []
    with memory._store.reader() as r:
        log = r.execute("select act, before, after, why from changes order by no").fetchall()
    audit = [row for row in log if row[0] == "erase"]
    assert len(audit) == 1
    assert json.loads(audit[0][2])["nodes"] == receipt["nodes"]
    rest = [row for row in log if row[0] != "erase"]
    assert rest, "that something was done stays on record"
    assert all(row[1:] == (None, None, None) for row in rest)
    assert memory.review.diff("2026-01-01").added == ()


@pytest.mark.parametrize("target", ["item", "session", "source", "entity"])
def test_R52_whatever_the_target_what_was_read_from_it_goes(make: Make, tmp_path: Path, target: str) -> None:
    path, file = tmp_path / "memory.db", tmp_path / "talk.jsonl"
    memory = make(path=path, embedder="hash:64")
    lines = [f"I live in {MARKS[0]}.", f"My boss is {MARKS[1]} Petrov."]
    if target == "source":
        file.write_text(
            "".join(json.dumps({"role": "user", "content": t, "session": "x"}) + "\n" for t in lines), "utf-8"
        )
        memory.import_(file, format="messages")
    elif target == "item":
        lines = [" ".join(lines)]
        node = memory.observe(lines[0], session="x")
    else:
        for text in lines:
            memory.observe(text, session="x", speaker=f"{MARKS[4].title()} Smith" if target == "entity" else None)
    memory.observe("The kettle is blue.", session="other")
    memory.consolidate()
    memory.flush()
    assert any(MARKS[0] in node.content for node in known(memory))
    arguments = {
        "item": lambda: {"item": node.id},
        "session": lambda: {"session": "x"},
        "source": lambda: {"source": str(file)},
        "entity": lambda: {"entity": f"{MARKS[4].title()} Smith"},
    }[target]()
    receipt = memory.erase(**arguments)
    assert receipt["found"] == 0
    assert held(path) == []
    assert [n.content for n in memory.timeline()] == ["The kettle is blue."]
    assert memory.consolidate().facts == 0
    assert held(path) == []
    assert memory.doctor()["ok"]


# -- what a fact is made from ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("clock", [None, StillClock("2026-06-01T12:00:00+00:00")], ids=["running", "standing"])
def test_a_fact_that_others_hold_too_is_read_from_them_again(make: Make, clock: Any) -> None:
    """Its words came from the erased message, so it goes; the next consolidation makes it from the other message."""
    memory = make(clock=clock)
    first, second = told(
        memory,
        ("2026-01-10T10:00:00+00:00", "I live in Porto."),
        ("2026-02-10T10:00:00+00:00", "By the way, I live in Porto with my cat."),
    )
    (fact,) = known(memory)
    assert {e.node.id for e in memory.explain(fact.id).evidence} == {first.id, second.id}
    receipt = memory.erase(item=first.id)
    assert (receipt["facts"], receipt["to_read_again"]) == (1, 1)
    assert known(memory) == []
    memory.consolidate()
    (again,) = known(memory)
    assert [e.node.id for e in memory.explain(again.id).evidence] == [second.id]
    assert "Porto" in again.content
    memory.erase(item=second.id)
    memory.consolidate()
    assert known(memory) == []


@pytest.mark.parametrize("clock", [None, StillClock("2026-06-01T12:00:00+00:00")], ids=["running", "standing"])
def test_a_fact_loses_the_evidence_that_is_erased(make: Make, clock: Any) -> None:
    memory = make(clock=clock)
    first, second = told(
        memory,
        ("2026-01-10T10:00:00+00:00", "I live in Porto."),
        ("2026-02-10T10:00:00+00:00", "By the way, I live in Porto with my cat."),
    )
    (fact,) = known(memory)
    receipt = memory.erase(item=second.id)
    assert (receipt["facts"], receipt["evidence"]) == (0, 1)
    (kept,) = known(memory)
    assert kept.id == fact.id
    assert [e.node.id for e in memory.explain(fact.id).evidence] == [first.id]


def test_belief_raised_by_an_erased_channel_falls_again(make: Make) -> None:
    memory = make()
    memory.observe("I live in Porto.", session="a", at="2026-01-10T10:00:00+00:00", origin="import")
    memory.consolidate()
    alone = known(memory)[0].confidence
    other = memory.observe("I live in Porto.", session="b", at="2026-02-10T10:00:00+00:00", origin="user")
    memory.consolidate()
    assert known(memory)[0].confidence > alone
    memory.erase(item=other.id)
    assert known(memory)[0].confidence == pytest.approx(alone)


def test_what_the_user_asked_to_remember_stands_by_itself(make: Make) -> None:
    memory = make()
    memory.remember("I live in Porto.")
    memory.observe("I live in Porto.", session="a")
    memory.consolidate()
    memory.erase(session="a")
    assert "Porto" in contents(memory)


def test_R41_summaries_of_summaries_go_with_their_source(make: Make, tmp_path: Path) -> None:
    """Three levels: what draws on the erased goes; trust of what stays is the least of the sources it has left."""
    path = tmp_path / "memory.db"
    memory = make(path=path)
    bad = row_of(memory, memory.observe(f"page about {MARKS[0]}", origin="external", session="a"))
    good = row_of(memory, memory.observe("a plain remark", session="b"))
    fact = put(memory, f"it is {MARKS[0]}", [(bad, "page")], trust=0.3)
    other = put(memory, "a plain fact", [(good, "plain"), (bad, "page")], trust=0.3)
    summary = put(memory, f"summary: {MARKS[0]} and plain", [(fact, ""), (other, "")], trust=0.3)
    top = put(memory, f"of summaries: {MARKS[0]}", [(summary, "")], trust=0.3)
    higher = put(memory, "stands on the plain fact", [(other, "")], trust=0.3)
    receipt = memory.erase(session="a")
    assert [left(memory, row) for row in (bad, fact, summary, top)] == [None] * 4
    assert held(path) == []
    assert receipt["facts"] == 3
    for row in (other, higher):
        node = left(memory, row)
        assert node is not None
        assert node.trust == 1.0


def test_a_summary_of_many_goes_when_one_of_them_goes(make: Make) -> None:
    memory = make()
    rows = [row_of(memory, memory.observe(f"remark {i}", session=f"s{i}")) for i in range(3)]
    summary = put(memory, "all remarks", [(row, "") for row in rows])
    memory.erase(session="s1")
    assert left(memory, summary) is None


# -- what the erased had done to others ------------------------------------------------------------------------------


def test_what_the_erased_ended_is_no_longer_ended(make: Make) -> None:
    memory = make()
    _, second = told(
        memory,
        ("2026-01-10T10:00:00+00:00", "I live in Porto."),
        ("2026-02-10T10:00:00+00:00", "I moved to Zqtown."),
    )
    assert "Porto" not in contents(memory)
    assert memory.erase(item=second.id)["reopened"] == 1
    (fact,) = known(memory)
    assert "Porto" in fact.content
    assert (fact.valid_until, fact.closed_at) == (None, None)
    assert fact.confidence > 0.5
    assert [v.node.id for v in memory.explain(fact.id).history] == [fact.id]


def test_what_stands_between_two_is_closed_up(make: Make) -> None:
    """Porto, Zqtown, Riga: without Zqtown, Porto ends where Riga begins; without Riga too, it has not ended."""
    memory = make()
    _, second, third = told(
        memory,
        ("2026-01-10T10:00:00+00:00", "I live in Porto."),
        ("2026-02-10T10:00:00+00:00", "I moved to Zqtown."),
        ("2026-03-10T10:00:00+00:00", "I moved to Riga."),
    )
    memory.erase(item=second.id)
    (riga,) = known(memory)
    porto = next(v.node for v in memory.explain(riga.id).history if "Porto" in v.node.content)
    assert porto.valid_until == riga.valid_from
    assert "Porto" in contents(memory, as_of="2026-02-20")
    memory.erase(item=third.id)
    (fact,) = known(memory)
    assert "Porto" in fact.content
    assert fact.valid_until is None


def test_a_repetition_hidden_behind_the_erased_speaks_for_itself(make: Make) -> None:
    memory = make()
    episode = row_of(memory, memory.observe("something long about the kettle", session="a"))
    fact = put(memory, "the kettle whistles at noon", [(episode, "kettle")])
    copy = memory.observe("the kettle whistles at noon", session="b")
    row = row_of(memory, copy)

    def hide(tx: Tx) -> None:
        tx.hide(memory.space, [row], "duplicate", actor="test")
        facts.support(tx, fact, row, "", relation="supports")

    memory._store.run(hide)
    memory.erase(session="a")
    shown = left(memory, row)
    assert shown is not None
    assert shown.hidden_at is None
    assert left(memory, fact) is None


def test_names_that_only_the_erased_gave(make: Make, tmp_path: Path) -> None:
    """An entity that stays loses the alias, and the log loses it too."""
    from mnemic.store import entities

    path = tmp_path / "memory.db"
    memory = make(path=path)
    memory.observe("Anna Petrova called.", session="a")
    memory.observe(f"{MARKS[1]} Petrova called.", session="b")
    memory.flush()

    def merge(tx: Tx) -> None:
        one = entities.create(tx, memory.space, "Anna Petrova", "concept")
        other = entities.create(tx, memory.space, f"{MARKS[1]} Petrova", "concept")
        entities.merge(tx, memory.space, one, other, actor="test", why=f"both are {MARKS[1]}")

    memory._store.run(merge)
    assert memory.entities.get(f"{MARKS[1]} Petrova") is not None
    memory.erase(session="b")
    assert memory.entities.get(f"{MARKS[1]} Petrova") is None
    assert memory.entities.get("Anna Petrova") is not None
    assert held(path) == []


def test_forms_of_words_that_only_the_erased_had(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    memory = make(path=path, embedder="hash:64")
    memory.observe("zqlopping was seen", session="a")
    memory.flush()
    memory.observe("a zqlop is here", session="b")
    memory.flush()
    memory.erase(session="a")
    assert held(path, words=["zqlopping"]) == []
    assert memory.recall("zqlop").hits


# -- proof, coming back, killing ---------------------------------------------------------------------------------------


def test_R52_the_proof_tells_the_truth(make: Make, tmp_path: Path) -> None:
    """While a snapshot elsewhere holds the log, the bytes are still there, and the receipt says so."""
    path = tmp_path / "memory.db"
    memory = make(path=path)
    node = memory.observe("the zqsecretqz word", session="a")
    with memory._store.reader(fresh=True) as snapshot:
        assert snapshot.execute("select count(*) from nodes").get == 1
        assert memory.erase(item=node.id)["found"] > 0


def test_R52_words_that_others_hold_are_no_find(make: Make) -> None:
    memory = make("the extraordinary umbrella", "an extraordinary umbrella again")
    node = memory.timeline()[0]
    receipt = memory.erase(item=node.id)
    assert receipt["found"] == 0


@pytest.mark.parametrize("text", ["x", "ok", "да", "1", "hello", "🙂", "zq7", "Жщ!"])
def test_R52_short_texts(make: Make, tmp_path: Path, text: str) -> None:
    """No row and no byte is left of what is too short to be searched for: the whole file is that of a memory without it."""
    path = tmp_path / "memory.db"
    memory = make("the kettle is blue", path=path)
    before = rows_of_all(memory)
    node = memory.observe(text, session="short")
    memory.flush()
    assert memory.erase(item=node.id)["nodes"] == 1
    memory.flush()
    assert rows_of_all(memory) == before
    assert [n.content for n in memory.timeline()] == ["the kettle is blue"]
    assert [session.key for session in memory.sessions()] == ["made-0"]
    if len(text.encode()) > 2 and text != "hello":  # shorter ones stand in any file of random bytes
        assert text.encode() not in path.read_bytes() + Path(f"{path}-wal").read_bytes()


def rows_of_all(memory: Memory) -> dict[str, list[str]]:
    """Every row of the tables that hold text, names or words, and none of those that keep hashes and times."""
    numbers = ("search", "sqlite_", "spaces", "tombstones", "changes", "log", "meta", "leases", "sessions")
    with memory._store.reader() as r:
        names = [name for (name,) in r.execute("select name from sqlite_schema where type = 'table'")]
        kept = [name for name in names if not name.startswith(numbers)]
        return {name: sorted(map(repr, r.execute("select * from " + name))) for name in kept}  # noqa: S608


def test_R53_reading_again_and_importing_again_bring_nothing_back(make: Make, tmp_path: Path) -> None:
    path, file = tmp_path / "memory.db", tmp_path / "talk.jsonl"
    memory = make(path=path)
    lines = [f"I live in {MARKS[0]}.", "I work at Acme."]
    file.write_text("".join(json.dumps({"role": "user", "content": t, "session": "x"}) + "\n" for t in lines), "utf-8")
    memory.import_(file, format="messages")
    memory.consolidate()
    memory.erase(item=next(n.id for n in memory.timeline() if n.content == lines[0]))
    os.utime(file, (5, 5))
    memory.import_(file, format="messages")
    memory._store.run(lambda tx: tx.connection.execute("update sessions set watermark = 0"))
    memory.consolidate()
    assert "Acme" in contents(memory)
    assert held(path) == []


def test_R53_an_old_backup_is_cleaned_by_what_the_file_remembers(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    memory = make(path=path)
    told(
        memory,
        ("2026-01-10T10:00:00+00:00", f"I live in {MARKS[0]}."),
        ("2026-01-11T10:00:00+00:00", "I work at Acme."),
    )
    backup = memory.backup(tmp_path / "old.db")
    memory.erase(item=next(n.id for n in memory.timeline() if MARKS[0] in n.content and n.kind == "episodic"))
    memory.close()
    restored = make(path=backup)
    assert MARKS[0] in contents(restored)
    receipt = erase_again(restored._store, path)
    assert receipt["nodes"] == 2
    assert receipt["found"] == 0
    assert "Acme" in contents(restored)
    assert held(backup) == []
    assert erase_again(restored._store, path) == {}


def test_R54_a_large_erasure_takes_the_facts_with_it(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In many transactions, cut off in the middle, and finished at the next start: the same as at once."""
    path = tmp_path / "memory.db"
    memory = make(path=path)
    rows = [row_of(memory, memory.observe(f"remark {i} of {MARKS[2]}", session="big")) for i in range(300)]
    made = [put(memory, f"fact {i} of {MARKS[2]}", [(row, "remark")]) for i, row in enumerate(rows)]
    top = put(memory, f"all of {MARKS[2]}", [(row, "") for row in made[:200]])
    stays = put(memory, "an independent fact", [(row_of(memory, memory.observe("plain", session="c")), "plain")])
    original, calls = erasing._Work.part, []

    def cut_off(self: Any, tx: Tx, part: Any, *, bulk: bool) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise RuntimeError("the program ends here")
        original(self, tx, part, bulk=bulk)

    monkeypatch.setattr(erasing._Work, "part", cut_off)
    with pytest.raises(RuntimeError, match="ends here"):
        memory.erase(session="big")
    monkeypatch.undo()
    memory.close()
    with Memory(path, embedder=None, config=Config(background=False)) as again:
        assert 0 < again.status()["memories"] < 603
        again._store.run(lambda tx: tx.connection.execute("update jobs set updated_at = 0"))
        again.flush()
        assert again.status()["memories"] == 2
        assert left(again, stays) is not None
        assert left(again, top) is None
        assert again.doctor()["ok"]
        with again._store.reader() as r:
            counts = json.loads(r.execute("select after from changes where act = 'erase'").get)
            assert r.execute("select count(*) from jobs").get == 0
        assert (counts["nodes"], counts["facts"]) == (601, 301)
    assert held(path) == []


def test_erasing_while_facts_are_read(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that is erased while an extractor is at it leaves no fact behind, and the others are read."""
    memory = make()
    node = memory.observe("I live in Zqtown.", session="a")
    memory.observe("I work at Acme.", session="a")
    rules = type(memory._consolidator.rules)
    original = rules.extract

    def slow(self: Any, page: Any, names: Any) -> Any:
        found = original(self, page, names)
        if memory._store.rows_of(memory.space, [node.id]):
            memory.erase(item=node.id)
        return found

    monkeypatch.setattr(rules, "extract", slow)
    memory.consolidate()
    assert "Zqtown" not in contents(memory)
    assert "Acme" in contents(memory)
    with pytest.raises(NotFound):
        memory.get(node.id)
