"""A value is whole or it is none: what stands where a value is looked for, judged by its kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from ...text.names import PLACES
from .rows import Language

_WORD = re.compile(r"[^\W_]+(?:['’.&+#/-]+[^\W_]+)*[+#]*")
_SIGNS = re.compile(r"[^\w\s'’.,&+#/()«»\"“”%€$£°`!-]")
_LONGEST: Mapping[str, int] = {
    "thing": 9,
    "short": 4,
    "deed": 12,
    "job": 4,
    "tool": 4,
    "name": 4,
    "place": 4,
    "firm": 5,
}
_QUOTED = re.compile(r"^[«“\"„]([^«»“”\"„]+)[»”\"“]$")  # a name in quotation marks
_LETTERS = re.compile(r"[^\W\d_]")


def pieces(raw: str, kind: str, language: Language) -> list[str]:
    """The values of a text: one, or each of a list; none where any part of it is no whole value."""
    raw = raw.strip().strip(",").strip()
    if kind == "none":
        return [""]
    if kind == "code":
        return [raw.strip("`\"'“”")] if raw.strip("`\"' ") else []
    parts = _listed(raw, kind, language) if kind in ("thing", "short", "tool") else [raw]
    found = [_bare(part, kind, language) for part in parts]
    if kind == "tool":  # of a list of tools those that are known by how they are written
        return [value for value in found if value]
    return found if found and all(found) else []


def _listed(raw: str, kind: str, language: Language) -> list[str]:
    """The members of a list; the whole where it is none, or where words may belong to all of its members."""
    joined = language.guards.get("join")
    if any(language.begins("next", part.strip()) for part in raw.split(",")[1:]):
        return [""]  # what follows the comma is a clause of its own
    if joined is None or (joined.search(raw) is None and kind != "tool"):
        return [raw]  # "crowded, densely populated cities"
    members = re.split(r",\s*", raw)
    to = language.words.get("infinitive", frozenset())
    if any(map(joined.search, members[:-1])) or raw.split()[0].lower() in to:  # "small shops and rare, old books"
        return [raw]
    parts = [piece for member in members for piece in joined.split(member) if piece]
    sizes = {len(part.split()) for part in parts}
    if kind == "tool":
        return parts
    return [raw] if max(sizes) > 3 or (1 in sizes and sizes != {1}) else parts  # "indie and folk music"


def _bare(value: str, kind: str, language: Language) -> str:
    value = _QUOTED.sub(r"\1", _without(value, "tail", language))
    if not language.words.get("others", frozenset()).isdisjoint(_WORD.findall(value.lower())):
        return ""  # "I love their work": whose is not known
    value = " ".join(language.swap.get(word, word) for word in value.split())
    some = language.begins("some", value)
    value = value[some.end() :].strip() if some and kind != "deed" else value
    article = language.begins("article", value)
    whole, value = value, value[article.end() :].strip() if article and kind != "deed" else value
    if kind == "number":
        return value if re.fullmatch(r"v?\d[\w.-]*", value) else ""
    words = _WORD.findall(value.lower())
    if not words or len(words) > _LONGEST.get(kind, 9) or _SIGNS.search(value) or not _LETTERS.search(value):
        return ""
    if kind != "name" and not _sound(words, language):
        return ""
    if not _CHECKS[kind](value, words, language):
        return ""
    return whole if kind == "thing" else value.strip()


def _without(value: str, guard: str, language: Language) -> str:
    """The value without the words at its end that say nothing of it: "a lot", "so much"."""
    pattern = language.guards.get(guard)
    while pattern is not None:
        found = next((m for m in pattern.finditer(value) if m.end() == len(value) and m.start()), None)
        if found is None:
            break
        value = value[: found.start()].rstrip(" ,")
    return value


def _sound(words: list[str], language: Language) -> bool:
    """Whether a value neither begins nor ends as a part of something and speaks of nothing outside itself."""
    known = language.words
    finite, relative = known.get("finite", frozenset()), known.get("relative", frozenset())
    for i, word in enumerate(words):
        if word in finite and relative.isdisjoint(words[:i]):
            return False
    words = [word if word.endswith("s'") else word.partition("'")[0] for word in words]
    return not (
        words[0] in known.get("not_first", ())
        or words[-1] in known.get("not_last", ())
        or not known.get("nowhere", frozenset()).isdisjoint(words)
    )


def _capitals(value: str, words: list[str], language: Language) -> bool:
    """Whether a value is written as a name: every word but small joining ones with a capital, none an ordinary word."""
    joining, ordinary = language.words.get("joining", frozenset()), language.words.get("no_name", frozenset())
    written = _WORD.findall(value)
    return (
        written[0][0].isupper()
        and written[-1][0].isupper()
        and all(w[0].isupper() or w[0].isdigit() or w in joining for w in written)
        and not any(w in ordinary for w in words)
    )


def _name(value: str, words: list[str], language: Language) -> bool:
    return _capitals(value, words, language) and not any(c.isdigit() for c in value) and "," not in value


def _place(value: str, words: list[str], language: Language) -> bool:
    if value.lower() in _places():  # many write no capitals
        return True
    return all(part.strip() and _capitals(part.strip(), words, language) for part in value.split(",")) and not any(
        c.isdigit() for c in value
    )


@cache
def _places() -> frozenset[str]:
    return frozenset(name.strip() for row in PLACES for name in row.split("/"))


def _firm(value: str, words: list[str], language: Language) -> bool:
    return _capitals(value, words, language)


def _job(value: str, words: list[str], language: Language) -> bool:
    jobs = language.words.get("job", frozenset())
    return any(w in jobs for w in words[-1:] + words[:1]) and (words[-1] in jobs or language.code != "en")


def _thing(value: str, words: list[str], language: Language) -> bool:
    vague = language.words.get("vague", frozenset())
    return not (words[0] in vague or words[-1] in vague)


def _tool(value: str, words: list[str], language: Language) -> bool:
    """A tool is known by how it is written: a capital, a digit, a sign; no day and no person's word."""
    ordinary = language.words.get("no_name", frozenset()) | language.words.get("not_first", frozenset())
    written = value.split()
    return (
        any(w[0].isupper() or w[0].isdigit() or re.search(r"[\d`_.+#/]",
            w.strip(".")) or w[1:] != w[1:].lower() for w in written[:1] + written[-1:])
        and not any(w in ordinary for w in words)
    )  # fmt: skip


def _deed(value: str, words: list[str], language: Language) -> bool:
    """What was decided names something that can be told from others: a name, a number, a sign."""
    return len(words) > 1 and _thing(value, words, language) and bool(
        re.search(r"(?<=\s)[A-ZА-Я]\w+|\d|`|\w[._/]\w", " " + value)
    )  # fmt: skip


_CHECKS: Mapping[str, Callable[[str, list[str], Language], bool]] = {
    "name": _name, "place": _place, "firm": _firm, "job": _job, "thing": _thing, "short": _thing, "tool": _tool,
    "deed": _deed,
}  # fmt: skip
