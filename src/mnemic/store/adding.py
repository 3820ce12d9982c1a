"""Write nodes: find what is known already, place each in its session, and put down a batch in a few steps.

A step of SQLite gives the interpreter away and has to wait for it afterwards, up to five milliseconds while another
thread is busy. So a batch asks for everything at once and writes many rows in a step, as bound values: with a step for
each row an import beside other work took three times as long, and as JSON the rows cost more than the tables.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from ..clock import MINUTE, key_id
from ..text.analyse import length
from .queries import load, repeated
from .rows import NewNode, dump_json, first_row

if TYPE_CHECKING:
    from .tx import SpaceRow, Tx

Q = load("queries.sql")
SILENCE = 30 * MINUTE
TURN = "turn"  # predicate of the edge from an answer to its question that nobody but the order of a session has put
STEP = 50  # rows written in one step: statements of that length are still kept ready by apsw


class Written(NamedTuple):
    """What became of one new node: ``outcome`` is ``stored``, ``known``, ``updated`` or ``erased``."""

    id: str
    row: int
    outcome: str
    session: str | None


@dataclass(slots=True)
class _Session:
    no: int
    key: str
    last_at: int
    last_row: int | None
    started_at: int
    added: int = 0
    project: str | None = None
    last_role: str | None = None


@dataclass(slots=True)
class Adding:
    """One call of :meth:`mnemic.store.tx.Tx.add`."""

    tx: Tx
    space: SpaceRow
    source: int | None
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    terms: list[tuple[int, str]] = field(default_factory=list)
    edges: list[tuple[Any, ...]] = field(default_factory=list)
    tags: list[tuple[str, int]] = field(default_factory=list)
    sessions: dict[str, _Session] = field(default_factory=dict)

    def run(self, nodes: Sequence[NewNode]) -> list[Written]:
        """Write the nodes in order."""
        now = self.tx.clock.now()
        ids = [key_id(self.space.name, n.key) if n.key is not None else n.id or self.tx.clock.new_id() for n in nodes]
        known = self._known([i for i, n in zip(ids, nodes, strict=True) if n.key is not None])
        erased = self._erased(ids) if self.space.tombstones else frozenset()
        self._find_sessions([n for i, n in zip(ids, nodes, strict=True) if i not in known])
        out: list[Written] = []
        for id_, node in zip(ids, nodes, strict=True):
            if id_ in erased:
                out.append(Written(id_, 0, "erased", node.session))
            elif id_ in known and node.key is not None:
                row, digest, fresh = known[id_]
                changed = digest != node.body_hash and self._again(id_, row, node)
                if changed:
                    known[id_] = (row, node.body_hash, fresh)
                if "branch" in node.attributes:  # taken back after it was stored
                    self._flush()
                    self.tx.connection.execute(Q.mark_branch, (node.attributes["branch"], row))
                out.append(Written(id_, row, "updated" if changed and not fresh else "known", node.session))
            else:
                session = self._session(node)
                row = self._put(id_, node, session, now)
                if node.key is not None:
                    known[id_] = (row, node.body_hash, True)
                out.append(Written(id_, row, "stored", session.key if session else None))
        self._flush()
        touched = [
            (s.started_at, s.last_at, s.added, s.last_row, s.project, s.no) for s in self.sessions.values() if s.added
        ]
        if touched:
            self.tx.connection.execute(Q.touch_sessions, (json.dumps(touched, ensure_ascii=False),))
        return out

    # -- what is there already ----------------------------------------------------------------------------------------

    def _known(self, ids: list[str]) -> dict[str, tuple[int, bytes | None, bool]]:
        """Id → (row, hash of its body, whether this call wrote it) of those that are stored."""
        if not ids:
            return {}
        found = self.tx.connection.execute(Q.known_nodes, (json.dumps(ids),)).fetchall()
        return {id_: (row, digest, False) for id_, row, digest in found}

    def _erased(self, ids: list[str]) -> frozenset[str]:
        return frozenset(id_ for id_ in ids if self.tx.is_erased(self.space, id_))

    def _again(self, id_: str, row: int, node: NewNode) -> bool:
        """A known key with another body: taken, left, or refused (see ``Tx.add``)."""
        self._flush()
        content = self.tx.connection.execute(Q.node_by_id, (id_,)).fetchone()[2]
        return self.tx.replace(self.space, row, content, node)

    # -- sessions -----------------------------------------------------------------------------------------------------

    def _find_sessions(self, nodes: Sequence[NewNode]) -> None:
        """Read the named sessions of a batch at once, and make those that an import brings."""
        wanted = {n.session: n for n in reversed(nodes) if n.session is not None and n.kind == "episodic"}
        if len(wanted) < 2:
            return
        asked = json.dumps(list(wanted), ensure_ascii=False)
        self._read_sessions(asked)
        new = [n for key, n in wanted.items() if key not in self.sessions and n.channel.startswith("import:")]
        if new:
            values = [[n.session, n.channel, n.project, n.event_time] for n in reversed(new)]
            self.tx.connection.execute(Q.new_sessions, (self.space.no, json.dumps(values, ensure_ascii=False)))
            self._read_sessions(asked)

    def _read_sessions(self, keys: str) -> None:
        for no, key, started, last, row, project, role in self.tx.connection.execute(
            Q.sessions_by_keys, (self.space.no, keys)
        ).fetchall():
            self.sessions.setdefault(key, _Session(no, key, last, row, started, project=project, last_role=role))

    def _session(self, node: NewNode) -> _Session | None:
        """The session of a node: the one named, else the open one of its channel, else a new one after silence."""
        if node.kind != "episodic":
            return None
        key = node.session or self._running(node)
        if key not in self.sessions:
            self._read_sessions(json.dumps([key], ensure_ascii=False))
        if key not in self.sessions:
            self.tx.complete_others(self.space, node.channel, key)
            values = [[key, node.channel, node.project, node.event_time]]
            self.tx.connection.execute(Q.new_sessions, (self.space.no, json.dumps(values, ensure_ascii=False)))
            self._read_sessions(json.dumps([key], ensure_ascii=False))
        return self.sessions[key]

    def _running(self, node: NewNode) -> str:
        """Key of the session that a message without one belongs to."""
        newest = self.tx.connection.execute(Q.newest_session, (self.space.no, node.channel)).fetchone()
        for session in self.sessions.values():
            if newest is None or session.last_at >= newest[1]:
                newest = (session.key, session.last_at)
        if newest is None or abs(node.event_time - newest[1]) > SILENCE:
            return self.tx.clock.new_id()
        return str(newest[0])

    # -- putting down -------------------------------------------------------------------------------------------------

    def _put(self, id_: str, node: NewNode, session: _Session | None, now: int) -> int:
        self.space.seq += 1
        self.space.added += 1
        row = first_row(self.space.no) + self.space.seq
        self.rows.append((
            row, id_, node.kind, node.label, node.content, node.key, node.body_hash or None,
            session.no if session else None, self.source, node.role, node.speaker, node.origin, node.trust,
            node.event_time, node.valid_from, now, node.confidence, node.importance, node.valence, node.stability,
            node.shape, node.subject, node.predicate, node.object, dump_json(node.attributes), node.made_by,
            length(node.terms) if node.words is None else node.words,
        ))  # fmt: skip
        self.terms.append((row, node.terms))
        self.tags += [(tag, row) for tag in node.tags]
        if session:
            if session.last_row is not None:
                answers = (session.last_role, node.role) == ("user", "assistant")
                link = (
                    (row, "response_to", session.last_row, TURN)
                    if answers
                    else (session.last_row, "temporal", row, None)
                )
                self.edges.append((*link, 1.0, 1.0, now, None))
            session.last_row, session.last_role = row, node.role
            session.last_at = max(session.last_at, node.event_time)
            session.started_at = min(session.started_at, node.event_time)
            session.added += 1
            session.project = session.project or node.project
        return row

    def _flush(self) -> None:
        first, last = (self.terms[0][0], self.terms[-1][0]) if self.terms else (0, 0)
        self._insert(Q.insert_node, self.rows)
        self._insert(Q.insert_terms, self.terms)
        if len(self.terms) > 1:
            self.tx.connection.execute(Q.insert_search_many, (first, last))
        else:
            self.tx.connection.executemany(Q.insert_search, self.terms)
        self._insert(Q.insert_edge, self.edges)
        self._insert(Q.insert_tag, self.tags)
        for done in (self.rows, self.terms, self.edges, self.tags):
            done.clear()

    def _insert(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        whole = len(rows) - len(rows) % STEP
        if whole:
            many = repeated(statement, STEP)
            for start in range(0, whole, STEP):
                self.tx.connection.execute(many, [*chain.from_iterable(rows[start : start + STEP])])
        if whole < len(rows):
            self.tx.connection.executemany(statement, rows[whole:])
