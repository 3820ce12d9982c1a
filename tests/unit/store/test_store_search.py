"""The keyword index: postings of many terms at once, one piece after an import, and snapshots that several reads share."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mnemic import Config, Memory

QUIET = Config(background=False)


def test_postings_of_many_terms_are_those_of_each() -> None:
    with Memory(":memory:", embedder=None, config=QUIET) as memory:
        for space in ("other", "default"):
            for i in range(30):
                memory.observe(f"tea {'tea ' * (i % 3)} number{i} {'кот' if i % 2 else '猫山'}", space=space)
        store = memory._store
        for space in ("default", "other"):
            columns = store.columns(space)
            terms = ["tea", "nothing", "кот", "number7", "猫", "猫山", 'a"b', "tea"]
            together = [rows.tolist() for rows in store.postings(space, terms)]
            assert together == [store.postings(space, [term])[0].tolist() for term in terms]
            assert len(together[0]) == 30 + sum(i % 3 for i in range(30))
            assert together[0] == sorted(together[0]) == together[7]
            assert len(together[1]) == len(together[6]) == 0
            assert len(together[2]) == 15
            assert together[4] == together[5]  # it begins that bigram
            assert set(together[0]) == set(columns.row.tolist())


def write(path: Path, first: int, count: int) -> Path:
    path.write_text(
        "".join(
            json.dumps({"role": "user", "content": f"message {i} of tea"}) + "\n" for i in range(first, first + count)
        ),
        encoding="utf-8",
    )
    return path


def test_an_import_that_brings_much_leaves_one_piece(tmp_path: Path) -> None:
    def pieces() -> int:
        with memory._store.reader() as r:  # the number of a piece stands above 37 bits of a page's number
            return int(r.execute("select count(distinct id >> 37) from search_data where id >> 37 > 0").get)

    with Memory(tmp_path / "m.db", embedder=None, config=QUIET) as memory:
        for i in range(3):
            memory.observe(f"tea {i}")
        assert pieces() > 1
        memory.import_(write(tmp_path / "much.jsonl", 0, 50))
        assert pieces() == 1
        memory.import_(write(tmp_path / "little.jsonl", 50, 2))  # of what is there all would be written again for two
        assert pieces() > 1
        memory.sleep()
        assert pieces() == 1
        assert len(memory.recall("tea", limit=100).hits) == 55
        assert memory.doctor()["ok"]


def test_a_snapshot_shows_nothing_newer_whichever_way_it_is_read(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder=None, config=QUIET) as memory:
        store = memory._store
        memory.observe("the first")
        with store.snapshot():
            before = store.columns("default").n
            with ThreadPoolExecutor(1) as other:  # (what this thread has written it could not see here)
                other.submit(memory.observe, "the second").result()
            assert store.columns("default").n == before == 1
            assert store.count("default") == 1
            with store.reader() as r:
                assert r.execute("select count(*) from nodes").get == 1
            with store.reader(fresh=True) as r:
                assert r.execute("select count(*) from nodes").get == 2
        assert store.columns("default").n == 2
        with pytest.raises(ZeroDivisionError), store.snapshot():
            1 / 0  # noqa: B018
        assert store.count("default") == 2
