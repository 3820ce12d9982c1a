"""``model2vec:PATH_OR_NAME``: static embeddings, a table of tokens averaged (extra ``model2vec``).

Thousands of texts a second on one core. ``model2vec:minishlab/potion-multilingual-128M`` reads many
languages; a path names a folder saved by ``StaticModel.save_pretrained``. A name that is not a folder is
fetched by the package from its hub at the first use.
"""

from __future__ import annotations

import importlib.util
import inspect
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mnemic.errors import EmbeddingError, InvalidInput, MissingExtra

from .base import Kind, Vectors, blank, embed_parts
from .models import looks_multilingual

__all__ = ["Model2Vec", "create"]


class Model2Vec:
    """A ``StaticModel``, loaded by the first ``embed`` or ``dimension``.

    Args:
        model: folder or hub name.
        dimension: keep only the first so many numbers; ``None`` keeps all.
    """

    slow_start = True
    max_chars = 1_500  # the model's own limit is mostly 512 tokens

    def __init__(self, model: str, dimension: int | None = None) -> None:
        self.name = f"model2vec:{model}" + (f"@{dimension}" if dimension else "")
        self.multilingual = looks_multilingual(model)
        self._source = model
        self._dimension = dimension
        self._lock = threading.Lock()
        self._model: Any = None

    def __repr__(self) -> str:
        return f"Model2Vec({self.name!r})"

    @property
    def dimension(self) -> int:
        """See :class:`mnemic.embed.Embedder`."""
        return self._dimension or int(self._loaded().dim)

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """See :class:`mnemic.embed.Embedder`. A text without a known token is answered with ``blank``."""
        return embed_parts(
            texts, kind=kind, dimension=lambda: self.dimension, max_chars=self.max_chars, run=self._vectors
        )

    def _vectors(self, texts: list[str]) -> Any:
        with np.errstate(invalid="ignore"):
            rows = np.array(self._loaded().encode(texts, use_multiprocessing=False), dtype=np.float32)
        rows = rows[:, : self.dimension]
        # No known token: zeros, or zeros divided by their length in old versions (0.3).
        rows[~rows.any(axis=1) | np.isnan(rows).all(axis=1)] = blank(rows.shape[1])
        return rows

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                from model2vec import StaticModel

                load = StaticModel.from_pretrained
                # Newer versions fetch a model again at every start unless told not to.
                polite = "force_download" in inspect.signature(load).parameters
                try:
                    self._model = load(self._source, **({"force_download": False} if polite else {}))
                except Exception as error:
                    problem = f"{self.name} cannot be loaded ({type(error).__name__})"
                    raise EmbeddingError(problem, retryable=isinstance(error, OSError)) from error
            return self._model


def create(model: str, dimension: int | None, env: Mapping[str, str]) -> Model2Vec:
    """``model2vec:PATH_OR_NAME``, ``model2vec:PATH_OR_NAME@256``."""
    del env
    if importlib.util.find_spec("model2vec") is None:
        raise MissingExtra("a model2vec embedder", "model2vec")
    if not model:
        raise InvalidInput("embedder", "model2vec needs a model", "write model2vec:minishlab/potion-multilingual-128M")
    return Model2Vec(model, dimension)
