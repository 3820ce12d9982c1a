"""What the tables of :mod:`.instructions` are made of: the shape of a row, and words that rows share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

# -- words the patterns share ------------------------------------------------------------------------------------------

#: Beginning of an order: of the text, a line or a sentence, or after a word of courtesy or urgency.
START = (
    r"(?:^|[\n.!?:;\"'«»“”(\[<>\-—–|,]|\b(?:please|now|then|and|also|just|kindly|must|should|immediately|first|pls|"
    r"you\sto|you\sshall|you\swill|пожалуйста|теперь|затем|потом|и|также|просто|немедленно|сначала|должен|должна|"
    r"должны|обязан|нужно|надо|необходимо|срочно))\s*"
)
AI = (
    r"(?:ai|a\.i\.|llms?|(?:large\s)?language\smodels?|chat\s?bots?|chatgpt|gpt[-\w]{0,8}|claude|gemini|copilot|codex|"
    r"(?:(?:ai|coding|virtual|personal|digital|autonomous|helpful)\s)*(?:assistants?|agents?|bots?)|(?:ai\s)?models?)"
)
AI_RU = (
    r"(?:ии(?:[-\s](?:ассистент|агент|помощник|модел|бот)\w{0,4})?|нейросет\w{1,3}|языков\w{2,3}\sмодел\w{1,3}|чат-?бот\w{0,3}|"
    r"ассистент\w{0,3}|бот\w{0,2}|(?:ии[-\s])?агент\w{0,3}|(?:виртуальн|цифров|умн|электронн)\w{2,3}\sпомощник\w{0,3}|"
    r"модел(?:ь|и|ям)|ллм|llm|gpt[-\w]{0,8}|chatgpt|claude)"
)
USER = r"(?:(?:the|this|our|your|my)\s)?(?:user|owner|human|operator|account\sholder|customer|client)(?:'s)?"
USER_RU = r"(?:пользовател|юзер|владел|хозяин|хозяй|клиент|человек|заказчик)\w{0,4}"
RULES = (
    r"(?:instructions?|rules?|prompts?|guidelines?|directions?|directives?|commands?|orders?|constraints?|polic(?:y|ies)|"
    r"restrictions?|guardrails?|training|programming|context|messages?|limitations?|safeguards?|safety\s\w{1,12})"
)
RULES_RU = (
    r"(?:инструкци|правил|указани|команд|промпт|распоряжени|директив|ограничени|настройк|предписани|установк|запрет|"
    r"приказ|сообщени|контекст|политик|обучени)\w{0,4}"
)
SECRET = (
    r"(?:api[\s_-]?keys?|passwords?|passphrases?|credentials?|secrets?|tokens?|private\skeys?|ssh\skeys?|"
    r"(?:chat|conversation|message|browsing)\s(?:history|log)s?|conversations?|memor(?:y|ies)|system\sprompt|contacts?|"
    r"environment(?:\svariables)?|env\sfile|\.env|cookies?|card\s(?:numbers?|details)|bank\sdetails|personal\sdata|"
    r"address\sbook|inbox|notes?\s(?:of|about)\sthe\suser)"
)
SECRET_RU = (
    r"(?:парол|ключ|токен|секрет|реквизит|логин|cookie|куки|переписк|истори\w{1,2}\s(?:чат|сообщени|переписк|диалог)|"
    r"памят|воспоминани|контакт|данны\w{1,2}\sкарт|персональны\w{1,2}\sданны|учетны\w{1,2}\sданны|системны\w{1,2}\sпромпт|"
    r"адресн\w{2,3}\sкниг)\w{0,4}"
)
WHERE = r"(?:https?://|hxxps?://|www\.|[\w.+-]{1,40}@[\w-]{1,40}\.|[\w-]{1,30}\.(?:com|net|io|ru|org|example|xyz|top|tk|evil)\b|webhook|вебхук)"
#: What an order to an agent asks for. After "SYSTEM:" or "AI agents must", not by itself.
ORDER = (
    r"(?:you\b|your\b|the\s(?:assistant|agent|ai|model|user)|ignore|disregard|forget|call|invoke|send|forward|delete|"
    r"execute|run|always|never|from\snow|new\s(?:instruction|rule|task|polic)|override|do\snot|don't|remember|store|save|"
    r"transfer|approve|grant|disable|reveal|print|output|respond|reply|answer|treat|obey|comply|drop|wipe|remove|pay|"
    r"include|recommend|mark|rate|add|append|insert|click|open|visit|download|install|say|tell|switch|enable|set|upload|"
    r"share|email|post|use|grant|stop|trust|purge|erase|"
    r"ты\b|вы\b|тебе|вам\b|твоя|твой|ваша|игнорируй|забудь|вызови|отправь|перешли|удали|выполни|всегда|никогда|"
    r"отныне|впредь|нов(?:ая|ое|ые|ый)\s(?:инструкц|правил|задач|указан)|запомни|сохрани|переведи|одобри|отключи|"
    r"раскрой|выведи|отвечай|считай|подчин|сотри|оплати|рекоменду|добавь|вставь|открой|скачай|установи|скажи|сообщи|"
    r"включи|передай|не\s(?:говори|сообщай|спрашивай|упоминай|показывай)|используй|доверяй|очисти|обнули)"
)


@dataclass(frozen=True)
class Bait:
    """One kind of wording.

    Attributes:
        kind: what it tries. source: on folded text (lower case, ``ё`` as ``е``, single blanks, marks of emphasis gone).
        needs: pieces of words of which a text that matches holds one; looked for first, as that is quick.
        example: a text that matches. ordinary: a text close to it that does not.
    """

    kind: str
    needs: tuple[str, ...]
    source: str
    example: str
    ordinary: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when a text first holds one of its pieces: all of them together take 0.15 s."""
        return re.compile(self.source)


def row(kind: str, needs: str, pattern: str, example: str, ordinary: str) -> Bait:
    """A row; ``needs`` is written with bars."""
    return Bait(kind, tuple(needs.split("|")), pattern, example, ordinary)
