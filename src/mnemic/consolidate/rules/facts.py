"""From the match of a row to a candidate: value, subject, scope, sentence, times."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from ...text.additions import aside
from ..claims import USER, Candidate
from ..slots import SLOTS
from . import morph, passing, relations, times, tools, values, values_russian
from .clauses import Clause, Sentence
from .reading import Reading
from .row import Row, words
from .subjects import Subject
from .table import Compiled

#: "She quit": whatever the slot holds is over, and the value stays empty.
WHATEVER = "whatever"
#: Kind of value → what reads it.
KINDS: Mapping[str, Callable[[str], str]] = {
    **values.KINDS, **values_russian.KINDS, "tool_by_name": tools.by_name, WHATEVER: lambda _: WHATEVER
}  # fmt: skip
CONFIDENCE = 0.6
PROJECT = "project"  # subject of what a team says of its unnamed work
_LONG_QUOTE = 320
_LEAD = 4  # words
#: Predicates that speak of the project whoever says them, and those that do where "we" says them.
_PROJECT = frozenset({"version", "fixed_by", "command", "count", "value", "breaks_when"})
_SHARED = frozenset({"decided", "chose", "uses", "depends_on", "status", "located_in"})
#: What a team or a firm has not.
_HUMAN = frozenset(("name", "age", "birthday", "born_in", "lives_in", "works_at", "works_as", "married_to", "family", "has_pet", "health"))  # fmt: skip
#: Not a subject of its own: "the budget for this is 12k".
_VAGUE = words("this that it these those us everything all нас это этого этом него неё")


#: (predicate, what was said, the plain words of the sentence, the strong ones), each read before the next.
STRONG: tuple[tuple[str, re.Pattern[str], str, str], ...] = (
    ("dislikes", re.compile(r"\bhat(?:e|es|ed)\b", re.I), " dislikes ", " hates "),
    ("dislikes", re.compile(r"\b(?:detest|loathe|despise)", re.I), " dislikes ", " hates "),
    ("dislikes", re.compile(r"\bненави[жд]", re.I), " не любит ", " ненавидит "),
    ("likes", re.compile(r"\blov(?:e|es|ed)\b", re.I), " likes ", " loves "),
    ("likes", re.compile(r"\bador(?:e|es|ed)\b", re.I), " likes ", " adores "),
    ("likes", re.compile(r"\bобожа", re.I), " любит ", " обожает "),
)
_FAVOURITE = re.compile(r"(?:\w+ )?(?:favou?rite|любим\w+)\b", re.I)
_NO_LONGER = re.compile(r"\b(?:any ?more|any longer|no longer|больше не|уже не)\b", re.I)
_MONTH = re.compile(r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$", re.I)
_DAY = re.compile(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?|mornings?|evenings?|nights?"
    r"|понедельник\w*|вторник\w*|сред[уаы]м?|четверг\w*|пятниц\w*|суббот\w*|воскресень\w*|выходны\w*|будн\w*)",
    re.I,
)
_EATER = re.compile(
    r"(?:strict |lifelong |строг\w+ )?(?:vegan|vegetarian|pescatarian|carnivore|веган\w*|вегетариан\w*|сыроед\w*|пескетариан\w*)",
    re.I,
)
_ONCE = re.compile(r"(?:раньше|когда-то|used to|once)\b", re.I)
_DOES_NOT = re.compile(r"does not|не пьёт")
_TEAM = re.compile(r"^(?:project|team|squad|проект|команд\w+) |(?:^| )(?:project|team|squad)$", re.I)
_PROJECT_WORD = re.compile(r"^(?:the\s+)?(?:project|проект)\s+(?=\S)", re.I)


def take(
    reading: Reading,
    sentence: Sentence,
    clause: Clause,
    compiled: Compiled,
    match: re.Match[str],
    subject: Subject,
    when: times.When,
    is_russian: bool,
) -> bool:
    """Makes candidates of a match; ``False`` where what stands in the place of the value is none."""
    row = compiled.row
    groups: dict[str, str] = {}
    for key, found in match.groupdict().items():  # "o2" is "o" in another place of the sentence
        if found and found.strip():
            groups[key.rstrip("23")] = found.strip()
    raw = groups.get("o", "")
    if row.predicate in ("family", "married_to") and row.act == "assert" and relations.is_past(clause.text):
        reading.skip("a former relation")
        return False
    read_value = KINDS[row.value]
    value = read_value(raw)
    if not value:
        reading.skip("no value")
        return False
    pieces = [read_value(part) for part in values.parts(value)] if row.split else [value]
    told = groups.get("s", "")
    if told.lower() in _VAGUE:
        told = ""
    if row.predicate in ("family", "married_to") and not told:
        relation = groups.get("k", "").lower()
        woman = True if relation in relations.WOMEN else False if relation in relations.MEN else None
        reading.last = Subject("name", morph.nominative(value, row.case) if row.case else value, woman=woman)
    for piece in pieces:
        if piece:
            add(reading, sentence, clause, row, groups, piece, subject, told, when, is_russian)
    return True


def add(
    reading: Reading,
    sentence: Sentence,
    clause: Clause,
    row: Row,
    groups: dict[str, str],
    raw: str,
    subject: Subject,
    told: str,
    when: times.When,
    is_russian: bool,
) -> None:
    value = morph.nominative(raw, row.case) if row.case else raw
    value = value.strip("\"' ")
    if value.count("«") != value.count("»") or value[0] == "«":
        value = value.strip("«»")
    name, shown, kind, woman = _named(reading, row, subject, told, is_russian)
    if not name or not value or value.lower() == name.lower():
        return
    if row.predicate == "status" and _FAVOURITE.match(name):  # "my favourite colour is green": told by its own row
        return
    if row.predicate == "dislikes" and _NO_LONGER.search(sentence.text) and _DOES_NOT.search(row.content):
        return  # "I don't drink coffee any more": a habit that is over, told by its own row
    if row.act == "assert" and passing.said_in_passing(row.predicate, {"subject": name, "value": raw}):
        reading.skip("said in passing")
        return
    if row.value == WHATEVER:
        value = ""
    if row.predicate == "works_at" and tools.GEAR.match(value):  # one works at a firm, and on a laptop
        return
    if row.predicate in ("likes", "dislikes") and row.act == "assert" and not row.whole and _ONCE.match(clause.text):
        return  # «раньше обожала суши»: what comes after tells
    if row.predicate == "uses" and _TEAM.search(value):  # one switches to Vim, and to the Heron team
        return
    scope = tools.scope_of(value) if row.scope == "{tool}" else _scope(row, groups)
    if row.predicate == "uses" and _DAY.fullmatch(value):  # one runs on Linux, and on Tuesdays
        return
    if row.predicate == "works_as" and _EATER.fullmatch(value):  # "I am a vegetarian": what somebody eats is no job
        return
    if row.predicate == "version" and _MONTH.match(scope):  # "on March 5"
        return
    if row.predicate == "prefers" and not scope:
        scope = tools.choice_of(value)
    if row.predicate == "command" and "{k}" in row.content and not scope:  # nobody said what it is for
        reading.skip("said in passing")
        return
    old = values.thing(groups["old"]) if groups.get("old") else ""
    if old and row.case:
        old = morph.nominative(old, groups.get("oldcase") or "gen")
    if row.predicate in ("lives_in", "uses"):  # one moves to Porto, and to Mattermost
        software = values.is_software(value) or values.is_software(old)
        if software == (row.predicate == "lives_in") and (row.predicate == "lives_in" or "moved" in groups):
            return
    fill = {**groups, "S": shown, "o": value, "raw": raw, "old": old, "k": scope}
    content = _filled(row.content, fill, woman)
    phrase = when.phrase
    if row.act == "end" and when.event is not None and when.granularity == "day":
        phrase = f"{'с' if is_russian else 'since'} {phrase.removeprefix('on ')}"  # not so on that day, and after it
    if phrase and phrase not in content:
        content = f"{content} {phrase}"
    beside = _beside(sentence, clause) if row.act == "assert" and SLOTS[row.predicate].shared else ""
    if beside not in content.casefold().replace("ё", "е"):
        content = f"{content} ({beside})"
    if row.predicate == "value" and row.keep_time and not re.search(r"\d", value):
        # "the deadline is Friday": which one
        _, day = times.read(value, reading.clock, russian=is_russian, ahead=row.ahead)
        content = f"{content} ({day.phrase.removeprefix('on ')})" if day.event and day.granularity == "day" else content
    quote = quoted(reading, sentence, clause)
    key = (name.lower(), row.predicate, scope.lower(), value.lower(), row.act)
    if key in reading.found or not quote or _said_already(reading, key, quote):
        return
    event = when.event if when.event is not None and not when.ahead else reading.said.at
    start, end = when.start, when.end
    if row.act == "end":
        start, end = None, when.event or end
    if start is not None and end is not None and end <= start:
        start = end = None
    slot = SLOTS[row.predicate]
    content = _as_strongly(content, quote, row.predicate)
    if row.object_type == "project":
        value = (_PROJECT_WORD.sub("", value) or value).strip('«»"')
    aliases = {name: subject.aliases} if subject.aliases and not told else {}
    reading.found[key] = Candidate(
        source=reading.said.id,
        quote=quote,
        content=content[0].upper() + content[1:],
        subject=name,
        predicate=row.predicate,
        object=value,
        event_time=event,
        scope=scope if slot.scoped else "",
        kind=slot.kind,
        label=slot.label,
        subject_type=kind,
        object_type=row.object_type,
        act=row.act,
        replaces=old or None,
        holder=name if slot.kind == "opinion" else None,
        valid_from=start,
        valid_until=end,
        granularity=when.granularity if event == when.event else None,
        aliases=aliases,
        attributes={"role": subject.role} if subject.role and not told else {},
        confidence=CONFIDENCE,
        made_by=f"{reading.maker}:{row.predicate}",
    )


def _beside(sentence: Sentence, clause: Clause) -> str:
    """The words that say that a clause holds beside something else; a few words before it belong to it."""
    before = sentence.text[: clause.start - sentence.start]
    return aside(before + clause.text if len(before.split()) <= _LEAD else clause.text)


def without_versions(reading: Reading) -> None:
    """Takes the version from "uses Python 3.11" where a fact of its own tells it: the next version must not leave it."""
    told = {
        (c.subject, f"{c.scope} {c.object}".lower(), c.quote)
        for c in reading.found.values()
        if c.predicate == "version"
    }
    for key, candidate in list(reading.found.items()):
        value = candidate.object
        if candidate.predicate == "uses" and (candidate.subject, value.lower(), candidate.quote) in told:
            name = value.rsplit(" ", 1)[0]
            content = candidate.content.replace(value, name, 1)
            reading.found[key] = replace(candidate, object=name, content=content, scope=tools.scope_of(name))


def _as_strongly(content: str, quote: str, predicate: str) -> str:
    """A liking as strongly as it was said: who hates something does not just "dislike" it."""
    for told, word, plain, strong in STRONG:
        if told == predicate and word.search(quote):
            return content.replace(plain, strong, 1)
    return content


def _said_already(reading: Reading, key: tuple[str, ...], quote: str) -> bool:
    """Whether another row has read the same out of the same sentence, in more words or fewer."""
    value = set(key[3].split())
    for (name, predicate, _, other, act), found in reading.found.items():
        if (name, predicate, act) == (key[0], key[1], key[4]) and found.quote == quote:
            there = set(other.split())
            if value <= there or there <= value:
                return True
    return False


def add_relative(reading: Reading, quote: str, subject: Subject, is_russian: bool) -> None:
    """The fact that somebody named is somebody's sister, boss, dog."""
    owner = reading.speaker
    predicate, scope = ("married_to", "") if subject.relation in ("wife", "husband") else ("family", subject.relation)
    key = (owner.lower(), predicate, scope, subject.name.lower(), "assert")
    if key in reading.found or not quote:
        return
    if is_russian:
        word = relations.RELATIONS[subject.relation][1].split()[0]
        content = f"{word.capitalize()} {'пользователя' if owner == USER else f'({owner})'} — {subject.name}"
    else:
        content = f"{'User' if owner == USER else owner}'s {subject.relation} is {subject.name}"
    reading.found[key] = Candidate(
        source=reading.said.id,
        quote=quote,
        content=content,
        subject=owner,
        predicate=predicate,
        object=subject.name,
        event_time=reading.said.at,
        scope=scope,
        object_type="person",
        aliases={subject.name: subject.aliases} if subject.aliases else {},
        confidence=CONFIDENCE,
        made_by=f"{reading.maker}:{predicate}",
    )


def add_pet(reading: Reading, quote: str, subject: Subject, is_russian: bool) -> None:
    """The fact that the speaker keeps an animal of a name."""
    key = (reading.speaker.lower(), "has_pet", "", subject.name.lower(), "assert")
    if key in reading.found or not quote:
        return
    shown = _show(reading.speaker, reading.speaker, is_russian)
    if is_russian:
        who = "пользователя" if reading.speaker == USER else reading.speaker
        content = f"У {who} есть питомец {subject.name} ({subject.pet})"
    else:
        content = f"{shown} has a {subject.pet} called {subject.name}"
    reading.found[key] = Candidate(
        source=reading.said.id,
        quote=quote,
        content=content,
        subject=reading.speaker,
        predicate="has_pet",
        object=subject.name,
        event_time=reading.said.at,
        attributes={"animal": subject.pet},
        confidence=CONFIDENCE,
        made_by=f"{reading.maker}:has_pet",
    )


def _named(
    reading: Reading, row: Row, subject: Subject, told: str, is_russian: bool
) -> tuple[str, str, str, bool | None]:
    """Subject as stored, as shown in the sentence, its type, and whether a woman is spoken of."""
    if told:
        name = _own_subject(told, row, reading.speaker, is_russian)
        kind = row.subject_type or ("person" if values.person(name) == name else "concept")
        return name, _show(name, reading.speaker, is_russian), kind, None
    if subject.who in ("i", "we"):
        project = (
            row.predicate in _PROJECT
            or (row.predicate in _SHARED and subject.who == "we")
            or row.subject_type == "project"
        )
        if project:
            return PROJECT, "Проект" if is_russian else "The project", "project", False
        if subject.name:  # "the team is based in Pune": not where the speaker lives
            return ("" if row.predicate in _HUMAN else subject.name), f"The {subject.name}", "organization", None
        return (
            reading.speaker,
            _show(reading.speaker, reading.speaker, is_russian),
            "person",
            False if reading.speaker == USER else None,
        )
    return (
        subject.name,
        _show(subject.name, reading.speaker, is_russian),
        row.subject_type or subject.type,
        subject.woman,
    )


def _own_subject(told: str, row: Row, speaker: str, is_russian: bool) -> str:
    told = re.sub(r"^(?:the|our|my|this|наш[аеи]?|мо[йяеи]) ", "", told.strip(' ,«»"'), flags=re.I)
    word = told.lower()
    relation = relations.RUSSIAN.get(
        morph.nominative(word, row.needs) if row.needs in ("acc", "dat", "gen") else word
    ) or relations.ENGLISH.get(word)
    if relation:
        return f"{speaker}'s {relation}"
    if row.needs in ("acc", "dat", "gen"):
        return morph.nominative(told, row.needs)
    return told


def _show(name: str, speaker: str, is_russian: bool) -> str:
    if name == USER:
        return "Пользователь" if is_russian else "User"
    owner, mark, relation = name.partition("'s ")
    if mark and owner == speaker and relation in relations.RELATIONS:
        if is_russian:
            word = relations.RELATIONS[relation][1].split()[0].capitalize()
            return f"{word} пользователя" if owner == USER else f"{word} ({owner})"
        return f"{'User' if owner == USER else owner}'s {relation}"
    return name


_SLOT = re.compile(r"\{([^{}]+)\}")


def _filled(template: str, groups: Mapping[str, str], woman: bool | None) -> str:
    """A template with its groups; ``{переехал/переехала}`` by who is spoken of."""

    def one(match: re.Match[str]) -> str:
        key = match[1]
        if key == "S" and match.start() and groups["S"] == "The project":
            return "the project"
        if "/" in key:
            man, other = key.split("/", 1)
            chosen = woman if woman is not None else bool(re.search(r"ла(?:сь)?\b", groups.get("v", "")))
            return other if chosen else man
        return groups.get(key, "")

    return " ".join(_SLOT.sub(one, template).split()).replace(" ,", ",")


def _scope(row: Row, groups: Mapping[str, str]) -> str:
    if not row.scope.startswith("{"):
        return row.scope
    key, _, case = row.scope.strip("{}").partition(":")
    scope = values.trimmed(groups.get(key, ""), 5).lower().removesuffix(" пользователя")
    if case == "relation":
        return relations.ENGLISH.get(scope) or relations.RUSSIAN.get(morph.nominative(scope, row.needs)) or scope
    return morph.nominative(scope, case) if case else re.sub(r"^(?:the|my|our|an?) ", "", scope)


def quoted(reading: Reading, sentence: Sentence, clause: Clause | None) -> str:
    """The words a fact was read from, verbatim: the sentence, or of a long one the clause."""
    start, end = sentence.start, sentence.end
    if clause is not None and end - start > _LONG_QUOTE:
        start, end = clause.start, clause.end
    return reading.said.text[start:end].strip()
