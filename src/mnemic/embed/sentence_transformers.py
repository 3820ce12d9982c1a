"""``sentence-transformers:MODEL``: any such model, on this machine (extra ``sentence-transformers``).

Brings PyTorch. A name that is not a folder is fetched by the package from its hub at the first use.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from mnemic.errors import EmbeddingError, InvalidInput, MissingExtra

from .base import Kind, Vectors, embed_parts
from .models import looks_multilingual, prefix

__all__ = ["SentenceTransformers", "create"]


class SentenceTransformers:
    """A ``SentenceTransformer``, loaded by the first ``embed`` or ``dimension``.

    Queries and documents get the prompts that the model itself brings; where it brings none, those that
    models of its name are known to want.

    Args:
        model: folder or hub name.
        dimension: keep only the first so many numbers; ``None`` keeps all.
        device: ``cpu``, ``cuda`` …; ``None`` lets the package choose.
    """

    slow_start = True
    max_chars = 1_000  # 256 to 512 tokens are what most of them read; the rest they drop without a word

    def __init__(self, model: str, dimension: int | None = None, *, device: str | None = None) -> None:
        self.name = f"sentence-transformers:{model}" + (f"@{dimension}" if dimension else "")
        self.multilingual = looks_multilingual(model)
        self._source = model
        self._dimension = dimension
        self._device = device
        self._lock = threading.Lock()
        self._model: Any = None

    def __repr__(self) -> str:
        return f"SentenceTransformers({self.name!r})"

    @property
    def dimension(self) -> int:
        """See :class:`mnemic.embed.Embedder`."""
        if self._dimension is None:
            model = self._loaded()  # the method was renamed in version 6
            ask = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
            self._dimension = int(ask())
        return self._dimension

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """See :class:`mnemic.embed.Embedder`."""

        def run(parts: list[str]) -> Any:
            model = self._loaded()
            prompts = {name: words for name, words in (model.prompts or {}).items() if words}
            names = ("query",) if kind == "query" else ("document", "passage")
            words = next((prompts[name] for name in names if name in prompts), None)
            if words is None and not prompts:
                words = prefix(self._source, kind)
            return model.encode(parts, prompt=words or None, show_progress_bar=False)

        return embed_parts(texts, kind=kind, dimension=lambda: self.dimension, max_chars=self.max_chars, run=run)

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                from sentence_transformers import SentenceTransformer

                try:
                    self._model = SentenceTransformer(self._source, device=self._device)
                except Exception as error:
                    problem = f"{self.name} cannot be loaded ({type(error).__name__})"
                    raise EmbeddingError(problem, retryable=isinstance(error, OSError)) from error
            return self._model


def create(model: str, dimension: int | None, env: Mapping[str, str]) -> SentenceTransformers:
    """``sentence-transformers:MODEL``, ``sentence-transformers:MODEL@256``."""
    del env
    if importlib.util.find_spec("sentence_transformers") is None:
        raise MissingExtra("a sentence-transformers embedder", "sentence-transformers")
    if not model:
        remedy = "write sentence-transformers:paraphrase-multilingual-MiniLM-L12-v2"
        raise InvalidInput("embedder", "sentence-transformers needs a model", remedy)
    return SentenceTransformers(model, dimension)
