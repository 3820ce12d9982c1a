"""Every error that mnemic raises on purpose.

    MnemicError
    ├── InvalidInput        a value given by the caller cannot be used (names the field and the remedy)
    │   └── KeyConflict     the same key was given again with another body
    ├── NotFound            no such node, session, file (in this space)
    ├── MissingExtra        an optional package is not installed (names the install line)
    ├── StoreError          the file cannot be opened, read or written
    │   ├── StoreBusy       another process held the lock longer than the busy timeout; try again
    │   ├── StoreFull       no space left on the disk; nothing of this call was stored
    │   ├── StoreReadOnly   the file or its folder cannot be written
    │   ├── StoreDamaged    the file is not a sound SQLite database
    │   └── StoreTooNew     the file was written by a newer mnemic
    ├── StoreClosed         the memory was used after close()
    ├── EmbeddingError      the embedder failed or answered nonsense
    └── ImportFailed        nothing could be imported from a path

``except mnemic.MnemicError`` catches all of them. Messages never hold memory text.
"""

from __future__ import annotations

__all__ = [
    "EmbeddingError",
    "ImportFailed",
    "InvalidInput",
    "KeyConflict",
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

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__("key", "already stored with another body", "use a new key for new text")


class NotFound(MnemicError, LookupError):
    """No such thing in this space (a foreign id and an unknown id answer alike)."""

    def __init__(self, what: str, name: str) -> None:
        self.what = what
        self.name = name
        super().__init__(f"no {what} {name!r} in this space")


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


class ImportFailed(MnemicError):
    """Nothing could be imported from a path; the message says why."""
