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
    from .errors import *
    from .events import Event
    from .memory import Memory
    from .models import *

#: Where the public names stand, the light modules first. Loaded on first use: ``import mnemic`` itself does no work.
_HOMES = ("errors", "models", "clock", "events", "config", "memory", "aio")

__all__ = [
    "Act", "ArchiveError", "ArchiveReport", "ArchivedFile", "AsyncMemory", "Because", "Card", "CardReport",
    "CaughtUp", "Change", "Clock", "ColdMissing", "Config", "Conflict", "ConsolidationReport", "Context", "Diff",
    "Edge", "EmbeddingError", "Entity", "Event", "Evidence", "Explanation", "Filter", "Filtering", "Forecast",
    "Hit", "ImportCounts", "ImportFailed", "InvalidInput", "KeyConflict", "LLMError", "LLMMalformed",
    "LLMRateLimited", "LLMRefused", "LLMServerError", "LLMTimeout", "Memory", "Message", "MissingExtra",
    "MnemicError", "Neighbour", "Node", "NotFound", "Page", "PhaseReport", "Plan", "Recall", "RestoreReport",
    "Routed", "Seasonal", "Session", "SleepReport", "StoreBusy", "StoreClosed", "StoreDamaged", "StoreError",
    "StoreFull", "StoreReadOnly", "StoreTooNew", "Uncertain", "Version", "__version__",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("mnemic")
    if name in __all__:
        for home in _HOMES:
            value = vars(import_module(f"{__name__}.{home}")).get(name)
            if value is not None:
                globals()[name] = value
                return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
