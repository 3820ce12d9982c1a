"""Reported cases of filters: exact, applied before ranking and before any limit, "not given" when empty."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np
import pytest
from casekit import Chosen, Make, bulk, found, texts

from mnemic import InvalidInput, Memory
from mnemic.clock import to_micros
from mnemic.store import vectors


def at(text: str) -> int:
    return to_micros(datetime.fromisoformat(text + "T12:00:00+00:00"))


class Counted(Chosen):
    """Vectors by the number in the text: fast for ten thousand of them."""

    def embed(self, given: Any, *, kind: str) -> Any:
        rows = np.zeros((len(given), self.dimension), dtype=np.float32)
        for i, text in enumerate(given):
            number = int("0" + "".join(c for c in text if c.isdigit()))
            rows[i, 0], rows[i, 1 + number % (self.dimension - 1)] = 0.8, 0.6
        return rows


@pytest.fixture(scope="module")
def big(tmp_path_factory: Any) -> Any:
    """10,100 memories with vectors; the first three carry the tag ``rare``."""
    from casekit import Maker

    maker = Maker()
    memory = maker(path=tmp_path_factory.mktemp("big") / "big.db", embedder=Counted(), embed_batch=2_000)
    rows = [(f"note {i} on football", {"tags": ("rare",) if i < 3 else ()}) for i in range(10_100)]
    bulk(memory, rows)
    memory.flush()
    yield memory
    maker.close()


@pytest.mark.parametrize("exact_up_to", [50_000, 100])
def test_B026_large_k_and_a_starving_filter(big: Memory, monkeypatch: Any, exact_up_to: int) -> None:
    monkeypatch.setattr(vectors, "EXACT_UP_TO", exact_up_to)
    monkeypatch.setattr(vectors, "RESCORED", 50)
    assert len(big.recall("football", limit=5_000).hits) == 5_000
    for query in ["football", "kickball", "футбол", "note 9999"]:  # by words and vectors, by vectors alone
        assert sorted(found(big, query, tags="rare")) == [f"note {i} on football" for i in range(3)]


def test_B026_the_filter_holds_for_words_alone(big: Memory, make: Make) -> None:
    words = make(path=big.path)  # the same file without an embedder
    assert sorted(found(words, "football", tags="rare", limit=5)) == [f"note {i} on football" for i in range(3)]
    assert len(found(words, "football", limit=10_000)) == 10_000


@pytest.mark.parametrize("embedder", [None, Counted()])
@pytest.mark.parametrize(("word", "query"), [("football", "football"), ("футбол", "про футбол")])
def test_B027_filters_come_before_the_cut(make: Make, embedder: Any, word: str, query: str) -> None:
    memory = make(embedder=embedder, embed_batch=2_000)
    bulk(memory, [(f"{word} in 2019 without me", {"event_time": at("2019-06-01")})])
    bulk(memory, [(f"{word} {word} report {i}", {"event_time": at("2026-01-01") + i}) for i in range(5_000)])
    memory.flush()
    old = [f"{word} in 2019 without me"]
    assert found(memory, query, after="2019-01-01", before="2020-01-01", limit=5) == old
    assert found(memory, query, when="2019", limit=5) == old
    assert [n.content for n in memory.timeline(when="2019", limit=5)] == old


@pytest.mark.parametrize("field", ["session", "source", "role", "speaker", "label", "trust"])
def test_B027_every_filter_comes_before_the_cut(make: Make, field: str, tmp_path: Any) -> None:
    memory = make()
    if field == "source":
        path = tmp_path / "заметки.jsonl"
        path.write_text('{"role": "user", "content": "football, one of a kind"}\n', encoding="utf-8")
        assert memory.import_(path).stored == 1
    rare: dict[str, dict[str, Any]] = {
        "session": {"session": "rare"}, "role": {"role": "tool"}, "speaker": {"speaker": "Анна"},
        "label": {"label": "note"},
        "trust": {"trust": 1.0},
    }  # fmt: skip
    if field != "source":
        bulk(memory, [("football, one of a kind", rare[field])])
    bulk(memory, [(f"football football {i}", {"session": "common"}) for i in range(500)])
    memory.flush()
    asked: dict[str, dict[str, Any]] = {
        "session": {"session": "rare"}, "role": {"roles": "tool"}, "speaker": {"entity": "анна"},
        "label": {"labels": ["note"]},
        "trust": {"min_trust": 0.9}, "source": {"source": str(tmp_path)},
    }  # fmt: skip
    assert found(memory, "football", limit=2, **asked[field]) == ["football, one of a kind"]


TAGS = ["a_c", "abc", "100%", "100 percent", "AbC", "скидка_%", "скидка 5", "a'b", 'a"b', "a\\b", "*", " a_c"]


@pytest.mark.parametrize("tag", TAGS)
def test_B028_tags_are_exact(make: Make, tag: str) -> None:
    memory = make()
    for other in TAGS:
        memory.observe(f"something tagged <{other}>", tags=[other])
    assert found(memory, "something", tags=tag) == [f"something tagged <{tag}>"]
    assert [n.content for n in memory.timeline(tags=[tag])] == [f"something tagged <{tag}>"]


@pytest.mark.parametrize("tag", ["%", "_", "a%", "a_", "10_%", "abcd", "скидка%", "' or 1=1 --", "a*"])
def test_B028_a_tag_is_no_pattern(make: Make, tag: str) -> None:
    memory = make()
    for other in TAGS:
        memory.observe("something", tags=[other])
    assert found(memory, "something", tags=tag) == []


EMPTY: list[dict[str, Any]] = [
    {name: value}
    for value in ("", None)
    for name in (
        "limit", "kinds", "labels", "roles", "session", "entity", "source", "tags", "when", "after", "before", "as_of",
        "known_at", "min_trust",
        "neighbours",
    )
] + [{"space": None}, {"kinds": [], "tags": [], "labels": ()}, {"kinds": ["", None], "tags": [""]}]  # fmt: skip


@pytest.mark.parametrize("given", EMPTY, ids=str)
def test_B029_empty_means_not_given(make: Make, given: dict[str, Any]) -> None:
    memory = make("the cat sleeps", "кошка спит", "a dog")
    plain = memory.recall("cat")
    assert texts(memory.recall("cat", **given)) == texts(plain) == ["the cat sleeps"]


@pytest.mark.parametrize(
    "given",
    [
        {"limit": 0}, {"limit": -1}, {"limit": 1.5}, {"limit": "ten"}, {"limit": True}, {"limit": 10**9},
        {"kinds": "dream"}, {"roles": ["robot"]},
        {"kinds": 5}, {"tags": 5}, {"session": 5}, {"min_trust": 2}, {"min_trust": "high"}, {"min_trust": float("nan")},
        {"neighbours": 99},
        {"after": 5}, {"when": "sometime soonish maybe"}, {"when": 7}, {"as_of": "не дата"}, {"space": 3}, {"space": ""},
    ],
    ids=str,
)  # fmt: skip
def test_B029_what_cannot_be_used_is_refused_by_name(make: Make, given: dict[str, Any]) -> None:
    memory = make("the cat sleeps")
    with pytest.raises(InvalidInput) as refused:
        memory.recall("cat", **given)
    assert refused.value.field in given


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("%", 1),
        ("\\", 1),
        ("_", 0),
        (" % ", 1),
        ("%%", 0),
        ("%_%", 0),
        ("→", 0),
        ("🎉", 1),
        ("№", 1),
        ("_%", 0),
        ("€", 0),
        ("10%", 1),
        ("discount\\path", 1),
    ],
)
def test_B030_signs_are_plain(make: Make, query: str, expected: int) -> None:
    assert len(found(make("10% discount\\path", "party 🎉 tonight", "дом № семь", "nothing of it"), query)) == expected


def test_B030_signs_obey_the_filters(make: Make) -> None:
    memory = make()
    memory.observe("скидка 5%", session="old", tags=["x"])
    for i in range(300):
        memory.observe(f"{i}% done", session="new")
    assert found(memory, "%", session="old", limit=1) == ["скидка 5%"]
    assert found(memory, "%", tags="x", limit=1) == ["скидка 5%"]


@pytest.mark.parametrize("page", [100, 999, 5_000])
def test_B032_paging_reaches_all_and_erase_leaves_none(make: Make, page: int) -> None:
    memory = make("of somebody else", space="other")
    bulk(memory, [f"запись {i} of the user" for i in range(2_345)], space="user")
    seen: list[str] = []
    while nodes := memory.timeline(limit=page, offset=len(seen), space="user"):
        seen += [n.id for n in nodes]
    assert len(seen) == len(set(seen)) == 2_345
    counts = memory.erase(everything=True, space="user")
    assert counts["nodes"] == 2_345
    assert memory.timeline(space="user") == []
    assert found(memory, "запись user", space="user") == []
    assert found(memory, "somebody") == ["of somebody else"]


@pytest.mark.parametrize("query", ["football", "today", "сегодня", "⚽"])
def test_B032_repeats_do_not_fill_the_answer(make: Make, query: str) -> None:
    memory = make()
    lines = [f"football {word} ⚽" for word in ("monday", "tuesday", "sunday")]
    for i in range(400):
        memory.observe("Football! ⚽", session=str(i))
    for i, line in enumerate(lines):
        memory.observe(line, session=f"s{i}")
    assert sorted(found(memory, query, limit=4)) == ["Football! ⚽", *sorted(lines)]


def test_B032_erasing_a_session_takes_all_its_pages(make: Make) -> None:
    memory = make()
    bulk(memory, [(f"page {i}", {"session": "long"}) for i in range(1_234)] + [("kept", {"session": "short"})])
    assert memory.erase(session="long")["nodes"] == 1_234
    assert [n.content for n in memory.timeline()] == ["kept"]
