"""From the clauses of a message to candidates: whose it is, what of it is a value, and since when it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from ...lang import when
from ..claims import USER, Candidate, Said
from ..slots import SLOTS
from . import base_form
from .clauses import Clause, clauses, sentences, stated
from .own import plain, without_pasted
from .rows import Language, Row, tables, words_of
from .values import pieces

CONFIDENCE = 0.6
PROJECT = "project"  # subject of what a team says of its unnamed work
LONGEST_QUOTE = 320
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAYS = {"day": "%Y-%m-%d", "week": "%Y-%m-%d", "month": "%Y-%m", "quarter": "%Y-%m", "season": "%Y-%m", "year": "%Y"}
_LONG = timedelta(days=40)
_PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _When:
    """Since when something holds, how exact that is, and the words that tell it."""

    start: int | None = None
    grain: str | None = None
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a match stands: message, sentence, language, and the time of the message."""

    said: Said
    sentence: str
    language: Language
    clock: datetime
    maker: str


def read(said: Said, zone: tzinfo, maker: str) -> Iterator[Candidate]:
    """The candidates of one message, each once."""
    tokens = words_of(said.text)
    languages = [language for language in tables() if not tokens.isdisjoint(language.by_cue)]
    if not languages or not plain(said.text):
        return
    text = without_pasted(said.text)
    clock = (_EPOCH + timedelta(microseconds=said.at)).astimezone(zone)
    seen: set[tuple[str, ...]] = set()
    for start, sentence in sentences(text):
        for language in languages:
            rows = _rows(sentence, language)
            meant = stated(sentence, language) if rows else ""
            if not meant:
                continue
            quote = said.text[start : start + len(sentence)][:LONGEST_QUOTE].rstrip(" .!…")
            place = _Place(said, quote, language, clock, maker)
            for candidate in _of_sentence(place, meant, rows):
                key = (candidate.subject, candidate.predicate, candidate.scope, candidate.object.lower(), candidate.act)
                if key not in seen:
                    seen.add(key)
                    yield candidate


def _rows(sentence: str, language: Language) -> list[Row]:
    """The rows of which the sentence holds a cue, in the order of the file."""
    found = {row.number: row for word in words_of(sentence) for row in language.by_cue.get(word, ())}
    return [found[number] for number in sorted(found)]


def _of_sentence(place: _Place, sentence: str, rows: list[Row]) -> Iterator[Candidate]:
    sentence = sentence.replace("’", "'")
    for row in rows:
        if row.search:
            for match in row.pattern.finditer(sentence):
                yield from _taken(place, row, match, _When())
    anchored = [row for row in rows if not row.search]
    done = -1
    for clause in clauses(sentence, place.language) if anchored else ():
        if clause.start < done or not _ended(clause, place.language):
            continue
        for row in anchored:
            found = list(_of_clause(place, row, clause))
            if found:
                done = clause.end
                yield from found
                break


def _ended(clause: Clause, language: Language) -> bool:
    """Whether a clause is over where it ends: what follows neither limits it nor belongs to its value."""
    after = clause.after
    return not after or (language.begins("limit", after) is None and language.begins("next", after) is not None)


def _of_clause(place: _Place, row: Row, clause: Clause) -> Iterator[Candidate]:
    text, time = clause.text, _When()
    if row.time in ("state", "event", "ahead"):
        read_time = _timed(place, row, text)
        if read_time is None:
            return
        text, time = read_time
    match = row.pattern.fullmatch(text)
    if match is None or (clause.start and match.groupdict().get("s")):  # a name is sure where a sentence begins with it
        return
    if row.time == "ahead" and time.start is None:
        return
    # "Vera moved to Rome and joined Globex": a deed without a subject is that of whom the sentence began with.
    told = place.sentence[: clause.end]
    if clause.start and row.time == "event" and row.about != PROJECT and not place.language.found("speaks", told):
        return
    yield from _taken(place, row, match, time)


# -- what a match says ----------------------------------------------------------------------------------------------


def _taken(place: _Place, row: Row, match: re.Match[str], time: _When) -> Iterator[Candidate]:
    groups = {key.rstrip("234"): found.strip() for key, found in match.groupdict().items() if found and found.strip()}
    subject, shown, kind = _subject(place, row, groups)
    if not subject:
        return
    values = _values(place, row, groups.get("o", ""))
    old = [base for base, _ in _values(place, row, groups["old"], "gent")] if "old" in groups else [""]
    if not values or len(old) != 1:
        return
    bent = bool(place.language.shown.get("bends"))
    thing = groups.get("k", "").lower()
    fill = {**groups, "S": shown, "k": base_form.lemma(thing) if bent and thing else thing, "old": old[0]}
    for value, written in values:
        told = {**fill, "o": value, **dict.fromkeys((f"o:{case}" for case in row.case.split()[:1]), written)}
        for scope in row.scope:
            yield _candidate(place, row, subject, kind, _filled(scope, told), told, time)


def _candidate(
    place: _Place, row: Row, subject: str, kind: str, scope: str, told: Mapping[str, str], time: _When
) -> Candidate:
    said, content, ending = place.said, _filled(row.content, told), row.act == "end"
    slot = SLOTS[row.predicate]
    if time.phrase and not ending:
        content += time.phrase
    beside = place.language.found("beside", place.sentence) if slot.shared and not ending else ""
    if beside and beside not in content:  # a second job leaves the first one as it is
        content += f" ({beside})"
    event = time.start if time.start is not None and time.start <= said.at else said.at
    return Candidate(
        source=said.id,
        quote=place.sentence,
        content=content[:1].upper() + content[1:],
        subject=subject,
        predicate=row.predicate,
        object="" if row.value == "none" else _filled(row.object, told),
        event_time=event,
        scope=scope if slot.scoped else "",
        kind=slot.kind,
        label=slot.label,
        subject_type=kind,
        object_type=None if ending else row.object_type,
        act="end" if ending else "assert",
        replaces=told["old"] or None,
        holder=subject if slot.kind == "opinion" else None,
        valid_from=time.start,
        granularity=time.grain if event == time.start else None,
        confidence=CONFIDENCE,
        made_by=f"{place.maker}:{row.predicate}",
        also=row.ends,
    )


def _filled(template: str, told: Mapping[str, str]) -> str:
    return " ".join(
        _PLACE.sub(lambda m: told.get(f"{m[1]}:{m[2]}") or _bent(told.get(m[1], ""), m[2]), template).split()
    )


def _bent(value: str, case: str | None) -> str:
    return base_form.base(value, "nomn", case) if case else value


def _subject(place: _Place, row: Row, groups: Mapping[str, str]) -> tuple[str, str, str]:
    """Whom a match is about: its name, how it is shown, its type; empty where that is not certain."""
    language, said = place.language, place.said
    if groups.get("s", "").casefold() in (USER, language.shown["user"].casefold()):  # as an export words it
        return USER, language.shown["user"], "person"
    if "s" in groups:
        names = pieces(groups["s"], "name", language)
        if names and language.shown.get("bends") and not all(map(base_form.personal, names[0].split())):
            return "", "", ""
        return (names[0], names[0], "person") if names else ("", "", "")
    if row.about == PROJECT or groups.get("we"):
        return PROJECT, language.shown["project"], PROJECT
    speaker = said.speaker or ""
    return (speaker, speaker, "person") if _named(speaker) else (USER, language.shown["user"], "person")


def _named(speaker: str) -> bool:
    return bool(speaker) and speaker.casefold() not in (USER, "human", "me")


def _values(place: _Place, row: Row, raw: str, case: str = "") -> list[tuple[str, str]]:
    """The values of a text, each in its base form and as it is written."""
    language = place.language
    if row.value == "time":
        bare = when.parse(raw, place.clock, prefer="future")
        window = when.find(raw, place.clock, prefer="future") or ([bare] if bare else [])
        if len(window) != 1 or window[0].granularity not in _DAYS:
            return []
        if re.sub(r"[\W_]", "", raw.replace(window[0].text, "")):
            return []
        if row.predicate == "birthday":  # a day of every year
            raw = raw if place.language.begins("time_lead", raw) is None else raw.partition(" ")[2]
            return [(raw, raw)]
        return [(_date(window[0].start, window[0].granularity),) * 2]
    bends = row.case and language.shown.get("bends")
    found = pieces(raw, row.value, language)
    if bends and row.case == "nomn" and row.value == "name" and not all(map(base_form.personal, raw.split())):
        return []
    return [(base_form.base(value, case or row.case) if bends else value, value) for value in found]


# -- since when -----------------------------------------------------------------------------------------------------


def _timed(place: _Place, row: Row, text: str) -> tuple[str, _When] | None:
    """A clause without its words of time, and what they say; ``None`` where they say that it is not so now."""
    windows = when.find(text, place.clock, prefer="future" if row.time == "ahead" else "past")
    if not windows:
        return text, _When()
    if len(windows) > 1:
        return None
    window = windows[0]
    lasting = window.end >= when.MAX or place.language.begins("since", window.text) is not None
    so_far = window.granularity == "span" and window.direction == "present" and window.end - window.start > _LONG
    fits = {
        "state": (lasting or so_far) and window.start <= place.clock,
        "event": window.direction != "future" and window.start > when.MIN,
        "ahead": window.direction == "future" and window.start > when.MIN,
    }[row.time]
    if not fits:
        return None
    bare = _SPACE.sub(" ", (text[: window.span[0]] + " " + text[window.span[1] :]).replace(" ,", ",")).strip(" ,")
    lead = place.language.guards.get("time_lead")
    if lead is not None:
        bare = re.sub(rf"\s*{lead.pattern}$", "", bare, flags=re.I)
    grain = window.granularity if window.granularity in _DAYS else _grain(window.start)
    start = int((window.start - _EPOCH) / timedelta(microseconds=1))
    phrase = place.language.shown["since" if row.time != "event" else "on"].replace(
        "{date}", _date(window.start, grain)
    )
    return bare, _When(start, "season" if grain == "quarter" else grain, phrase)


def _grain(moment: datetime) -> str:
    """How exact an open beginning is meant: the first of a year or of a month stands for all of it."""
    return "day" if moment.day > 1 else "year" if moment.month == 1 else "month"


def _date(moment: datetime, grain: str) -> str:
    return moment.strftime(_DAYS[grain])
