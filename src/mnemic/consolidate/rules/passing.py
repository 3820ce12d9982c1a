"""What people who program say in passing of the work at hand, and is no fact about the project: a table, and its reader.

Read out of real transcripts: each row is a kind of sentence that a row of the tables took for a fact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Passing:
    """A pattern of one field (``subject``, ``value``) of facts of some predicates, and a sentence that states none."""

    predicates: frozenset[str]
    field: str
    pattern: str
    example: str


_ANY = frozenset(
    ["fixed_by", "breaks_when", "command", "count", "status", "located_in", "uses", "depends_on", "habit", "value"]
)

PASSING: tuple[Passing, ...] = (
    Passing(_ANY, "value", r".*:", "The conflicts in the parser were resolved by keeping both:"),
    Passing(
        frozenset(["fixed_by"]), "value",
        r"(?:now |already |all |very |pretty |quite )?(?:complete|completed|done|ready|in place|merged|working|live|deployed|simple|easy|trivial"
        r"|straightforward|minimal|correct|good|fine|small|the same|still the same|below|above|here|clear|obvious|next|pending|готов\w*"
        r"|прост\w*|ниже|выше|здесь)\b.*",
        "The fix for the duplicate sessions is complete.",
    ),
    Passing(_ANY, "subject", r"(?:the |all |both |these |those )?(?:\w+ )?(?:merge )?conflicts?", "The conflicts were resolved by taking the newer file."),
    Passing(
        _ANY, "subject",
        r"(?:the |your |my |our |all |these )?(?:code|changes?|edits?|diff|comments?|feedback|suggestions?|findings?|results?|approach|plan"
        r"|код|изменения|правки|план)",
        "Your working tree is clean because the changes are stored in the shadow branch",
    ),
    Passing(frozenset(["status"]), "subject", r"(?:the |all |our )?(?:\w+ )?tests?|тесты?", "test are failing at the runner, not if I run them here"),
    Passing(
        _ANY, "subject",
        r"(?:ensure|make|verify|check|note|add|update|fix|remove|replace|implement|refactor|rename|create|test|todo|see|убедись|проверь|добавь|исправь)\b.*",
        "Ensure that parsing of settings.json is strict - fail if any unknown keys are present",
    ),
)  # fmt: skip

_PATTERNS = tuple((row, re.compile(row.pattern, re.I)) for row in PASSING)


def said_in_passing(predicate: str, fields: Mapping[str, str]) -> bool:
    """Whether a fact of these fields is only the work at hand."""
    return any(predicate in row.predicates and pattern.fullmatch(fields[row.field]) for row, pattern in _PATTERNS)
