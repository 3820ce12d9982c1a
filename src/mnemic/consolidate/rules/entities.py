"""Entities that an episode names, their types told by the words around them. No lists of names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from ...text.analyse import fold
from ...text.names import NOT_NAMES, alias, names
from ...text.stopwords import STOP_WORDS
from ..claims import USER, Candidate, Named, Said
from . import relations
from .values import NAME, person

#: (cue words, pattern with group ``n``, type, an example and its name). The first row that fits a name gives its type.
CUES: tuple[tuple[str, str, str, str, str], ...] = (
    ("dr mr mrs ms prof sir herr frau", rf"(?:Dr|Mr|Mrs|Ms|Prof|Sir|Herr|Frau)\.? (?P<n>{NAME})", "person", "Dr. Elena Brand will call", "Elena Brand"),
    ("г-н г-жа господин госпожа доктор профессор", r"(?:г-н|г-жа|господин|госпожа|доктор|профессор) (?P<n>[А-ЯЁ][а-яё]+(?: [А-ЯЁ][а-яё]+)?)", "person", "Приехал г-н Орлов", "Орлов"),
    ("project проект", rf"\b(?:[Pp]roject|[Пп]роект) [«\"]?(?P<n>{NAME})", "project", "We renamed project Falcon", "Falcon"),
    ("company startup банк компания компании компанию ооо ао пао зао", rf"\b(?:[Cc]ompany|[Ss]tartup|[Бб]анк|[Кк]омпани[яиею]|ООО|АО|ПАО|ЗАО) [«\"]?(?P<n>{NAME})", "organization", "ООО «Ромашка» ответило", "Ромашка"),
    ("inc llc ltd gmbh corp ag plc university bank institute foundation", r"(?P<n>[A-Z][\w&-]*(?: [A-Z][\w&-]*){0,3}),? (?:Inc|LLC|Ltd|GmbH|Corp|AG|PLC|University|Bank|Institute|Foundation)\b", "organization", "We met Globex Inc today", "Globex"),
    ("presented announced released launched acquired raised opened hired представила анонсировала выпустила купила", rf"(?P<n>{NAME}) (?:presented|announced|released|launched|acquired|raised|opened an office|hired|представила|анонсировала|выпустила|купила компанию)\b", "organization", "Apple presented a new phone", "Apple"),
    ("at works working joined", rf"\b(?:at|works for|working for|joined) (?P<n>{NAME})", "organization", "lunch at Globex", "Globex"),
    ("live lives living moved moving based flew flying travel traveled travelled traveling travelling trip born", rf"\b(?:live|lives|living|moved|moving|based|flew|flying|travel\w*|trip|born) (?:to|in|from) (?P<n>{NAME})", "place", "a trip to Lisbon", "Lisbon"),
    ("lead manager engineer developer director designer founder ceo cto owner analyst accountant lawyer doctor teacher team", r"(?P<n>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)(?:, (?P<r>(?:[\w-]+ ){0,3}(?:lead|manager|engineer|developer|director|designer|founder|ceo|cto|owner|analyst|accountant|lawyer|doctor|teacher))\b| from (?:the )?(?P<t>[\w-]+ team)\b)", "person", "Junlei, tech lead, joins us", "Junlei"),
    ("said says told wrote writes texted asked thinks visited met promised mentioned emailed phoned married joined agreed suggested called calls", rf"(?P<n>{NAME}) (?:said|says|told|called|calls|wrote|writes|texted|asked|thinks|visited|met|promised|mentioned|emailed|phoned|married|joined|agreed|suggested)\b", "person", "Jutta called", "Jutta"),
    ("тимлид техлид менеджер разработчик директор дизайнер аналитик бухгалтер заказчица заказчик", r"(?P<n>[А-ЯЁ][а-яё]+(?: [А-ЯЁ][а-яё]+)?)(?:, (?P<r>(?:[а-яё-]+ ){0,2}(?:тимлид|техлид|менеджер|разработчик|директор|дизайнер|аналитик|бухгалтер|заказчица|заказчик))\b)", "person", "Лена, дизайнер, пришла", "Лена"),
    ("сказал сказала говорит позвонил позвонила написал написала спросил спросила считает думает пришёл пришла просил просила обещал обещала упомянул упомянула", r"(?P<n>[А-ЯЁ][а-яё]+(?: [А-ЯЁ][а-яё]+)?) (?:сказал|сказала|говорит|позвонил|позвонила|написал|написала|спросил|спросила|считает|думает|пришёл|пришла|просил|просила|обещал|обещала|упомянул|упомянула)\b", "person", "Вчера Марта позвонила", "Марта"),
    ("asked told with met called ask tell", r"\b(?:asked|told|with|met|called|ask|tell) (?P<n>[A-Z][a-z]+)(?= (?:to|about|that|for|and)\b)", "person", "I met Lena and Tom", "Lena"),
)  # fmt: skip
_CUES = tuple((frozenset(cue.split()), re.compile(pattern), kind) for cue, pattern, kind, _, _ in CUES)
_TOO_LONG = 20_000  # of a text: what names it holds is then told by its facts
_CAPITAL = re.compile(r"[A-ZА-ЯЁ]")


def only_person(text: str) -> str:
    """The one name in a sentence, if it holds just one that may be a person's."""
    found = [name for name in names(text) if person(name) == name]
    return found[0] if len(found) == 1 else ""


def find(
    said: Said,
    text: str,
    words: AbstractSet[str],
    candidates: Iterable[Candidate],
    known: Mapping[str, str],
    *,
    own: bool,
) -> list[Named]:
    """The entities of an episode: of its facts, by the words around a name, and those that are known already.

    Args:
        said: the episode. text: cleaned. words: of it, in small letters. candidates: its facts. known: alias → type. own: whether names without a
            cue count (not in what assistants write: headings are full of capitals).
    """
    out: dict[str, Named] = {}

    def put(
        name: str, kind: str, aliases: tuple[str, ...] = (), attributes: Mapping[str, object] | None = None
    ) -> None:
        key = alias(name)
        old = out.get(key)
        if old is None:
            out[key] = Named(name, kind, said.id, aliases, dict(attributes or {}))
        elif (aliases and not old.aliases) or (attributes and not old.attributes):
            out[key] = Named(
                old.name, old.type, said.id, old.aliases or aliases, old.attributes or dict(attributes or {})
            )

    for fact in candidates:
        if fact.subject not in (USER, "project") and fact.subject[:1].isupper() and "'s " not in fact.subject:
            put(fact.subject, fact.subject_type, tuple(fact.aliases.get(fact.subject, ())), _details(fact))
        if fact.object_type and fact.object[:1].isupper():
            put(fact.object, fact.object_type, tuple(fact.aliases.get(fact.object, ())))
    if not own or len(text) > _TOO_LONG or not _CAPITAL.search(text):
        return list(out.values())
    there = names(text)
    for cue, pattern, kind in _CUES:
        for match in () if cue.isdisjoint(words) else pattern.finditer(text):
            name = match["n"]
            while (first := name.split(" ", 1)[0]) != name and (fold(first) in NOT_NAMES or fold(first) in STOP_WORDS):
                name = name.split(" ", 1)[1]
            name = person(name) if kind == "person" else re.sub(r"'s$", "", name).strip(" .,'")
            if not name or alias(name.split()[0]) in relations.ENGLISH:
                continue
            details = {k: v for k, v in (("role", _group(match, "r")), ("team", _group(match, "t"))) if v}
            put(name, kind, (), details)
    for name in there:
        kind = (
            known.get(alias(name))
            or known.get(name)
            or ("organization" if name.isupper() and 2 < len(name) < 8 else "concept")
        )
        put(name, kind)
    return list(out.values())


def _details(fact: Candidate) -> Mapping[str, object]:
    if fact.predicate == "works_as" and fact.act == "assert":
        return {"role": fact.object}
    return fact.attributes


def _group(match: re.Match[str], name: str) -> str:
    return (match.groupdict().get(name) or "").strip()
