"""Embedders: texts to unit vectors, by a model on this machine or behind HTTP.

    embedder = resolve("auto")                              # the local model if installed, else None
    rows = embedder.embed(["I moved to Lisbon"], kind="document")   # shape (1, embedder.dimension)

``base`` says what an embedder is, ``providers`` finds one by name, ``each`` rescues a batch from one bad
text, ``chunks`` cuts long texts, ``cache`` remembers, ``models`` knows models by name; each other module is
one provider. Importing this package loads no model and no optional package.
"""

from __future__ import annotations

from .base import Embedder, Kind, TextRefused, Vectors, blank, check
from .cache import Cached, MemoryCache, VectorCache
from .chunks import chunk, spans
from .each import embed_each
from .hashed import HashEmbedder
from .providers import PROVIDERS, resolve

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
