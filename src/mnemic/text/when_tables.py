"""The words and patterns of time expressions, English and Russian, as data; :mod:`when` gives them meaning.

Three kinds of table. *Words*: ``(value, English, Russian)``, two regular expressions for all forms of a word.
*Policies*: what "recently", "early" or "evening" mean. *Rows*: a pattern, the rule that reads it, and an
example with its answer, which the tests enumerate.

In a pattern ``{month}`` stands for the words of that table, as the named group ``month``, and a space for any
short run of white space. A row of language ``both`` is compiled once with the English words and once with the
Russian ones; ``num`` holds no words. Patterns see lower case with ``ё`` written ``е``, and match whole words.

Answers are for :data:`EXAMPLE_NOW`, half-open, ``*`` for an open end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

V = TypeVar("V", int, str)
Table: TypeAlias = tuple[tuple[V, str, str], ...]

EXAMPLE_NOW = "2026-11-29T12:00:00+00:00"  # a Sunday

# -- words -----------------------------------------------------------------------------------------

_ADJ = "(?:ый|ий|ого|его|ому|ему|ым|им|ом|ем|ая|яя|ой|ей|ую|юю|ое|ее|ые|ие|ых|их|ыми|ими)"
_NOT_MODAL = r"may(?!\s(?:be|have|not|also|well|need|cause|break|fail|still|never|only|just|want|contain)\b)"

MONTHS = (
    (1, "january|jan", "январ(?:ь|я|ю|ем|е)"), (2, "february|feb", "феврал(?:ь|я|ю|ем|е)"),
    (3, "march|mar", "март(?:а|у|ом|е)?"), (4, "april|apr", "апрел(?:ь|я|ю|ем|е)"),
    (5, _NOT_MODAL, "ма(?:й|я|ю|ем|е)"), (6, "june|jun", "июн(?:ь|я|ю|ем|е)"),
    (7, "july|jul", "июл(?:ь|я|ю|ем|е)"), (8, "august|aug", "август(?:а|у|ом|е)?"),
    (9, "september|sept?", "сентябр(?:ь|я|ю|ем|е)"), (10, "october|oct", "октябр(?:ь|я|ю|ем|е)"),
    (11, "november|nov", "ноябр(?:ь|я|ю|ем|е)"), (12, "december|dec", "декабр(?:ь|я|ю|ем|е)"),
)  # fmt: skip
#: Months whose bare English name is also a verb, an adjective or a person: they want a lead word ("in May").
AMBIGUOUS_MONTHS = frozenset({"march", "may", "april", "june", "august"})
#: These, and all abbreviations, are other words when not written with one capital ("it may 3 times fail").
VERB_MONTHS = frozenset({"march", "may"})
WEEKDAYS = (
    (0, "monday|mon", "понедельник(?:а|у|ом|е)?|пн"),
    (1, "tuesday|tues?", "вторник(?:а|у|ом|е)?|вт"),
    (2, "wednesday|wed", r"сред(?:а|у|ы|ой)(?!\s(?:разраб|исполн|выполн|тест|програм|обит))|ср"),
    (3, "thursday|thu|thurs?", "четверг(?:а|у|ом|е)?|чт"),
    (4, "friday|fri", "пятниц(?:а|у|ы|е|ей)|пт"),
    (5, "saturday|sat", "суббот(?:а|у|ы|е|ой)|сб"),
    (6, "sunday", "воскресень(?:е|я|ю|ем)|вс"),  # no "sun": a star, a company
)
_NO_FRAMEWORK = r"spring(?!\s(?:boot|framework|security|mvc|data|cloud|batch|bean|context|webflux)\b)"
SEASONS = (
    (3, _NO_FRAMEWORK, "весн(?:а|ы|е|у|ой)"),
    (6, "summer", "лет(?:о|а|у|ом|е)"),
    (9, "autumn|fall", "осен(?:ь|и|ью)"),
    (12, "winter", "зим(?:а|ы|е|у|ой)"),  # the winter of a year ends in it: two of its months lie there
)
NAMED_DAYS = (
    (-2, r"(?:the )?day before yesterday", "позавчера(?:шн[а-я]{2,3})?"),
    (-1, "yesterday", "вчера(?:шн[а-я]{2,3})?"),
    (0, "today", "сегодня(?:шн[а-я]{2,3})?"),
    (1, "tomorrow", "завтра(?:шн[а-я]{2,3})?"),
    (2, r"(?:the )?day after tomorrow", "послезавтра(?:шн[а-я]{2,3})?"),
)
#: Which one of a repeating thing: counted from the present one.
RELATIVE = (
    (-2, "", f"позапрошл{_ADJ}"),
    (-1, r"last|previous|(?:this )?past", f"(?:прошл|минувш|прошедш|предыдущ){_ADJ}"),
    (1, r"next|(?:this )?coming|(?:this )?upcoming", f"(?:следующ|будущ|ближайш|грядущ|предстоящ){_ADJ}"),
    (0, "this|current", f"эт(?:от|ого|ому|им|ом|а|ой|у|о|и|их)|(?:текущ|нынешн){_ADJ}"),
)
PERIODS = (
    ("week", "week", "недел(?:я|ю|и|е|ей)"), ("month", "month", "месяц(?:а|у|е|ем)?"),
    ("quarter", "quarter", "квартал(?:а|у|е|ом)?"), ("year", "year", "год(?:а|у|ом|е)?"),
    ("decade", "decade", "десятилети(?:е|я|ю|ии|и|ем)"),
)  # fmt: skip
UNITS = (
    ("second", "seconds?|secs?", "секунд(?:а|у|ы|е|ами)?"),
    ("minute", "minutes?|mins?", "минут(?:а|у|ы|е|ами|ку)?"),
    ("hour", "hours?|hrs?", "час(?:а|ов|у|ам|ом)?|часик(?:а|ов)?"),
    ("24h", "", "сут(?:ки|ок|кам)"),
    ("day", "days?", "дн(?:я|ей|и|ю|ем|ям)|день"),
    ("week", "weeks?|wks?", "недел(?:я|ю|и|е|ь|ей|ям|ями|ях)"),
    ("fortnight", "fortnights?", ""),
    ("month", "months?", "месяц(?:а|ев|у|е|ем|ы|ам)?"),
    ("quarter", "quarters?", "квартал(?:а|ов|у|е|ы)?"),
    ("year", "years?|yrs?", "год(?:а|у|ом|е|ы|ов)?|лет"),
    ("decade", "decades?", "десятилети(?:е|я|й|ю|ями)"),
)
NUMBERS = (
    (1, "one", "один|одн(?:а|у|ой|ого|им)"),
    (2, r"two|(?:a )?couple(?: of)?", "дв(?:а|е|ух|ум|умя)|пар(?:а|у|ой|ы)"),
    (3, "three", "тр(?:и|ех|ем|емя)"), (4, "four", "четыр(?:е|ех|ем|ьмя)"), (5, "five", "пят(?:ь|и|ью)"),
    (6, "six", "шест(?:ь|и|ью)"), (7, "seven", "сем(?:ь|и|ью)"), (8, "eight", "восемь|восьми|восемью"),
    (9, "nine", "девят(?:ь|и|ью)"), (10, "ten", "десят(?:ь|и|ью)|десяток"),
    (11, "eleven", "одиннадцат(?:ь|и|ью)"), (12, "twelve", "двенадцат(?:ь|и|ью)"),
    (13, "thirteen", "тринадцат(?:ь|и|ью)"), (14, "fourteen", "четырнадцат(?:ь|и|ью)"),
    (15, "fifteen", "пятнадцат(?:ь|и|ью)"), (16, "sixteen", "шестнадцат(?:ь|и|ью)"),
    (17, "seventeen", "семнадцат(?:ь|и|ью)"), (18, "eighteen", "восемнадцат(?:ь|и|ью)"),
    (19, "nineteen", "девятнадцат(?:ь|и|ью)"), (20, "twenty", "двадцат(?:ь|и|ью)"),
    (30, "thirty", "тридцат(?:ь|и|ью)"), (40, "fou?rty", "сорока?"),
    (50, "fifty", "пят(?:ьдесят|идесяти)"), (60, "sixty", "шест(?:ьдесят|идесяти)"),
    (70, "seventy", "сем(?:ьдесят|идесяти)"), (80, "eighty", "восемьдесят|восьмидесяти"),
    (90, "ninety", "девяност(?:о|а)"), (100, "hundred", "сто|ста|сотню"),
)  # fmt: skip
VAGUE = r"(?:a )?few|several|some|нескольк(?:о|их|ими)"
ORDINALS = (
    (-1, "last|final", f"последн{_ADJ}"), (1, "first|1st", f"перв{_ADJ}|1-?(?:й|я|го|м|ом|ую|ая|ый)|i"),
    (2, "second|2nd", f"втор{_ADJ}|2-?(?:й|я|го|м|ом|ую|ая|ой)|ii"),
    (3, "third|3rd", "трет(?:ий|ья|ье|ьего|ьему|ьем|ьим|ью|ьей)|3-?(?:й|я|го|м|ем|ью|ья|ий)|iii"),
    (4, "fourth|4th", f"четверт{_ADJ}|4-?(?:й|я|го|м|ом|ую|ая|ый)|iv"), (5, "fifth|5th", f"пят{_ADJ}"),
    (6, "sixth", f"шест{_ADJ}"), (7, "seventh", f"седьм{_ADJ}"), (8, "eighth", f"восьм{_ADJ}"),
    (9, "ninth", f"девят{_ADJ}"), (10, "tenth", f"десят{_ADJ}"), (11, "eleventh", f"одиннадцат{_ADJ}"),
    (12, "twelfth", f"двенадцат{_ADJ}"), (13, "thirteenth", f"тринадцат{_ADJ}"),
    (14, "fourteenth", f"четырнадцат{_ADJ}"), (15, "fifteenth", f"пятнадцат{_ADJ}"),
    (16, "sixteenth", f"шестнадцат{_ADJ}"), (17, "seventeenth", f"семнадцат{_ADJ}"),
    (18, "eighteenth", f"восемнадцат{_ADJ}"), (19, "nineteenth", f"девятнадцат{_ADJ}"),
    (20, "twentieth|twenty", f"двадцат(?:ь|{_ADJ[3:]}"),
    (30, "thirtieth|thirty", f"тридцат(?:ь|{_ADJ[3:]}"),
)  # fmt: skip
DECADES = (
    (0, "", "нулев(?:ых|ые)"), (10, "", "десят(?:ых|ые)"), (20, "twenties", "двадцат(?:ых|ые)"),
    (30, "thirties", "тридцат(?:ых|ые)"), (40, "forties", "сороков(?:ых|ые)"),
    (50, "fifties", "пятидесят(?:ых|ые)"), (60, "sixties", "шестидесят(?:ых|ые)"),
    (70, "seventies", "семидесят(?:ых|ые)"), (80, "eighties", "восьмидесят(?:ых|ые)"),
    (90, "nineties", "девяност(?:ых|ые)"),
)  # fmt: skip
DAYPARTS = (
    ("morning", "morning", "утр(?:о|а|у|ом)"), ("afternoon", "afternoon", "дн(?:ем|я)"),
    ("evening", "evening", "вечер(?:а|у|ом)?"), ("night", "night", "ноч(?:ь|и|ью)"),
)  # fmt: skip

# -- policies --------------------------------------------------------------------------------------

#: Hours of a part of the day, from the day's midnight; over 24 is the next day.
HOURS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (20, 30),
         "that night": (18, 30), "small hours": (0, 6)}  # fmt: skip
#: "A few days ago" may be from 2 to 5 days ago; "the last few days" are 5.
FEW = (2, 5)
#: Days that "recently", "the other day", «на днях» reach back.
RECENT_DAYS = 14
#: "The last days" is a few of them.
BARE_PLURALS = "hours|days|weeks|months|years|часы|дни|дней|недели|недель|месяцы|месяцев|годы"
#: Days on each side of "this time last year".
SAME_TIME_DAYS = 7
#: Half of a unit, in a smaller one: "a year and a half ago" is a month, not a year.
HALVES = {"decade": ("year", 10), "year": ("month", 12), "month": ("week", 4), "week": ("day", 7),
          "day": ("hour", 24), "hour": ("minute", 60), "minute": ("second", 60)}  # fmt: skip
#: Parts of a period: from and to, in days (week, month) or months (the longer ones); None is its end.
PARTS: dict[str, dict[str, tuple[int, int | None]]] = {
    "week": {"start": (0, 2), "mid": (2, 4), "end": (4, None)},
    "month": {"start": (0, 10), "mid": (10, 20), "end": (20, None), "half1": (0, 15), "half2": (15, None)},
    "quarter": {"start": (0, 1), "mid": (1, 2), "end": (2, None)},
    "season": {"start": (0, 1), "mid": (1, 2), "end": (2, None)},
    "year": {"start": (0, 3), "mid": (4, 8), "end": (9, None), "half1": (0, 6), "half2": (6, None)},
    "decade": {"start": (0, 36), "mid": (36, 84), "end": (84, None), "half1": (0, 60), "half2": (60, None)},
}

# -- rows ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """One pattern: the rule that reads it, its language, and an example with its answer.

    ``lifts`` names the kinds of weak expression (a bare year, month, weekday, clock time) that a lead word
    makes certain. It is empty for expressions themselves. ``hint`` is in every text that matches, plain words
    or a pattern: a cheap question before a pattern that is dear to compile.
    """

    rule: str
    lang: str  # en | ru | both | num
    pattern: str
    example: str
    answer: str
    lifts: str = ""
    hint: str = ""


#: Parts of patterns, written ``{not_of}``.
FRAGMENTS = {
    "of_year": r"(?:\.?,? (?:of )?{yref})?",
    "nth": "(?P<nth>st|nd|rd|th)",
    "day_end": "(?![0-9:%]|[.,][0-9])",
    "not_of": r"(?! of\b)",
    "not_done": r"(?<!time\s)(?<!ed\s)(?<!done\s)(?<!built\s)(?<!once\s)(?<!twice\s)",  # "finished in 3 days"
    "not_every": r"(?<!every\s)(?<!each\s)(?<!black\s)(?<!good\s)(?<!cyber\s)(?<!giving\s)",
    "no_version": r"(?<!version\s)(?<!версия\s)(?<!версии\s)",
    "no_things": "(?! ?(?:"  # "in 2000 files"
    "%|px|ms|kb|mb|gb|kg|km|bytes?|bits?|files?|lines?|rows?|steps?|words?|char|tokens?|items?|records?|users?|people"
    "|requests?|times|pages?|tests?|dollars|minutes|hours|days|weeks|months|years"
    "|рубл|строк|файл|токен|байт|бит|символ|слов|раз|штук|человек|шаг|лет|км|кг))",
    "hour": "(?P<hh>[01]?[0-9]|2[0-3])",
    "am": r"(?P<ap>[ap])\.?m\b\.?",
    "until": "(?:(?:right )?up )?(?:until|till|'?til)|(?:right )?up to",
    "through": "(?:right |up )?(?:through|thru)(?: to)?|(?:up to|until|till) and including",
    "led": "(?:"
    + "|".join(
        rf"(?<={word}\s)"
        for word in ("until", "till", "through", "thru", "to", "including", "by", "before", "since", "after")
    )
    + ")",
    "not_walk": "".join(  # "went through last week"
        rf"(?<!{verb}\s)"
        for verb in (
            "go",
            "goes",
            "going",
            "went",
            "gone",
            "look",
            "looking",
            "read",
            "reading",
            "half",
            "mid",
            "halfway",
            "midway",
            "all",
            "been",
            "flip",
            "scroll",
            "search",
            "sort",
        )
    ),
    "iso_day": "(?<![./-]){year=y}-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})",
}

#: Digits that can be a day or an hour and are no part of a year.
_DAY = "(?<![0-9])[0-3]?[0-9](?![0-9])"

#: Expressions. Of two readings of the same words the longer wins, then the earlier row.
EXPRESSIONS = (
    Row("named_day", "both", r"{dayword}(?: (?:день|дня|дне|днем|дню))?",
        "yesterday", "2026-11-28/2026-11-29"),
    Row("ago", "en", r"{amount} (?:ago|back)(?: (?P<exact>today))?",
        "two weeks ago", "2026-11-09/2026-11-16", hint="ago|back"),
    Row("ago", "ru", r"(?:(?P<exact>ровно) )?{amount} (?:тому )?назад",
        "3 дня назад", "2026-11-26/2026-11-27", hint="назад"),
    Row("older", "en", r"(?:(?:more|longer) than|over) {amount} ago", "over a year ago", "*/2025-11-29", hint="over|more|longer"),
    Row("older", "ru", r"(?:больше|более)(?: чем)? (?P<amount>{?amount}|{?unit}) назад",
        "больше года назад", "*/2025-11-29", hint="больше|более"),
    Row("newer", "en", r"(?:less than|within) {amount} ago",
        "less than 2 weeks ago", "2026-11-15/2026-11-29T12:01", hint="less|within"),
    Row("newer", "ru", r"(?:меньше|менее)(?: чем)? (?P<amount>{?amount}|{?unit}) назад",
        "меньше двух недель назад", "2026-11-15/2026-11-29T12:01", hint="меньше|менее"),
    Row("ahead", "en", r"{not_done}in (?!an? (?:day|minute|second|sec)\b){amount}{not_of}",
        "in two weeks", "2026-12-07/2026-12-14", hint=r"\bin\s"),
    Row("ahead", "en", r"{amount} from (?:now|today)", "3 days from now", "2026-12-02/2026-12-03", hint="now|today"),
    Row("ahead", "ru", r"через (?!день\b){amount}", "через 2 дня", "2026-12-01/2026-12-02", hint="через"),
    Row("rolling_back", "en", r"(?:the |this )?(?:last|past|previous) {amount}{not_of}",
        "last 3 days", "2026-11-26/2026-11-30", hint=r"(?:last|past|previous)\s{1,3}(?!day|week|month|year|night|hour)"),
    Row("rolling_back", "en", r"(?:(?:the|this) (?:last|past)|past) (?P<amount>{?unit}){not_of}",
        "the past week", "2026-11-22/2026-11-30", hint="the|past"),
    Row("rolling_back", "en", r"last (?P<amount>hour){not_of}",
        "last hour", "2026-11-29T11:00/2026-11-29T12:01", hint="hour"),
    Row("rolling_back", "ru",
        r"(?:за )?(?:(?:последн|прошедш|минувш)(?:ие|их|ий|ую|юю|ее|ей|его)"
        r"|(?:предыдущ|прошл)(?:ие|ые|ых|их)) {amount}", "за последние 3 дня", "2026-11-26/2026-11-30", hint="последн|прошедш|минувш|предыдущ|прошлые|прошлых|прошлие|прошлих"),
    Row("rolling_back", "ru", r"(?:за |в )?последн(?:ие|их|ий|юю|ее|ей|его) (?P<amount>{?unit})",
        "за последнюю неделю", "2026-11-22/2026-11-30", hint="последн"),
    Row("rolling_ahead", "en",
        r"(?:the )?(?:next|coming|upcoming) (?P<amount>{?amount}|days|weeks|months|years){not_of}",
        "the next 3 days", "2026-11-29/2026-12-03", hint="next|coming|upcoming"),
    Row("rolling_ahead", "ru",
        r"(?:следующ|ближайш|предстоящ)(?:ие|их) (?P<amount>{?amount}|{bare_plural})",
        "в ближайшие 3 дня", "2026-11-29/2026-12-03", hint="следующ|ближайш|предстоящ"),
    Row("period", "en", r"(?:the (?!last))?{rel} {period}{not_of}", "last week", "2026-11-16/2026-11-23"),
    Row("period", "en",
        r"(?:the )?{period} (?P<before>before last)(?! (?:mon|tues|wednes|thurs|fri|satur|sun)day)",
        "the week before last", "2026-11-09/2026-11-16", hint="before"),
    Row("period", "ru", r"{rel} {period}", "на прошлой неделе", "2026-11-16/2026-11-23"),
    Row("weekday", "both", r"(?:the )?{rel} {weekday}", "last Tuesday", "2026-11-24/2026-11-25"),
    Row("weekday", "both", r"{not_every}{weekday}(?!\.com)", "on Monday", "2026-11-23/2026-11-24"),
    Row("month", "both", r"{rel} {month}", "last March", "2026-03-01/2026-04-01"),
    Row("month", "both", r"{month}{of_year}", "in March", "2026-03-01/2026-04-01"),
    Row("date", "en", r"{month}\.? (?:the )?{day}{nth}?{day_end}(?:,? {yref})?",
        "May 7, 2023", "2023-05-07/2023-05-08", hint=_DAY),
    Row("date", "both", r"(?:the )?{day}(?:{nth}|-?(?:го|е))? (?:of )?{month}{of_year}",
        "5 мая", "2026-05-05/2026-05-06", hint=_DAY),
    Row("date", "en", r"(?:the )?{nthday} of {month}{of_year}", "the second of May", "2026-05-02/2026-05-03", hint=r"\bof\s"),
    Row("date", "ru", r"{nthday} {month}{of_year}", "двадцать первого мая", "2026-05-21/2026-05-22"),
    Row("day_range", "both",
        r"(?:(?:between|from|между|с|со) )?{day=d1}{nth}?(?: ?[-–—] ?| (?:to|and|through|по|до|и) )"
        r"{day=d2}(?:st|nd|rd|th)? (?:of )?{month}{of_year}", "between 3 and 7 May", "2026-05-03/2026-05-08", hint=_DAY),
    Row("day_range", "en",
        r"(?:(?:between|from) )?{month}\.? {day=d1}{nth}?(?: ?[-–—] ?| (?:to|and|through) )"
        r"{day=d2}(?:st|nd|rd|th)?{day_end}(?:,? {yref})?", "May 3-7, 2024", "2024-05-03/2024-05-08", hint=_DAY),
    Row("day_of_month", "en", r"(?:on |{led})the {day}{nth}(?= ?(?:[.,;?!)]|$))",
        "on the 5th", "2026-11-05/2026-11-06", hint=_DAY),
    Row("day_of_month", "ru", r"{day}(?:-?го)? числа", "5 числа", "2026-11-05/2026-11-06", hint=_DAY),
    Row("iso_time", "num",
        r"{iso_day}(?:t|,? )(?P<hh>[0-9]{2}):(?P<mm>[0-9]{2})(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?"
        r"(?: ?(?P<offset>z|[+-][0-9]{2}:?[0-9]{2}))?(?![-:+]?[0-9])",
        "2026-03-14T10:30Z", "2026-03-14T10:30/2026-03-14T10:31", hint="-"),
    Row("numeric_date", "num", r"{iso_day}(?!-?\w)", "2026-03-14", "2026-03-14/2026-03-15", hint="-"),
    Row("iso_span", "num",
        r"(?<![./\w-])(?P<from>[12][0-9]{3}-[0-9]{2}-[0-9]{2})(?:\.{2,3}|/|…)(?P<to>[12][0-9]{3}-[0-9]{2}-[0-9]{2})(?![./\w-])",
        "2026-03-01/2026-03-05", "2026-03-01/2026-03-06", hint="-"),
    Row("numeric_date", "num", r"(?<![./-]){year=y}/(?P<m>[0-9]{1,2})/(?P<d>[0-9]{1,2})(?!/)",
        "2026/03/14", "2026-03-14/2026-03-15", hint="/"),
    Row("day_first", "num",
        r"(?<![./-]){no_version}(?P<a>[0-9]{1,2})\.(?P<b>[0-9]{1,2})\.{year=y}(?!\.?[0-9])",
        "14.03.2026", "2026-03-14/2026-03-15", hint=r"[0-9]\."),
    Row("month_first", "num", r"(?<![./-])(?P<a>[0-9]{1,2})/(?P<b>[0-9]{1,2})/{year=y}(?!/)",
        "3/14/2026", "2026-03-14/2026-03-15", hint="/"),
    Row("iso_month", "num", r"(?<![./:-]){year=y}-(?P<m>0[1-9]|1[0-2])(?![\w/:-])",
        "in 2026-03", "2026-03-01/2026-04-01", hint="-"),
    Row("iso_week", "num", r"(?<![./-]){year=y}-?w(?P<w>[0-5][0-9])", "2026-W12", "2026-03-16/2026-03-23", hint="w"),
    Row("year", "num", r"(?<![.,/:#$€£+])(?<!(?<!mid)-){year=bare}(?![\w/:-]|[.,][0-9]){no_things}",
        "in 2023", "2023-01-01/2024-01-01"),
    Row("year", "num",
        r"(?<![.,/:#$€£+-]){year=bare} ?[-–—] ?{year=last}(?![\w/:-]|\.[0-9])(?: год(?:ах|ы|ов|а))?",
        "in 2019-2021", "2019-01-01/2022-01-01", hint="[-–—]"),
    Row("year", "en", r"(?:the )?year {year}", "the year 2023", "2023-01-01/2024-01-01", hint="[0-9]"),
    Row("year", "num", r"{year}(?:-?(?:го|й|м|ом|ый))? ?(?:год(?:а|у|ом|е)?|г\.?)",
        "в 2023 году", "2023-01-01/2024-01-01", hint="г"),
    Row("decade", "en", r"(?:the )?(?P<full>(?:19|20)[0-9]0)'?s", "the 1990s", "1990-01-01/2000-01-01", hint="[0-9]"),
    Row("decade", "en",
        r"(?P<the>the )?'?(?P<tens>[0-9]0)'?(?P<s>s)(?! (?:timeout|window|interval|delay|limit|deadline))",
        "in the 90s", "1990-01-01/2000-01-01", hint="[0-9]"),
    Row("decade", "en", r"the {decade}", "in the nineties", "1990-01-01/2000-01-01"),
    Row("decade", "ru",
        r"(?:(?P<full>(?:19|20)[0-9]0)|(?P<tens>[0-9]0))-?(?:х|е)(?! числ)(?: год(?:ов|ах|ы|ам))?",
        "в 90-х", "1990-01-01/2000-01-01", hint="[0-9]"),
    Row("decade", "ru", r"{decade}(?: год(?:ов|ах|ы|ам))?", "в девяностых", "1990-01-01/2000-01-01"),
    Row("quarter", "en", r"q(?P<q>[1-4]){of_year}", "Q3 2024", "2024-07-01/2024-10-01", hint="q[1-4]"),
    Row("quarter", "both", r"(?:the )?(?:{ord}|(?P<q>[1-4])) (?P<unit>quarter|квартал(?:а|у|е|ом)?){of_year}",
        "в третьем квартале", "2026-07-01/2026-10-01", hint="quarter|квартал"),
    Row("season", "both", r"{rel} {season}{not_of}", "last summer", "2026-06-01/2026-09-01"),
    Row("season", "both", r"{season}{of_year}", "summer of 2024", "2024-06-01/2024-09-01"),
    Row("recent", "en", r"recently|lately|the other day|(?:in |over )?(?:the )?recent (?:days|weeks)|of late",
        "recently", "2026-11-15/2026-11-30", hint="recent|late|other"),
    Row("recent", "ru", r"недавно|на днях|(?:за |в )?последнее время", "на днях", "2026-11-15/2026-11-30", hint="недавно|днях|последнее"),
    Row("weekend", "en", r"(?:the )?{rel} weekend", "last weekend", "2026-11-21/2026-11-23", hint="weekend"),
    Row("weekend", "en", r"(?:the )?weekend", "over the weekend", "2026-11-28/2026-11-30", hint="weekend"),
    Row("weekend", "ru", r"(?:{rel} )?(?:выходные|выходных|выходным|уик-?энд)",
        "на выходных", "2026-11-28/2026-11-30", hint="выходн|уик"),
    Row("day_part", "both", r"{rel} {daypart}", "last night", "2026-11-28T18:00/2026-11-29T06:00"),
    Row("day_part", "en", r"tonight", "tonight", "2026-11-29T18:00/2026-11-30T06:00", hint="tonight"),
    Row("bare_day_part", "both", r"(?:in the )?{daypart}", "вчера вечером", "2026-11-28T17:00/2026-11-29"),
    Row("clock", "num", r"(?<![:/-]){hour}:(?P<mm>[0-5][0-9])(?![:\w]|\.[0-9])(?: ?{am})?",
        "yesterday at 15:30", "2026-11-28T15:30/2026-11-28T15:31", hint=":"),
    Row("clock", "en", r"{hour} ?{am}", "at 5pm", "2026-11-28T17:00/2026-11-28T18:00", hint=_DAY),
    Row("clock", "en", r"{hour} o'clock", "at 9 o'clock", "2026-11-29T09:00/2026-11-29T10:00", hint=_DAY),
    Row("clock", "both", r"(?P<noon>noon|полдень)", "at noon", "2026-11-29T12:00/2026-11-29T13:00", hint="noon|полдень"),
    Row("clock", "ru", r"{hour} (?:час(?:а|ов)? (?P<part>утра|дня|вечера|ночи)|(?P<part2>утра|вечера))",
        "вчера в 5 вечера", "2026-11-28T17:00/2026-11-28T18:00", hint=_DAY),
    Row("same_time", "en", r"(?:this|the same) time last year",
        "this time last year", "2025-11-22/2025-12-07", hint="time"),
    Row("same_time", "ru", r"это(?:го|м)? же (?:время|времени) (?:в )?прошл(?:ом|ого) год(?:у|а)",
        "в это же время в прошлом году", "2025-11-22/2025-12-07", hint="врем"),
    Row("present", "both", r"(?P<now>now|сейчас)", "from yesterday to now", "2026-11-28/2026-11-29T12:01", hint="now|сейчас"),
    Row("present", "en", r"(?:the )?{period}(?! [0-9])", "the end of the year", "2026-10-01/2027-01-01"),
    Row("present", "ru", r"{period}", "в начале месяца", "2026-11-01/2026-11-11"),
)  # fmt: skip

#: Words before an expression that make another one of it.
SHAPES = (
    Row("start", "en", r"(?:very )?early(?: in| on in)?(?: the)?|(?:the )?(?:very )?(?:beginning|start) of",
        "early May", "2026-05-01/2026-05-11", hint="early|beginning|start"),
    Row("start", "ru", r"(?:самом )?начал[аоеу]|первых числах", "в начале мая", "2026-05-01/2026-05-11", hint="начал|первых"),
    Row("mid", "en", r"(?:the )?mid(?:-|dle of)?(?: the)?", "mid-May", "2026-05-11/2026-05-21", hint="mid"),
    Row("mid", "ru", r"середин[аеуы]", "в середине мая 2024", "2024-05-11/2024-05-21", hint="середин"),
    Row("late", "en", r"(?:very )?late(?: in)?(?: the)?", "late May", "2026-05-21/2026-06-01", hint="late"),
    Row("end", "en", r"(?:the )?(?:very )?end of", "at the end of 2024", "2024-10-01/2025-01-01", hint="end"),
    Row("late", "ru", r"(?:последних|20-х) числах", "в последних числах мая", "2026-05-21/2026-06-01", hint="числах"),
    Row("end", "ru", r"(?:само(?:м|го|му) )?кон(?:ец|ца|це|цу|цом)",
        "в конце 2024 года", "2024-10-01/2025-01-01", hint="кон"),
    Row("half1", "en", r"(?:the )?first half of", "first half of 2024", "2024-01-01/2024-07-01", hint="half"),
    Row("half1", "ru", r"перв(?:ая|ую|ой) половин[аеуы]|перв(?:ое|ого|ом) полугоди[еяи]",
        "в первой половине мая", "2026-05-01/2026-05-16", hint="половин|полугоди"),
    Row("half2", "en", r"(?:the )?(?:second|latter) half of", "second half of 2024", "2024-07-01/2025-01-01", hint="half"),
    Row("half2", "ru", r"втор(?:ая|ую|ой) половин[аеуы]|втор(?:ое|ого|ом) полугоди[еяи]",
        "во второй половине 2024", "2024-07-01/2025-01-01", hint="половин|полугоди"),
    Row("nth", "en", r"(?:the )?{ord} (?P<unit>day|week|month|quarter) (?:of|in)(?: the)?",
        "the first week of May", "2026-05-01/2026-05-08", hint="day|week|month|quarter"),
    Row("nth", "en", r"(?:the )?{ord} {weekday} (?:of|in)(?: the)?",
        "the second Tuesday of May", "2026-05-12/2026-05-13"),
    Row("nth", "ru", r"{ord} {weekday}", "в последнюю пятницу мая", "2026-05-29/2026-05-30"),
    Row("nth", "ru", r"{ord} (?P<unit>день|дня|недел[яюие]|месяц[ае]?|квартал[ае]?)",
        "в последнюю неделю мая", "2026-05-25/2026-06-01", hint="день|дня|недел|месяц|квартал"),
    Row("week_of", "en", r"(?:the )?week (?:of|commencing|beginning|starting)(?: on)?",
        "the week of June 3rd", "2026-06-01/2026-06-08", hint="week"),
    Row("week_of", "ru", r"недел[яюеи]", "на неделе 3 июня", "2026-06-01/2026-06-08", hint="недел"),
    Row("shift_back", "en", r"(?:{amount}|the (?P<one>day|week|month|year)) (?:before|prior to)",
        "two days before May 5", "2026-05-03/2026-05-04", hint="before|prior"),
    Row("shift_ahead", "en", r"(?:{amount}|the (?P<one>day|week|month|year)) (?:after|following|from)",
        "the day after May 5", "2026-05-06/2026-05-07", hint="after|following|from"),
    Row("shift_back", "ru", r"(?:за )?{amount} до", "за 2 дня до 5 мая", "2026-05-03/2026-05-04", hint="до"),
    Row("shift_ahead", "ru", r"(?:через |спустя )?{amount} после",
        "через неделю после 5 мая", "2026-05-11/2026-05-18", hint="после"),
    Row("elapsed", "both", r"earlier(?: in| on)?|(?:ранее|раньше)(?: на| в)?",
        "earlier this week", "2026-11-23/2026-11-29T12:01", hint="earlier|ранее|раньше"),
    Row("remaining", "both", r"later(?: in| on)?|(?:позже|позднее)(?: на| в)?",
        "later this month", "2026-11-29T12:00/2026-12-01", hint="later|позже|позднее"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Joint:
    """How two neighbouring expressions make one: the words before the first and those between them."""

    rule: str
    lead: str
    gap: str
    example: str
    answer: str


JOINTS = (
    Joint("range", "between ", " and ", "between March and June 2024", "2024-03-01/2024-07-01"),
    Joint("range", "между ", " и ", "между мартом и июнем", "2026-03-01/2026-07-01"),
    Joint("range", "(?:from|since) ", " (?:to|{until}|{through}) | ?[-–—] ?",
          "from March to June 2024", "2024-03-01/2024-07-01"),
    Joint("range", "(?:с|со|от|начиная с) ", " (?:по|(?:вплоть )?до) | ?[-–—] ?",
          "с марта по июнь 2024", "2024-03-01/2024-07-01"),
    Joint("bare_range", "", " (?:to|{until}|{through}|по) | ?[-–—] ?", "March to June 2024", "2024-03-01/2024-07-01"),
    Joint("after", "", ",? (?:after|from|since|после|с) ",
          "yesterday after 5pm", "2026-11-28T17:00/2026-11-29"),
    Joint("before", "", ",? (?:before|until|till|by|до|к) ", "вчера до 10:00", "2026-11-28/2026-11-28T10:00"),
    Joint("eve", "", " на ", "в ночь на понедельник", "2026-11-22T20:00/2026-11-23T06:00"),
    Joint("at", "", ",? (?:at |around |on |in |of |в |во |около )?",
          "в понедельник утром", "2026-11-23T05:00/2026-11-23T12:00"),
)  # fmt: skip

_ANY = "month year day season quarter decade"
#: Words before an expression that let a weak one count, or open one of its ends.
LEADS = (
    Row("keep", "en", r"(?:in|during|throughout|(?<!out\s)of|within)(?: the)?",
        "of May", "2026-05-01/2026-06-01", "month verb year season quarter decade", hint="in|during|throughout|of"),
    Row("keep", "en", r"on(?: the)?", "on May 5", "2026-05-05/2026-05-06", "day", hint="on"),
    Row("keep", "en", r"at(?: about| around)?", "at 15:30", "2026-11-28T15:30/2026-11-28T15:31", "clock", hint="at"),
    Row("keep", "en", r"from(?: the)?", "from June", "2026-06-01/2026-07-01", _ANY, hint="from"),
    Row("keep", "en", r"for(?: the)?", "for 2023", "2023-01-01/2024-01-01", "year season quarter decade", hint="for"),
    Row("keep", "en", r"(?:over|about|approximately|roughly|within|exactly)(?: the)?",
        "about 3 weeks ago", "2026-11-02/2026-11-09", hint="over|about|approximately|roughly|within|exactly"),
    Row("keep", "en", r"(?:around|circa)",
        "around May 5", "2026-05-05/2026-05-06", "month day clock season year", hint="around|circa"),
    Row("keep", "ru", r"(?:в|во|на|за|от|около|где-то в|примерно в?)",
        "в марте", "2026-03-01/2026-04-01", _ANY + " clock"),
    Row("to", "ru", r"к", "к концу мая", "*/2026-06-01", _ANY + " clock", hint="к"),
    Row("since", "en", r"(?:ever )?since(?: the)?|starting (?:from|in|on)",
        "since Monday", "2026-11-23/*", _ANY + " verb clock", hint="since|starting"),
    Row("since", "ru", r"(?:начиная )?(?:с|со)", "с понедельника", "2026-11-23/*", _ANY + " clock"),
    Row("after", "en", r"after(?: the)?|later than", "after 5 May", "2026-05-06/*", _ANY + " clock", hint="after|later"),
    Row("after", "ru", r"после|позже|позднее", "после 5 мая", "2026-05-06/*", _ANY + " clock", hint="после|позже|позднее"),
    Row("before", "en", r"before(?: the)?|prior to|earlier than",
        "before June", "*/2026-06-01", _ANY + " clock", hint="before|prior|earlier"),
    Row("until", "en", r"{until}(?: the)?", "until May 5", "*/2026-05-06", _ANY + " clock", hint="til|up to"),
    Row("before", "ru", r"до|раньше|ранее", "до июня", "*/2026-06-01", _ANY + " clock", hint="до|раньше|ранее"),
    Row("through", "en", r"by(?: the)?", "by Friday", "*/2026-11-28", "year day quarter month season", hint="by"),
    Row("through", "en", r"(?:{not_walk}{through}|on or before|no later than|not later than)(?: the)?",
        "through May 5", "*/2026-05-06", _ANY, hint="thr|including|or before|later"),
    Row("through", "ru", r"вплоть до|(?:не )(?:позже|позднее)(?: чем)?",
        "не позднее 5 мая", "*/2026-05-06", _ANY, hint="вплоть|не"),
    Row("up_to", "ru", r"по", "по 5 мая", "*/2026-05-06", _ANY, hint="по"),
    Row("since", "en", r"on or after|(?:no|not) (?:earlier than|before)",
        "not before 5 May", "2026-05-05/*", _ANY, hint="or after|earlier|not before"),
    Row("since", "ru", r"не (?:раньше|ранее)(?: чем)?", "не раньше 5 мая", "2026-05-05/*", _ANY, hint="не ран"),
)  # fmt: skip

#: After an expression: the day that is named as an end belongs to it.
INCLUSIVE = r",? ?\(?(?:inclusive(?:ly)?|included|включительно)\)?(?!\w)"
#: What «по» leads in these forms it is about, or on each of them: «отчёт по прошлой неделе», «по выходным».
ABOUT = (
    r"(?:(?:году|неделе|месяцу|кварталу|дню|дням|веку|весне|лету|осени|зиме|среде|пятнице|субботе|выходным|воскресенью"
    r"|(?:понедельник|вторник|четверг|март|август)у|(?:январ|феврал|апрел|ма|июн|июл|сентябр|октябр|ноябр|декабр)ю))(?!\w)"
)
#: Rules that name one date: "until" it means with it, as "until June" does not.
DATES = frozenset({"date", "day_of_month", "numeric_date", "day_first", "month_first"})

#: Words of expressions that are in no word table; see ``when_patterns.kinds``.
OTHER_CUES = (
    r"weekend|выходн\w+|уик-?энд|tonight|recent(?:ly)?|lately|the other day|of late|недавно|на днях"
    r"|последнее время|this time|the same time|же врем\w+|числа|q[1-4]|noon|полдень|o'clock"
    r"|пол(?:года|часа|месяца|дня)|[0-9]{1,2}:[0-9]{2}|[0-9]{1,2} ?[ap]\.?m|[0-9]{1,2}(?:st|nd|rd|th)"
    r"|(?:19|20|')?[0-9]0(?:'?s|-?[хе])"
)
_SOON_EN = "last|past|previous|next|coming|upcoming|this|these|earlier|following"
_SOON_RU = r"(?:последн|следующ|ближайш|предыдущ|минувш|прошедш)\w+"
_TIME_WORDS = "{?unit}|{?month}|{?weekday}|{?season}"
#: Words that promise a time, understood or not ("3 moons ago"): alone, or at most two words before another.
PROMISES = (
    ("en", r"ago|yesterday\w*|tomorrow|today|tonight|recently|lately|fortnight", ""),
    ("ru", r"назад|(?:поза)?прошл\w+|(?:поза)?вчера\w*|(?:после)?завтра|сегодня|недавно|давно|накануне", ""),
    ("en", _SOON_EN, _TIME_WORDS + "|time|night|morning|evening|afternoon|weekend|century"),
    ("ru", _SOON_RU, _TIME_WORDS + r"|раз|время|ноч\w+|утр\w+|вечер\w*|выходн\w+|век\w*"),
)


def hour_of(hour: int, half: str) -> int:
    """The hour of the day that an hour of a half of it is: 3 ``pm`` or ``дня`` are 15, 12 ``ночи`` 0, 11 of it 23."""
    if half in ("a", "am", "утра", "ночи") and hour == 12:
        return 0
    late = half in ("p", "pm", "вечера", "дня") or (half == "ночи" and hour > 9)
    return hour + 12 if late and hour < 12 else hour


def lookup(table: Table[V], word: str) -> V:
    """The value of a matched word.

    Raises:
        KeyError: the word is in no row, which a matched one always is.
    """
    for value, english, russian in table:
        if re.fullmatch(f"{english}|{russian}", word):
            return value
    raise KeyError(word)
