"""The subjects that a clause may have and the forms of what follows: written out, without adverbs, without what leads up to it."""

from __future__ import annotations

import re

from . import entities, subjects, subjects_russian
from .clauses import Sentence
from .reading import Reading
from .row import words
from .subjects import Subject

_SHORT = re.compile(
    r"\b(?:im|Im|ive|Ive|dont|doesnt|didnt|cant|wont|isnt|arent|wasnt|havent|hasnt|thats|hes|shes|"
    r"don't|doesn't|didn't|can't|won't|isn't|aren't|wasn't|haven't|hasn't|[Ii]'m|[Ii]'ve|[Ww]e're|[Ww]e've|can not)\b"
)
_LONG = {
    "im": "I am", "Im": "I am", "ive": "I have", "Ive": "I have", "dont": "do not", "doesnt": "does not", "didnt": "did not",
    "cant": "cannot", "wont": "will not", "isnt": "is not", "arent": "are not", "wasnt": "was not", "havent": "have not",
    "hasnt": "has not", "thats": "that's", "hes": "he is", "shes": "she is", "don't": "do not", "doesn't": "does not", "didn't": "did not",
    "can't": "cannot", "won't": "will not", "isn't": "is not", "aren't": "are not", "wasn't": "was not", "haven't": "have not",
    "hasn't": "has not", "i'm": "I am", "I'm": "I am", "i've": "I have", "I've": "I have", "we're": "we are", "We're": "we are",
    "we've": "we have", "We've": "we have", "can not": "cannot",
}  # fmt: skip
_AUX = re.compile(r"^'(s been|s|re|ve|d|ll|m)\b")
_AUX_WORDS = {"s been": " has been", "s": " is", "re": " are", "ve": " have", "d": " would", "ll": " will", "m": " am"}
_ADVERBS = words("""
also currently now just finally still just really actually mostly recently already finally definitely absolutely honestly basically personally totally truly
officially originally generally typically obviously simply kinda literally ever both all always usually often normally
сейчас теперь уже ещё еще очень просто наконец наконец-то недавно также тоже реально правда вообще сам сама вот тут кстати обычно всегда давно окончательно вообще-то зимой летом весной осенью вчера никогда
сильно пока официально целиком полностью полгода
""")
_PHRASES = re.compile(
    r"\b(?:kind of|sort of|(?:уже )?(?:второй|третий|четвёртый|пятый|первый|\d{1,2}|два|три|четыре|пять|пару|несколько|полтора) "
    r"(?:год|года|лет|месяц|месяца|месяцев|недел\w+|день|дня|дней)|всё ещё|все еще|до сих пор|с детства|как раз|в основном|в последнее время)\b ?",
    re.I,
)
_PHRASE_WORDS = words(
    "of год года лет месяц месяца месяцев неделю недели недель день дня дней ещё еще пор детства раз основном время"
)


def _without_adverbs(text: str) -> str:
    """A clause without the adverbs that change nothing about what it states."""
    there = text.lower().split(" ")
    if not _PHRASE_WORDS.isdisjoint(there):
        text = " ".join(_PHRASES.sub("", text).split())
        there = text.lower().split(" ")
    if _ADVERBS.isdisjoint(there):
        return text
    return " ".join(word for word, small in zip(text.split(" "), there, strict=True) if small not in _ADVERBS)


#: First words of a sentence without a subject that speak of the speaker.
_ZERO = words("""
moved moving switched switching quit started starting stopped gave broke got bought adopted bumped upgraded
decided went chose replaced born living working allergic love loving hate cannot trying learning studying picked
dropped migrated ditched sold retired joined left became became finished pinned downgraded prefer married
engaged divorced turned tried grew originally just recently big tore torn back off no spent raised grew hired fired ran won lost quitting starting using running dropped rented sprained fractured twisted pulled caught had diagnosed dumped settled standardised standardized signed registered taking adopted cancelled canceled swapped been planning flying handed taking booked sold taken not deployed removed abandoned uninstalled returned got relocated prefer enjoying dropping
""")


def written_out(text: str) -> str:
    """English without contractions: "don't" → "do not", "im" → "I am"."""
    return _SHORT.sub(lambda match: _LONG[match.group()], text)


Choice = tuple[Subject, tuple[str, ...]]


class Subjects:
    """The subjects of a clause by the case that a row needs, each parsed once."""

    def __init__(
        self,
        reading: Reading,
        text: str,
        previous: Subject | None,
        before: Sentence | None,
        is_russian: bool,
        first: bool,
    ) -> None:
        self.reading, self.text, self.previous = reading, text, previous
        self.before, self.russian, self.first = before, is_russian, first
        self._found: dict[str, list[Choice]] = {}
        bare = _without_adverbs(text)
        forms = dict.fromkeys((text, bare, bare.split(",", 1)[0]))
        self.plain = tuple(forms)
        self.bare = bare

    def of(self, needs: str) -> list[Choice]:
        """Subjects that the clause may have, and the forms of what follows (as it stands, and without adverbs)."""
        if needs not in self._found:
            found = self._russian(needs) if self.russian else self._english()
            self._found[needs] = [(subject, _forms(rest.strip(" ,—-"))) for subject, rest in found]
        return self._found[needs]

    def known(self) -> Subject | None:
        """The subject that was found, if any was."""
        return next((found[0][0] for found in self._found.values() if found and found[0][0].case != "zero"), None)

    def _english(self) -> list[tuple[Subject, str]]:
        text, reading = self.text, self.reading
        if text.split(" ", 1)[0].lower() in _ZERO:
            if self.first:
                return [(Subject("i"), text)] if reading.policy.own else []
            return [(self.previous, text)] if self.previous is not None else []
        last = reading.last or (self._before() if subjects.PRONOUN.match(text) else None)
        found = subjects.english(text, reading.speaker, last)
        if not found and (stripped := self.bare) != text:
            if stripped.split(" ", 1)[0].lower() in _ZERO and reading.policy.own and self.first:
                return [(Subject("i"), stripped)]
            found = subjects.english(stripped, reading.speaker, last)
        if not found and (inner := _LED_BY.match(text)):
            found = subjects.english(text[inner.end() :], reading.speaker, last)
        if not found and self.previous is not None and not self.first:
            return [(self.previous, text)]
        return [(subject, _AUX.sub(lambda m: _AUX_WORDS[m[1]], rest)) for subject, rest in found]

    def _russian(self, needs: str) -> list[tuple[Subject, str]]:
        text, reading = self.text, self.reading
        last = reading.last or (self._before() if subjects_russian.RU_PRONOUN.match(text) else None)
        found = subjects_russian.russian(text, reading.speaker, last, needs)
        if not found and (stripped := self.bare) != text:
            found = subjects_russian.russian(stripped, reading.speaker, last, needs)
        if not any(subject.who in ("i", "we", "rel") for subject, _ in found):
            found = [*found, *subjects_russian.inside(text, needs, reading.speaker)]
        if needs == "nom" and not any(subject.who in ("i", "we", "rel") for subject, _ in found):
            if not found and self.previous is not None and not self.first and self.previous.case == "nom":
                found = [(self.previous, text)]
            if reading.policy.own:
                plural = bool(_WE_VERB.match(text))
                found = [*found, (Subject("we" if plural else "i", case="zero"), text)]
                if led := _RU_LED_BY.match(text):
                    plural = bool(_WE_VERB.match(text[led.end() :]))
                    found = [*found, (Subject("we" if plural else "i", case="zero"), text[led.end() :])]
        return found

    def _before(self) -> Subject | None:
        """The only person named in the sentence before, for "she"."""
        if self.before is None:
            return None
        name = entities.only_person(self.before.text)
        return Subject("name", name) if name else None


def _forms(rest: str) -> tuple[str, ...]:
    """What follows a subject: as it stands, without adverbs, and only up to its first comma."""
    forms = [rest]
    if (bare := _without_adverbs(rest)) != rest:
        forms.append(bare)
    if "," in bare:
        forms.append(bare.split(",", 1)[0])
    return tuple(forms)


#: What leads up to a subject: "at work we use …", «на созвоне решили …».
_LED_BY = re.compile(
    r"(?:at|in|on|for|after|before|with|during|as of|since|from|to|by|over|around|besides|apart from|despite|per)\b[^,.;:]{2,40}?,? (?=(?:i|i'm|we|my|our)\b)",
    re.I,
)
_RU_LED_BY = re.compile(
    r"(?:на|в|во|после|для|по|с|со|из-за|под|до|перед|ради|всей|всем|при|к) (?:[а-яё-]+ ){1,3}?(?=[а-яё]+(?:ли|лись|л|ла|лся|лась|ю|юсь|ем|им|емся|имся|ём|ёмся)\b)",
    re.I,
)
#: A clause that begins with a verb of several, in the past: «решили», «взяли».
_WE_VERB = re.compile(r"(?:\S+ ){0,2}?[а-яё]+(?:ли|лись|ем|им|емся|имся)\b", re.I)
