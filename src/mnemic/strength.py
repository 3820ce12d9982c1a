"""How strong a memory is: one formula, its presets as a table. Pure; computed when read, never written back.

    retention(age) = exp(-(age / stability) ** shape)        strength = confidence · importance · retention

Shape 1 is the exponential curve; with 0.8 what has lasted goes on lasting: a stretched exponential (Weibull function),
of the kind that Rubin and Wenzel 1996 (doi:10.1037/0033-295X.103.4.734) found among the best four of 105 functions for
210 published forgetting curves. ``age`` runs from the last useful access, in days. Use and feeling lengthen
stability; nothing here touches what is believed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .knobs import FADES, FadeKnobs

DAY = 86_400_000_000  # microseconds
HOUR = 1 / 24
#: How much a useful access lengthens stability: times ``1 + GAIN · ln(1 + n / EASE)``, n being those before it.
GAIN, EASE = 0.05, 20.0
#: Use makes a memory last at most so many times as long.
GROWTH_CAP = 10.0
#: How much a strong feeling lengthens stability: times ``1 + FEELING · |valence|``.
FEELING = 0.2
#: Strength moves the score of a hit by at most this share.
NUDGE = 0.15


@dataclass(frozen=True, slots=True)
class Curve:
    """A forgetting curve: exponent, and stability in days (the age at which 1/e is left); infinite: never fades."""

    shape: float
    stability: float


PROTECTED = Curve(0.8, math.inf)
#: As they are without settings; "ebbinghaus" is exp(-λ · days^0.8) with λ = 0.1.
CURVES: Mapping[str, Curve] = {
    **{name: Curve(FADES.shape[name], FADES.days[name]) for name in FADES.days},
    "protected": PROTECTED,  # no setting changes that
}

#: Label of a memory → its curve; what is not here is a ``fact``. Any curve may also be named as a label.
LABELS: Mapping[str, str] = {
    **{name: name for name in CURVES},
    "preference": "protected",
    "procedure": "protected",
    "error_pattern": "protected",
    "card": "protected",  # a document goes when its source goes, not with age
    "card_section": "protected",
}
#: Predicates whose facts are protected: what somebody is called.
NAMING = frozenset({"name"})


@dataclass(frozen=True, slots=True)
class Trace:
    """What the strength of a memory depends on; times in microseconds UTC, stability in days (``None``: by label)."""

    label: str
    kind: str = "semantic"
    predicate: str | None = None
    confirmed: bool = False
    confidence: float = 1.0
    importance: float = 1.0
    valence: float = 0.0
    stability: float | None = None
    shape: float = 0.8
    accesses: int = 0
    last_used: int = 0  # the last useful access, or when it was written


def _name(trace: Trace) -> str:
    """The name of the curve of a memory.

    Messages are the record that everything else was read from: they never fade (docs/adr/0009). Nor does what was
    confirmed, how-to knowledge, and what somebody is called.
    """
    if trace.kind in ("episodic", "procedural") or trace.confirmed or trace.predicate in NAMING:
        return "protected"
    return LABELS.get(trace.label, "fact")


def curve_of(trace: Trace, knobs: FadeKnobs = FADES) -> Curve:
    """The curve of a memory before use lengthens it."""
    name = _name(trace)
    curve = PROTECTED if name == "protected" else Curve(knobs.shape[name], knobs.days[name])
    if math.isinf(curve.stability) or trace.stability is None:
        return curve
    return Curve(trace.shape, max(trace.stability, HOUR / 60))


def hidden_below(trace: Trace, knobs: FadeKnobs = FADES) -> float:
    """The strength below which the nightly run hides a memory, unless it is insured."""
    return knobs.below[_name(trace)]


def growth(accesses: int) -> float:
    """How many times as long a memory lasts after so many useful accesses; from 1 up to the cap, whatever their
    order."""
    return _GROWTH[min(max(accesses, 0), len(_GROWTH) - 1)]


def _growth_table() -> tuple[float, ...]:
    """The product of the gains, until it reaches the cap."""
    table = [1.0]
    while table[-1] < GROWTH_CAP:
        table.append(min(GROWTH_CAP, table[-1] * (1 + GAIN * math.log(1 + (len(table) - 1) / EASE))))
    return tuple(table)


_GROWTH = _growth_table()


def stability(trace: Trace, knobs: FadeKnobs = FADES) -> Curve:
    """The curve of a memory as use and feeling have lengthened it."""
    curve = curve_of(trace, knobs)
    feeling = 1 + FEELING * min(1.0, abs(trace.valence))
    return Curve(curve.shape, curve.stability * growth(trace.accesses) * feeling)


def retention(curve: Curve, days: float) -> float:
    """What is left after so many days, 1…0; 1 for an age that is not positive (a clock that was put back)."""
    if days <= 0 or math.isinf(curve.stability):
        return 1.0
    return math.exp(-((days / curve.stability) ** curve.shape))


def strength(trace: Trace, now: int, knobs: FadeKnobs = FADES) -> float:
    """Strength at a moment: 0 … confidence × importance."""
    return trace.confidence * trace.importance * retention(stability(trace, knobs), (now - trace.last_used) / DAY)


def crossing(trace: Trace, knobs: FadeKnobs = FADES) -> int | None:
    """When strength falls to where the memory is hidden, if nobody uses it: microseconds UTC; ``None``: never.

    A memory that is weaker than the level from the start crosses it when it is written.
    """
    full, level = trace.confidence * trace.importance, hidden_below(trace, knobs)
    if full <= level:
        return trace.last_used
    curve = stability(trace, knobs)
    if math.isinf(curve.stability) or level == 0:
        return None
    days: float = curve.stability * (-math.log(level / full)) ** (1 / curve.shape)
    return trace.last_used + math.ceil(days * DAY)


def nudge(strengths: Iterable[float]) -> list[float]:
    """Factors for scores, 1 ± 0.15: 1 for an ordinary memory at full strength, less as it fades, more if important."""
    return [1 + NUDGE * max(-1.0, min(1.0, value - 1)) for value in strengths]
