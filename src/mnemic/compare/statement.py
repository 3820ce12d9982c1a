"""A plain statement taken apart, once, for all that compares statements: :func:`parse`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ..text.analyse import STOP_WORDS, fold
from . import lexicon
from .lexicon import concept, groups, pattern, phrases, words
from .numbers import Numbers, iso

__all__ = ["MAX_CHARS", "VALUE", "Atom", "Statement", "first_person", "parse"]

#: Only so much of a text is read: statements are compared, not documents.
MAX_CHARS = 2_000

#: Names of things that are written in one way only, with an example each. No quantifier is unbounded.
_IDENTIFIERS = (
    r"https?://[^\s<>\"'»)]{1,200}",  # https://example.com/a
    r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}",  # anna@example.com
    r"`[^`\n]{1,120}`",  # `max_connections`
    r"\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?",  # 10.0.0.5
    r"(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][\w.@-]{1,80}){2,12}",  # /etc/nginx/nginx.conf
    r"[\w-]{1,60}(?:/[\w.@-]{1,60}){1,10}\.[a-z]{1,5}\b",  # src/main.py
    # v1.2.3
    r"(?!\d\d?\.\d\d\.(?:19|20)\d\d)v?\d{1,4}(?:\.\d{1,5}){1,3}(?:[-+]?(?:rc|beta|alpha|dev)\.?\d{0,3})?(?![\w:]|[.,]\d)",
    r"[A-Za-z_][\w-]{0,60}(?:\.[\w-]{1,40}){1,6}(?!\w)",  # auth.py, apps.12
    r"[#№]\s?\d{1,9}\b",  # #260
    r"--?[a-z][\w-]{1,60}",  # --no-cache
    r"(?:[^\W\d_]{1,20}-){1,5}\d{1,7}(?![\w-])",  # eu-west-1, OPS-214
    r"(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}\b",  # 9fceb02
    r"(?:[^\W_]{1,40}_+){1,8}[^\W_]{1,40}",  # max_connections
    r"[a-z]{2,20}(?:[A-Z][a-z0-9]{1,20}){1,6}\b",  # getUser
    r"\+?\d{2,5}(?:-\d{2,5}){1,5}(?![\w-])",  # 555-0134
    r"[A-Za-z](?:\+\+|\#)(?!\w)|[A-Fa-f][+\u2212](?![\w+])",  # C++, A+
)
_IDENTIFIER = "|".join(_IDENTIFIERS)
_SCANNED = re.compile(
    r"(?P<iso>(?<!\d)\d{4}-\d\d-\d\d(?!\d)|(?<![\d.])\d\d?\.\d\d\.\d{4}(?!\d))"
    r"|(?P<clock>(?<![\d.:,])(?:[01]?\d|2[0-4]):[0-5]\d(?![\d:]))"
    rf"|(?P<id>(?<![\w./-])(?:{_IDENTIFIER}))"
    r"|(?P<number>(?<!\w)[-\u2212]?\d{1,3}(?:[ \u00a0,’']\d{3})+(?!\d)|(?<!\w)[-\u2212]?\d{1,15}(?:[.,]\d{1,6})?)"
    r"|(?P<sign>[$€£₽%°]|[<>=≤≥≠+*^|]+|[\u2600-\u27bf\U0001f300-\U0001faff])"
    r"|(?P<break>[.!?;:,()\[\]\n—–…«»\"“”]+)"
    r"|(?P<word>[^\W\d_][^\W_]*(?:[-'’.][^\W_]+)*)"
)
_BARE = re.compile(r"^(do|does|did|is|are|was|were|wo|ca|could|would|should|has|have|had)nt$")
#: An identifier that is as often the value of a thing as its name: versions, addresses, files.
VALUE = re.compile(r"v?\d+(?:\.\d+){1,3}(?:[-+:]?\w{1,12})?|\+?\d[\d-]+|.*[/ @.].*")


@dataclass(frozen=True, slots=True)
class Atom:
    """One thing that a statement is made of.

    Attributes:
        kind: ``word``, ``number``, ``clock``, ``date`` or ``id``. key: what it is compared by: a concept, an amount in
            base units, a day. form: as written, folded. role: the preposition before it ("of" for a possessive, "").
        clause: of which clause. denied: whether a negation covers it. capital: written with one. light: says next to
            nothing. at: its place among the words. definite: "my", "the"; indefinite: "a"; "" otherwise.
    """

    kind: str
    key: str
    form: str
    role: str = ""
    clause: int = 0
    denied: bool = False
    capital: bool = False
    light: bool = False
    at: int = 0
    article: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement taken apart.

    Attributes:
        atoms: in order. flat: its words, folded, with what may not be lost ("a+"). persons: who is spoken of by
            pronoun.
        person: the first of them. firm: how firmly it is said, by class. turn: which of change, end, correct, add,
            past, today, times its words belong to. small: words that set statements of the same content apart.
        done: tells of a deed. question: asks. partial: denies a part only. verbs: words of the clauses, folded.
    """

    text: str
    atoms: tuple[Atom, ...]
    flat: tuple[str, ...]
    person: str
    persons: frozenset[str]
    firm: frozenset[str]
    turn: frozenset[str]
    small: frozenset[str]
    times: frozenset[str]
    done: bool
    question: bool
    partial: bool
    rates: tuple[str, ...]
    over: tuple[tuple[Atom, ...], ...] = ()

    @property
    def content(self) -> tuple[Atom, ...]:
        """What it is about: atoms that are not light, or all where nothing else is there."""
        found = tuple(a for a in self.atoms if not a.light)
        return found if any(a.kind in ("word", "id") for a in found) else self.atoms

    @property
    def identifiers(self) -> frozenset[str]:
        """Paths, hosts, versions, ticket numbers, names of code and settings."""
        return frozenset(a.key for a in self.atoms if a.kind == "id")

    def clauses(self) -> tuple[Statement, ...]:
        """The statement clause by clause, where there are several with content."""
        numbers = sorted({a.clause for a in self.content})
        if len(numbers) < 2:
            return ()
        return tuple(replace(self, atoms=tuple(a for a in self.atoms if a.clause == n)) for n in numbers)


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    low: str
    at: int
    clause: int


def first_person(text: str) -> str:
    """What an agent notes of the user, as the user would say it: "The user's dog" is "my dog"."""
    low = text[:40].casefold()
    for row in lexicon.rows("who", "user"):
        form, _, mine = " ".join(row).partition("/")
        if low.startswith(form) and not low[len(form) : len(form) + 1].isalnum():
            return mine + text[len(form) :]
    return text


@lru_cache(maxsize=8_192)
def parse(text: str) -> Statement:
    """Take a statement apart; kept, since one is compared with many. Only its beginning is read."""
    said = first_person(text[:MAX_CHARS])
    tokens = list(_tokens(said))
    lows = [t.low for t in tokens if t.kind != "break"]
    kept = [t for t in tokens if t.kind != "break"]
    turn = {value for _, _, value in phrases("turn", "change").find(lows)}
    form = {i for first, past, _ in phrases("turn", "change", "correct").find(lows) for i in range(first, past)}
    for name in ("end", "stop", "correct", "add", "past", "today", "passing", "move"):
        if next(phrases("turn", name).find(lows), None):
            turn.add(name)
    firm = {name for name in lexicon.kinds_of_firmness() if next(phrases("firm", name).find(lows), None)}
    denied = _denied(kept, lows)
    atoms = tuple(_atoms(kept, lows, form, denied))
    who = [_persons()[low] for low in lows if low in _persons()]
    if not who and kept and _russian_first_person(kept[0].low):
        who = ["i"]
    people = lexicon.stems("who", "people")
    small = frozenset(low for low in lows if low in words("turn", "small"))
    return Statement(
        text=text,
        atoms=atoms,
        flat=tuple(t.low if t.kind != "sign" else t.text for t in tokens if t.kind != "break"),
        person=next((w for w in who if w != "it"), ""),
        persons=frozenset(who) - {"it"},
        firm=frozenset(firm),
        turn=frozenset(turn),
        small=small | frozenset(a.key for a in atoms if a.key in people),
        times=frozenset(concept(lows[i]) for i, _, _ in phrases("turn", "times").find(lows)),
        done=_done(kept, form),
        question=said.rstrip().endswith("?"),
        partial=next(phrases("turn", "part").find(lows), None) is not None,
        rates=tuple(_rates(lows)),
        over=tuple(_over(kept, lows, atoms)),
    )


def _tokens(text: str) -> Iterator[_Token]:
    at = clause = 0
    opens = words("turn", "clause")
    for match in _SCANNED.finditer(text):
        kind, found = match.lastgroup or "", match.group()
        low = fold(found)
        if kind == "break":
            clause += not set(found) <= set('"«»“”—–') and bool(at)
            yield _Token(kind, found, low, at, clause)
            continue
        if kind == "word":
            low = low.replace("’", "'")
            if _BARE.match(low):
                low = low[:-1] + "'t"
            if low in opens and at:
                clause += 1
        yield _Token(kind, found, low, at, clause)
        at += 1


@lru_cache(maxsize=1)
def _persons() -> dict[str, str]:
    return {word: name for name in ("i", "we", "you", "he", "she", "they", "it") for word in words("who", name)}


def _russian_first_person(low: str) -> bool:
    """Russian leaves the pronoun out: «Живу в Риге»."""
    return len(low) > 3 and not low.isascii() and low.endswith(tuple(words("form", "first")))


def _denied(tokens: Sequence[_Token], lows: Sequence[str]) -> frozenset[int]:
    """Places of words that a negation covers: what follows it in its clause, else what stands before it («кота
    нет»)."""
    out: set[int] = set()
    affirm = {i for first, past, _ in phrases("turn", "affirm").find(lows) for i in range(first, past)}
    affirm |= {i for first, past, _ in lexicon.ways().find(lows) for i in range(first, past)}
    for first, past, _ in phrases("turn", "deny", "stop").find(lows):
        if first in affirm:
            continue
        clause = tokens[first].clause
        after = [i for i in range(past, len(tokens)) if tokens[i].clause == clause]
        if not any(_says(lows[i]) for i in after):
            after = [i for i in range(first) if tokens[i].clause == clause]
        out.update(after)
    return frozenset(out)


def _over(tokens: Sequence[_Token], lows: Sequence[str], atoms: Sequence[Atom]) -> Iterator[tuple[Atom, ...]]:
    """What a statement says is over: what follows "no longer", the value after "instead of", what "was deleted"."""
    if next(phrases("turn", "change").find(lows), None):
        yield from ((a,) for a in atoms if a.role in words("frame", "leaving") and (a.capital or a.kind == "id"))
    for first, past, kind in phrases("turn", "end", "stop", "away").find(lows):
        clause = tokens[first].clause
        mine = [a for a in atoms if a.clause == clause]
        after = [a for a in mine if a.at >= past]
        if kind == "away":
            if not after:
                continue
            named = [a for i, a in enumerate(after) if a.at - after[0].at == i and (a.capital or not i)]
            yield tuple(named)
            continue
        cut = next((i for i, a in enumerate(after) if i and a.role in words("frame", "towards")), len(after))
        found = after[:cut]
        if all(a.light for a in found):
            found = [*(a for a in mine if a.at < first), *found]
        if found:
            yield tuple(found)


def _says(low: str) -> bool:
    return low not in STOP_WORDS and low not in _persons()


def _atoms(tokens: Sequence[_Token], lows: Sequence[str], form: set[int], denied: frozenset[int]) -> Iterator[Atom]:
    roles, light = groups("frame", "roles"), words("same", "light")
    definite, indefinite = words("frame", "definite"), words("frame", "indefinite")
    numbers = Numbers(lows, [t.kind for t in tokens])
    ways = {first: (past, key) for first, past, key in lexicon.ways().find(lows)}
    fixed = {
        i for name in lexicon.kinds_of_firmness() for a, b, _ in phrases("firm", name).find(lows) for i in range(a, b)
    }
    deny = {i for a, b, _ in phrases("turn", "deny", "stop").find(lows) for i in range(a, b)}
    role = article = ""
    content = i = 0
    while i < len(tokens):
        token = tokens[i]
        low, at = token.low, i
        made: Atom | None = None
        step = 1
        if (date := numbers.date(i)) is not None:
            step, key = date
            made = Atom("date", key, low)
        elif (clock := numbers.clock(i, token.kind)) is not None:
            step, key = clock
            made = Atom("clock", key, low)
        elif (amount := numbers.amount(i)) is not None:
            step, key, named = amount
            made = Atom("id" if named and content < 2 else "number", key, low)
        elif token.kind == "id":
            made = Atom("id", low.strip("`'#№ .,"), low)
        elif token.kind == "iso":
            made = Atom("date", iso(low), low)
        elif token.kind != "word":
            pass
        elif low in words("turn", "last") and _ends_clause(tokens, i):
            made = Atom("word", concept(low), low)
        elif low in roles:
            role = roles[low]
            i += 1
            continue
        elif i in ways and i not in form:
            past, key = ways[i]
            step, made = past - i, Atom("word", key, low)
        elif low in definite or low in indefinite:
            article = "definite" if low in definite else "indefinite"
        elif i in form or i in deny or (i in fixed and low not in words("frame", "one")):
            pass
        else:
            made = _word(low)
        if made is not None:
            content += made.form not in light
            yield replace(
                made, role=made.role or role, clause=token.clause, denied=i in denied, at=at, article=article,
                capital=token.text[:1].isupper(),
                light=made.kind == "word" and (made.form in light or _numbers_what_follows(made, tokens, i)),
            )  # fmt: skip
            if not _numbers_what_follows(made, tokens, i):
                role = article = ""
        i += step


def _word(low: str) -> Atom | None:
    """A plain word, without its possessive ("Leo's"); nothing for a word that says nothing by itself."""
    base = low.removesuffix("'s") if not low.endswith("s'") else low[:-1]
    key = concept(base)
    if {base, low} & STOP_WORDS or base in _persons() or len(key) < 1 + (not base.isascii()):
        return None
    return Atom("word", key, base, role="of" if base != low else "")


def _numbers_what_follows(made: Atom, tokens: Sequence[_Token], i: int) -> bool:
    """Whether a word only says what kind of thing an identifier is: "ticket OPS-214"."""
    named = i + 1 < len(tokens) and tokens[i + 1].kind == "id" and tokens[i + 1].text[:1].isalpha()
    return named and made.key in lexicon.stems("number", "numbered")


def _ends_clause(tokens: Sequence[_Token], i: int) -> bool:
    """Whether nothing follows in the clause: "staging is up"."""
    behind = next((t for t in tokens[i + 1 :] if t.low not in words("turn", "change")), None)
    return behind is None or behind.clause != tokens[i].clause


def _done(tokens: Sequence[_Token], form: set[int]) -> bool:
    """Whether a statement tells of a deed: "met", "visited", «купил»."""
    did, be = words("frame", "did"), words("frame", "is") | {"have", "has", "is", "get", "gets"}
    for i, token in enumerate(tokens):
        low = token.low
        if token.kind != "word" or i in form:
            continue
        before = tokens[i - 1].low if i else ""
        passive = i + 1 < len(tokens) and tokens[i + 1].low == "by"
        if before in be or passive:
            continue
        if low in did:
            return True
        if concept(low) in lexicon.stems("same", "light"):
            continue
        if low.isascii() and len(low) > 4 and low.endswith("ed") and i and not low.endswith("eed"):
            return True
        past = not low.isascii() and len(low) > 4 and pattern("form", "past").search(low)
        if past and low not in words("frame", "undone"):
            return True
    return False


def _rates(lows: Sequence[str]) -> Iterator[str]:
    """Periods that amounts are meant for: "500 per month", «раз в год»."""
    rate = words("number", "rate")
    period = lexicon.stems("number", "periods")
    for one, two in itertools.pairwise(lows):
        if one in rate and concept(two) in period:
            yield concept(two)
