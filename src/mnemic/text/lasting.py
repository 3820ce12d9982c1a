"""Which messages say something lasting about the speaker's life or work, and which are filler: two logistic models.

A message is *lasting* where it is worth standing in a profile ("I moved to Porto last spring"), *filler* where nothing
is lost without it: greetings, thanks, "Ok.", "Tell me a joke", "Would you like me to …?". Most messages are neither.
Short answers that carry content ("Inês.", "9443", "yes, to Lisbon") are not filler.

With the vectors of the shipped embedder (``local:use-m3``) any of its languages is read. Without them words decide, by
tables in English and Russian; of what is said in another language only its length, signs and digits are then known.
The weights (``data/lasting.json``) are made by ``python bench/lasting.py train``.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..lang.pack import union, words
from .analyse import ENGLISH, STOP_WORDS
from .tokens import estimate

__all__ = [
    "DIMENSION",
    "FILLER",
    "LASTING",
    "filler",
    "lasting",
    "lexical",
    "neutral",
    "probabilities",
    "readable",
    "unpack",
]

#: From this probability on a message is called filler; hardly any evidence message is (docs/benchmarks.md).
FILLER = 0.5
#: From this probability on a message is worth looking at for a profile.
LASTING = 0.5

#: Length of the vectors that the weights are for; others are not read.
DIMENSION = 512
#: A message is read this far: what comes later in a long one says nothing more about its kind.
MAX_CHARS = 1200

Floats: TypeAlias = NDArray[np.float32]
#: What of a message is weighed (``neutral``, ``words``, ``vectors``) → its weights by name.
Weights: TypeAlias = Mapping[str, Mapping[str, Floats]]

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
#: A capital after a word or a comma: not one that begins a sentence.
_NAME = re.compile(r"(?<=[\w,;)] )[A-ZА-ЯЁ][^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_MARKUP = re.compile(r"```|^\s*(?:[-*•#>|]|\d+[.)])\s|\*\*|https?://|[{}<>=;]{2}|^\s*at .*:\d+", re.M)
_PAST = re.compile(rf"^(?:{union('lasting', 'past_ending')})$")
#: Scripts that the tables have no word of.
_OTHER_SCRIPT = re.compile(r"[\u0370-\u03ff\u0530-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")

#: Features that count the words of a list, in the order of the weights.
COUNTED = (
    "first_person", "second_person", "past", "future", "habit", "kin", "work", "phatic", "offer", "pastime",
)  # fmt: skip
WORDS = {name: words("lasting", name) for name in COUNTED}
#: Word → the numbers of the features that count it.
_COUNTS = {
    word: [i for i, name in enumerate(COUNTED) if word in WORDS[name]] for word in frozenset().union(*WORDS.values())
}
_SMALL_TALK = WORDS["phatic"] | WORDS["offer"] | WORDS["pastime"]
#: What a message begins with → an order, a question, or passed over before.
_OPENING = {
    word: name
    for name, key in (("order", "order"), ("asks", "asks"), ("", "passed_over"))
    for word in words("lasting", key)
}
_FOREIGN = words("lasting", "foreign")
_ENGLISH = (frozenset(ENGLISH.split()) | WORDS["phatic"]) - _FOREIGN - words("lasting", "ambiguous")


def lasting(texts: Sequence[str], vectors: Floats | None = None) -> Floats:
    """How likely each message says something lasting about the speaker's life or work, 0…1; see :data:`LASTING`.

    Args:
        texts: messages, of any language and length. One without a word or sign is 0.
        vectors: their unit vectors by ``local:use-m3`` (no other model of that length), shape ``(len(texts), 512)``.
            ``None``, or of another shape: words alone decide.
    """
    return probabilities(_stored()["lasting"], texts, vectors) * _said(texts)


def filler(texts: Sequence[str], vectors: Floats | None = None) -> Floats:
    """How likely nothing is lost without each message, 0…1; see :data:`FILLER`. Arguments as of :func:`lasting`.

    A message without a word or sign is 1.
    """
    return 1 - (1 - probabilities(_stored()["filler"], texts, vectors)) * _said(texts)


def _said(texts: Sequence[str]) -> Floats:
    return np.array([bool(text.strip()) for text in texts], dtype=np.float32)


def probabilities(weights: Weights, texts: Sequence[str], vectors: Floats | None) -> Floats:
    """Of each text by given weights: by its vector where there is one, else by words where its language is known."""
    columns = np.array([neutral(text) for text in texts], dtype=np.float32).reshape(-1, len(weights["neutral"]["mean"]))
    if vectors is not None and vectors.shape == (len(texts), DIMENSION):
        return _logistic(_weighed(weights["vectors"], columns) + vectors @ weights["vectors"]["vector"])
    score = _weighed(weights["neutral"], columns)
    told = [_words(text) for text in texts]
    read = [number for number, text in enumerate(texts) if readable(text, told[number])]
    if read:
        counts = np.array([lexical(texts[number], told[number]) for number in read], dtype=np.float32)
        score[read] = _weighed(weights["words"], np.hstack([columns[read], counts]))
    return _logistic(score)


def _weighed(part: Mapping[str, Floats], columns: Floats) -> Floats:
    return np.asarray((columns - part["mean"]) / part["scale"] @ part["columns"] + part["bias"], dtype=np.float32)


def _logistic(score: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(score, -30, 30))), dtype=np.float32)


def neutral(text: str) -> list[float]:
    """What is counted in any language: length, questions, exclamations, digits, markup, lines."""
    whole, text = len(text), text[:MAX_CHARS]
    tokens = estimate(text) * whole / max(1, len(text))
    numbers = len(_DIGITS.findall(text))
    return [
        math.log1p(tokens),
        max(0.0, 1 - tokens / 12),
        float(tokens > 150),
        min(3.0, text.count("?") + text.count("？")),
        float(text.rstrip().endswith(("?", "？"))),
        min(3.0, text.count("!") + text.count("！")),
        float(numbers > 0),
        math.log1p(numbers),
        float(bool(_MARKUP.search(text))),
        math.log1p(text.count("\n")),
    ]


def lexical(text: str, told: Sequence[str] | None = None) -> list[float]:
    """What is counted by the tables: names, openings, stop words and content, past tense, :data:`WORDS`.

    Args:
        told: the words of the text, where they are known.
    """
    told = _words(text) if told is None else told
    count = max(1, len(told))
    opening = next((name for word in told if (name := _OPENING.get(word, "other"))), "")
    stops = sum(word in STOP_WORDS for word in told)
    content = sum(word not in STOP_WORDS and word not in WORDS["phatic"] for word in told)
    small_talk = any(word in _SMALL_TALK or _OPENING.get(word) == "order" for word in told)
    counted = [0] * len(COUNTED)
    for number in itertools.chain.from_iterable(_COUNTS.get(word, ()) for word in told):
        counted[number] += 1
    return [
        math.log1p(len(_NAME.findall(text[:MAX_CHARS]))),
        float(opening == "order"),
        float(opening == "asks"),
        stops / count,
        content / count,
        math.log1p(content),
        float(small_talk),
        math.log1p(sum(bool(_PAST.match(word)) for word in told)),
        *(number / math.sqrt(count) for number in counted),
    ]


def readable(text: str, told: Sequence[str] | None = None) -> bool:
    """Whether the tables know the language: Cyrillic letters, or Latin ones not plainly of another than English."""
    if _OTHER_SCRIPT.search(text[:MAX_CHARS]):
        return False
    told = _words(text) if told is None else told
    foreign = sum(word in _FOREIGN for word in told)
    return not foreign or foreign < sum(word in _ENGLISH for word in told)


def _words(text: str) -> list[str]:
    return _WORD.findall(text[:MAX_CHARS].lower().replace("’", "'"))


def unpack(stored: Mapping[str, Mapping[str, Any]]) -> Weights:
    """Weights of one head as they stand in the file: vectors as small whole numbers and the size of a step."""
    return {
        name: {
            **{key: np.array(part[key], dtype=np.float32) for key in ("mean", "scale", "columns", "bias")},
            "vector": np.array(part["vector"], dtype=np.float32) * np.float32(part["step"]),
        }
        for name, part in stored.items()
    }


@cache
def _stored() -> Mapping[str, Weights]:
    """What the package ships: head → weights."""
    text = files(__package__).joinpath("data/lasting.json").read_text("utf-8")
    return {head: unpack(parts) for head, parts in json.loads(text).items()}
