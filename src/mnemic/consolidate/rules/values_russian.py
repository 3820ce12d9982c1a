"""Kinds of values that only Russian has: occupations in the instrumental, places after «в», numbers in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from .morph import word_nominative
from .row import words
from .values import LANGUAGE, ROLE_STOP, age, is_software, named, number, parts, person, tool, trimmed, usable

_RU_ROLE = re.compile(
    r"(?:[а-яё-]+(?:ист|истка|ер|ёр|ор|арь|тель|тельница|ник|ница|чик|щик|щица|вед|лог|граф|тор|ант|ент|иатр|ач|ец|рг|юрист|олог|девопс|опс|лид)|"
    r"врач[а-яё-]*|повар|юрист|бухгалтер|фрилансер|аналитик|медсестра|няня|актриса|швея|официант|официантка|студент|студентка|"
    r"директор|секретарь|пилот|хирург|архитектор|логист|тимлид|сантехник|электрик|механик|химик|физик|математик|географ|историк|"
    r"дизайнер[а-яё]*|программист[а-яё]*|продакт|менеджер|тестировщица|тестировщик|техлид|ведущий|главный|старший|младший)",
    re.I,
)


def ru_role(text: str) -> str:
    """An occupation, Russian, in the instrumental or nominative."""
    text = trimmed(ROLE_STOP.sub("", " " + text).strip(), 4)
    return text if usable(text) and not text.lower().startswith(("не ", "ни ")) else ""


def ru_role_word(text: str) -> str:
    """An occupation in the nominative, told by its ending."""
    text = ru_role(text)
    return (
        text
        if text
        and not re.search(r"(?:^по |\b[а-яё]+(?:ает|аю|яю|ит|ёт)\b)", text)
        and any(_RU_ROLE.fullmatch(word.lower()) for word in text.split()[:3])
        else ""
    )


_RU_NAMES_NOT = words("Москвич Сибиряк Питерец Русский Россиянин Да Нет Нужно Хочу Думаю Бы Не Уже Тоже Также Всё")


def ru_name(text: str) -> str:
    """A first name after «я»."""
    name = person(text)
    return name if name and name not in _RU_NAMES_NOT and len(name.split()) == 1 and not name.isupper() else ""


def ru_town(text: str) -> str:
    """A place named in passing: «мы теперь в Белграде»."""
    name = named(text)
    small = name.lower()
    return (
        ""
        if name.isupper()
        or small.startswith(
            (
                "яндекс",
                "сбер",
                "тинько",
                "озон",
                "авито",
                "контур",
                "январ",
                "феврал",
                "март",
                "апрел",
                "мае",
                "июн",
                "июл",
                "август",
                "сентяб",
                "октяб",
                "ноябр",
                "декабр",
            )
        )
        else name
    )


_RU_JOBS = re.compile(
    r"(?:[а-яё]+ (?=[а-яё]))?(?:пожарный|военный|рабочий|учёный|ведущий|управляющий|дежурный|полицейский|заведующий|"
    r"рулевой|портной|диспетчер|моряк|рыбак|врач|повар|токарь|слесарь|кузнец|певец|певица|судья|пенсионер|пенсионерка|"
    r"домохозяйка|безработный|школьник|школьница)",
    re.I,
)


def ru_job(text: str) -> str:
    """An occupation said of a relative: «муж — пожарный»."""
    return text if _RU_JOBS.fullmatch(text) else ru_role_word(text)


def ru_decision(text: str) -> str:
    """What was decided, in a few words."""
    text = " ".join(text.split()).strip(" ,.;!")
    return text if 2 <= len(text.split()) <= 14 else ""


def ru_role_ins(text: str) -> str:
    """An occupation in the instrumental: «тренером»; not every noun in it is one."""
    text = ru_role(text)
    if not text:
        return ""
    plain = " ".join(word_nominative(word, "ins") for word in text.split(" ")[:2])
    return (
        text
        if _RU_ROLE.fullmatch(plain.split(" ")[-1].lower()) or _RU_ROLE.fullmatch(plain.split(" ")[0].lower())
        else ""
    )


def ru_software(text: str) -> str:
    """A tool after «на»: Latin with a capital, or well known."""
    text = tool(text)
    return (
        text
        if re.match(r"[A-Z]", text)
        or is_software(text)
        or re.match(
            r"(?:гитлаб|линукс|постгрес|винд|мак|телеграм|телегу|кубер|докер|слак|джир|ноушен|убунт|питон|андроид|айфон|гитхаб|терраформ|обсидиан|вим)",
            text,
            re.I,
        )
        else ""
    )


_COLLECTIVE = words("двое трое четверо пятеро шестеро семеро восемь девять десять")


def ru_count(text: str) -> str:
    """A number, or «шестеро»."""
    return text if text.lower() in _COLLECTIVE else number(text)


def ru_firm(text: str) -> str:
    """A firm after «в»: without the word for what it is, and no place."""
    return named(re.sub(r"^(?:компанию|фирму|банк|стартап) ", "", text))


_RU_SUBJECT = re.compile(
    r"(?:питон|пайтон|джаву|go|rust|[а-яё]+ский|латынь|математику|физику|химию|биологию|историю|английский|[а-яё]+логию|право|иврит)",
    re.I,
)


def ru_subject(text: str) -> str:
    """A subject that one learns, named before the verb."""
    return text if _RU_SUBJECT.fullmatch(text) else ""


def ru_language(text: str) -> str:
    """Languages after «говорю»: «по-испански» and «на испанском» are «испанский»."""
    bare = re.sub(r"\b(?:по-|языком|языке|на )", "", text).strip()
    out = []
    for part in parts(bare):
        word = re.sub(r"([сц])к(?:и|ом|им)$", r"\1кий", part.strip())
        if LANGUAGE.fullmatch(word):
            out.append(word)
    return ", ".join(out)


_RU_NUMBER = re.compile(
    r"(?:(?:двадцать|тридцать|сорок|пятьдесят|шестьдесят|семьдесят|восемьдесят|девяносто)(?: (?:один|два|три|четыре|пять|шесть|семь|восемь|девять))?"
    r"|годик|год|два|три|четыре|пять|шесть|семь|восемь|девять|десять|\w+надцать)",
    re.I,
)


def ru_number(text: str) -> str:
    """An age in digits or words."""
    text = text.strip()
    return text if _RU_NUMBER.fullmatch(text) or age(text).isdigit() else ""


def ru_habit(text: str) -> str:
    """What one does again and again: the verb with what belongs to it, without the days."""
    text = re.sub(
        r"(?:,.*| (?:по|каждый|каждую|каждое|каждые|два раза|раз в|три раза|ежедневно) .*)$", "", " ".join(text.split())
    )
    return text if 1 < len(text.split()) <= 8 else ""


def ru_plan(text: str) -> str:
    """What one is about to do."""
    text = re.sub(r",.*$", "", " ".join(text.split()))
    return text if 1 < len(text.split()) <= 10 else ""


def ru_tool(text: str) -> str:
    """A tool one works with, as «на» gives it: Latin, or one of few Russian words."""
    text = tool(text)
    return (
        text
        if re.match(r"[A-Za-z]", text)
        or re.match(r"(?:линукс|винд|мак|убунту|андроид|айфон|вим|постгрес|телеграм|питон)", text, re.I)
        else ""
    )


def ru_role_first(text: str) -> str:
    """An occupation whose first word is in the instrumental: «начальником смены»."""
    first, *rest = ru_role(text).split() or [""]
    return " ".join([word_nominative(first, "ins"), *rest]) if first else ""


def ru_freelance(text: str) -> str:
    """The occupation behind the verb «фрилансить»."""
    return "фрилансер" if text else ""


KINDS: Mapping[str, Callable[[str], str]] = {
    "ru_role_first": ru_role_first,
    "ru_freelance": ru_freelance,
    "ru_role": ru_role,
    "ru_role_word": ru_role_word,
    "ru_firm": ru_firm,
    "ru_role_ins": ru_role_ins,
    "ru_software": ru_software,
    "ru_count": ru_count,
    "ru_name": ru_name,
    "ru_town": ru_town,
    "ru_job": ru_job,
    "ru_decision": ru_decision,
    "ru_subject": ru_subject,
    "ru_language": ru_language,
    "ru_number": ru_number,
    "ru_habit": ru_habit,
    "ru_plan": ru_plan,
    "ru_tool": ru_tool,
}
