"""What an embedder is, and the arithmetic all of them share.

An embedder turns texts into unit vectors. It knows nothing of nodes or files. Every implementation keeps this
contract (``tests/contract/test_embedder.py`` holds all of them to it):

- ``embed`` returns one row for each text, in the order given, ``float32``, of length 1, finite.
- The same text gives the same row, to rounding (1e-5), in any batch, thread or process.
- No text is refused for what it says. A text with nothing to read (empty, white space, control characters) is
  answered with :func:`blank`; NUL and lone surrogates count as spaces; a text longer than ``max_chars`` with
  the mean of up to :data:`POOLED_PARTS` parts spread over it. That mean is blurred: who wants to *find* a
  part of a long text cuts it with :func:`mnemic.embed.chunk` and stores a vector for each piece.
- Nothing is loaded, downloaded or asked before the first ``embed`` (or ``dimension``, where only the model
  knows it).
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from mnemic.errors import EmbeddingError, InvalidInput, MnemicError

from .. import plugins
from .chunks import chunk

Kind: TypeAlias = Literal["query", "document"]
Vectors: TypeAlias = NDArray[np.float32]

#: Most parts of one over-long text that ``embed`` reads, so that no text costs more than so many short ones.
POOLED_PARTS = 16

#: A vector without a number larger than this has no direction worth keeping.
_TINY = 1e-12


class Embedder(Protocol):
    """A model that turns texts into unit vectors. Implementations are safe to use from many threads.

    One with ``slow_start = True`` takes a second or more to load, and is not loaded for a few texts (``catch_up``).
    """

    @property
    def name(self) -> str:
        """``provider:model``, plus ``@dimension`` when that is not the model's own.

        It names the *vector generation*: vectors are comparable if, and only if, their names are equal.
        """
        ...

    @property
    def dimension(self) -> int:
        """Length of each vector. May load the model, or ask the server once, where nothing else knows it."""
        ...

    @property
    def max_chars(self) -> int:
        """Longest text, in characters, that the model reads sensibly in one piece."""
        ...

    @property
    def multilingual(self) -> bool:
        """Whether a question finds a text in another language."""
        ...

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """Return an array of shape ``(len(texts), dimension)``: unit rows, ``float32``, finite.

        Args:
            texts: any texts, of any length; may be empty.
            kind: ``query`` for what is asked, ``document`` for what is stored; some models tell them apart.

        Raises:
            InvalidInput: ``texts`` is a string or holds something that is not one; ``kind`` is unknown.
            EmbeddingError: no vectors, for any of the texts (``retryable`` says whether trying later may
                help); :func:`mnemic.embed.embed_each` rescues the others.
        """
        ...


class TextRefused(EmbeddingError):
    """The model works, but not on this text: other texts need not wait, and this one need not be tried again
    (unless ``retryable``: the refusal looked like a passing fault)."""


def check(vectors: Any, n: int, dimension: int) -> Vectors:
    """Refuse vectors that would poison an index; return the others scaled to length 1.

    Args:
        vectors: what a model answered; anything that numpy reads as an array of numbers.
        n: rows expected.
        dimension: numbers expected in each.

    Returns:
        A new ``(n, dimension)`` ``float32`` array.

    Raises:
        EmbeddingError: not numbers, another shape, NaN, infinity, or a row of zeros. Not retryable.
    """
    try:
        array = np.asarray(vectors, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise EmbeddingError("the embedder answered something that is not a table of numbers") from None
    if array.shape != (n, dimension):
        if array.size or n:
            raise EmbeddingError(f"the embedder answered vectors of shape {array.shape}, expected {(n, dimension)}")
        array = array.reshape(n, dimension)
    if not np.isfinite(array).all():
        raise EmbeddingError("the embedder answered a vector with NaN or infinity")
    # Scaled by the largest number first, so that squaring neither tiny nor huge ones goes out of range.
    largest = np.abs(array).max(axis=1, initial=0.0, keepdims=True)
    if n and float(largest.min()) < _TINY:
        raise EmbeddingError("the embedder answered a vector of zeros")
    array = array / largest
    array /= np.linalg.norm(array, axis=1, keepdims=True)
    unit: Vectors = array.astype(np.float32)
    return unit


def blank(dimension: int) -> Vectors:
    """The unit vector, shape ``(dimension,)``, that stands for a text with nothing to read in it.

    It is the same for every embedder of this dimension and is near to no real text.
    """
    vector = np.full(dimension, 1.0 / np.sqrt(dimension), dtype=np.float32)
    vector[1::2] *= -1.0
    return vector


def cut(vectors: Any, dimension: int) -> NDArray[Any]:
    """Keep the first ``dimension`` numbers of each row; narrower arrays are returned as they are.

    The rows are no longer of length 1; :func:`check` mends that.
    """
    array = np.asarray(vectors)
    return array[:, :dimension] if array.ndim == 2 and array.shape[1] > dimension else array


def readable(text: str) -> str:
    """``text`` as a model may safely read it: control characters and lone surrogates become spaces.

    Returns an empty string when nothing is left to read (white space and invisible characters do not count).
    Some tokenizers stop at a NUL and none can encode half a surrogate pair.
    """
    text = _UNREADABLE.sub(" ", text).strip()
    visible = len(text) > 4_096 or any(unicodedata.category(sign) not in _INVISIBLE for sign in text)
    return text if visible else ""


_UNREADABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]+")
_INVISIBLE = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Mn"})


def embed_parts(
    texts: Sequence[str],
    *,
    kind: Kind,
    dimension: Callable[[], int],
    max_chars: int,
    run: Callable[[list[str]], Any],
) -> Vectors:
    """Do for an implementation of ``embed`` what all of them need, so that ``run`` can be one line.

    Arguments are checked, unreadable texts answered with :func:`blank`, over-long ones cut and their parts
    averaged, equal ones asked once, and the rest handed to ``run`` from short to long (batches of equal
    length waste no padding). Its rows are cut to ``dimension`` and checked.

    Args:
        texts: as given to ``embed``.
        kind: as given to ``embed``.
        dimension: called when the number is needed, which may load the model.
        max_chars: of the model.
        run: the model itself: non-empty readable texts to rows.
    """
    plan = Plan(texts, kind, max_chars)
    rows = check(cut(run(plan.parts), dimension()), len(plan.parts), dimension()) if plan.parts else None
    return plan.assemble(rows, dimension())


class Plan:
    """What to ask a model in order to embed some texts, and how to put its answers together.

    Attributes:
        parts: different, readable texts of at most ``max_chars`` characters, from short to long.
        owners: for each text, the indexes of its parts; empty for a text with nothing to read.
    """

    def __init__(self, texts: Sequence[str], kind: Kind, max_chars: int) -> None:
        checked(texts, kind)
        pieces = [chunk(clean, max_chars, max_chunks=POOLED_PARTS) for clean in map(readable, texts)]
        self.parts = sorted({piece for group in pieces for piece in group}, key=lambda part: (len(part), part))
        place = {part: index for index, part in enumerate(self.parts)}
        self.owners = [[place[piece] for piece in group] for group in pieces]

    def assemble(self, rows: Vectors | None, dimension: int) -> Vectors:
        """From one row for each part to one row for each text, shape ``(len(texts), dimension)``."""
        out = np.empty((len(self.owners), dimension), dtype=np.float32)
        for index, owned in enumerate(self.owners):
            out[index] = blank(dimension) if rows is None or not owned else mean(rows[owned])
        return out


def mean(rows: Vectors) -> Vectors:
    """The direction, shape ``(dimension,)``, between unit rows; the first of them where they cancel out."""
    total = rows.sum(axis=0, dtype=np.float64)
    length = float(np.linalg.norm(total))
    middle: Vectors = (total / length).astype(np.float32) if len(rows) > 1 and length > 1e-6 else rows[0]
    return middle


def checked(texts: Sequence[str], kind: str) -> None:
    """Raise InvalidInput unless ``texts`` is a sequence of strings and ``kind`` is known."""
    if isinstance(texts, (str, bytes)):
        raise InvalidInput("texts", "is one string", "give a list of strings")
    if kind not in ("query", "document"):
        raise InvalidInput("kind", f"unknown kind {kind!r}", "query or document")
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise InvalidInput(f"texts[{index}]", f"is a {type(text).__name__}", "give a string")


@runtime_checkable
class _Isolating(Protocol):
    """An embedder that can tell bad texts from good ones by itself, at less cost than :func:`isolate`."""

    def embed_each(self, texts: Sequence[str], *, kind: Kind) -> list[Vectors | EmbeddingError]: ...


def embed_each(
    embedder: Embedder, texts: Sequence[str], kind: Kind, *, batch: int = 64
) -> list[Vectors | EmbeddingError]:
    """Embed texts so that one that the model cannot take does not cost the others.

    Args:
        embedder: any embedder.
        texts: any texts.
        kind: ``query`` or ``document``.
        batch: texts in one call of ``embed``.

    Returns:
        For each text, in order, its vector of shape ``(dimension,)`` or the error that stands in its way:
        :class:`TextRefused` is the text's own fault; any other :class:`EmbeddingError` is the service's,
        says nothing about the text, and is given to every text still waiting.

    Raises:
        InvalidInput, MissingExtra: nothing can be embedded as things are.
    """
    checked(texts, kind)
    if isinstance(embedder, _Isolating):
        return embedder.embed_each(texts, kind=kind)

    def run(part: Sequence[str]) -> Vectors:
        return check(embedder.embed(part, kind=kind), len(part), embedder.dimension)

    return isolate(run, texts, probe=lambda: run(["ok"]), batch=batch)


def isolate(
    run: Callable[[Sequence[str]], Vectors],
    texts: Sequence[str],
    *,
    probe: Callable[[], object],
    batch: int = 64,
) -> list[Vectors | EmbeddingError]:
    """Run batches; halve those that fail until the bad texts stand alone.

    Whether a failure is the text's or the service's is found out by ``probe``, which asks for something
    harmless: one bad text in 64 costs some 15 calls, a service that is down costs two, not 127.

    Args:
        run: texts to rows; raises when any of them fails.
        texts: what to run.
        probe: raises when the service as a whole fails.
        batch: longest list given to ``run`` at once.
    """
    out: list[Vectors | EmbeddingError] = []
    down: EmbeddingError | None = None

    def attempt(part: Sequence[str], *, whole: bool) -> Iterator[Vectors | EmbeddingError]:
        nonlocal down
        if down is not None:
            yield from [down] * len(part)
            return
        try:
            rows = run(part)
        except Exception as error:
            fault = as_embedding_error(error)
        else:
            yield from rows
            return
        # When a batch fails, and again for each text that fails alone: is it the text, or is nobody there?
        if whole or len(part) == 1:
            try:
                probe()
            except Exception as error:
                down = as_embedding_error(error)
                yield from [down] * len(part)
                return
        if len(part) == 1:
            yield _refused(fault)
            return
        middle = len(part) // 2
        yield from attempt(part[:middle], whole=False)
        yield from attempt(part[middle:], whole=False)

    for start in range(0, len(texts), batch):
        out.extend(attempt(texts[start : start + batch], whole=True))
    return out


def _refused(fault: EmbeddingError) -> TextRefused:
    if isinstance(fault, TextRefused):
        return fault
    refused = TextRefused(str(fault), retryable=fault.retryable)
    refused.__cause__ = fault
    return refused


def as_embedding_error(error: Exception) -> EmbeddingError:
    """``error`` as an EmbeddingError (the message of a foreign one is left out: it may quote the text).

    Other errors of mnemic are about the call or the installation, not the model: they are raised again.
    """
    if isinstance(error, EmbeddingError):
        return error
    if isinstance(error, MnemicError):
        raise error
    failed = EmbeddingError(f"the embedder failed with {type(error).__name__}", retryable=isinstance(error, OSError))
    failed.__cause__ = error
    return failed


_RETRIEVE = "Represent this sentence for searching relevant passages: "

#: Words that a model was trained to see before a query and before a document, by model name. A row, once
#: released, is never changed: the vectors would change and their generation's name would not.
PREFIXES: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"nomic-embed-text"), "search_query: ", "search_document: "),
    (re.compile(r"\be5-(small|base|large)(?!.*instruct)"), "query: ", "passage: "),
    (re.compile(r"bge-(small|base|large)-en|mxbai-embed-large"), _RETRIEVE, ""),
    (re.compile(r"snowflake-arctic-embed2|snowflake-arctic-embed-[lm]-v2"), "query: ", ""),
    (re.compile(r"snowflake-arctic-embed"), _RETRIEVE, ""),
    (re.compile(r"embedding-?gemma"), "task: search result | query: ", "title: none | text: "),
    (
        re.compile(r"qwen3-embedding"),
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:",
        "",
    ),
)

_MULTILINGUAL = re.compile(
    r"multilingual|bge-m3|text-embedding-(3|ada)|embedding-?gemma|qwen3-embedding|labse|distiluse|arctic-embed2|"
    r"arctic-embed-[lm]-v2|jina-embeddings-v[345]|nomic-embed-text-v2|granite-embedding-\d+m-multi"
)


def prefix(model: str, kind: Kind) -> str:
    """What ``model`` wants before a text of this kind; mostly nothing."""
    for pattern, query, document in PREFIXES:
        if pattern.search(model.lower()):
            return query if kind == "query" else document
    return ""


def looks_multilingual(model: str) -> bool:
    """Whether the name is that of a model known to read many languages."""
    return _MULTILINGUAL.search(model.lower()) is not None


# From a name such as ``openai:text-embedding-3-small@512`` to an embedder.
# Third parties add one by an entry point: [project.entry-points."mnemic.embedders"] acme = "acme_mnemic:create".

#: Makes an embedder from the model's name ("" when none was given), the dimension asked for by ``@`` and the
#: environment. It loads nothing and asks nobody; it raises MissingExtra when its package is not installed.
Factory: TypeAlias = Callable[[str, int | None, Mapping[str, str]], Embedder]

#: Entry-point group of third parties. A name that is in the table already does not replace it.
ENTRY_POINTS = "mnemic.embedders"

#: Provider to ``module:function`` (imported on demand) or the function itself.
PROVIDERS: dict[str, str | Factory] = {
    "local": "mnemic.embed.local:create_use_m3",
    "hash": "mnemic.embed.local:create_hash",
    "openai": "mnemic.embed.openai:create_openai",
    "ollama": "mnemic.embed.openai:create_ollama",
    "lmstudio": "mnemic.embed.openai:create_lmstudio",
    "model2vec": "mnemic.embed.local:create_model2vec",
    "sentence-transformers": "mnemic.embed.local:create_sentence_transformers",
    "fastembed": "mnemic.embed.local:create_fastembed",
}

_SPEC = re.compile(r"(?P<provider>[^:@]+)(?::(?P<model>.*?))?(?:@(?P<dimension>\d+))?", re.DOTALL)


def known() -> list[str]:
    """Names of all providers, built in and installed, in alphabetical order."""
    return plugins.known(PROVIDERS, ENTRY_POINTS)


def resolve(name: str | Embedder | None, *, env: Mapping[str, str] | None = None) -> Embedder | None:
    """Return the embedder of a name; nothing is loaded and nobody asked until it is used.

    Args:
        name: ``auto`` (``local`` when its extra is installed, else none), ``none`` or ``None`` (no vectors),
            ``provider``, ``provider:model``, ``provider:model@dimension``, or an embedder, which is returned as it is.
        env: where keys and addresses are looked up; the process's environment when not given.

    Raises:
        InvalidInput: the name or a setting cannot be used; an unknown provider is answered with the known ones.
        MissingExtra: the provider's package is not installed; the message is the line that installs it.
    """
    if name is None:
        return None
    if not isinstance(name, str):
        if not callable(getattr(type(name), "embed", None)):
            raise InvalidInput("embedder", f"a {type(name).__name__} has no embed method", "give a name or an Embedder")
        return name
    spec = name.strip()
    if spec.lower() in ("", "none"):
        return None
    environment = os.environ if env is None else env
    if spec.lower() == "auto":
        from . import local

        return local.create_use_m3("", None, environment) if local.installed() else None
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise InvalidInput("embedder", f"cannot read {spec!r}", "write provider:model or provider:model@dimension")
    dimension = int(match["dimension"]) if match["dimension"] else None
    if dimension is not None and not 1 <= dimension <= 65_536:
        raise InvalidInput("embedder", f"dimension {dimension} is out of range", "1 to 65536")
    return _factory(match["provider"].strip().lower())((match["model"] or "").strip(), dimension, environment)


def _factory(provider: str) -> Factory:
    return cast(Factory, plugins.factory("embedder", PROVIDERS, ENTRY_POINTS, provider, also="auto, none"))
