"""What a question is after: a reason, a time, a person, a thing, what came after or before something, or none of these.

A keyword at its beginning decides. Else the likeness of its meaning to exemplars does, where there is an embedder; where that
says nothing, or there is none, a keyword anywhere in the question. All of it is tables, English and Russian.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..lang.when import find

#: Texts to unit vectors of queries.
Embed = Callable[[Sequence[str]], Sequence[NDArray[np.float32]]]

THRESHOLD = 0.45  # cosine with the best exemplar below which it says nothing
READ = 500  # characters of a question that are looked at


@dataclass(frozen=True, slots=True)
class Intent:
    """What a question is after.

    Attributes:
        name: ``why``, ``when``, ``who``, ``what``, ``after``, ``before`` or ``general``.
        anchor: of ``after`` and ``before``, the words for what came first or last; else empty.
        score: of an exemplar, its cosine; of a keyword 1, of ``general`` 0. by: ``keyword``, ``exemplar`` or ``""``.
    """

    name: str
    anchor: str = ""
    score: float = 1.0
    by: str = "keyword"


GENERAL = Intent("general", score=0.0, by="")

#: Words before the question itself.
_LEAD = (
    r"(?:(?:so|and|but|ok(?:ay)?|hey|hi|well|now|then|please|also|sorry|tell me|remind me|(?:can|could|would) you (?:please )?"
    r"(?:tell|remind) me|do you (?:remember|know|recall)|i wonder|i(?:'d like| want) to know|any idea|"
    r"а|и|но|ну|так|вот|слушай|скажи(?:те)?|подскажи(?:те)?|напомни(?:те)?|расскажи(?:те)?|объясни(?:те)?|(?:ты |вы )?(?:не )?(?:знаешь|помнишь|знаете|"
    r"помните)|интересно|пожалуйста|можешь (?:сказать|напомнить)|хочу (?:знать|понять)|мне|нам|тогда|кстати)[\s,:—-]+)*"
)
#: Intent → words that ask for it, tried in this order.
KEYWORDS: Mapping[str, str] = {
    "why": (
        r"why\b|how come\b|what(?:'s| is| was| were| are)? (?:the |a )?(?:\w+ )?(?:reasons?|causes?|motivation|grounds)\b|what (?:\w+ )?(?:caused|made|led (?:to|us|him|her|them))\b|"
        r"what for\b|because of what\b|for (?:what|which) reason\b|(?:the )?(?:reasons?|causes?) (?:for|of|why|that|behind)\b|explain why\b|"
        r"почему\b|зачем\b|отчего\b|из[- ]за (?:чего|кого)\b|по (?:какой|каким|чьей) (?:причин|вин)\w*|(?:в ч[её]м|какова|какая|какие)(?: \w+)? причин\w*|"
        r"(?:в силу|вследствие) чего\b|для чего\b|ради чего\b|что (?:\w+ ){0,2}(?:стало|было|послужило|явилось) причиной|что (?:вызвало|заставило|побудило|привело к)\b|"
        r"причин[аы] (?!и )\w+|с чего (?:вдруг|это)\b|чем (?:вызван|обусловлен|объясняется)\w*"
    ),
    "when": (
        r"when\b|(?:since|until|till|by) when\b|(?:on |in |at |from )?(?:what|which) (?:date|day|time|year|month|week|season)\b|how long (?:ago|since|did|has|have|was|is)\b|how (?:soon|recently)\b|"
        r"(?:give me |show me )?(?:the |a )?(?:full )?(?:timeline|chronology|order|sequence|history) of\b|in (?:what|which) order\b|what(?:'s| is| was) the (?:date|timeline|deadline)\b|"
        r"когда\b|(?:с|до|к) (?:какого|каких|какому) (?:\w+ )?(?:времени|числ\w*|дня|дню|года?|году|момента|пор|месяца|срока|сроку)|какого числа\b|"
        r"в как(?:ой|ом|ие|их) (?:\w+ )?(?:день|дни|год\w*|месяц\w*|час\w*|врем\w*|срок\w*)|(?:в|на) какую (?:дату|неделю|субботу)|как (?:давно|скоро|долго)\b|(?:во|до|со) ?скольк[оиу]\w*|"
        r"(?:полная |вся |дай |покажи )*хронологи\w*|(?:последовательность|порядок|ход|история|летопись) событий|в как(?:ом|ой) (?:порядке|последовательности)|какая дата\b|сколько (?:времени|лет|дней|месяцев|недель) (?:назад|прошло)"
    ),
    "who": (
        r"(?:with |to |from |for |by |about |of )?(?:who|whom|whose)(?:'s|'re)?\b|which (?:person|people|colleague|friend|of (?:us|them|you))\b|(?:what(?:'s| is| are| was) )?the names? of the (?:person|people|man|woman|guy)\b|"
        r"(?:с|у|о|об|от|к|ко|для|про|из|за|на|при|перед|кроме)? ?(?:кто|кого|кому|кем|ком)\b|(?:у |от |из |к |в |на |о |с )?(?:чей|чья|чь[её]|чьи|чьего|чьей|чьих|чьим|чью|чьему)\b|"
        r"как зовут\b|как (?:его |её |ее |их )?(?:имя|фамили[яю])\b|кем\b"
    ),
    "what": (
        r"(?:in |at |on |for |to |from |with |of |by |about )?(?:what|which|where)(?:'s|'re|s)?\b|how (?:many|much|old|tall|far|big|large|often)\b|"
        r"(?:everything|all|anything) (?:\w+ ){0,4}(?:about|on|of|regarding)\b|(?:tell|say|share)(?: me| us)? (?:\w+ ){0,3}about\b|tell me (?:everything|all|what)|describe\b|"
        r"(?:give|show)(?: me| us)? (?:\w+ ){0,3}(?:facts|info|information|details|summary|overview)|(?:summari[sz]e|list|overview|summary)\b|"
        r"(?:в|во|на|о|об|обо|с|со|к|ко|у|от|из|для|про|за|под|над|при|по|до|без)? ?(?:что|чего|чему|чем|ч[её]м|какой|какая|какое|какие|какого|каком|какому|каким|каких|какую|какими|которы[йехм]|которая)\b|"
        r"где\b|куда\b|откуда\b|сколько\b|каков[аоы]?\b|как называ(?:ется|ются|лся|лась|лось|лись)\b|(?:рас)?скаж\w+ (?:\w+ ){0,3}(?:о|об|обо|про)\b|"
        r"(?:вс[её]|что-нибудь|подробно(?:сти)?) (?:\w+ ){0,3}(?:о|об|обо|про|насч[её]т)\b|опиши\w*\b|перечисли\w*\b|сводка\b|обзор\b"
    ),
}  # fmt: skip
_BEGINS = {name: re.compile(rf"\W*{_LEAD}(?:{words})", re.I) for name, words in KEYWORDS.items()}
_HOLDS = {name: re.compile(rf"\b(?:{words})", re.I) for name, words in KEYWORDS.items()}

#: Intent → what such questions are like.
EXEMPLARS: Mapping[str, tuple[str, ...]] = {
    "why": (
        "why did this happen", "what is the reason for this decision", "what caused the problem", "what made you change your mind",
        "explain the motivation behind it", "the grounds on which it was rejected",
        "почему так произошло", "в чем причина этого решения", "что вызвало проблему", "из-за чего мы передумали",
        "объясни, чем это вызвано", "на каком основании отказали",
    ),
    "when": (
        "when did this happen", "timeline of events", "on what date was it", "how long ago was that", "in which order did things happen",
        "the deadline for it",
        "когда это произошло", "хронология событий", "какого числа это было", "как давно это было", "в каком порядке всё происходило",
        "срок, к которому это нужно",
    ),
    "who": (
        "who is this person", "who did it", "whose idea was it", "with whom did I meet", "the name of the person responsible",
        "кто это такой", "кто это сделал", "чья это была идея", "с кем я встречался", "имя ответственного человека",
    ),
    "what": (
        "what is it", "tell me everything about it", "what do you know about this project", "which one did we choose", "where is it located",
        "give me the details of it",
        "что это такое", "расскажи всё об этом", "что ты знаешь об этом проекте", "что мы выбрали", "где это находится",
        "подробности об этом",
    ),
    "general": (
        "help me write a text", "fix this function", "let's go on", "thanks, that is great", "give me some ideas for dinner",
        "помоги мне написать текст", "исправь эту функцию", "продолжай", "спасибо, отлично", "посоветуй что-нибудь на ужин",
    ),
}  # fmt: skip
_NAMES = tuple(name for name, texts in EXEMPLARS.items() for _ in texts)

_SOON = r"(?:right |just |shortly |immediately |soon |directly |straight |the (?:day|week|month|night|morning) |(?:a|one|two|three) (?:days?|weeks?|months?) )?"
_SKORO = r"(?:сразу |сразу же |вскоре |непосредственно |незадолго |на следующий день |через (?:день|неделю|месяц) |за (?:день|неделю|месяц) )?"
_ASKS = rf"\W*{_LEAD}(?:and |but )?(?:what|where|who|which|how)(?: else)?\b(?!\s+(?:is|are|do|does|will|should|can|has|have)\b)"
_SPRASHIVAET = rf"\W*{_LEAD}(?:(?:о|об|с|у|к|на|в|по|про|за) )?(?:что|чем|ч[её]м|чего|куда|где|кто|кого|кому|кем|ком|как|какой|какая|какое|какие)(?: ещ[её])?\b"
_WORD = r"(?:[\w'’«»\"-]+[ ,]+)"
_PAST = (
    r"\b(?:happened|did|came|went|was|were|had|followed|occurred|took|got|[a-z]{3,}ed|said|told|made|bought|left|became|began|broke|wrote|chose|ate|"
    r"called|met|saw|sent|found|felt|spoke|won|lost)\b"
)
_PROSHLOE = r"(?:[а-яё]+(?:л|ла|ло|ли|лся|лась|лось|лись))\b"
#: Which way → patterns whose group ``anchor`` is what came first (``after``) or last (``before``).
SEQUENCE: tuple[tuple[str, re.Pattern[str]], ...] = tuple((way, re.compile(pattern, re.I | re.S)) for way, pattern in (
    ("after", rf"{_ASKS}(?=.*{_PAST}).{{0,80}}?(?<!named )(?<!called )(?<!look )(?<!looked )(?<!looking )(?<!looks )(?<!take )(?<!took )\b{_SOON}(?:after|following|once)\s+(?P<anchor>.+)"),
    ("before", rf"{_ASKS}(?=.*{_PAST}).{{0,80}}?\b{_SOON}(?:before|prior to|ahead of|leading up to)\s+(?P<anchor>.+)"),
    ("after", rf"\W*{_LEAD}what followed\s+(?P<anchor>.+)"),
    ("before", rf"\W*{_LEAD}what (?:preceded|led up to)\s+(?P<anchor>.+)"),
    ("after", rf"\W*{_LEAD}{_SOON}(?:after|once)\s+(?P<anchor>[^,?]+),\s*(?:what|where|who|how|which)\b.*"),
    ("before", rf"\W*{_LEAD}{_SOON}before\s+(?P<anchor>[^,?]+),\s*(?:what|where|who|how|which)\b.*"),
    ("after", r"(?P<anchor>.+?)[.,;:!—-]+\s*(?:and |so )?(?:what|where) (?:happened|came|did \w+ (?:do|go)|was)\s+(?:next|then|after that|afterwards)\W*"),
    ("after", rf"{_SPRASHIVAET}(?=.*{_PROSHLOE}|\s+(?:дальше|потом)\b).{{0,80}}?\b{_SKORO}(?:после|вслед за|следом за)\s+(?P<anchor>.+)"),
    ("before", rf"{_SPRASHIVAET}(?=.*{_PROSHLOE}).{{0,80}}?\b{_SKORO}(?:до|перед|прежде|накануне)\s+(?P<anchor>.+)"),
    ("after", rf"\W*{_LEAD}что (?:\w+ )?(?:последовало за|стало после|пошло после)\s+(?P<anchor>.+)"),
    ("before", rf"\W*{_LEAD}что (?:\w+ )?(?:предшествовало)\s+(?P<anchor>.+)"),
    ("after", rf"\W*{_LEAD}{_SKORO}после (?:того,? как )?(?P<anchor>.+?),?\s+(?:что|чем|куда|где|кто|как)\b.*"),
    ("before", rf"\W*{_LEAD}{_SKORO}(?:до|перед) (?:того,? как |тем,? как )?(?P<anchor>.+?),?\s+(?:что|чем|куда|где|кто)\b.*"),
    ("after", r"(?P<anchor>.+?)[.,;:!—-]+\s*(?:и |а |ну и )?(?:что|куда) (?:было|произошло|случилось|стало|мы|они|он|она)?\s*(?:\w+ )?(?:дальше|потом|после этого|затем)\W*"),
))  # fmt: skip
#: What joins the anchor to the question and says nothing of it.
_JOINT = re.compile(r"^(?:(?:того|тем|чем|то)\b,?\s*(?:как|чем)?\s*|как\s+|чем\s+|that\s+)", re.I)
_DEMONSTRATIVE = re.compile(r"(?:that|this|it|then|all|этого|этим|того|тем|всего)", re.I)
_ANY_DAY = datetime(2026, 6, 15, 12, tzinfo=UTC)

_lock = threading.Lock()
_vectors: WeakKeyDictionary[object, NDArray[np.float32]] = WeakKeyDictionary()


def classify(query: str, embed: Embed | None = None) -> Intent:
    """What a question is after. Without ``embed`` by keywords alone; what ``embed`` raises is the caller's.

    Vectors of the exemplars are made once for each embedder (the object that ``embed`` is a method of, or the function).
    """
    head = query[:READ]
    sequence = _sequence(head)
    if sequence is not None:
        return sequence
    begins = next((name for name, pattern in _BEGINS.items() if pattern.match(head)), None)
    if begins is not None:
        return Intent(begins)
    if embed is not None and head.strip():
        cosines = _exemplars(embed) @ np.asarray(embed([head])[0], dtype=np.float32)
        best = int(np.argmax(cosines))
        likeness = float(cosines[best])
        if likeness >= THRESHOLD:
            return Intent(_NAMES[best], score=likeness, by="exemplar")
        if not head.rstrip(' \t\n"”»)').endswith("?"):
            return GENERAL  # "tell him what I said" asks for nothing
    held = next((name for name, pattern in _HOLDS.items() if pattern.search(head)), None)
    return GENERAL if held is None else Intent(held)


def _exemplars(embed: Embed) -> NDArray[np.float32]:
    owner = getattr(embed, "__self__", embed)
    with _lock:
        known = _vectors.get(owner)
    if known is None:
        known = np.asarray(embed([text for texts in EXEMPLARS.values() for text in texts]), dtype=np.float32)
        with _lock:
            _vectors[owner] = known
    return known


def _sequence(query: str) -> Intent | None:
    """A question for what came after or before something that it names; a mere time is a time, not something."""
    for way, pattern in SEQUENCE:
        found = pattern.fullmatch(query.strip())
        if found is None:
            continue
        anchor = _JOINT.sub("", found["anchor"].strip(' \t\n,.;:!?"”»…')).strip()
        if anchor and not _DEMONSTRATIVE.fullmatch(anchor):
            rest = anchor
            for window in reversed(find(anchor, _ANY_DAY)):
                rest = rest[: window.span[0]] + rest[window.span[1] :]
            return Intent(way, anchor) if re.search(r"\w{3}", rest) else Intent("when")
    return None


__all__ = ["EXEMPLARS", "KEYWORDS", "SEQUENCE", "THRESHOLD", "Embed", "Intent", "classify"]
