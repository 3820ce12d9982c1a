"""From a message to clauses that may state something: what is quoted, code or recalled memory is blanked first.

Every replacement keeps the length, so a place in the cleaned text is the same place in the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .pasted import without_pasted

MAX_SENTENCE = 700  # longer ones are lists, logs or prose that no rule reads well
MAX_TEXT = 400_000

_PLAIN = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "´": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "\u00a0": " ",
        "\t": " ",
        "–": "—",
        "\r": "\n",
    }
)
_FENCES = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.S)
_TAGGED = re.compile(r"<([a-zA-Z][\w-]{1,40})(?:\s[^<>]{0,400})?>")
#: The lines of recalled memory, should the fence around them have been lost.
_RECALLED = re.compile(r"^- \[\d{4}-\d\d-\d\d(?:, [^\]\n]{0,120})?\] .*$", re.M)
_BLOCKQUOTE = re.compile(r"^[ ]{0,3}>.*$", re.M)
_QUOTED = re.compile(r'"[^"\n]{1,600}"|«[^«»\n]{1,600}»')
_OWN_WORDS = re.compile(r"(?:i|i'm|i've|we|my|you|your|я|мы|мой|моя|мои|у меня|мне|ты|вы)\b", re.I)
_MARKUP = re.compile(r"\*\*|__|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)")
_BULLET = re.compile(r"^[ ]*(?:[-*•+]|\d{1,3}[.)])[ ]+", re.M)
_CODE_LINE = re.compile(
    r"^(?=.)(?: {4,}\S.*|\|.*|[{}\[\]].*|[$#>%]+ .*|.*[;{}]|.*\)[:;]|(?:def|class|import|from|const|let|var|return|SELECT|INSERT) .*"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*|[A-Z]+(?:ERROR|WARN|INFO|DEBUG)\b.*|Traceback .*|File \".*)[ ]*$",
    re.M,
)
_END = re.compile(r"[.!?…\n][.!?…\n]*[\"'»)\]]*(?:(?<=\n)|(?=\s|\Z))")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(\"«])(?:dr|mr|mrs|ms|prof|st|inc|ltd|co|corp|vs|etc|e\.g|i\.e|approx|no|jr|sr|[A-Za-zА-Яа-я]|г|гг|ул|д|"
    r"т\.е|т\.д|т\.п|т\.к|им|руб|тыс|млн|стр|см|ср|напр)\.$",
    re.I,
)

#: Where a sentence falls apart: before one of these, after a comma or without one.
_SUBJECTS = r"(?:i|i'[a-z]+|we|we'[a-z]+|he|she|they|it|you|he's|she's|it's|they're|you're|there|my|our|your|his|her|their|this|that)"
_OPENS = (
    r"(?:and|but|so|because|since|as|although|though|while|whereas|which|who|whom|where|when|if|unless|until|after|before|"
    r"what|why|how|can|could|would|will|should|do|does|did|is|are|please|any|suggest|recommend|give|tell|help|let|find|"
    rf"show|write|make|plan|book|now|then|{_SUBJECTS})"
)
_RU_SUBJECTS = r"(?:я|мы|он|она|они|оно|ты|вы|у меня|у нас|мне|меня|нам|мой|моя|моё|мое|мои|моего|мою|наш|наша|наши)"
_RU_OPENS = (
    r"(?:и|а|но|да|или|поэтому|потому|так как|ведь|зато|однако|хотя|что|чтобы|который|которая|которые|которое|которого|"
    r"которую|которой|котором|где|куда|когда|если|пока|раз|какой|какая|какие|какую|сколько|как|почему|зачем|кто|чем|"
    rf"посоветуй|посоветуйте|подскажи|подскажите|помоги|помогите|расскажи|напиши|сделай|дай|найди|теперь|сейчас|{_RU_SUBJECTS})"
)
#: "I live in Berlin and work at Acme": a verb after "and" goes on with the same subject.
_VERBS = (
    r"(?:live|lives|work|works|moved|love|loves|like|likes|hate|hates|prefer|prefers|have|has|use|uses|speak|speaks|study|studies|am|"
    r"is|drink|drinks|started|stopped|quit|switched|decided|joined|rejoined|left|became|relocated|eat|eats|married|divorced|enrolled|transferred|migrated|own|owns|bought|got|adopted|can't|cannot|don't|doesn't|usually|always|never|just|recently)"
)
_RU_VERBS = (
    r"(?:живу|живёт|живет|учу|изучаю|работаю|работает|люблю|любит|не люблю|не любит|обожаю|ненавижу|учусь|учится|пользуюсь|предпочитаю|переехала?|купила?|завела?|"
    r"взяли|уволил(?:ся|ась)|уш(?:ёл|ла)|стала?|разлюбила?|полюбила?|перебрал(?:ся|ась)|поступила?|бросила?|перешла?|перешёл|пью|пьёт|хожу|ходит|устроилась|устроился|играю|говорю|боюсь|не ем|не пью|больше не|назвали|назвал|назвала)"
)
_SPLIT = re.compile(
    rf"(?<!live)(?<!lives)(?:,)?\s+and\s+(?={_VERBS}\b)|\s+и\s+(?={_RU_VERBS}\b)|,\s+(?=(?:[а-яё]+ )?{_RU_VERBS}\b)|,\s+(?=(?:из|у|с|в|на) )|"
    r"[;:](?=\s)|\s[—-]+\s(?=(?:and|but|so|because|which|i|we|my|our|и|а|но|я|мы)\b)|(?<=[A-Za-z0-9,.!)'])\s[—-]+\s(?=[a-z])|[()]"
    rf"|,\s+(?={_OPENS}\b)|,\s+(?={_RU_OPENS}\b)"
    rf"|\s+(?=(?:and|but|so|because|since|although|though|while|whereas)\s+{_SUBJECTS}\b)|\s+(?=but\s)|\s+(?=because\s)"
    rf"|\s[—-]+\s(?=(?:имей|имейте|учти|учтите|запомни|помоги|подскажи|посоветуй|сделай|поправь|напиши|давай|надо|нужно|потому|поэтому|так|теперь|сейчас)\b)|\s+(?=(?:и|а|но)\s+{_RU_SUBJECTS}\b)|\s+(?=(?:потому что|так как|если)\s)"
    r"|\s+(?=if\s)"
    r"|\s+(?=so\s+(?:keep|please|pls|no|the|that|don't|make|use|let|any|all|just|you|your|skip|plan|stop|never|give|tell|update|check|count|"
    r"expect|bear|adjust|can|could|what|how|which|where|if|there|here|nothing|everything|everyone|now)\b)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence: its words (cleaned), its place, and how it is bound to what stands before it."""

    text: str
    start: int
    end: int
    bound: str = ""  # the sign or word it was split at: "," "(" ":" …


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: its place in the text, and whether a question mark ends it."""

    text: str
    start: int
    end: int
    asks: bool

    def clauses(self) -> list[Clause]:
        """Its clauses; cut on every call, since most sentences need none."""
        return list(_clauses(self.text, self.start))


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def _blank_quoted(match: re.Match[str]) -> str:
    """Quoted speech goes, a quoted name («Яндекс», "Acme") stays."""
    inner = match.group()[1:-1].strip()
    if len(inner.split()) <= 4 and not _OWN_WORDS.match(inner) and inner[-1:] not in ".!?,…":
        return match.group()
    return "\ufffc" * len(match.group())


def _without_tags(text: str) -> str:
    """Blanks what stands between a tag and its end, each looked for once."""
    out, at = [], 0
    last = {}
    for match in _TAGGED.finditer(text):
        if match.start() < at:
            continue
        close = f"</{match[1]}>"
        if close not in last:
            last[close] = text.rfind(close)
        if last[close] < match.end():
            continue
        end = text.index(close, match.end()) + len(close)
        out += [text[at : match.start()], re.sub(r"[^\n]", " ", text[match.start() : end])]
        at = end
    return "".join([*out, text[at:]])


def cleaned(text: str) -> str:
    """The text in plain signs, blank where it is not the speaker's own prose; as long as the original."""
    text = text[:MAX_TEXT].translate(_PLAIN)
    if "```" in text or "~~~" in text:
        text = _FENCES.sub(_blank, text)
    if "<" in text:
        text = _without_tags(text)
    if "- [" in text:
        text = _RECALLED.sub(_blank, text)
    text = without_pasted(text)
    if ">" in text:
        text = _BLOCKQUOTE.sub(_blank, text)
    if "\n" in text:
        text = _CODE_LINE.sub(_blank, text)
        text = _BULLET.sub(_blank, text)
    if '"' in text or "«" in text:
        text = _QUOTED.sub(_blank_quoted, text)
    if "*" in text or "__" in text:
        text = _MARKUP.sub(_blank, text)
    return text


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a cleaned text, in order."""
    at = 0
    for match in _END.finditer(text):
        sign = match.group()
        if (
            sign[0] in ".…"
            and text[match.end() : match.end() + 2].strip()[:1].islower()
            and sign.strip(".…") == ""
            and sign != "."
        ):
            continue
        if sign[0] == "." and len(sign) == 1 and _ABBREVIATED.search(text, max(at, match.start() - 8), match.end()):
            continue
        if made := _sentence(text, at, match.start(), "?" in sign):
            yield made
        at = match.end()
    if made := _sentence(text, at, len(text), False):
        yield made


def _sentence(text: str, start: int, end: int, asks: bool) -> Sentence | None:
    while start < end and text[start] in " \n#>*-—•\ufffc":
        start += 1
    while end > start and text[end - 1] in " \n":
        end -= 1
    if end - start < 6 or end - start > MAX_SENTENCE:
        return None
    words = text[start:end]
    return Sentence(words, start, end, asks)


#: "my wife (Katya)": a name in brackets belongs to what stands before it.
_BRACKETED = re.compile(r"\(([A-ZА-ЯЁ][\w-]*(?: [A-ZА-ЯЁ][\w-]*)?)\)")
_KEPT, _GIVEN_BACK = str.maketrans("()", "\x01\x02"), str.maketrans("\x01\x02", "()")


def _clauses(words: str, start: int) -> Iterator[Clause]:
    if "(" in words:
        words = _BRACKETED.sub(lambda m: m.group().translate(_KEPT), words)
        for clause in _split(words, start):
            yield replace(clause, text=clause.text.translate(_GIVEN_BACK))
    else:
        yield from _split(words, start)


def _split(words: str, start: int) -> Iterator[Clause]:
    at, bound = 0, ""
    for match in _SPLIT.finditer(words):
        if words[at : match.start()].strip():
            yield Clause(words[at : match.start()].strip(" ,"), start + at, start + match.start(), bound)
        bound = match.group().strip() or " "
        at = match.end()
    if words[at:].strip():
        yield Clause(words[at:].strip(" ,"), start + at, start + len(words), bound)
