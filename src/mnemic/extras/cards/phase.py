"""The phase of the night that looks at the files of all cards again and writes ``MEMORY.md`` where one is set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...clock import Clock
from ...errors import InvalidInput
from ...llm.base import LLM
from ...models import Act
from ...phase import PhaseContext, PhaseResult
from ...store.base import Store
from .catalogue import catalogue
from .page import write
from .shelf import Shelf, reason


@dataclass(frozen=True, slots=True)
class RefreshCards:
    """A phase of the night.

    Args:
        mask_secrets: mask before the first write. llm: gives the model that writes digests, ``None`` for none.
        pages: space → the file that its list of cards is written into.
    """

    clock: Clock
    mask_secrets: bool = True
    llm: Callable[[], LLM | None] = lambda: None
    pages: Mapping[str, Path] = field(default_factory=dict)

    def __call__(self, store: Store, space: str, night: PhaseContext) -> PhaseResult:
        """Refresh the cards of one space."""
        out = Shelf(store, space, self.clock, self.mask_secrets, self.llm).refresh(night)
        page = self.pages.get(space)
        if page is None or night.dry_run or not out.finished:
            return out
        try:
            written = write(page, catalogue(store, space), space)
        except (InvalidInput, OSError) as error:
            out.counts["page_failed"] += 1
            out.note = f"MEMORY.md: {reason(error)}"
            return out
        if written.written:
            out.counts["page_written"] += 1
            out.acts.append(Act("memory_md", written.path, f"{written.shown} cards shown, {written.left_out} left out"))
        return out
