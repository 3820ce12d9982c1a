"""Plain general statements in a few verbs of relation, English and Russian. See :class:`~.row.Row`."""

from __future__ import annotations

from .row import Example, Row

_E = Example
_NP = r"(?P<s>(?!i\b|we\b|you\b|he\b|she\b|they\b|it\b|this\b|that\b|there\b|these\b|those\b|my\b|our\b|your\b|his\b|her\b|their\b|what\b|which\b|who\b|some\b|many\b|most\b|if\b|no\b|one\b)(?:the |an? )?[\w'-]+(?: [\w'-]+){0,3}?)"
_RU_NP = r"(?P<s>(?!я\b|мы\b|ты\b|вы\b|он\b|она\b|оно\b|они\b|это\b|эта\b|этот\b|мой\b|моя\b|мои\b|наш\w*|ваш\w*|их\b|что\b|кто\b|которы\w+|некоторые\b|многие\b|если\b)[а-яёА-ЯЁ-]+(?: [а-яёА-ЯЁ-]+){0,2}?)"

ENGLISH: tuple[Row, ...] = (
    Row("descend descends descended evolved", rf"{_NP} (?P<o>(?:descend(?:s|ed)?|evolved) from .+)", "states", "{S} {o}", (_E("Dogs descend from wolves, domesticated about 14,000 years ago", "descend from wolves, domesticated about 14,000 years ago", "Dogs"),), (), "clause", keep_time=True, subject_type="concept"),
    Row("capital currency language continent planet moon country city mountain river", rf"{_NP} (?P<o>is (?:the|a) (?:\w+ ){{0,2}}(?:capital|currency|continent|planet|moon|symbol|element|satellite) (?:of|in) .+)", "states", "{S} {o}", (_E("Canberra is the capital of Australia.", "is the capital of Australia", "Canberra"),), (), "clause", subject_type="place"),
    Row("orbits orbit revolves boils boil melts freezes", rf"{_NP} (?P<o>(?:orbits?|revolves? around|boils? at|melts? at|freezes? at) .+)", "states", "{S} {o}", (_E("Water boils at 100 degrees.", "boils at 100 degrees", "Water"),), (), "clause", subject_type="concept"),
    Row("hearts legs eyes stomachs wings chambers bones teeth moons", r"(?P<s>[\w-]+(?: [\w-]+)?) (?P<o>have (?:\w+ )?(?:two|three|four|five|six|seven|eight|nine|ten|no|\d+) (?:\w+ )?(?:hearts?|legs|eyes|stomachs|wings|chambers|bones|teeth|moons|brains|arms))\b.*", "states", "{S} {o}", (_E("Octopuses have three hearts.", "have three hearts", "Octopuses"),), (), "general", subject_type="concept"),
    Row("mammals reptiles birds fish insects", rf"{_NP} (?P<o>are (?:\w+ )?(?:mammals|reptiles|birds|fish|insects|amphibians|primates|marsupials|arachnids|rodents|fungi))\b.*", "states", "{S} {o}", (_E("Whales are mammals.", "are mammals", "Whales"),), (), "general", subject_type="concept"),
    Row("invented discovered founded wrote painted", r"(?P<s>[A-Z][\w'-]+(?: [\w'-]+){0,4}?) (?P<o>(?:was|were) (?:invented|discovered|founded|written|painted|built|composed|designed) (?:by|in) .+)", "states", "{S} {o}", (_E("Penicillin was discovered by Fleming.", "was discovered by Fleming", "Penicillin"),), (), "clause", keep_time=True, subject_type="concept"),
    Row("cannot can't can", r"(?P<s>(?!i\b|we\b|you\b|they\b|it\b|he\b|she\b|this\b|that\b|who\b|what\b|users\b|people\b)[\w-]+s) (?P<o>cannot (?:fly|swim|see colou?rs?|jump|climb|vomit|sweat|taste \w+))\b.*", "states", "{S} {o}", (_E("Penguins cannot fly.", "cannot fly", "Penguins"),), (), "general", subject_type="concept"),
)  # fmt: skip

RUSSIAN: tuple[Row, ...] = (
    Row("произош* происход*", rf"{_RU_NP} (?P<o>(?:произошл[иао]|произошёл|произошел|происход[ия]т) от .+)", "states", "{S} {o}", (_E("Собаки произошли от волков.", "произошли от волков", "Собаки"),), (), "clause", keep_time=True, subject_type="concept"),
    Row("столица", rf"{_RU_NP},? ?(?:—|-|это|является)? ?(?P<o>столиц[аей]+ .+)", "states", "{S} — {o}", (_E("Канберра — столица Австралии.", "столица Австралии", "Канберра"),), (), "clause", subject_type="place"),
    Row("вращается обращается кипит плавится замерзает", rf"{_RU_NP} (?P<o>(?:вращается|обращается|кипит|плавится|замерзает) .+)", "states", "{S} {o}", (_E("Вода кипит при 100 градусах.", "кипит при 100 градусах", "Вода"),), (), "clause", subject_type="concept"),
    Row("сердца сердец ног глаз желудка крыла", r"у (?P<s>[а-яё]+(?: [а-яё]+)?) (?P<o>(?:два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|\d+) (?:сердца|сердец|ног|ноги|глаза|глаз|желудка|желудков|крыла|крыльев|мозга|спутника|спутников))\b.*", "states", "У {s} {o}", (_E("У осьминогов три сердца.", "три сердца", "осьминогов"),), (), "clause", subject_type="concept"),
    Row("млекопитающие птицы рыбы рептилии насекомые грибы", rf"{_RU_NP},? ?(?:—|-|это) ?(?:это )?(?P<o>млекопитающие|птицы|рыбы|рептилии|насекомые|приматы|сумчатые|грызуны)$", "states", "{S} — {o}", (_E("Киты — млекопитающие.", "млекопитающие", "Киты"),), (), "clause", subject_type="concept"),
    Row("умеют умеет могут", rf"{_RU_NP} (?P<o>не (?:умеют|могут) (?:летать|плавать|прыгать|лазать|видеть \w+))\b.*", "states", "{S} {o}", (_E("Пингвины не умеют летать.", "не умеют летать", "Пингвины"),), (), "general", subject_type="concept"),
)  # fmt: skip
