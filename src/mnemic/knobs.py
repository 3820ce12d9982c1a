"""Numbers that may be turned: what recall weighs, what a context block is made of, how memories fade. Tables, and their
bounds.

Every table is a setting (docs/settings.md): names that are not given keep the number they have here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .errors import InvalidInput

HOUR = 1 / 24


class Numbers(Mapping[str, float]):
    """Named numbers that cannot be changed; as text, ``words=4.4, session=0.9``."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, float]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __str__(self) -> str:
        return ", ".join(f"{name}={value:g}" for name, value in self.items())

    def __repr__(self) -> str:
        return f"Numbers({self._values})"


@dataclass(frozen=True, slots=True)
class Knob:
    """One table: its numbers, and what may be put in their place.

    Attributes:
        default: name → number. least, most: bounds of each. above: the least itself is no more allowed. whole: no
            fractions. endless: infinity is allowed. signed: names whose number may be below the least. some: they must
            not all be 0.
    """

    default: Numbers
    least: float = 0.0
    most: float = 1e6
    above: bool = False
    whole: bool = False
    endless: bool = False
    signed: frozenset[str] = frozenset()
    some: bool = False

    def read(self, setting: str, given: object) -> Numbers:
        """The table with what is given in its place: a mapping, or text such as ``words=4, meaning=5``.

        Raises:
            InvalidInput: names the setting and the names that it has.
        """
        names = f"names are {', '.join(self.default)}"
        values = _parsed(setting, given, names) if isinstance(given, str) else given
        if not isinstance(values, Mapping):
            raise InvalidInput(setting, "must be a mapping of names to numbers", names)
        unknown = [name for name in values if name not in self.default]
        if unknown:
            raise InvalidInput(setting, f"{str(unknown[0])[:40]!r} is not known", names)
        for name, value in values.items():
            self._check(setting, name, value, names)
        numbers = Numbers({**self.default, **values})
        if self.some and not any(numbers.values()):
            raise InvalidInput(setting, "must not all be 0", names)
        return numbers

    def _check(self, setting: str, name: str, value: object, names: str) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
            raise InvalidInput(setting, f"{name} must be a number", names)
        if self.endless and value == math.inf:
            return
        if self.whole and value != math.floor(min(value, self.most)):
            raise InvalidInput(setting, f"{name} must be a whole number up to {self.most:g}", names)
        least = -self.most if name in self.signed else self.least
        if not least <= value <= self.most or (self.above and value == least):
            bounds = f"above {least:g}" if self.above else f"at least {least:g}"
            raise InvalidInput(setting, f"{name} must be {bounds} and at most {self.most:g}", names)


def _parsed(setting: str, text: str, names: str) -> Mapping[str, float]:
    out = {}
    for part in filter(None, re.split(r"[,;\s]+", re.sub(r"\s*=\s*", "=", text.strip()))):
        name, sign, number = part.partition("=")
        try:
            out[name] = float(number)
        except ValueError as error:
            why = f"{name[:40]} is not followed by = and a number" if not sign else f"{name[:40]} must be a number"
            raise InvalidInput(setting, why, f"write name=number, …; {names}") from error
    return out


#: Setting → its table.
KNOBS: Mapping[str, Knob] = {
    # feature of recall → weight, chosen by cross-validation over eight data sets (docs/benchmarks.md)
    "weights": Knob(
        Numbers({
            "words": 4.4,  # words of the query, or their relatives, in the message or right beside it
            "session": 0.9,  # … anywhere in its session
            "topic": 1.2,  # BM25 of the whole session, relative to the best one
            "meaning": 6.5,  # likeness of meaning, of the best part
            "theme": 2.0,  # … of the whole session, on average
            "speaker": 4.0,  # said by someone whom the query names
            "date": 4.8,  # said at the time that the query names
            "user": 2.8,  # said by the user of whom the query asks ("my", «у нас»), where an assistant takes part
            "reply": 0.5,  # said by the assistant in answer to a message that fits the query
            "linked": 6.0,  # of something that is linked to what the query names
            "asked": 1.7,  # said by the assistant, when the query asks what it said
            "question": -0.9,  # the message itself is a question
            "phrase": 0.6,  # two words of the query side by side
            "grammar": 3.5,  # the small words agree too (Russian, where they carry the sense of short sentences)
            "person": 2.6,  # the persons agree: asked "my", told "your"
        }),
        signed=frozenset({"question"}),  # that it asks speaks against a message
        some=True,
    ),
    # section of a context block → its share of the budget, in proportion
    "context_shares": Knob(
        Numbers({"facts": 0.4, "entities": 0.25, "events": 0.25, "reference": 0.25, "evidence": 0.1}), some=True
    ),
    # how far a context block looks: hits, entities of the prompt
    "context_depth": Knob(Numbers({"hits": 60, "names": 3}), most=1_000, whole=True),
    # complexity of a prompt → tokens of its block, and hits that answer it
    "context_sizes": Knob(
        Numbers({"simple": 1_000, "complex": 3_000, "simple_hits": 20, "complex_hits": 40}), least=1, whole=True
    ),
    # curve → stability in days: the age at which 1/e is left; inf: it never fades. What is protected never does
    "fade_days": Knob(
        Numbers({
            "ebbinghaus": 0.1 ** (-1 / 0.8), "small_talk": HOUR, "conversation": 2 * HOUR, "day": 1.0,
            "specification": 7.0, "observation": 14.0, "fact": 90.0,
        }),
        endless=True,
        above=True,
    ),
    # curve → exponent: 1 is exponential; below, what has lasted goes on lasting
    "fade_shape": Knob(
        Numbers({
            "ebbinghaus": 0.8, "small_talk": 1.0, "conversation": 1.0, "day": 1.0, "specification": 1.0,
            "observation": 0.8, "fact": 0.8,
        }),
        most=10.0,
        above=True,
    ),
    # curve → the strength below which the night hides a memory
    "fade_below": Knob(
        Numbers(dict.fromkeys((
            "ebbinghaus", "small_talk", "conversation", "day", "specification", "observation", "fact", "protected",
        ), 0.05)),
        most=1.0,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RecallKnobs:
    """What recall and context blocks go by; see :data:`KNOBS`."""

    weights: Mapping[str, float] = KNOBS["weights"].default
    shares: Mapping[str, float] = KNOBS["context_shares"].default
    depth: Mapping[str, float] = KNOBS["context_depth"].default
    sizes: Mapping[str, float] = KNOBS["context_sizes"].default


@dataclass(frozen=True, slots=True)
class FadeKnobs:
    """How memories fade, by curve: stability in days, exponent, and the strength below which they are hidden."""

    days: Mapping[str, float] = KNOBS["fade_days"].default
    shape: Mapping[str, float] = KNOBS["fade_shape"].default
    below: Mapping[str, float] = KNOBS["fade_below"].default


FADES = FadeKnobs()
