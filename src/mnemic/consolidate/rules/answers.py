"""Short answers to an assistant's question: "Where do you live?" – "Riga, since May". English and Russian."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """A question and what its answer states.

    Attributes:
        asks: pattern of the question. predicate, value: as in :class:`~.row.Row`. content: "{S}", "{o}" and "{k}" filled in.
        case: Russian: the case the question asks for, where an answer may stand in it. object_type: of the value.
        question, answer, object: an example.
    """

    asks: str
    predicate: str
    value: str
    content: str
    question: str
    answer: str
    object: str
    case: str = ""
    object_type: str | None = None


ANSWERS: tuple[Answer, ...] = (
    Answer(r"where (?:do you live|are you (?:based|located|living))|(?:what|which) (?:city|town|country|place) (?:do you live|are you (?:in|based))|what(?:'s| is) your (?:city|location|hometown)", "lives_in", "place", "{S} lives in {o}", "Where do you live?", "Riga, since May", "Riga", object_type="place"),
    Answer(r"what(?:'s| is) your name|what should i call you|how should i (?:call|address) you|who am i (?:talking|speaking) (?:to|with)|may i have your name", "name", "person", "{S}'s name is {o}", "What should I call you?", "Jules", "Jules", object_type="person"),
    Answer(r"where do you work|(?:which|what) company do you work|who(?:'s| is) your employer|who do you work for", "works_at", "name", "{S} works at {o}", "Where do you work?", "Siemens, since 2019", "Siemens", object_type="organization"),
    Answer(r"what do you do for (?:a living|work)|what(?:'s| is) your (?:job|profession|occupation|role|job title)", "works_as", "role", "{S} works as {o}", "What's your job?", "nurse, mostly nights", "nurse"),
    Answer(r"how old are you|what(?:'s| is) your age", "age", "age", "{S} is {o} years old", "How old are you?", "34", "34"),
    Answer(r"when(?:'s| is) your birthday|what(?:'s| is) your (?:birthday|date of birth)", "birthday", "measure", "{S}'s birthday is {o}", "When is your birthday?", "5 May", "5 May"),
    Answer(r"where are you from|where do you come from", "comes_from", "name", "{S} comes from {o}", "Where are you from?", "Cork", "Cork", object_type="place"),
    Answer(r"what(?:'s| is) your favou?rite (?P<k>[\w ]{2,24})", "favorite", "short", "{S}'s favourite {k} is {o}", "What's your favourite colour?", "teal", "teal"),
    Answer(r"(?:any|do you have(?: any)?) allerg\w+|what are you allergic to|are you allergic to anything", "allergic_to", "allergen", "{S} is allergic to {o}", "Do you have any allergies?", "peanuts", "peanuts"),
    Answer(r"(?:which|what) (?:editor|ide|database|browser|framework|language|ci|os|shell) (?:do you|are you) (?:use|using|working)", "uses", "known_tool", "{S} uses {o}", "Which editor do you use?", "Helix", "Helix"),
    Answer(r"где (?:вы|ты) (?:живёте|живете|живёшь|живешь|находитесь|находишься)|(?:в|из) каком городе (?:вы|ты)|какой у (?:вас|тебя) город", "lives_in", "name", "{S} живёт: {o}", "В каком городе вы живёте?", "В Самаре", "Самара", "loc", object_type="place"),
    Answer(r"как (?:вас|тебя) зовут|как к (?:вам|тебе) обращаться|как (?:вас|тебя) называть", "name", "person", "{S}: имя — {o}", "Как к вам обращаться?", "Костя", "Костя", object_type="person"),
    Answer(r"где (?:вы|ты) работаете?(?:шь)?|в какой компании", "works_at", "name", "{S} работает: {o}", "Где вы работаете?", "В Контуре", "Контур", "loc", object_type="organization"),
    Answer(r"кем (?:вы|ты) работаете?(?:шь)?|кто (?:вы|ты) по профессии|какая у (?:вас|тебя) (?:профессия|должность)", "works_as", "ru_role_word", "{S} — {o}", "Кто вы по профессии?", "бухгалтер", "бухгалтер"),
    Answer(r"сколько (?:вам|тебе) лет", "age", "age", "{S}: возраст — {o}", "Сколько вам лет?", "41", "41"),
    Answer(r"когда у (?:вас|тебя) день рождения", "birthday", "measure", "{S}: день рождения — {o}", "Когда у вас день рождения?", "3 мая", "3 мая"),
    Answer(r"откуда (?:вы|ты)(?: родом)?", "comes_from", "name", "{S} родом: {o}", "Откуда вы родом?", "Из Омска", "Омск", "gen", object_type="place"),
    Answer(r"како[йе]е? у (?:вас|тебя) любим(?:ый|ое) (?P<k>[а-яё]+)|какая у (?:вас|тебя) любимая (?P<k2>[а-яё]+)", "favorite", "short", "{S}: любимое — {k}: {o}", "Какой у вас любимый цвет?", "зелёный", "зелёный"),
    Answer(r"на что у (?:вас|тебя) аллергия|есть ли у (?:вас|тебя) аллерги\w+", "allergic_to", "allergen", "{S}: аллергия на {o}", "На что у вас аллергия?", "на орехи", "орехи", "allergy"),
)  # fmt: skip
PATTERNS = tuple((answer, re.compile(answer.asks, re.I)) for answer in ANSWERS)
#: Before a Russian answer: «в Самаре», «из Омска», «на орехи».
PREPOSITION = re.compile(r"(?:в|во|из|на|с|у)\s+", re.I)
#: "My name is …" and other sentences are read by the tables.
SENTENCE = re.compile(r"(?:i|i'm|im|we|my|it's|it is|я|мы|мой|моя|моё|у меня|мне|меня)\b", re.I)


def asked(text: str) -> str:
    """The last question of an assistant's message; empty if it does not end by asking."""
    tail = text.rstrip()[-400:]
    if not tail.endswith("?"):
        return ""
    return re.split(r"[.!?\n]", tail[:-1])[-1].strip()
