"""Russian words back in the nominative, by their endings: «в Берлине» → «Берлин», «инженером» → «инженер».

No dictionary of the language: endings by case, and names in «-а», «-я», «-ь», whose other forms would be ambiguous,
in short lists. A word that no ending explains stays as it was written. Other words for this are never wrong in a way
that matters: the linking stage compares stems.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from . import relations
from .row import words

_CONSONANT = "бвгджзйклмнпрстфхцчшщ"
_HUSH = "гкхжчшщ"

#: Names and words in -а, -я, -ь (and others with irregular forms) whose oblique forms fall together with other words'.
_FEMININE = words("""
диета аналитика логистика керамика гимнастика практика политика фабрика музыка дача баня гитара машина квартира камера
Лада Гранта Веста Нива Тойота Хонда Мазда Шкода Октавия Королла Камри Ямаха Тесла Хайфа Таганка Лубянка Мальта Куба Ницца София Валенсия Севилья
Москва Рига Варшава Прага Вена Самара Уфа Пенза Одесса Тула Калуга Кострома Вологда Барселона Женева Анкара
Гавана Оттава Лима Астана Алма-Ата Чита Воркута Ухта Анапа Ялта Алушта Хайфа Ницца Мальта Куба Познань
Братислава София Любляна Верона Флоренция Венеция Болонья Севилья Валенсия Манила Джакарта Доха Таганка Лубянка
Евпатория Полтава Сызрань Рязань Казань Тверь Пермь Астрахань Тюмень Сибирь Керчь Марсель Канберра Атланта
Филадельфия Калифорния Флорида Аляска Москва-Сити Россия Германия Франция Италия Испания Португалия Англия
Польша Чехия Австрия Швеция Норвегия Финляндия Дания Турция Грузия Армения Сербия Болгария Румыния Венгрия
Греция Украина Латвия Литва Эстония Беларусь Япония Корея Индия Индонезия Австралия Америка Канада Мексика
Бразилия Аргентина Швейцария Бельгия Голландия Шотландия Ирландия Словения Словакия Хорватия Черногория Молдова
Молдавия Киргизия Монголия Малайзия Европа Азия Африка Карелия Абхазия Башкирия Анна Аня Мария Маша Ольга Оля
Елена Лена Наталья Наташа Екатерина Катя Татьяна Таня Ирина Ира Светлана Света Юлия Юля Дарья Даша Анастасия
Настя Ксения Ксюша Полина Алина Алиса Вера Надежда Надя Любовь Люба Марина Галина Галя Людмила Люда Валентина
Валя Нина Зинаида Зина Лариса Лиза Елизавета Софья Соня Виктория Вика Кристина Карина Диана Алла Рита Маргарита
Тамара Жанна Инна Яна Ульяна Василиса Варвара Варя Арина Александра Саша Женя Евгения Лида Лидия Рая Раиса Клава
Зоя Майя Эмма Ева Злата Милана Кира Муся Мурка Багира Никита Илья Миша Паша Гриша Лёша Дима Коля Вася Петя
Серёжа Витя Костя Федя Вова Володя Юра Боря Гоша Лёня Толя Стёпа Даня Ваня Антоша Слава Сева Тёма Рома Кузьма
Фома Лука мама папа бабушка дедушка тётя дядя сестра жена супруга подруга девушка дочка внучка соседка коллега
начальница команда собака кошка змея черепаха рыба птица компания фирма школа больница клиника студия
лаборатория редакция полиция армия кафедра библиотека гостиница пиццерия пекарня аптека мэрия академия
консерватория гимназия мастерская медсестра учительница переводчица певица актриса художница журналистка
воспитательница кинза пицца музыка еда каша свинина говядина курица икра баня йога погода клубника пыльца шерсть
соя лактоза мята корица овсянка гречка база игра книга работа учёба зима весна осень боль математика физика
химия биология история экономика филология психология философия медицина архитектура лингвистика информатика
юриспруденция журналистика социология
""")
#: Words that do not change or whose endings mislead: as they are.
_FIXED = words("""
Баку Сочи Осло Токио Чикаго Торонто Мехико Тбилиси Хельсинки Дели Сан-Франциско Лос-Анджелес Глазго Монако Перу
Чили Марокко Конго Того Гоа Бали Таити Гаити Борнео Рио Сантьяго Бордо Кано Порто Сорренто Палермо Иваново
Домодедово Внуково Одинцово Пушкино Мытищи Люберцы Химки Чебоксары Набережные Сумы Черкассы Афины Дубай Шанхай
Китай кофе пальто радио кино метро суши мате какао авокадо манго киви барбекю капучино латте эспрессо мохито
рагу меню шоссе такси пианино виски просекко тофу карри пони хаски корги маракуйя МГУ СПбГУ МФТИ ВШЭ МГТУ ИТМО
Go Vim дзюдо карате самбо регби танго сольфеджио
""")
#: Forms no ending rule reaches.
_IRREGULAR: Mapping[str, str] = {
    "мужем": "муж", "муже": "муж", "отца": "отец", "отцу": "отец", "отцом": "отец", "дочери": "дочь", "дочерью": "дочь",
    "матери": "мать", "матерью": "мать", "ребёнка": "ребёнок", "ребенка": "ребёнок", "ребёнку": "ребёнок", "пса": "пёс",
    "щенка": "щенок", "котёнка": "котёнок", "котенка": "котёнок", "попугая": "попугай", "кота": "кот", "хомяка": "хомяк",
    "сына": "сын", "сыну": "сын", "парня": "парень", "парню": "парень", "собак": "собаки", "кошек": "кошки",
    "продавцом": "продавец", "банке": "банк", "парке": "парк", "Питере": "Питер", "Львове": "Львов", "Павла": "Павел", "Павлу": "Павел", "Петра": "Пётр",
    "Петру": "Пётр", "Льва": "Лев", "Игоря": "Игорь", "Игорю": "Игорь", "мёда": "мёд", "орехи": "орехи",
    "испанским": "испанский", "Нью-Йорке": "Нью-Йорк", "Орле": "Орёл", "Орла": "Орёл", "зятю": "зять", "зятя": "зять",
}  # fmt: skip


def _forms(word: str) -> list[str]:
    """The oblique singular forms of a word in -а, -я or -ь."""
    stem, end = word[:-1], word[-1]
    if word.endswith("ия"):
        return [stem + e for e in ("и", "ю", "ей")]
    if end == "а":
        return [stem + e for e in ("и" if stem[-1] in _HUSH else "ы", "е", "у", "ой", "ей")]
    if end == "я":
        return [stem + e for e in ("и", "е", "ю", "ей", "ёй")]
    if end == "ь":
        return [stem + e for e in ("и", "ью")]
    return []


_KNOWN: dict[str, str] = {form: word for word in _FEMININE for form in [word, *_forms(word)]}
_KNOWN.update({form.replace("ё", "е"): word for form, word in list(_KNOWN.items()) if "ё" in form})
_KNOWN.update(_IRREGULAR)
_KNOWN.update(
    {
        form: word
        for word in relations.RUSSIAN
        if word[-1] in _CONSONANT and word not in ("отец", "парень", "ребёнок", "свёкор")
        for form in (word, word + "а", word + "у", word + "ом", word + "е")
    }
)
_KNOWN.update({form: word for word in relations.RUSSIAN if word[-1] in "аяь" for form in [word, *_forms(word)]})
_KNOWN.update(_IRREGULAR)

#: Endings by case, the longest first: ending → what the nominative has instead; ``%`` before it: only after these letters.
_ENDINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "loc": (("нем", "ний"), ("анке", "анка"), ("овке", "овка"), ("инке", "инка"), ("евке", "евка"), ("нии", "ния"), ("рии", "рия"), ("ции", "ция"), ("лии", "лия"), ("ии", "ия"), ("ском", "ский"), ("цком", "цкий"),
            ("вой", "вая"), ("ной", "ная"), ("ской", "ская"), ("ьном", "ьный"), ("нном", "нный"), ("ьске", "ьск"), ("ске", "ск"), ("це", "ц"), ("де", "д"), ("ье", "ье"), ("ах", "ы"),
            ("ях", "и"), ("ае", "ай"), ("ее", "ей"), ("е", ""), ("и", "ь")),
    "gen": (("нии", "ния"), ("ции", "ция"), ("рии", "рия"), ("ии", "ия"), ("ского", "ский"), ("ного", "ный"), ("ого", "ый"),
            ("ской", "ская"), ("ной", "ная"), ("ы", "а"), ("ки", "ка"), ("ги", "га"), ("хи", "ха"), ("ши", "ша"), ("жи", "жа"),
            ("чи", "ча"), ("ая", "ай"), ("ея", "ей"), ("а", ""), ("я", "ь"), ("и", "ь")),
    "dat": (("ии", "ия"), ("ому", "ый"), ("ей", "я"), ("е", "а"), ("у", ""), ("ю", "ь"), ("и", "ь")),
    "acc": (("ую", "ая"), ("юю", "яя"), ("ию", "ия"), ("у", "а"), ("ю", "я")),
    "ins": (("ством", "ство"), ("нием", "ние"), ("тием", "тие"), ("ским", "ский"), ("ческим", "ческий"), ("ным", "ный"), ("вым", "вый"), ("ыми", "ые"), ("ими", "ие"), ("ами", "ы"),
            ("ями", "и"), ("ией", "ия"), ("ицей", "ица"), ("ей", "я"), ("цем", "ц"), ("щем", "щий"), ("телем", "тель"), ("лем", "ль"), ("рём", "рь"),
            ("рем", "рь"), ("аем", "ай"), ("еем", "ей"), ("чом", "ч"), ("ым", "ый"), ("им", "ий"), ("чем", "ч"), ("шем", "ш"),
            ("ем", "ь"), ("ской", "ская"), ("ной", "ная"), ("ой", "а"), ("ью", "ь"), ("ом", "")),
}  # fmt: skip
#: What lives, in the accusative plural.
_LIVING = {
    "кошек": "кошки", "собак": "собаки", "пчёл": "пчёлы", "пчел": "пчёлы", "ос": "осы", "лошадей": "лошади", "клещей": "клещи",
    "котов": "коты", "комаров": "комары", "кроликов": "кролики", "животных": "животные", "креветок": "креветки", "кота": "кот",
}  # fmt: skip
_WORD = re.compile(r"[А-Яа-яЁё-]+")


@lru_cache(maxsize=8192)
def word_nominative(word: str, case: str) -> str:
    """One word in the nominative; unchanged where nothing says how.

    >>> word_nominative("Берлине", "loc"), word_nominative("Москве", "loc"), word_nominative("инженером", "ins")
    ('Берлин', 'Москва', 'инженер')
    """
    if case == "allergy":  # «на орехи» (acc), «на кошек» (acc of what lives)
        return _LIVING.get(word) or word_nominative(word, "acc")
    if case == "place":  # «во Франкфурте», «на NAS», «в Лодзь»
        return word_nominative(word, "loc" if word[-1] in "еи" else "acc")
    if case == "spouse":  # «женат на Марине», «замужем за Антоном»
        return word_nominative(
            word, "ins" if word.endswith(("ом", "ем", "ой", "ей")) else "gen" if word[-1] in "ая" else "loc"
        )
    if not case or case == "nom" or len(word) < 3 or word in _FIXED or not _WORD.fullmatch(word) or word.isupper():
        return word
    known = _KNOWN.get(word) or _KNOWN.get(word.lower())
    if known:
        return known[0].upper() + known[1:] if word[0].isupper() else known
    for ending, instead in _ENDINGS[case]:
        if not word.endswith(ending) or len(word) - len(ending) < 2:
            continue
        stem = word[: -len(ending)]
        if not instead and stem[-1] not in _CONSONANT:
            continue
        return stem + instead
    return word


def is_known(word: str) -> bool:
    """Whether a word is in the short lists: «Алла» is a name, «взяла» is none."""
    return word in _KNOWN


def nominative(phrase: str, case: str) -> str:
    """A phrase with its first words in the nominative, as far as they agree: up to a preposition or a Latin word.

    >>> nominative("овсяную кашу с мёдом", "acc")
    'овсяная каша с мёдом'
    """
    if not case or case == "nom":
        return phrase
    words = phrase.split(" ")
    out: list[str] = []
    for place, word in enumerate(words):
        bare = word.strip("«»\"',.")
        if place and (bare.lower() in _STOPS or _noun_before(out)):
            return " ".join([*out, *words[place:]])
        several = case == "acc" and bool(out) and out[-1].endswith(("ые", "ие"))  # «шумные компании» is both cases
        out.append(word.replace(bare, word_nominative(bare, case)) if bare and not several else word)
    return " ".join(out)


_STOPS = words("в во на с со из от до для по у к ко за под над без при о об про через и или а но из-за как")
_ADJECTIVE = re.compile(r".*(?:[ыи]й|[ая]я|[ое]е|[ыи]е)$")


def _noun_before(done: list[str]) -> bool:
    """Whether the head of the phrase has gone by: what follows a noun stands in the genitive and stays."""
    last = done[-1]
    return not _ADJECTIVE.match(last) and not last[:1].isupper()
