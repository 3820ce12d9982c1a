"""Words for people by what they are to somebody, and for animals kept: English and Russian, one scope for both."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .row import words

#: scope → (English words, Russian words in the nominative).
RELATIONS: Mapping[str, tuple[str, str]] = {
    "wife": ("wife", "жена супруга"),
    "husband": ("husband", "муж супруг"),
    "partner": ("partner spouse", "партнёр партнёрша"),
    "fiancé": ("fiancé fiancée fiance fiancee", "жених невеста"),
    "boyfriend": ("boyfriend", "парень"),
    "girlfriend": ("girlfriend", "девушка"),
    "mother": ("mother mom mum mama", "мама мать мамочка"),
    "father": ("father dad daddy papa", "папа отец"),
    "sister": ("sister", "сестра сестрёнка"),
    "brother": ("brother", "брат братишка"),
    "son": ("son", "сын сынок"),
    "daughter": ("daughter", "дочь дочка дочурка"),
    "child": ("child kid baby", "ребёнок"),
    "parents": ("parents", "родители"),
    "children": ("children kids", "дети"),
    "grandmother": ("grandmother grandma granny nana", "бабушка"),
    "grandfather": ("grandfather grandpa granddad", "дедушка дед"),
    "grandson": ("grandson", "внук"),
    "granddaughter": ("granddaughter", "внучка"),
    "aunt": ("aunt auntie", "тётя"),
    "uncle": ("uncle", "дядя"),
    "cousin": ("cousin", "кузен кузина"),
    "niece": ("niece", "племянница"),
    "nephew": ("nephew", "племянник"),
    "mother-in-law": ("mother-in-law", "свекровь тёща"),
    "father-in-law": ("father-in-law", "свёкор тесть"),
    "sister-in-law": ("sister-in-law", "невестка золовка"),
    "brother-in-law": ("brother-in-law", "зять шурин"),
    "friend": ("friend buddy bestie", "друг подруга приятель подружка"),
    "boss": ("boss supervisor", "начальник начальница босс шеф руководитель руководительница"),
    "manager": ("manager", "менеджер"),
    "colleague": ("colleague coworker co-worker teammate", "коллега"),
    "mentor": ("mentor", "наставник наставница"),
    "neighbour": ("neighbour neighbor", "сосед соседка"),
    "roommate": ("roommate flatmate housemate", "сожитель"),
    "doctor": ("doctor dentist therapist gp", "врач стоматолог терапевт психолог"),
    "teacher": ("teacher tutor coach professor", "учитель учительница тренер репетитор преподаватель"),
    "accountant": ("accountant", "бухгалтер"),
    "lawyer": ("lawyer", "юрист адвокат"),
    "client": ("client customer", "клиент клиентка заказчик заказчица"),
    "assistant": ("assistant secretary", "ассистент помощница секретарь"),
}
ENGLISH: Mapping[str, str] = {word: scope for scope, (words, _) in RELATIONS.items() for word in words.split()}
RUSSIAN: Mapping[str, str] = {word: scope for scope, (_, words) in RELATIONS.items() for word in words.split()}

#: What is kept as a pet: English word → Russian words in the nominative.
PETS: Mapping[str, str] = {
    "dog": "собака пёс собачка",
    "puppy": "щенок",
    "cat": "кошка кот",
    "kitten": "котёнок",
    "parrot": "попугай",
    "hamster": "хомяк",
    "rabbit": "кролик",
    "horse": "лошадь конь",
    "turtle": "черепаха",
    "tortoise": "",
    "rat": "крыса",
    "bird": "птица",
    "canary": "канарейка",
    "fish": "рыбка",
    "snake": "змея",
    "lizard": "ящерица",
    "gecko": "",
    "iguana": "",
    "ferret": "хорёк",
    "guinea pig": "морская свинка",
    "chinchilla": "шиншилла",
    "hedgehog": "ёжик",
    # breeds, as people call them
    "labrador": "лабрадор",
    "golden retriever": "ретривер",
    "retriever": "",
    "poodle": "пудель",
    "corgi": "корги",
    "husky": "хаски",
    "beagle": "бигль",
    "dachshund": "такса",
    "pug": "мопс",
    "shepherd": "овчарка",
    "german shepherd": "",
    "terrier": "терьер",
    "bulldog": "бульдог",
    "spaniel": "спаниель",
    "goldendoodle": "",
}
WOMEN = words("""
wife fiancée fiancee girlfriend mother mom mum mama sister daughter grandmother grandma granny nana
granddaughter aunt auntie niece mother-in-law sister-in-law жена супруга партнёрша невеста девушка мама мать
мамочка сестра сестрёнка дочь дочка дочурка бабушка внучка тётя кузина племянница свекровь тёща невестка золовка
подруга подружка начальница руководительница наставница соседка учительница клиентка помощница
""")
MEN = words("""
husband fiancé boyfriend father dad daddy papa brother son grandfather grandpa granddad grandson uncle nephew
father-in-law brother-in-law муж супруг жених парень папа отец брат братишка сын сынок дедушка дед внук дядя
кузен племянник свёкор тесть зять шурин друг приятель начальник босс шеф сосед
""")

#: Words that say that somebody is no longer what the relation names: of any relation, and of those that one leaves
#: ("my old boss" was one, "my old friend" still is).
PAST_OF_ANY = ("former", "ex", "previous", "onetime", "one-time", "erstwhile", "бывш*", "прежн*", "экс", "предыдущ*")
PAST_OF_SOME = ("old", "стар*")
#: Relations that one leaves: scopes of :data:`RELATIONS`.
LEFT = words(
    "boss manager colleague roommate neighbour teacher doctor client assistant boyfriend girlfriend accountant lawyer"
)


def _words(table: tuple[str, ...]) -> str:
    return "|".join(word.replace("*", r"\w+") for word in table)


def _names(scopes: frozenset[str]) -> str:
    """Words for relations, the Russian ones in any case: without their endings."""
    english = [w for w, scope in ENGLISH.items() if scope in scopes]
    russian = [w[: max(2, len(w) - 2)] + r"\w*" for w, scope in RUSSIAN.items() if scope in scopes]
    return "|".join(sorted([*map(re.escape, english), *russian], key=len, reverse=True))


_PAST = re.compile(
    rf"\b(?:(?:{_words(PAST_OF_ANY)})[ -](?:[\w-]+ )?(?:{_names(frozenset(RELATIONS))})"
    rf"|(?:{_words(PAST_OF_SOME)}) (?:{_names(LEFT)}))(?![\w-])",
    re.I,
)
FORMER = re.compile(rf"\b(?:{_words(PAST_OF_ANY)})(?![\w])", re.I)


def is_past(text: str, name: str = "") -> bool:
    """Whether a text speaks of somebody's former boss, wife …; with a name: whether it calls that one so."""
    return any(
        not name or re.match(rf"\W*{re.escape(name[: max(3, len(name) - 2)])}", text[match.end() :])
        for match in _PAST.finditer(text)
    )
