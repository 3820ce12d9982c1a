"""Relatives of words: by their signs as by comparing all, of vectors that are mostly zeros too, and when words are added."""

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemic.store import words
from mnemic.store.vectors import encode
from mnemic.store.words import COMPARED, SIGNS_FROM, WordIndex


def families(count: int, dimension: int, seed: int = 5) -> NDArray[np.float32]:
    """Unit vectors in families of eight, as words of one meaning lie."""
    draw = np.random.default_rng(seed)
    middle = np.repeat(draw.normal(size=(-(-count // 8), dimension)), 8, axis=0)[:count]
    out = middle + 0.7 * draw.normal(size=(count, dimension))
    return (out / np.linalg.norm(out, axis=1, keepdims=True)).astype(np.float32)


def sparse(count: int, dimension: int, seed: int = 6) -> NDArray[np.float32]:
    """Unit vectors of few numbers, in families that share most of them."""
    draw = np.random.default_rng(seed)
    out = np.zeros((count, dimension), dtype=np.float32)
    for i, row in enumerate(out):
        shared = np.random.default_rng(i // 8).choice(dimension, 9, replace=False)
        row[shared] = 1.0
        row[draw.choice(dimension, 3, replace=False)] = -1.0
    return out / np.linalg.norm(out, axis=1, keepdims=True)


def filled(vectors: NDArray[np.float32], start: int = 0, index: WordIndex | None = None) -> WordIndex:
    index = index or WordIndex(vectors.shape[1])
    rows = [(i + 1, f"w{i}", i + 1, encode(v)) for i, v in enumerate(vectors[start:], start)]
    index.add(rows, (len(vectors), len(vectors)))
    return index


def likest(vectors: NDArray[np.float32], place: int) -> list[str]:
    likeness = vectors @ vectors[place]
    likeness[place] = -1
    return [f"w{i}" for i in np.argsort(-likeness, kind="stable")[:10] if likeness[i] > 0.5]


@pytest.mark.parametrize("made", [families, sparse])
def test_the_likest_are_found_as_by_comparing_all(made: object) -> None:
    vectors = made(6_000, 512)  # type: ignore[operator]
    index = filled(vectors)
    assert len(vectors) > 10 * COMPARED
    assert vectors.shape[1] >= SIGNS_FROM
    found = index.nearest({f"w{i}": vectors[i] for i in range(0, 400, 7)}, least=0.5)
    wanted = {f"w{i}": likest(vectors, i) for i in range(0, 400, 7)}
    assert sum(map(len, wanted.values())) > 250
    shared = sum(len(set(wanted[term]) & {word for word, _ in found[term]}) for term in wanted)
    assert shared >= 0.98 * sum(map(len, wanted.values()))


@pytest.mark.parametrize("made", [families, sparse])
def test_words_that_come_later_are_found_and_only_they_are_compared(
    made: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = made(3_000, 512)  # type: ignore[operator]
    at_once = filled(vectors).nearest({"w5": vectors[5]}, least=0.3)["w5"]
    index = filled(vectors[:1_000])
    first = index.nearest({"w5": vectors[5]}, least=0.3)["w5"]
    filled(vectors, 1_000, index)
    ranges: list[int] = []
    for kind in (words._Dense, words._Sparse):
        whole = kind.compared
        monkeypatch.setattr(
            kind,
            "compared",
            lambda self, v, start, *rest, whole=whole: ranges.append(start) or whole(self, v, start, *rest),
        )
    again = index.nearest({"w5": vectors[5]}, least=0.3)["w5"]
    assert ranges == [1_000]
    assert again[:5] == at_once[:5]
    assert {word for word, _ in first[:3]} <= {word for word, _ in again}
    assert index.nearest({"w5": vectors[5]}, least=0.3)["w5"] == again
    assert ranges == [1_000]


@pytest.mark.parametrize("made", [families, sparse])
def test_a_word_is_no_relative_of_itself_and_its_vector_is_kept(made: object) -> None:
    vectors = made(900, 64)  # type: ignore[operator]
    index = filled(vectors)
    assert "w7" not in [word for word, _ in index.nearest({"w7": vectors[7]}, least=-1.0)["w7"]]
    kept = index.vector("w7")
    assert kept is not None
    assert np.abs(kept - vectors[7]).max() < 1e-3
    assert index.vector("nothing") is None


def test_a_long_beginning_counts_beyond_those_compared() -> None:
    vectors = families(2_000, 512)
    index = WordIndex(512)
    terms = [f"word{i}" for i in range(1_999)] + ["откатыв"]
    index.add(
        [(i + 1, term, i + 1, encode(v)) for i, (term, v) in enumerate(zip(terms, vectors, strict=True))],
        (2_000, 2_000),
    )
    found = dict(index.nearest({"откат": -vectors[1_999]}, least=-1.0)["откат"])
    assert "откатыв" not in found or found["откатыв"] > -0.8  # its cosine alone is −1
    lifted = dict(index.nearest({"откаты": vectors[0] * 0 + vectors[3]}, least=0.2)["откаты"])
    assert "откатыв" in lifted
