"""The rows of ``lang/*/when.toml``, each compiled at its first use, and which of them are worth trying on a text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from .lexicon import any_form, said, spoken, table
from .pack import joined, load

EXAMPLE_NOW = "2026-11-29T12:00:00+00:00"  # a Sunday: what the answers in the tables count from


@dataclass(frozen=True, slots=True)
class Row:
    """One pattern; the first lines of ``en/when.toml`` say what its fields mean. A row of no language holds no
    words."""

    rule: str
    language: str
    pattern: str
    example: str
    answer: str
    lifts: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Joint:
    """How two neighbouring expressions make one: the words before the first and those between them."""

    rule: str
    language: str
    lead: str
    gap: str
    example: str
    answer: str


#: Where two joints fit, the first of these counts.
_JOINTS = ("range", "bare_range", "after", "before", "eve", "at")
_HOLE = re.compile(r"\{(\??)([a-z_]+)(?:=([a-z0-9]+))?\}")
_NO_PART = {"and": "", "or": "(?!)", "vague": "(?!)", "things": "(?!)", "year_noun": "", "no_version": ""}
_TENTHS = (20, 30)


@cache
def _parts(language: str) -> dict[str, str]:
    """What is put into patterns as it is; shared rows take the words of all languages."""
    own = [load(code, "when") for code in ((language,) if language else spoken())]
    found: dict[str, str] = dict(_NO_PART)
    for key in ("or", "vague", "things"):
        if given := [joined(words[key]) for words in own if key in words]:
            found[key] = "|".join(given)
    for name, words in (pair for given in own for pair in given.get("not_after", {}).items()):
        found[name] = found.get(name, "") + "".join(rf"(?<!{word}\s)" for word in words.split())
    return {**found, **load("", "when")["parts"], **(own[0].get("parts", {}) if language else {})}


@cache
def _groups(language: str) -> dict[str, str]:
    return {**load("", "when")["group"], **load(language, "when").get("group", {})}


@cache
def _words(name: str, language: str) -> str:
    if name == "tenth":
        return any_form("ordinal", language, _TENTHS)
    if name == "nthnumber":
        return any_form("ordinal", language, tuple(n for n, _ in table("ordinal", language) if n != -1))
    return any_form("ordinal" if name == "ord" else name, language)


def expand(pattern: str, language: str) -> str:
    """The regular expression of a row: ``{day}`` is a named group, ``{day=d1}`` is d1, ``{?day}`` unnamed."""

    def fill(text: str) -> str:
        return _HOLE.sub(put, joined(text))

    def put(hole: re.Match[str]) -> str:
        unnamed, name, group = hole.groups()
        if name in _parts(language):
            return fill(_parts(language)[name])
        words = fill(_groups(language)[name]) if name in _groups(language) else _words(name, language)
        return words if unnamed else f"(?P<{group or name}>{words})"

    return fill(pattern).replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}")


# -- which rows are worth trying ---------------------------------------------------------------------

#: Kinds of word that a text must hold for a pattern to be worth trying, as "month:en", and the tables of each.
_KINDS: dict[str, tuple[str, ...]] = {
    name: (name,) for name in ("month", "weekday", "season", "dayword", "decade", "daypart")
}
_KINDS["unit"] = ("unit", "period")


@cache
def _letters(language: str) -> re.Pattern[str]:
    return re.compile(f"[{load(language, 'lexicon')['letters']}]")


@cache
def _forms(kind: str, language: str) -> tuple[str, ...]:
    """Patterns of the words of a kind."""
    found = tuple(forms for name in _KINDS[kind] for _, forms in table(name, language))
    return (*found, said("half_unit", language).pattern) if kind == "unit" else found


@cache
def _cue(language: str) -> re.Pattern[str]:
    """One cheap pattern that is in every text of a language that holds an expression (tested), and in few others."""
    words = [f for kind in _KINDS for f in _forms(kind, language) if not f.startswith("(?")] if language else []
    cues = [*sorted(set(words)), *([said("cues", language).pattern] if language else []), load("", "when")["cues"]]
    any_of = "|".join(cues).replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}")
    return re.compile(rf"(?<!\w)(?:{any_of})(?!\w)|(?<![0-9])(?:19|20)[0-9]{{2}}(?![0-9])")


@cache
def _relative(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){any_form('rel', language)}(?!\w)")


@cache
def _form_of(kind: str, language: str) -> re.Pattern[str]:
    return re.compile("|".join(_forms(kind, language)) or "(?!)")


@lru_cache(4096)
def _kinds_of(word: str) -> frozenset[str]:
    written = [language for language in spoken() if _letters(language).search(word)]
    found = [f"{kind}:{code}" for code in written for kind in _KINDS if _form_of(kind, code).fullmatch(word)]
    return frozenset((*written, *found, *(["num"] if re.search("[0-9]", word) else [])))


def kinds(folded: str) -> frozenset[str]:
    """The kinds of word a text holds: languages, tables, ``num`` for digits; empty when it has no cue."""
    # Only the patterns of languages in whose letters it is written are compiled: all hold up the first answer.
    written = [language for language in spoken() if _letters(language).search(folded)]
    words = {m[0] for language in written or ("",) for m in _cue(language).finditer(folded)}
    if not words:
        return frozenset()
    relative = {f"rel:{language}" for language in written if _relative(language).search(folded)}
    return frozenset().union(relative, *map(_kinds_of, words))


class Pattern:
    """A row with its pattern, compiled when a text first holds the kinds of word it needs."""

    def __init__(self, row: Row, before: str, after: str) -> None:
        self.row = row
        certain = row.pattern.replace("(?:{rel} )?", "")
        names = {a or b for a, b in re.findall(r"\{\??([a-z]+)|\(\?P<(unit)>", certain)}
        names = {"unit" if n in ("period", "amount") else n for n in names} & {*_KINDS, "rel"}
        language = row.language or "num"
        #: The kinds without which it cannot match. A lead word may be in another language than what it leads.
        self.needs = frozenset(f"{n}:{language}" for n in names) | ({language} if not after.endswith("Z") else set())
        self._guards = before, after
        self._words = row.hint.split("|") if row.hint.replace("|", "").isalpha() else []

    def promises(self, part: str) -> bool:
        """Whether a part of a text holds what every match holds; its own pattern is not compiled for that."""
        return any(word in part for word in self._words) if self._words else re.search(self.row.hint, part) is not None

    def follows(self, words: str) -> bool:
        """Whether its words may end some, by their last letter."""
        return _letters(self.row.language).match(words[-1]) is not None

    @cached_property
    def regex(self) -> re.Pattern[str]:
        before, after = self._guards
        return re.compile(before + expand(self.row.pattern, self.row.language) + after)


#: Kind of row → what stands around its pattern. Shapes and leads are searched in the text that ends where an expression
#: begins.
_AROUND = {
    "expression": (r"(?<!\w)(?<![0-9][.,:/-])(?:", r")(?!\w)"),
    "shape": (r"(?<!\w)(?:", r")(?:[\s-]{1,3}|(?<=-))\Z"),
    "lead": (r"(?<!\w)(?:", r")\s{1,3}\Z"),
}


def _rows(kind: str) -> list[dict[str, Any]]:
    return [{"language": code, **row} for code in ("", *spoken()) for row in load(code, "when").get(kind, ())]


@cache
def patterns(kind: str) -> tuple[Pattern, ...]:
    """All rows of a kind: ``expression``, ``shape`` or ``lead``."""
    return tuple(Pattern(Row(**row), *_AROUND[kind]) for row in _rows(kind))


@cache
def joints() -> tuple[tuple[Joint, re.Pattern[str], re.Pattern[str]], ...]:
    """Every joint with its two patterns: left of the first expression, and the gap."""
    return tuple(
        (
            row,
            re.compile(rf"(?<!\w)(?:{expand(row.lead, row.language)})\Z"),
            re.compile(expand(row.gap, row.language)),
        )
        for row in sorted((Joint(**row) for row in _rows("joint")), key=lambda row: _JOINTS.index(row.rule))
    )


@cache
def inclusive() -> re.Pattern[str]:
    """Words after an expression that count the day it names in."""
    return re.compile(expand(rf",? ?\(?(?:{said('inclusive').pattern})\)?(?!\w)", ""))


def promised(folded: str) -> bool:
    """Whether a text holds words that promise a time, understood or not."""
    return any(
        _promise(language, n, bare=True).search(folded) and _promise(language, n).search(folded)
        for language in spoken()
        for n in range(len(load(language, "when").get("promise", ())))
    )


@cache
def _promise(language: str, number: int, *, bare: bool = False) -> re.Pattern[str]:
    """The pattern of a promise with what follows its first word, or of that word alone, which is soon compiled."""
    row = load(language, "when")["promise"][number]
    then = "" if bare else row.get("then", "")
    after = rf"\s(?:\w+\s){{0,2}}?(?:{expand(then, language)})s?" if then else ""
    return re.compile(rf"(?<!\w)(?:{expand(row['first'], language)}){after}(?!\w)")
