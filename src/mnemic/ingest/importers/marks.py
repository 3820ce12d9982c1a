"""Marks that chat programs leave in a text for their own display: citations, entities, placeholders of blocks.

They are nobody's words, but would become search terms and names. ChatGPT writes them with private-use characters
(``U+E200`` opens, ``U+E202`` separates, ``U+E201`` closes, ``U+E203`` and ``U+E204`` stand around what is cited), and
so do transcripts of other tools that such answers went through.
"""

from __future__ import annotations

import json
import re

#: Marks that show words to the reader: where these stand, in the list of a JSON mark or among the fields of another.
SHOWN = {"entity": 1, "product_entity": 1, "business_entity": 1, "url": 0, "link": 0, "link_title": 0, "video": 0}

_REFERENCE = r"turn\d+[a-z_]+\d+"
_OPEN, _CLOSE, _FIELD = "\ue200", "\ue201", "\ue202"
_GROUP = re.compile(rf"{_OPEN}([a-z_]*)({_FIELD}?[^{_OPEN}{_CLOSE}]*){_CLOSE}")
#: Whole marks without words: a group, one that was cut off, a bare anchor, older and copied forms.
_WORDLESS = (
    rf"(?:{_OPEN}[a-z_]*{_FIELD}?[^{_OPEN}{_CLOSE}]*{_CLOSE}|{_OPEN}[a-z_]*(?:{_FIELD}[\w:-]*)*|{_FIELD}{_REFERENCE}"
    rf"|(?:file|mem)?cite(?:{_REFERENCE})+(?:L\d+(?:-L\d+)?)?|【\d+(?::\d+)?†[^】\n]{{0,200}}】"
    r"|:contentReference\[oaicite:\d+\]\{index=\d+\})"
)
#: Marks in a row go with the blank before them and what parts them (a comma, dots), and with brackets around them.
_ROW = rf"{_WORDLESS}(?:(?:[ \t]*[,;…])?[ \t]*{_WORDLESS}){{0,99}}"
_WORDLESS_ROW = re.compile(rf"(?m:^)(?:\({_ROW}\)|{_ROW})[ \t]*|(?<![ \t])[ \t]*(?:\({_ROW}\)|{_ROW})")
_STRAY = re.compile("[\ue200-\ue206]")
_HINT = re.compile(r"[\ue200-\ue206]|citeturn\d|†|oaicite:")

#: What stands where an export could not show a block, in a fence or in a line of its own.
PLACEHOLDERS = (
    r"This block is not supported on your current device(?: yet)?\.?",
    r"Viewing artifacts created via the Analysis Tool web feature preview isn['’]t yet supported on mobile\.?",
)
_ANY = "|".join(PLACEHOLDERS)
_PLACEHOLDER = re.compile(rf"(?<![ \t])[ \t]*```\w*\s*(?:{_ANY})\s*```[ \t]*|^[ \t]*(?:{_ANY})[ \t]*$", re.MULTILINE)
_GAP = re.compile(r"\n\s*\n\s*\n")


def without_marks(text: str) -> str:
    """Return ``text`` without citation marks; of an entity or a link the words it shows stay."""
    if not _HINT.search(text):
        return text
    return _STRAY.sub("", _WORDLESS_ROW.sub("", _GROUP.sub(_shown, text)))


def _shown(mark: re.Match[str]) -> str:
    place = SHOWN.get(mark[1])
    if place is None:
        return mark[0]
    fields: object = mark[2].strip(_FIELD).split(_FIELD)
    if mark[2].lstrip(_FIELD).startswith("["):
        try:
            fields = json.loads(mark[2].lstrip(_FIELD))
        except (ValueError, RecursionError):
            return mark[0]
    words = fields[place] if isinstance(fields, list) and len(fields) > place else None
    return words if isinstance(words, str) and not re.fullmatch(_REFERENCE, words) else mark[0]


def without_placeholders(text: str) -> str:
    """Return ``text`` without the notices that stand for blocks an export could not show."""
    cut, count = _PLACEHOLDER.subn("", text)
    return _GAP.sub("\n\n", cut).strip() if count else text
