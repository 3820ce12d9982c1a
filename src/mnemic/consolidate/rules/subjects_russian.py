"""Who a Russian clause speaks of: «я», «у моей сестры Оли», «Кирану», «сервер», nobody named; in any case a row asks for."""

from __future__ import annotations

import re

from ...text.analyse import fold
from ...text.stopwords import STOP_WORDS
from . import relations
from .morph import is_known, nominative, word_nominative
from .row import words
from .subjects import KINDS, MY, MY_CUE, NO_NAMES, Subject, denies, is_name, of_relation

_RU_I = {
    "nom": re.compile(r"(?:мы с \w+|я сам[аи]?|я|мы сами|мы)(?= |$)", re.I),
    "u": re.compile(r"(?:у меня|у нас|в моей семье)(?= |$)", re.I),
    "dat": re.compile(r"(?:мне|нам)(?= |$)", re.I),
    "acc": re.compile(r"(?:меня|нас)(?= |$)", re.I),
}
_RU_WE = re.compile(r"(?:мы|у нас|нам|нас)\b", re.I)
_RU_MY = re.compile(
    r"(?P<u>у )?(?:(?P<my>мой|моя|моё|мое|моего|моей|моему|мою|моим|наш|наша|нашего|нашей|нашему|нашу|свой|своего|своей|своему|свою) )?"
    r"(?P<adj>(?:старш\w+|младш\w+|лучш\w+|стар\w+|нов\w+|двоюродн\w+|бывш\w+|прежн\w+|близк\w+) )*(?P<rel>[а-яё]+)"
    r"(?:,? (?:по имени )?(?P<n>(?-i:[А-ЯЁ][а-яё]+(?: [А-ЯЁ][а-яё]+){0,2}))(?P<a> \([А-ЯЁа-яё ]{2,30}\))?,?| \((?P<n2>(?-i:[А-ЯЁ][а-яё]+(?: [А-ЯЁ][а-яё]+)?))\),?)?(?: —)?(?= |$)",
    re.I,
)
_RU_NAME = re.compile(
    r"(?P<u>[Уу] )?(?:г-н |г-жа |госпожа |господин )?(?P<name>[А-ЯЁ][а-яё-]+(?: [А-ЯЁ][а-яё-]+){0,2}|[A-Z][\w.+-]*(?: [A-Z][\w.+-]*){0,2})"
    r"(?:, (?P<more>[^,]{2,40}),| \((?P<alias>[А-ЯЁ][а-яё]+)\))?(?: наш[аи]?)?(?: —)?(?= |$)"
)
_RU_KIND = re.compile(
    r"(?P<kind>проект|компания|команда|сервис|сервер|приложение|фирма) [«\"]?(?P<name>(?-i:[A-ZА-ЯЁ][\wё-]*(?: [A-ZА-ЯЁ][\wё-]*)?))[»\"]?(?: —)?(?= |$)",
    re.I,
)
RU_PRONOUN = re.compile(r"(?P<p>он|она|у него|у неё|у нее|ему|ей|его|её|ее)(?= |$)", re.I)
_RU_USER = re.compile(r"(?P<w>пользователь|у пользователя|пользователю|пользователя)(?= |$)", re.I)
_RU_VERB = (
    r"(?:сломан\w*|отмен\w*|недоступ\w*|зависит|зависят|использует|используют|падает|падают|ломается|ломаются|лежит|лежат|стоят|находятся|хранятся|живут|вылета\w+|висн\w+|тупит|сдох\w*|умер\w*|завершен\w*|завершён\w*|закончен\w*|закрыт\w*|починен\w*|заработал\w*|упал\w*|сломал\w*|работает|работают|стоит|стоят|находится|находятся|"
    r"теперь|сейчас|требует|требуют|готов\w*|слушает|произошл[аио]|произошел|произошёл|пройден\w*|проходит|проходят|зелён\w*|перенес\w*|переехал\w*|отвалил\w*|"
    r"висит|отказал\w*|обновлен\w*|обновлён\w*|установлен\w*|настроен\w*|заблокирован\w*|это|имеют|имеет|вращается|вращаются|состоит|состоят|виснет|виснут|крашится|крашатся|"
    r"—|построен\w*|написан\w*|отказали|сбоил\w*|отключ\w+|завис\w*|перезагрузил\w*|недоступ\w+|задеплоен\w*|смёржен\w*|опирается|опираются|глючит|зависает|дважды|трижды|снова|опять|всё ещё|пока|почин\w+|чинится|лечится|стоит|висит|хранится|завязан\w*|держится|держатся|отвалива\w+)"
)
_RU_NP = r"(?P<np>[\w.+#@/«»-]+(?: [\w.+#@/«»-]+){0,5}?)"
_RU_THING = re.compile(rf"{_RU_NP}(?= {_RU_VERB}(?:[ ,]|$))", re.I)
_RU_THING_AT = re.compile(rf"{_RU_NP}(?= (?:в|на|до|через|не|теперь|сейчас|переехал\w*)(?:[ ,]|$))", re.I)
_RU_CASES = {"u": "gen", "dat": "dat", "acc": "acc", "nom": "nom"}


def russian(clause: str, speaker: str, last: Subject | None, needs: str) -> list[tuple[Subject, str]]:
    """The subjects in a case that a Russian clause may begin with, the likeliest first, and what follows each.

    Args:
        clause: without openers. speaker: how the speaker is called. last: spoken of before.
        needs: the case looked for: ``nom``, ``u`` («у меня»), ``dat`` («мне»), ``acc`` («меня»).
    """
    if match := _RU_I[needs].match(clause):
        plural = bool(_RU_WE.match(match.group()))
        return [(Subject("we" if plural else "i", "", needs, plural=plural), clause[match.end() :].strip())]
    if (match := _RU_USER.match(clause)) and _RU_USER_CASE[match["w"].lower()] == needs:
        return [(Subject("i", "", needs), clause[match.end() :].strip())]
    if (match := RU_PRONOUN.match(clause)) and last and last.who in ("rel", "name"):
        word = match["p"].lower()
        case = _RU_PRONOUNS.get(word, "u")
        woman = word in ("она", "у неё", "у нее", "ей", "её", "ее")
        if case == needs and last.woman in (None, woman):
            return [(last, clause[match.end() :].strip())]
    if (match := _RU_MY.match(clause)) and (found := _ru_relation(match, speaker, needs)):
        return [(found[0], clause[found[1] :].strip(" —"))]
    if (match := _RU_KIND.match(clause)) and needs == "nom":
        kind = KINDS.get(match["kind"].lower(), "tool")
        return [(Subject("name", match["name"], type=kind), clause[match.end() :].strip())]
    out: list[tuple[Subject, str]] = []
    if (match := _RU_NAME.match(clause)) and (named := _ru_named(match, needs)):
        out.append((named, clause[match.end() :].strip()))
    for pattern in (_RU_THING, _RU_THING_AT) if needs == "nom" else ():
        if not (match := pattern.match(clause)):
            continue
        given = _RU_DENIAL.sub("", match["np"])  # «Kafka больше не установлена»: that it is not is said of it
        np = re.sub(r"^(?:наш[аеи]?|мо[йяеи]|этот|эта|это|все|всё) ", "", given, flags=re.I)
        first = fold(np.split()[0])
        vague = (first in NO_NAMES - _RU_THINGS) or first in STOP_WORDS or _RU_VERBAL.search(first) or denies(np)
        if not vague and not any(subject.name == np for subject, _ in out):
            out.append((Subject("thing", np, type="concept"), clause[match.start() + len(given) :].strip()))
    return out


_RU_DENIAL = re.compile(r"(?: (?:больше|уже|никогда|не))+$", re.I)
_RU_THINGS = frozenset(("сборка", "сервер", "тесты", "проект", "команда", "офис"))
_RU_PRONOUNS = {"он": "nom", "она": "nom", "ему": "dat", "ей": "dat", "его": "acc", "её": "acc", "ее": "acc"}
#: How verbs end, and adverbs and adjectives that open sentences: no names, however large they begin.
_RU_VERBAL = re.compile(
    r"(?:[аеиоуыяюё]л(?:а|и|о|ся|ась|ись)?|шл[аи]|шёл|шел|[уюаеёи][юе]?сь|[аяоуеи]ю|жу|чу|шу|щу|лю|[её]м|[ае]ем|ишь|ешь|[её]т|[аи]ют|ть|ться|каждое|"
    r"кажд\w+|[ое]го|ая|ое|ую)$"
)
#: Nouns that begin sentences and are no names.
_RU_NOUNS = tuple(
    sorted(
        words("""
сервер склад офис база бэкап заметк прод стейдж миграц релиз принтер сборк тест проект команд приложен сайт сервис впн роутер деплой порт бюджет
дедлайн лимит аренд квартир машин дом дач кот кошк собак пёс муж жен брат сестр мам пап сын доч решен итог билет отпуск работ компани фирм мобилк
бэкенд фронтенд карт код лог скрипт документ таблиц пароль ключ рецепт смайлик кинз фильм книг вс сейчас завтр вчер
""")
    )
)
_MEN = words("""
никита илья миша леша саша женя дима паша гриша коля вася петя сережа витя костя ваня рома тема юра боря вова
володя федя гоша леня толя степа даня слава сева кузьма фома лука антоша
""")


def _ru_named(match: re.Match[str], needs: str) -> Subject | None:
    if (needs == "u") != bool(match["u"]) or not is_name(match["name"]):
        return None
    words = match["name"].split()
    known = is_known(words[0])
    if not known and words[0].lower().startswith(_RU_NOUNS):
        return None
    if not known and len(words) == 1 and _RU_VERBAL.search(words[0].lower()):
        return None
    name = " ".join(word_nominative(word, _name_case(word, needs)) for word in words)
    if needs in ("dat", "acc") and name == match["name"]:
        return None
    woman = None if not re.search("[А-яё]$", name) else name[-1] in "ая" and fold(name.split()[0]) not in _MEN
    alias = (match["alias"],) if match["alias"] else ()
    return Subject("name", name, needs, woman, aliases=alias, role=(match["more"] or ""), quoted=match.group())


def _name_case(word: str, needs: str) -> str:
    """The case whose endings a name has: the accusative of men is their genitive."""
    if needs == "acc":
        return "acc" if word[-1] in "ую" else "gen"
    return _RU_CASES[needs]


_RU_USER_CASE = {"пользователь": "nom", "у пользователя": "u", "пользователю": "dat", "пользователя": "acc"}
#: Relatives without «мой», who are somebody's own all the same.
_RU_OWN = words("""
родители мама папа жена муж сестра брат сын дочь дочка бабушка дедушка тётя дядя начальник начальница шеф босс тёща
свекровь подруга
""")


def _ru_relation(match: re.Match[str], speaker: str, needs: str) -> tuple[Subject, int] | None:
    if (needs == "u") != bool(match["u"]):
        return None
    case = _RU_CASES[needs]
    word = match["rel"].lower()
    plain = word if case == "nom" else nominative(word, "gen" if case == "acc" and word[-1] not in "ую" else case)
    relation = relations.RUSSIAN.get(plain)
    if relation is None or (not match["my"] and plain not in _RU_OWN and not match["n"] and not match["n2"]):
        return None
    if needs in ("dat", "acc") and plain == word:
        return None
    if (
        match["my"]
        and match["my"].lower() in ("моего", "нашего", "моему", "нашему", "моей", "нашей")
        and needs == "nom"
    ):
        return None
    woman = True if plain in relations.WOMEN else False if plain in relations.MEN else None
    given, end = match["n"] or match["n2"] or "", match.end()
    if given and not given[0].isupper():  # IGNORECASE lets it begin small
        given, end = "", match.end("rel")
    alias = (match["a"] or "").strip(" ()") if given else ""
    if given:
        name = (
            given if match["n2"] else " ".join(word_nominative(part, _name_case(part, needs)) for part in given.split())
        )
        return Subject(
            "rel",
            name,
            needs,
            woman,
            relation,
            aliases=(alias.capitalize(),) if alias else (),
            quoted=match.group().strip(" ,"),
        ), end
    shown = f"former {relation}" if relations.FORMER.search(match["adj"] or "") else relation
    return Subject("rel", f"{speaker}'s {shown}", needs, woman, relation, quoted=match.group()), end


_RU_INSIDE = {
    "nom": re.compile(r"(?<=[\w»,]) (?P<who>я|мы)(?= |$)", re.I),
    "u": re.compile(r"(?<=[\w»,]) (?P<who>у меня|у нас)(?= |$)", re.I),
    "dat": re.compile(r"(?<=[\w»,]) (?P<who>мне|нам)(?= |$)", re.I),
    "acc": re.compile(r"(?<=[\w»,]) (?P<who>меня|нас)(?= |$)", re.I),
}
_RU_U_INSIDE = re.compile(
    r"(?<=[\w»,]) (?P<all>у (?:(?:моей|моего|нашей|нашего|своей|своего) )?(?P<rel>[а-яё]+)(?: \(?(?P<n>(?-i:[А-ЯЁ])[а-яё]+)\)?)?|у (?P<n2>(?-i:[А-ЯЁ])[а-яё]+))(?= |$)",
    re.I,
)


def inside(text: str, needs: str, speaker: str) -> list[tuple[Subject, str]]:
    """A subject in the middle of a Russian clause, and the clause without it: «в Сбере я больше не работаю»."""
    if match := _RU_INSIDE[needs].search(text):
        plural = match["who"].lower() in ("мы", "у нас", "нам", "нас")
        return [
            (Subject("we" if plural else "i", "", needs, plural=plural), text[: match.start()] + text[match.end() :])
        ]
    if needs != "u":
        return []
    for match in _RU_U_INSIDE.finditer(text):
        rest = text[: match.start()] + text[match.end() :]
        if match["n2"]:
            if is_name(match["n2"]):
                return [(Subject("name", word_nominative(match["n2"], "gen"), "u"), rest)]
            continue
        relation = relations.RUSSIAN.get(word_nominative(match["rel"].lower(), "gen"))
        if relation:
            name = word_nominative(match["n"], "gen") if match["n"] else f"{speaker}'s {relation}"
            return [(Subject("rel", name, "u", relation=relation), rest)]
    return []


_RU_MENTION = re.compile(
    r"(?:\b(?P<my>[Мм]о\w+|[Нн]аш\w*|[Сс]во\w+|[Уу]|[Сс]) )?(?:(?:старш|младш|лучш|двоюродн)\w+ )?\b(?P<rel>[А-ЯЁа-яё]{2,14}),?"
    r"(?: (?:по имени )?(?P<n>[А-ЯЁ][а-яё]+(?: [А-ЯЁ][а-яё]+)?)(?P<a> \([А-ЯЁ][а-яё]+\))?| \((?P<n2>[А-ЯЁ][а-яё]+)\))(?!\w)"
)
#: Animal word in the nominative → English word.
_RU_PETS = {
    word: animal for animal, words in relations.PETS.items() for word in words.split() if animal != "guinea pig"
}
_RU_PET_FORMS = {
    form: word
    for word in _RU_PETS
    for form in (
        [word, word + "а", word + "у", word + "ом"]
        if word[-1] not in "аяьй"
        else [word, *(word[:-1] + e for e in ("у", "ы", "и", "е", "ой", "ю", "я"))]
    )
} | {
    "пса": "пёс",
    "щенка": "щенок",
    "котёнка": "котёнок",
    "котенка": "котёнок",
    "щенку": "щенок",
    "попугая": "попугай",
    "кота": "кот",
}


def _ru_mention(match: re.Match[str]) -> Subject | None:
    word = match["rel"].lower()
    given = match["n"] or match["n2"]
    if fold(given.split()[0]) in STOP_WORDS or fold(given.split()[0]) in NO_NAMES:
        return None
    if animal := _RU_PET_FORMS.get(word):
        # an animal's name after it stands in its case («кота Барсика») or, like a title, in none
        case = "nom" if word == animal else "acc" if word[-1] in "ую" else "gen"
        return Subject("rel", _ru_given(given, case), pet=_RU_PETS[animal])
    for case in ("nom", "gen", "dat", "acc", "ins"):
        plain = word if case == "nom" else nominative(word, case)
        relation = relations.RUSSIAN.get(plain)
        if relation is None or (not match["my"] and plain not in _RU_OWN):
            continue
        if relation in ("parents", "children"):
            return None  # «родители Артёма»: not theirs
        if plain in ("парень", "девушка", "врач", "клиент", "менеджер", "ребёнок") and not match["my"]:
            return None
        woman = True if plain in relations.WOMEN else False if plain in relations.MEN else None
        alias = (match["a"] or "").strip(" ()")
        name = given if match["n2"] else _ru_given(given, case)
        return Subject("rel", name, case, woman, relation, aliases=(alias,) if alias else (), quoted=match.group())
    return None


def _ru_given(name: str, case: str) -> str:
    return " ".join(word_nominative(word, case) for word in name.split())


_RU_RELATION_CUE = re.compile(
    r"(?i:"
    + "|".join(
        sorted(
            {w[: max(3, len(w) - 2)] for w in relations.RUSSIAN}
            | {w[: max(3, len(w) - 1)] for p in relations.PETS.values() for w in p.split()},
            key=len,
            reverse=True,
        )
    )
    + r")[а-яё]{0,6} \(?[А-ЯЁ]"
)


def may_relate(text: str, is_russian: bool) -> bool:
    """Whether a sentence may name somebody's relative or pet."""
    return bool((_RU_RELATION_CUE if is_russian else MY_CUE).search(text))


def related(text: str, speaker: str, is_russian: bool) -> list[Subject]:
    """The relatives and pets that a sentence names: "my sister Olga (Olya)", «у жены (Катя)»."""
    if not is_russian:
        found = (of_relation(match, speaker) for match in MY.finditer(text))
        return [subject for subject in found if "'s " not in subject.name]
    return [subject for match in _RU_MENTION.finditer(text) if (subject := _ru_mention(match))]
