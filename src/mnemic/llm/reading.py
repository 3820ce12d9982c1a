"""Finds the JSON in what a model answered: fenced, with prose around it, after its thinking. Linear in the length."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ..errors import LLMMalformed, LLMRefused
from ..lang.pack import languages, load
from .base import Answer

__all__ = ["REFUSALS", "refuses", "values"]

#: Longest answer that is read, in characters, and places in it where JSON is looked for.
_LONGEST = 400_000
_PLACES = 64

_OPEN = re.compile(r"[{\[]")
_MEANT = re.compile(r"""\{\s*["']|\[\s*[{"'\[]""")  # the beginning of JSON, as against a bracket in prose
_FENCE = re.compile(r"```[^\n`]{0,20}\n")
_COMMA = re.compile(r",(\s{0,80}[}\]])")
_DECODER = json.JSONDecoder(strict=False)  # line breaks inside a text are common and clear

#: Openings of an answer without any JSON by which models decline, each with such an answer.
REFUSALS: tuple[tuple[str, str], ...] = tuple(
    (row["pattern"], row["example"]) for code in languages() for row in load(code, "refusing").get("openings", ())
)
_REFUSAL = re.compile("|".join(f"(?:{pattern})" for pattern, _ in REFUSALS), re.I)


def refuses(text: str) -> bool:
    """Whether a text without JSON declines to answer (as against failing to)."""
    return bool(_REFUSAL.match(text[:400].strip(" \n\t*\"'«»“”")))


def values(answer: Answer) -> list[Any]:
    """The JSON objects and arrays of an answer, those in fences first, then in order; at least one.

    Raises:
        LLMMalformed: there is none: empty, cut, or prose.
        LLMRefused: by the server's word or the model's.
    """
    if answer.finish == "refused":
        raise LLMRefused("the content filter withheld the answer")
    text = _spoken(answer.text[:_LONGEST])
    if not text:
        raise LLMMalformed("the answer is empty")
    if answer.finish == "length":
        raise LLMMalformed("the answer is cut at its longest length", again=False)
    found = [value for part in _fenced(text) for value in _scan(part)]
    found += [value for value in _scan(text) if value not in found]
    if found:
        return found
    if refuses(text):
        raise LLMRefused("the model declined")
    raise LLMMalformed("the answer holds no complete JSON")


def _spoken(text: str) -> str:
    """The text without the model's thinking, also where its opening tag is missing or it never ended."""
    _, ended, rest = text.rpartition("</think>")
    text = rest if ended else text
    return text.partition("<think>")[0].strip()


def _fenced(text: str) -> Iterator[str]:
    at = 0
    while opening := _FENCE.search(text, at):
        end = text.find("```", opening.end())
        yield text[opening.end() : end if end >= 0 else len(text)]
        if end < 0:
            return
        at = end + 3


def _scan(text: str) -> list[Any]:
    for candidate in (text, _COMMA.sub(r"\1", text)):
        found: list[Any] = []
        at = 0
        for _ in range(_PLACES):
            opening = _OPEN.search(candidate, at)
            if opening is None:
                break
            try:
                value, at = _DECODER.raw_decode(candidate, opening.start())
            except (ValueError, RecursionError):
                if _MEANT.match(candidate, opening.start()):
                    break  # broken or cut: a part of it would pass for the whole
                at = opening.end()
                continue
            found.append(value)
        if found:
            return found
    return []
