"""The verbs of :class:`mnemic.Memory` that keep it in shape: the nightly run, the archive, cards. No algorithms."""

from __future__ import annotations

from datetime import tzinfo
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .clock import Clock
    from .config import Config
    from .consolidate.run import Consolidator
    from .recall.run import Recaller
    from .store.sqlite import SqliteStore


class Upkeep:
    """What happens to memories that are there: the part of :class:`mnemic.Memory` for the night and the cellar."""

    space: str
    config: Config
    _clock: Clock
    _zone: tzinfo
    _store: SqliteStore
    _recaller: Recaller
    _consolidator: Consolidator

    if TYPE_CHECKING:

        def _space(self, given: str | None) -> str: ...
