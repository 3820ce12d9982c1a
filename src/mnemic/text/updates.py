"""Which of several texts is out of date: a later one by the same speaker gives another value of what is asked for.

"65% coverage" and, later, "has recently improved to 78%": asked for the coverage, the first is out of date. Pure
functions over texts, English and Russian, no model. A question is read once: what sort of value it asks for, of what.
A text is out of date only where both texts give such a value right beside the words of the question, nothing tells
the two apart (another person, another sprint), and the later one says that something has changed, or else both agree
with nearly all of the question. In doubt nothing is marked.

The words are in :mod:`update_tables`, the values in :mod:`quantities`. Of a text only the first :data:`~.wording.MAX_CHARS` characters outside code
are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice, pairwise

from ..lang.lexicon import everywhere
from . import quantities
from . import update_tables as tables
from .analyse import fold, raw_words, stop_terms, terms
from .marks import NUMBERED_NOUNS, UNITS
from .names import NOT_NAMES
from .signals import KIN
from .wording import MAX_CHARS, split_words

__all__ = ["Said", "outdated"]

#: Name of a table, first word, past the last, their stems.
_Cue = tuple[str, int, int, tuple[str, ...]]

_BEFORE, _AFTER = 150, 90  # characters around a value that say what it is a value of
_HEAD = 2_000  # characters of a text, code left out, in which a value counts
_CUE = 9  # words before a value in which a cue is about it
_OWNED = 4  # words between the name of an owner and the thing
_BRIEF = 3  # words of a question that are few
_ONTO = 2  # words before a value among which one leads to it
_MOST, _KEPT = 24, 8  # values of a kind that are looked at in one text, and values kept of it
#: Shares of a question that both texts must agree with, by how plainly the newer says that something changed.
_ENOUGH = {"new": 0.34, "recent": 0.5, "": 0.62, "same": 0.8}
#: Share of the question that is enough for a new value where the property itself is named beside it.
_HEADED = 0.25
#: How many times larger one number may be than the other: without and with a word of change.
_FAR = (10.0, 50.0)
_ALIKE = 0.5  # share of the words around two values that makes them one sentence said twice
_ROOT = 4  # letters by which a word of the question is looked for at first
_AS_GOOD = 0.7  # the latest text is taken of those that answer at least so well beside the best
_FEW = 2  # words of the question that a text must hold
_END = re.compile(r"[.!?\u2026](?=\s)|[\n;]")
_BREAK = re.compile(r"[;:()\n\u2013\u2014]|[.!?](?=\s)")
_WORD = re.compile(r"[^\W_]+(?:['.-][^\W_]+)*")
#: Kinds of which a value may be only aimed at.
_REACHED = frozenset({"count", "percent", "duration"})
_CODE = re.compile(r"```|~~~")
#: Words of a question that no statement repeats.
_EMPTY = frozenset(
    terms(
        "many much currently current recent recently number percentage percent date day time total long scheduled schedule"
        " complete completed plan planned planning include included including take takes make set does present latest now"
        " have having use using used achieve please tell remind know today"
        " сколько сейчас теперь количество число процент дата день время всего долго какой какая какое какого какую"
        " нужно надо скажи напомни текущий текущая текущее назначен назначена назначено запланирован запланирована"
    )
)
_NO_NAME = NOT_NAMES | {"i", "am", "pm"}
_PLANS = frozenset(
    terms("goal target aim aiming plan planning intend deadline цель план планирую хочу собираюсь дедлайн срок")
)


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
        kinds: of values. about: stems of what they are of. roots: how those begin. heads: kind → those of them of which one must stand beside.
        counted: stems of the things counted. careful: only a change in so many words counts. plans: a value that is
        only aimed at is an answer. identities: "sprint" → "2", what the question tells apart.
    """

    kinds: frozenset[str]
    about: frozenset[str]
    roots: frozenset[str]
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
            later = {newer: _replaces(asked, before, after) for newer, after in texts[i + 1 :]}
            best = max(later.values(), default=0.0)
            if best:
                out[older] = next(newer for newer in reversed(later) if later[newer] >= _AS_GOOD * best)
    return out


# -- the question -------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _read(question: str) -> _Asked | None:
    """What a question asks for; ``None`` where it is no value, or no present one."""
    words = split_words(question)
    cues = _cues(words, tables.QUESTION)
    # "when" asks where it opens a question; elsewhere it only joins.
    spans = [
        (first, past)
        for name, first, past, _ in cues
        if name == "ask" and (words[first] not in tables.JOINS or not first or words[first - 1] in tables.OPENS)
    ]
    rows = [
        ((first, past), tables.row(words[first:past]))
        for first, past in spans
        if not any(other != (first, past) and other[0] <= first and past <= other[1] for other in spans)
    ]
    # "To improve it" is only what for.
    history = any(name == "history" and words[first - 1 : first] not in (["to"], ["чтобы"]) for name, first, *_ in cues)
    if not rows or history:
        return None
    stop = stop_terms()
    kinds: set[str] = set()
    heads: dict[str, frozenset[str]] = {}
    counted: set[str] = set()
    empty: set[str] = set(_EMPTY)
    for (first, past), row in rows:
        asked = row.kinds.split()
        if asked == ["count"]:
            things = _noun(words[past:])
            units = {UNITS.get(word, "") for word in things}
            if units & quantities.SECONDS.keys():
                asked = ["duration"]
            elif units & {"$", "€", "₽"}:
                asked = ["money"]
            elif units & {"%"}:
                asked = ["percent"]
            else:
                counted.update(t for word in things for t in terms(word))
                asked = ["count"] if counted else []
        elif not row.head and asked != ["amount"]:
            empty.update(t for word in words[first:past] for t in terms(word))
        elif row.head:
            named = {t for word in words[first:past] for t in terms(word)} - stop
            heads.update((kind, heads.get(kind, frozenset()) | named) for kind in asked)
        kinds.update(asked)
    about = frozenset(t for word in words for t in terms(word) if t not in stop and t not in empty and not t.isdigit())
    if not kinds or not about:
        return None
    return _Asked(
        kinds=frozenset(kinds),
        about=about,
        roots=frozenset(t[:_ROOT] for t in about),
        heads=heads,
        counted=frozenset(counted) - stop,
        careful=any(name == "event" for name, *_ in cues),
        plans=bool(_PLANS & {t for word in words for t in terms(word)}),
        identities=_identities(words),
    )


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
    text = text[:_HEAD]
    # Folding may change the length of a text in other scripts; spans then are off by little, which does no harm.
    flat = text.lower().replace("ё", "е").replace("\u2019", "'")
    if sum(root in flat for root in asked.roots) < min(_FEW, len(asked.roots)):
        return []
    names = [n for kind in sorted(asked.kinds) for n in (quantities.AMOUNTS if kind == "amount" else (kind,))]
    names = [n for n in names if any(hint in flat for hint in quantities.HINTS[n])]
    if not names:
        return []
    about = asked.about - frozenset(_stems(said.speaker))
    if not about:
        return []
    found: dict[tuple[str, float | str, str], _Value] = {}
    for name in names:
        figures, *other = quantities.KINDS[name][0]
        if name in ("count", "duration") and not any(word in flat for word in quantities.WORDED):
            other = []
        for pattern in (figures, *other):
            for match in islice(pattern.finditer(flat), _MOST):
                value = _value(asked, about, name, match, text, flat)
                if value is not None and len(found) < _KEPT:
                    found.setdefault((name, value.value, value.change), value)
    if not found:
        return []
    held = about & frozenset(terms(text))
    if len(about) <= _BRIEF and held != about:
        return []  # in a brief question every word tells what it is about: the port of the server is not the proxy's
    return [replace(v, agrees=(0.6 * len(v.near) + 0.4 * len(held)) / len(about)) for v in found.values()]


def _value(
    asked: _Asked, about: frozenset[str], kind: str, match: re.Match[str], text: str, flat: str
) -> _Value | None:
    """One value as it stands in its sentence, not yet weighed; ``None`` where it is of something else."""
    start, end = match.span()
    if not quantities.begins(flat, start, kind):
        return None
    first, past = max(0, start - _BEFORE), min(len(flat), end + _AFTER)
    if first:
        first = max(flat.find(" ", first, start), first)  # no half words
    first = max((m.end() for m in _END.finditer(flat, first, start)), default=first)
    if stopped := _END.search(flat, end, past):
        past = stopped.start()
    window = flat[first:past]
    if sum(root in window for root in asked.roots) < min(_FEW, len(about)):
        return None
    broken = max((m.end() for m in _BREAK.finditer(flat, first, start)), default=first)
    close = _WORD.findall(flat, broken, start)
    before, after = _WORD.findall(flat, first, broken) + close, _WORD.findall(flat, end, past)
    heads = asked.heads.get("amount" if "amount" in asked.kinds and kind not in asked.kinds else kind, frozenset())
    units = frozenset[str]()
    if kind == "count":
        if flat[end : end + 1] in (" ", "-", "\u00a0") and not _BREAK.match(flat, end + 1):
            following = list(_until_function_word(after[:3]))
            units = frozenset(following)
            named = next((n for n, stem in enumerate(following) if stem in asked.counted), 0)
            if not about.issuperset(following[:named]):
                return None  # "5 coin toss problems" are not the problems asked for
        touching = close and start - flat.rfind(close[-1], first, start) == len(close[-1]) + 1
        if (
            touching
            and not units & asked.counted
            and _numbered(close[-1])
            and heads.isdisjoint(t for word in close[-2:] for t in _stems(word))
        ):
            return None  # "sprint 2": a name
    stems = frozenset(t for word in (*before, *after) for t in _stems(word))
    near = about & stems
    if len(near) < min(_FEW, len(about)) or (heads and not near & heads and not units & about):
        return None
    form = quantities.normal(kind, match)
    if form is None or (
        kind == "version" and "." not in str(form[1]) and about.isdisjoint(_stems(close[-1] if close else ""))
    ):
        return None
    cues = _cues(close[-_CUE:])
    limits = {(name, past) for name, first, past, _ in cues if first >= len(close[-_CUE:]) - tables.REACH.get(name, 0)}
    over = any(name == "over" and tables.ONTO.isdisjoint(close[-_CUE:][past:]) for name, past in limits)
    if not over and any(name == "beside" for name, _ in limits):
        return None
    if not asked.plans and kind in _REACHED and any(name == "not yet" for name, _ in limits):
        return None
    onto = not tables.ONTO.isdisjoint(close[-_ONTO:])
    # Words of the question itself say nothing of a change: asked how much was raised, "raised $600" is none.
    new = any(
        (name == "new" or (name == "changed" and onto)) and asked.about.isdisjoint(said) for name, _, _, said in cues
    ) or any(name == "new after" and asked.about.isdisjoint(said) for name, _, _, said in _cues(after[:3]))
    if asked.counted and kind == "count" and not units & asked.counted and (units or not new):
        return None  # a number by itself may be of anything; "has reached 165", beside the commits, is of commits
    recent = new or any(name == "recent" for name, *_ in _cues((*before, *after[:4])))
    return _Value(
        kind=kind,
        grain=form[0],
        value=form[1],
        units=units,
        stems=stems - stop_terms(),
        near=near,
        headed=bool(near & heads) or bool(units & asked.counted),
        agrees=0.0,
        change="new" if new else "recent" if recent else "",
        over=over,
        kin=(stems & KIN) - asked.about | _owners(text[first:past], asked.about),
        names=_names(text[first:past]),
        identities={k: v for k, v in _identities((*before, *after)).items() if k not in heads},
    )


@lru_cache(maxsize=50_000)
def _stems(word: str) -> tuple[str, ...]:
    return tuple(terms(word))


def _numbered(word: str) -> bool:
    """Whether a number after this word is a name, not a value."""
    stems = _stems(word)
    return bool(stems) and stems[-1] in NUMBERED_NOUNS


def _cues(words: Sequence[str], index: tables.Index = tables.BESIDES) -> list[_Cue]:
    """What the tables say of words."""
    whole, begun = index
    out: list[_Cue] = []
    for at, word in enumerate(words):
        for name, phrase in (*whole.get(word, ()), *begun.get(word[:3], ())):
            past = at + len(phrase)
            if past <= len(words) and tables.fits(words[at:past], phrase):
                out.append((name, at, past, tuple(t for w in words[at:past] for t in _stems(w))))
    return out


def _until_function_word(words: Sequence[str]) -> Iterator[str]:
    """Stems of the words up to the first that says nothing by itself."""
    stop = stop_terms()
    for word in words:
        stems = _stems(word)
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


def _owners(window: str, about: frozenset[str]) -> frozenset[str]:
    """Whose the thing asked for is, where a name says so right before it: "Anna's project has 80% coverage"."""
    words = raw_words(window.replace("\u2019", "'"))
    return frozenset(
        t
        for i, word in enumerate(words)
        if word[0].isupper()
        and (word.endswith("'s") or (i and words[i - 1].lower() == "у"))
        and fold(word) not in _NO_NAME
        if not about.isdisjoint(t for near in words[max(0, i - _OWNED) : i + _OWNED + 1] for t in _stems(near))
        for t in _stems(word)
        if t not in about
    )


def _identities(words: Sequence[str]) -> dict[str, str]:
    """What numbers and ordinals tell apart: "sprint 2", "the second sprint" → {"sprint": "2"}."""
    out: dict[str, str] = {}
    for one, two in pairwise(words):
        if two.isdigit() and _numbered(one):
            out[_stems(one)[-1]] = str(int(two[:9]))
        elif (number := _ordinal(one)) is not None and (stems := _stems(two)):
            out[stems[0]] = number
    return out


ORDINALS = everywhere("ordinal")
#: What every ordinal begins with, figures left out, and few other words: those alone have a pattern compiled for them.
_BEGINS = tuple(
    {
        form[:4]
        for n, *both in ORDINALS
        if n > 0
        for forms in both
        for form in re.sub(r"\(\?:[^)]*\)", "", forms).split("|")
        if len(form) > 2 and form.isalpha()
    }
)


@cache
def _any_ordinal() -> re.Pattern[str]:
    return re.compile("|".join(forms for n, *both in ORDINALS if n > 0 for forms in both))


@lru_cache(maxsize=4_096)
def _ordinal(word: str) -> str | None:
    if len(word) < 3 or not (word[0].isdigit() or word.startswith(_BEGINS)):  # the Roman "i" is more often the speaker
        return None
    if not _any_ordinal().fullmatch(word):
        return None
    return next((str(n) for n, *both in ORDINALS if n > 0 for forms in both if re.fullmatch(forms, word)), None)


# -- the pair -----------------------------------------------------------------------------------------


def _replaces(asked: _Asked, before: Sequence[_Value], after: Sequence[_Value]) -> float:
    """How well what a later text says answers in the place of what an earlier one says, 0…1; 0: not at all."""
    was = [v for v in before if not v.over]
    now = [v for v in after if not v.over]
    held = {(v.kind, v.value) for v in was}
    # Where the later one repeats the value of the older, it holds to it, unless it names a new one besides.
    if any((v.kind, v.value) in held for v in now):
        now = [v for v in now if v.change == "new"]
    return max(
        (new.agrees for new in now if (new.kind, new.value) not in held and any(_pair(asked, old, new) for old in was)),
        default=0.0,
    )


def _comparable(one: _Value, other: _Value) -> bool:
    return (
        one.kind == other.kind
        and (one.grain == other.grain)
        and (not one.units or not other.units or bool(one.units & other.units))
    )


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
    if isinstance(older.value, float) and isinstance(newer.value, float):
        least, most = sorted((older.value, newer.value))
        if most > least * _FAR[bool(newer.change)]:
            return False
    shared = older.near & newer.near
    if len(shared) < min(_FEW, len(asked.about)):
        return False
    # Without a word of change two appointments are two appointments, unless the question fits both to the letter.
    enough = _ENOUGH[newer.change or ("same" if newer.kind in ("date", "clock") else "")]
    if older.agrees >= enough and newer.agrees >= enough:
        return True
    if newer.change == "new" and older.headed and newer.headed and newer.agrees >= _HEADED and older.agrees >= enough:
        return True
    both = older.stems & newer.stems
    return older.headed and newer.headed and len(both) >= _ALIKE * min(len(older.stems), len(newer.stems))


def _parted(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two texts tell apart the same sort of thing by different numbers."""
    return any(other[thing] != number for thing, number in one.items() if thing in other)
