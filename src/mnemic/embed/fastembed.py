"""``fastembed:MODEL``: ONNX models in fastembed's list, on this machine (extra ``fastembed``).

The package fetches a model at its first use and keeps it in its cache folder (``FASTEMBED_CACHE_PATH``).
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mnemic.errors import EmbeddingError, InvalidInput, MissingExtra

from .base import Kind, Vectors, embed_parts
from .models import looks_multilingual, prefix

__all__ = ["FastEmbed", "create"]


class FastEmbed:
    """A ``TextEmbedding``, loaded by the first ``embed``.

    Args:
        model: a name from ``TextEmbedding.list_supported_models()``.
        dimension: keep only the first so many numbers; ``None`` keeps all.
        threads: threads of the ONNX runtime; ``None`` is its own choice, one for each core.
        options: passed on to ``TextEmbedding`` (``cache_dir``, ``specific_model_path`` …).
    """

    slow_start = True
    max_chars = 1_000

    def __init__(self, model: str, dimension: int | None = None, *, threads: int | None = 1, **options: Any) -> None:
        self.name = f"fastembed:{model}" + (f"@{dimension}" if dimension else "")
        self.multilingual = looks_multilingual(model)
        self._source = model
        self._dimension = dimension
        self._options = {"threads": threads, **options}
        self._lock = threading.Lock()
        self._model: Any = None

    def __repr__(self) -> str:
        return f"FastEmbed({self.name!r})"

    @property
    def dimension(self) -> int:
        """See :class:`mnemic.embed.Embedder`. Read from the package's list; the model is not loaded for
        it."""
        if self._dimension is None:
            from fastembed import TextEmbedding

            listed = {item["model"].lower(): int(item["dim"]) for item in TextEmbedding.list_supported_models()}
            if self._source.lower() not in listed:
                raise EmbeddingError(f"fastembed has no model {self._source!r}")
            self._dimension = listed[self._source.lower()]
        return self._dimension

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """See :class:`mnemic.embed.Embedder`."""

        def run(parts: list[str]) -> Any:
            model = self._loaded()
            words = prefix(self._source, kind)
            encode = model.query_embed if kind == "query" else model.passage_embed
            return np.stack(list(encode([words + part for part in parts])))

        return embed_parts(texts, kind=kind, dimension=lambda: self.dimension, max_chars=self.max_chars, run=run)

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                from fastembed import TextEmbedding

                try:
                    self._model = TextEmbedding(self._source, **self._options)
                except Exception as error:
                    problem = f"{self.name} cannot be loaded ({type(error).__name__})"
                    raise EmbeddingError(problem, retryable=isinstance(error, OSError)) from error
            return self._model


def create(model: str, dimension: int | None, env: Mapping[str, str]) -> FastEmbed:
    """``fastembed:MODEL``, ``fastembed:MODEL@256``; ``MNEMIC_EMBED_THREADS`` sets the threads (0: all)."""
    if importlib.util.find_spec("fastembed") is None:
        raise MissingExtra("a fastembed embedder", "fastembed")
    threads = env.get("MNEMIC_EMBED_THREADS", "1")
    if not threads.isdigit():
        raise InvalidInput("MNEMIC_EMBED_THREADS", "is not a number of threads")
    return FastEmbed(model or "intfloat/multilingual-e5-large", dimension, threads=int(threads) or None)
