"""What words stand for in remarks and preferences: the concepts of :data:`~.everyday.CONCEPTS`, and their stems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from ..text.analyse import stop_terms, terms
from ..text.marks import NUMBER_WORDS
from .everyday import CONCEPTS, IMPLIED


@cache
def _concepts() -> tuple[
    Mapping[str, tuple[tuple[tuple[str, ...], str], ...]], Mapping[str, tuple[tuple[str, str], ...]]
]:
    """Ways of saying by first word, and beginnings of words by their first two letters."""
    whole: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    begun: dict[str, list[tuple[str, str]]] = {}
    for name, ways in CONCEPTS.items():
        for way in ways.split():
            words = tuple(way.split("_"))
            if len(words) == 1 and way.endswith("*"):
                begun.setdefault(way[:2], []).append((way[:-1], name))
            else:
                whole.setdefault(words[0], []).append((words, name))
    return {k: tuple(v) for k, v in whole.items()}, {k: tuple(v) for k, v in begun.items()}


def meanings(words: Sequence[str]) -> list[frozenset[str]]:
    """For each word the concepts it, or a phrase with it, stands for, and its stems (``=stem``).

    A phrase and a word with a hyphen mean what they mean as a whole: on-street is no kind of street.
    """
    whole, _ = _concepts()
    out = [_alone(word) for word in words]
    for i, word in enumerate(words):
        for phrase, name in whole.get(word, ()):
            if len(phrase) > 1 and i + len(phrase) <= len(words) and _fits(words[i : i + len(phrase)], phrase):
                for j in range(i, i + len(phrase)):
                    out[j] = frozenset({name})
    return out


def implied(words: Sequence[str]) -> list[frozenset[str]]:
    """As :func:`meanings`, with those that they imply."""
    return [names | {IMPLIED[n] for n in names & IMPLIED.keys()} for names in meanings(words)]


@lru_cache(maxsize=8_192)
def _alone(word: str) -> frozenset[str]:
    whole, begun = _concepts()
    bare = word.removeprefix("non-")
    names = {name for start, name in begun.get(bare[:2], ()) if bare.startswith(start)}
    names |= {name for phrase, name in whole.get(bare, ()) if len(phrase) == 1}
    if not names or "-" not in bare:
        names |= {f"={s}" for s in terms(bare) if s not in stop_terms()}
    if bare in NUMBER_WORDS:
        names.add(f"={NUMBER_WORDS[bare]:g}")
    return frozenset(names)


def _fits(words: Sequence[str], phrase: tuple[str, ...]) -> bool:
    return all(w.startswith(p[:-1]) if p.endswith("*") else w == p for w, p in zip(words, phrase, strict=True))
