"""Who a clause speaks of: the speaker, "we", somebody's sister, a name, a thing. English, and what both languages share."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...text.analyse import fold
from ...text.names import NOT_NAMES
from ...text.stopwords import STOP_WORDS
from . import relations
from .row import Who, words
from .values import NAME, person

#: Words that stand before a statement and add nothing.
_OPENERS = """
well|so|ok|okay|oh|ah|hi|hey|hello|hi there|hey there|yes|yeah|yep|yup|no,|nope|actually|honestly|also|and|but
because|since|anyway|anyways|btw|by the way|fyi|for the record|for context|context|just so you know|just fyi
heads up|note that|note|please note|please note that|pls remember|please remember|please remember that
remember|remember that|pls remember that|keep in mind|keep in mind that|don't forget|don't forget that
the thing is|thing is|you see|you know|as you know|sadly|unfortunately|luckily|fortunately|basically|finally
small update|quick update|update|news|turns out|it turns out|given that|now that|these days|nowadays|currently
recently|lately|now|right now|at the moment|today|then|later|still|though|although|even though|ugh|lol|haha
thanks|thank you|great|cool|nice|sorry|in fact|to be honest|tbh|personally|as for me|for me|remember this
one more thing|fun fact|good news|bad news|guess what|wow|yay|omg|alright|sure|hmm|in general|overall
after all|my bad|speaking of which|for what it's worth|fwiw|ah yes|oh and|long story short|привет|здравствуйте
добрый день|доброе утро|ну|так|а|и|но|да|нет|ага|кстати|вообще|вообще-то|честно говоря|честно|в общем|короче
также|ещё|еще|потому что|поэтому|так как|ведь|раз|хотя|зато|запомни|запомните|запомни что|запомни, что|учти
учти что|учти, что|имей в виду|имей в виду, что|имей в виду что|напоминаю|напомню|для справки|к слову
между прочим|сейчас|теперь|наконец|наконец-то|недавно|всё|все|оказывается|как ты знаешь|к сожалению|к счастью
что|что касается меня|спасибо|ок|окей|хорошо|ладно|слушай|смотри|короче говоря|на самом деле|лично|блин|эх|ура
новость|новости|обновление|контекст|с недавних пор|последнее время|в последнее время|чтоб ты знал|не забудь
не забудь, что
"""
OPENERS = tuple(_OPENERS.strip().replace("\n", "|").split("|"))
_OPENER = re.compile(
    rf"(?:(?:{'|'.join(sorted(map(re.escape, OPENERS), key=len, reverse=True))})(?:\s*[,:!.—-]+\s*|\s+|$))+", re.I
)
_OPENER_WORDS = frozenset(opener.split(" ", 1)[0].strip(",") for opener in OPENERS)
_FIRST = re.compile(r"[\w'-]+")


def unopened(text: str) -> str:
    """A clause without what only leads up to it ("by the way, …")."""
    first = _FIRST.match(text)
    if first is None or first.group().lower() not in _OPENER_WORDS:
        return text
    opener = _OPENER.match(text)
    return text[opener.end() :] if opener else text


_ENGLISH_RELATION = "|".join(sorted(map(re.escape, relations.ENGLISH), key=len, reverse=True))
_PET = "|".join(sorted(map(re.escape, relations.PETS), key=len, reverse=True))
_ADJECTIVES = (
    r"(?:(?:older|younger|elder|eldest|oldest|youngest|little|big|twin|best|close|closest|good|old|new|dear|beloved|late|lovely|oldest|current|"
    r"direct|two-year-old|adorable|elderly|half|step|only|favou?rite|former|ex)[ -])*"
)
MY = re.compile(
    rf"(?:my|our) (?P<adj>{_ADJECTIVES})(?:(?P<rel>{_ENGLISH_RELATION})|(?P<pet>{_PET}))(?![\w-])"
    rf"(?:,? (?:is called|named|called) (?P<n1>(?-i:{NAME}))|,? ?\((?P<n2>[^()]{{1,40}})\)|,? (?P<n3>(?-i:{NAME}))(?P<n4> ?\([^()]{{1,40}}\))?,?)?",
    re.I,
)
_I = re.compile(r"(?:my \w+(?: (?-i:[A-Z])\w+)? and i|i)(?= |'|$)", re.I)
_WE = re.compile(r"(?:we|(?:our|the|my) (?P<group>team|company)(?! (?-i:[A-Z])))(?= |'|$)", re.I)
_MUM = re.compile(r"(?P<rel>Mum|Mom|Dad|Grandma|Grandpa|Granny)(?= )")
_USER = re.compile(r"(?:the |The )?[Uu]ser(?= )")
_TITLE = r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?"
_NAME = re.compile(
    rf"{_TITLE}(?P<name>{NAME})(?:'s (?P<rel>{_ENGLISH_RELATION}))?(?P<alias> \([^()]{{1,30}}\))?(?P<more>, [^,]{{2,40}},)?(?= |')"
)
_KIND = re.compile(
    r"(?i:the )?(?P<kind>project|company|team|server|service|app|startup|firm) (?P<name>(?-i:[A-Z][\w-]*(?: [A-Z][\w-]*)?))(?= |')",
    re.I,
)
PRONOUN = re.compile(r"(?P<p>he|she|they|it)(?= |'(?:s|re|ve) )", re.I)
_VERB = (
    r"(?:is|are|was|were|uses|use|used|runs|run|needs|need|requires|require|depends|depend|relies|rely|breaks|break|broke|fails|fail|failed|crashes|crash|"
    r"crashed|went|goes|has|have|had|lives|sits|stands|listens|supports|pass|passes|passed|moved|descend|descends|evolved|orbit|orbits|consists|"
    r"hangs|hung|dies|times|returns|throws|works|stopped|switched|chokes|choke|hang|die|live|sit|stay|stays|trips|dropped|is|consists|counts|grew|reached|annoy|segfaults|segfault|blows|falls|bombs|barfs|explodes|freezes|deadlocks|stalls|lives|hangs|gets|migrated|got|hit|must|lies|belongs|contains|expires|costs|starts|died|drops|drop|gave|broke)"
)
_THING = re.compile(
    rf"(?P<np>(?:(?:the|our|my|this|all|both|that) )?[\w.+#@/-]+(?: [\w.+#@/-]+){{0,5}}?)(?= {_VERB}\b)", re.I
)
_DETERMINED = re.compile(r"(?:the|our|my|this|that) ", re.I)
NO_NAMES = words("""
keep sounds looks seems feels smells tastes thing things learning store shop here's heres provide include add create see click enter select update ease
people everyone everybody someone somebody nobody anyone most many some all each every nothing everything
something one two here there this that these those it he she they you users developers work working living
moving love hope glad looking having being getting please let lets let's dear regards best kind good bad nice
maybe sometimes often usually never always because while although based given using note tip step example option
question answer yes no error warning info debug summary also another other others both either neither such same
different several few lots life money time day night morning home after before during until since however
therefore thus hence first second third last next overall honestly speaking congrats happy my our your his her
its their got quit gave broke switched started stopped bumped upgraded moved decided bought just not only even
still already really can could would should will shall may might must do does did don't is are was were has have
had раньше прежде когда-то нынче снова опять все всё никто кто кто-то каждый многие некоторые люди это то там тут здесь вот если когда как что где почему
можно нужно надо есть был была было были будет буду взял взяла взяли купил купила купили переехал переехала живу
работаю люблю ненавижу пользователь помоги подскажи посоветуй расскажи напиши дай найди сделай давай после перед
во на по из от для при без под над через со бюджет дедлайн порт сборка сервер тесты проект команда офис вчера
сегодня завтра летом зимой весной осенью пожалуйста
""")


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a clause speaks of.

    Attributes:
        who: kind (:data:`~.row.Who`). name: how it is called in the fact; empty for the speaker.
        case: Russian: the case it stood in (``nom``, ``dat``, ``u``, ``acc``). woman: as far as known.
        relation: scope of :data:`~.relations.RELATIONS` where it was given by one. pet: kind of animal.
        type: entity type, where the words say it. aliases, role: further names and what was said between commas.
        quoted: the words it was given by.
    """

    who: Who
    name: str = ""
    case: str = "nom"
    woman: bool | None = None
    relation: str = ""
    pet: str = ""
    type: str = "person"
    aliases: tuple[str, ...] = ()
    role: str = ""
    quoted: str = ""
    plural: bool = field(default=False)


def is_name(words: str) -> bool:
    """Whether capitalised words may name somebody: no pronoun, weekday or verb begins them."""
    first = fold(words.split()[0].strip("'.,"))
    return first not in NO_NAMES and first not in STOP_WORDS and first not in NOT_NAMES


#: Words of a negation: what holds one is no name of a thing, but the beginning of what is said of it.
_DENYING = words("not never cannot longer не нет ни больше уже никогда")


def denies(np: str) -> bool:
    """Whether words that stand before a verb end in a negation: "the server no longer", «Kafka больше не»."""
    return fold(np.rsplit(" ", 1)[-1]) in _DENYING


def of_relation(match: re.Match[str], speaker: str) -> Subject:
    """The subject that "my sister Olga (Olya)" means."""
    word = match["rel"] or match["pet"]
    relation = "" if not match["rel"] else relations.ENGLISH[match["rel"].lower()]
    aliases: tuple[str, ...] = ()
    name = ""
    # IGNORECASE lets the name begin small: only a capital makes one
    for group in ("n1", "n2", "n3"):
        given = match[group]
        if given and given[0].isupper() and is_name(given) and (name := person(given)):
            break
        name = ""
    if name and match["n4"] and (other := person(match["n4"].strip(" ()"))):
        aliases = (other,)
    woman = True if word.lower() in relations.WOMEN else False if word.lower() in relations.MEN else None
    if name:
        return Subject(
            "rel", name, "nom", woman, relation, (match["pet"] or "").lower(), aliases=aliases, quoted=match.group()
        )
    shown = relation or word.lower()
    if relation and relations.FORMER.search(match["adj"] or ""):  # what she does is not what the boss of today does
        shown = f"former {relation}"
    return Subject(
        "rel", f"{speaker}'s {shown}", "nom", woman, relation, (match["pet"] or "").lower(), quoted=match.group()
    )


def english(clause: str, speaker: str, last: Subject | None) -> list[tuple[Subject, str]]:
    """The subjects a clause may begin with, the likeliest first, and what follows each.

    Args:
        clause: without openers. speaker: how the speaker is called in facts ("user").
        last: the person or thing spoken of before, for "she" and "it".
    """
    if match := _I.match(clause):
        return [(Subject("i"), clause[match.end() :])]
    if match := _WE.match(clause):
        rest, group = clause[match.end() :], (match["group"] or "").lower()
        we = (Subject("we", group, type="organization", plural=True), rest)
        return [we, (Subject("thing", group, type="organization"), rest)] if group else [we]
    if match := MY.match(clause):
        subject = of_relation(match, speaker)
        end = match.end()
        if subject.name.startswith(f"{speaker}'s "):  # what stood there was no name
            end = match.end("rel") if match["rel"] else match.end("pet")
        return [(subject, clause[end:])]
    if match := _MUM.match(clause):
        scope = relations.ENGLISH[match["rel"].lower()]
        subject = Subject("rel", f"{speaker}'s {scope}", woman=scope in ("mother", "grandmother"), relation=scope)
        return [(subject, clause[match.end() :])]
    if match := _USER.match(clause):
        return [(Subject("i"), clause[match.end() :])]
    if match := PRONOUN.match(clause):
        word = match["p"].lower()
        fits = last is not None and (
            (word == "it" and last.who == "thing")
            or (word == "he" and last.who in ("rel", "name") and last.woman is not True)
            or (word == "she" and last.who in ("rel", "name") and last.woman is not False)
        )
        return [(last, clause[match.end() :])] if last and fits else []
    if match := _KIND.match(clause):
        kind = KINDS.get(match["kind"].lower(), "tool")
        return [(Subject("name", match["name"], type=kind), clause[match.end() :])]
    out = []
    if (match := _NAME.match(clause)) and is_name(match["name"]) and not _DETERMINED.match(clause):
        out.append(_named(match, clause))
    if match := _THING.match(clause):
        np = match["np"]
        bare = re.sub(r"^(?:the|our|my|this|that|all|both) ", "", np, flags=re.I)
        first = fold(bare.split()[0])
        vague = first in NO_NAMES or first in NOT_NAMES
        if not _DETERMINED.match(np):
            parts = bare.split()
            vague = vague or len(parts) > 3 or any(fold(part) in STOP_WORDS for part in parts)
        if not vague and not denies(bare) and not any(subject.name == bare for subject, _ in out):
            out.append((Subject("thing", bare, type="concept"), clause[match.end() :]))
    return out


KINDS = {
    **dict.fromkeys(("project", "проект"), "project"),
    **dict.fromkeys(("company", "startup", "firm", "team", "компания", "фирма", "команда"), "organization"),
}


def _named(match: re.Match[str], clause: str) -> tuple[Subject, str]:
    name = re.sub(r"'s$", "", match["name"])
    end = match.end()
    if match["name"].endswith("'s"):  # "Vera's a nurse": the verb is in it
        end = match.end("name") - 2
        return Subject("name", name), clause[end:]
    if match["rel"]:
        scope = relations.ENGLISH[match["rel"]]
        return Subject("rel", f"{name}'s {scope}", relation=""), clause[end:]
    alias = person((match["alias"] or "").strip(" ()"))
    role = (match["more"] or "").strip(" ,")
    return Subject("name", name, aliases=(alias,) if alias else (), role=role, quoted=match.group()), clause[end:]


MY_CUE = re.compile(r"\b(?:my|our)\b", re.I)
