"""The ten tools of an agent: functions with typed, frozen, JSON-able answers, over the verbs of :class:`mnemic.Memory`.

MCP, HTTP and every framework show these and nothing else. A tool answers with data; what was not done is an error,
never a sentence that says it was. Times are ISO 8601 text in the zone of the memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from .clock import zone
from .errors import NotFound, Uncertain
from .models import FACTS, KINDS, Node
from .store.facts import ends
from .views import (
    Acted,
    Count,
    EntityInfo,
    Explained,
    Found,
    Item,
    Reached,
    Remembered,
    Stats,
    Timeline,
    Views,
    Walk,
    Weak,
)

if TYPE_CHECKING:
    from .memory import Memory
    from .models import Neighbour

MANY = 1_000  # facts of one entity that are looked at

# What the arguments mean; the descriptions go into the schemas that agents read, and every word of them is paid for.
Query = Annotated[str, "A question, words, a name or a time."]
Type = Annotated[
    str | None,
    "fact (all learned), episodic (all said), opinion, preference, decision, plan …",
]
EntityName = Annotated[str | None, "Person, project, place or thing."]
When = Annotated[str | None, "A time in words: 'last week', «вчера»."]
After = Annotated[str | None, "From then on, ISO 8601 or words."]
Before = Annotated[str | None, "Until then, exclusive."]
AsOf = Annotated[str | None, "What was true then."]
KnownAt = Annotated[str | None, "What was known then."]
Limit = Annotated[int, "Results at most."]
Id = Annotated[str, "Id of a memory."]
IdOrText = Annotated[str, "Id, or a text that clearly means one memory."]
Who = Annotated[
    Literal["user", "assistant", "external"],
    "external: read in a page, file or mail. It decides the trust.",
]


class Tools:
    """The ten tools over one memory.

    Args:
        memory: an open memory. space: the isolation boundary of all calls; the memory's own unless given.
    """

    def __init__(self, memory: Memory, *, space: str | None = None) -> None:
        self._memory = memory
        self._space = space
        self._views = Views(zone(memory.config.zone))

    def search_memory(
        self,
        query: Query,
        *,
        type: Type = None,
        entity: EntityName = None,
        when: When = None,
        after: After = None,
        before: Before = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        limit: Limit = 10,
    ) -> Found:
        """Find what is known about something; see :meth:`mnemic.Memory.recall`.

        Raises:
            InvalidInput: an argument cannot be used. StoreError: the file cannot be read.
        """
        kinds, labels = _wanted(type)
        answer = self._memory.recall(
            query, limit=limit, kinds=kinds, labels=labels, entity=entity, when=when, after=after, before=before,
            as_of=as_of, known_at=known_at, space=self._space,
        )  # fmt: skip
        behind = self._behind(hit.node for hit in answer.hits)
        items = tuple(
            self._views.item(
                hit.node,
                behind.get(hit.node.id, ()),
                why=hit.why,
                earlier=hit.history,
                later=hit.superseded_by,
                said=next((e.text for e in hit.evidence if e.text), ""),
                note=hit.status,
                answer=hit.answer,
            )
            for hit in answer.hits
        )
        return Found(items, answer.sufficiency, round(answer.score, 4), answer.degraded)

    def remember_fact(
        self,
        text: Annotated[str, "One statement, with names."],
        *,
        type: Annotated[Literal["semantic", "procedural", "opinion"], "Its sort."] = "semantic",
        label: Annotated[str, "fact, preference, decision, plan …"] = "fact",
        said_by: Who = "user",
        importance: Annotated[float, "1 is ordinary; above 2 it never fades."] = 1.0,
        at: Annotated[str | None, "When it happened; else now."] = None,
        valid_from: Annotated[str | None, "Since when."] = None,
        valid_until: Annotated[str | None, "Until when."] = None,
        tags: Annotated[Sequence[str] | None, "To filter by."] = None,
    ) -> Remembered:
        """Keep one statement; see :meth:`mnemic.Memory.remember`.

        Raises:
            InvalidInput: an argument cannot be used. StoreError: not stored, and why.
        """
        node = self._memory.remember(
            text, kind=type, label=label, importance=importance, at=at, valid_from=valid_from, valid_until=valid_until,
            tags=tags, origin=said_by, space=self._space,
        )  # fmt: skip
        return Remembered("known" if node.acknowledged == "known" else "stored", self._one(node))

    def correct_fact(
        self,
        fact: IdOrText,
        new: Annotated[str, "What is right, standing alone."],
        *,
        at: Annotated[str | None, "When it changed; else it was never true."] = None,
    ) -> Acted:
        """Put a right statement in the place of a wrong one; see :meth:`mnemic.Memory.correct`.

        Raises:
            NotFound: there is no such memory. InvalidInput, StoreError: nothing was changed.
        """
        try:
            node = self._memory.correct(fact, new, at=at, space=self._space)
        except Uncertain as error:
            return self._not_sure(error.candidates)
        chain = self._memory.explain(node.id, space=self._space).history
        was = next((v.node for v in reversed(chain) if v.node.id != node.id), None)
        return Acted("corrected", self._one(node), None if was is None else self._one(was))

    def confirm_fact(self, fact: IdOrText) -> Acted:
        """Hold a memory for certain; see :meth:`mnemic.Memory.confirm`.

        Raises:
            NotFound: there is no such memory. StoreError: nothing was changed.
        """
        try:
            return Acted("confirmed", self._one(self._memory.confirm(fact, space=self._space)))
        except Uncertain as error:
            return self._not_sure(error.candidates)

    def forget_fact(
        self,
        fact: IdOrText,
        *,
        why: Annotated[str, "The reason; 'false' where it was never true."] = "forgotten",
    ) -> Acted:
        """Hide a memory, reversibly; see :meth:`mnemic.Memory.forget`.

        Raises:
            NotFound: there is no such memory. StoreError: nothing was changed.
        """
        try:
            return Acted("forgotten", self._one(self._memory.forget(fact, why=why, space=self._space)))
        except Uncertain as error:
            return self._not_sure(error.candidates)

    def get_entity_info(
        self,
        name: Annotated[str, "Its name or one of its aliases."],
        *,
        limit: Limit = 20,
    ) -> EntityInfo:
        """Who or what an entity is: names, what holds of it and what is over (the newest first), what was said about
        it.

        Raises:
            InvalidInput: an argument cannot be used. StoreError: the file cannot be read.
        """
        found = self._memory.entities.get(name, space=self._space)
        if found is None:
            return EntityInfo(name, False)
        facts = [node for node in self._facts(found.name) if not ends(node)]
        holding = {node.id for node in facts}
        over = [node for node in self._facts(found.name, include_superseded=True) if node.id not in holding]
        said = self._memory.recall(found.name, entity=found.name, kinds="episodic", limit=limit, space=self._space)
        return EntityInfo(
            found.name, True, found.type, found.aliases, found.mentions, self._views.maybe(found.first_seen),
            self._views.maybe(found.last_seen), self._items(facts[:limit]),
            self._items([hit.node for hit in said.hits]),
            found.profile, self._items(over[:limit]),
        )  # fmt: skip

    def get_timeline(
        self,
        *,
        when: When = None,
        after: After = None,
        before: Before = None,
        type: Type = None,
        entity: EntityName = None,
        session: Annotated[str | None, "Of this conversation."] = None,
        limit: Limit = 50,
        offset: Annotated[int, "Skip so many."] = 0,
    ) -> Timeline:
        """Memories in the order they happened; see :meth:`mnemic.Memory.timeline`.

        Raises:
            InvalidInput: an argument cannot be used. StoreError: the file cannot be read.
        """
        kinds, labels = _wanted(type)
        nodes = self._memory.timeline(
            when=when, after=after, before=before, session=session, kinds=kinds, labels=labels, entity=entity,
            limit=limit, offset=offset, space=self._space,
        )  # fmt: skip
        return Timeline(self._items(nodes), offset + limit if len(nodes) == limit else None)

    def memory_stats(self) -> Stats:
        """Counts of this space, and whether search by meaning is up to date.

        Raises:
            StoreError: the file cannot be read.
        """
        state = self._memory.status(space=self._space)
        by_type = tuple(Count(c["kind"], c["label"], c["count"], c["hidden"]) for c in state["by_kind"])
        return Stats(
            state["space"], state["memories"], state["hidden"], state["sessions"], state["entities"],
            len(self._memory.review.conflicts(limit=1_000, space=self._space)), by_type, state["embedder"],
            state["embeddings_due"], tuple(state["notes"]),
        )  # fmt: skip

    def explain_fact(
        self,
        id: Id,
        *,
        known_at: KnownAt = None,
    ) -> Explained:
        """Why a memory is believed: messages with the words, chain, entities, who decided what when.

        Raises:
            NotFound: there is no such memory. InvalidInput: an argument cannot be used.
        """
        return self._views.explained(self._memory.explain(id, known_at=known_at, space=self._space))

    def weak_facts(
        self,
        *,
        below: Annotated[float, "Confidence × trust, 0 to 1."] = 0.5,
        limit: Limit = 20,
    ) -> Weak:
        """Facts that stand on little: to be confirmed, corrected or forgotten.

        Raises:
            InvalidInput: an argument cannot be used. StoreError: the file cannot be read.
        """
        return Weak(self._items(self._memory.review.weak(below=below, limit=limit, space=self._space)), below)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _facts(self, name: str, **filters: Any) -> list[Node]:
        """Facts about an entity, the newest first."""
        found = self._memory.timeline(entity=name, kinds=FACTS, limit=MANY, space=self._space, **filters)
        return sorted(found, key=lambda n: (n.event_time, n.recorded_at), reverse=True)

    def _not_sure(self, candidates: Sequence[str]) -> Acted:
        nodes = []
        for id_ in candidates:
            try:
                nodes.append(self._memory.explain(id_, space=self._space).node)
            except NotFound:  # erased since
                continue
        return Acted("not_sure", candidates=self._items(nodes))

    def _behind(self, nodes: Iterable[Node]) -> Mapping[str, Sequence[str]]:
        """Ids of the episodes that learned memories are known from."""
        learned = [node.id for node in nodes if node.kind != "episodic"]
        return self._memory.workflow(space=self._space).episodes_behind(learned) if learned else {}

    def _items(self, nodes: Sequence[Node]) -> tuple[Item, ...]:
        behind = self._behind(nodes)
        return tuple(self._views.item(node, behind.get(node.id, ())) for node in nodes)

    def _one(self, node: Node) -> Item:
        return self._items([node])[0]


class GraphTools(Tools):
    """Two more, for an agent that follows links itself."""

    def get_neighbours(
        self,
        id: Id,
        *,
        depth: Annotated[int, "Steps, 1 to 6."] = 1,
        relations: Annotated[
            Sequence[str] | None,
            "Only these: causal, derived_from, supersedes, contradicts, supports, references, context, similar, "
            "response_to, temporal, mentions.",
        ] = None,
        limit: Limit = 20,
    ) -> Walk:
        """What a memory is joined to; see :meth:`mnemic.Memory.graph.neighbours`.

        Raises:
            NotFound: there is no such memory. InvalidInput: an argument cannot be used.
        """
        return self._walk(self._memory.graph.neighbours(id, depth, relations=relations, limit=limit, space=self._space))

    def find_path(
        self,
        a: Id,
        b: Id,
        *,
        depth: Annotated[int, "Steps at most, 1 to 6."] = 4,
    ) -> Walk:
        """How two memories hang together; see :meth:`mnemic.Memory.graph.shortest_path`.

        Raises:
            NotFound: there is no such memory. InvalidInput: an argument cannot be used.
        """
        return self._walk(self._memory.graph.shortest_path(a, b, depth, space=self._space))

    def _walk(self, found: Sequence[Neighbour]) -> Walk:
        items = self._items([at.node for at in found])
        return Walk(
            tuple(
                Reached(at.depth, None, "", True, item)
                if at.edge is None
                else Reached(at.depth, at.edge.relation, at.edge.name, at.edge.target == at.node.id, item)
                for at, item in zip(found, items, strict=True)
            )
        )


def _wanted(type: str | None) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """Kinds and labels that a type means."""
    if not type:
        return None, None
    if type == "fact":
        return FACTS, None
    return ((type,), None) if type in KINDS else (None, (type,))
