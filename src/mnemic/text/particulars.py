"""Small things that make two statements of the same words different ones: whose, which, when, how far, in what form.

"I know his password" is not "her password", "due by Friday" not "due after Friday", "Max is paid" not "Max pays", A+ not
A-. Tables and pure functions, English and Russian; made to say "different" rather once too often.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .analyse import fold, raw_words, terms
from .equivalents import LIGHT, canonical
from .stopwords import STOP_WORDS
from .wording import listed

__all__ = ["DAYS", "NEGATION", "Particulars", "differ", "forms_only", "particulars", "tense"]

#: Words of one kind of pointing; two statements that point in one kind must point alike. A word may be in several.
POINTING: Mapping[str, Mapping[str, str]] = {
    "person": {
        **dict.fromkeys(listed("you your yours ты тебя тебе тобой твой твоя твое твои вы вас вам ваш ваша ваше ваши"), "you"),
        **dict.fromkeys(listed("he him his он его ему него нему им ним нем"), "he"),
        **dict.fromkeys(listed("she her hers она ее ей нее ней"), "she"),
        **dict.fromkeys(listed("they them their theirs они их ими них ними"), "they"),
    },
    "owner": {
        **dict.fromkeys(listed("my mine мой моя мое мои моего моей моих моему моим"), "i"),
        **dict.fromkeys(listed("our ours наш наша наше наши нашего нашей наших"), "we"),
        **dict.fromkeys(listed("your yours твой твоя твое твои твоего твоей ваш ваша ваше ваши вашего вашей"), "you"),
        **dict.fromkeys(listed("his его"), "he"), **dict.fromkeys(listed("her hers ее"), "she"),
        **dict.fromkeys(listed("their theirs их"), "they"),
    },
    "this": {
        **dict.fromkeys(listed("this these этот эта это эти этого этой этих"), "this"),
        **dict.fromkeys(listed("those тот та те того той тех"), "that"),
    },
    "place": {
        **dict.fromkeys(listed("here здесь тут сюда"), "here"), **dict.fromkeys(listed("there там туда"), "there"),
    },
    "side": {
        **dict.fromkeys(listed("for за"), "for"), **dict.fromkeys(listed("against против"), "against"),
    },
}  # fmt: skip
#: Words without which, on one side only, a statement is another one.
_TURNING = listed(
    "out off up down against except without unless excluding nobody nothing none никто ничего никому никого против кроме без исключая"
)
#: How firmly it is said, word by word where one word of a kind is not like another.
_FIRMNESS: Mapping[str, str] = {
    **dict.fromkeys(listed("must обязан обязана обязаны должен должна должны должно"), "must"),
    **dict.fromkeys(listed("should ought следует стоит"), "should"),
    **dict.fromkeys(listed("unless"), "unless"), **dict.fromkeys(listed("if если"), "if"), **dict.fromkeys(listed("when когда"), "when"),
    **dict.fromkeys(listed("only just solely только лишь"), "only"), **dict.fromkeys(listed("except but excluding кроме"), "except"),
    **dict.fromkeys(listed("some several некоторые некоторых некоторым"), "some"), **dict.fromkeys(listed("few мало"), "few"),
    **dict.fromkeys(listed("most большинство"), "most"), **dict.fromkeys(listed("almost nearly почти"), "almost"),
    **dict.fromkeys(listed("sometimes иногда"), "sometimes"), **dict.fromkeys(listed("часть"), "part"),
    **dict.fromkeys(listed("all все всех every each каждый каждая каждое"), "all"), **dict.fromkeys(listed("both оба обе"), "both"),
    **dict.fromkeys(listed("everybody everyone"), "everyone"), **dict.fromkeys(listed("everything"), "everything"),
    **dict.fromkeys(listed("always всегда"), "always"), **dict.fromkeys(listed("will shall буду будет будем будут"), "will"),
    **dict.fromkeys(listed("thinking думаю"), "thinking"), **dict.fromkeys(listed("try tries trying пытаюсь пытается пытаемся"), "try"),
    **dict.fromkeys(listed("want wants wanted хочу хочет хотим хотят"), "want"),
    **dict.fromkeys(listed("until till"), "until"), **dict.fromkeys(listed("since"), "since"),
}  # fmt: skip
#: Days of the week, months, and two times of day, as they are written: the beginnings of words.
DAYS = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|noon|midnight"
    r"|понедельник\w*|вторник\w*|сред[ауы]|четверг\w*|пятниц\w*|суббот\w*|воскресень\w*|январ\w*|феврал\w*|март\w*|апрел\w*|ма[йюя]|июн\w*|июл\w*"
    r"|август\w*|сентябр\w*|октябр\w*|ноябр\w*|декабр\w*|полуноч\w*|полудн\w*"
)
#: What stands before a number, a date or a time and says how it is meant.
_BOUND = re.compile(
    r"\b(в течение|by|until|till|before|after|over|under|above|below|since|within|for|around|about|через|до|после|к|с|за|около|свыше|больше|меньше|более|менее|more than|less than|at least|at most)"
    rf"\s+(?:the\s+)?(?:[$€£₽]\s?)?(?:\d|(?:{DAYS})\b)"
)  # fmt: skip
_SAME_BOUND = {
    "till": "until", "до": "until", "после": "after", "above": "over", "more than": "over", "свыше": "over", "больше": "over",
    "более": "over", "below": "under", "less than": "under", "меньше": "under", "менее": "under", "about": "around",
    "около": "around", "к": "by", "с": "since", "в течение": "within", "за": "within", "через": "in",
}  # fmt: skip
_NUMBER = re.compile(r"\d+(?:[ \u00a0\u202f,.'’]\d{3})*(?!\d)(?:[.,]\d+)?")
#: A day written in figures: compared as a date.
_DATE = re.compile(r"\b(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})\b")
_MANY = re.compile(r"\s?(k|к|тыс\w*|thousand|m|млн\w*|миллион\w*|million)\b", re.I)
_GROUPED = re.compile(r"(?<=\d)[ \u00a0\u202f,.'’](?=\d{3}(?!\d))")
#: Figures that belong together as they are written: telephone numbers, scores, days and months, fractions.
_FIGURES = re.compile(r"(?<![\w.,])\+?\d+(?:[ /:\u2013-]\d+)+(?![\w])")
_THOUSANDS = re.compile(r"\d{1,3}(?: \d{3})+")
_CLOCK = re.compile(r"[012]?\d:\d\d")
#: Signs that belong to a word: A+, C-, !important, cron's */5.
_SIGNS = re.compile(
    r"(?<=\w)[+\u2212](?![\w+])|(?<=\b[A-FА-Я])-(?![\w-])|(?<!\w)!(?=\w)|(?<!\S)[*@&%](?=\S)|(?<=\S)[*&](?!\w)"
)
_PATH = re.compile(r"[^\s`\"'«»(),;]*[/\\][^\s`\"'«»(),;]*[^\s`\"'«»(),;.:!?]|`[^`\n]+`")
_WEB = re.compile(r"https?://", re.I)
_BE, _HAVE, _WAS = (
    listed("is are was were be been being am gets get got"),
    listed("have has"),
    listed("был была было были"),
)
#: English participles that do not end in -ed.
_PARTICIPLES = listed(
    "paid sent taught sold bought made done written built kept held led run chosen driven spoken broken worn grown eaten drunk given taken"
    " shown known thrown drawn read put cut set hit lost left found told said met felt heard seen brought caught fed hidden hired stolen"
    " sworn torn woken frozen forgotten won spent lent split spread shut hurt cast born beaten"
)
_ADVERBS = listed("not also now still already always usually often never just only all both currently fully partly")
#: Participles that only say where something is or what it is called.
_STATES = listed("located situated based called named placed")
_DEICTIC = listed("today tomorrow tonight yesterday сегодня завтра послезавтра вчера позавчера")
#: States that pass: told again weeks later, it is another time.
_PASSING = listed(
    "down ill sick busy away holiday vacation leave offline unavailable broken stuck late"
    " лежит болеет болен больна болею отпуске недоступен недоступна недоступно занят занята сломан сломана сломался опаздывает"
)
_ARTICLES = listed("a an the")
_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}


@dataclass(frozen=True, slots=True)
class Particulars:
    """The small things of one statement.

    Attributes:
        pointing: kind of :data:`POINTING` → what its words point at. firmness, turning: words that say how firmly, and that
            turn a sentence. bounds: how numbers and dates are meant. numbers: as written, without separators of thousands.
        around: number → the words beside it. figures: numbers that belong together. signs, paths, acronyms: as written.
        voice: passive, progressive, perfect. tokens: folded words without articles. day: it names a day from where it
            stands. passing: it tells of a state that passes.
    """

    pointing: Mapping[str, frozenset[str]]
    firmness: tuple[str, ...]
    turning: frozenset[str]
    bounds: tuple[str, ...]
    numbers: tuple[str, ...]
    around: tuple[tuple[str, str, str], ...]
    figures: tuple[str, ...]
    signs: tuple[str, ...]
    paths: tuple[str, ...]
    acronyms: frozenset[str]
    voice: frozenset[str]
    tokens: tuple[str, ...]
    day: bool
    passing: bool


def particulars(text: str) -> Particulars:
    """Take the small things of a statement down."""
    raw = raw_words(text)
    words = [fold(word) for word in raw]
    low = fold(text)
    here = set(words)
    shouted = sum(word.isupper() for word in raw) * 2 > len(raw)
    figures = tuple(
        sorted(
            " ".join(found.split())
            for found in _FIGURES.findall(text)
            if not _THOUSANDS.fullmatch(found) and not _CLOCK.fullmatch(found)
        )
    )
    undated = _DATE.sub(" ", text)
    numbers = tuple(_value(found[0], undated[found.end() :]) for found in _NUMBER.finditer(undated))
    return Particulars(
        pointing={
            kind: frozenset(found)
            for kind, table in POINTING.items()
            if (
                found := {table[word] for word in here if word in table}
                | ({"that"} if kind == "this" and words[0] == "that" else set())
            )
        }
        if words
        else {},
        firmness=tuple(sorted({_FIRMNESS[word] for word in here if word in _FIRMNESS})),
        turning=frozenset(here & _TURNING),
        bounds=tuple(sorted(_SAME_BOUND.get(found, found) for found in _BOUND.findall(low))),
        numbers=numbers,
        around=_around(low) if len(numbers) > 1 else (),
        figures=figures,
        signs=(*_SIGNS.findall(text), *(c for c in text if unicodedata.category(c) in ("So", "Sk") and c not in "`^")),
        paths=tuple(sorted(p.rstrip(".,;:!?") for p in _PATH.findall(text) if not _WEB.match(p))),
        acronyms=frozenset(
            () if shouted else (word for word in raw if len(word) > 1 and word.isupper() and fold(word) in STOP_WORDS)
        ),
        voice=_voice(words),
        tokens=tuple(_SINGULAR.get(word, word) for word in words if word not in _ARTICLES),
        day=bool(here & _DEICTIC),
        passing=bool(here & _PASSING),
    )


def differ(a: Particulars, b: Particulars, *, turned: bool = False) -> str:
    """By which small thing two statements of the same words are different ones; "" where by none.

    ``turned``: one of them is a passive that names who does it, so that another voice says the same.
    """
    for kind in a.pointing.keys() & b.pointing.keys():
        if a.pointing[kind] != b.pointing[kind]:
            return "pointing"
    if a.firmness != b.firmness or a.turning != b.turning:
        return "firmness"
    if a.bounds != b.bounds:
        return "bounds"
    if _numbers_differ(a, b) or (a.figures and b.figures and a.figures != b.figures):
        return "numbers"
    if a.signs != b.signs or a.acronyms != b.acronyms or (a.paths and b.paths and a.paths != b.paths):
        return "signs"
    return "voice" if a.voice != b.voice and not turned else ""


def forms_only(a: Particulars, b: Particulars) -> bool:
    """Whether two statements have word for word the same words, but some in another form: «Долг Анне», «Долг Анны».

    Who says the same again seldom changes a form and nothing else; what another form says is another thing.
    """
    if len(a.tokens) != len(b.tokens) or a.tokens == b.tokens:
        return False
    pairs = [(i, x, y) for i, (x, y) in enumerate(zip(a.tokens, b.tokens, strict=True)) if x != y]
    return all(_one_word(x, y) and not (i == 1 and a.tokens[0] in ("i", "я")) for i, x, y in pairs)


def _one_word(x: str, y: str) -> bool:
    if x.replace("-", "") == y.replace("-", "") or x[0].isdigit() or y[0].isdigit():
        return False  # e-mail, email
    left, right = ([canonical().get(t, t) for t in terms(word)] for word in (x, y))
    if terms(x) != terms(y) and left == right:
        return False  # colour, color
    common = next((i for i, (c, d) in enumerate(zip(x, y, strict=False)) if c != d), min(len(x), len(y)))
    return terms(x) == terms(y) or (common >= 4 and common * 2 > max(len(x), len(y)))


def _value(written: str, behind: str = "") -> str:
    """A number as it is meant: without separators of thousands, "5k" as 5000."""
    number = _GROUPED.sub("", written).replace(",", ".")
    if found := _MANY.match(behind):
        return f"{float(number) * (1_000_000 if found[1][0].casefold() in 'mм' else 1_000):.10g}"
    return number.rstrip("0").rstrip(".") if "." in number else number


def _around(low: str) -> tuple[tuple[str, str, str], ...]:
    """Each number of a text with the word before and the word behind it."""
    pieces = re.findall(r"\d[\d.,]*\d|\d|[^\W\d_]+", low)
    return tuple(
        (_value(piece), _stem(before), _stem(after))
        for before, piece, after in zip(["", *pieces], pieces, [*pieces[1:], ""], strict=False)
        if piece[0].isdigit()
    )


def _stem(word: str) -> str:
    return "".join(terms(word)[:1]) if word and not word[0].isdigit() else ""


def _numbers_differ(a: Particulars, b: Particulars) -> bool:
    one, other = Counter(a.numbers), Counter(b.numbers)
    if one - other and other - one:
        return True
    if one != other or a.numbers == b.numbers or len(set(one)) < 2:
        return False
    # The same numbers in another order: each must stand beside one of the words it stood beside before.
    there: dict[str, set[str]] = {}
    for value, *beside in b.around:
        there.setdefault(value, set()).update(w for w in beside if w)
    return any(
        (mine := {w for w in beside if w}) and there.get(value) and not mine & there[value]
        for value, *beside in a.around
    )


def _voice(words: list[str]) -> frozenset[str]:
    """How English verbs stand behind "be" and "have"; in Russian only whether something was."""
    out: set[str] = {"was"} if _WAS & set(words) or tense(words) else set()
    for i, word in enumerate(words):
        if word not in _BE and word not in _HAVE:
            continue
        rest = [w for w in words[i + 1 : i + 4] if w not in _ADVERBS][:1]
        if not rest:
            continue
        participle = rest[0] in _PARTICIPLES or (rest[0].endswith("ed") and len(rest[0]) > 4 and rest[0] not in _STATES)
        if word in _BE and rest[0].endswith("ing") and (len(rest[0]) > 5 or rest[0] == "being"):
            out.add("going on")
        elif word in _BE and participle:
            out.add("passive")
        elif word in _HAVE and (participle or rest[0] == "been"):
            out.add("perfect")
    return frozenset(out)


# -- tense ----------------------------------------------------------------------

#: Words of negation only: what is denied is compared apart.
NEGATION = listed(
    "not no never cannot don't doesn't didn't isn't aren't wasn't weren't won't can't не нет нету никогда ни nobody none никто никому никого nothing ничего without без now теперь"
)
#: English past forms that do not end in -ed.
_PAST = listed(
    "was were did had went bought sold wrote led made ran sent kept held spoke drove chose taught paid met flew ate drank slept"
    " grew broke wore began became came gave took got left lost won found said told thought knew saw heard felt built sat stood"
    " rose fell cut put cost hurt"
)
_STILL = listed("is are am be been being was were has have had gets get got s")
_PAST_RU = re.compile(r"\w{2,}(?:[аеиоуыя]л(?:а|о|и)?|шел|шла|шло|шли)(?:ся|сь)?")
#: Nouns of that form.
_NO_PAST = listed(
    "канал сигнал отдел файл материал журнал портал терминал стол пол угол узел день модел филиал вокзал сила школа дела числа"
)


def tense(words: Sequence[str]) -> str:
    """Whether a statement tells of something done, by the forms of its words: "past" or ""."""
    said = [word for word in words if word not in NEGATION]
    for before, word in zip(["", *said], said, strict=False):
        if word in ("was", "were", "did", "had"):
            return "past"
        if before in _STILL or before[-2:] == "'s" or word in LIGHT:
            continue
        if word in _PAST or (word.endswith("ed") and len(word) > 4 and word.isascii()):
            return "past"
        if _PAST_RU.fullmatch(word) and word not in _NO_PAST:
            return "past"
    return ""
