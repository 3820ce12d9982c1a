"""What holds of an entity, and what did before, in a few lines made from its facts by a template, English or Russian.

A profile names the facts it shows and carries a hash of all it was made from: when a fact is added, ends or changes,
the hash no longer fits and the profile is stale (:func:`is_stale`). The same facts give the same profile in any order.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ..text.analyse import cyrillic

__all__ = [
    "LABELS", "MADE_BY", "Fact", "Profile", "Subject", "before", "head", "inputs_hash", "is_stale", "load", "make",
]  # fmt: skip

MADE_BY = "template/2"
MAX_VALUES = 5  # of one predicate
MAX_SENTENCES = 4  # facts that fit no label, and facts about others that name the entity
MAX_BEFORE = 6  # lines on what is over
MAX_LENGTH = 120  # characters of one value

#: Predicate → English and Russian label, in the order of a profile; "{}" stands for the scope where there is one. What
#: is not here is shown as the sentence that says it.
LABELS: Mapping[str, tuple[str, str]] = {
    "name": ("Name", "Имя"),
    "works_as": ("Works as", "Кем работает"),
    "works_at": ("Works at", "Место работы"),
    "assigned_to": ("Works on", "Занят(а) в"),
    "studies_at": ("Studies at", "Место учёбы"),
    "studies": ("Studies", "Изучает"),
    "lives_in": ("Lives in", "Место жительства"),
    "comes_from": ("Comes from", "Родом из"),
    "born_in": ("Born in", "Место рождения"),
    "age": ("Age", "Возраст"),
    "birthday": ("Birthday", "День рождения"),
    "married_to": ("Married to", "В браке с"),
    "family": ("{}", "{}"),
    "has_pet": ("Has a pet", "Питомец"),
    "speaks": ("Speaks", "Владеет языками"),
    "diet": ("Diet", "Питание"),
    "allergic_to": ("Allergic to", "Аллергия"),
    "health": ("Health", "Здоровье"),
    "likes": ("Likes", "Нравится"),
    "dislikes": ("Dislikes", "Не нравится"),
    "prefers": ("Prefers ({})", "Предпочитает ({})"),
    "favorite": ("Favourite {}", "Любимое ({})"),
    "habit": ("Habit ({})", "Привычка ({})"),
    "owns": ("Owns", "Владеет"),
    "uses": ("Uses ({})", "Использует ({})"),
    "plans": ("Plans", "Планы"),
    "status": ("Status", "Состояние"),
    "version": ("Version ({})", "Версия ({})"),
    "located_in": ("Located in", "Где находится"),
    "count": ("Count ({})", "Число ({})"),
    "value": ("{}", "{}"),
    "depends_on": ("Depends on", "Зависит от"),
    "chose": ("Chosen ({})", "Выбрано ({})"),
}
#: Predicate → how English says that it is over, where the label before a colon would not do.
PAST: Mapping[str, str] = {
    "works_as": "worked as",
    "works_at": "worked at",
    "assigned_to": "worked on",
    "studies_at": "studied at",
    "studies": "studied",
    "lives_in": "lived in",
    "married_to": "was married to",
    "has_pet": "had a pet:",
    "speaks": "spoke",
    "allergic_to": "was allergic to",
    "likes": "liked",
    "dislikes": "disliked",
    "prefers": "preferred ({})",
    "owns": "owned",
    "uses": "used ({})",
    "plans": "planned",
    "located_in": "was located in",
    "depends_on": "depended on",
}
#: What changes all the time: how it was before is of no interest.
PASSING = frozenset({"age", "count", "value", "version"})
_ORDER = {predicate: i for i, predicate in enumerate(LABELS)}
#: Other headings: English, Russian.
ALSO = ("Also", "Также")
OTHERS = ("Named in", "Упоминания")
CALLED = ("also called", "также")
BEFORE = ("Before", "Раньше")
UNTIL = ("until", "до")


@dataclass(frozen=True, slots=True)
class Subject:
    """The entity: name, type, further names as written."""

    name: str
    type: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that mentions the entity.

    Attributes:
        id, content, predicate, scope, object, confidence: of the fact. since: ``valid_from``, microseconds UTC.
        about: the entity is its subject; else the fact is about another and names it.
        until: the day on which it was over, ``None``: it holds.
    """

    id: str
    content: str
    predicate: str | None = None
    object: str | None = None
    scope: str = ""
    since: int | None = None
    confidence: float = 1.0
    about: bool = True
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile: Markdown text, its language, ids of the facts it shows in order, hash of its inputs, its maker.

    ``mentions``: how many the entity had then, so that the nightly run sees at a glance where something may be new.
    """

    text: str
    language: str
    facts: tuple[str, ...]
    inputs: str
    made_by: str = MADE_BY
    mentions: int = 0

    def dump(self) -> str:
        """JSON text, as it is stored with the entity."""
        content = {name: getattr(self, name) for name in ("text", "language", "facts", "inputs", "made_by", "mentions")}
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def load(stored: str | None) -> Profile | None:
    """A stored profile; ``None`` where there is none or it cannot be read."""
    try:
        content: dict[str, Any] = json.loads(stored or "")
        return Profile(
            str(content["text"]), str(content["language"]), tuple(map(str, content["facts"])), str(content["inputs"]),
            str(content["made_by"]), int(content.get("mentions", 0)),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError):
        return None


def inputs_hash(subject: Subject, facts: Iterable[Fact]) -> str:
    """Hash of everything a profile depends on: names, facts, and the template's version."""
    parts = [[f.id, f.content, f.predicate, f.object, f.scope, f.since, f.confidence, f.about, f.until] for f in facts]
    parts.sort(key=lambda part: str(part[0]))
    whole = json.dumps([MADE_BY, subject.name, subject.type, sorted(subject.aliases), parts], ensure_ascii=False)
    return hashlib.blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def is_stale(profile: Profile | None, subject: Subject, facts: Iterable[Fact]) -> bool:
    """Whether a profile is missing or was made from something else. One that a model made goes by its inputs too."""
    return profile is None or profile.inputs != inputs_hash(subject, facts)


def make(subject: Subject, facts: Sequence[Fact], language: str | None = None) -> Profile:
    """Write the profile of an entity.

    Args:
        subject: whose. facts: those of it that hold and those that are over, in any order. language: "en" or "ru"; by
            default that of most facts.
    """
    facts = sorted({fact.id: fact for fact in facts}.values(), key=lambda f: (-(f.since or 0), -f.confidence, f.id))
    language = language or _language([f.content for f in facts] or [subject.name])
    tongue = 1 if language == "ru" else 0
    shown: list[str] = []
    lines = [head(subject, language)]
    holding = [f for f in facts if f.until is None]
    slotted = sorted((f for f in holding if f.about and f.object and f.predicate in LABELS), key=_slot)
    for (_, scope), group in groupby(slotted, key=_slot):
        same = list(group)
        values: dict[str, str] = {}
        for fact in same:
            if len(values) < MAX_VALUES and fact.object and fact.object.casefold() not in values:
                values[fact.object.casefold()] = _short(fact.object)
                shown.append(fact.id)
        lines.append(f"- {_label(LABELS[same[0].predicate or ''][tongue], scope)}: {', '.join(values.values())}")
    taken = {f.id for f in slotted}
    rest = [f for f in holding if f.id not in taken]
    for heading, about in ((ALSO, True), (OTHERS, False)):
        for fact in [f for f in rest if f.about == about][:MAX_SENTENCES]:
            lines.append(f"- {heading[tongue]}: {_short(fact.content)}")
            shown.append(fact.id)
    over, ended = before(facts, language)
    return Profile("\n".join([*lines, *over]), language, (*shown, *ended), inputs_hash(subject, facts))


def before(facts: Sequence[Fact], language: str) -> tuple[list[str], list[str]]:
    """The lines on what is over, the latest first, each with the day of its end, and the ids of the facts that they
    show."""
    tongue = 1 if language == "ru" else 0
    holding = {_value(f) for f in facts if f.until is None}
    over = sorted((f for f in facts if f.until is not None and f.about), key=lambda f: (f.until, f.since or 0, f.id))
    lines: dict[object, list[str]] = {}
    shown: dict[tuple[object, ...], str] = {}
    for fact in reversed(over):
        if fact.predicate in PASSING or _value(fact) in holding or _value(fact) in shown:
            continue
        named = bool(fact.object) and fact.predicate in LABELS
        slot = (fact.predicate, fact.scope) if named else fact.id
        if (len(lines) >= MAX_BEFORE and slot not in lines) or len(lines.get(slot, ())) > MAX_VALUES:
            continue
        said = _short(str(fact.object) if named else fact.content)
        lines.setdefault(slot, [_over(fact, tongue) if named else ""]).append(f"{said} ({UNTIL[tongue]} {fact.until})")
        shown[_value(fact)] = fact.id
    told = [f"- {BEFORE[tongue]}: {' '.join((how, ', '.join(values))).strip()}" for how, *values in lines.values()]
    return told, list(shown.values())


def _value(fact: Fact) -> tuple[object, ...]:
    """What a fact says, to see whether another one says the same."""
    return (fact.predicate, fact.scope, (fact.object or fact.content).casefold())


def _over(fact: Fact, tongue: int) -> str:
    """How a line on what is over begins."""
    predicate = fact.predicate or ""
    if not tongue and predicate in PAST:
        label = _label(PAST[predicate], fact.scope)
    else:
        label = _label(LABELS[predicate][tongue], fact.scope) + ":"
    return label[:1].lower() + label[1:]


def _slot(fact: Fact) -> tuple[int, str]:
    return _ORDER[fact.predicate or ""], fact.scope


def _label(pattern: str, scope: str) -> str:
    """The label with its scope, without an empty bracket where there is none."""
    text = " ".join(pattern.replace("{}", _short(scope)).replace("()", "").split())
    return text[:1].upper() + text[1:] if text else "–"


def head(subject: Subject, language: str) -> str:
    """The first line of a profile: the name, and what else it is called."""
    tongue = 1 if language == "ru" else 0
    others = [name for name in subject.aliases if name.casefold() != subject.name.casefold()]
    called = f" ({CALLED[tongue]}: {', '.join(map(_short, others[:MAX_VALUES]))})" if others else ""
    return f"**{_short(subject.name)}**{called}"


def _short(text: str) -> str:
    """One line of a value; what is longer is cut at a word."""
    text = " ".join(text[: MAX_LENGTH * 10].split())
    if len(text) <= MAX_LENGTH:
        return text
    cut = text[: MAX_LENGTH - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[MAX_LENGTH // 2 :] else cut) + "…"


def _language(texts: Iterable[str]) -> str:
    votes = list(map(cyrillic, texts))
    return "ru" if sum(votes) * 2 > len(votes) else "en"
