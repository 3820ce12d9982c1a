"""What archiving did and what it holds: frozen, slotted, inert."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """A file as it stands in an archive.

    Attributes:
        path: where it was. sha256, size, mtime_ns, mode: of the original. file: name of its archive in the folder.
        packed: bytes of that. at: when it was packed, microseconds. restored_at: when it was last given back.
    """

    path: str
    sha256: str
    size: int
    mtime_ns: int
    mode: int
    file: str
    packed: int
    at: int
    restored_at: int | None = None


@dataclass(frozen=True, slots=True)
class ArchiveReport:
    """What an archiving of raw logs did.

    Attributes:
        files: packed and removed (in a dry run: what would be). skipped: reason → count. errors: file → what went wrong.
        finished: whether it came to the end.
    """

    files: tuple[ArchivedFile, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    finished: bool = True
    dry_run: bool = False

    @property
    def bytes(self) -> int:
        """Of the originals."""
        return sum(file.size for file in self.files)

    @property
    def packed_bytes(self) -> int:
        """Of their archives."""
        return sum(file.packed for file in self.files)


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What was given back from the archive: paths ``restored``, those that stood ``there`` already, and ``errors``."""

    restored: tuple[str, ...] = ()
    there: tuple[str, ...] = ()
    errors: Mapping[str, str] = field(default_factory=dict)
