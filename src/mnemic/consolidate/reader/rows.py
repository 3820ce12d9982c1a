"""Rows: how one form of words becomes one fact, written in ``lang/<code>/reader.toml``, checked and compiled once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...lang.pack import languages, load
from ..slots import SLOTS

#: What a row may say of time. ``state``: it is so now; ``event``: it has happened; ``ahead``: it comes; ``value``: the
#: value itself is a time; empty: words of time belong to the value.
TIMES = frozenset({"", "state", "event", "ahead", "value"})
#: Kinds of value: see :mod:`.values`.
KINDS = frozenset({"name", "place", "firm", "job", "thing", "short", "tool", "deed", "code", "number", "time", "none"})
_KEYS = frozenset(
    [
        "predicate",
        "cue",
        "pattern",
        "content",
        "value",
        "act",
        "scope",
        "about",
        "object",
        "object_type",
        "ends",
        "time",
        "case",
        "search",
        "seen",
        "examples",
    ]
)
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_GROUP = re.compile(r"\(\?P<([a-z]+)>")
_PART = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Row:
    """One form of words.

    Attributes:
        number: its place in the file: of two rows that read a clause the first one counts.
        cue: words of which a sentence must hold one before the pattern is tried.
        pattern: of a whole clause, or of words anywhere in a sentence (``search``). Group ``o`` is the value, ``old``
            what it replaces, ``s`` a subject with a name, ``we`` the project, ``k`` the kin, animal or thing meant.
        content: the sentence, with ``{S}``, ``{o}``, ``{k}`` and ``{old}``. object: the value where it is more than
            ``{o}``. scope: fixed words or a template; several make a fact each.
        value: kind of the value. case: in which case it stands, where the language has base forms.
        act: ``assert`` or ``end``. ends: (predicates) of which the value, or what it replaces, is over besides.
        seen: how often the row has fired on the development corpora (``bench/reading.py --count``).
        examples: text, subject, value, content.
    """

    language: str
    number: int
    predicate: str
    cue: tuple[str, ...]
    pattern: re.Pattern[str]
    content: str
    value: str = "thing"
    act: str = "assert"
    scope: tuple[str, ...] = ("",)
    about: str = ""
    object: str = "{o}"
    object_type: str | None = None
    ends: tuple[str, ...] = ()
    time: str = ""
    case: str = ""
    search: bool = False
    seen: int = 0
    examples: tuple[tuple[str, str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Language:
    """All that the reader knows of one language: its rows, and the tables ``words``, ``guards``, ``shown`` and ``swap``
    (what becomes of "my" in a sentence about somebody) of its file."""

    code: str
    rows: tuple[Row, ...]
    by_cue: Mapping[str, tuple[Row, ...]]
    words: Mapping[str, frozenset[str]]
    guards: Mapping[str, re.Pattern[str]]
    held: Mapping[str, tuple[frozenset[str], re.Pattern[str] | None]]
    shown: Mapping[str, str]
    swap: Mapping[str, str]

    def holds(self, guard: str, text: str) -> bool:
        """Whether a text holds one of the words or forms of a guard."""
        plain, forms = self.held.get(guard, (frozenset(), None))
        return not plain.isdisjoint(words_of(text)) or (forms is not None and forms.search(text) is not None)

    def found(self, guard: str, text: str) -> str:
        """The words of a text that a guard looks for, in small letters; empty where there are none."""
        match = self.guards[guard].search(text) if guard in self.guards else None
        return match.group().lower() if match else ""

    def begins(self, guard: str, text: str) -> re.Match[str] | None:
        """The match of a guard at the beginning of a text."""
        return self.guards[guard].match(text) if guard in self.guards else None


def words_of(text: str) -> set[str]:
    """The words of a text in small letters, those with an ending after an apostrophe also without it."""
    words = set(_TOKEN.findall(text.lower().replace("’", "'")))
    return words | {word.partition("'")[0] for word in words if "'" in word}


def _held(forms: Iterable[str]) -> tuple[frozenset[str], re.Pattern[str] | None]:
    """Forms that are words, which are looked up, and a pattern for the others, which is slower."""
    forms = list(forms)
    others = [form for form in forms if not _TOKEN.fullmatch(form)]
    return frozenset(set(forms) - set(others)), re.compile(any_of(others), re.I | re.M) if others else None


def any_of(forms: Iterable[str]) -> str:
    """A pattern for one of several forms, each a pattern itself, as whole words."""
    return r"(?<!\w)(?:" + "|".join(forms) + r")(?!\w)"


@cache
def tables() -> tuple[Language, ...]:
    """The languages that have rows."""
    return tuple(language for code in languages() if (language := _language(code, load(code, "reader"))).rows)


def _language(code: str, table: Mapping[str, Any]) -> Language:
    unknown = set(table) - {"shown", "swap", "words", "guards", "parts", "row"}
    if unknown:
        raise ValueError(f"lang/{code}/reader.toml: unknown tables {sorted(unknown)}")
    words = {key: frozenset(text.split()) for key, text in table.get("words", {}).items()}
    parts = {key: "(?:" + "|".join(sorted(found, key=len, reverse=True)) + ")" for key, found in words.items()}
    for key, part in table.get("parts", {}).items():
        parts[key] = _filled(part, parts, f"{code}: {key}")
    guards = {key: re.compile(any_of(_filled(f, parts, key) for f in forms), re.I | re.M) for key, forms in table.get("guards", {}).items()}  # fmt: skip
    held = {key: _held(_filled(f, parts, key) for f in forms) for key, forms in table.get("guards", {}).items()}
    rows = tuple(_row(code, number, raw, parts) for number, raw in enumerate(table.get("row", ()), 1))
    by_cue: dict[str, list[Row]] = {}
    for row in rows:
        for cue in row.cue:
            by_cue.setdefault(cue, []).append(row)
    return Language(
        code,
        rows,
        {k: tuple(v) for k, v in by_cue.items()},
        words,
        guards,
        held,
        table.get("shown", {}),
        table.get("swap", {}),
    )


def _row(code: str, number: int, raw: Mapping[str, Any], parts: Mapping[str, str]) -> Row:
    where = f"lang/{code}/reader.toml, row {number} ({raw.get('predicate')})"
    values = {**raw}
    scope = values.get("scope", "")
    time, kind, act = (values.get(k, d) for k, d in (("time", ""), ("value", "thing"), ("act", "assert")))
    faults = [f"unknown keys {sorted(set(raw) - _KEYS)}"] if set(raw) - _KEYS else []
    faults += [f"no {key}" for key in ("predicate", "cue", "pattern", "content", "examples") if not values.get(key)]
    faults += [f"{n} {v!r}" for n, v, allowed in (
        ("predicate", raw.get("predicate"), SLOTS), ("time", time, TIMES), ("value", kind, KINDS), ("act", act, ("assert", "end"))
    ) if v not in allowed]  # fmt: skip
    faults += ["an example is text, subject, value, content"] * any(len(e) != 4 for e in values.get("examples", ()))
    if faults:
        raise ValueError(f"{where}: {'; '.join(faults)}")
    values["cue"] = tuple(_cues(values["cue"], parts))
    values["scope"] = (scope,) if isinstance(scope, str) else tuple(scope)
    values["ends"] = tuple(values.get("ends", "").split())
    values["examples"] = tuple(tuple(example) for example in values["examples"])
    values["pattern"] = re.compile(_numbered(_filled(values["pattern"], parts, where)), re.I)
    return Row(code, number, **values)


def _numbered(pattern: str) -> str:
    """A pattern in which one group may stand in several places: the second ``o`` is called ``o2``."""
    seen: Counter[str] = Counter()

    def name(match: re.Match[str]) -> str:
        seen[match[1]] += 1
        return f"(?P<{match[1]}{seen[match[1]] if seen[match[1]] > 1 else ''}>"

    return _GROUP.sub(name, pattern)


def _cues(text: str, parts: Mapping[str, str]) -> Iterable[str]:
    for word in text.split():
        yield from parts[word[1:-1]][3:-1].split("|") if word[0] == "{" else (word,)


def _filled(pattern: str, parts: Mapping[str, str], where: str) -> str:
    def part(match: re.Match[str]) -> str:
        if match[1] not in parts:
            raise ValueError(f"{where}: unknown part {match.group()}")
        return parts[match[1]]

    return _PART.sub(part, pattern)
