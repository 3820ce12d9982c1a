"""mnemic: graph cognitive memory for long-lived AI agents, in one SQLite file.

>>> from mnemic import Memory
>>> with Memory(":memory:", embedder=None) as memory:
...     _ = memory.observe("We ship on Fridays, never on Mondays.")
...     memory.recall("when do we ship?").hits[0].node.content
'We ship on Fridays, never on Mondays.'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .aio import AsyncMemory
    from .clock import Clock
    from .config import Config
    from .errors import (
        ArchiveError,
        ColdMissing,
        EmbeddingError,
        ImportFailed,
        InvalidInput,
        KeyConflict,
        LLMError,
        LLMMalformed,
        LLMRateLimited,
        LLMRefused,
        LLMServerError,
        LLMTimeout,
        MissingExtra,
        MnemicError,
        NotFound,
        StoreBusy,
        StoreClosed,
        StoreDamaged,
        StoreError,
        StoreFull,
        StoreReadOnly,
        StoreTooNew,
    )
    from .events import Event
    from .memory import Memory
    from .memory.graph import Neighbour
    from .models import Context, Edge, Entity, Hit, ImportCounts, Node, Plan, Recall, Session

#: Public name → module that owns it. Loaded on first use: ``import mnemic`` itself does no work.
_HOME = {
    "ArchiveError": "errors",
    "AsyncMemory": "aio",
    "Clock": "clock",
    "ColdMissing": "errors",
    "Config": "config",
    "Context": "models",
    "Edge": "models",
    "EmbeddingError": "errors",
    "Entity": "models",
    "Event": "events",
    "Hit": "models",
    "ImportCounts": "models",
    "ImportFailed": "errors",
    "InvalidInput": "errors",
    "KeyConflict": "errors",
    "LLMError": "errors",
    "LLMMalformed": "errors",
    "LLMRateLimited": "errors",
    "LLMRefused": "errors",
    "LLMServerError": "errors",
    "LLMTimeout": "errors",
    "Memory": "memory",
    "MissingExtra": "errors",
    "MnemicError": "errors",
    "Neighbour": "memory.graph",
    "Node": "models",
    "NotFound": "errors",
    "Plan": "models",
    "Recall": "models",
    "Session": "models",
    "StoreBusy": "errors",
    "StoreClosed": "errors",
    "StoreDamaged": "errors",
    "StoreError": "errors",
    "StoreFull": "errors",
    "StoreReadOnly": "errors",
    "StoreTooNew": "errors",
}

__all__ = [
    "ArchiveError",
    "AsyncMemory",
    "Clock",
    "ColdMissing",
    "Config",
    "Context",
    "Edge",
    "EmbeddingError",
    "Entity",
    "Event",
    "Hit",
    "ImportCounts",
    "ImportFailed",
    "InvalidInput",
    "KeyConflict",
    "LLMError",
    "LLMMalformed",
    "LLMRateLimited",
    "LLMRefused",
    "LLMServerError",
    "LLMTimeout",
    "Memory",
    "MissingExtra",
    "MnemicError",
    "Neighbour",
    "Node",
    "NotFound",
    "Plan",
    "Recall",
    "Session",
    "StoreBusy",
    "StoreClosed",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "StoreTooNew",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("mnemic")
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
