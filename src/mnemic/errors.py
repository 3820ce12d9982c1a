"""Every error that mnemic raises on purpose.

    MnemicError
    ├── InvalidInput        a value given by the caller cannot be used (names the field and the remedy)
    │   └── KeyConflict     the same key was given again with another body
    ├── NotFound            no such node, session, file (in this space)
    │   └── Uncertain       a text may mean several memories
    ├── MissingExtra        an optional package is not installed (names the install line)
    ├── StoreError          the file cannot be opened, read or written
    │   ├── StoreBusy       another process held the lock longer than the busy timeout; try again
    │   ├── StoreFull       no space left on the disk; nothing of this call was stored
    │   ├── StoreReadOnly   the file or its folder cannot be written
    │   ├── StoreDamaged    the file is not a sound SQLite database
    │   ├── ColdMissing     the side file of cold memories, or a text in it, cannot be read
    │   └── StoreTooNew     the file was written by a newer mnemic
    ├── StoreClosed         the memory was used after close()
    ├── EmbeddingError      the embedder failed or answered nonsense
    ├── LLMError            the language model cannot be used at all (key, address, quota)
    │   ├── LLMRefused      it will not answer to this text (content policy); asking again does not help
    │   ├── LLMTimeout      no answer in time
    │   ├── LLMRateLimited  too many requests; ``retry_after`` seconds where the server said so
    │   ├── LLMServerError  not reachable, or a fault on its side
    │   └── LLMMalformed    this exchange cannot be used: empty, cut, not what was asked for, or too long a question
    ├── ArchiveError        an archived file cannot be given back (missing, damaged, something else in its place)
    └── ImportFailed        nothing could be imported from a path

``except mnemic.MnemicError`` catches all of them. Messages never hold memory text.
"""

from __future__ import annotations

__all__ = [
    "ArchiveError",
    "ColdMissing",
    "EmbeddingError",
    "ImportFailed",
    "InvalidInput",
    "KeyConflict",
    "LLMError",
    "LLMMalformed",
    "LLMRateLimited",
    "LLMRefused",
    "LLMServerError",
    "LLMTimeout",
    "MissingExtra",
    "MnemicError",
    "NotFound",
    "StoreBusy",
    "StoreClosed",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "StoreTooNew",
    "Uncertain",
]


class MnemicError(Exception):
    """Base of every error in this package."""


class InvalidInput(MnemicError, ValueError):
    """A value given by the caller cannot be used.

    Args:
        field: name of the argument or record field.
        problem: what is wrong with it, without the memory text itself.
        remedy: what to give instead.
    """

    def __init__(self, field: str, problem: str, remedy: str = "") -> None:
        self.field = field
        self.problem = problem
        self.remedy = remedy
        super().__init__(f"{field}: {problem}" + (f" ({remedy})" if remedy else ""))


class KeyConflict(InvalidInput):
    """The same key was given again with another body; the stored episode is left as it was."""

    def __init__(self, key: str, field: str = "key") -> None:
        self.key = key
        super().__init__(field, "already stored with another body", "use a new key for new text")


class NotFound(MnemicError, LookupError):
    """No such thing in this space (a foreign id and an unknown id answer alike)."""

    def __init__(self, what: str, name: str) -> None:
        self.what = what
        self.name = name
        super().__init__(f"no {what} {name!r} in this space")


class Uncertain(NotFound):
    """A text may mean several memories, or none clearly enough to act on; ``candidates`` holds their ids."""

    def __init__(self, what: str, name: str, candidates: tuple[str, ...]) -> None:
        self.candidates = candidates
        super().__init__(what, name)
        self.args = (f"{len(candidates)} {what} come near and none is clearly meant (give one of their ids)",)


class MissingExtra(MnemicError, ImportError):
    """An optional package is needed; the message is the line that installs it."""

    def __init__(self, feature: str, extra: str) -> None:
        self.feature = feature
        self.extra = extra
        super().__init__(f"{feature} needs an optional package: pip install 'mnemic[{extra}]'")


class StoreError(MnemicError):
    """The file cannot be opened, read or written."""


class StoreBusy(StoreError):
    """Another process held the write lock longer than the busy timeout. Nothing was stored; try again."""


class StoreFull(StoreError):
    """No space left on the disk. Nothing of this call was stored; free space and go on, no restart needed."""


class StoreReadOnly(StoreError):
    """The file or its folder cannot be written by this user."""


class StoreDamaged(StoreError):
    """The file is not a sound SQLite database; restore a backup or run ``mnemic doctor``."""


class ColdMissing(StoreError):
    """The side file of cold memories (``NAME.cold``), or a text in it, cannot be read; put back the one that belongs
    here."""


class StoreTooNew(StoreError):
    """The file was written by a newer mnemic; upgrade this one."""


class StoreClosed(MnemicError):
    """The memory was used after ``close()``."""


class EmbeddingError(MnemicError):
    """The embedder failed or answered with vectors that cannot be used.

    Args:
        message: what happened.
        retryable: whether the same call may succeed later (time-out, 429, 5xx).
    """

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        self.retryable = retryable
        super().__init__(message)


class LLMError(MnemicError):
    """The language model cannot be used: key refused, no such model, quota spent. Its kinds say what to do.

    Args:
        message: what happened, with neither the question, the answer nor the key.
        retry_after: seconds to wait, where the server said so.
    """

    retryable = False

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class LLMRefused(LLMError):
    """The model will not answer to this text (content policy). Asking again does not help."""


class LLMTimeout(LLMError):
    """No answer in time. The same question may succeed later, a shorter one sooner."""

    retryable = True


class LLMRateLimited(LLMError):
    """Too many requests or tokens. The same question may succeed after ``retry_after`` seconds."""

    retryable = True


class LLMServerError(LLMError):
    """The server cannot be reached or had a fault of its own. The same question may succeed later."""

    retryable = True


class LLMMalformed(LLMError):
    """This exchange cannot be used: the answer is empty, cut or not what was asked for, or the question too long.

    Args:
        message: what happened. again: whether the same question may get a better answer.
    """

    def __init__(self, message: str, *, again: bool = True) -> None:
        self.retryable = again
        super().__init__(message)


class ArchiveError(MnemicError):
    """An archived file cannot be given back: it is missing, damaged, or something else stands in its place."""


class ImportFailed(MnemicError):
    """Nothing could be imported from a path; the message says why."""
