"""One bad text must not cost the others: find it, embed the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, runtime_checkable

from mnemic.errors import EmbeddingError, MnemicError

from .base import Embedder, Kind, TextRefused, Vectors, check, checked

__all__ = ["as_embedding_error", "embed_each", "isolate"]


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
