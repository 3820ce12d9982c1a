"""What a caller of Memory relies on: batches, filters in one record, answers that JSON knows, names of spaces."""

from __future__ import annotations

import dataclasses
import json
import typing
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import mnemic
from mnemic import Config, Filter, InvalidInput, KeyConflict, Memory, NotFound, Uncertain, models
from mnemic.clock import to_micros
from mnemic.models import Filtering
from mnemic.records import Record


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "m.db", embedder=None, config=Config(background=False)) as made:
        yield made


# -- observe_many -----------------------------------------------------------------------------------------------------


def test_a_batch_comes_back_in_its_order_and_is_stored_in_it(memory: Memory) -> None:
    given: list[Any] = [
        "We use PostgreSQL.",
        {"text": "Записала.", "role": "assistant", "session": "s", "tags": ["db"], "at": "2026-02-01T10:00:00Z"},
        {"text": "Merci.", "key": "k"},
        {"text": "Merci.", "key": "k"},
    ]
    nodes = memory.observe_many(given)
    assert [n.content for n in nodes] == ["We use PostgreSQL.", "Записала.", "Merci.", "Merci."]
    assert [n.acknowledged for n in nodes] == ["stored", "stored", "stored", "known"]
    assert (nodes[1].role, nodes[1].session, nodes[1].tags) == ("assistant", "s", ("db",))
    assert nodes[2].id == nodes[3].id
    assert memory.status()["memories"] == 3
    assert memory.observe_many([]) == []
    assert memory.observe_many(iter(["one more"]))[0].id == memory.recall("one more").hits[0].node.id


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"text": ""}, "messages[1].text"),
        ({"role": "user"}, "messages[1].text"),
        ({"text": "x", "role": "robot"}, "messages[1].role"),
        ({"text": "x", "at": "soon"}, "messages[1].at"),
        ({"text": "x", "kind": "semantic"}, "messages[1].kind"),
        (5, "messages[1].text"),
        ({"text": "другое", "key": "taken"}, "messages[1].key"),
        ({"text": "x", "key": "gone"}, "messages[1].key"),
    ],
)
def test_a_bad_message_is_named_and_none_of_its_batch_is_stored(memory: Memory, bad: Any, field: str) -> None:
    memory.observe("первое", key="taken")
    memory.erase(item=memory.observe("once", key="gone").id)
    with pytest.raises(InvalidInput) as raised:
        memory.observe_many(["good", bad, "good too"])
    assert raised.value.field == field
    assert isinstance(raised.value, KeyConflict) == (field.endswith("key") and bad["key"] == "taken")
    assert [n.content for n in memory.timeline()] == ["первое"]


def test_a_batch_masks_secrets_and_keeps_to_its_space(memory: Memory) -> None:
    (node,) = memory.observe_many(["the password=hunter2secret is set"], space="other")
    assert "hunter2secret" not in node.content
    assert node.space == "other"
    assert memory.timeline() == []


# -- filters ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def told(memory: Memory) -> Memory:
    memory.observe_many(
        [
            {"text": "The harbour opens at six.", "session": "a", "tags": ["port"], "at": "2026-01-05T10:00:00Z"},
            {"text": "The harbour closes at nine.", "role": "assistant", "session": "a", "at": "2026-02-05T10:00:00Z"},
            {"text": "The harbour is on fire.", "origin": "external", "session": "b", "at": "2026-03-05T10:00:00Z"},
            {"text": "Гавань закрыта, the harbour is shut.", "session": "b", "at": "2026-04-05T10:00:00Z"},
        ]
    )
    memory.remember("The harbour has two piers.", at="2026-05-05T10:00:00Z")
    return memory


FILTERS: list[tuple[dict[str, Any], int]] = [
    ({}, 5),
    ({"kinds": "episodic"}, 4),
    ({"labels": ["fact"]}, 1),
    ({"roles": "assistant"}, 1),
    ({"origins": "external"}, 1),
    ({"origins": ["external", "assistant"]}, 2),
    ({"tags": "port"}, 1),
    ({"when": "February 2026"}, 1),
    ({"after": "2026-03-01"}, 3),
    ({"before": datetime(2026, 3, 1, tzinfo=UTC)}, 2),
    ({"min_trust": 0.9}, 3),
    ({"kinds": "episodic", "after": "2026-02-01", "origins": "user"}, 1),
]


@pytest.mark.parametrize(("fields", "count"), FILTERS)
def test_a_filter_means_the_same_by_record_by_name_and_in_every_verb(
    told: Memory, fields: dict[str, Any], count: int
) -> None:
    given = Filter(**fields)
    nodes = told.timeline(filter=given)
    assert len(nodes) == count
    assert told.timeline(**fields) == nodes
    ids = {n.id for n in nodes}
    assert {h.node.id for h in told.recall("harbour", filter=given, limit=50).hits} == ids
    assert {h.node.id for h in told.recall("harbour", limit=50, **fields).hits} == ids
    block, named = told.context("harbour", filter=given), told.context("harbour", **fields)
    assert block is not None
    assert block == named
    assert set(block.items) <= ids
    if fields:
        assert told.forget(given) == count
        assert not ids & {n.id for n in told.timeline()}


def test_what_is_named_goes_before_the_filter(told: Memory) -> None:
    given = Filter(session="a", roles="user")
    assert len(told.timeline(filter=given)) == 1
    assert len(told.timeline(filter=given, session="b")) == 2
    assert len(told.timeline(filter=given, roles=["assistant"])) == 1
    assert len(told.timeline(filter=given, roles=None, session="")) == 1, "what is not given alters nothing"
    assert dataclasses.replace(given, session=None) == Filter(roles="user")


def test_a_filter_is_checked_when_it_is_used(told: Memory) -> None:
    for bad, field in (
        (Filter(kinds="dream"), "kinds"), (Filter(origins="martian"), "origins"), (Filter(when="blue"), "when"),
        (Filter(min_trust=3), "min_trust"), (Filter(after="soon"), "after"), ({"kinds": "episodic"}, "filter"),
    ):  # fmt: skip
        for verb in (lambda f: told.recall("x", filter=f), lambda f: told.timeline(filter=f)):
            with pytest.raises(InvalidInput) as raised:
                verb(bad)
            assert raised.value.field == field
    with pytest.raises(TypeError, match="colour"):
        told.recall("x", colour="blue")  # type: ignore[call-arg]
    with pytest.raises(InvalidInput, match="everything"):
        told.forget(Filter())
    with pytest.raises(NotFound, match="source"):
        told.forget(Filter(source="nowhere.jsonl"))
    assert len(told.timeline()) == 5


def test_the_keywords_are_the_fields_of_the_filter() -> None:
    fields = {f.name: f.type for f in dataclasses.fields(Filter)}
    words = {name: hint.__forward_arg__ for name, hint in Filtering.__annotations__.items()}
    assert words | {"session": fields["session"]} == fields


# -- answers ----------------------------------------------------------------------------------------------------------


def test_every_answer_can_be_imported_and_has_to_dict() -> None:
    records = {n: v for n, v in vars(models).items() if dataclasses.is_dataclass(v) and n != "Filter"}
    assert len(records) > 30
    for name, record in records.items():
        assert issubclass(record, Record), name  # type: ignore[arg-type]
        assert getattr(mnemic, name) is record
    assert mnemic.Uncertain is Uncertain


def test_answers_are_as_json_knows_them(told: Memory, tmp_path: Path) -> None:
    node = told.remember("Vera lives in Oslo.")
    told.correct(node.id, "Vera lives in Bergen.")
    (tmp_path / "card.md").write_text("# Piers\n\nThere are two.", encoding="utf-8")
    answers: list[Any] = [
        node, told.recall("harbour"), told.context("harbour"), told.explain(node.id), told.consolidate(), told.sleep(),
        told.review.diff("2020-01-01"), *told.sessions(), told.cards.add(tmp_path / "card.md"), told.catch_up(),
        told.import_(tmp_path / "card.md", dry_run=True), told.archive.logs([tmp_path / "card.md"], dry_run=True),
        *told.review.forecast(3_650), *told.entities.list(), *told.graph.neighbours(node.id),
    ]  # fmt: skip
    for answer in answers:
        made = answer.to_dict()
        assert json.loads(json.dumps(made)) == made
        assert made.keys() == {f.name for f in dataclasses.fields(answer)}
    assert node.to_dict()["event_time"] == node.at.isoformat().replace("+00:00", "Z")
    assert told.explain(node.id).to_dict()["node"]["id"] == node.id


def test_times_stand_beside_their_numbers_as_aware_datetimes(told: Memory) -> None:
    node = told.timeline()[0]
    assert node.at == datetime(2026, 1, 5, 10, tzinfo=UTC)
    assert to_micros(node.at) == node.event_time
    assert node.at.utcoffset() == timedelta(0)
    assert (node.hidden, node.until) == (None, None)
    hidden = told.forget(node.id)
    assert hidden.hidden is not None
    assert hidden.hidden_at is not None
    assert to_micros(hidden.hidden) == hidden.hidden_at
    session = told.sessions()[0]
    assert to_micros(session.started) == session.started_at


def test_every_time_of_a_record_has_its_datetime() -> None:
    for name, record in vars(models).items():
        if not (isinstance(record, type) and issubclass(record, Record) and dataclasses.is_dataclass(record)):
            continue
        timed = {f.name for f in dataclasses.fields(record) if str(f.type).startswith("Micros")}
        shown = {v._name for v in vars(record).values() if type(v).__name__ == "At"}
        assert timed == shown, name
        numbers = {f.name for f in dataclasses.fields(record) if str(f.type).split(" ")[0] == "int"}
        assert not {n for n in numbers if n.endswith(("_at", "_time"))}, name
        assert typing.get_type_hints(record)


# -- spaces and backups -----------------------------------------------------------------------------------------------

VERBS: list[Callable[[Memory, Any], object]] = [
    lambda m, space: m.observe("x", space=space),
    lambda m, space: m.observe_many(["x"], space=space),
    lambda m, space: m.recall("x", space=space),
    lambda m, space: m.context("x", space=space),
    lambda m, space: m.timeline(space=space),
    lambda m, space: m.remember("x", space=space),
    lambda m, space: m.erase(everything=True, space=space),
    lambda m, space: m.status(space=space),
    lambda m, space: m.entities.list(space=space),
    lambda m, space: m.review.conflicts(space=space),
    lambda m, space: m.cards.list(space=space),
]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("space", ["", " ", "\t", 5])
def test_an_empty_space_is_refused(memory: Memory, verb: Callable[[Memory, Any], object], space: Any) -> None:
    memory.observe("stays")
    with pytest.raises(InvalidInput) as raised:
        verb(memory, space)
    assert raised.value.field == "space"
    assert [n.content for n in memory.timeline()] == ["stays"]


def test_a_backup_loses_what_was_erased_since(memory: Memory, tmp_path: Path) -> None:
    node = memory.observe("to be erased")
    memory.observe("stays")
    copy = memory.backup(tmp_path / "copy.db")
    memory.erase(item=node.id)
    with Memory(copy, embedder=None, config=Config(background=False)) as old:
        with pytest.raises(InvalidInput, match="one target"):
            old.erase(item=node.id, like=memory.path)
        old.erase(like=memory.path)
        assert [n.content for n in old.timeline()] == ["stays"]
        with pytest.raises(InvalidInput, match="no file"):
            old.erase(like=tmp_path / "nowhere.db")
