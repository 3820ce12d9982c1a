"""The promises of ``mnemic.store.base``, one by one, for every implementation of a store.

An implementation joins with one line in ``STORES``: a function from a folder to an open store. What is written is
written by the verbs of a transaction, and nothing here knows of SQL.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnemic import KeyConflict, NotFound, StoreClosed
from mnemic.ingest.embedding import Embedding
from mnemic.store import facts
from mnemic.store.merging import put_senses
from mnemic.store.rows import NewNode
from mnemic.store.sqlite import SqliteStore
from mnemic.text.analyse import search_text

MINUTE = 60_000_000
BEGAN = 1_777_626_000_000_000


class Clock:
    """Time that the test moves; ids that count."""

    def __init__(self) -> None:
        self.time, self.count = BEGAN, 0
        self.lock = threading.Lock()

    def now(self) -> int:
        return self.time

    def new_id(self) -> str:
        with self.lock:
            self.count += 1
            return f"id-{self.count:06d}"


def sqlite_file(folder: Path, clock: Clock, **options: Any) -> SqliteStore:
    """A store in one SQLite file; opened again, it is the same store."""
    return SqliteStore(folder / "memory.db", clock=clock, **options)


Open = Callable[..., SqliteStore]
STORES: dict[str, Open] = {"sqlite-file": sqlite_file}


@pytest.fixture(params=STORES)
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens the store of this test, as often as one likes; all are closed at the end."""
    opened: list[SqliteStore] = []
    clock = Clock()

    def again(**options: Any) -> SqliteStore:
        opened.append(STORES[request.param](tmp_path, options.pop("clock", clock), **options))
        return opened[-1]

    yield again
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Open) -> SqliteStore:
    """An empty store."""
    return open_store()


def node(text: str, **fields: Any) -> NewNode:
    """A node to be written."""
    fields.setdefault("event_time", BEGAN)
    return NewNode(text, search_text(text), body_hash=text.encode()[:16], **fields)


def add(store: SqliteStore, *texts: str, space: str = "a", **fields: Any) -> list[int]:
    """Write nodes; returns their rows."""
    return [w.row for w in store.run(lambda tx: tx.add(space, [node(t, **fields) for t in texts]))]


def texts(store: SqliteStore, space: str = "a") -> list[str]:
    """Contents of a space in the order of rows."""
    columns = store.columns(space)
    found = store.nodes(columns.row.tolist())
    return [found[row].content for row in columns.row.tolist()]


# -- acknowledged is kept ---------------------------------------------------------------------------------------------


def test_what_has_a_result_is_there_after_opening_again(open_store: Open) -> None:
    """A future with a result is committed: another store on the same place sees it, and so does the next one."""
    first = open_store()
    add(first, "one", "two")
    assert texts(open_store()) == ["one", "two"]
    first.close()
    assert texts(open_store()) == ["one", "two"]


def test_what_was_submitted_before_close_is_committed(open_store: Open) -> None:
    """Closing commits the queue; afterwards nothing is taken."""
    store = open_store()
    futures = [store.submit(lambda tx, n=n: tx.add("a", [node(f"n{n}")])) for n in range(200)]
    store.close()
    assert all(f.result(0) for f in futures)
    with pytest.raises(StoreClosed):
        store.submit(lambda tx: None)
    with pytest.raises(StoreClosed):
        store.columns("a")
    store.close()
    assert len(texts(open_store())) == 200


# -- all or nothing ---------------------------------------------------------------------------------------------------


def test_a_function_that_raises_has_written_nothing(store: SqliteStore) -> None:
    """Nodes, tags, index rows and settings of a failed function are gone; its future holds the error itself."""

    def fail(tx: Any) -> None:
        tx.add("a", [node("half", tags=("t",))])
        tx.set_meta("k", "v")
        raise ValueError("mine")

    failed = store.submit(fail)
    others = [store.submit(lambda tx, n=n: tx.add("a", [node(f"good {n}")])) for n in range(3)]
    assert isinstance(failed.exception(), ValueError)
    assert [f.exception() for f in others] == [None] * 3
    assert texts(store) == ["good 0", "good 1", "good 2"]
    assert len(store.postings("a", ["half"])[0]) == 0
    assert store.rows_with_tag("a", "t") == []
    assert store.meta("k") is None


def test_a_refused_key_in_a_batch_refuses_the_whole_batch(store: SqliteStore) -> None:
    """Two nodes under one key with different bodies: none of the batch is written."""
    add(store, "first", key="k")
    with pytest.raises(KeyConflict):
        store.run(lambda tx: tx.add("a", [node("new"), node("other", key="k")]))
    assert texts(store) == ["first"]


def test_a_cancelled_submission_is_not_run(store: SqliteStore) -> None:
    """A future that was cancelled while it waited has written nothing."""
    gate = threading.Event()
    store.submit(lambda tx: gate.wait(10))
    waiting: Future[Any] = store.submit(lambda tx: tx.add("a", [node("cancelled")]))
    assert waiting.cancel()
    gate.set()
    add(store, "after")
    assert texts(store) == ["after"]


# -- order ------------------------------------------------------------------------------------------------------------


def test_rows_are_numbered_in_the_order_of_writing(store: SqliteStore) -> None:
    """Also when the clock stands still or goes back."""
    assert isinstance(store._clock, Clock)
    rows = []
    for n in range(20):
        store._clock.time -= MINUTE
        rows += add(store, f"n{n}", event_time=BEGAN - n)
    assert rows == sorted(rows)
    assert texts(store) == [f"n{n}" for n in range(20)]


def test_functions_run_in_the_order_of_submission(store: SqliteStore) -> None:
    """One after the other, never two at once."""
    seen: list[int] = []
    futures = [store.submit(lambda tx, n=n: seen.append(n)) for n in range(500)]
    for future in futures:
        future.result()
    assert seen == list(range(500))


def test_numbers_are_not_used_again(store: SqliteStore) -> None:
    """A row that was erased leaves a gap; nothing that remembers a row number can meet another memory under it."""
    rows = add(store, "one", "two", "three")
    store.run(lambda tx: tx.erase("a", [rows[2]]))
    assert add(store, "four")[0] > rows[2]
    assert texts(store) == ["one", "two", "four"]


# -- one space --------------------------------------------------------------------------------------------------------


@pytest.fixture
def two(store: SqliteStore) -> dict[str, Any]:
    """A store with two filled spaces, ``a`` of six memories and ``b`` of one; what stands only in ``b``."""
    from mnemic.embed.hashed import HashEmbedder

    for n in range(6):
        (mine,) = add(store, f"harbour number {n}", session="own", key=f"own-{n}", tags=("mine",))
        store.run(lambda tx, row=mine: tx.mention(own_entity(tx), [(row, BEGAN)]))
    (row,) = add(store, "secret harbour", space="b", session="s", key="k", tags=("t",))
    number, entity = store.run(lambda tx: tx.new_entity(tx.space("b"), "Zanzibar", "place"))
    store.run(lambda tx: tx.mention(number, [(row, BEGAN)]))
    store.run(lambda tx: tx.put_source("b", "/file", ("messages", 1, 1, 1, "hash", "")))
    embedding = Embedding(store, HashEmbedder(64), store._clock)
    while embedding.step().left:
        pass
    return {"row": row, "id": store.nodes([row])[row].id, "entity": entity, "number": number}


def own_entity(tx: Any) -> int:
    """The entity of space ``a``."""
    found: int | None = tx.entity(tx.space("a"), "Pier", "place")
    return found if found is not None else tx.new_entity(tx.space("a"), "Pier", "place")[0]


def holding(store: SqliteStore, space: str, word: str) -> list[int]:
    """Rows of a space that hold a word, as of now."""
    store.columns(space)
    rows: list[int] = store.postings(space, [search_text(word)])[0].tolist()
    return rows


def answered(read: Callable[[], object]) -> object:
    """What a read answers, ``None`` where it knows of no such thing."""
    try:
        return read()
    except NotFound:
        return None


#: Every read that is asked with a space: name → what it says of the other space, which must be nothing.
READS: dict[str, Callable[[SqliteStore, str, dict[str, Any]], object]] = {
    "columns": lambda s, space, other: other["row"] in s.columns(space).row.tolist(),
    "columns.index": lambda s, space, other: [p for p in s.columns(space).index([other["row"]]).tolist() if p >= 0],
    "postings": lambda s, space, other: holding(s, space, "secret"),
    "postings of a word of both": lambda s, space, other: other["row"] in holding(s, space, "harbour"),
    "literal": lambda s, space, other: s.literal(space, "secret", 10),
    "literal of a word of both": lambda s, space, other: other["row"] in s.literal(space, "harbour", 10),
    "rows_of": lambda s, space, other: s.rows_of(space, [other["id"]]),
    "rows_of a short id": lambda s, space, other: other["row"] in s.rows_of(space, ["#1", "#2", "#9"]).values(),
    "rows_with_tag": lambda s, space, other: s.rows_with_tag(space, "t"),
    "sessions": lambda s, space, other: [x for x in s.sessions(space, 10, 0) if x.key == "s"],
    "entities": lambda s, space, other: s.entities(space, "zanzibar"),
    "entities_meant": lambda s, space, other: s.entities_meant(space, "Zanzibar"),
    "entity_list": lambda s, space, other: [e for e in s.entity_list(space, None, 10) if e.name == "Zanzibar"],
    "entity_list of a type": lambda s, space, other: [e for e in s.entity_list(space, "place", 10) if e.name == "Zanzibar"],
    "vectors": lambda s, space, other: (v := s.vectors(space, "hash:64")) is not None and other["row"] in v.rows(),
    "words": lambda s, space, other: (w := s.words(space, "hash:64")) is not None and w.vector("secret") is not None,
    "count": lambda s, space, other: s.count(space) not in (0, 6),
    "rows_of_space": lambda s, space, other: other["row"] in s.rows_of_space(space),
    "session_no": lambda s, space, other: s.session_no(space, "s"),
    "source": lambda s, space, other: s.source(space, "/file"),
    "rows_of_entity": lambda s, space, other: s.rows_of_entity(space, "zanzibar"),
    "entity_of": lambda s, space, other: answered(lambda: s.entity_of(space, other["entity"])),
    "unread_sessions": lambda s, space, other: [u for u in s.unread_sessions(space) if u.key == "s"],
    "session_state": lambda s, space, other: answered(lambda: s.session_state(space, "s")),
    "known_names": lambda s, space, other: "zanzibar" in s.known_names(space, 10),
    "profiles_due": lambda s, space, other: other["number"] in s.profiles_due(space, 0, 1, 10),
}  # fmt: skip


@pytest.mark.parametrize("space", ["a", "nowhere", "B", "b ", "%"])
@pytest.mark.parametrize("read", READS)
def test_no_read_answers_from_another_space(store: SqliteStore, two: dict[str, Any], read: str, space: str) -> None:
    """Asked for a space that is filled, every read answers from that one alone; an unknown space is empty."""
    assert not READS[read](store, space, two)
    assert READS[read](store, "b", two), "the read would find it in its own space"


@pytest.fixture
def believed(store: SqliteStore, two: dict[str, Any]) -> dict[str, Any]:
    """The same with facts in ``b``: two that contradict each other, one that comes back every year."""

    def write(tx: Any) -> list[int]:
        rows = []
        for place in ("Zanzibar", "Muscat"):
            fact = node(
                f"The harbour is in {place}",
                kind="semantic",
                label="fact",
                predicate="is_in",
                confidence=0.1,
                origin="user",
            )
            slot = {"entity": two["number"], "object": place}
            rows.append(facts.put(tx, "b", fact, evidence=[(two["row"], "secret")], **slot)[0])
        facts.contradict(tx, *rows, "two places", 0.9)
        tx.set_seasons(tx.space("b"), [("harbour", row, 2020, 1, 9, 0.1) for row in rows])
        put_senses(tx, [(row, 7, 8) for row in rows])
        return rows

    return {**two, "facts": store.run(write)}


#: Every further question of the port that names a space, asked as above.
ASKED: dict[str, Callable[[SqliteStore, str, dict[str, Any]], object]] = {
    "session_no": lambda s, space, other: s.session_no(space, "s"),
    "source": lambda s, space, other: s.source(space, "/file"),
    "source_numbers": lambda s, space, other: s.source_numbers(space, "/file"),
    "source_files": lambda s, space, other: s.source_files(space),
    "rows_of_entity": lambda s, space, other: s.rows_of_entity(space, "zanzibar"),
    "rows_of_origin": lambda s, space, other: other["row"] in s.rows_of_origin(space, "unknown"),
    "rows_of_space": lambda s, space, other: other["row"] in s.rows_of_space(space),
    "pending_sessions": lambda s, space, other: [p for p in s.pending_sessions(space, 9, open_too=True) if p.key == "s"],
    "changed_between": lambda s, space, other: s.changed_between(space, 0, 2**62),
    "weak_facts": lambda s, space, other: s.weak_facts(space, 0.9, 9),
    "conflicts": lambda s, space, other: s.conflicts(space, 9),
    "names_like": lambda s, space, other: s.names_like(space, ["zan"], ["zanzibar"], 9),
    "names_exactly": lambda s, space, other: s.names_exactly(space, ["zanzibar"]),
    "spoken": lambda s, space, other: other["facts"][0] in [row for row, *_ in s.spoken(space, 0, 99, 99, (0, 2**62))],
    "season_topics": lambda s, space, other: s.season_topics(space),
    "recurring": lambda s, space, other: s.recurring(space),
    "recurring near": lambda s, space, other: s.recurring(space, [s.one(other["facts"][0]).id]),
    "facts_after": lambda s, space, other: (k := s.space(space)) and s.facts_after(k, k.first, 9),
    "fresh_facts": lambda s, space, other: (k := s.space(space)) and s.fresh_facts(k, k.first, 0),
    "of_topics": lambda s, space, other: (k := s.space(space)) and s.of_topics(k, other["facts"], 9),
    "shared_senses": lambda s, space, other: (k := s.space(space)) and s.shared_senses(k, 0, 9),
    "of_sense": lambda s, space, other: (k := s.space(space)) and s.of_sense(k, 7),
    "means": lambda s, space, other: (k := s.space(space)) and s.means(k, "hash:64", [other["row"]]),
}  # fmt: skip


@pytest.mark.parametrize("space", ["a", "nowhere"])
@pytest.mark.parametrize("read", ASKED)
def test_no_question_answers_from_another_space(
    store: SqliteStore, believed: dict[str, Any], read: str, space: str
) -> None:
    """The questions of the stages keep to their space as the reads above do."""
    assert not ASKED[read](store, space, believed)
    assert ASKED[read](store, "b", believed), "the question would find it in its own space"


def test_an_id_of_another_space_is_not_known(store: SqliteStore, two: dict[str, Any]) -> None:
    """It is answered like one that never was."""
    for space in ("a", "nowhere"):
        with pytest.raises(NotFound):
            store.node(space, two["id"])
        with pytest.raises(NotFound):
            store.entity_of(space, two["entity"])
    assert store.node("b", two["id"])[0] == two["row"]
    assert store.entity_of("b", two["entity"]).name == "Zanzibar"
    assert store.spaces() == ["a", "b"]


def test_the_same_key_in_two_spaces_is_two_memories(store: SqliteStore) -> None:
    """Keys are of a space."""
    first = add(store, "one", space="a", key="k")
    second = add(store, "two", space="b", key="k")
    assert first != second
    assert (texts(store, "a"), texts(store, "b")) == (["one"], ["two"])


def test_erasing_rows_of_another_space_erases_nothing(store: SqliteStore) -> None:
    """The verbs of a transaction check the space too."""
    (row,) = add(store, "mine", space="b")
    assert store.run(lambda tx: tx.erase("a", [row]))["nodes"] == 0
    assert texts(store, "b") == ["mine"]


# -- reads never write, never wait ------------------------------------------------------------------------------------


def test_reading_goes_on_while_the_writer_is_busy(store: SqliteStore) -> None:
    """A transaction that takes long holds up no reader, and its work is not seen before it is committed."""
    add(store, "before")
    gate, inside = threading.Event(), threading.Event()

    def slow(tx: Any) -> None:
        tx.add("a", [node("during")])
        inside.set()
        gate.wait(10)

    future = store.submit(slow)
    assert inside.wait(10)
    assert texts(store) == ["before"]
    assert len(store.postings("a", [search_text("during")])[0]) == 0
    gate.set()
    future.result()
    assert texts(store) == ["before", "during"]


def test_reading_an_unknown_space_does_not_make_it(store: SqliteStore) -> None:
    """Only writing makes a space."""
    store.columns("new")
    store.sessions("new", 10, 0)
    assert store.spaces() == []


def test_columns_do_not_change_under_a_reader(store: SqliteStore) -> None:
    """What a reader was given stays as it is while others write, hide and erase."""
    rows = add(store, *[f"n{n}" for n in range(50)])
    columns = store.columns("a")
    numbers, mask = columns.row.copy(), columns.visible(None, None, BEGAN)
    add(store, *[f"m{n}" for n in range(5_000)])
    store.run(lambda tx: tx.hide("a", rows[:10], "why", actor="user"))
    store.run(lambda tx: tx.erase("a", rows[10:20]))
    later = store.columns("a")
    assert columns.n == 50
    assert np.array_equal(columns.row, numbers)
    assert np.array_equal(columns.visible(None, None, BEGAN), mask)
    assert later.n == 50 + 5_000 - 10
    assert int(later.visible(None, None, BEGAN + 1).sum()) == later.n - 10


def test_vectors_do_not_change_under_a_reader(store: SqliteStore) -> None:
    """An index that a reader was given keeps its rows while more are embedded and some erased."""
    from mnemic.embed.hashed import HashEmbedder

    embedding = Embedding(store, HashEmbedder(64), store._clock)
    rows = add(store, *[f"text {n}" for n in range(40)])
    while embedding.step().left:
        pass
    index = store.vectors("a", "hash:64")
    assert index is not None
    before = index.rows().copy()
    add(store, *[f"more {n}" for n in range(1_500)])
    store.run(lambda tx: tx.erase("a", rows[:5]))
    while embedding.step().left:
        pass
    after = store.vectors("a", "hash:64")
    assert after is not None
    assert np.array_equal(index.rows(), before)
    assert sorted(after.rows().tolist()) == sorted(store.columns("a").row.tolist())


# -- derived is derived -----------------------------------------------------------------------------------------------


def test_packed_columns_say_the_same(open_store: Open) -> None:
    """Whether a space is read row by row or from its packed chunks makes no difference."""
    store = open_store()
    for start in range(0, 9_000, 1_000):
        batch = [f"n{n}" for n in range(start, start + 1_000)]
        add(store, *batch, speaker=f"s{start}", role="user", session=f"t{start}")
    plain = open_store().columns("a")
    assert store.pack_columns("a") >= 1
    packed = open_store().columns("a")
    for name in ("row", "words", "session", "source", "event_time", "valid_from", "recorded_at", "trust"):
        assert np.array_equal(getattr(plain, name), getattr(packed, name)), name
    for name in ("kind", "label", "role", "speaker"):
        decoded = [[c.names[name][code] for code in getattr(c, name)] for c in (plain, packed)]
        assert decoded[0] == decoded[1], name


# -- keys, sessions, edges --------------------------------------------------------------------------------------------


def test_a_known_key_is_the_same_memory(store: SqliteStore) -> None:
    """The same body is ``known``; another one is refused; a longer one of something that grows takes its place."""
    first = store.run(lambda tx: tx.add("a", [node("one", key="k")]))[0]
    again = store.run(lambda tx: tx.add("a", [node("one", key="k")]))[0]
    assert (first.outcome, again.outcome, again.row) == ("stored", "known", first.row)
    with pytest.raises(KeyConflict):
        store.run(lambda tx: tx.add("a", [node("two", key="k")]))
    grown = store.run(lambda tx: tx.add("a", [node("one and more", key="k", grows=True)]))[0]
    assert (grown.outcome, grown.row) == ("updated", first.row)
    assert texts(store) == ["one and more"]
    assert len(store.postings("a", [search_text("more")])[0]) == 1


def test_what_was_erased_stays_erased(store: SqliteStore) -> None:
    """Under its key it is answered with ``erased``, and nothing is written."""
    (row,) = add(store, "one", key="k")
    counts = store.run(lambda tx: tx.erase("a", [row]))
    assert counts["nodes"] == 1
    assert store.run(lambda tx: tx.add("a", [node("one", key="k")]))[0].outcome == "erased"
    assert texts(store) == []
    assert store.run(lambda tx: tx.erase("a", [row]))["nodes"] == 0


def test_what_was_made_from_the_erased_may_be_made_again(store: SqliteStore) -> None:
    """It goes with its source and leaves no hash: another source may say the same."""
    source, made = add(store, "one", key="k")[0], add(store, "made of one", key="made", kind="semantic")[0]
    assert store.run(lambda tx: tx.erase("a", [source, made], derived={made}))["nodes"] == 2
    again = store.run(lambda tx: tx.add("a", [node("one", key="k"), node("made of two", key="made", kind="semantic")]))
    assert [written.outcome for written in again] == ["erased", "stored"]


def test_sessions_rotate_after_thirty_minutes(store: SqliteStore) -> None:
    """Messages of one channel within 30 minutes belong together; after that a new session begins."""
    for minutes in (0, 10, 39, 70):
        store.run(lambda tx, m=minutes: tx.add("a", [node(f"{m}", channel="c", event_time=BEGAN + m * MINUTE)]))
    sessions = store.sessions("a", 10, 0)
    assert sorted(s.messages for s in sessions) == [1, 3]
    assert sessions[0].last_at > sessions[1].last_at


def test_hidden_and_restored(store: SqliteStore) -> None:
    """Hiding is reversible and says how many rows changed."""
    rows = add(store, "one", "two")
    assert store.run(lambda tx: tx.hide("a", rows, "why", actor="user")) == 2
    assert store.run(lambda tx: tx.hide("a", rows, "why", actor="user")) == 0
    assert not store.columns("a").visible(None, None, BEGAN + 1).any()
    assert store.run(lambda tx: tx.unhide("a", rows[:1], actor="user")) == 1
    assert store.columns("a").visible(None, None, BEGAN + 1).tolist() == [True, False]
    assert store.nodes(rows, every=True)[rows[1]].hidden_why == "why"


def test_leases(open_store: Open) -> None:
    """One holder at a time; renewed by its holder; free after it was given back or has run out."""
    clock = Clock()
    one, two = open_store(clock=clock), open_store(clock=clock)
    assert one.run(lambda tx: tx.lease("work", "x", 60))
    assert not two.run(lambda tx: tx.lease("work", "y", 60))
    assert one.run(lambda tx: tx.lease("work", "x", 60))
    one.run(lambda tx: tx.release("work", "x"))
    assert two.run(lambda tx: tx.lease("work", "y", 60))
    clock.time += 61_000_000
    assert one.run(lambda tx: tx.lease("work", "x", 60))


def test_a_lease_of_a_killed_process_is_free(store: SqliteStore) -> None:
    """A holder whose process is gone need not be waited for; one that still runs is."""
    import os
    import subprocess
    import sys

    from mnemic.store.tx import new_holder

    command = [sys.executable, "-c", "import os; print(os.getpid())"]
    gone = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    mine = new_holder()
    assert store.run(lambda tx: tx.lease("work", mine.replace(f"/{os.getpid()}/", f"/{gone}/"), 60))
    assert store.run(lambda tx: tx.lease("work", mine, 60)) == (os.name == "posix")
    if os.name == "posix":
        assert not store.run(lambda tx: tx.lease("work", new_holder(), 60))
