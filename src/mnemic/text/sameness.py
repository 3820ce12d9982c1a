"""Whether two statements say the same, so that one of them may go: pure, English and Russian, made not to be wrong.

Two statements are one only where everything that could part them is equal: identifiers, numbers with their units, dates,
names, who speaks, what is denied, how firmly it is said, what belongs to what ("reports to", "for"); and where their
content is the same set of words, up to inflection, order and words that stand for each other
(:mod:`.equivalents`). A statement that says *more* is not the same: hiding the other would lose nothing only if it stays,
and which of the two is right is not for code to say.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from .analyse import fold, terms
from .arrangement import Arrangement, arrange, parted
from .equivalents import LIGHT, MODALITY, PREPOSITIONS, canonical
from .marks import NUMBER_STEMS, UNITS, capitalised, marks
from .opposites import table
from .particulars import DAYS, NEGATION, forms_only, tense
from .signals import KIN, person
from .stopwords import STOP_WORDS
from .wording import MAX_CHARS, find, listed, polarity, split_words

__all__ = ["CANDIDATE", "Reading", "apart", "first_person", "one_person", "read", "same", "sense", "topic"]

#: Cosine from which two statements are compared at all (design §7), and by which other forms of a word count as the word.
#: No cosine makes one word stand for another: "every day" and "every week" are at 0.97.
CANDIDATE, FORMS = 0.70, 0.80
#: Share of a word that its forms have in common, and letters at least.
_STEM_SHARE, _STEM_LEAST = 0.7, 5


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement taken apart.

    Attributes:
        flat: its words, folded. key: a number that differs where what may part two statements differs.
        words: content, word for word in order: canonical stem → forms. roles: preposition → what follows it.
        person: who a pronoun or a verb says it is about. free: content under no preposition, in order. denied: denied stems. capital: content that is written with a capital.
        stems: every stem. front: it is built so that its order says nothing of who does what to whom.
        long: more than is read. kinds: how firmly it is said (:data:`.equivalents.MODALITY`, and "question"). done: "past".
        amounts: values with units. dates: days and times of day. identifiers: in order. arranged: letters and order.
    """

    flat: str
    key: int
    person: str
    words: Mapping[str, frozenset[str]]
    order: tuple[str, ...]
    roles: Mapping[str, frozenset[str]]
    free: tuple[str, ...]
    denied: frozenset[str]
    capital: frozenset[str]
    stems: frozenset[str]
    front: bool
    long: bool
    kinds: frozenset[str]
    done: str
    amounts: tuple[tuple[float, str], ...]
    dates: frozenset[str]
    identifiers: tuple[str, ...]
    arranged: Arrangement


def same(a: Reading, b: Reading, cosine: float | None = None) -> str:
    """In a word why two statements say the same, "" where they do not, or where that is not sure.

    Args:
        cosine: of their vectors, where there are any; only ever lets more through, and only between like words.
    """
    if a.flat == b.flat:
        one = a.flat and a.key == b.key and not parted(a.arranged, b.arranged)
        return "the same words" if one else ""
    if forms_only(a.arranged.small, b.arranged.small):
        return ""
    if a.long or b.long or a.key != b.key or not a.words or not b.words:
        return ""
    if cosine is not None and cosine < CANDIDATE:
        return ""
    if (a.denied ^ b.denied) & (a.stems & b.stems) or _opposed(a, b) or not one_person(a, b):
        return ""
    left, right = a.words.keys() - b.words.keys(), b.words.keys() - a.words.keys()
    if left or right:
        why = _stand_for_each_other(a, b, left, right, cosine)
        if not why:
            return ""
    else:
        why = "the same in other words"
    return "" if _swapped(a, b) or parted(a.arranged, b.arranged) else why


def apart(a: Reading, b: Reading) -> str:
    """By what two statements that say much the same are different ones: how firmly, how much, words of opposite sense,
    or their letters and order; "" where none of it parts them."""
    if a.kinds != b.kinds:
        return "firmness"
    if len(a.amounts) == len(b.amounts) and any(
        x != y or (unit and other and unit != other) for (x, unit), (y, other) in zip(a.amounts, b.amounts, strict=True)
    ):
        return "amounts"
    if _opposed(a, b):
        return "opposites"
    return parted(a.arranged, b.arranged)


def sense(said: Reading) -> int:
    """A number that is equal for any two statements that :func:`same` may call one; 64 bits, signed."""
    words = sorted({stem[:_STEM_LEAST] for stem in said.words}) or said.flat
    return _number((said.key, words))


def topic(said: Reading) -> int | None:
    """A number that is equal for any two statements of one thing that may contradict each other: their content without
    words that have opposites; ``None`` where nothing is left."""
    opposites, canon = table(), canonical()
    turned = {canon.get(stem, stem) for stem in said.stems if stem in opposites}
    words = sorted(said.words.keys() - turned)
    return _number((words, said.identifiers)) if words else None


def _number(parts: object) -> int:
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest(), "big", signed=True)


def one_person(a: Reading, b: Reading) -> bool:
    """A team says of itself "we" or nothing; whoever says "I", "he" or "you" means one person."""
    return a.person == b.person or {a.person, b.person} == {"", "we"}


def _opposed(a: Reading, b: Reading) -> bool:
    opposites = table()
    return any(opposites.get(stem, frozenset()) & b.stems - a.stems for stem in a.stems - b.stems)


def _stand_for_each_other(a: Reading, b: Reading, left: set[str], right: set[str], cosine: float | None) -> str:
    if len(left) != len(right) or cosine is None or cosine < FORMS or (left & a.capital and right & b.capital):
        return ""
    rest = sorted(right)
    for one in sorted(left):
        form = next((other for other in rest if _one_stem(one, other)), None)
        if form is None:
            return ""
        rest.remove(form)
    return "the same in other forms"


def _one_stem(a: str, b: str) -> bool:
    """Whether two stems are forms of one word (allerg, allergi)."""
    short, long = sorted((a, b), key=len)
    common = next((i for i, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
    return common >= _STEM_LEAST and common >= _STEM_SHARE * len(long)


# -- who does what to whom ---------------------------------------------------------------------------------------------


def _swapped(a: Reading, b: Reading) -> bool:
    """Whether two statements of one content may put it together in two ways ("Leo lent Max", "Max lent Leo")."""
    for preposition in a.roles.keys() & b.roles.keys():
        if not a.roles[preposition] & b.roles[preposition]:
            return True
    for stem in (*(a.words.keys() & b.words.keys()), _FIGURE):
        mine, theirs = _under(a, stem), _under(b, stem)
        if mine and theirs and not mine & theirs:
            return True  # "for Julia", "with Julia"
    names = a.capital & b.capital & a.words.keys()
    if len(names) > 2 and [w for w in a.order if w in names] != [w for w in b.order if w in names]:
        return True
    if not (a.arranged.turned or b.arranged.turned or _LISTING & a.arranged.words):
        loose = {
            w for w in names if w.isascii() and not _under(a, w) and not _under(b, w)
        }  # "in Riga" may stand anywhere
        if [w for w in a.order if w in loose] != [w for w in b.order if w in loose]:
            return True  # "Max is Leo's boss", "Leo is Max's boss"
    if a.order == b.order:
        return _forms(a, b) >= 2
    latin = [tuple(w for w in r.order if w.isascii()) for r in (a, b)]
    if any(not w.isascii() for w in a.order):
        return _swapped_russian(a, b) or (latin[0] != latin[1] and len(a.order) - len(latin[0]) < 3)
    return not (a.front or b.front) and bool(a.free and b.free) and a.free[0] != b.free[0]


_LISTING = listed("and or и или с with")
#: Stands for a number under the prepositions in _BOUNDS: "within 2 days", "after 2 days".
_FIGURE, _BOUNDS = "#", listed("before after over under in до после под над к")


def _under(read: Reading, stem: str) -> frozenset[str]:
    return frozenset(p for p, stems in read.roles.items() if stem in stems)


def _forms(a: Reading, b: Reading) -> int:
    """How many words stand in another case or form in the two; English has hardly any."""
    return sum(
        not a.words[stem] & b.words[stem]
        for stem in a.words.keys() & b.words.keys()
        if not stem.isascii()
        and {t for f in a.words[stem] for t in terms(f)} & {t for f in b.words[stem] for t in terms(f)}
    )


#: Endings that say of a Russian noun that it is not the subject.
_OBLIQUE = ("у", "ю", "ой", "ей", "ом", "ем", "ами", "ями", "ах", "ях", "ам", "ям", "ов", "ев", "е", "и")


def _swapped_russian(a: Reading, b: Reading) -> bool:
    changed = _forms(a, b)
    if changed >= 2:
        # «Мама звонила бабушке», «Бабушка звонила маме»: two trade cases about a verb that stays. Where every word
        # has changed, the whole sentence was turned («отдел согласует закупку», «закупка согласуется отделом»).
        return changed < len(a.words.keys() & b.words.keys())
    if changed or len(a.free) < 3 or a.front or b.front or a.free != tuple(reversed(b.free)):
        return False
    # The order is turned round and nothing else: cases must say who is who.
    return not any(form.endswith(_OBLIQUE) for stem in (a.free[0], a.free[-1]) for form in a.words[stem])


# -- reading -----------------------------------------------------------------------------------------------------------

_USER: tuple[tuple[tuple[str, ...], str], ...] = (
    (("the user's", "user's"), "My"), (("the user is", "user is"), "I am"), (("the user has", "user has"), "I have"),
    (("the user", "user"), "I"), (("у пользователя",), "У меня"), (("пользователю",), "Мне"),
    (("пользователь", "пользователя"), "Я"),
)  # fmt: skip


def first_person(text: str) -> str:
    """What an agent notes of the user, as the user would say it."""
    text = text[:MAX_CHARS]
    low = text.casefold()
    for forms, mine in _USER:
        for form in forms:
            if low.startswith(form) and not low[len(form) : len(form) + 1].isalnum():
                return mine + text[len(form) :]
    return text


#: Words that turn a sentence about without changing who does what: passive, relative clauses, "there is".
_FRONTING = listed("by where which who whom that what there whose is так это то который которого которой где кто есть")
#: Pronouns that are the doer wherever they stand.
_DOERS = listed("i we you he she they it я мы ты вы он она они оно")
_TEAM = listed("we our us ours мы нас нам нами наш наша наше наши нашу нашей нашего нашем наших")
#: English pronouns that are never the doer.
_OBJECTS = listed("me him them us")
#: Words that say nothing beside others; of the stop words, these do.
_SMALL = STOP_WORDS - listed("more other same again off out up down")
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
#: Words of a month or a weekday: dates are compared as dates.
_DATED = re.compile(DAYS)
_TICKET, _TICKETS = re.compile(r"[^\W\d_]+-\d+"), frozenset(terms("ticket task issue задача тикет"))
_UNIT_STEMS = frozenset(t for unit in UNITS for t in terms(unit)) | listed(
    "k m thousand million тысяч миллион млн тыс год"
)


def read(text: str) -> Reading:
    """Take a statement apart. Costs about half a millisecond; only the first 4,000 characters are compared by sense."""
    said = first_person(text)
    words = split_words(said)
    found, flat = marks(said), fold(said)
    kinds = {name: find(words, listed_) for name, listed_ in MODALITY.items()}
    modal = {i for spans in kinds.values() for first, past in spans for i in range(first, past)}
    marked = {t for i in found.identifiers for t in terms(i)} | found.identifiers
    canon = canonical()
    content: dict[str, set[str]] = {}
    order: list[str] = []
    roles: dict[str, set[str]] = {}
    free: list[str] = []
    preposition = ""
    ticket = any(_TICKET.fullmatch(name) for name in found.identifiers)
    measured = any(word[0].isdigit() for word in words) or bool(found.numbers)
    for i, word in enumerate(words):
        if word in PREPOSITIONS:
            preposition = PREPOSITIONS[word]
            continue
        if i in modal or word in _SMALL or word in LIGHT or word in NEGATION or (found.dates and _DATED.match(word)):
            continue
        for stem in terms(word.replace("-", "") if _HYPHENATED.fullmatch(word) else word):
            if stem in marked:
                if preposition:
                    roles.setdefault(preposition, set()).add(word)
                preposition = ""
                continue
            if preposition in _BOUNDS and (word[0].isdigit() or stem in NUMBER_STEMS):
                roles.setdefault(preposition, set()).add(_FIGURE)
            if stem in NUMBER_STEMS or stem[0].isdigit() or (word[0].isdigit() and len(stem) == 1):
                continue
            if (measured and stem in _UNIT_STEMS) or (ticket and stem in _TICKETS):
                continue
            one = canon.get(stem, stem)
            content.setdefault(one, set()).add(word)
            order.append(one)
            if preposition:
                roles.setdefault(preposition, set()).add(one)
            else:
                free.append(one)
            preposition = ""
    _, denied = polarity(said)
    who, done, amounts, names = (
        _person(words),
        tense(words),
        _amounts(found.numbers),
        tuple(sorted(found.identifiers, key=lambda name: (flat.find(name), name))),
    )
    firmly = frozenset(name for name, spans in kinds.items() if spans)
    arranged = arrange(said)
    firmly |= {"question"} if said.rstrip().endswith("?") else frozenset()
    parts = (
        names, sorted(found.dates), sorted(found.clocks), amounts, sorted(firmly), bool(denied), done,
        sorted(KIN & frozenset(terms(said))) if who else [], sorted(_OBJECTS & set(words)),
        sorted({UNITS[w] for w in words if len(w) > 1 and w in UNITS and measured}), arranged.exact, arranged.single,
    )  # fmt: skip
    return Reading(
        flat=" ".join(split_words(said) if len(text) <= MAX_CHARS else fold(text).split()),
        key=_number(parts),
        person=who,
        words={stem: frozenset(forms) for stem, forms in content.items()},
        order=tuple(order),
        roles={p: frozenset(stems) for p, stems in roles.items()},
        free=tuple(free),
        denied=denied,
        capital=frozenset(canon.get(t, t) for t in capitalised(said)),
        stems=frozenset(terms(said)),
        front=bool(_FRONTING & set(words)) or bool(_DOERS & set(words)),
        long=len(text) > MAX_CHARS,
        kinds=firmly,
        done=done,
        amounts=tuple(amounts),
        dates=found.dates | found.clocks,
        identifiers=names,
        arranged=arranged,
    )


def _person(words: Sequence[str]) -> str:
    if _TEAM & set(words):
        return "we"
    # Russian leaves the pronoun out: «Живу в Риге».
    return person(words) or (
        "I" if any(len(w) > 3 and w.endswith(("ю", "юсь", "вожу", "жу", "чу", "ву")) for w in words[:1]) else ""
    )


def _amounts(numbers: Mapping[str, frozenset[float]]) -> list[tuple[float, str]]:
    """Values with their unit. What is counted is a word like others where one thing is counted only."""
    known = _units()
    several = sum(map(len, numbers.values())) > 1
    return sorted(
        (value, unit if several or unit in known else "") for unit, values in numbers.items() for value in values
    )


@cache
def _units() -> frozenset[str]:
    return frozenset(UNITS.values())
