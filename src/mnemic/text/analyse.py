"""From text to search terms: the one place that decides which words are the same word.

The stored original is never altered; this makes the separate, normalised copy that the keyword index holds, and
reads queries by the same rules. A term is NFC-normalised, case-folded, ``ё`` read as ``е``, accents folded, stemmed by
script (Latin: English Snowball, Cyrillic: Russian Snowball). Code identifiers (``getUserName``, ``snake_case``,
``a/b.py``, ``OC-41252``) give their parts and the whole; runs of a script without spaces (Chinese, Japanese, Korean,
Thai, Lao, Burmese, Khmer) give character bigrams. The index holds the last character of such a run besides, so that
every character of it begins some term and a query of one character is a prefix.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache

import Stemmer

from ..lang.pack import languages, load, words

__all__ = [
    "Indexed", "clean", "cyrillic", "fold", "is_unspaced", "length", "query_terms", "raw_words", "search_text",
    "stop_terms", "terms",
]  # fmt: skip

#: Scripts written without spaces.
_CJK = (
    "\u2e80-\u2fff\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3040-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uac00-\ud7af\U00020000-\U0003134f\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1780-\u17d3"
)
#: Signs that are read as a plain apostrophe.
_QUOTES = "’‘ʼ‛′´＇`"
_JOIN = f"_'{_QUOTES}.\\-/\\\\:@"


def _signs(first: int, end: int) -> str:
    """The marks of a block, as the ranges of a character class: those compile in a tenth of the time."""
    marks = {c for c in range(first, end) if unicodedata.category(chr(c)) in ("Mn", "Mc")}
    begins = sorted(c for c in marks if c - 1 not in marks)
    ends = sorted(c for c in marks if c + 1 not in marks)
    return "".join(f"{chr(a)}-{chr(b)}" for a, b in zip(begins, ends, strict=True))


#: Vowel signs of the scripts of India: parts of a word that ``\w`` leaves out.
_SIGNS = _signs(0x900, 0xE00)
_WORD = rf"[^\W_{_CJK}]+(?:[{_SIGNS}]++[^\W_{_CJK}]*)*"
_TOKEN = re.compile(
    rf"[{_CJK}]+"
    rf"|{_WORD}(?:[{_JOIN}]++{_WORD})*(?:\+\+|#(?!\w))?"
    rf"|(?<!_)_++{_WORD}(?:[{_JOIN}]++{_WORD})*"
)
#: A word that is one token whatever is around it.
_PLAIN = re.compile("[A-Za-zА-Яа-яЁё]+")
_AROUND = ".,;:!?()[]{}\"'«»“”…–—*-"
_CJK_RUN = re.compile(rf"[{_CJK}]+")
_PART = re.compile(_WORD)
_SNAKE = re.compile(r"[^\W_]+(?:_+[^\W_]+)+")
_CAMEL = re.compile(r"[A-ZА-ЯЁ]+(?=[A-ZА-ЯЁ][a-zа-яё])|[A-ZА-ЯЁ]?[a-zа-яё]+|[A-ZА-ЯЁ]+|\d+")
_APOSTROPHES = str.maketrans({**dict.fromkeys(_QUOTES, "'"), "ё": "е", "Ё": "Е"})
#: Latin letters that no accent makes: Łódź is found by "Lodz", Ærø by "aero".
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"})
#: Invisible inside words (soft hyphen, joiners, marks of direction), and full or half width forms of other characters.
_INVISIBLE = re.compile("[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+")
_WIDTH = re.compile("[\uff01-\uffef]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
#: Blocks of combining marks: Latin and Cyrillic stress, Hebrew, Arabic.
_MARK = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff]"
)
#: Any character that needs more than NFC.
_ODD = re.compile("|".join(pattern.pattern for pattern in (_INVISIBLE, _WIDTH, _MARK)))
_MAX_TOKEN = 64  # longer runs are hashes or base64; they are found by their beginning
_KEPT_TOKEN = 128  # longer ones are not worth remembering
_CACHE_LIMIT = 200_000

_english = Stemmer.Stemmer("english", 0).stemWord
_russian = Stemmer.Stemmer("russian", 0).stemWord
_NOUN_ENDINGS = frozenset(["", "а", "у", "ом", "е", "ы", "ам", "ами", "ах"])
_VERBAL = re.compile(r"(?=.{3})([^аеиоуыэюя]*[аеиоуыэюя](?:.*[ая](?=[лн]$)|.*(?=(?:ит|им|ен|ил)$)))(?<=...)..?$")
_FLEETING = re.compile(
    r"([^аеиоуыэюя]*[аеиоуыэюя].*?)"
    r"(?:(?<=[^аеиоуыэюяьй])(?:[ео](?=[кцн]$)|е(?=[лрмб]$)|(?<=н)е(?=г$))(.)"
    r"|(?<=[аеиоуыэюя])е([кц])|(?<=[^аеиоуыэюяьй])ь([кцнлрмбг]))$"
)
_IRREGULAR = {
    **dict.fromkeys(["дня", "дню", "днем", "дне", "дни", "дней", "дням", "днями", "днях"], "день"),
    **dict.fromkeys(["матери", "матерью", "матерей", "матерям", "матерями", "матерях"], "мать"),
    **dict.fromkeys(["дочери", "дочерью", "дочерей", "дочерям", "дочерями", "дочерях"], "дочь"),
    "писем": "письма",
    "песен": "песня",
    "башен": "башня",
    "сосен": "сосна",
    "музей": "музея",
}


def clean(text: str) -> str:
    """A text as every store and encoder can take it: lone surrogates become U+FFFD, NUL becomes its symbol U+2400."""
    if "\0" in text:
        text = text.replace("\0", "\u2400")
    try:  # an encoder sees faster than a pattern whether there is a lone surrogate
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


_CYRILLIC, _LATIN = re.compile("[а-яА-ЯёЁ]"), re.compile("[a-zA-Z]")


def cyrillic(text: str) -> bool:
    """Whether a text is written in Cyrillic rather than in Latin letters, by its beginning."""
    return len(_CYRILLIC.findall(text[:500])) > len(_LATIN.findall(text[:500]))


def fold(word: str) -> str:
    """Case, accents and ``ё`` folded, NFC: ``Café`` → ``cafe``, ``Ещё`` → ``еще``, ``Й`` stays ``й``."""
    word = word.casefold().translate(_APOSTROPHES)
    if word.isascii():
        return word
    word = unicodedata.normalize("NFC", word).replace("ё", "е")
    if _CYRILLIC.search(word):  # й is a letter, not an и with an accent
        return word
    plain = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(c for c in plain if not unicodedata.combining(c))).translate(_LETTERS)


def _stem(word: str) -> str:
    """Stem of a folded word, by its script. Numbers and words of one or two letters stay."""
    if len(word) < 3 or word.isdigit():
        return word
    if word.isascii():
        return str(_english(word))
    if _CYRILLIC.search(word):
        return _russian_stem(_IRREGULAR.get(word, word))
    return word


def _russian_stem(word: str) -> str:
    """Snowball's stem of a Russian word, brought to what all forms of the word have."""
    stem = str(_russian(word))
    # It takes -ов and -ев for a plural ending even where it is none («остров» → «остр», «острова» → «остров»),
    # so it goes everywhere.
    if len(stem) > 3 and stem.endswith(("ов", "ев")):
        stem = stem[:-2]
    # It takes the end of a noun for that of a verb where the noun has no other («канал» → «кана», «каналы» → «канал»).
    ending = word[len(stem) :]
    if (ending in _NOUN_ENDINGS or ending.startswith("ов")) and (found := _VERBAL.match(stem)):
        stem = found[1]
    # It leaves the vowel in some cases only («деплой» → «депл», «деплоя» → «депло»).
    stem = stem.rstrip("аеиоуыэюяйь") or stem if len(stem) > 4 else stem
    # A vowel that comes and goes: «ошибок» – «ошибка», «список» – «списка», «настроек» – «настройка», «пальца» –
    # «палец».
    if found := _FLEETING.match(stem):
        return found[1] + (found[2] or (f"й{found[3]}" if found[3] else found[4]))
    return stem


def is_unspaced(term: str) -> bool:
    """Whether a term is written in a script without spaces (Chinese, Japanese, Korean, Thai …)."""
    return _CJK_RUN.fullmatch(term) is not None


def _cjk(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _expand(token: str) -> list[str]:
    """Terms of one raw token: its parts, and the whole where the whole says more than the parts."""
    if _CJK_RUN.fullmatch(token):
        return _cjk(unicodedata.normalize("NFKC", token))
    token = token.translate(_APOSTROPHES)
    if token.endswith(("++", "#")):
        return [fold(token), *_expand(token.rstrip("+#"))]
    if token.isalpha() and (token.islower() or token[1:].islower() or token.isupper()):
        return [_stem(fold(token))[:_MAX_TOKEN]]  # the plain word, nearly always
    out: list[str] = []
    pieces = _PART.findall(token)
    for piece in pieces:
        camel = _CAMEL.findall(piece)
        if len(camel) > 1 and sum(map(len, camel)) == len(piece):
            out += [_stem(fold(c))[:_MAX_TOKEN] for c in camel]
            out.append(_stem(fold(piece))[:_MAX_TOKEN])
        else:
            out.append(_stem(fold(piece))[:_MAX_TOKEN])
    if len(pieces) > 1 or token.startswith("_"):
        if "'" in token:
            base = fold(token)
            if base.endswith("'s") and len(pieces) == 2:
                return [_stem(base[:-2])]
            if base.endswith("n't"):
                return [base.replace("'", "")]
            out = [t for t in out if len(t) > 1] + [base.replace("'", "")]
        elif "_" in token or any(c.isdigit() for c in token):
            wholes = [token, *_SNAKE.findall(token)] if "_" in token else [token]
            out += dict.fromkeys(fold(whole)[:_MAX_TOKEN] for whole in wholes)
    return out


class _Cache(dict[str, str]):
    """What stands between two spaces → its terms, space-joined. Chat repeats words, so most look-ups end here.

    Cleaning goes by such chunks too: nothing it does reaches over white space, and it is dear.
    """

    def __missing__(self, chunk: str) -> str:
        value = self.make(chunk)
        if len(chunk) <= _KEPT_TOKEN:
            if len(self) >= _CACHE_LIMIT:
                self.clear()
            self[chunk] = value
        return value

    def make(self, chunk: str) -> str:
        """The terms of a chunk, worked out anew."""
        plain = chunk.strip(_AROUND)
        tokens = [plain] if _PLAIN.fullmatch(plain) else _TOKEN.findall(_clean(chunk))
        return " ".join([term for token in tokens for term in self.expand(token)])

    def expand(self, token: str) -> list[str]:
        return _expand(token)


class Indexed(_Cache):
    """The same for the index: with the last character of an unspaced run."""

    def expand(self, token: str) -> list[str]:
        out = _expand(token)
        return [*out, out[-1][-1]] if len(out[-1:] and out[-1]) == 2 and is_unspaced(token) else out


_cache = _Cache()
_indexed = Indexed()


def _clean(text: str) -> str:
    """NFC, ordinary width, without marks that no letter has swallowed (stress, vowel points) and invisible ones."""
    if text.isascii() or _ordinary(text):
        return text
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    if not _ODD.search(text):
        return text
    text = _WIDTH.sub(lambda found: unicodedata.normalize("NFKC", found.group()), _INVISIBLE.sub("", text))
    return _MARK.sub("", unicodedata.normalize("NFC", text))


def _ordinary(text: str) -> bool:
    """Whether a text holds nothing but ordinary Latin, Cyrillic and typographic characters: found out by an encoder,
    which is twenty times faster than looking for the others."""
    try:
        text.encode("cp1251")
    except UnicodeEncodeError:
        return False
    return "\xad" not in text  # the soft hyphen is the one invisible sign among them


def raw_words(text: str) -> list[str]:
    """The tokens of a text as they stand, before folding and stemming."""
    return _TOKEN.findall(_clean(text))


def search_text(text: str) -> str:
    """The normalised copy for the keyword index: terms separated by single spaces."""
    return " ".join(filter(None, map(_indexed.__getitem__, text.split())))


def terms(text: str) -> list[str]:
    """Search terms of a text, in order, repeated as often as they occur."""
    return " ".join(map(_cache.__getitem__, text.split())).split()


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(t for word in words for t in _expand(word))


#: Too common to say what a question is about: dropped from queries, never from the index.
STOP_WORDS = words("common", "stop")
ENGLISH: str = load("en", "common")["stop"]
_stop = _stems(STOP_WORDS)


def stop_terms() -> frozenset[str]:
    """Stems of the English and Russian stop words."""
    return _stop


def length(search_text: str) -> int:
    """How many terms of a search text say something: its length without stop words, the length that BM25 wants."""
    found = search_text.split()
    return len(found) - sum(map(_stop.__contains__, found))


def query_terms(text: str) -> list[str]:
    """Distinct terms of a query in order, stop words left out unless nothing else remains."""
    seen = dict.fromkeys(terms(text))
    return [t for t in seen if t not in _stop] or list(seen)


@cache
def asking_terms(home: bool = False) -> frozenset[str]:
    """Stems of all words that ask; ``home``: only those that no message uses otherwise."""
    tables = [load(language, "common") for language in languages()]
    return frozenset(t for table in tables if not home or table.get("home") for t in terms(table.get("asking", "")))


@cache
def _spoken(key: str) -> frozenset[str]:
    """Stems of what all languages list under a key: how one speaks of oneself, asks about, and says nothing."""
    return frozenset(t for language in languages() for t in terms(load(language, "common").get(key, "")))


def about_self(query_stems: Sequence[str], stop: frozenset[str]) -> bool:
    """Whether a query asks for nothing but what is known of the asker: "what do you know about me?", «кто я?»."""
    asked = set(query_stems)
    rest = asked - stop - _spoken("self") - _spoken("about") - _spoken("empty") - asking_terms(home=True)
    return bool(asked & _spoken("self")) and bool(asked & _spoken("about")) and not rest
