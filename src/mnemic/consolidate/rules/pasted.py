"""What somebody pastes into a message is not what he says: outputs of tools, mail, pages, transcripts.

A line that announces such a text decides, so that "I live in Riga" below "Tool output:" is nobody's statement. What the
writer announces as his own ("here is my bio:") stays. Every replacement keeps the length and the lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

__all__ = ["ANNOUNCED", "Announced", "without_pasted"]


class Announced(NamedTuple):
    """How a text of others is announced at the beginning of a line.

    Attributes:
        cue: words in small letters, one of which the message holds (a pattern is tried only then).
        pattern: of the announcement, from the beginning of the line.
        reach: how far the text goes: to the end of the ``line``, of the ``paragraph``, or of the ``message``.
        example: a message that states nothing about its writer.
    """

    cue: str
    pattern: str
    reach: Literal["line", "paragraph", "message"]
    example: str


_THING = (
    r"(?:web ?page|page|article|e-?mail|letter|message|post|text|document|log|logs|transcript|output|results?|response|"
    r"review|comment|ticket|conversation|chat|snippet|excerpt|story|passage|paragraph)"
)
_RU_THING = (
    r"(?:страниц[аы]|стать[яи]|письмо|сообщени[ея]|пост|текст|документ|лог|логи|расшифровка|вывод|результаты?|ответ|"
    r"отзыв|комментарий|тикет|переписка|чат|отрывок|рассказ|абзац)"
)
ANNOUNCED: tuple[Announced, ...] = (
    Announced("output result results response", r"(?:(?:the |a )?[\w./-]+ ){0,4}(?:output|results?|response)(?: (?:of|from|for|is|was)(?: [^\s:]+){1,6})?:", "message", "Tool output:\nI live in Porto."),
    Announced("here this", rf"(?:here(?:'s| is| are|)|this is) (?:[\w'-]+ ){{0,4}}{_THING}(?: [^\s:]+){{0,8}}:", "message", "Here is the page:\n\nI live in Porto."),
    Announced("from", rf"{_THING} from [^\n:]{{1,60}}:", "message", "Email from John: I live in Porto."),
    Announced("copied pasted quoted forwarded", r"(?:i )?(?:copied|pasted|quoted|quoting|forwarded)(?: (?:this|it))? from [^\n:]{1,60}:", "message", "Copied from the site: I live in Porto."),
    Announced("fwd fw forwarded", r"(?:fwd?:|-{2,} ?(?:forwarded|original) message)", "message", "Fwd: I live in Porto."),
    Announced("wrote writes", r"(?:on [^\n:]{1,60}, )?[^\n:,]{1,60} (?:wrote|writes):", "message", "On Monday, John wrote:\nI live in Porto."),
    Announced("translate summarize summarise proofread rewrite rephrase paraphrase", r"(?:please |can you |could you )?(?:translate|summari[sz]e|proofread|rewrite|rephrase|paraphrase)\b[^\n:]{0,60}:", "message", "Translate into French: I live in Porto."),
    Announced("вывод результат результаты ответ", r"(?:вывод|результаты?|ответ) (?:команды|поиска|инструмента|функции|запроса|программы|сервера|api)[^\n:]{0,60}:", "message", "Результат поиска:\nЯ живу в Туле."),
    Announced("вот это", rf"(?:вот|это)(?: [^\s:]+){{0,3}} {_RU_THING}(?: [^\s:]+){{0,6}}:", "message", "Вот текст со страницы: Я живу в Туле."),
    Announced("вот написано пишут", r"(?:вот )?(?:что )?(?:там |тут )?(?:написано|пишут)[^\n:]{0,60}:", "message", "Вот что пишут на сайте: Я живу в Туле."),
    Announced("от", rf"{_RU_THING} от [^\n:]{{1,60}}:", "message", "Письмо от Ивана:\nЯ живу в Туле."),
    Announced("скопировал скопировала вставил вставила переслал переслала", r"(?:я )?(?:скопировала?|вставила?|переслала?)(?: это)? (?:из|с|от) [^\n:]{1,60}:", "message", "Скопировал из чата: Я живу в Туле."),
    Announced("пересланное пересылаю", r"-* ?(?:пересланное сообщение|пересылаю)[^\n:]{0,40}(?::|-{2,})", "message", "Пересланное сообщение: Я живу в Туле."),
    Announced("пишет написал написала", r"(?!я |мне |что )[^\n:,]{1,40} (?:пишет|написала?):", "message", "Иван пишет: Я живу в Туле."),
    Announced("переведи переведите перескажи сократи перепиши отредактируй", r"(?:пожалуйста,? )?(?:переведи|перескажи|сократи|перепиши|отредактируй)(?:те)?\b[^\n:]{0,60}:", "message", "Переведи на английский: Я живу в Туле."),
    Announced("user human assistant system tool ai bot", r"(?:\[|<\|)?(?:user|human|assistant|system|tool|ai|bot|function)(?:\]|\|>)? ?:", "paragraph", "assistant: I live in Porto."),
    Announced("пользователь ассистент система бот", r"\[?(?:пользователь|ассистент|система|бот)\]? ?:", "paragraph", "Ассистент: Я живу в Туле."),
    Announced("from subject sent", r"(?:from|subject|sent): [^\n]*\n(?:to|cc|subject|date|sent|from): ", "message", "From: j@x.org\nSubject: hi\n\nI live in Porto."),
    Announced("от кому тема", r"(?:от|тема): [^\n]*\n(?:кому|копия|тема|дата|от): ", "message", "От: Иван\nТема: дом\n\nЯ живу в Туле."),
    Announced("$", r"(?:\w+@[\w-]+[:~\w/]*)?\$ \S", "paragraph", "$ cat notes.txt\nI live in Porto."),
)  # fmt: skip
_ROWS = tuple((tuple(row.cue.split()), re.compile(row.pattern, re.I), row.reach) for row in ANNOUNCED)
#: The writer's own text, whatever it is called.
_OWN = re.compile(r"\b(?:my|me|myself|our|i|мой|моя|моё|мое|мои|моего|мою|себе|себя|наш|наша|наше|обо мне|я)\b", re.I)
_NOT_OWN = re.compile(r"\b(?:i|я) (?:copied|pasted|quoted|forwarded|скопировал|вставил|переслал)", re.I)
_BLOCK = re.compile(r'"""(?:.*?)(?:"""|\Z)|\'\'\'(?:.*?)(?:\'\'\'|\Z)', re.S)
_LINE = re.compile(r"^[ *_#>-]{0,8}(?=\S)", re.M)
_WORD = re.compile(r"[^\W\d_]+|\$")
_MOST = 300  # characters of a line in which an announcement is looked for


def without_pasted(text: str) -> str:
    """The text with what is announced as the words of others blanked out, places unchanged."""
    if '"""' in text or "'''" in text:
        text = _BLOCK.sub(lambda match: _blank(match.group()), text)
    if ":" not in text and "$" not in text and "---" not in text:
        return text
    held = set(_WORD.findall(text.lower()))
    rows = [(pattern, reach) for cue, pattern, reach in _ROWS if not held.isdisjoint(cue)]
    out, at = [], 0
    for start, end in _spans(text, rows) if rows else ():
        out += [text[at:start], _blank(text[start:end])]
        at = end
    return "".join([*out, text[at:]])


def _spans(text: str, rows: Sequence[tuple[re.Pattern[str], str]]) -> Iterator[tuple[int, int]]:
    """Places of the texts of others, in order."""
    at = 0
    for line in _LINE.finditer(text):
        start = line.end()
        if start < at:
            continue
        head = text[start : start + _MOST]
        for pattern, reach in rows:
            match = pattern.match(head)
            if match is None or (_OWN.search(match.group()) and not _NOT_OWN.search(match.group())):
                continue
            at = _end(text, start + match.end(), reach)
            yield start + match.end(), at
            break
        if at == len(text):
            return


def _end(text: str, at: int, reach: str) -> int:
    found = -1 if reach == "message" else text.find("\n" if reach == "line" else "\n\n", at)
    return len(text) if found < 0 else found


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
