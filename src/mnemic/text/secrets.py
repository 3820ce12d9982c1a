"""Keys, tokens and passwords are replaced before the first write: a table of rules and one function.

:func:`mask` puts ``[masked:<kind>]`` in the place of each secret and leaves the words around it. What stands
in ``<private>…</private>`` goes as well, nested or unclosed (then everything after it is private).

A rule runs only if one of its ``hints`` occurs in a lower-cased word, and most only if that word is a long one.
What a word calls for can be remembered (``text/ready.py`` does), so that an ordinary message costs a look-up a
word. The regular expression masks the group ``v``, or all of the match where there is no such group.
Edges are ASCII ones (a key glued to Cyrillic or Chinese letters is a key; ``risk-based`` is not).
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemic.errors import InvalidInput

from ..lang.pack import filled

__all__ = ["BUILT_IN", "RULES", "Masker", "Rule", "mask"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of secret.

    Attributes:
        name: goes into the placeholder and the counts.
        hints: lower-case literals, one of which every match contains.
        pattern: what to mask (the group ``v`` if there is one).
        example: a made-up text that the rule must mask; the tests go through all of them.
        check: a last look at the match; ``False`` leaves it as it is.
        long: every match holds sixteen characters without a space, one of the hints among them, so texts of
        short words need not be searched. anchored: every match begins with a hint, so it is tried only there.
    """

    name: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    example: str
    check: Callable[[re.Match[str]], bool] | None = None
    long: bool = True
    anchored: bool = False


# --- what a value must look like
# -----------------------------------------------------------------------------------

#: Values that only stand for a secret, or say that there is none.
_PLACEHOLDER = re.compile(
    r"[$%{<\[*(&]|\.\.|x{3,}|\*{3,}|(?:os|process|env|config|settings|self|args|secrets?)\b\."
    r"|your[-_ ]|my[-_]|"
    r"(?:none|null|nil|true|false|undefined|required|optional|string|str|bytes|int|bool|text|hidden|changeme|example|"
    r"placeholder|redacted|masked|dummy|sample|input|value|password|passwd|token|secret|key|here|todo|test)\b",
    re.IGNORECASE,
)
_CALL = re.compile(r"[A-Za-z_][\w.]*\(")
_KEY_PREFIX = re.compile(
    r"(?:(?i:api|access|secret|private|auth|encryption|signing|master|service|account|client|session"
    r"|app|bot)[_\- ]?|[A-Z0-9]_)\Z"
)
_ENV_NAME = re.compile(r"(?:\A|[\s;\"'])[A-Z][A-Z0-9_]{2,60}\Z")
_IDENTIFIER_PATH = re.compile(r"[A-Za-z_][a-z_]*(?:\.[A-Za-z_][A-Za-z_]*)+\Z")
_LETTER, _DIGIT, _SYMBOL = re.compile(r"[^\W\d_]"), re.compile(r"\d"), re.compile(r"[!@#$%^&*?~+=/]")
_LOWER, _UPPER, _INNER_UPPER = re.compile(r"[a-z]"), re.compile(r"[A-Z]"), re.compile(r"[a-z].*[A-Z]")


def _entropy(text: str) -> float:
    """Return the bits per character of ``text``."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values())


def _stands_for_nothing(found: re.Match[str]) -> bool:
    """Whether the value is a placeholder or a piece of code rather than a secret."""
    value = found["v"]
    code = _CALL.match(value) if not found["q"] else None
    return bool(code or _PLACEHOLDER.match(value) or _IDENTIFIER_PATH.match(value)) or (
        found.string[found.end("v") : found.end("v") + 1] == "("
    )


def _is_password(found: re.Match[str]) -> bool:
    """Plain words are no passwords: a digit, a symbol or an inner capital is wanted, or quotes around it."""
    value = found["v"].rstrip(".,;:)")
    if _stands_for_nothing(found):
        return False
    if _DIGIT.search(value):
        return len(value) >= 4
    if found["q"]:
        return len(value) >= 5
    if _LETTER.search(value) and (_SYMBOL.search(value[:-1]) or _INNER_UPPER.search(value)):
        return "/" not in value[:1] and len(value) >= 6
    return found["name"].isupper() and found["sign"] == "=" and len(value) >= 5


def _is_token(found: re.Match[str]) -> bool:
    """Letters and digits mixed, or a long string of high entropy; ``key`` alone names too many other
    things."""
    value, name = found["v"], found["name"]
    if _stands_for_nothing(found):
        return False
    if name.lower() == "key" and not _KEY_PREFIX.search(found.string, max(0, found.start() - 16), found.start()):
        return False
    digits = len(_DIGIT.findall(value))
    if not _LETTER.search(value) or (digits == 0 and _entropy(value) < 3.9):
        return False
    if len(value) < 16 and not name.isupper() and (digits < 2 or (not found["q"] and "_" in value)):
        return False
    return digits >= 2 or len(value) >= 20


def _is_random(found: re.Match[str]) -> bool:
    value = found["v"]
    if not _ENV_NAME.search(found.string, max(0, found.start() - 64), found.start()):
        return False
    mixed = _LOWER.search(value) and _UPPER.search(value) and _DIGIT.search(value)
    return bool(mixed) and "/" not in value[:2] and _entropy(value) >= 4.0


def _has_digit_or_capital(found: re.Match[str]) -> bool:
    value = found.groupdict().get("v") or found[0]
    return bool(_DIGIT.search(value) or _UPPER.search(value[4:]))


LONG = 16  # characters of a long word
SHORT = 32  # below it one pattern is quicker than a search for each hint

# --- the table
# -----------------------------------------------------------------------------------------------------

_CHECKS: Mapping[str, Callable[[re.Match[str]], bool]] = {
    "digit_or_capital": _has_digit_or_capital,
    "password": _is_password,
    "token": _is_token,
    "random": _is_random,
    "bearer": lambda found: bool(_DIGIT.search(found["v"])) or (len(found["v"]) >= 16 and _entropy(found["v"]) > 3.9),
    "option": lambda found: bool(_DIGIT.search(found["v"])) and not _PLACEHOLDER.match(found["v"]),
}


def _read_rules() -> tuple[Rule, ...]:
    """The rules of ``text/data/secrets.toml``, whose first lines say what the keys mean."""
    table = tomllib.loads((Path(__file__).parent / "data" / "secrets.toml").read_text(encoding="utf-8"))

    def compiled(row: Mapping[str, Any]) -> re.Pattern[str]:
        return re.compile(filled(row["pattern"], table["parts"]), re.DOTALL if row.get("lines") else 0)

    return tuple(
        Rule(
            row["name"],
            tuple(row["hints"].split("|")),
            compiled(row),
            row["example"],
            _CHECKS[row["check"]] if "check" in row else None,
            long=not row.get("short", False),
            anchored=row.get("anchored", False),
        )
        for row in table["rule"]
    )


RULES = _read_rules()

_PRIVATE_TAG = re.compile(
    r"(?:<|&lt;|\\u003c)\s{0,3}(/?)\s{0,3}private\b[^<>]{0,200}?(?:>|&gt;|\\u003e)", re.IGNORECASE
)


def without_private(text: str) -> tuple[str, int]:
    """Return ``text`` with each private block replaced, and how many there were.

    Blocks nest; a block that is never closed reaches to the end of the text.
    """
    parts: list[str] = []
    depth = count = kept_from = 0
    for tag in _PRIVATE_TAG.finditer(text):
        if not tag[1]:
            if depth == 0:
                parts += (text[kept_from : tag.start()], "[masked:private]")
                count += 1
            depth += 1
        elif depth:
            depth -= 1
            kept_from = tag.end() if depth == 0 else kept_from
    if depth == 0:
        parts.append(text[kept_from:])
    return "".join(parts), count


class Masker:
    """Rules ready to run.

    Args:
        extra: further patterns by name; the group ``v``, if there is one, is what gets masked.
        rules: the table to start from.

    Raises:
        InvalidInput: a pattern is no regular expression, matches the empty text, or its name cannot go into
            a placeholder. A policy that cannot work fails here, never silently later.
    """

    def __init__(self, extra: Mapping[str, str] | None = None, *, rules: Iterable[Rule] = RULES) -> None:
        self._table = [*(_checked(name, pattern) for name, pattern in (extra or {}).items()), *rules]
        self._phrases = [any(" " in hint for hint in rule.hints) for rule in self._table]
        self._always = sum(1 << number for number, rule in enumerate(self._table) if "" in rule.hints)
        self._hints = [
            (1 << number, rule.long, tuple(max(hint.split(), key=len) for hint in rule.hints if hint))
            for number, rule in enumerate(self._table)
        ]
        self._hints.append((1 << len(self._table), False, ("private",)))
        self._ascii_hints = [(bit, long, tuple(filter(str.isascii, hints))) for bit, long, hints in self._hints]
        self._any_hint = re.compile("|".join(re.escape(hint) for *_, hints in self._hints for hint in hints))

    def calls(self, text: str) -> int:
        """The rules, as bits, that a text may be a case for; 0 for nearly every word. Those of a text are those of its
        words together.

        A hint of several words is looked for by its longest one. The bit after the last rule stands for private blocks.
        """
        low = text.lower()
        if len(low) < SHORT and not self._any_hint.search(low):
            return 0
        long_words = " ".join([word for word in low.split() if len(word) >= LONG])
        called = 0
        for bit, long, hints in self._ascii_hints if low.isascii() else self._hints:
            place = long_words if long else low
            for hint in hints:
                if hint in place:
                    called |= bit
                    break
        return called

    def mask(self, text: str, called: int | None = None) -> tuple[str, Counter[str]]:
        """Return ``text`` with every secret replaced by ``[masked:<kind>]``, and how many of each kind there
        were. ``called``: what :meth:`calls` says of it, for a caller that has it from the words."""
        counts: Counter[str] = Counter()
        if called is None:
            called = self.calls(text)
        called |= self._always
        if not called:
            return text, counts
        low = text.lower()
        if "private" in low:
            text, blocks = without_private(text)
            if blocks:
                counts["private"] = blocks
        for number, rule in enumerate(self._table):
            if called >> number & 1 and (not self._phrases[number] or any(hint in low for hint in rule.hints)):
                text = _apply(rule, text, counts)
        return text, counts


def _checked(name: object, pattern: object) -> Rule:
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name):
        raise InvalidInput("mask pattern", f"{name!r} is no name", "letters, digits, _ and - only")
    if not isinstance(pattern, str) or not pattern:
        raise InvalidInput(f"mask pattern {name}", "is not text", "a regular expression")
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as problem:
        raise InvalidInput(f"mask pattern {name}", f"is no regular expression: {problem}") from None
    if compiled.match(""):
        raise InvalidInput(f"mask pattern {name}", "matches the empty text", "make it match at least one character")
    return Rule(name, ("",), compiled, "", long=False)


def _apply(rule: Rule, text: str, counts: Counter[str]) -> str:
    parts: list[str] = []
    taken = 0
    for found in _matches(rule, text):
        if found.start() < taken or (rule.check is not None and not rule.check(found)):
            continue
        start, end = found.span("v" if "v" in rule.pattern.groupindex else 0)
        parts += (text[taken:start], f"[masked:{rule.name}]")
        counts[rule.name] += 1
        taken = end
    return "".join(parts) + text[taken:] if parts else text


def _matches(rule: Rule, text: str) -> Iterable[re.Match[str]]:
    low = text.lower()
    if not rule.anchored or len(low) != len(text):
        return rule.pattern.finditer(text)
    places: list[int] = []
    for hint in rule.hints:
        place = low.find(hint)
        while place >= 0:
            places.append(place)
            place = low.find(hint, place + 1)
    return (found for place in sorted(places) if (found := rule.pattern.match(text, place)))


#: Knows the built-in rules.
BUILT_IN = Masker()
#: Masks with them; see :meth:`Masker.mask`.
mask = BUILT_IN.mask
