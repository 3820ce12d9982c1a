"""Reads what an OpenAI-compatible embeddings server answers."""

from __future__ import annotations

import base64
import json

import numpy as np

from mnemic.errors import EmbeddingError

__all__ = ["rows"]


def rows(content: bytes, n: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The vectors of an answer in the order of the texts (by ``index``; as they came where there is none)."""
    try:
        data = json.loads(content)["data"]
        pairs = [(item.get("index", place), _numbers(item["embedding"])) for place, item in enumerate(data)]
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise EmbeddingError("the server's answer cannot be read", retryable=True) from None
    if len(pairs) != n:
        raise EmbeddingError(f"the server answered {len(pairs)} vectors for {n} texts")
    if sorted(index for index, _ in pairs if isinstance(index, int)) != list(range(n)):
        raise EmbeddingError("the server's vectors are not numbered one for each text")
    ordered = [vector for _, vector in sorted(pairs, key=lambda pair: pair[0])]
    if len({len(vector) for vector in ordered}) > 1:
        raise EmbeddingError("the server answered vectors of different lengths")
    return np.stack(ordered)


def _numbers(embedding: object) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """One vector, given as numbers or as base64 of little-endian float32."""
    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4").astype(np.float64)
    if not isinstance(embedding, list) or not embedding:
        raise TypeError
    vector = np.array(embedding, dtype=np.float64)
    if vector.ndim != 1:
        raise TypeError
    return vector
