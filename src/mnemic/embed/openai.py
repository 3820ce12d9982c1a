"""``openai:…``, ``ollama:…``, ``lmstudio:…``: any OpenAI-compatible ``/v1/embeddings`` (extra ``openai``).

Only httpx is used. Keys come from the environment and are sent to the address they belong to, never logged and never
part of a message; neither is what the server says in an error, since it may quote the text or the key.

What can go wrong, and what is done:

- *No answer, 408, 425, 429, 5xx:* tried again, 3 times, waiting longer each time or as long as
  ``Retry-After`` says.
- *400, 413, 422 for a batch:* a harmless text is tried. Refused too, the request is at fault: an optional
  parameter is left out, or the call fails. Taken, the batch is halved until the bad text stands alone.
- *400, 413, 422 for one text:* it is cut into halves until the server takes them, and their vectors averaged.
- *Rows missing, doubled, NaN …:* the batch is halved as above.
- *401, 403, 404 and the rest:* the call fails at once.
"""

from __future__ import annotations

import base64
import importlib.util
import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mnemic import wire
from mnemic.errors import EmbeddingError, InvalidInput, MissingExtra
from mnemic.wire import LMSTUDIO_URL, OLLAMA_URL, OPENAI_URL

from .base import Kind, Plan, TextRefused, Vectors, blank, check, cut, isolate, looks_multilingual, mean, prefix
from .chunks import chunk

#: Own dimension of models whose name alone says it; others are asked once. (A tag can mean another size, so
#: a name matches whole.)
DIMENSIONS: Mapping[str, int] = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
    "nomic-embed-text": 768,
    "mxbai-embed-large": 1024,
    "all-minilm": 384,
    "bge-m3": 1024,
    "embeddinggemma": 768,
}


@dataclass(frozen=True, slots=True)
class _Patience:
    """How long to go on: tries after the first; longest pause between two and time for one, in seconds.

    A server that asks for a longer pause is answered by failing, not by sleeping.
    """

    retries: int
    pause: float
    timeout: float


#: Somebody waits for the answer to a query, and the other channels of a search need no vectors.
_PATIENCE: Mapping[Kind, _Patience] = {
    "document": _Patience(retries=3, pause=60.0, timeout=600.0),
    "query": _Patience(retries=1, pause=2.0, timeout=15.0),
}

_SMALLEST_PART = 200  # characters; a text refused at this length is not refused for its length
_LARGEST_ANSWER = 128 * 1024 * 1024  # bytes: 64 vectors of 4,096 numbers in text are 6 MB

_HINTS = {
    401: "the key was refused; check OPENAI_API_KEY or MNEMIC_EMBED_API_KEY",
    403: "the key does not allow it",
    404: "no such model or address",
}


class _Refused(EmbeddingError):
    """400, 413 or 422: something in this request, perhaps the length of a text, does not suit the server."""


class OpenAIEmbedder:
    """A model behind ``POST {base_url}/embeddings``. Nothing is sent before the first use.

    Args:
        model: as the server calls it.
        dimension: numbers wanted in a vector; the server is asked for so many, and if it answers with more,
            the rest is cut off here. ``None``: the model's own.
        provider: first part of :attr:`name`.
        base_url: address up to and including ``/v1``. Without a user or password in it.
        api_key: sent as a bearer token; ``None`` sends none.
        batch: most texts in one request.
        max_chars: longest text sent in one piece.
        compact: ask for vectors in base64, a quarter of the bytes; either form is understood.
        timeout: seconds to wait for an answer (to connect, and to a query: see :data:`_PATIENCE`).
        sleep: called with seconds between tries; for tests.
        jitter: returns 0…1; for tests.

    Raises:
        InvalidInput: the model, address or key cannot be used.
        MissingExtra: httpx is not installed.
    """

    def __init__(
        self,
        model: str,
        *,
        dimension: int | None = None,
        provider: str = "openai",
        base_url: str = OPENAI_URL,
        api_key: str | None = None,
        batch: int = 64,
        max_chars: int = 8_000,
        compact: bool = False,
        timeout: float = 60.0,
        sleep: Callable[[float], object] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        if importlib.util.find_spec("httpx") is None:
            raise MissingExtra(f"the embedder '{provider}:{model}'", "openai")
        if not model:
            raise InvalidInput("embedder", f"{provider} needs a model", f"write {provider}:MODEL")
        if not 1 <= batch <= 2_048:
            raise InvalidInput("batch", "is out of range", "1 to 2048")
        self.model = model
        self.max_chars = max_chars
        self.multilingual = looks_multilingual(model)
        own = DIMENSIONS.get(model)
        if dimension and own and dimension > own:
            raise InvalidInput("dimension", f"{model} has only {own} numbers", f"at most {own}")
        self.name = f"{provider}:{model}" + (f"@{dimension}" if dimension and dimension != own else "")
        self._asked = dimension if dimension != own else None
        self._dimension = dimension or own
        url = wire.address(base_url, key_name="MNEMIC_EMBED_API_KEY") + "/embeddings"
        self._client = wire.Client(url, wire.headers(api_key), largest=_LARGEST_ANSWER)
        self._batch = batch
        self._compact = compact
        self._optional = True  # until the server refuses optional parameters
        self._timeout = timeout
        self._sleep = sleep
        self._jitter = jitter

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self.name!r}, {self._client.url!r})"

    @property
    def dimension(self) -> int:
        """See :class:`mnemic.embed.Embedder`. Asks the server once when the model is not in
        :data:`DIMENSIONS` and no dimension was given; raises EmbeddingError when it does not answer."""
        if self._dimension is None:
            self._probe(_PATIENCE["query"])
        assert self._dimension is not None
        return self._dimension

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """See :class:`mnemic.embed.Embedder`. A failing text fails the call, after all have been tried."""
        rows: list[Vectors] = []
        for row in self.embed_each(texts, kind=kind):
            if isinstance(row, EmbeddingError):
                raise row
            rows.append(row)
        return np.stack(rows) if rows else np.empty((0, self.dimension), dtype=np.float32)

    def embed_each(self, texts: Sequence[str], *, kind: Kind) -> list[Vectors | EmbeddingError]:
        """See :func:`mnemic.embed.embed_each`."""
        plan = Plan(texts, kind, self.max_chars)
        words, patience = prefix(self.model, kind), _PATIENCE[kind]
        answers = isolate(
            lambda parts: self._request([words + part for part in parts], patience),
            plan.parts,
            probe=lambda: self._probe(replace(patience, retries=0)),
            batch=self._batch,
        )
        for index, answer in enumerate(answers):
            if isinstance(answer, TextRefused) and isinstance(answer.__cause__, _Refused):
                answers[index] = self._in_halves(plan.parts[index], words, patience, answer)
        out: list[Vectors | EmbeddingError] = []
        for owned in plan.owners:
            group = [answers[index] for index in owned]
            fault = next((answer for answer in group if isinstance(answer, EmbeddingError)), None)
            if fault is None:
                rows = [answer for answer in group if not isinstance(answer, EmbeddingError)]
                out.append(mean(np.stack(rows)) if rows else self._blank())
            else:
                out.append(fault)
        return out

    def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        self._client.close()

    def _in_halves(self, text: str, words: str, patience: _Patience, fault: EmbeddingError) -> Vectors | EmbeddingError:
        """The mean of a refused text's halves, halved again if need be; ``fault`` if length is not why."""
        if len(text) <= _SMALLEST_PART:
            return fault
        rows: list[Vectors] = []
        for half in chunk(text, (len(text) + 1) // 2):
            row: Vectors | EmbeddingError
            try:
                row = self._request([words + half], patience)[0]
            except _Refused:
                row = self._in_halves(half, words, patience, fault)
            except EmbeddingError as error:
                row = error
            if isinstance(row, EmbeddingError):
                return row
            rows.append(row)
        return mean(np.stack(rows))

    def _blank(self) -> Vectors | EmbeddingError:
        try:
            return blank(self.dimension)
        except EmbeddingError as error:
            return error

    def _probe(self, patience: _Patience) -> None:
        """Raise unless the server embeds a harmless text. Optional parameters it refuses are given up."""
        try:
            self._request(["ok"], patience)
        except _Refused:
            if not self._parameters():
                raise
            self._optional = False
            self._request(["ok"], patience)

    def _parameters(self) -> dict[str, object]:
        if not self._optional:
            return {}
        wanted: dict[str, object] = {"dimensions": self._asked} if self._asked else {}
        return wanted | ({"encoding_format": "base64"} if self._compact else {})

    def _request(self, texts: Sequence[str], patience: _Patience) -> Vectors:
        """Embed one batch: rows of shape ``(len(texts), dimension)``. The first answer sets the dimension."""
        body = json.dumps({"model": self.model, "input": list(texts)} | self._parameters()).encode()
        rows = read_rows(self._post(body, patience), len(texts))
        if self._dimension is None:
            self._dimension = int(rows.shape[1])
        return check(cut(rows, self._dimension), len(texts), self._dimension)

    def _post(self, body: bytes, patience: _Patience) -> bytes:
        """Send, and send again what may succeed later; the answer's bytes."""
        tried = 0
        while True:
            try:
                return self._send(body, min(self._timeout, patience.timeout))
            except _Later as later:
                pause = wire.pause(tried, self._jitter()) if later.wait is None else later.wait
                if tried >= patience.retries or pause > patience.pause:
                    raise EmbeddingError(f"{self.name}: {later}", retryable=True) from None
                self._sleep(pause)
                tried += 1

    def _send(self, body: bytes, timeout: float) -> bytes:
        try:
            reply = self._client.post(body, timeout)
        except wire.NoAnswer as error:
            if error.again:
                raise _Later(str(error)) from None
            raise EmbeddingError(f"{self.name}: {error}") from None
        if reply.status == 200:
            return reply.content
        if reply.status == 429 and wire.error_word(reply.content) == "insufficient_quota":
            raise EmbeddingError(f"{self.name}: {reply.problem}", retryable=True)
        if reply.status in (408, 425, 429) or reply.status >= 500:
            raise _Later(reply.problem, reply.wait)
        if reply.status in (400, 413, 422):
            raise _Refused(f"{self.name}: {reply.problem}")
        hint = _HINTS.get(reply.status)
        raise EmbeddingError(f"{self.name}: {reply.problem}" + (f" ({hint})" if hint else ""))


class _Later(Exception):
    """The same request may succeed later: after ``wait`` seconds, where the server said so."""

    def __init__(self, problem: str, wait: float | None = None) -> None:
        self.wait = wait
        super().__init__(problem)


# --------------------------------------------------------------------------------------------------
# providers
# --------------------------------------------------------------------------------------------------


def create_openai(model: str, dimension: int | None, env: Mapping[str, str]) -> OpenAIEmbedder:
    """``openai:text-embedding-3-small``, ``openai:MODEL@512``; any other server by ``MNEMIC_EMBED_BASE_URL``.

    A key goes only where it belongs: ``MNEMIC_EMBED_API_KEY`` to ``MNEMIC_EMBED_BASE_URL``,
    ``OPENAI_API_KEY`` to ``OPENAI_BASE_URL`` or OpenAI. ``MNEMIC_EMBED_API_KEY`` without an address of its
    own comes before ``OPENAI_API_KEY``.
    """
    model = model or "text-embedding-3-small"
    ours, key = env.get("MNEMIC_EMBED_BASE_URL"), env.get("MNEMIC_EMBED_API_KEY")
    if ours:
        return OpenAIEmbedder(model, dimension=dimension, base_url=ours, api_key=key)
    return OpenAIEmbedder(
        model,
        dimension=dimension,
        base_url=env.get("OPENAI_BASE_URL") or OPENAI_URL,
        api_key=key or env.get("OPENAI_API_KEY"),
        compact=True,
    )


def create_ollama(model: str, dimension: int | None, env: Mapping[str, str]) -> OpenAIEmbedder:
    """``ollama:nomic-embed-text`` on this machine, or where ``OLLAMA_HOST`` (host, host:port, URL) says.

    The longest piece is shorter than OpenAI's: most models that Ollama serves read 512 to 2,048 tokens.
    """
    model = model or "nomic-embed-text"
    url = wire.from_host(env.get("OLLAMA_HOST", ""), OLLAMA_URL)
    key = env.get("MNEMIC_EMBED_API_KEY")
    return OpenAIEmbedder(
        model,
        dimension=dimension,
        provider="ollama",
        base_url=url,
        api_key=key,
        max_chars=1_500,
        timeout=180.0,
    )


def create_lmstudio(model: str, dimension: int | None, env: Mapping[str, str]) -> OpenAIEmbedder:
    """``lmstudio:text-embedding-nomic-embed-text-v1.5`` on this machine, or where ``LMSTUDIO_HOST`` says."""
    url = wire.from_host(env.get("LMSTUDIO_HOST", ""), LMSTUDIO_URL)
    key = env.get("MNEMIC_EMBED_API_KEY")
    return OpenAIEmbedder(
        model,
        dimension=dimension,
        provider="lmstudio",
        base_url=url,
        api_key=key,
        max_chars=1_500,
        timeout=180.0,
    )


def read_rows(content: bytes, n: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
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
