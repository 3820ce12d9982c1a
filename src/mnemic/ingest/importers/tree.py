"""Conversations kept as a tree: the line that is shown, and the branches left by edits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Tree(NamedTuple):
    """The order in which to read the nodes, and which of them hang on a branch that is not shown."""

    order: list[str]
    abandoned: frozenset[str]


def read_tree(parents: Mapping[str, str | None], leaf: str | None) -> Tree:
    """Order the nodes of a conversation: the shown line from its root to ``leaf``, then everything else.

    A node is *abandoned* when it hangs on the shown line without being part of it: the question was edited or the
    answer made again. Nodes that cannot be tied to the shown line (a parent is missing, links run in a circle) are kept
    as they stand in the file, before the shown line, and are not marked. Every node comes once, whatever the links say.

    Args:
        parents: parent of each node, in the order of the file.
        leaf: the node at the end of the shown line; when unknown, the last node without children.
    """
    if not parents:
        return Tree([], frozenset())
    last_child = {parent: node for node, parent in parents.items() if parent != node}
    if leaf not in parents:
        leaf = next((node for node in reversed(list(parents)) if node not in last_child), list(parents)[-1])
    below = {leaf}
    while (child := last_child.get(leaf)) is not None and child not in below:
        leaf = child  # the export names a node that the conversation went on from
        below.add(child)
    shown: dict[str, None] = {}
    node: str | None = leaf
    while node is not None and node in parents and node not in shown:
        shown[node] = None
        node = parents[node]
    hangs: dict[str, bool] = dict.fromkeys(shown, True)
    for start in parents:
        path: list[str] = []
        step: str | None = start
        seen: set[str] = set()
        while step is not None and step in parents and step not in hangs and step not in seen:
            path.append(step)
            seen.add(step)
            step = parents[step]
        tied = hangs.get(step, False) if step is not None else False
        hangs.update(dict.fromkeys(path, tied))
    loose = [node for node in parents if not hangs[node]]
    side = [node for node in parents if hangs[node] and node not in shown]
    return Tree(loose + list(reversed(shown)) + side, frozenset(side))


def left_by_rewinds(parents: dict[str, str], forks: Mapping[str, list[str]]) -> set[str]:
    """Return the nodes on branches that were left: at each fork the child with the latest node stays.

    Args:
        parents: parent of each node, in the order of the file (parents before children).
        forks: the nodes at which the talk was taken up again, with their children.
    """
    if not forks:
        return set()
    latest = {node: index for index, node in enumerate(parents)}
    for node, parent in reversed(parents.items()):
        if parent in latest:
            latest[parent] = max(latest[parent], latest[node])
    left: set[str] = set()
    for node, parent in parents.items():
        if parent in left or (parent in forks and node != max(forks[parent], key=latest.__getitem__)):
            left.add(node)
    return left
