"""Wording that says a thing holds beside another: one more of it, or at certain times only. English and Russian.

Who "also works at Globex", works there "on weekends" or cycles "when it is dry" has not left what was said before.
Tables and their reader; every row has an example, which the tests enumerate.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .analyse import fold, terms
from .wording import MAX_CHARS, Phrase, find, split_words

#: One more, beside what there is.
ADDITION: tuple[Phrase, ...] = (
    Phrase("as well", "I work at Globex as well"),
    Phrase("in addition", "In addition I work at Globex"),
    Phrase("on the side", "I work at a bakery on the side"),
    Phrase("part time", "I work part time at a bakery"),
    Phrase("part-time", "I work part-time at a bakery"),
    Phrase("second job", "My second job is at a bakery"),
    Phrase("side job", "My side job is at a bakery"),
    Phrase("side gig", "My side gig is at a bakery"),
    Phrase("second home", "My second home is in Lisbon"),
    Phrase("moonlight*", "I moonlight as a tutor"),
    Phrase("sometimes", "Sometimes I work at a bakery"),
    Phrase("occasionally", "I occasionally work at a bakery"),
    Phrase("now and then", "Now and then I work at a bakery"),
    Phrase("part of the", "I live in Lisbon part of the year"),
    Phrase("half the", "I live in Lisbon half the year"),
    Phrase("half of the", "I live in Lisbon half of the year"),
    Phrase("также", "Я также работаю в школе"),
    Phrase("кроме того", "Кроме того, я работаю в школе"),
    Phrase("помимо", "Помимо этого работаю в школе"),
    Phrase("вдобавок", "Вдобавок работаю в школе"),
    Phrase("по совместительству", "Работаю в школе по совместительству"),
    Phrase("подрабатыва*", "Подрабатываю в кофейне"),
    Phrase("на полставки", "Работаю в школе на полставки"),
    Phrase("на пол ставки", "Работаю в школе на пол ставки"),
    Phrase("вторая работа", "Моя вторая работа — школа"),
    Phrase("второй дом", "Мой второй дом в Сочи"),
    Phrase("иногда", "Иногда работаю в кофейне"),
    Phrase("время от времени", "Время от времени работаю в кофейне"),
    Phrase("часть года", "Часть года живу в Сочи"),
    Phrase("полгода", "Полгода живу в Сочи"),
)
#: "Also" inside a sentence; at its beginning, before a comma, it only goes on telling. «Ещё я», not «я ещё» (still).
_ALSO = re.compile(
    r"(?<=\w)[ ,(]+also\b(?! known| called)|^also (?!,)|^(?:а |и |но )?еще (?:я|мы|он|она|они)\b|\bи еще\b|\(также\)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PART = r"(?:mornings?|evenings?|afternoons?|summers?|winters?|springs?|autumns?)"
#: At certain times only, again and again: no single day ("on Monday"), which may be when a change came.
TIMES: tuple[tuple[str, str], ...] = (
    (rf"(?:on|over|at|during|most|every)\s+(?:the\s+)?(?:weekends?|weekdays|work\s?days|{_DAY}s)", "On weekends I work at a bakery"),
    (rf"(?:every|each)\s+(?:other\s+|second\s+)?(?:{_DAY}|weekend|{_PART}|night|holiday)", "Every Friday I work from home"),
    (rf"in\s+(?:the\s+)?{_PART}(?!\s+of\b)", "I drink coffee in the morning"),
    (r"at\s+nights?", "At night I work as a guard"),
    (r"on\s+(?:\w+\s+)?(?:rainy|hot|cold|sunny|dry|wet|busy|free|training|school|bad|good|some)\s+days", "On rainy days I commute by bus"),
    (r"during\s+(?:the\s+)?(?:week|season|holidays|school\s+year|term)", "During the week I live in Bonn"),
    (r"when(?:ever)?\s+(?:it(?:'s|\s+is)?|i'm|i\s+am|i\s+travel|travell?ing|working|abroad|at\s+(?:home|work))\b", "When it rains I take the bus"),
    (
        r"по\s+(?:будн|выходн|праздник|понедельник|вторник|сред|четверг|пятниц|суббот|воскресень|утр|вечер|ноч)(?:ям|ым|ам)",
        "По выходным работаю в кофейне",
    ),
    (r"в\s+(?:будни|выходные|дождь|жару|мороз|непогоду|отпуске|поездках|командировках|дороге)", "В дождь езжу на автобусе"),
    (r"(?:летом|зимой|весной|осенью)(?!\s+\d)", "Летом живу в Сочи"),
    (r"(?:утром|вечером|ночью|днем)", "Вечером я пью чай"),
    (r"кажд(?:ый|ую|ое|ые)\s+(?:\w+\s+)?(?:понедельник|вторник|среду|четверг|пятницу|субботу|воскресенье|утро|вечер|лето|зиму|выходные)", "Каждую пятницу работаю из дома"),
    (r"когда\s+(?:идет\s+дождь|холодно|жарко|тепло|я\s+в\s+\w+|путешеству\w+)", "Когда холодно, езжу на метро"),
)  # fmt: skip
_TIMES = re.compile(rf"\b(?:{'|'.join(pattern for pattern, _ in TIMES)})\b")
#: Days, parts of the day and seasons: two values that each name another one hold side by side.
_RECURRING = frozenset(
    terms(
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays"
        " weekday weekdays weekend weekends morning mornings evening evenings night nights summer winter spring autumn"
        " понедельник понедельникам вторник вторникам среда средам четверг четвергам пятница пятницам суббота субботам"
        " воскресенье воскресеньям будни будням выходные выходным утро утром утрам вечер вечером вечерам ночь ночью ночам"
        " лето летом зима зимой весна весной осень осенью"
    )
)


def recurring(text: str) -> frozenset[str]:
    """The days, parts of the day and seasons that a text names, as stems."""
    return frozenset(terms(text)) & _RECURRING


@lru_cache(maxsize=4_096)
def aside(text: str) -> str:
    """The words by which a text says that what it tells holds beside something else; empty where it does not."""
    folded = " ".join(fold(text[:MAX_CHARS]).split())
    if found := _TIMES.search(folded):
        return found[0]
    if _ALSO.search(folded):
        return "также" if "еще" in folded else "also"
    words = split_words(folded)
    for first, past in find(words, ADDITION):
        return " ".join(words[first:past])
    return ""


def one_more(text: str) -> bool:
    """Whether a text says that what it tells is one more, whatever else has changed ("I now also work at Globex")."""
    folded = " ".join(fold(text[:MAX_CHARS]).split())
    return bool(_ALSO.search(folded)) or bool(find(split_words(folded), ADDITION))
