"""Runs the tables over an episode: which clauses state something, which rows fit, what becomes of it.

Linear in the length of the text: a clause is looked at only where it holds a cue word of some row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from ..claims import USER, Candidate, Named, Said
from ..slots import SLOTS
from . import entities, guards, morph, relations, subjects, times, tools, values
from .clauses import Clause, Sentence, cleaned, sentences
from .row import Row, words
from .subjects import Subject, unopened

MAX_CANDIDATES = 60  # of one episode
_LONG_QUOTE = 320
CONFIDENCE = 0.6
_WORDS = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_CYRILLIC = re.compile(r"[а-яёА-ЯЁ]")
_PROJECT = frozenset({"version", "fixed_by", "command", "count", "value", "breaks_when"})
_SHARED = frozenset({"decided", "chose", "uses", "depends_on", "status", "located_in"})
PROJECT = "project"
#: Who may say what (table of roles): first person, named persons and things, rows an assistant is believed.
@dataclass(frozen=True, slots=True)
class Policy:
    """What is taken from a role: statements about the speaker, about others, and rows marked ``assistant``."""

    own: bool
    others: bool
    marked: bool


POLICIES: Mapping[str, Policy] = {
    "user": Policy(True, True, True),
    "assistant": Policy(False, False, True),
    "third": Policy(False, True, True),
    "system": Policy(False, False, False),
}
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
_AUX = re.compile(r"^'(s|re|ve|d|ll|m)\b")
_AUX_WORDS = {"s": " is", "re": " are", "ve": " have", "d": " would", "ll": " will", "m": " am"}
_ADVERBS = words("""
also currently now still just really actually mostly recently already finally definitely absolutely honestly basically personally totally truly
officially originally generally typically obviously simply kinda literally ever both all always usually often normally
сейчас теперь уже ещё еще очень просто наконец наконец-то недавно также тоже реально правда вообще сам сама вот тут кстати обычно всегда давно
сильно пока официально целиком полностью полгода
""")
_PHRASES = re.compile(
    r"\b(?:kind of|sort of|(?:уже )?(?:второй|третий|четвёртый|пятый|первый|\d{1,2}|два|три|четыре|пять|пару|несколько|полтора) "
    r"(?:год|года|лет|месяц|месяца|месяцев|недел\w+|день|дня|дней)|всё ещё|все еще|до сих пор|с детства|как раз|в основном|в последнее время)\b ?",
    re.I,
)
_PHRASE_WORDS = words("of год года лет месяц месяца месяцев неделю недели недель день дня дней ещё еще пор детства раз основном время")


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
engaged divorced turned tried grew originally just recently cancelled canceled swapped been planning flying handed taking booked sold taken not deployed removed abandoned uninstalled returned got relocated prefer enjoying dropping
""")


@dataclass(frozen=True, slots=True)
class Compiled:
    """A row with its pattern ready."""

    row: Row
    regex: re.Pattern[str]
    look: re.Pattern[str] | None


#: A class of capitals in a pattern means capitals, whatever the rest of it overlooks.
_CAPITALS = re.compile(r"\[[^\]]*(?:A-Z|А-ЯЁ)[^\]]*\]")


def _strict(match: re.Match[str]) -> str:
    loose = any(small in match.group() for small in ("a-z", "а-я", "\\w"))
    return match.group() if loose else f"(?-i:{match.group()})"


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(_CAPITALS.sub(_strict, pattern), re.I)


class Table:
    """Rows of one language, found by their cue words."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = tuple(
            Compiled(row, _compiled(row.pattern), _compiled(row.look) if row.look else None) for row in rows
        )
        self._words: dict[str, list[int]] = {}
        self._beginnings: dict[str, list[int]] = {}
        for number, compiled in enumerate(self.rows):
            for cue in compiled.row.cue.split():
                index = self._beginnings if cue.endswith("*") else self._words
                index.setdefault(cue.rstrip("*"), []).append(number)
        self._lengths = sorted({len(beginning) for beginning in self._beginnings})

    def fitting(self, words: AbstractSet[str], text: str) -> list[Compiled]:
        """Rows that a sentence of these words may fit, in their order."""
        found: set[int] = set()
        whole, beginnings = self._words, self._beginnings
        for word in whole.keys() & words:
            found.update(whole[word])
        if beginnings:
            for word in words:
                for length in self._lengths:
                    if length > len(word):
                        break
                    if (head := word[:length]) in beginnings:
                        found.update(beginnings[head])
        rows = (self.rows[number] for number in sorted(found))
        return [compiled for compiled in rows if compiled.look is None or compiled.look.search(text)]

    def only(self, keep: Callable[[Row], bool]) -> Table:
        """A table of some of the rows."""
        return Table(compiled.row for compiled in self.rows if keep(compiled.row))


def words_of(text: str) -> set[str]:
    """The words of a sentence in small letters; "name's" is also "name"."""
    written = set(_WORDS.findall(text.lower()))
    if "'" in text:
        written.update([word.split("'", 1)[0] for word in written if "'" in word])
    return written


@dataclass(slots=True)
class _Reading:
    """What is known while one episode is read."""

    said: Said
    text: str
    policy: Policy
    speaker: str
    clock: datetime
    maker: str
    found: dict[tuple[str, ...], Candidate] = field(default_factory=dict)
    named: dict[str, Named] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    last: Subject | None = None

    def skip(self, why: str) -> None:
        self.skipped[why] = self.skipped.get(why, 0) + 1


def policy_of(said: Said) -> str:
    """The row of :data:`POLICIES` an episode falls under: channel before role."""
    if said.role == "system":
        return "system"
    if said.role == "tool" or said.origin in ("tool", "external"):
        return "third"
    if said.role == "assistant" or said.origin == "assistant":
        return "assistant"
    return "user"


def read(
    said: Said, names: Mapping[str, str], english: Table, russian: Table, zone: tzinfo, maker: str
) -> tuple[list[Candidate], list[Named], dict[str, int]]:
    """What one episode states, whom it names, and how much was passed over and why.

    Args:
        said: the episode. names: known names (alias → type). english, russian: the tables. zone: of the calendar.
        maker: extractor and version.
    """
    policy = POLICIES[policy_of(said)]
    if not (policy.own or policy.others or policy.marked) or "<mnemic-internal" in said.text:
        return [], [], {"role": 1}
    text = cleaned(said.text)
    speaker = said.speaker.strip() if said.speaker and said.speaker.strip() else ""
    if speaker.lower() in ("", "user", "human", "me", "you", "assistant", "пользователь", "я"):
        speaker = USER
    reading = _Reading(said, text, policy, speaker, times.now(said.at, zone), maker)
    before: Sentence | None = None
    everything: set[str] = set()
    for sentence in sentences(text):
        words = words_of(sentence.text)
        everything |= words
        is_russian = bool(_CYRILLIC.search(sentence.text))
        rows = (russian if is_russian else english).fitting(words, sentence.text)
        armed = guards.armed(words)
        if armed.patterns and armed.hit(text[sentence.start : sentence.end + 2], "message"):
            reading.skip("order or task")
            break
        if rows or (policy.own and subjects.may_relate(sentence.text, is_russian)):
            _sentence(reading, sentence, before, rows, armed, is_russian, words)
        before = sentence
        if len(reading.found) >= MAX_CANDIDATES:
            reading.skip("too many")
            break
    candidates = list(reading.found.values())[:MAX_CANDIDATES]
    for entity in entities.find(said, text, everything, candidates, names, own=policy.own or policy.others):
        reading.named.setdefault(entity.name, entity)
    return candidates, list(reading.named.values()), reading.skipped


def _sentence(
    reading: _Reading,
    sentence: Sentence,
    before: Sentence | None,
    rows: list[Compiled],
    armed: guards.Armed,
    is_russian: bool,
    words: AbstractSet[str],
) -> None:
    if armed.hit(sentence.text, "sentence"):
        reading.skip("hearsay, story or template")
        return
    after = armed.hit(sentence.text, "after")
    limit = sentence.start + after.start() if after else sentence.end
    if reading.policy.own and subjects.may_relate(sentence.text, is_russian):
        _mentions(reading, sentence, is_russian)
    if not rows:
        return
    previous: Subject | None = None
    timed = times.may_tell(sentence.text, words)
    clauses = sentence.clauses()
    asks = _asking(sentence, clauses)
    for number, clause in enumerate(clauses[:asks]):
        if clause.start >= limit or (after and clause.end > limit and limit - clause.start < 12):
            # a condition states nothing, but it may be when something breaks
            rows = [compiled for compiled in rows if compiled.row.predicate == "breaks_when"]
        open_ended = number > 0 and _INFINITIVE.search(clauses[number - 1].text) is not None
        lent = None if open_ended else previous
        previous = _clause(reading, sentence, clauses, before, rows, armed, lent, is_russian, number, timed, not open_ended) or previous


#: "I want to cook and drink tea": what goes on with "and" after one of these states nothing.
_INFINITIVE = re.compile(r"\b(?:to|will|would|can|could|should|might|must|let)\b(?! (?:the|a|my|our|this|[A-Z]))")


def _mentions(reading: _Reading, sentence: Sentence, is_russian: bool) -> None:
    """Relatives and pets named in passing, in questions too: "what shall I buy for my sister Olga?"."""
    for subject in subjects.related(sentence.text, reading.speaker, is_russian):
        quote = _quote(reading, sentence, None)
        if subject.pet:
            add_pet(reading, quote, subject, is_russian)
        elif subject.relation:
            add_relative(reading, quote, subject, is_russian)
        if reading.last is None or reading.last.who == "thing":
            reading.last = subject


def _asking(sentence: Sentence, clauses: list[Clause]) -> int:
    """The number of the first clause that only asks; all of them count where nothing is asked."""
    if not sentence.asks:
        return len(clauses)
    for number, clause in enumerate(clauses):
        if guards.opens_question(unopened(clause.text)) or guards.opens_question(clause.text):
            return number
    return 0


#: What trails behind a statement and belongs to no value.
_TAIL = re.compile(
    r"[ ,]*\b(?:btw|by the way|lol|haha|tho|fyi|ngl|tbh|imo|just so you know|in case it matters|if that helps|for context|thanks|thank you|pls|please|"
    r"кстати|если что|имей в виду|учти|для справки|плиз|пожалуйста|спасибо|ага|вот|короче)[ )!.]*$|[ )(]+$",
    re.I,
)


def _clause(
    reading: _Reading,
    sentence: Sentence,
    clauses: list[Clause],
    before: Sentence | None,
    rows: list[Compiled],
    armed: guards.Armed,
    previous: Subject | None,
    is_russian: bool,
    number: int,
    timed: bool,
    alone: bool,
) -> Subject | None:
    clause = clauses[number]
    body = unopened(clause.text)
    if body.count(" ") > 4:
        body = _TAIL.sub("", body)
    if armed.hit(clause.text, "clause") or len(body) < 4 or not rows:
        return previous
    if guards.is_open(body) and not (rows := [c for c in rows if c.row.whole and not c.row.subject]):
        return previous
    if not is_russian:
        body = _SHORT.sub(lambda m: _LONG[m.group()], body)
    bare, when = (body, times.NONE) if not timed else times.read(body, reading.clock, russian=is_russian)
    bare = unopened(bare)
    first = number == 0 or (previous is None and alone)
    own = _Subjects(reading, bare, previous, before, is_russian, first)
    later: _Subjects | None = None
    onwards: list[_Subjects] | None = None
    for compiled in rows:
        row = compiled.row
        if row.only_with == "time" and when.event is None:
            continue
        told, who = when, own
        if row.whole:
            if onwards is None:
                texts = _onwards(clauses[number:], sentence, is_russian)
                onwards = [_Subjects(reading, text, previous, before, is_russian, first) for text in texts]
            # the shortest that fits, but the longest where a scope may follow
            order = reversed(onwards) if row.scope.startswith("{k") else onwards
            any(_try(reading, sentence, clause, compiled, text, times.NONE, is_russian) for text in order)
            continue
        elif row.keep_time:
            if later is None:
                later = _Subjects(reading, body, previous, before, is_russian, first)
            told, who = times.NONE, later
        elif row.ahead and when is not times.NONE:
            told = times.read(body, reading.clock, russian=is_russian, ahead=True)[1]
        _try(reading, sentence, clause, compiled, who, told, is_russian)
    known = own.known()
    if known is not None and known.who in ("rel", "name", "thing") and reading.last is not known:
        reading.last = known
    return known or previous


#: Verbs in the form that one person alone does not take ("Sounds like fun" is nobody called Sounds).
_BASE_VERB = re.compile(
    r"(?:live|love|like|enjoy|work|use|hate|prefer|have|drink|speak|study|own|need|play|want|dislike|adore|avoid|plan|depend|rely|know|run|eat|go)\b"
)


_GERUND = re.compile(r"[a-z]+ing\b")


def _disagree(subject: Subject, words: str, is_russian: bool) -> bool:
    """Whether a verb cannot belong to its subject."""
    if is_russian:
        return subject.case == "zero" and (bool(_OTHERS_VERB.match(words)) or re.fullmatch(r"[Ии]з [А-ЯЁ]\S*(?: [А-ЯЁ]\S*)?", words) is not None)
    if subject.who == "name" and _GERUND.match(words):
        return True  # "Keep learning": no name before it
    several = subject.relation in ("parents", "children") or " and " in subject.name
    return subject.who in ("name", "rel") and not several and bool(_BASE_VERB.match(words))


#: A verb of the third person: without a subject it is nobody's.
_OTHERS_VERB = re.compile(r"(?:не |больше |уже )*(?!нет\b|нравится)[а-яё]+(?:[её]т|ит|[уюая]т|[её]тся|ится|[уюая]тся)(?: |$)", re.I)


def _onwards(rest: list[Clause], sentence: Sentence, is_russian: bool) -> list[str]:
    """A clause, the clause and the one behind it, and so on to the end of the sentence."""
    out = []
    for last in rest[:4]:
        text = unopened(sentence.text[rest[0].start - sentence.start : last.end - sentence.start].strip(" ,"))
        out.append(text if is_russian else _SHORT.sub(lambda m: _LONG[m.group()], text))
    return out


def _try(
    reading: _Reading,
    sentence: Sentence,
    clause: Clause,
    compiled: Compiled,
    who: _Subjects,
    told: times.When,
    is_russian: bool,
) -> bool:
    """Whether a row fits a text, with any subject it may have; the first that fits is taken."""
    row = compiled.row
    if not row.subject:
        if not (reading.policy.own or row.assistant):
            return False
        for form in who.plain:
            if match := compiled.regex.match(form):
                return _take(reading, sentence, clause, compiled, match, Subject("i"), told, is_russian)
        return False
    for subject, forms in who.of(row.needs):
        if subject.who not in row.subject or not _allowed(reading.policy, subject, row):
            continue
        match = next((m for form in forms if (m := compiled.regex.match(form))), None)
        if match is None or _disagree(subject, match.group(), is_russian):
            continue
        if _take(reading, sentence, clause, compiled, match, subject, told, is_russian):
            return True
    return False


def _allowed(policy: Policy, subject: Subject, row: Row) -> bool:
    if row.assistant and policy.marked:
        return policy.own or subject.who in ("name", "thing", "we")
    return policy.own if subject.who in ("i", "we", "rel") else policy.others


_Choice = tuple[Subject, tuple[str, ...]]


class _Subjects:
    """The subjects of a clause by the case that a row needs, each parsed once."""

    def __init__(
        self, reading: _Reading, text: str, previous: Subject | None, before: Sentence | None, is_russian: bool, first: bool
    ) -> None:
        self.reading, self.text, self.previous = reading, text, previous
        self.before, self.russian, self.first = before, is_russian, first
        self._found: dict[str, list[_Choice]] = {}
        bare = _without_adverbs(text)
        self.plain = (text,) if bare == text else (text, bare)

    def of(self, needs: str) -> list[_Choice]:
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
        if not found and (stripped := self.plain[-1]) != text:
            if stripped.split(" ", 1)[0].lower() in _ZERO and reading.policy.own and self.first:
                return [(Subject("i"), stripped)]
            found = subjects.english(stripped, reading.speaker, last)
        if not found and self.previous is not None and not self.first:
            return [(self.previous, text)]
        return [(subject, _AUX.sub(lambda m: _AUX_WORDS[m[1]], rest)) for subject, rest in found]

    def _russian(self, needs: str) -> list[tuple[Subject, str]]:
        text, reading = self.text, self.reading
        last = reading.last or (self._before() if subjects.RU_PRONOUN.match(text) else None)
        found = subjects.russian(text, reading.speaker, last, needs)
        if not found and (stripped := self.plain[-1]) != text:
            found = subjects.russian(stripped, reading.speaker, last, needs)
        if needs == "nom" and not any(subject.who in ("i", "we", "rel") for subject, _ in found):
            if not found and self.previous is not None and not self.first and self.previous.case == "nom":
                found = [(self.previous, text)]
            if reading.policy.own:
                plural = bool(_WE_VERB.match(text))
                found = [*found, (Subject("we" if plural else "i", case="zero"), text)]
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


#: A clause that begins with a verb of several, in the past: «решили», «взяли».
_WE_VERB = re.compile(r"(?:\S+ ){0,2}?[а-яё]+(?:ли|лись|ем|им|емся|имся)\b", re.I)


# -- from a match to a candidate -------------------------------------------------------------------


#: Not a subject of its own: "the budget for this is 12k".
_VAGUE = words("this that it these those us everything all нас это этого этом него неё")


def _take(
    reading: _Reading,
    sentence: Sentence,
    clause: Clause,
    compiled: Compiled,
    match: re.Match[str],
    subject: Subject,
    when: times.When,
    is_russian: bool,
) -> bool:
    """Makes candidates of a match; ``False`` where what stands in the place of the value is none."""
    row = compiled.row
    groups: dict[str, str] = {}
    for key, found in match.groupdict().items():  # "o2" is "o" in another place of the sentence
        if found and found.strip():
            groups[key.rstrip("23")] = found.strip()
    raw = groups.get("o", "")
    read_value = values.KINDS[row.value]
    value = read_value(raw)
    if not value:
        reading.skip("no value")
        return False
    pieces = [read_value(part) for part in values.parts(value)] if row.split else [value]
    told = groups.get("s", "")
    if told.lower() in _VAGUE:
        told = ""
    if row.predicate in ("family", "married_to") and not told:
        relation = groups.get("k", "").lower()
        woman = True if relation in relations.WOMEN else False if relation in relations.MEN else None
        reading.last = Subject("name", morph.nominative(value, row.case) if row.case else value, woman=woman)
    for piece in pieces:
        if piece:
            _add(reading, sentence, clause, row, groups, piece, subject, told, when, is_russian)
    return True


def _add(
    reading: _Reading,
    sentence: Sentence,
    clause: Clause,
    row: Row,
    groups: dict[str, str],
    raw: str,
    subject: Subject,
    told: str,
    when: times.When,
    is_russian: bool,
) -> None:
    value = morph.nominative(raw, row.case) if row.case else raw
    value = value.strip("\"' ")
    if value.count("«") != value.count("»") or value[0] == "«":
        value = value.strip("«»")
    name, shown, kind, woman = _named(reading, row, subject, told, is_russian)
    if not name or not value or value.lower() == name.lower():
        return
    scope = tools.scope_of(value) if row.scope == "{tool}" else _scope(row, groups)
    old = values.thing(groups["old"]) if groups.get("old") else ""
    if old and row.case:
        old = morph.nominative(old, groups.get("oldcase") or "gen")
    if row.predicate in ("lives_in", "uses"):  # one moves to Porto, and to Mattermost
        software = values.is_software(value) or values.is_software(old)
        if software == (row.predicate == "lives_in") and (row.predicate == "lives_in" or "moved" in groups):
            return
    fill = {**groups, "S": shown, "o": value, "raw": raw, "old": old, "k": scope}
    content = _filled(row.content, fill, woman)
    if when.phrase and when.phrase not in content:
        content = f"{content} {when.phrase}"
    quote = _quote(reading, sentence, clause)
    key = (name.lower(), row.predicate, scope.lower(), value.lower(), row.act)
    if key in reading.found or not quote:
        return
    event = when.event if when.event is not None and not when.ahead else reading.said.at
    start, end = when.start, when.end
    if row.act == "end":
        start, end = None, when.event or end
    if start is not None and end is not None and end <= start:
        start = end = None
    slot = SLOTS[row.predicate]
    aliases = {name: subject.aliases} if subject.aliases and not told else {}
    reading.found[key] = Candidate(
        source=reading.said.id,
        quote=quote,
        content=content[0].upper() + content[1:],
        subject=name,
        predicate=row.predicate,
        object=value,
        event_time=event,
        scope=scope if slot.scoped else "",
        kind=slot.kind,
        label=slot.label,
        subject_type=kind,
        object_type=row.object_type,
        act=row.act,
        replaces=old or None,
        holder=name if slot.kind == "opinion" else None,
        valid_from=start,
        valid_until=end,
        granularity=when.granularity if event == when.event else None,
        aliases=aliases,
        attributes={"role": subject.role} if subject.role and not told else {},
        confidence=CONFIDENCE,
        made_by=f"{reading.maker}:{row.predicate}",
    )


def add_relative(reading: _Reading, quote: str, subject: Subject, is_russian: bool) -> None:
    """The fact that somebody named is somebody's sister, boss, dog."""
    owner = reading.speaker
    predicate, scope = ("married_to", "") if subject.relation in ("wife", "husband") else ("family", subject.relation)
    key = (owner.lower(), predicate, scope, subject.name.lower(), "assert")
    if key in reading.found or not quote:
        return
    if is_russian:
        word = relations.RELATIONS[subject.relation][1].split()[0]
        content = f"{word.capitalize()} {'пользователя' if owner == USER else f'({owner})'} — {subject.name}"
    else:
        content = f"{'User' if owner == USER else owner}'s {subject.relation} is {subject.name}"
    reading.found[key] = Candidate(
        source=reading.said.id,
        quote=quote,
        content=content,
        subject=owner,
        predicate=predicate,
        object=subject.name,
        event_time=reading.said.at,
        scope=scope,
        object_type="person",
        aliases={subject.name: subject.aliases} if subject.aliases else {},
        confidence=CONFIDENCE,
        made_by=f"{reading.maker}:{predicate}",
    )


def add_pet(reading: _Reading, quote: str, subject: Subject, is_russian: bool) -> None:
    """The fact that the speaker keeps an animal of a name."""
    key = (reading.speaker.lower(), "has_pet", "", subject.name.lower(), "assert")
    if key in reading.found or not quote:
        return
    shown = _show(reading.speaker, reading.speaker, is_russian)
    if is_russian:
        who = "пользователя" if reading.speaker == USER else reading.speaker
        content = f"У {who} есть питомец {subject.name} ({subject.pet})"
    else:
        content = f"{shown} has a {subject.pet} called {subject.name}"
    reading.found[key] = Candidate(
        source=reading.said.id,
        quote=quote,
        content=content,
        subject=reading.speaker,
        predicate="has_pet",
        object=subject.name,
        event_time=reading.said.at,
        attributes={"animal": subject.pet},
        confidence=CONFIDENCE,
        made_by=f"{reading.maker}:has_pet",
    )


def _named(reading: _Reading, row: Row, subject: Subject, told: str, is_russian: bool) -> tuple[str, str, str, bool | None]:
    """Subject as stored, as shown in the sentence, its type, and whether a woman is spoken of."""
    if told:
        name = _own_subject(told, row, reading.speaker, is_russian)
        kind = row.subject_type or ("person" if values.person(name) == name else "concept")
        return name, _show(name, reading.speaker, is_russian), kind, None
    if subject.who in ("i", "we"):
        project = row.predicate in _PROJECT or (row.predicate in _SHARED and subject.who == "we") or row.subject_type == "project"
        if project:
            return PROJECT, "Проект" if is_russian else "The project", "project", False
        return reading.speaker, _show(reading.speaker, reading.speaker, is_russian), "person", False if reading.speaker == USER else None
    return subject.name, _show(subject.name, reading.speaker, is_russian), row.subject_type or subject.type, subject.woman


def _own_subject(told: str, row: Row, speaker: str, is_russian: bool) -> str:
    told = re.sub(r"^(?:the|our|my|this|наш[аеи]?|мо[йяеи]) ", "", told.strip(" ,«»\""), flags=re.I)
    word = told.lower()
    relation = relations.RUSSIAN.get(morph.nominative(word, row.needs) if row.needs in ("acc", "dat") else word) or relations.ENGLISH.get(word)
    if relation:
        return f"{speaker}'s {relation}"
    if row.needs in ("acc", "dat", "gen"):
        return morph.nominative(told, row.needs)
    return told


def _show(name: str, speaker: str, is_russian: bool) -> str:
    if name == USER:
        return "Пользователь" if is_russian else "User"
    owner, mark, relation = name.partition("'s ")
    if mark and owner == speaker and relation in relations.RELATIONS:
        if is_russian:
            word = relations.RELATIONS[relation][1].split()[0].capitalize()
            return f"{word} пользователя" if owner == USER else f"{word} ({owner})"
        return f"{'User' if owner == USER else owner}'s {relation}"
    return name


_SLOT = re.compile(r"\{([^{}]+)\}")


def _filled(template: str, groups: Mapping[str, str], woman: bool | None) -> str:
    """A template with its groups; ``{переехал/переехала}`` by who is spoken of."""

    def one(match: re.Match[str]) -> str:
        key = match[1]
        if "/" in key:
            man, other = key.split("/", 1)
            chosen = woman if woman is not None else bool(re.search(r"ла(?:сь)?\b", groups.get("v", "")))
            return other if chosen else man
        return groups.get(key, "")

    return " ".join(_SLOT.sub(one, template).split()).replace(" ,", ",")


def _scope(row: Row, groups: Mapping[str, str]) -> str:
    if not row.scope.startswith("{"):
        return row.scope
    key, _, case = row.scope.strip("{}").partition(":")
    scope = values.trimmed(groups.get(key, ""), 5).lower()
    if case == "relation":
        return relations.ENGLISH.get(scope) or relations.RUSSIAN.get(morph.nominative(scope, row.needs)) or scope
    return morph.nominative(scope, case) if case else re.sub(r"^(?:the|my|our|an?) ", "", scope)


def _quote(reading: _Reading, sentence: Sentence, clause: Clause | None) -> str:
    """The words a fact was read from, verbatim: the sentence, or of a long one the clause."""
    start, end = sentence.start, sentence.end
    if clause is not None and end - start > _LONG_QUOTE:
        start, end = clause.start, clause.end
    return reading.said.text[start:end].strip()
