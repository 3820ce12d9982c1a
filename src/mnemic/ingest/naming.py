"""Mentions that follow the hot path: who speaks and which names a message holds, indexed in the background.

Derived, like the vectors: the row reached is kept in the file, and everything can be built again from the episodes.
"""

from __future__ import annotations

from collections import defaultdict

from ..store.base import Store
from ..store.tx import SpaceRow, Tx
from ..text.names import alias, names

BATCH = 500


class Naming:
    """Fills the mention index of every space of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def step(self) -> bool:
        """Index one batch; true when more may be left."""
        for space in self.store.all_spaces():
            key = f"named:{space.no}"
            upto = int(self.store.meta(key) or space.first)
            if upto >= space.newest:
                continue
            rows = self.store.not_named(upto, space.newest, BATCH)
            reached = rows[-1][0] if len(rows) == BATCH else space.newest
            spoken: dict[str, list[tuple[int, int]]] = defaultdict(list)
            said: dict[str, tuple[str, list[tuple[int, int]]]] = {}
            for row, content, speaker, at in rows:
                if speaker:
                    spoken[speaker].append((row, at))
                for name in names(content):
                    said.setdefault(alias(name), (name, []))[1].append((row, at))

            def write(
                tx: Tx, space: str = space.name, spoken: dict[str, list[tuple[int, int]]] = spoken,
                said: dict[str, tuple[str, list[tuple[int, int]]]] = said, key: str = key, reached: int = reached,
            ) -> None:  # fmt: skip
                if int(tx.meta(key) or 0) >= reached:
                    return  # another process was first
                people, where = {alias(name) for name in spoken}, tx.space(space)
                named = [("person", name, rows) for name, rows in spoken.items()]
                named += [
                    ("person" if folded in people else self._type(tx, where, folded), name, rows)
                    for folded, (name, rows) in said.items()
                ]
                for type_, name, rows in named:
                    entity = tx.entity(where, name, type_)
                    tx.mention(tx.new_entity(where, name, type_)[0] if entity is None else entity, rows)
                tx.set_meta(key, str(reached))

            self.store.run(write)
            return True
        return False

    def finish(self) -> None:
        """Index all that is left."""
        while self.step():
            pass

    @staticmethod
    def _type(tx: Tx, space: SpaceRow, folded: str) -> str:
        """The type under which a name is known, ``concept`` for a new one."""
        return tx.type_of(space, folded) or "concept"
