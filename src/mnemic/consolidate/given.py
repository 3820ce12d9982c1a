"""What an agent hands in for consolidation, read item by item: a candidate, or the reason why it cannot be used."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import Annotated, Any, Literal, TypedDict, cast

from ..clock import read_time
from ..errors import InvalidInput
from ..models import Kind
from ..store.rows import dump_json
from ..text.analyse import clean, terms
from ..text.names import alias
from ..text.secrets import mask
from .answers import TYPES
from .claims import USER, Candidate, Named, Said
from .slots import SLOTS

CONFIDENCE, MOST_CERTAIN = 0.8, 0.95  # of what a model read, when it says nothing and whatever it says
ANYTHING = "states"  # predicate of a statement that fits no other
LONG = 2_000  # characters of a field
ME = frozenset({"", USER, "the user", "i", "me", "я", "пользователь"})

EntityType = Literal["person", "organization", "project", "place", "tool", "concept"]


class _Quoted(TypedDict):
    source: Annotated[str, "Id of the message."]
    quote: Annotated[str, "The words it was read from, verbatim in that message."]
    content: Annotated[
        str, "A sentence that stands alone: third person, names instead of pronouns, the language of the message."
    ]


class NewFact(_Quoted, total=False):
    """One durable thing that was read out of one message."""

    subject: Annotated[str, "Whom or what it is about; 'user' (the default) for the user who has no name."]
    predicate: Annotated[
        str, f"One of {', '.join(name for name in SLOTS if name != ANYTHING)}; left out for any other statement."
    ]
    object: Annotated[str, "The value, as short as it can be said."]
    scope: Annotated[str, "Of what, where the predicate alone does not say it: 'colour' for a favorite."]
    subject_type: Annotated[EntityType, "What the subject is; person by default."]
    object_type: Annotated[EntityType, "What the object is, where it is an entity."]
    act: Annotated[Literal["assert", "end"], "end: the message says that it is no longer so."]
    replaces: Annotated[str, "The value that the message itself calls past ('from X to Y')."]
    event_time: Annotated[str, "When it happened, ISO 8601; the time of the message by default."]
    valid_from: Annotated[str, "Since when it is true, as far as the message says."]
    valid_until: Annotated[str, "Until when it is true, as far as the message says."]
    confidence: Annotated[float, "How sure, 0 to 1; 0.8 by default."]
    valence: Annotated[float, "How its speaker feels about it, -1 (grief) to 1 (bliss); by the words used by default."]
    attributes: Annotated[dict[str, Any], "Further details."]


class _Entity(TypedDict):
    name: Annotated[str, "Its full name, as the messages write it."]
    type: Annotated[EntityType, "What it is."]


class NewEntity(_Entity, total=False):
    """A person, project, place or thing that messages name."""

    source: Annotated[str, "Id of the message; without it, every message that names it."]
    aliases: Annotated[list[str], "Further names used in the messages."]


def objects(value: object, field: str, most: int) -> list[Mapping[str, Any]]:
    """A list of objects.

    Raises:
        InvalidInput: something else, or too many.
    """
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence):
        raise InvalidInput(field, "must be a list of objects")
    if len(value) > most:
        raise InvalidInput(field, f"has {len(value)} items", f"{most} at most, in several calls")
    if not all(isinstance(item, Mapping) for item in value):
        raise InvalidInput(field, "must be a list of objects")
    return list(value)


def ids(value: object, field: str) -> list[str]:
    """A list of ids, each once.

    Raises:
        InvalidInput: something else.
    """
    if isinstance(value, str | bytes) or not isinstance(value, Sequence) or not all(isinstance(v, str) for v in value):
        raise InvalidInput(field, "must be a list of ids")
    return list(dict.fromkeys(value))


class _Unfit(Exception):
    """An item that cannot be used."""


def candidate(
    item: Mapping[str, Any], said: Mapping[str, Said], *, zone: tzinfo, made_by: str, mask_secrets: bool = True
) -> Candidate | str:
    """A candidate, or why there is none. What only the file can tell is left to ``Page.unfit``."""
    try:
        return _candidate(item, said, zone, made_by, mask_secrets)
    except _Unfit as error:
        return str(error)


def _candidate(
    item: Mapping[str, Any], said: Mapping[str, Said], zone: tzinfo, made_by: str, mask_secrets: bool
) -> Candidate:
    unknown = next((name for name in item if name not in NewFact.__annotations__), None)
    if unknown is not None:
        raise _Unfit(f"unknown field {str(unknown)[:40]!r}")
    source = said.get(_text(item, "source"))
    if source is None:
        raise _Unfit("unknown episode")
    predicate = _text(item, "predicate", LONG) or ANYTHING
    if predicate not in SLOTS:
        raise _Unfit("unknown predicate")
    content, value = _text(item, "content"), _text(item, "object")
    if not value and predicate == ANYTHING:
        value = content
    subject = _text(item, "subject")
    replaces = _text(item, "replaces")
    if mask_secrets:
        content, value, replaces = mask(content)[0], mask(value)[0], mask(replaces)[0]
    at, since, until = (_time(item, name, zone) for name in ("event_time", "valid_from", "valid_until"))
    return Candidate(
        source=source.id,
        quote=_text(item, "quote"),
        content=content,
        subject=USER if subject.casefold() in ME else subject,
        predicate=predicate,
        object=value,
        event_time=source.at if at is None else at,
        scope=_text(item, "scope"),
        kind=cast(Kind, SLOTS[predicate].kind),
        label=SLOTS[predicate].label,
        subject_type=_type(item, "subject_type") or "person",
        object_type=_type(item, "object_type"),
        act=_one_of(item, "act", ("assert", "end")) or "assert",  # type: ignore[arg-type]
        replaces=replaces or None,
        valid_from=since,
        valid_until=until,
        attributes=_attributes(item),
        confidence=_confidence(item),
        made_by=made_by,
        valence=_valence(item),
    )


def named(item: Mapping[str, Any], said: Mapping[str, Said]) -> list[Named] | str:
    """Where messages name an entity, or why it is left out."""
    try:
        unknown = next((name for name in item if name not in NewEntity.__annotations__), None)
        if unknown is not None:
            raise _Unfit(f"unknown field {str(unknown)[:40]!r}")
        name, type_ = _text(item, "name"), _type(item, "type")
        if not alias(name):
            raise _Unfit("no name")
        if type_ is None:
            raise _Unfit("no type")
        further = item.get("aliases") or []
        if not isinstance(further, list | tuple) or not all(isinstance(a, str) and len(a) <= LONG for a in further):
            raise _Unfit("aliases is not a list of texts")
        further = tuple(clean(a) for a in further if alias(clean(a)))
        wanted = _text(item, "source")
        if wanted and wanted not in said:
            raise _Unfit("unknown episode")
        places = [said[wanted]] if wanted else list(said.values())
        found = [s for s in places if any(_names(word, s.text) for word in (name, *further))]
        if not found:
            raise _Unfit("name not in its source")
        return [Named(name, type_, s.id, further) for s in found]
    except _Unfit as error:
        return str(error)


def _names(name: str, text: str) -> bool:
    """Whether a text holds a name, to the letter or in another case of its language."""
    if f" {alias(name)} " in f" {alias(text)} ":
        return True
    wanted, there = terms(name), terms(text)
    size = len(wanted)
    return bool(size) and any(there[i : i + size] == wanted for i in range(len(there) - size + 1))


def _text(item: Mapping[str, Any], name: str, most: int = LONG) -> str:
    value = item.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _Unfit(f"{name} is not text")
    if len(value) > most:
        raise _Unfit(f"{name} is longer than {most} characters")
    return clean(value).strip()


def _one_of(item: Mapping[str, Any], name: str, known: Sequence[str]) -> str | None:
    value = _text(item, name)
    if value and value not in known:
        raise _Unfit(f"{name} is not one of {', '.join(known)}")
    return value or None


def _type(item: Mapping[str, Any], name: str) -> str | None:
    return _one_of(item, name, TYPES)


def _time(item: Mapping[str, Any], name: str, zone: tzinfo) -> int | None:
    try:
        return read_time(item.get(name), field=name, tz=zone, end_of_day=name == "valid_until")
    except InvalidInput as error:
        raise _Unfit(f"{name} {error.problem}") from None


def _confidence(item: Mapping[str, Any]) -> float:
    value = item.get("confidence")
    if value is None or value == "":
        return CONFIDENCE
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _Unfit("confidence is not a number from 0 to 1")
    return min(float(value), MOST_CERTAIN)


def _valence(item: Mapping[str, Any]) -> float | None:
    value = item.get("valence")
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1 <= value <= 1:
        raise _Unfit("valence is not a number from -1 to 1")
    return float(value)


def _attributes(item: Mapping[str, Any]) -> Mapping[str, Any]:
    value = item.get("attributes")
    if not value:
        return {}
    if not isinstance(value, Mapping):
        raise _Unfit("attributes is not an object")
    try:
        written = dump_json(value) or "{}"
    except InvalidInput:
        raise _Unfit("attributes cannot be written as JSON") from None
    if len(written) > LONG:
        raise _Unfit(f"attributes is longer than {LONG} characters")
    masked, found = mask(clean(written))
    if found:
        raise _Unfit("attributes hold a secret")
    return cast(Mapping[str, Any], json.loads(masked))
