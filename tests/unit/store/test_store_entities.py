"""Entities on a transaction: merge, undo, split, and the log they leave (cases B056 to B062 as the store meets them)."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from mnemic import InvalidInput, NotFound
from mnemic.store import cold, entities, queries
from mnemic.store.rows import NewNode
from mnemic.store.sqlite import SqliteStore
from mnemic.store.tx import Tx
from mnemic.testing import FrozenClock
from mnemic.text.analyse import search_text
from mnemic.text.names import alias

TABLES = ("entities", "entity_aliases", "mentions", "edges", "nodes", "terms", "tags")
WHO = {"actor": "test"}


class World:
    """A store with a few helpers; everything runs in transactions of its own."""

    def __init__(self, path: Path) -> None:
        self.store = SqliteStore(path, clock=FrozenClock())
        self.at = 1_780_000_000_000_000

    def do(self, verb: Any, *args: Any, **options: Any) -> Any:
        return self.store.run(lambda tx: verb(tx, *args, **options))

    def facts(self, space: str, *contents: str, **fields: Any) -> list[int]:
        out = []
        for content in contents:
            self.at += 1_000_000
            node = NewNode(content, search_text(content), self.at, kind="semantic", label="fact", **fields)
            out.append(self.store.run(lambda tx, node=node: tx.add(space, [node]))[0].row)  # type: ignore[misc]
        return out

    def entity(self, space: str, name: str, type_: str = "person", rows: list[int] | None = None) -> str:
        id_ = self.do(entities.create, space, name, type_)
        self.mention(space, id_, rows or [])
        return str(id_)

    def mention(self, space: str, id_: str, rows: list[int]) -> None:
        def write(tx: Tx) -> None:
            no = entities.get(tx, space, id_).no
            entities._mention(tx, tx.space(space), no, rows)
            tx.connection.execute(entities.E.recount, (no,))

        self.store.run(write)

    def call(self, id_: str, name: str) -> None:
        def write(tx: Tx) -> None:
            found = entities.get(tx, "a", id_)
            tx.name_entity(tx.space("a"), found.no, name, found.type)

        self.store.run(write)

    def dump(self) -> dict[str, list[Any]]:
        with self.store.reader() as r:
            return {t: sorted(r.execute(f"select * from {t}").fetchall(), key=repr) for t in TABLES}  # noqa: S608

    def entity_rows(self, space: str, id_: str) -> set[int]:
        def read(tx: Tx) -> set[int]:
            return {row for (row,) in tx.connection.execute(entities.E.rows_of, (entities.get(tx, space, id_).no,))}

        return set(self.store.run(read))

    def names(self, space: str, id_: str) -> set[str]:
        return {
            n for n, _ in self.store.run(lambda tx: entities.aliases(tx.connection, entities.get(tx, space, id_).no))
        }


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "memory.db")
    yield made
    made.store.close()


@pytest.fixture
def nyc(world: World) -> tuple[World, str, str]:
    """B062: 7 facts and 3 edges on "NYC", 4 on "New York City", one of both, and a namesake in another space."""
    short = world.facts("a", *(f"NYC has {i} bridges" for i in range(7)), subject="NYC", predicate="count")
    long = world.facts("a", *(f"New York City has {i} parks" for i in range(4)), subject="New York City")
    both = world.facts("a", "NYC is New York City", subject="NYC", object="New York City")
    other = world.facts("b", "NYC is far")
    for target in short[1:4]:
        world.store.run(lambda tx, target=target: tx.link(short[0], target, "references"))  # type: ignore[misc]
    gone = world.entity("a", "NYC", "place", short + both)
    keep = world.entity("a", "New York City", "place", long + both)
    world.entity("b", "NYC", "place", other)
    world.do(entities.set_profile, "a", keep, '{"text":"big","facts":[]}')
    world.do(entities.set_profile, "a", gone, '{"text":"small","facts":[]}')
    return world, keep, gone


def test_every_statement_fits_the_schema() -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(queries.script("schema.sql"))
    cold.register(connection, ":memory:")
    for name in entities.E.names():
        sql = getattr(entities.E, name)
        try:
            connection.execute(f"explain {sql}", ())
        except apsw.BindingsError as error:
            needs = int(re.search(r"uses (\d+)", str(error))[1])  # type: ignore[index]
            connection.execute(f"explain {sql}", (None,) * needs)


def test_B062_a_merge_moves_everything_once_and_leaves_the_other_space_alone(nyc: tuple[World, str, str]) -> None:
    world, keep, gone = nyc
    before = world.dump()
    world.do(entities.merge, "a", keep, gone, **WHO)
    after = world.dump()
    for table in ("nodes", "edges", "terms", "tags"):
        assert after[table] == before[table]
    assert len(world.entity_rows("a", keep)) == 12
    assert world.store.run(lambda tx: entities.get(tx, "a", keep)).mentions == 12
    assert world.names("a", keep) == {"nyc", "new york city"}
    with pytest.raises(NotFound):
        world.store.run(lambda tx: entities.get(tx, "a", gone))
    assert {m for m in before["mentions"] if m[1] >> 40 == 2} == {m for m in after["mentions"] if m[1] >> 40 == 2}
    assert [e for e in after["entities"] if e[2] == 2] == [e for e in before["entities"] if e[2] == 2]


def test_B062_undoing_restores_every_table(nyc: tuple[World, str, str]) -> None:
    world, keep, gone = nyc
    before = world.dump()
    change = world.do(entities.merge, "a", keep, gone, **WHO, why="same city")
    world.do(entities.undo, "a", change, **WHO)
    assert world.dump() == before
    with pytest.raises(InvalidInput):
        world.do(entities.undo, "a", change, **WHO)


def test_what_came_after_the_merge_stays(nyc: tuple[World, str, str]) -> None:
    world, keep, gone = nyc
    change = world.do(entities.merge, "a", keep, gone, **WHO)
    (late,) = world.facts("a", "NYC again")
    world.mention("a", keep, [late])
    erased = min(world.entity_rows("a", keep))
    world.store.run(lambda tx: tx.erase("a", [erased]))
    world.do(entities.undo, "a", change, **WHO)
    assert late in world.entity_rows("a", keep)
    assert len(world.entity_rows("a", gone)) == 7
    assert len(world.entity_rows("a", keep)) == 6
    assert world.store.run(lambda tx: entities.get(tx, "a", gone)).mentions == 7


def test_a_chain_of_merges_is_undone_from_its_end(world: World) -> None:
    ids = [world.entity("a", name, rows=world.facts("a", f"{name} came")) for name in ("Ann", "Anna", "Anja")]
    before = world.dump()
    first = world.do(entities.merge, "a", ids[1], ids[0], **WHO)
    second = world.do(entities.merge, "a", ids[2], ids[1], **WHO)
    with pytest.raises(NotFound):
        world.do(entities.undo, "a", first, **WHO)
    world.do(entities.undo, "a", second, **WHO)
    world.do(entities.undo, "a", first, **WHO)
    assert world.dump() == before


def test_a_number_that_was_taken_meanwhile_is_not_taken_back(world: World) -> None:
    keep = world.entity("a", "Anna")
    gone = world.entity("a", "Anja", rows=world.facts("a", "Anja came"))
    change = world.do(entities.merge, "a", keep, gone, **WHO)
    between = world.entity("a", "Boris", rows=world.facts("a", "Boris came"))
    world.do(entities.undo, "a", change, **WHO)
    assert len(world.entity_rows("a", gone)) == len(world.entity_rows("a", between)) == 1
    assert world.names("a", between) == {"boris"}


def test_a_merge_of_types_leaves_no_second_entity_behind(world: World) -> None:
    person = world.entity("a", "Anna Belova", rows=world.facts("a", "Anna Belova came"))
    concept = world.entity("a", "Anja", "concept", world.facts("a", "Anja left"))
    before = world.dump()
    change = world.do(entities.merge, "a", person, concept, **WHO)
    assert world.do(entities.create, "a", "Anja", "person") == person
    world.do(entities.undo, "a", change, **WHO)
    assert world.dump() == before


def test_a_third_entity_keeps_its_name(world: World) -> None:
    """Merging the concept "Apple" into a person while a person "Apple" exists takes no name from anybody."""
    third = world.entity("a", "Apple")
    concept = world.entity("a", "Apple", "concept")
    keep = world.entity("a", "Apple Ivanova")
    before = world.dump()
    change = world.do(entities.merge, "a", keep, concept, **WHO)
    assert world.names("a", third) == {"apple"}
    assert world.names("a", keep) == {"apple", "apple ivanova"}
    world.do(entities.undo, "a", change, **WHO)
    assert world.dump() == before


def test_merging_needs_two_of_one_space(world: World) -> None:
    here, there = world.entity("a", "Anna"), world.entity("b", "Anna")
    with pytest.raises(NotFound):
        world.do(entities.merge, "a", here, there, **WHO)
    with pytest.raises(InvalidInput):
        world.do(entities.merge, "a", here, here, **WHO)
    change = world.do(entities.merge, "a", here, world.entity("a", "Anja"), **WHO)
    for space, number in (("b", change), ("a", 999)):
        with pytest.raises(NotFound):
            world.do(entities.undo, space, number, **WHO)


def test_a_split_takes_a_name_with_its_mentions(nyc: tuple[World, str, str]) -> None:
    world, keep, gone = nyc
    had = world.entity_rows("a", gone)
    world.do(entities.merge, "a", keep, gone, **WHO)
    before = world.dump()
    change, new = world.do(entities.split, "a", keep, "NYC", **WHO)
    assert world.entity_rows("a", new) == had, "seven of its own, and the one that names both"
    assert len(world.entity_rows("a", keep)) == 5
    assert (world.names("a", new), world.names("a", keep)) == ({"nyc"}, {"new york city"})
    world.do(entities.undo, "a", change, **WHO)
    assert world.dump() == before


def test_a_split_can_be_told_the_rows_and_what_was_said_since_is_not_lost(world: World) -> None:
    rows = world.facts("a", "she came", "she left", "she slept")
    old = world.entity("a", "Viktor Orlov", rows=rows)
    world.call(old, "Витя")
    change, new = world.do(entities.split, "a", old, "Витя", rows=rows[:1], **WHO)
    assert (world.entity_rows("a", new), world.entity_rows("a", old)) == ({rows[0]}, set(rows[1:]))
    (late,) = world.facts("a", "Витя пришёл")
    world.mention("a", new, [late])
    world.call(new, "Витёк")
    world.do(entities.undo, "a", change, **WHO)
    assert world.entity_rows("a", old) == {*rows, late}
    assert world.names("a", old) == {"viktor orlov", "витя", "витек"}


def test_splitting_off_the_main_name_leaves_the_other_as_it_was_written(nyc: tuple[World, str, str]) -> None:
    world, keep, gone = nyc
    world.do(entities.merge, "a", keep, gone, **WHO)
    change, new = world.do(entities.split, "a", keep, "New York City", **WHO)
    assert world.store.run(lambda tx: entities.get(tx, "a", keep)).name == "NYC"
    assert world.store.run(lambda tx: entities.get(tx, "a", new)).name == "New York City"
    world.do(entities.undo, "a", change, **WHO)
    assert world.store.run(lambda tx: entities.get(tx, "a", keep)).name == "New York City"


def test_a_split_by_case_forms(world: World) -> None:
    rows = world.facts("a", "Звонил Иванову", "Видел Петрова", "Иванов и Петров ушли", "Он ушёл")
    old = world.entity("a", "Петров", rows=rows)
    world.call(old, "Иванов")
    _, new = world.do(entities.split, "a", old, "Иванов", **WHO)
    assert world.entity_rows("a", new) == {rows[0], rows[2]}
    assert world.entity_rows("a", old) == {rows[1], rows[2], rows[3]}


def test_a_split_that_cannot_be(world: World) -> None:
    anna = world.entity("a", "Anna")
    with pytest.raises(NotFound):
        world.do(entities.split, "a", anna, "Boris", **WHO)
    with pytest.raises(InvalidInput):
        world.do(entities.split, "a", anna, "Anna", **WHO)


def test_B059_one_name_of_one_type_is_one_entity(world: World) -> None:
    ids = {world.entity("a", name, "organization") for name in ("ДГИА", "дгиа", "ДГИА ")}
    assert len(ids) == 1
    assert len({world.entity("a", f"Config for apps.{i:02}", "tool") for i in range(15)}) == 15
    assert world.entity("a", "Apple", "organization") != world.entity("a", "Apple", "person"), "B056"


def test_mentions_are_never_double_and_never_of_another_space(world: World) -> None:
    mine, theirs = world.facts("a", "one", "two"), world.facts("b", "three")
    anna = world.entity("a", "Anna", rows=mine)
    world.mention("a", anna, [*mine, *theirs, 12345])
    assert world.store.run(lambda tx: entities.get(tx, "a", anna)).mentions == 2
    assert world.entity_rows("a", anna) == set(mine)


def test_names_and_types_can_be_changed_and_changed_back(world: World) -> None:
    anna = world.entity("a", "Anna", "concept", world.facts("a", "Anna came"))
    world.call(anna, "Anja")
    before = world.dump()
    change = world.do(entities.edit, "a", anna, name="Anna Belova", type_="person", **WHO)
    row = world.store.run(lambda tx: entities.get(tx, "a", anna))
    assert (row.name, row.type) == ("Anna Belova", "person")
    assert world.names("a", anna) == {"anna", "anja", "anna belova"}
    assert world.do(entities.create, "a", "ANNA", "person") == anna
    world.do(entities.undo, "a", change, **WHO)
    assert world.dump() == before


def test_a_name_that_another_has_is_not_given(world: World) -> None:
    anna, boris = world.entity("a", "Anna"), world.entity("a", "Boris")
    world.call(anna, "boris")
    assert (world.names("a", anna), world.names("a", boris)) == ({"anna"}, {"boris"})
    with pytest.raises(InvalidInput):
        world.do(entities.edit, "a", anna, name="Boris", **WHO)


def test_reading(nyc: tuple[World, str, str]) -> None:
    world, keep, gone = nyc

    one, other = (world.store.run(lambda tx, e=e: entities.get(tx, "a", e)).no for e in (keep, gone))  # type: ignore[misc]
    assert world.store.run(lambda tx: entities.together(tx.connection, [one, other])) == {one: [other], other: [one]}


def logged(world: World) -> str:
    with world.store.reader() as r:
        return json.dumps(r.execute("select * from changes").fetchall(), ensure_ascii=False)


def test_erasing_an_entity_leaves_no_name_of_it_in_the_log(world: World) -> None:
    rows = world.facts("a", "Zoltan came", "Zolika left")
    keep, gone = (world.entity("a", name, rows=[row]) for name, row in (("Zoltan", rows[0]), ("Zolika", rows[1])))
    world.do(entities.set_profile, "a", gone, json.dumps({"text": "MARKER", "facts": ["x"]}))
    world.do(entities.merge, "a", keep, gone, **WHO, why="Zolika is Zoltan")
    stays, anja = world.entity("a", "Anna", rows=world.facts("a", "Anna came")), world.entity("a", "Anja")
    change = world.do(entities.merge, "a", stays, anja, **WHO)
    world.do(entities.scrub, "a")
    assert "Zolika" in logged(world), "nothing is gone yet"
    assert "MARKER" not in logged(world), "a profile is made again"
    world.store.run(lambda tx: tx.erase("a", rows))
    world.do(entities.scrub, "a")
    assert "zoli" not in logged(world).lower()
    assert "Anja" in logged(world)
    world.do(entities.undo, "a", change, **WHO)


def test_scrubbing_drops_profiles_that_rest_on_erased_facts(world: World) -> None:
    rows = world.facts("a", "Anna came", "Anna left")
    anna, boris = world.entity("a", "Anna", rows=rows), world.entity("a", "Boris")
    with world.store.reader() as r:
        ids = [id_ for (id_,) in r.execute("select id from nodes order by row").fetchall()]
    world.do(entities.set_profile, "a", anna, json.dumps({"facts": ids}))
    world.do(entities.set_profile, "a", boris, json.dumps({"facts": ids[1:]}))
    world.store.run(lambda tx: tx.erase("a", rows[:1]))
    world.do(entities.scrub, "a")
    profiles = [world.store.run(lambda tx, e=e: entities.get(tx, "a", e)).profile for e in (anna, boris)]  # type: ignore[misc]
    assert profiles == [None, json.dumps({"facts": ids[1:]})]


@pytest.mark.parametrize("seed", range(12))
def test_any_acts_undone_in_reverse_leave_nothing(world: World, seed: int) -> None:
    random_ = random.Random(seed)
    rows = world.facts("a", *(f"{name} met {other}" for name in ("Ann", "Bob", "Cid") for other in ("Dan", "Eve")))
    ids = [
        world.entity("a", name, random_.choice(["person", "concept"]), random_.sample(rows, random_.randint(0, 4)))
        for name in ("Ann", "Bob", "Cid", "Dan", "Eve")
    ]
    before, done = world.dump(), []
    for step in range(8):
        act = random_.choice(["merge", "split", "edit"])
        try:
            if act == "merge" and len(ids) > 1:
                keep, gone = random_.sample(ids, 2)
                done.append(world.do(entities.merge, "a", keep, gone, **WHO))
                ids.remove(gone)
            elif act == "split":
                one = random_.choice(ids)
                name = random_.choice(sorted(world.names("a", one)))
                change, new = world.do(entities.split, "a", one, name, **WHO)
                done.append(change)
                ids.append(new)
            else:
                options: dict[str, Any] = random_.choice([{"name": f"Name {step}"}, {"type_": "tool"}])
                done.append(world.do(entities.edit, "a", random_.choice(ids), **options, **WHO))
        except InvalidInput:
            continue
        counts = world.dump()
        assert all(e[6] == sum(m[0] == e[0] for m in counts["mentions"]) for e in counts["entities"])
    for change in reversed(done):
        world.do(entities.undo, "a", change, **WHO)
    assert world.dump() == before
    assert alias("Ann") in {row[1] for row in before["entity_aliases"]}
