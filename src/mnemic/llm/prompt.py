"""Prompts are files with a name and a version, ``prompts/extract.v2.md``, and a schema of the answer beside them.

A file has two parts, what the system says and what is asked, with a line ``---`` between them. ``{{name}}`` stands for
what the caller fills in. A prompt that has made rows is never edited: the next one gets the next version.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from .base import Message, Schema

__all__ = ["Prompt"]

_PLACE = re.compile(r"\{\{([a-z_]+)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One version of one question.

    Attributes:
        name: name and version, as recorded in ``made_by``. system, question: texts with places to fill in.
    """

    name: str
    system: str
    question: str
    _schema: str

    @staticmethod
    @cache
    def load(name: str) -> Prompt:
        """Read ``prompts/NAME.md`` and ``prompts/NAME.json``, such as ``extract.v2``."""
        folder = files(__package__) / "prompts"
        system, _, question = (folder / f"{name}.md").read_text(encoding="utf-8").partition("\n---\n")
        return Prompt(name, system.strip(), question.strip(), (folder / f"{name}.json").read_text(encoding="utf-8"))

    @property
    def schema(self) -> dict[str, Any]:
        """A fresh copy of the schema, which the caller may complete."""
        return dict(json.loads(self._schema))

    def messages(self, values: Mapping[str, str]) -> list[Message]:
        """The question with every place filled; what is filled in is not searched for places again.

        Raises:
            KeyError: a place has no value.
        """
        return [
            {"role": role, "content": _PLACE.sub(lambda place: values[place[1]], text)}
            for role, text in (("system", self.system), ("user", self.question))
        ]


def as_words(schema: Schema) -> str:
    """A schema for a prompt, where the server cannot be held to it."""
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
