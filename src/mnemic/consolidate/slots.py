"""Slots: which facts may replace which. A fact ends another only in the same slot (subject, predicate, scope)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..lang.pack import words
from ..text.analyse import terms
from ..text.names import alias


@dataclass(frozen=True, slots=True)
class Slot:
    """What is known of a predicate.

    Attributes:
        cardinality: ``one``: a new value ends the old one; ``many``: values stand side by side.
        label: of the facts. kind: of the nodes. group: predicates that speak of the same thing (likes, dislikes): the
            same object under another predicate of the group ends it. scoped: ``scope`` says of what ("favorite
            colour").
        shared: one may have a second, or another one at certain times (a job, a home).
    """

    cardinality: Literal["one", "many"]
    label: str = "fact"
    kind: Literal["semantic", "procedural", "opinion"] = "semantic"
    group: str = ""
    scoped: bool = False
    shared: bool = False


SLOTS: Mapping[str, Slot] = {
    # persons
    "name": Slot("one"),
    "age": Slot("one"),
    "birthday": Slot("one"),
    "born_in": Slot("one"),
    "comes_from": Slot("one"),
    "lives_in": Slot("one", shared=True),
    "works_at": Slot("one", shared=True),
    "works_as": Slot("one", shared=True),
    "studies_at": Slot("one", shared=True),
    "studies": Slot("many"),
    "assigned_to": Slot("one", shared=True),  # a project, a team
    "married_to": Slot("one"),
    "family": Slot("many", scoped=True),  # scope: sister, son, boss, friend …; object: the name
    "has_pet": Slot("many"),
    "owns": Slot("many"),
    "speaks": Slot("many"),
    "diet": Slot("one"),
    "allergic_to": Slot("many"),
    "health": Slot("many"),
    "likes": Slot("many", label="preference", kind="opinion", group="taste"),
    "dislikes": Slot("many", label="preference", kind="opinion", group="taste"),
    "prefers": Slot(
        "one", label="preference", kind="opinion", scoped=True, shared=True
    ),  # scope: the kind of thing, may be empty
    "favorite": Slot("one", label="preference", kind="opinion", scoped=True, shared=True),
    "habit": Slot("many", scoped=True),  # what somebody usually does: one thing beside the other
    "plans": Slot("many", label="plan"),
    # anything
    "uses": Slot(
        "many", scoped=True, shared=True
    ),  # scope where said: database, editor, phone …; with one, the newer value replaces
    "status": Slot("one"),  # installed, broken, done, blocked …: what state the subject is in
    "version": Slot("one", scoped=True),  # scope: of what
    "located_in": Slot("one"),
    "count": Slot("one", scoped=True),  # scope: what is counted ("tests passing")
    "value": Slot("one", scoped=True),  # scope: of which property ("budget", "deadline", "port")
    "states": Slot("many"),  # a general statement ("dogs descend from wolves")
    # projects
    "decided": Slot("many", label="decision"),
    "chose": Slot("one", label="decision", scoped=True),  # scope: for what
    "depends_on": Slot("many"),
    "fixed_by": Slot("many", label="procedure", kind="procedural", scoped=True),  # scope: the fault
    "breaks_when": Slot("many", label="error_pattern", kind="procedural"),
    "command": Slot("one", label="procedure", kind="procedural", scoped=True),  # scope: what it does
}


#: Relations of which there is one at a time: "my new boss is Steve".
ONE_AT_A_TIME = words("deciding", "one_at_a_time")


def replaces(predicate: str, scope: str) -> bool:
    """Whether a new value of this slot ends the old one by itself."""
    slot = SLOTS[predicate]
    return (
        slot.cardinality == "one"
        or (predicate == "uses" and bool(scope))
        or (predicate == "family" and scope in ONE_AT_A_TIME)
    )


def object_key(text: str) -> str:
    """The form in which values are compared: stems in order; the folded text where there are none."""
    return " ".join(terms(text)) or alias(text)
