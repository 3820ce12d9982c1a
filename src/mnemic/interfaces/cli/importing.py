"""Import with progress on the terminal, and its counts."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mnemic.errors import ImportFailed
from mnemic.models import ImportCounts
from mnemic.records import plain

from . import common as c
from .output import pairs

if TYPE_CHECKING:
    from mnemic.memory import Memory


@dataclass(slots=True)
class Outcome:
    """All paths of one command together."""

    total: ImportCounts = field(default_factory=ImportCounts)
    failed: dict[str, str] = field(default_factory=dict)
    embedded: int = 0
    facts: int = 0
    waiting: int = 0
    unread: int = 0
    interrupted: bool = False

    @property
    def nothing(self) -> bool:
        """Not one file gave, or had given before, a message."""
        t = self.total
        return not (t.stored or t.updated or t.known or t.unchanged)

    def document(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            **plain(self.total), "failed": self.failed, "embedded": self.embedded,
            "facts": self.facts, "embeddings_due": self.waiting, "unread_messages": self.unread,
            "interrupted": self.interrupted,
        }  # fmt: skip


def run_import(
    memory: Memory,
    paths: Sequence[str],
    *,
    format: str,
    dry_run: bool,
    keep: Sequence[str] | None,
    embed: bool,
) -> Outcome:
    """Import one path after the other; a path that fails does not stop the others."""
    from mnemic.ingest.importers.base import DEFAULT_KEEP

    labels = None if keep is None else DEFAULT_KEEP | set(keep)
    outcome = Outcome(ImportCounts(dry_run=dry_run))
    before = memory.status()["memories"]
    try:
        for path in paths:
            with bar("reading", unit="bytes") as tell:
                try:
                    counts = memory.import_(
                        path, format=format, dry_run=dry_run, keep=labels,
                        progress=lambda p: tell(p.bytes_done, p.bytes_total, f"{p.stored} stored"),
                    )  # fmt: skip
                except ImportFailed as error:
                    outcome.failed[path] = str(error)
                    c.note(f"error: {error}")
                    continue
            outcome.total = add(outcome.total, counts)
        if embed and memory.embedder is not None:
            due = memory.status()["embeddings_due"]
            with bar("embedding") as tell:
                outcome.embedded = memory.flush(lambda n: tell(n, max(n, due), ""))
        elif not dry_run:
            memory.flush()  # names; without an embedder there are no vectors to wait for
        if not dry_run:
            done = c.follow_up(memory, c.AFTER_MANY)
            if done is not None:
                outcome.facts = done.facts
    except KeyboardInterrupt:
        outcome.interrupted = True
        new = memory.status()["memories"] - before
        outcome.total = replace(outcome.total, stored=max(outcome.total.stored, new))
    if not outcome.interrupted:
        status = memory.status()
        outcome.waiting, outcome.unread = status["embeddings_due"], status["unread_messages"]
    return outcome


def add(a: ImportCounts, b: ImportCounts) -> ImportCounts:
    """The sum of two counts."""
    maps: dict[str, Any] = {
        name: dict(Counter(getattr(a, name)) + Counter(getattr(b, name))) for name in ("skipped", "masked", "formats")
    }
    names = ("files", "unchanged", "read", "stored", "updated", "known", "seconds")
    values: dict[str, Any] = {name: getattr(a, name) + getattr(b, name) for name in names}
    return replace(b, **values, **maps, errors={**a.errors, **b.errors}, damaged=a.damaged + b.damaged)


@contextlib.contextmanager
def bar(title: str, unit: str = "") -> Iterator[Callable[[int, int | None, str], None]]:
    """A progress bar on stderr, shown only on a terminal; yields ``tell(done, total, remark)``."""
    if not sys.stderr.isatty():
        yield lambda done, total, remark: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    counts = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        counts,
        TextColumn("{task.fields[remark]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None, remark="")
        yield lambda done, total, remark: progress.update(task, completed=done, total=total, remark=remark)


def print_counts(outcome: Outcome) -> None:
    """The counts, so that they can be seen to add up: read = stored + updated + known + skipped."""
    t = outcome.total
    rows: list[tuple[str, object]] = [
        ("files", f"{t.files} ({t.unchanged} unchanged)" if t.unchanged else t.files),
        *((f"  {name}", count) for name, count in sorted(t.formats.items())),
        ("read", t.read),
        ("  would be stored" if t.dry_run else "  stored", t.stored),
        ("  updated", t.updated),
        ("  known", t.known),
        ("  skipped", sum(t.skipped.values())),
        *((f"    {name}", count) for name, count in sorted(t.skipped.items(), key=lambda item: -item[1])),
    ]
    if t.masked:
        rows.append(("secrets masked", sum(t.masked.values())))
        rows += [(f"  {name}", count) for name, count in sorted(t.masked.items())]
    if outcome.embedded:
        rows.append(("embedded", outcome.embedded))
    if outcome.facts:
        rows.append(("facts read", outcome.facts))
    if outcome.waiting:
        rows.append(("waiting for a vector", outcome.waiting))
    if outcome.unread:
        rows.append(("messages not read yet", outcome.unread))
    rows.append(("seconds", f"{t.seconds:.1f}"))
    pairs(rows)
    for file, problem in t.errors.items():
        c.note(f"could not read {file}: {problem}")
    for place in t.damaged:
        c.note(f"damaged: {place}")
