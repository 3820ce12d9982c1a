"""The cards of a space as they are shown: the most useful first, and the one that a name means."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import NotFound, Uncertain
from ...models import Card, Node
from ...store import documents
from ...store.base import Store
from ...store.documents import CARD
from ...text.analyse import clean
from ...text.routing import KINDS, Rule


def catalogue(store: Store, space: str, *, hidden: bool = False) -> list[Card]:
    """All cards, by useful accesses of them and their sections, then the latest use or edit, then importance.

    Args:
        hidden: those too that are not offered.
    """
    rows = documents.rows_of_cards(store.columns(space))
    found = [card for card in _cards(store, rows) if hidden or card.hidden_why is None]
    return sorted(found, key=_usefulness)


def _usefulness(card: Card) -> tuple[int, int, float, str, str]:
    return (-card.uses, -max(card.last_used or 0, card.event_time), -card.importance, card.title.casefold(), card.id)


def meant(store: Store, space: str, target: str) -> tuple[int, Card]:
    """Row and card of an id, a path, or a title that is one card's.

    Raises:
        NotFound: there is none. Uncertain: several have that title.
    """
    target = clean(target)
    row = store.rows_of(space, [target]).get(target)
    if row is not None:
        found = _cards(store, [row])
        if found:
            return row, found[0]
        raise NotFound("card", target)
    every = catalogue(store, space, hidden=True)
    for named in (
        [card for card in every if card.path == target],
        [card for card in every if card.title == target],
        [card for card in every if card.title.casefold() == target.casefold()],
    ):
        offered = [card for card in named if card.hidden_why is None] or named
        if len(offered) == 1:
            return store.rows_of(space, [offered[0].id])[offered[0].id], offered[0]
        if offered:
            raise Uncertain("card", target, tuple(card.id for card in offered))
    raise NotFound("card", target)


def _cards(store: Store, rows: Sequence[int]) -> list[Card]:
    nodes = store.nodes(rows, every=True)
    used = store.card_uses(rows)
    return [card_of(node, *used.get(row, (0, None))) for row, node in nodes.items() if is_card(node)]


def is_card(node: Node) -> bool:
    """Whether a memory is a card, and not a fact that somebody called so."""
    return node.label == CARD and "base" in node.attributes


def card_of(node: Node, uses: int = 0, last_used: int | None = None) -> Card:
    """A card from its node and the use of its sections."""
    known = node.attributes
    rule = Rule.load(known.get("rule"))
    times = [at for at in (node.last_accessed, last_used) if at is not None]
    path = known.get("path")
    return Card(
        node.id, node.space, str(known.get("title", "")), None if path is None else str(path), node.content,
        {name: getattr(rule, name) for name in KINDS}, int(known.get("sections", 0)), node.event_time,
        node.access_count + uses, max(times, default=None), node.importance, node.origin, node.trust,
        None if node.hidden_at is None else node.hidden_why or "hidden", node.made_by,
    )  # fmt: skip
