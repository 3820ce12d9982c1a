"""Phrases that turn the sense of a sentence: negation and change, English and Russian. Tables and their reader.

A phrase is words separated by spaces, folded; ``word*`` matches any word that begins so. Every row has an example,
which the tests enumerate. Matching goes word by word through an index of first words: no regular expression can blow
up on a hostile text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from .analyse import fold, raw_words, stop_terms, terms

#: Only so much of a text is read: signals compare statements, not documents.
MAX_CHARS = 4_000
_LONG = 40  # characters of a word worth reading


def listed(words: str) -> frozenset[str]:
    """A set of words as a table writes them: separated by spaces."""
    return frozenset(words.split())


_CLAUSE = re.compile(r"[.!?;,:()\[\]\n—–…]+|\s-\s")
#: Words that open a clause in which an earlier negation no longer holds.
#: "Anything but jazz" is one clause.
_ALL = listed("anything nothing everything all none")
_TURNS = listed("but however although though while whereas because so since но однако зато хотя потому поэтому")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A row: the words, and a sentence in which they mean what the table says."""

    words: str
    example: str


#: What denies the words after it in its clause (``before``: those before it, where none follows).
NEGATORS: tuple[Phrase, ...] = (
    Phrase("not", "The server is not running"),
    Phrase("no", "There are no tests"),
    Phrase("never", "I never drink coffee"),
    Phrase("without", "The build works without Docker"),
    Phrase("neither", "Neither backup works"),
    Phrase("nor", "nor does it run"),
    Phrase("none", "None of the tests pass"),
    Phrase("nobody", "Nobody uses the printer"),
    Phrase("cannot", "The agent cannot write files"),
    Phrase("don't", "I don't like tea"),
    Phrase("doesn't", "It doesn't rain here"),
    Phrase("didn't", "The job didn't finish"),
    Phrase("isn't", "The door isn't locked"),
    Phrase("aren't", "The keys aren't there"),
    Phrase("wasn't", "The fix wasn't deployed"),
    Phrase("weren't", "The lights weren't on"),
    Phrase("won't", "The car won't start"),
    Phrase("can't", "I can't swim"),
    Phrase("couldn't", "We couldn't build it"),
    Phrase("wouldn't", "I wouldn't eat meat"),
    Phrase("shouldn't", "You shouldn't use it"),
    Phrase("hasn't", "She hasn't moved"),
    Phrase("haven't", "They haven't paid"),
    Phrase("hadn't", "He hadn't slept"),
    Phrase("mustn't", "You mustn't touch it"),
    Phrase("needn't", "You needn't wait"),
    Phrase("ain't", "It ain't working"),
    Phrase("stopped", "I stopped drinking coffee"),
    Phrase("stop", "Please stop sending reports"),
    Phrase("quit", "She quit smoking"),
    Phrase("gave up", "He gave up meat"),
    Phrase("lacks", "The flat lacks a balcony"),
    Phrase("lacking", "The flat is lacking a balcony"),
    Phrase("discontinued", "Support of Python 3.8 is discontinued"),
    Phrase("dropped", "Support of Python 3.8 was dropped"),
    Phrase("cancelled", "The trip is cancelled"),
    Phrase("canceled", "The trip is canceled"),
    Phrase("impossible", "Login is impossible"),
    Phrase("unable", "I am unable to eat gluten"),
    Phrase("refuses", "He refuses to eat meat"),
    Phrase("refused", "He refused to eat meat"),
    Phrase("не", "Сервер не работает"),
    Phrase("нет", "Здесь нет принтера"),
    Phrase("нету", "У меня нету кота"),
    Phrase("без", "Сборка идет без докера"),
    Phrase("ни", "Ни один тест не прошел"),
    Phrase("отсутств*", "Балкон отсутствует"),
    Phrase("прекращ*", "Поддержка прекращена"),
    Phrase("отменил*", "Поездка отменилась"),
    Phrase("отменен*", "Поездка отменена"),
    Phrase("невозмож*", "Вход невозможен"),
    Phrase("отказыва*", "Он отказывается от мяса"),
    Phrase("никогда", "Я никогда не пью кофе"),
    Phrase("никто", "Никто не пользуется принтером"),
    Phrase("перестал*", "Я перестал пить кофе"),
    Phrase("бросил*", "Она бросила курить"),
    Phrase("прекратил*", "Мы прекратили поддержку"),
    Phrase("отказал* от", "Он отказался от мяса"),
)

#: Negation in form only.
NO_NEGATION: tuple[Phrase, ...] = (
    Phrase("not only", "She speaks not only French"),
    Phrase("no doubt", "No doubt it works"),
    Phrase("no problem", "No problem, it works"),
    Phrase("why not", "Why not use tea"),
    Phrase("не только", "Он знает не только французский"),
    Phrase("не могу не", "Не могу не любить чай"),
    Phrase("нельзя не", "Нельзя не любить чай"),
    Phrase("не просто", "Это не просто чай"),
)

#: What says that something is otherwise than before.
CHANGE: tuple[Phrase, ...] = (
    Phrase("now", "The office is now in Riga"),
    Phrase("nowadays", "Nowadays I drink tea"),
    Phrase("these days", "These days I run"),
    Phrase("from now on", "From now on use tabs"),
    Phrase("going forward", "Going forward we deploy on Mondays"),
    Phrase("as of", "As of May the limit is 5"),
    Phrase("no longer", "I no longer eat meat"),
    Phrase("not anymore", "I do not smoke, not anymore"),
    Phrase("anymore", "I don't eat meat anymore"),
    Phrase("any more", "I don't work there any more"),
    Phrase("any longer", "It isn't supported any longer"),
    Phrase("used to", "I used to live in Riga"),
    Phrase("formerly", "Formerly we used SVN"),
    Phrase("previously", "Previously it ran on Windows"),
    Phrase("instead", "I drink tea instead"),
    Phrase("switch to", "We will switch to Postgres"),
    Phrase("switched", "We switched to Postgres"),
    Phrase("switching", "We are switching to Postgres"),
    Phrase("changed to", "The port changed to 8080"),
    Phrase("changed my mind", "I changed my mind about tea"),
    Phrase("has changed", "The address has changed"),
    Phrase("moved", "Kiran moved to project Heron"),
    Phrase("moving to", "I am moving to Oslo"),
    Phrase("migrated", "We migrated to Postgres"),
    Phrase("relocated", "She relocated to Oslo"),
    Phrase("transferred", "He was transferred to Oslo"),
    Phrase("replaced", "Redis replaced Memcached"),
    Phrase("became", "She became a manager"),
    Phrase("has become", "It has become slow"),
    Phrase("renamed", "The project was renamed to Heron"),
    Phrase("upgraded", "We upgraded to Python 3.12"),
    Phrase("updated to", "The limit was updated to 10"),
    Phrase("raised to", "The budget was raised to 500"),
    Phrase("lowered to", "The limit was lowered to 5"),
    Phrase("rescheduled", "The meeting was rescheduled to Friday"),
    Phrase("postponed", "The launch was postponed to June"),
    Phrase("started", "He started drinking coffee"),
    Phrase("stopped", "He stopped drinking coffee"),
    Phrase("quit", "She quit smoking"),
    Phrase("gave up", "He gave up meat"),
    Phrase("discontinued", "Support of Python 3.8 is discontinued"),
    Phrase("dropped", "Support of Python 3.8 was dropped"),
    Phrase("cancelled", "The trip is cancelled"),
    Phrase("canceled", "The trip is canceled"),
    Phrase("got over", "I got over jazz"),
    Phrase("new job", "I have a new job at Globex"),
    Phrase("left", "She left Acme"),
    Phrase("went back to", "I went back to Vim"),
    Phrase("теперь", "Офис теперь в Риге"),
    Phrase("сейчас", "Сейчас живу в Риге"),
    Phrase("отныне", "Отныне пишем по-русски"),
    Phrase("с этого дня", "С этого дня пью чай"),
    Phrase("впредь", "Впредь деплоим по понедельникам"),
    Phrase("больше не", "Я больше не ем мясо"),
    Phrase("больше нет", "Офиса больше нет"),
    Phrase("уже не", "Я уже не курю"),
    Phrase("уже нет", "Там уже нет сервера"),
    Phrase("раньше", "Раньше я жил в Риге"),
    Phrase("прежде", "Прежде мы писали на Java"),
    Phrase("вместо", "Пью чай вместо кофе"),
    Phrase("перешел", "Я перешел на чай"),
    Phrase("перешл*", "Мы перешли на Postgres"),
    Phrase("переход* на", "Переходим на Postgres"),
    Phrase("переехал*", "Она переехала в Осло"),
    Phrase("переезжа*", "Переезжаю в Осло"),
    Phrase("перевел*", "Его перевели в проект Цапля"),
    Phrase("перенес*", "Встречу перенесли на пятницу"),
    Phrase("сменил*", "Она сменила работу"),
    Phrase("поменял*", "Мы поменяли базу"),
    Phrase("изменил*", "Адрес изменился"),
    Phrase("заменил*", "Redis заменили на Valkey"),
    Phrase("переименова*", "Проект переименовали в Цаплю"),
    Phrase("обновил*", "Мы обновились до 3.12"),
    Phrase("передумал*", "Я передумал насчет чая"),
    Phrase("стал", "Он стал директором"),
    Phrase("стала", "Она стала директором"),
    Phrase("стало", "Стало 12 тестов"),
    Phrase("стали", "Они стали директорами"),
    Phrase("начал*", "Он начал пить кофе"),
    Phrase("перестал*", "Он перестал пить кофе"),
    Phrase("прекращ*", "Поддержка прекращена"),
    Phrase("прекратил*", "Мы прекратили поддержку"),
    Phrase("отменил*", "Поездка отменилась"),
    Phrase("отменен*", "Поездка отменена"),
    Phrase("бросил*", "Она бросила курить"),
    Phrase("уволил*", "Она уволилась из Acme"),
    Phrase("увеличил* до", "Лимит увеличили до 10"),
    Phrase("повысил* до", "Бюджет повысили до 500"),
    Phrase("снизил* до", "Лимит снизили до 5"),
)

#: What sets the words before it right in the same breath: a correction, not a change in the world.
CORRECTION: tuple[Phrase, ...] = (
    Phrase("actually", "Actually the port is 8080"),
    Phrase("correction", "Correction: the port is 8080"),
    Phrase("i was wrong", "I was wrong, the port is 8080"),
    Phrase("i mistyped", "The port is 8080, I mistyped"),
    Phrase("i misspoke", "I misspoke, the port is 8080"),
    Phrase("my mistake", "My mistake, the port is 8080"),
    Phrase("i mixed up", "I mixed up the ports, it is 8080"),
    Phrase("ошибся", "Ошибся, порт 8080"),
    Phrase("ошиблась", "Ошиблась, порт 8080"),
    Phrase("перепутал*", "Перепутал, порт 8080"),
    Phrase("оговорил*", "Оговорился, порт 8080"),
    Phrase("на самом деле", "На самом деле порт 8080"),
    Phrase("поправка", "Поправка: порт 8080"),
    Phrase("вернее", "Вернее, порт 8080"),
    Phrase("точнее", "Точнее, порт 8080"),
    Phrase("я ошиб*", "Я ошибся, порт 8080"),
)

_Index = Mapping[str, tuple[tuple[str, ...], ...]]


_indexes: dict[int, tuple[tuple[Phrase, ...], tuple[_Index, _Index]]] = {}


def _index(table: tuple[Phrase, ...]) -> tuple[_Index, _Index]:
    """The index of a table, made once. Known by identity: to hash a table costs more than to search it."""
    known = _indexes.get(id(table))
    if known is None or known[0] is not table:
        known = _indexes[id(table)] = (table, _make_index(table))
    return known[1]


def _make_index(table: tuple[Phrase, ...]) -> tuple[_Index, _Index]:
    """Phrases by their first word, and by the first three letters where that word is a stem."""
    whole: dict[str, list[tuple[str, ...]]] = {}
    begun: dict[str, list[tuple[str, ...]]] = {}
    for phrase in table:
        words = tuple(phrase.words.split())
        where, key = (begun, words[0][:3]) if words[0].endswith("*") else (whole, words[0])
        where.setdefault(key, []).append(words)
    ordered = [{k: tuple(sorted(v, key=len, reverse=True)) for k, v in d.items()} for d in (whole, begun)]
    return ordered[0], ordered[1]


def _fits(words: Sequence[str], at: int, phrase: tuple[str, ...]) -> bool:
    return at + len(phrase) <= len(words) and all(
        words[at + i].startswith(p[:-1]) if p.endswith("*") else words[at + i] == p for i, p in enumerate(phrase)
    )


def find(words: Sequence[str], table: tuple[Phrase, ...]) -> list[tuple[int, int]]:
    """Where phrases of a table stand among folded words: (first, past the last), in order, longest first, none twice."""
    whole, begun = _index(table)
    out: list[tuple[int, int]] = []
    at = 0
    while at < len(words):
        for phrase in whole.get(words[at], ()) + begun.get(words[at][:3], ()):
            if _fits(words, at, phrase):
                out.append((at, at + len(phrase)))
                at += len(phrase)
                break
        else:
            at += 1
    return out


#: Contractions typed without the apostrophe; "wont", "cant" are hardly ever the words of their own.
_BARE = {
    n.words.replace("'", ""): n.words for n in NEGATORS if n.words.endswith("n't") and n.words not in ("won't", "can't")
} | {"wont": "won't", "cant": "can't"}


def split_words(text: str) -> list[str]:
    """Folded words of a text as phrases are matched against: contractions whole, missing apostrophes put back."""
    folded = [fold(word)[:_LONG] for word in raw_words(text[:MAX_CHARS])]
    return [_BARE.get(word, word) for word in folded]


def clauses(text: str) -> list[list[str]]:
    """The folded words of each clause: parted by signs, and before words such as "but", «но»."""
    out: list[list[str]] = []
    # A dot inside "3.12" or "a.py" parts nothing.
    for piece in _CLAUSE.split(re.sub(r"(?<=\S)[.,:](?=\S)", "\u00b7", text[:MAX_CHARS])):
        run: list[str] = []
        for word in split_words(piece.replace("\u00b7", ".")):
            if word in _TURNS and run and run[-1] not in _ALL:
                out.append(run)
                run = []
            run.append(word)
        if run:
            out.append(run)
    return out


def says_change(text: str) -> bool:
    """Whether the wording says that something is otherwise than before ("now", "moved", «больше не»)."""
    return bool(find(split_words(text), CHANGE))


def corrects(text: str) -> bool:
    """Whether the wording sets right what was said before ("actually", «вернее»)."""
    return bool(find(split_words(text), CORRECTION))


@cache
def _form_stems() -> frozenset[str]:
    """Stems of the words of the tables: they carry no content of their own."""
    words = [w for t in (NEGATORS, CHANGE, CORRECTION) for p in t for w in p.words.split() if not w.endswith("*")]
    # These are content where they stand alone.
    content = {"new", "job", "mind", "days", "дня", "used", "left", "wrong", "самом", "деле", "became"}
    return frozenset(t for w in words if w not in content for t in terms(w))


def content_stems(words: Iterable[str]) -> list[str]:
    """Stems of folded words that say what a clause is about: no stop words, no negation, no words of change."""
    stop, form = stop_terms(), _form_stems()
    return [t for word in words for t in terms(word) if t not in stop and t not in form]


def polarity(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The content stems that a text affirms and those that it denies (a stem may be in both).

    A negator denies what follows in its clause; where nothing follows («собаки нет»), what stands before it.
    """
    affirmed: set[str] = set()
    denied: set[str] = set()
    for words in clauses(text):
        form_only = {i for first, past in find(words, NO_NEGATION) for i in range(first, past)}
        places = [(a, b) for a, b in find(words, NEGATORS) if a not in form_only]
        if not places or (len(words) == 1 and places):  # "No," as an answer
            affirmed.update(content_stems(words))
            continue
        first, past = places[0]
        after = content_stems(words[past:])
        denied.update(after or content_stems(words[:first]))
        if after:
            affirmed.update(content_stems(words[:first]))
    return frozenset(affirmed), frozenset(denied)
