"""Words by which a text says that one thing caused another, English and Russian: data only, read by :mod:`causes`.

A row is a pattern on one sentence (case and ``ё`` folded, straight apostrophes), the order of cause and effect around it,
a sentence in which it counts and one that holds the words and does not count; the tests enumerate both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: Which of the two stands before the words. ``named``: the pattern has groups ``cause`` and ``effect`` itself.
Order = Literal["effect first", "cause first", "named"]


@dataclass(frozen=True, slots=True)
class Connective:
    """A row.

    Attributes:
        word: its name in reasons. hint: plain words of which every match holds one ("|" between them), looked for first.
        pattern: regular expression. order: see :data:`Order`.
        example: a sentence in which it counts. ordinary: one that holds the words in another sense ("" where none does).
        before, after: what must not end right before the words, and what must not begin right after them.
        sure: the words alone say it. Others are only worth asking a model about.
    """

    word: str
    hint: str
    pattern: str
    order: Order
    example: str
    ordinary: str = ""
    before: str = ""
    after: str = ""
    sure: bool = True


_SUBJECT = r"(?:i|you|he|she|it|we|they|there|this|that|these|those|my|your|our|his|her|their|its|the|a|an|nobody|everyone|people|nothing)\b"
_TIMES = (
    r"\s*(?:(?:the|my|our|his|her|their|your|last|that|this|early|late)\s+){0,3}(?:beginning|start|day|days|time|week|month|year|"
    r"morning|evening|night|moment|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|"
    r"february|march|april|may|june|july|august|september|october|november|december|yesterday|childhood|birth|accident|pandemic|"
    r"update|upgrade|release|launch|divorce|wedding|move|\d)"
)
_SPACE = (
    r"\s*(?:границ|рубеж|угл[ау]|стол[ау]|двер|спин|мор[яей]+\b|океан|гор\b|горы\b|горизонт|кулис|рул[яь]|решетк|забор|стен[ыа]?\b|туч|облак|"
    r"парт|прилавк|бугр|холм|дерев|окна\b|штор|поворот|лес[ау]\b|пазух|плеч|"
    r"дом(?:а|ов)\b|здани|сара[яе]|гараж|ворот\b|шкаф|куст|камн|скал|ширм|занавес|колонн|столб|вагон|грузовик)"
)
_DUE = (
    r"\s*(?:be|arrive|start|begin|open|close|launch|finish|end|leave|come|expire|give|take|meet|land|return|happen|release|"
    r"ship|renew|appear|retire|speak|play|go|get|join|deliver)\b"
)

#: Tried at every place of a sentence; where several fit, the earliest wins, then the first in the table.
CONNECTIVES: tuple[Connective, ...] = (
    # -- English: a reference back to what was just said
    Connective("that's why", "why", r"\b(?:that|this|which)(?:'?s|\s+is|\s+was)\s+(?:exactly\s+|partly\s+|also\s+|mainly\s+|probably\s+|the\s+reason\s+)?why\b", "cause first", "That's why I moved to Lisbon.", "I don't know why that is."),
    Connective("that is the reason", "reason", r"\b(?:that|this|which)(?:'?s|\s+is|\s+was)\s+the\s+(?:main\s+|only\s+)?reason\s+(?!why\b)(?:for\b|that\b|i\b|we\b|he\b|she\b|they\b|it\b)", "cause first", "That was the reason we cancelled the trip."),
    Connective("that explains why", "explains", r"\b(?:that|this|which)\s+explains\s+why\b", "cause first", "That explains why the light was on.", "The page explains why."),
    Connective("because of this", "because|due|owing|result", rf"\b(?:because\s+of|due\s+to|owing\s+to|as\s+a\s+result\s+of)\s+(?:this|that|which)\b(?=\s*[,;:.!]|\s*$|\s+{_SUBJECT})", "cause first", "Because of that we lost the order."),
    Connective("for this reason", "reason", r"\bfor\s+(?:this|that|these|those)\s+(?:very\s+)?reasons?\b", "cause first", "For this reason we chose SQLite."),
    Connective("therefore", "therefore", r"\btherefore\b", "cause first", "The disk was full, therefore the backup failed."),
    Connective("consequently", "consequently", r"\bconsequently\b", "cause first", "Consequently the meeting was moved."),
    Connective("hence", "hence", r"\bhence\b", "cause first", "The cable was loose, hence the noise.", "We meet three weeks hence.", before=r"(?:days?|weeks?|months?|years?)\s+"),
    Connective("as a result", "result|consequence", r"\bas\s+a\s+(?:direct\s+)?(?:result|consequence)\b(?!\s+of\b)", "cause first", "As a result, the build is red."),
    Connective("thus", "thus", r"\bthus\b", "cause first", "Thus the job was lost.", "Thus far it works.", after=r"\s*far\b", sure=False),
    Connective("so", "so", r",\s*so\b(?!\s+(?:that|far|long|much|many|on|forth|to|called)\b)", "cause first", "I lost my keys, so I called Ben.", "It is simple, so to speak.", sure=False),
    # -- English: between the two
    Connective("led to", "led|leading", r"\b(?:led|leading)\s+(?:directly\s+)?to\b", "cause first", "The leak led to a short circuit.", "The path leads to a lake.", before=r"(?:road|path|trail|street|stairs|door|corridor|bridge|track)\s+"),
    Connective("resulted in", "result", r"\b(?:resulted|resulting)\s+in\b", "cause first", "The bug resulted in lost orders."),
    Connective("caused by", "caused|triggered|brought", r"\b(?:caused|triggered|brought\s+(?:about|on))\s+by\b", "effect first", "The outage was caused by an expired certificate."),
    Connective("caused", "caus|trigger", r"\b(?:caused|causing|triggered|triggering)\b", "cause first", "The expired certificate caused an outage.", "The alarm was triggered at noon.", before=r"\b(?:be|been|being|is|are|was|were|get|got|gets)\s+", after=r"\s*(?:at|on|in|when|every|manually|automatically)\b"),
    Connective("stems from", "stem|result", r"\b(?:stems?|stemmed|resulted|results|resulting)\s+from\b", "effect first", "The delay stems from a missing part."),
    Connective("the reason is", "reason", r"\b(?:the|my|our|one|another)\s+(?:main\s+|only\s+|real\s+)?reason\s+(?:is|was|being)\s+(?:that|because)\b|\breason\s+being\b", "effect first", "The reason is that the battery was flat."),
    Connective("reason was", "reason", r"\bthe\s+(?:main\s+|only\s+|real\s+|biggest\s+|whole\s+)?reasons?\s+(?:why\s+|that\s+|for\s+|behind\s+)?(?P<effect>[^,;]{3,120}?)\s+(?:is|was|were|are|has\s+been)\s+(?:that\s+|because\s+|due\s+to\s+)?(?P<cause>(?!(?:very\s+|quite\s+)?(?:complex|varied|various|many|several|numerous|unclear|unknown|obvious|simple)\b).{3,})", "named", "The reason we left Berlin was the rent.", "The reason is unknown."),
    Connective("because of", "because|cuz", r"\b(?:because|cuz)\s+of\b", "effect first", "We cancelled because of the storm."),
    Connective("because", "because|cuz|coz|'cause|'cos|bcs", r"\b(?:because|cuz|coz|bcs|becuz)\b|(?<!\w)'(?:cause|cos|cuz)\b", "effect first", "I moved to Porto because my sister lives there.", "Just because it compiles doesn't mean it works.", after=r".*\b(?:doesn't|does\s+not|don't|didn't)\s+mean\b"),
    Connective("due to", "due", r"\bdue\s+to\b", "effect first", "The flight was cancelled due to fog.", "The train is due to arrive at nine.", before=r"\b(?:payments?|amounts?|rent|money|fees?|sums?|taxes|bills?|invoices?|respect|credit)\s+", after=_DUE),
    Connective("owing to", "owing|account", r"\b(?:owing\s+to|on\s+account\s+of)\b", "effect first", "The match was called off owing to rain."),
    Connective("as a result of", "result|consequence", r"\bas\s+a\s+(?:direct\s+)?(?:result|consequence)\s+of\b", "effect first", "Sales fell as a result of the strike."),
    Connective("thanks to", "thanks", r"\bthanks\s+to\b", "effect first", "I passed thanks to her notes.", sure=False),
    Connective("since", "since", rf",\s*since(?=\s+{_SUBJECT})", "effect first", "We took the train, since the road was closed.", "I have lived here a while, since the war ended.", before=r"(?:\b(?:have|has|had|been|ever)\b|'ve\b).*", after=_TIMES),
    Connective("since (opening)", "since", rf"^\s*since(?=\s+{_SUBJECT})", "effect first", "Since the road was closed, we took the train.", after=_TIMES, sure=False),
    Connective("given that", "given|seeing|considering", r"\b(?:given\s+that|seeing\s+that|seeing\s+as|considering\s+that)\b", "effect first", "We stayed, given that it rained.", sure=False),
    # -- Russian: a reference back
    Connective("поэтому", "поэтому", r"\b(?:и\s+)?(?:именно\s+)?поэтому\b", "cause first", "Поэтому мы переехали в Казань."),
    Connective("потому и", "потому|оттого", r"\b(?:потому|оттого)\s+(?:и|мы|я|он|она|они|так)\b(?!\s+что)", "cause first", "Потому и опоздал."),
    Connective("вот почему", "почему", r"\bвот\s+(?:и\s+)?почему\b", "cause first", "Вот почему свет горел."),
    Connective("из-за этого", "за|вследствие|результате|причине", r"\b(?:из[-\s]за|вследствие|в\s+результате|по\s+причине)\s+(?:всего\s+)?(?:этого|того|чего|которого|которой|которых)\b(?!\s*,?\s*что\b)(?!\s+[а-я]+(?:ого|его|ия|ья)\b)", "cause first", "Из-за этого сорвался релиз."),
    Connective("по этой причине", "причине", r"\bпо\s+(?:этой|той|такой)\s+(?:самой\s+|же\s+)?причине\b(?!\s*,?\s*что\b)", "cause first", "По этой причине мы выбрали SQLite."),
    Connective("в связи с этим", "связи", r"\bв\s+связи\s+с\s+(?:этим|чем)\b", "cause first", "В связи с этим встречу перенесли."),
    Connective("следовательно", "следовательно", r"\bследовательно\b", "cause first", "Диск полон, следовательно, копия не записалась."),
    Connective("в результате", "результате|итоге", r"\bв\s+(?:результате|итоге)(?=\s*,|\s+(?:я|мы|он|она|оно|они|ты|вы|все|всё|пришлось|нам|мне|ему|ей|им|не|никто|ничего|у\s+нас|у\s+меня|[а-я]*(?:[бгджзклмнпрстфцчшщь]|ло|ли))\b)", "cause first", "В результате мы опоздали на поезд.", "В результате поиска ничего нет."),
    Connective("так что", "так", r",\s*так\s+что\b", "cause first", "Ключи потерял, так что позвонил Боре.", sure=False),
    Connective("а значит", "значит", r"\b(?:а\s+)?значит\b", "cause first", "Порт занят, а значит, сервис не встал.", "Что это значит.", sure=False),
    # -- Russian: between the two
    Connective("причина в том, что", "причина", r"\bпричина\s+(?:была\s+|оказалась\s+|тут\s+|здесь\s+|простая\s*[:—–-]?\s*)?(?:в\s+том\s*,?\s*что|в)\b", "effect first", "Причина в том, что сертификат истек."),
    Connective("причиной стало", "причин", r"\bпричин(?:ой|ою|а)\s+(?P<effect>[^,;]{3,120}?)\s*(?:\s(?:стал[аои]?|был[аои]?|оказал(?:ся|ась|ось|ись)|является|в\s+том\s*,?\s*что)|[—–])\s+(?P<cause>.{3,})", "named", "Причиной аварии стал перегрев.", "Причина аварии неизвестна."),
    Connective("стало причиной", "причиной", r"\b(?:стал[аои]?|послужил[аои]?|был[аои]?)\s+причиной\b", "cause first", "Перегрев стал причиной аварии."),
    Connective("привело к", "прив", r"\b(?:привел[аои]?|приведш\w+)\s+к\b", "cause first", "Утечка привела к замыканию.", "Он привел к нам друга.", after=r"\s*(?:нам|нему|ней|мне|ним|вам|тебе|врачу|доктору|директору|бабушке|дому|себе)\b"),
    Connective("вызвало", "вызвал", r"\bвызвал[аои]?\b", "cause first", "Обновление вызвало сбой.", "Я вызвал такси.", after=r"\s*(?:такси|врача|скорую|полицию|мастера|лифт|сантехника|электрика|эвакуатор|меня|его|ее|их|нас|вас|тебя|на|к|курьера|помощь|функцию|метод|команду|скрипт)\b"),
    Connective("вызвано", "вызван|обусловлен", r"\b(?:вызван[аоы]?|обусловлен[аоы]?)\b", "effect first", "Сбой был вызван обновлением.", "Я вызван к директору.", after=r"\s*(?:в|к|на)\b"),
    Connective("потому что", "потому|оттого", r"\b(?:потому|оттого)\s*,?\s+что\b", "effect first", "Я переехал в Казань, потому что там живет сестра."),
    Connective("потому как", "потому", r"\bпотому\s+как\b", "effect first", "Не поехал, потому как заболел."),
    Connective("из-за того, что", "за|вследствие|результате|ввиду|причине|связи|благодаря", r"\b(?:из[-\s]за|вследствие|в\s+результате|ввиду|по\s+причине|в\s+связи\s+с|благодаря)\s+(?:того|тем|тому)\s*,?\s*что\b", "effect first", "Сборка упала из-за того, что кончилось место."),
    Connective("из-за", "за", r"\bиз[-\s]за\b", "effect first", "Рейс отменили из-за тумана.", "Он вышел из-за угла.", after=_SPACE),
    Connective("так как", "как", r"(?:^|[,;:(—–-])\s*так\s+как\b", "effect first", "Мы поехали поездом, так как дорогу закрыли.", "Так как насчет пятницы.", after=r"\s*(?:насчет|на\s+счет|дела|же|поживаешь|там|твои|ваши|тебе|вам|зовут|быть|ты\s+сказал|я\s+сказал|я\s+говорил)\b"),
    Connective("поскольку", "поскольку", r"\bпоскольку\b(?!\s+постольку)", "effect first", "Взяли такси, поскольку автобус не пришел."),
    Connective("ибо", "ибо", r"\bибо\b", "effect first", "Не спорю, ибо устал."),
    Connective("вследствие", "вследствие|ввиду|причине", r"\b(?:вследствие|ввиду|по\s+причине)\b", "effect first", "Матч перенесли вследствие дождя.", "Я имел ввиду другое.", before=r"име\w+\s+"),
    Connective("в результате аварии", "результате", r"\bв\s+результате\s+(?=(?:авари|сбо[яе]|ошибк|пожар|взрыв|атак|обновлени|утечк|дтп|отключени|перегрев|паден|конфликт|забастовк|шторм|ураган|поломк|сокращени)\w*)", "effect first", "Данные пропали в результате сбоя."),
    Connective("благодаря", "благодаря", r"\bблагодаря\b", "effect first", "Сдал благодаря ее конспектам.", sure=False),
    Connective("в связи с", "связи", r"\bв\s+связи\s+с\b", "effect first", "Офис закрыт в связи с ремонтом.", sure=False),
    Connective("ведь", "ведь", r"\bведь\b", "effect first", "Останусь дома, ведь идет дождь.", sure=False),
)  # fmt: skip

#: Right before the words: it was not for that. "Not only because" is none.
NEGATED = (
    r"(?:\bnot|n't|\bnever|\bno\s+longer)\s+(?:(?:really|necessarily|entirely|exactly|actually|at\s+all|so\s+much|happen|fail|simply)\s+)?$"
    r"|\bне\s+(?:столько\s+)?$|\b(?:ничуть|вовсе|отнюдь|совсем)\s+не\s+$|\bneither\s+.{0,40}\bnor\s+$|\brather\s+than\s+$"
)
#: Anywhere in the sentence: it is only supposed.
SUPPOSED = (
    r"\b(?:if|unless|whether|suppose|supposing|supposedly|imagine|hypothetically|pretend|let's\s+say|as\s+though|in\s+case)\b|"
    r"\b(?:если|допустим|предположим|представь(?:те)?|вообрази|якобы|будто|кабы|разве)\b"
)
#: Before the words, or right after them: it is only guessed.
GUESSED = (
    r"\b(?:would(?!\s+(?:love|like|prefer|rather|always|often)\b)|wouldn't|could\s+(?:\w+\s+)?(?:be|have)|can\s+be|might|(?-i:may)|maybe|"
    r"perhaps|possibly|probably|presumably|likely|apparently|seems?|guess|wonder|not\s+sure|unclear|unsure|suspect|assume|assuming|doubt)\b|"
    r"\b(?:бы|б|может|могло|возможно|наверное|наверно|вероятно|вдруг|видимо|похоже|кажется|вряд|предполагаю|подозреваю|"
    r"сомневаюсь|непонятно|неясно)\b"
)
#: An effect or a cause that is no more than a pointer: it means what was said before.
POINTER = (
    r"(?:(?:it|this|that|which|all\s+(?:of\s+)?(?:it|this|that)|what\s+happened)(?:'s|\s+is|\s+was|\s+has\s+been|\s+happened|\s+happens|"
    r"\s+came(?:\s+about)?|\s+did|\s+all|\s+just|\s+mostly|\s+mainly|\s+partly|\s+only|\s+simply|\s+all\s+this)*|mostly|mainly|partly|only|simply|just|all|"
    r"i\s+did|we\s+did|i\s+do|we\s+do|i\s+know|(?:и\s+)?(?:(?:все\s+)?это|оно|такое|так|все)(?:\s+(?:было|произошло|случилось|вышло|получилось|все|"
    r"происходит|бывает))*|(?:а\s+)?(?:просто|только|отчасти|в\s+основном|скорее|именно)|(?:было|произошло|случилось|вышло)(?:\s+(?:это|так))?)"
)
#: A part that begins so speaks of what was just named.
PRONOUN = r"(?:it|this|that|they|these|he|she|он|она|оно|они|это|эта|этот|эти)\b"
#: What may stand before the words at the beginning of a message without being the cause or the effect.
OPENERS = (
    r"(?:yes|yeah|yep|yup|no|nope|right|exactly|ok|okay|well|oh|ah|aw|aww|wow|haha|lol|and|but|so|sure|totally|true|also|plus|then|thanks|"
    r"great|cool|nice|of\s+course|absolutely|definitely|agreed|i\s+see|i\s+guess|i\s+think|i\s+mean|hmm|hey|honestly|actually|basically|"
    r"(?:an?d\s+)?that's\s+true|да|нет|ага|угу|ну|вот|точно|именно|и|а|но|ок|окей|ладно|конечно|ой|ах|эх|ясно|понятно|согласен|согласна|"
    r"верно|правда|честно|короче|в\s+общем|вообще|то\s+есть|наверняка|собственно)"
)
#: A sentence that only reacts to the other one: what it follows is still the message before.
REACTION = (
    r"^\W*(?:thank\w*|thx|wow|great|nice|cool|awesome|amazing|congrat\w*|yay|yes|yeah|yep|oh|aw+|haha\w*|lol|right|exactly|"
    r"absolutely|definitely|totally|agreed|true|of\s+course|sure|i\s+agree|i\s+know|i\s+see|same|me\s+too|hey|hi|hello|sounds|"
    r"(?:i'm\s+)?(?:(?:so|very|really)\s+)?(?:glad|happy|sorry|proud)|love\s+(?:it|that)|good|that's|it's\s+so|so\s+true|no\s+way|ugh|спасибо|ого|вау|круто|здорово|класс\w*|"
    r"отличн\w+|поздравл\w+|да|ага|угу|ой|ох|эх|жаль|точно|именно|верно|согласен|согласна|понятно|ясно|привет|ну|ничего\s+себе|супер|"
    r"молодец|правда|рад|рада)\b"
)
#: Who speaks of himself in such a sentence says more than that.
SELF = r"\b(?:i|i'm|i've|i'd|we|we've|my|our|me|us|я|мы|мой|моя|мои|наш\w*|меня|нас|мне|нам)\b"
#: A question for the reason.
ASKS_WHY = (
    r"\b(?:why|how\s+come|what\s+(?:caused|made|happened|led|went\s+wrong)|what's\s+the\s+reason|reason|почему|зачем|отчего|"
    r"из-за\s+чего|по\s+какой\s+причине|в\s+чем\s+(?:дело|причина)|что\s+(?:случилось|произошло)|с\s+чего)\b"
)
