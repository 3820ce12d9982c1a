"""Which of several texts is out of date: a later one by the same speaker gives another value of what is asked for.

"65% coverage" and, later, "has recently improved to 78%": asked for the coverage, the first is out of date. Pure
functions over texts, English and Russian, no model. A question is read once: what sort of value it asks for, of what.
A text is out of date only where both texts give such a value right beside the words of the question, nothing tells
the two apart (another person, another sprint), and the later one says that something has changed, or else both agree
with nearly all of the question. In doubt nothing is marked.

The words are in :mod:`update_tables`. Of a text only the first :data:`~.wording.MAX_CHARS` characters outside code
are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from . import update_tables as tables
from .analyse import fold, raw_words, stop_terms, terms
from .marks import NUMBER_WORDS, NUMBERED_NOUNS, UNITS
from .names import NOT_NAMES
from .signals import KIN
from .when_tables import MONTHS, ORDINALS, WEEKDAYS
from .wording import MAX_CHARS, content_stems, find, split_words

__all__ = ["Said", "outdated"]

_BEFORE, _AFTER = 150, 90  # characters around a value that say what it is a value of
_CUE = 9  # words before a value in which a cue is about it
_CLOSE = 4  # words before a value in which a word limits it
_ONTO = 2  # words before a value among which one leads to it
_MOST = 12  # values read of one text
#: Shares of a question that both texts must agree with, by how plainly the newer says that something changed.
_ENOUGH = {"new": 0.34, "recent": 0.5, "": 0.62}
_ALIKE = 0.5  # share of the words around two values that makes them one sentence said twice
_FEW = 2  # words of the question that a text must hold
_END = re.compile(r"[.!?\u2026](?=\s)|[\n;]")
_BREAK = re.compile(r"[;:()\n\u2013\u2014]|[.!?](?=\s)")
_CODE = re.compile(r"```|~~~")
#: Words of a question that no statement repeats.
_EMPTY = frozenset(
    terms(
        "many much currently current recent recently number percentage percent date day time total long scheduled schedule"
        " complete completed plan planned planning include included including take takes make set does present latest now"
        " have having achieve please tell remind know today"
        " сколько сейчас теперь количество число процент дата день время всего долго какой какая какое какого какую"
        " нужно надо скажи напомни текущий текущая текущее назначен назначена назначено запланирован запланирована"
    )
)
_NO_NAME = NOT_NAMES | {"i", "am", "pm"}
_PLANS = frozenset(terms("goal target aim aiming plan planning intend deadline цель план планирую хочу собираюсь дедлайн срок"))


@dataclass(frozen=True, slots=True)
class Said:
    """A text, who said it, and its place in time: whatever sorts later was said later."""

    text: str
    speaker: str
    at: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question asks for.

    Attributes:
        kinds: of values. about: stems of what they are of. heads: kind → those of them of which one must stand beside.
        counted: stems of the things counted. careful: only a change in so many words counts. plans: a value that is
        only aimed at is an answer. identities: "sprint" → "2", what the question tells apart.
    """

    kinds: frozenset[str]
    about: frozenset[str]
    heads: Mapping[str, frozenset[str]]
    counted: frozenset[str]
    careful: bool
    plans: bool
    identities: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Value:
    """A value with what stands around it.

    Attributes:
        kind, grain: what it may be compared with. value: a number, or a date, time, version or state as text.
        units: stems of the words after it. stems: around it. headed: whether the property itself is named. near: stems of the question beside it. agrees: share of the question, 0…1.
        change: a key of :data:`_ENOUGH`. over: named as what it is no longer. kin, names, identities: of whom, of what.
    """

    kind: str
    grain: str
    value: float | str
    units: frozenset[str]
    stems: frozenset[str]
    near: frozenset[str]
    headed: bool
    agrees: float
    change: str
    over: bool
    kin: frozenset[str]
    names: frozenset[str]
    identities: Mapping[str, str]


def outdated(question: str, said: Sequence[Said]) -> dict[int, int]:
    """Which texts are out of date: place of the older → place of the latest one that says otherwise.

    Args:
        question: what is asked; one that asks for no value, or for how it was before, marks nothing.
        said: the texts, in any order.
    """
    asked = _read(question[:MAX_CHARS]) if len(said) > 1 else None
    if asked is None:
        return {}
    found: dict[str, list[tuple[int, list[_Value]]]] = {}
    for place in sorted(range(len(said)), key=lambda i: said[i].at):
        values = _values(asked, said[place])
        if values:
            found.setdefault(said[place].speaker, []).append((place, values))
    out: dict[int, int] = {}
    for texts in found.values():
        for i, (older, before) in enumerate(texts):
            for newer, after in reversed(texts[i + 1 :]):
                if _replaces(asked, before, after):
                    out[older] = newer
                    break
    return out


# -- the question -------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _read(question: str) -> _Asked | None:
    """What a question asks for; ``None`` where it is no value, or no present one."""
    words = split_words(question)
    rows = [
        (span, tables.row(words[slice(*span)]))
        for span in find(words, tables.ASKED)
        # "when" asks where it opens a question; elsewhere it only joins.
        if words[span[0]] not in tables.JOINS or not span[0] or words[span[0] - 1] in tables.OPENS
    ]
    if not rows or _asks_history(words):
        return None
    stop = stop_terms()
    kinds: set[str] = set()
    heads: dict[str, frozenset[str]] = {}
    counted: set[str] = set()
    for (first, past), row in rows:
        asked = row.kinds.split()
        if asked == ["count"]:
            things = _noun(words[past:])
            units = {UNITS.get(word, "") for word in things}
            if units & tables.SECONDS.keys():
                asked = ["duration"]
            elif units & {"$", "€", "₽"}:
                asked = ["money"]
            elif units & {"%"}:
                asked = ["percent"]
            else:
                counted.update(t for word in things for t in terms(word))
                asked = ["count"] if counted else []
        elif row.head:
            named = {t for word in words[first:past] for t in terms(word)} - stop
            heads.update((kind, heads.get(kind, frozenset()) | named) for kind in asked)
        kinds.update(asked)
    about = frozenset(t for word in words for t in terms(word) if t not in stop and t not in _EMPTY and not t.isdigit())
    if not kinds or not about:
        return None
    return _Asked(
        kinds=frozenset(kinds),
        about=about,
        heads=heads,
        counted=frozenset(counted) - stop,
        careful=bool(find(words, tables.EVENTS)),
        plans=bool(_PLANS & {t for word in words for t in terms(word)}),
        identities=_identities(words),
    )


def _asks_history(words: Sequence[str]) -> bool:
    """Whether a question is about how it was before, or how it changed; "to improve it" is only what for."""
    return any(not first or words[first - 1] not in ("to", "чтобы") for first, _ in find(words, tables.HISTORY))


def _noun(words: Sequence[str]) -> list[str]:
    """The words that name what is counted: those after "how many" up to the first function word."""
    out: list[str] = []
    for word in words[:5]:
        stems = terms(word)
        if not stems or stems[0] in stop_terms():
            if out:
                break
            continue
        if stems[0] not in _EMPTY:
            out.append(word)
        if not word.isascii() and not word.endswith(("ых", "их")):
            break  # the noun follows its adjectives, and then the verb: «сколько новых тестов проходит»
    return out


# -- the texts ----------------------------------------------------------------------------------------


def _values(asked: _Asked, said: Said) -> list[_Value]:
    """Values of the kinds asked for, each with the words of the question beside it."""
    text = said.text[:MAX_CHARS]
    if "```" in text or "~~~" in text:
        text = " ".join(_CODE.split(text)[::2])
    about = asked.about - frozenset(terms(said.speaker))
    held = about & frozenset(terms(text))
    if len(held) < min(_FEW, len(about)):
        return []
    # Folding may change the length of a text in other scripts; spans then are off by little, which does no harm.
    flat = text.lower().replace("ё", "е").replace("\u2019", "'")
    out: list[_Value] = []
    for kind in sorted(asked.kinds):
        for name in tables.AMOUNTS if kind == "amount" else (kind,):
            for match in tables.KINDS[name][0].finditer(flat):
                value = _value(asked, about, held, name, match, text, flat)
                if value is not None:
                    out.append(value)
                if len(out) >= _MOST:
                    return out
    return out


def _value(
    asked: _Asked, about: frozenset[str], held: frozenset[str], kind: str, match: re.Match[str], text: str, flat: str
) -> _Value | None:
    """One value as it stands in its sentence; ``None`` where it is of something else."""
    start, end = match.span()
    grain, value = _normal(kind, match)
    left, right = flat[max(0, start - _BEFORE) : start], flat[end : end + _AFTER]
    left = left[max((m.end() for m in _END.finditer(left)), default=0) :]
    if stopped := _END.search(right):
        right = right[: stopped.start()]
    before, after = split_words(left), split_words(right)
    units = frozenset[str]()
    if kind == "count":
        if before and (stems := terms(before[-1])) and stems[-1] in NUMBERED_NOUNS and left.rstrip().endswith(before[-1]):
            return None  # "sprint 2": a name
        following = after[:3] if not _BREAK.match(right.lstrip()) and right[:1] in " -" else []
        units = frozenset(_until_function_word(following))
    close = split_words(left[max((m.end() for m in _BREAK.finditer(left)), default=0) :])
    over = any(tables.ONTO.isdisjoint(close[-_CLOSE:][past:]) for _, past in find(close[-_CLOSE:], tables.OVER))
    if not over and find(close[-_CLOSE:], tables.BESIDE):
        return None
    if not asked.plans and kind not in ("date", "clock", "money", "version") and find(close[-_CLOSE:], tables.NOT_YET):
        return None
    stems = frozenset(t for word in (*before, *after) for t in terms(word))
    near = about & (stems | units)
    heads = asked.heads.get("amount" if "amount" in asked.kinds and kind not in asked.kinds else kind, frozenset())
    if not near or (heads and not near & heads and not units & about):
        return None
    new = _says_new(asked.about, close[-_CUE:], after[:3])
    if asked.counted and kind == "count":
        named = bool(units & asked.counted)
        # A number by itself may be of anything: only "has reached 165", beside the commits, is of commits.
        if not named and (units or not new):
            return None
    change = "new" if new else "recent" if find((*before, *after[:4]), tables.RECENT) else ""
    place = max(0, start - len(left))
    return _Value(
        kind=kind,
        grain=grain,
        value=value,
        units=units,
        stems=frozenset(content_stems((*before, *after))),
        near=near,
        headed=bool(near & heads) or bool(units & asked.counted),
        agrees=0.6 * len(near) / len(about) + 0.4 * len(held) / len(about),
        change=change,
        over=over,
        kin=stems & KIN,
        names=_names(text[place : end + len(right)]),
        identities=_identities((*before, *after)),
    )


def _says_new(about: frozenset[str], before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether the words before or after a value say that it is a new one. Words of the question itself say nothing:
    asked how much was raised, "raised $600" is no change."""
    rows = [(tables.NEW, before), (tables.NEW_AFTER, after)]
    if tables.ONTO.intersection(before[-_ONTO:]):
        rows.append((tables.CHANGED, before))
    return any(
        about.isdisjoint(t for word in words[first:past] for t in terms(word))
        for table, words in rows
        for first, past in find(words, table)
    )


def _until_function_word(words: Sequence[str]) -> Iterator[str]:
    """Stems of the words up to the first that says nothing by itself."""
    stop = stop_terms()
    for word in words:
        stems = terms(word)
        if not stems or stems[0] in stop or word[0].isdigit():
            return
        yield from stems


def _names(window: str) -> frozenset[str]:
    """Words with a capital inside a sentence."""
    words = raw_words(window)
    return frozenset(
        t
        for word in words[1:]
        if word[0].isupper() and not word.startswith(("I'", "I\u2019")) and fold(word) not in _NO_NAME
        for t in terms(word)
    )


def _identities(words: Sequence[str]) -> dict[str, str]:
    """What numbers and ordinals tell apart: "sprint 2", "the second sprint" → {"sprint": "2"}."""
    out: dict[str, str] = {}
    for one, two in pairwise(words):
        if two.isdigit() and (stems := terms(one)) and stems[-1] in NUMBERED_NOUNS:
            out[stems[-1]] = str(int(two[:9]))
        elif (number := _ordinal(one)) is not None and (stems := terms(two)):
            out[stems[0]] = number
    return out


@lru_cache(maxsize=4_096)
def _ordinal(word: str) -> str | None:
    if len(word) < 3:  # the Roman "i" is more often the speaker
        return None
    return next((str(n) for n, *both in ORDINALS if n > 0 for forms in both if re.fullmatch(forms, word)), None)


@lru_cache(maxsize=4_096)
def _listed(word: str, what: str) -> int:
    rows = MONTHS if what == "month" else WEEKDAYS
    return next((n for n, *both in rows for forms in both if forms and re.fullmatch(forms, word)), 0)


def _normal(kind: str, match: re.Match[str]) -> tuple[str, float | str]:
    """What a value may be compared with, and the value in one form."""
    part = match.groupdict()
    if kind == "date":
        if part["w"]:
            return "weekday", f"d{_listed(part['w'], 'weekday')}"
        month = _listed(part["m"] or part["n"], "month") if part["m"] or part["n"] else int(part["o"] or part["p"])
        return "day", f"{month}/{int(part['d'] or part['e'] or part['f'] or part['g'])}"
    if kind == "clock":
        hour = int(part["h"] or part["g"])
        late = "p" in (part["p"], part["q"]) or part["e"] in ("вечера", "дня")
        return "", f"{hour + 12 if late and hour < 12 else hour}:{part['i'] or '00'}"
    if kind == "version":
        return "", part["a"]
    if kind == "status":
        return "", tables.STATES[match.group()]
    number = _number(part.get("a") or part.get("b") or "")
    if kind == "duration":
        return "", number * tables.SECONDS[UNITS[part["u"]]]
    if kind == "money" and (part["k"] or part["m"]):
        number *= 1_000
    return "", number


def _number(text: str) -> float:
    """A number as written, in figures ("1,200", "4.5", "3k") or as a word."""
    if text in NUMBER_WORDS:
        return NUMBER_WORDS[text]
    scale = 1_000.0 if text.endswith("k") else 1.0
    text = text.rstrip("k \u00a0")
    text = re.sub(r"[,\u00a0 ](?=\d{3}(?!\d))", "", text).replace(",", ".")
    return float(text) * scale


# -- the pair -----------------------------------------------------------------------------------------


def _replaces(asked: _Asked, before: Sequence[_Value], after: Sequence[_Value]) -> bool:
    """Whether what one text says is out of date by what a later one says."""
    now = [v for v in after if not v.over]
    # Where the later one repeats the value of the older, it holds to it, unless it names a new one besides.
    if any(one.kind == other.kind and one.value == other.value for one in before for other in now):
        now = [v for v in now if v.change == "new"]
    held = {(v.kind, v.value) for v in before if not v.over}
    return any(
        _pair(asked, one, other) for one in before if not one.over for other in now if (other.kind, other.value) not in held
    )


def _comparable(one: _Value, other: _Value) -> bool:
    return one.kind == other.kind and (one.grain == other.grain) and (not one.units or not other.units or bool(one.units & other.units))


def _pair(asked: _Asked, older: _Value, newer: _Value) -> bool:
    if not _comparable(older, newer) or older.value == newer.value:
        return False
    if _parted(asked.identities, older.identities) or _parted(asked.identities, newer.identities):
        return False
    if _parted(older.identities, newer.identities) or older.kin != newer.kin:
        return False
    one, other = older.names - asked.about, newer.names - asked.about
    if one - other and other - one:
        return False
    if asked.careful and newer.change != "new":
        return False
    shared = older.near & newer.near
    if newer.change == "new" and older.headed and newer.headed and len(shared) >= _FEW:
        return True
    enough = _ENOUGH[newer.change]
    if older.agrees >= enough and newer.agrees >= enough:
        return bool(newer.change) or len(shared) >= _FEW
    both = older.stems & newer.stems
    return older.headed and newer.headed and len(shared) >= _FEW and len(both) >= _ALIKE * min(len(older.stems), len(newer.stems))


def _parted(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two texts tell apart the same sort of thing by different numbers."""
    return any(other[thing] != number for thing, number in one.items() if thing in other)
