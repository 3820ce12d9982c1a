"""Cold memories: found, ranked and shown as hot ones, thawed on use, erased to the last byte, never an empty text."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import ColdMissing, Config, KeyConflict, Memory, MissingExtra, Node, StoreBusy
from mnemic.store import cold, freezing
from mnemic.store.queries import load
from mnemic.store.rows import NewNode
from mnemic.store.tx import Tx
from mnemic.testing import FrozenClock
from mnemic.text.analyse import search_text

CITIES = ("Lisbon", "Porto", "Казань", "Самара", "Oslo", "Bergen")
THINGS = ("a bicycle", "a garden bench", "старый рояль", "зелёный чайник", "a lighthouse", "three maps")


def said(i: int) -> str:
    """English and Russian, some of them questions."""
    city, thing = CITIES[i % 6], THINGS[i // 6 % 6]
    return (
        f"In {city} I bought {thing}, number {i}, and paid {i * 3} for it.",
        f"В городе {city} мы купили {thing}, номер {i}, за {i * 3} рублей.",
        f"Did we sell {thing} number {i} in {city}? → %",
    )[i % 3]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-01-01T00:00:00Z")


@pytest.fixture
def memory(db: Path, clock: FrozenClock) -> Iterator[Memory]:
    with Memory(db, embedder="hash:64", config=Config(background=False), clock=clock) as memory:
        for i in range(240):
            memory.observe(said(i), session=f"s{i // 12}", key=f"k{i}", ack="accepted")
        memory.flush()
        clock.advance(days=400)
        yield memory


def freeze(memory: Memory, step: int = 1) -> list[int]:
    """Every ``step``-th old episode, cold."""
    rows = [row for row, _ in freezing.waiting(memory._store, memory.space, memory._clock.now())][::step]
    freezing.learn(memory._store, rows)
    for page in freezing.pages([(row, 100) for row in rows]):
        freezing.freeze(memory._store, page)
    return rows


def answers(memory: Memory) -> list[object]:
    """What a memory says, in full, of many things."""
    asked = (
        "garden bench number 40",
        "зелёный чайник",
        "what did I buy in Oslo?",
        "рояль в Казани",
        "→",
        "January 2026",
    )
    out: list[object] = []
    for query in asked:
        found = memory.recall(query, neighbours=1)
        assert not found.degraded
        out += [(h.node.id, h.node.content, h.score, [n.content for n in h.neighbours]) for h in found.hits]
        out.append((found.sufficiency, found.score))
    out += [(n.id, n.content) for n in memory.timeline(limit=300)]
    return out


def stands(word: str, *paths: Path) -> list[str]:
    """Files of a memory that hold the bytes of a word."""
    names = [
        Path(f"{path}{end}") for path in paths for end in ("", "-wal", "-shm", "-journal", ".cold", ".cold-journal")
    ]
    return [name.name for name in names if name.exists() and word.encode() in name.read_bytes()]


def _main(memory: Memory, sql: str, *values: object) -> list[tuple[object, ...]]:
    with memory._store.reader() as r:
        return list(r.execute(sql, values))


@pytest.mark.parametrize("step", [1, 2], ids=["all cold", "half cold"])
def test_cold_memories_are_found_ranked_and_shown_as_hot_ones(memory: Memory, step: int) -> None:
    before = answers(memory)
    rows = freeze(memory, step)
    assert len(rows) == 240 // step
    assert answers(memory) == before
    assert memory.doctor()["ok"]
    assert memory.status()["cold"]["texts"] == len(rows)
    assert not any(
        content for (content,) in _main(memory, "select n.content from nodes n join cold c on c.row = n.row")
    )
    memory.close()
    with Memory(memory.path, embedder="hash:64", config=Config(background=False), clock=memory._clock) as again:
        assert answers(again) == before, "in a process that has no columns in memory"


def test_a_cold_hit_says_so_and_columns_know_questions(memory: Memory) -> None:
    before = (
        memory._store.columns("default").asks.tolist() if hasattr(memory._store.columns("default"), "asks") else None
    )
    freeze(memory)
    hit = memory.recall("garden bench number 40").hits[0]
    assert hit.node.cold
    assert hit.why.endswith(", cold")
    assert not memory.observe("Something new about a garden bench.").cold
    if before is not None:
        memory._store._cache.clear()
        assert memory._store.columns("default").asks.tolist()[:240] == before


def test_the_main_file_shrinks(memory: Memory, db: Path) -> None:
    for i in range(60):
        memory.observe(f"{said(i)} " * 60, session="long", at="2024-05-01T00:00:00Z")
    memory._store.checkpoint()
    before = db.stat().st_size
    counts = memory.archive.freeze(300)
    assert counts["frozen"] == 300
    assert counts["freed_bytes"] > 100_000
    assert db.stat().st_size <= before - counts["freed_bytes"] + 8192
    assert Path(f"{db}.cold").stat().st_size < counts["text_bytes"]
    assert Path(f"{db}.cold").stat().st_mode & 0o777 == 0o600
    assert memory.doctor()["ok"]


def test_freezing_twice_is_freezing_once(memory: Memory) -> None:
    assert memory.archive.freeze(30, dry_run=True)["due"] == 240
    assert not os.path.exists(cold.side_path(memory.path))
    memory.archive.freeze(30)
    state = _main(memory, "select * from cold order by row")
    assert memory.archive.freeze(30).get("frozen", 0) == 0
    assert _main(memory, "select * from cold order by row") == state


def test_only_old_unused_episodes_go(memory: Memory, clock: FrozenClock) -> None:
    used = memory.recall("garden bench number 40").hits[0].node
    memory.get(used.id)
    new = memory.observe("Said just now.")
    fact = memory.remember("My sister lives in Bergen.")
    memory.archive.freeze(30)
    kinds = dict(_main(memory, "select n.id, c.row is not null from nodes n left join cold c on c.row = n.row"))
    assert not any(kinds[n.id] for n in (used, new, fact))
    assert sum(kinds.values()) == 239
    clock.advance(days=31)
    memory.archive.freeze(30)
    kinds = dict(_main(memory, "select n.id, c.row is not null from nodes n left join cold c on c.row = n.row"))
    assert kinds[used.id]
    assert kinds[new.id]
    assert not kinds[fact.id], "what is no episode stays"


def test_use_thaws(memory: Memory) -> None:
    freeze(memory)
    first = memory.recall("garden bench number 40", limit=3).hits[2].node
    assert first.cold
    assert memory.get(first.id).content == first.content
    block = memory.context("What about the green kettle, зелёный чайник?")
    assert block is not None
    memory.flush()  # accesses are written off the read path
    assert not memory._store.node("default", first.id)[1].cold
    warm = [memory._store.node("default", id_)[1] for id_ in block.items]
    assert warm
    assert not any(node.cold for node in warm if node.kind == "episodic")
    assert memory.status()["cold"]["texts"] < 240
    assert memory.doctor()["ok"]


def test_what_was_thawed_leaves_the_side_file_an_hour_later(memory: Memory, clock: FrozenClock) -> None:
    rows = freeze(memory)
    memory._store.run(lambda tx: freezing.thaw(tx, rows[:50]))
    assert freezing.sweep(memory._store, clock.now()) == 0
    assert freezing.sweep(memory._store, clock.now()) == 0, "only marked"
    memory._store.run(lambda tx: freezing.thaw(tx, rows[50:60]))
    freezing.freeze(memory._store, rows[:10])  # cold again before the hour is over
    clock.advance(hours=2)
    assert freezing.sweep(memory._store, clock.now()) == 40
    assert memory.doctor()["ok"]
    assert memory.status()["cold"]["texts"] == 190


def test_an_episode_that_grew_or_was_edited_while_cold(memory: Memory) -> None:
    freeze(memory)
    with pytest.raises(KeyConflict):
        memory.observe("Another text under the same key.", key="k3")

    def node(key: str, content: str, *, replaces: bool = False) -> NewNode:
        return NewNode(
            content, search_text(content), 0, key=key, grows=not replaces, replaces=replaces, body_hash=b"new"
        )

    longer, edited = said(4) + " And a rare peacock.", "Short peacock."
    nodes = [node("k4", longer), node("k5", edited, replaces=True)]
    outcomes = memory._store.run(lambda tx: [w.outcome for w in tx.add("default", nodes)])
    assert outcomes == ["updated", "updated"]
    assert {h.node.content for h in memory.recall("peacock").hits[:2]} == {longer, edited}
    assert not any(h.node.cold for h in memory.recall("peacock").hits[:2])
    assert memory.doctor()["ok"], "the old search text left the index"
    same = node("k6", said(6)[:10])
    assert memory._store.run(lambda tx: tx.add("default", [same])[0].outcome) == "known", "shorter than the cold text"


def test_growth_between_the_two_halves_of_freezing_is_kept(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = [row for row, _ in freezing.waiting(memory._store, "default", memory._clock.now())][:1]
    run = memory._store.run

    def grow(tx: Tx) -> None:
        text = said(0) + " And a rare peacock."
        tx.add("default", [NewNode(text, search_text(text), 0, key="k0", grows=True, body_hash=b"new")])

    def late(fn: object) -> object:
        monkeypatch.undo()
        run(grow)
        return run(fn)  # type: ignore[arg-type]

    monkeypatch.setattr(memory._store, "run", late)
    assert freezing.freeze(memory._store, [row]).memories == 0
    assert memory._store.nodes([row])[row].content.endswith("peacock.")
    assert memory.status()["cold"]["texts"] == 0


def test_erased_while_it_was_being_frozen_leaves_nothing(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    node = memory.observe("The secret is Zqarlovsk.", at="2020-01-01T00:00:00Z")
    row = memory._store.node("default", node.id)[0]
    run = memory._store.run

    def late(fn: object) -> object:
        monkeypatch.undo()
        memory.erase(item=node.id)
        return run(fn)  # type: ignore[arg-type]

    monkeypatch.setattr(memory._store, "run", late)
    assert freezing.freeze(memory._store, [row]).memories == 0
    with freezing.opened(memory.path) as connection:
        assert connection.execute("select count(*) from texts").get == 0


# -- erasing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("many", [False, True])
def test_erased_cold_memories_leave_no_byte_in_either_file(memory: Memory, db: Path, many: bool) -> None:
    """Not in frames, not in the dictionary that was made from them, not in a journal."""
    secret = [
        memory.observe(f"My Zqarlovsk pass phrase is Жщеринск-zqueryn {i}, {said(i)}", session="dark")
        for i in range(150 if many else 12)
    ]
    memory.flush()
    memory._clock.advance(days=40)  # type: ignore[attr-defined]
    freeze(memory)
    with freezing.opened(memory.path) as connection:
        dictionaries = [bytes(data) for (data,) in connection.execute("select data from dictionaries")]
    if many:
        assert any(b"Zqarlovsk" in data for data in dictionaries), "the dictionary should have learned the word"
    ids = [node.id for node in secret]
    receipt = memory.erase(session="dark") if many else {}
    for id_ in [] if many else ids:
        receipt = memory.erase(item=id_)
    assert receipt["found"] == 0 < receipt["scanned"]
    for word in ("Zqarlovsk", "Жщеринск", "zqueryn", "zqarlovsk"):
        assert not stands(word, db)
    assert len(memory.timeline(limit=1000)) == 240
    assert memory.doctor()["ok"]
    assert not _main(memory, "select id from jobs where kind = 'cold'")
    if many:
        assert answers(memory)


def test_an_erasure_that_was_killed_before_the_side_file_is_finished_by_the_next(
    memory: Memory, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = memory.observe("The word is Zqarlovsk.", at="2020-01-01T00:00:00Z")
    freeze(memory)
    with monkeypatch.context() as patch:
        patch.setattr(freezing, "drop", lambda *_: (_ for _ in ()).throw(StoreBusy("another process")))
        memory.erase(item=node.id)
    with freezing.opened(memory.path) as connection:
        assert connection.execute("select count(*) from texts").get == 241
    memory.close()
    with Memory(db, embedder=None, config=Config(background=False)) as again:
        again.flush()
        with freezing.opened(again.path) as connection:
            assert connection.execute("select count(*) from texts").get == 240
        assert again.doctor()["ok"]
    assert not stands("Zqarlovsk", db)


def test_words_that_cold_memories_hold_too_are_no_traces(memory: Memory) -> None:
    shared = "harpsichordist"
    kept = memory.observe(f"The {shared} played.", at="2020-01-01T00:00:00Z")
    gone = memory.observe(f"I met the {shared} yesterday.", session="gone")
    freeze(memory)
    assert memory.erase(item=gone.id)["found"] == 0
    assert memory.recall(shared).hits[0].node.id == kept.id


# -- a side file that is missing, damaged, or another one ------------------------------------------------------------


def test_a_missing_side_file_is_loud_and_recall_names_it(memory: Memory, db: Path) -> None:
    hot = memory.observe("A garden bench that is hot.")
    freeze(memory)
    memory.close()
    os.rename(f"{db}.cold", f"{db}.elsewhere")
    with Memory(db, embedder="hash:64", config=Config(background=False), clock=memory._clock) as again:
        found = again.recall("garden bench", neighbours=2)
        assert [h.node.id for h in found.hits] == [hot.id]
        assert f"{db}.cold is missing" in found.degraded[0]
        assert again.recall("→").degraded
        id_ = _main(again, "select id from nodes limit 1")[0][0]
        for read in (lambda: again.get(str(id_)), lambda: again.timeline(), lambda: again.explain(str(id_))):
            with pytest.raises(ColdMissing, match="is missing"):
                read()
        with pytest.raises(ColdMissing):
            again.backup(db.with_name("copy.db"))
        memory._clock.advance(days=2)  # type: ignore[attr-defined]
        with pytest.raises(ColdMissing):
            again.archive.freeze(1)
        assert any(f"{db}.cold is missing" in note for note in again.status()["notes"])
        report = again.doctor(repair=True)
        assert not report["ok"]
        assert again.observe("Writing goes on.").content == "Writing goes on."
        assert not os.path.exists(f"{db}.cold"), "no empty one is put in its place"
        os.rename(f"{db}.elsewhere", f"{db}.cold")
        assert again.doctor()["ok"], "a repair without the texts has harmed nothing"
        assert not any("cold" in reason for reason in again.recall("garden bench").degraded)


def test_damaged_or_foreign_texts_are_never_shown(memory: Memory, db: Path) -> None:
    rows = freeze(memory)
    with freezing.opened(memory.path) as connection:
        connection.execute(
            "update texts set data = (select data from texts where row = ?) where row = ?", (rows[1], rows[0])
        )
        connection.execute("update texts set data = x'00' where row = ?", (rows[2],))
        connection.execute("delete from texts where row = ?", (rows[3],))
    for row in (rows[0], rows[2], rows[3]):
        with pytest.raises(ColdMissing):
            memory._store.nodes([row])
    assert memory._store.nodes([rows[4]])[rows[4]].content == said(4)
    assert "3 text(s)" in " ".join(memory.doctor()["problems"])
    assert not memory.doctor(repair=True)["repaired"]
    Path(f"{db}.cold").write_bytes(b"this is no database at all, whatever it is called" * 100)
    with pytest.raises(ColdMissing):
        memory._store.nodes([rows[5]])


def test_without_zstd_the_error_says_what_to_install(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    freeze(memory, 2)

    def missing() -> None:
        raise MissingExtra("the archive", "archive")

    monkeypatch.setattr(cold, "zstd", missing)
    with pytest.raises(MissingExtra, match=r"mnemic\[archive\]"):
        memory.timeline(limit=300)
    found = memory.recall("garden bench")
    assert "mnemic[archive]" in found.degraded[0]
    assert found.hits
    assert not any(h.node.cold for h in found.hits)


def test_doctor_mends_the_search_text_of_cold_memories(memory: Memory) -> None:
    rows = freeze(memory)
    memory._store.run(lambda tx: tx.connection.execute("insert into search (search) values ('delete-all')"))
    assert not memory.doctor()["ok"]
    report = memory.doctor(repair=True)
    assert report["ok"], report
    assert "240 cold text(s)" in report["repaired"][0]
    assert memory.status()["cold"]["texts"] == 0
    assert memory.recall("garden bench number 40").hits
    assert freeze(memory) == rows


# -- everything that reads text --------------------------------------------------------------------------------------


def test_backup_takes_the_side_file_along(memory: Memory, tmp_path: Path) -> None:
    before = answers(memory)
    freeze(memory, 2)
    copy = memory.backup(tmp_path / "copy.db")
    with Memory(copy, embedder="hash:64", config=Config(background=False), clock=memory._clock) as other:
        assert answers(other) == before
        assert other.doctor()["ok"]
        other._store.run(freezing.thaw_all)
        other.backup(tmp_path / "again.db")
    assert not (tmp_path / "again.db.cold").exists(), "nothing is cold there"
    with pytest.raises(ValueError, match="path"):
        memory.backup(f"{memory.path}.cold")


def test_a_new_embedder_reads_cold_texts(memory: Memory, db: Path) -> None:
    freeze(memory)
    memory.close()
    with Memory(db, embedder="hash:32", config=Config(background=False), clock=memory._clock) as again:
        assert again.reembed()["embedded"] == 240
        assert again.recall("garden bench number 40").hits[0].node.cold


def test_consolidation_reads_cold_messages(db: Path, clock: FrozenClock) -> None:
    with Memory(db, embedder=None, config=Config(background=False), clock=clock) as memory:
        memory.observe("I live in Oldtown.", session="a")
        memory.observe("Я живу в Казани.", session="b")
        clock.advance(days=100)
        assert memory.archive.freeze(30)["frozen"] == 2
        assert memory.consolidate().facts >= 1
        fact = memory.recall("Where do I live?", kinds=["semantic"]).hits[0]
        assert memory.explain(fact.node.id).evidence[0].node.content in ("I live in Oldtown.", "Я живу в Казани.")
        assert memory.doctor()["ok"]


def test_every_statement_that_reads_episodes_asks_for_cold_texts_too() -> None:
    """A new statement that reads ``content`` or ``terms`` of episodes must not show what a cold row holds: nothing."""
    facts_only = {"facts_of", "facts_in", "card_state"}  # no episodes
    writes = {
        "insert_node",
        "update_content",
        "insert_terms",
        "insert_search",
        "insert_search_many",
        "update_terms",
        "delete_search",
    }
    of_hot = {
        "hot_texts",
        "put_cold",
        "set_content",
        "set_terms",
        "to_freeze",
        "literal",
        "held_elsewhere",
    }  # beside cold ones
    others = {"column_rows", "search_texts_made"}  # asks ``cold.asks``; runs when nothing is cold
    folder = Path(cold.__file__).parent / "sql"
    for path in folder.glob("*.sql"):
        if "schema" in path.name:
            continue
        for name in load(path.name).names():
            sql = re.sub(r"--[^\n]*", "", getattr(load(path.name), name))
            reads = re.search(r"\b(n\.content|t\.terms|select content|content,|, content)\b", sql)
            if reads and name not in facts_only | writes | of_hot | others:
                if "kind <> 'episodic'" in sql and " or n.kind" not in sql:
                    continue  # facts are never cold
                assert "cold_t" in sql, f"{path.name}: {name} reads texts of rows that may be cold"


def test_readers_and_a_freezer_at_once(memory: Memory) -> None:
    """Nobody ever sees an empty text, and nobody fails, while texts go to and fro."""
    wrong: list[object] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            try:
                found: list[Node] = [*memory.timeline(limit=300), *(h.node for h in memory.recall("garden bench").hits)]
                wrong.extend(n.id for n in found if not n.content)
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(4):
        rows = freeze(memory)
        memory._store.run(lambda tx: freezing.thaw(tx, [r for r in rows if r % 3]))  # noqa: B023
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong
    assert memory.doctor()["ok"]


@settings(max_examples=25, deadline=None)
@given(st.text(), st.text(), st.text(alphabet="ab →é\n", max_size=40))
def test_both_texts_come_back_as_they_were(content: str, terms: str, other: str) -> None:
    content, terms = (t.encode("utf-8", "replace").decode() for t in (content, terms))
    plain = cold.joined(content, terms)
    assert cold.split(plain) == (content, terms)
    ((row, frame),) = freezing.pack([(7, plain)], None)
    assert cold.unpack(frame, None) == plain
    assert row == 7
    if other != content:
        assert cold.digest(plain) != cold.digest(cold.joined(other, terms))


def test_the_phase_of_the_night(db: Path, clock: FrozenClock) -> None:
    config = Config(background=False, cold_days=90)
    with Memory(db, embedder="hash:64", config=config, clock=clock) as memory:
        for i in range(30):
            memory.observe(said(i))
        clock.advance(days=100)
        dry = {p.name: dict(p.counts) for p in memory.sleep(dry_run=True).phases}
        assert dry["cold"]["due"] == 30
        done = {p.name: p for p in memory.sleep().phases}
        assert (done["cold"].state, done["cold"].counts["frozen"]) == ("done", 30)
        assert json.dumps(dict(done["cold"].counts))
        assert memory.doctor()["ok"]
    with Memory(db, embedder=None, config=Config(background=False), clock=clock) as memory:
        assert "cold" in [p.name for p in memory.sleep().phases], (
            "what is over there is swept, though nothing goes there"
        )


def test_spaces_share_the_side_file_and_nothing_else(db: Path, clock: FrozenClock) -> None:
    with Memory(db, embedder=None, config=Config(background=False), clock=clock) as memory:
        memory.observe("A garden bench.", space="a")
        memory.observe("A garden gate.", space="b")
        clock.advance(days=100)
        memory.archive.freeze(30, space="a")
        assert memory.status(space="a")["cold"]["texts"] == 1
        assert memory.status(space="b")["cold"]["texts"] == 0
        assert [h.node.content for h in memory.recall("garden", space="b").hits] == ["A garden gate."]


def test_the_side_file_of_another_program_is_refused(memory: Memory, db: Path) -> None:
    connection = apsw.Connection(f"{db}.cold")
    connection.execute("create table other (x)")
    connection.close()
    with pytest.raises(Exception, match="another program"):
        memory.archive.freeze(30)
    assert memory.timeline(limit=1)[0].content == said(0)


@pytest.mark.parametrize(
    "text",
    ["I live in Berlin. The weather is fine.", "Я живу в Берлине. The weather is fine.", "Berlin. I live in Berlin."],
)
def test_a_cold_message_does_not_say_what_is_forgotten(memory: Memory, clock: FrozenClock, text: str) -> None:
    message = memory.observe(text, session="mine", at="2026-01-02")
    memory.consolidate("mine")
    (fact,) = (
        node
        for node in memory.timeline(session=None, kinds=["semantic"])
        if "Берлин" in text or node.object == "Berlin"
    )
    clock.advance(days=400)
    freeze(memory)
    assert memory._store.nodes([memory._store.node("default", message.id)[0]])
    memory.forget(fact.id)
    left = text.replace("I live in Berlin.", "").replace("Я живу в Берлине.", "").strip()
    assert memory.get(message.id).content == left
    memory.restore(fact.id)
    assert memory.get(message.id).content == text
