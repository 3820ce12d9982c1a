"""Runs the tables over an episode: which clauses state something, which rows fit them.

Linear in the length of the text: a clause is looked at only where it holds a cue word of some row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import tzinfo

from ..claims import USER, Candidate, Named, Said
from . import answers, entities, facts, guards, relations, subjects_russian, times
from .clauses import Clause, Sentence, cleaned, sentences
from .forms import Subjects, written_out
from .reading import CYRILLIC, POLICIES, Policy, Reading, policy_of
from .row import Row
from .subjects import Subject, unopened
from .table import Compiled, Table, words_of

MAX_CANDIDATES = 60  # of one episode
#: Kinds of values that no time word can be part of.
_NAMES = frozenset({"name", "person", "town", "ru_town", "org", "place"})


def read(
    said: Said, names: Mapping[str, str], english: Table, russian: Table, zone: tzinfo, maker: str, asked: str = ""
) -> tuple[list[Candidate], list[Named], dict[str, int]]:
    """What one episode states, whom it names, and how much was passed over and why.

    Args:
        said: the episode. names: known names (alias → type). english, russian: the tables. zone: of the calendar.
        maker: extractor and version. asked: the question of the assistant that it may answer.
    """
    policy = POLICIES[policy_of(said)]
    if not (policy.own or policy.others or policy.marked) or "<mnemic-internal" in said.text:
        return [], [], {"role": 1}
    text = cleaned(said.text)
    speaker = said.speaker.strip() if said.speaker and said.speaker.strip() else ""
    if speaker.lower() in ("", "user", "human", "me", "you", "assistant", "пользователь", "я"):
        speaker = USER
    reading = Reading(said, text, policy, speaker, times.now(said.at, zone), maker)
    if asked and policy.own:
        _answer(reading, asked)
    before: Sentence | None = None
    everything: set[str] = set()
    for sentence in sentences(text):
        words = words_of(sentence.text)
        everything |= words
        is_russian = bool(CYRILLIC.search(sentence.text))
        rows = (russian if is_russian else english).fitting(words, sentence.text)
        armed = guards.armed(words)
        if armed.patterns and armed.hit(text[sentence.start : sentence.end + 2], "message"):
            reading.skip("order or task")
            break
        if rows or (policy.own and subjects_russian.may_relate(sentence.text, is_russian)):
            _sentence(reading, sentence, before, rows, armed, is_russian, words)
        before = sentence
        if len(reading.found) >= MAX_CANDIDATES:
            reading.skip("too many")
            break
    facts.without_versions(reading)
    candidates = list(reading.found.values())[:MAX_CANDIDATES]
    for entity in entities.find(said, text, everything, candidates, names, own=policy.own or policy.others):
        reading.named.setdefault(entity.name, entity)
    return candidates, list(reading.named.values()), reading.skipped


def _answer(reading: Reading, asked: str) -> None:
    """The fact that a short answer to a question states."""
    sentence = next(sentences(reading.text), None) or Sentence(reading.text.strip(), 0, len(reading.text), False)
    if sentence.asks or not sentence.text or answers.SENTENCE.match(sentence.text):
        return
    first = re.split(r"[,;(]|\s[—-]\s", sentence.text, maxsplit=1)[0].strip(" .!")
    for answer, pattern in answers.PATTERNS:
        if not (match := pattern.search(asked)) or len(first.split()) > 5:
            continue
        is_russian = bool(CYRILLIC.search(answer.asks))
        words = answers.PREPOSITION.sub("", first, count=1) if answer.case else first
        groups = {key.rstrip("23"): value for key, value in match.groupdict().items() if value}
        row = Row("", "", answer.predicate, answer.content, (), value=answer.value, case=answer.case if words != first else "",
                  scope="{tool}" if answer.predicate == "uses" else "{k}" if groups else "", object_type=answer.object_type)  # fmt: skip
        if value := facts.KINDS[answer.value](words):
            clause = Clause(sentence.text, sentence.start, sentence.end)
            facts.add(reading, sentence, clause, row, groups, value, Subject("i"), "", times.NONE, is_russian)
            return


def _sentence(
    reading: Reading,
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
    if reading.policy.own and subjects_russian.may_relate(sentence.text, is_russian):
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
        previous = (
            _clause(reading, sentence, clauses, before, rows, armed, lent, is_russian, number, timed, not open_ended)
            or previous
        )


#: "I want to cook and drink tea": what goes on with "and" after one of these states nothing.
_INFINITIVE = re.compile(r"\b(?:to|will|would|can|could|should|might|must|let)\b(?! (?:the|a|my|our|this|[A-Z]))")


def _mentions(reading: Reading, sentence: Sentence, is_russian: bool) -> None:
    """Relatives and pets named in passing, in questions too: "what shall I buy for my sister Olga?"."""
    for subject in subjects_russian.related(sentence.text, reading.speaker, is_russian):
        quote = facts.quoted(reading, sentence, None)
        if subject.pet:
            facts.add_pet(reading, quote, subject, is_russian)
        elif subject.relation and not relations.is_past(sentence.text, subject.name):
            facts.add_relative(reading, quote, subject, is_russian)
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
    reading: Reading,
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
    hedged = number > 0 and clauses[number - 1].text.count(" ") < 2 and armed.hit(clauses[number - 1].text, "clause")
    if hedged or armed.hit(clause.text, "clause") or len(body) < 4 or not rows:
        return previous
    if guards.is_open(body) and not (rows := [c for c in rows if c.row.whole and not c.row.subject]):
        return previous
    if not is_russian:
        body = written_out(body)
    bare, when = (body, times.NONE) if not timed else times.read(body, reading.clock, russian=is_russian)
    bare = unopened(bare)
    first = number == 0 or (previous is None and alone)
    own = Subjects(reading, bare, previous, before, is_russian, first)
    later: Subjects | None = None
    onwards: list[Subjects] | None = None
    for compiled in rows:
        row = compiled.row
        if (
            (row.only_with == "time" and when.event is None)
            or (row.only_with == "range" and when.end is None)
            or (row.only_with == "since" and (when.start is None or when.end is not None or when.event is not None))
        ):
            continue
        told, who = when, own
        if row.whole:
            if onwards is None:
                texts = _onwards(clauses[number:], sentence, is_russian)
                onwards = [Subjects(reading, text, previous, before, is_russian, first) for text in texts]
            dated = when if row.value in _NAMES else times.NONE  # other values hold their time words
            # the shortest that fits, but the longest where a scope may follow
            order = reversed(onwards) if row.scope.startswith("{k") else onwards
            any(_try(reading, sentence, clause, compiled, text, dated, is_russian) for text in order)
            continue
        if row.keep_time:
            if later is None:
                later = Subjects(reading, body, previous, before, is_russian, first)
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
        return subject.case == "zero" and (
            bool(_OTHERS_VERB.match(words)) or re.fullmatch(r"[Ии]з [А-ЯЁ]\S*(?: [А-ЯЁ]\S*)?", words) is not None
        )
    if subject.who == "name" and _GERUND.match(words):
        return True  # "Keep learning": no name before it
    several = subject.relation in ("parents", "children") or " and " in subject.name
    return subject.who in ("name", "rel") and not several and bool(_BASE_VERB.match(words))


#: A verb of the third person: without a subject it is nobody's.
_OTHERS_VERB = re.compile(
    r"(?:не |больше |уже )*(?!нет\b|нравится)[а-яё]+(?:[её]т|ит|[уюая]т|[её]тся|ится|[уюая]тся)(?: |$)", re.I
)


def _onwards(rest: list[Clause], sentence: Sentence, is_russian: bool) -> list[str]:
    """A clause, the clause and the one behind it, and so on to the end of the sentence."""
    out = []
    for last in rest[:4]:
        text = unopened(sentence.text[rest[0].start - sentence.start : last.end - sentence.start].strip(" ,"))
        out.append(text if is_russian else written_out(text))
    return out


def _try(
    reading: Reading,
    sentence: Sentence,
    clause: Clause,
    compiled: Compiled,
    who: Subjects,
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
                return facts.take(reading, sentence, clause, compiled, match, Subject("i"), told, is_russian)
        return False
    for subject, forms in who.of(row.needs):
        if subject.who not in row.subject or not _allowed(reading.policy, subject, row):
            continue
        match = next((m for form in forms if (m := compiled.regex.match(form))), None)
        if match is None or _disagree(subject, match.group(), is_russian):
            continue
        if subject.case == "zero" and row.predicate == "habit" and _OTHERS_VERB.match(match["o"] or ""):
            continue  # «по вечерам Жанна занимается …»
        if facts.take(reading, sentence, clause, compiled, match, subject, told, is_russian):
            return True
    return False


def _allowed(policy: Policy, subject: Subject, row: Row) -> bool:
    if row.assistant and policy.marked:
        return policy.own or subject.who in ("name", "thing", "we")
    return policy.own if subject.who in ("i", "we", "rel") else policy.others
