"""Embedders: texts to unit vectors, by a model on this machine or behind HTTP.

    embedder = resolve("auto")                              # the local model if installed, else None
    rows = embedder.embed(["I moved to Lisbon"], kind="document")   # shape (1, embedder.dimension)

``base`` says what an embedder is, finds one by name and rescues a batch from one bad text, ``chunks`` cuts long texts,
``cache`` remembers; ``local`` and ``openai`` are the providers. Importing this package loads no model and
no optional package.
"""

from __future__ import annotations

from .base import PROVIDERS, Embedder, Kind, TextRefused, Vectors, blank, check, embed_each, resolve
from .cache import Cached, MemoryCache, VectorCache
from .chunks import chunk, spans
from .local import HashEmbedder

__all__ = [
    "PROVIDERS",
    "Cached",
    "Embedder",
    "HashEmbedder",
    "Kind",
    "MemoryCache",
    "TextRefused",
    "VectorCache",
    "Vectors",
    "blank",
    "check",
    "chunk",
    "embed_each",
    "resolve",
    "spans",
]
