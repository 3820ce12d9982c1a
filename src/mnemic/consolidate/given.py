"""What an agent hands in for consolidation, read item by item: a candidate, or the reason why it cannot be used."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import ErrorDetails

from ..clock import read_time
from ..errors import InvalidInput
from ..lang.pack import words
from ..models import Kind
from ..store.rows import dump_json
from ..text.analyse import clean, terms
from ..text.names import alias
from ..text.secrets import mask
from .claims import USER, Candidate, Named, Said
from .quotes import Source
from .slots import SLOTS

CONFIDENCE, MOST_CERTAIN = 0.8, 0.95  # of what a model read, when it says nothing and whatever it says
ANYTHING = "states"  # predicate of a statement that fits no other
PREDICATES = ", ".join(name for name in SLOTS if name != ANYTHING)
LONG = 2_000  # characters of a field
ME = words("voice", "first") | words("voice", "user") | {""}

#: The schema says the types once, in the description of the field that is used most.
EntityType = Annotated[
    Literal["person", "organization", "project", "place", "tool", "concept"], WithJsonSchema({"type": "string"})
]
_KINDS = {
    bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object", str: "text",
}  # fmt: skip
_AN_ID = re.compile(r"[0-9a-f-]{32,36}|n\d+")


def _list(value: object) -> object:
    """One text counts as a list of one."""
    return [value] if isinstance(value, str) else value


class _Item(BaseModel):
    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True, str_max_length=LONG)


class NewFact(_Item):
    """One durable thing that was read out of one message. The descriptions are what agents read."""

    source: str = Field("", description="Id of the message.")
    quote: str = Field("", description="Its words, verbatim.")
    content: str = Field("", description="One sentence that stands alone, with names.")
    subject: str = Field("", description="Whom it is about; 'user' by default.")
    predicate: str = Field("", description=f"{PREDICATES}; none for other statements.")
    object: str = Field("", description="The value, short.")
    scope: str = Field("", description="Of what: 'colour' for a favorite.")
    subject_type: EntityType = Field("person", description="person, organization, project, place, tool, concept.")
    object_type: EntityType | None = Field(None, description="As above, if it is a name.")
    act: Literal["assert", "end"] = Field("assert", description="end: no longer so.")
    replaces: Annotated[list[str], BeforeValidator(_list)] = Field(
        [], description="Ids of known facts it ends, or the former value."
    )
    confirms: Annotated[list[str], BeforeValidator(_list)] = Field([], description="Ids of known facts it repeats.")
    event_time: str = Field("", description="ISO 8601; else the message's.")
    valid_from: str = Field("", description="As far as told.")
    valid_until: str = Field("", description="As far as told.")
    # Known to those who read docs/tools.md; not worth its place in every list of tools.
    confidence: SkipJsonSchema[float] = Field(CONFIDENCE, ge=0, le=1, allow_inf_nan=False)
    valence: SkipJsonSchema[float | None] = Field(None, ge=-1, le=1, allow_inf_nan=False)
    attributes: SkipJsonSchema[dict[str, Any]] = Field({})


class NewEntity(_Item):
    """A person, project, place or thing that messages name."""

    name: str = Field("", description="As the messages write it.")
    type: EntityType | None = Field(None, description="person, place … as in save_nodes_batch.")
    source: str = Field("", description="Id of a message; else all.")
    aliases: Annotated[list[str], BeforeValidator(_list)] = Field([], description="Further names.")


def problem(error: ErrorDetails) -> str:
    """What is wrong with a value, in words that an agent can act on."""
    kind, given, about = error["type"], error["input"], error.get("ctx", {})
    found = _KINDS.get(type(given), "nothing")
    if isinstance(error["loc"][-1], int):
        return "must be a list of texts"
    if kind == "literal_error":
        known = about["expected"].replace(" or ", ", ").replace("'", "")
        return f"{str(given)[:80]!r} is not known; one of {known}"
    if kind == "string_too_long":
        return f"is longer than {about['max_length']} characters"
    if kind in ("greater_than_equal", "less_than_equal"):
        return f"must be at least {about['ge']:g}" if "ge" in about else f"must be at most {about['le']:g}"
    wanted = next((words for part, words in _WANTED.items() if kind.startswith(part)), None)
    return f"must be {wanted}, not {found}" if wanted else error["msg"]


#: Beginning of the name of a pydantic error → what the value must be.
_WANTED = {
    "string": "text", "int": "a whole number", "float": "a number", "finite": "a number", "bool": "true or false",
    "list": "a list of texts",
    "sequence": "a list", "dict": "an object", "is_instance": "a list", "mapping": "an object",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Read:
    """One item that can be used: what it states, ids of the current facts that it ends or confirms, what was
    ignored."""

    candidate: Candidate
    replaces: tuple[str, ...] = ()
    confirms: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def objects(value: object, field: str, most: int) -> list[Mapping[str, Any]]:
    """A list of objects.

    Raises:
        InvalidInput: something else, or too many.
    """
    if not isinstance(value, list | tuple) or not all(isinstance(item, Mapping) for item in value):
        raise InvalidInput(field, "must be a list of objects")
    if len(value) > most:
        raise InvalidInput(field, f"has {len(value)} items", f"{most} at most, in several calls")
    return list(value)


def ids(value: object, field: str) -> list[str]:
    """A list of ids, each once.

    Raises:
        InvalidInput: something else.
    """
    if isinstance(value, str | bytes) or not isinstance(value, Sequence) or not all(isinstance(v, str) for v in value):
        raise InvalidInput(field, "must be a list of ids")
    return list(dict.fromkeys(value))


def ids_in(items: Sequence[Mapping[str, Any]]) -> list[str]:
    """What items name as replaced or confirmed: ids, and values among them."""
    named = (_list(item.get(name)) for item in items for name in ("replaces", "confirms"))
    return [v.strip() for values in named if isinstance(values, list | tuple) for v in values if isinstance(v, str)]


class _Unfit(Exception):
    """An item that cannot be used."""


def read(
    item: Mapping[str, Any], said: Mapping[str, Said], known: Container[str], *, zone: tzinfo, made_by: str,
    mask_secrets: bool = True,
) -> Read | str:  # fmt: skip
    """What an item says, or why it cannot be used. What only the file can tell is left to ``Page.unfit``.

    Args:
        said: the messages that it may quote, by id. known: ids of current facts among those that it names.
    """
    try:
        fact, notes = _made(NewFact, item)
        source = said.get(fact.source)
        if source is None:
            raise _Unfit("unknown episode")
        predicate = fact.predicate or ANYTHING
        if predicate not in SLOTS:
            raise _Unfit(f"predicate: {predicate[:40]!r} is not known; none, or one of {PREDICATES}")
        replaces, confirms = (tuple(id_ for id_ in named if id_ in known) for named in (fact.replaces, fact.confirms))
        strange = [v for v in (*fact.replaces, *fact.confirms) if v not in known]
        notes += [f"{v[:40]!r} is no current fact" for v in strange if v in fact.confirms or _AN_ID.fullmatch(v)]
        former = next((v for v in strange if v in fact.replaces and not _AN_ID.fullmatch(v)), "")
        candidate = _candidate(fact, source, predicate, former, zone, made_by, mask_secrets, bool(confirms))
        return Read(candidate, replaces, confirms, tuple(notes))
    except _Unfit as error:
        return str(error)


def _candidate(
    fact: NewFact, source: Said, predicate: str, former: str, zone: tzinfo, made_by: str, mask_secrets: bool,
    confirms: bool,
) -> Candidate:  # fmt: skip
    content = clean(fact.content) or (clean(fact.quote) if confirms else "")
    value = clean(fact.object) or (content if predicate == ANYTHING else "")
    if mask_secrets:
        content, value, former = mask(content)[0], mask(value)[0], mask(clean(former))[0]
    at, since, until = (_time(fact, name, zone) for name in ("event_time", "valid_from", "valid_until"))
    slot, subject = SLOTS[predicate], clean(fact.subject)
    return Candidate(
        source=source.id,
        quote=Source(source.text).find(fact.quote) or fact.quote,
        content=content,
        subject=USER if subject.casefold() in ME else subject,
        predicate=predicate,
        object=value,
        event_time=source.at if at is None else at,
        scope=clean(fact.scope),
        kind=cast(Kind, slot.kind),
        label=slot.label,
        subject_type=fact.subject_type,
        object_type=fact.object_type,
        act=fact.act,
        replaces=former or None,
        valid_from=since,
        valid_until=until,
        attributes=_attributes(fact.attributes),
        confidence=min(fact.confidence, MOST_CERTAIN),
        made_by=made_by,
        valence=fact.valence,
    )


def named(item: Mapping[str, Any], said: Mapping[str, Said]) -> list[Named] | str:
    """Where messages name an entity, or why it is left out."""
    try:
        entity, _ = _made(NewEntity, item)
        name, further = clean(entity.name), tuple(a for a in map(clean, entity.aliases) if alias(a))
        if not alias(name):
            raise _Unfit("no name")
        if entity.type is None:
            raise _Unfit("no type")
        if entity.source and entity.source not in said:
            raise _Unfit("unknown episode")
        places = [said[entity.source]] if entity.source else list(said.values())
        found = [s for s in places if any(_names(word, s.text) for word in (name, *further))]
        if not found:
            raise _Unfit("name not in its source")
        return [Named(name, entity.type, s.id, further) for s in found]
    except _Unfit as error:
        return str(error)


T = TypeVar("T", bound=_Item)


def _made(model: type[T], item: Mapping[str, Any]) -> tuple[T, list[str]]:
    """An item as a model, and what was ignored of it. ``null`` and "" mean "not given"."""
    given = {name: value for name, value in item.items() if value is not None and value != ""}
    unknown = ", ".join(str(name)[:40] for name in given if name not in model.model_fields)
    try:
        return model.model_validate(given), [f"ignored: {unknown}"] if unknown else []
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _Unfit(f"{first['loc'][0]}: {problem(first)}") from None


def _names(name: str, text: str) -> bool:
    """Whether a text holds a name, to the letter or in another case of its language."""
    if f" {alias(name)} " in f" {alias(text)} ":
        return True
    wanted, there = terms(name), terms(text)
    size = len(wanted)
    return bool(size) and any(there[i : i + size] == wanted for i in range(len(there) - size + 1))


def _time(fact: NewFact, name: str, zone: tzinfo) -> int | None:
    try:
        return read_time(getattr(fact, name) or None, field=name, tz=zone, end_of_day=name == "valid_until")
    except InvalidInput as error:
        raise _Unfit(f"{name}: {error.problem}") from None


def _attributes(value: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        written = dump_json(value) or "{}"
    except InvalidInput:
        raise _Unfit("attributes: cannot be written as JSON") from None
    if len(written) > LONG:
        raise _Unfit(f"attributes: longer than {LONG} characters")
    masked, found = mask(clean(written))
    if found:
        raise _Unfit("attributes: hold a secret")
    return cast(Mapping[str, Any], json.loads(masked))
