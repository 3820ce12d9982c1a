"""One file into a zstd frame and back: streamed, hashed, verified before anything is removed.

What is removed was read from the very file that is removed: it stays open meanwhile, and what somebody wrote to it in
the last instant is put back.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from ...errors import ArchiveError
from ...store.cold import limits, zstd
from ...store.connect import sync_folder

BLOCK = 1 << 20
LEVEL = 9  # 16 MB a second, 8.5 to 1 on transcripts; level 19 packs 5 % better and takes 25 times as long
NAME_BYTES = 120  # of the original's name that its archive is called by
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class Untouchable(Exception):
    """A file that is left where it is; the argument is the reason, a name to count by."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A verified archive of a file: hash and size of the original, name and size of the frame."""

    sha256: str
    size: int
    file: str
    packed: int


@dataclass(slots=True)
class Original:
    """A regular file, held open while it is packed and removed."""

    path: Path
    handle: FileIO  # without a buffer: what was written to the file meanwhile is seen
    about: os.stat_result

    def unchanged(self) -> bool:
        """Whether the file is as it was when it was opened."""
        return _same(os.fstat(self.handle.fileno()), self.about)

    def hash(self) -> str:
        """SHA-256 of its content."""
        self.handle.seek(0)
        return hashlib.file_digest(self.handle, "sha256").hexdigest()

    def remove(self) -> None:
        """Take it out of its folder; what was written to it until then is not lost.

        Raises:
            Untouchable: it is another file by now, was changed, or somebody has it open.
        """
        try:
            here = os.lstat(self.path)
        except FileNotFoundError:
            raise Untouchable("gone") from None
        if not _same(here, self.about) or not self.unchanged():
            raise Untouchable("changed")
        if opened_by_others(self.about):
            raise Untouchable("open")
        os.unlink(self.path)
        sync_folder(self.path.parent)
        if not self.unchanged():  # written to between the last look and the removal
            self._put_back()
            raise Untouchable("changed")

    def _put_back(self) -> None:
        partial = self.path.with_name(f".{self.path.name[:60]}.{uuid.uuid4().hex[:8]}.partial")
        self.handle.seek(0)
        with partial.open("xb") as out:
            shutil.copyfileobj(self.handle, out, BLOCK)
            out.flush()
            os.fsync(out.fileno())
        _dress(partial, self.about.st_mode, os.fstat(self.handle.fileno()).st_mtime_ns)
        place(partial, self.path)


def _same(a: os.stat_result, b: os.stat_result) -> bool:
    return (a.st_dev, a.st_ino, a.st_size, a.st_mtime_ns) == (b.st_dev, b.st_ino, b.st_size, b.st_mtime_ns)


@contextlib.contextmanager
def original(path: Path) -> Iterator[Original]:
    """Open a file that may be packed.

    Raises:
        Untouchable: a link, no regular file, one with several names, or gone.
    """
    try:
        if stat.S_ISLNK(os.lstat(path).st_mode):
            raise Untouchable("link")
        handle = os.open(path, _FLAGS)
    except FileNotFoundError:
        raise Untouchable("gone") from None
    with os.fdopen(handle, "rb", buffering=0) as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise Untouchable("no_file")
        if about.st_nlink > 1:
            raise Untouchable("hard_link")
        yield Original(path, file, about)


def opened_by_others(about: os.stat_result) -> bool:
    """Whether another process that we may look at has the file open (Linux; false elsewhere)."""
    if not sys.platform.startswith("linux"):
        return False
    own = str(os.getpid())
    for process in os.listdir("/proc"):
        if not process.isdigit() or process == own:
            continue
        folder = f"/proc/{process}/fd"
        with contextlib.suppress(OSError):
            for name in os.listdir(folder):
                with contextlib.suppress(OSError):
                    found = os.stat(f"{folder}/{name}")
                    if (found.st_dev, found.st_ino) == (about.st_dev, about.st_ino):
                        return True
    return False


def pack(source: Original, folder: Path) -> Packed:
    """Write the archive of a file: synced, read back and compared before it gets its name.

    Raises:
        Untouchable: the file changed while it was read.
        ArchiveError: what was written cannot be read back.
    """
    z = zstd()
    partial = folder / f".{uuid.uuid4().hex}.partial"
    options = {
        z.CompressionParameter.compression_level: LEVEL,
        z.CompressionParameter.checksum_flag: 1,
    }
    packer, digest, size = z.ZstdCompressor(options=options), hashlib.sha256(), 0
    try:
        source.handle.seek(0)
        with open(partial, "xb", opener=_private) as out:
            while block := source.handle.read(BLOCK):
                digest.update(block)
                size += len(block)
                out.write(packer.compress(block))
            out.write(packer.flush())
            out.flush()
            os.fsync(out.fileno())
        if not source.unchanged() or size != source.about.st_size:
            raise Untouchable("changed")
        made = Packed(digest.hexdigest(), size, _name(source.path, digest.hexdigest()), partial.stat().st_size)
        verify(partial, made.sha256, size)
        os.replace(partial, folder / made.file)
        sync_folder(folder)
        return made
    finally:
        partial.unlink(missing_ok=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _name(path: Path, sha256: str) -> str:
    cut = os.fsdecode(os.fsencode(path.name)[:NAME_BYTES]).encode("utf-8", "replace").decode()
    return f"{cut.lstrip('.') or 'file'}.{sha256[:16]}.zst"


def blocks(archive: Path, size: int) -> Iterator[bytes]:
    """What an archive holds, block by block; no more than ``size`` bytes, whatever it says of itself.

    Raises:
        ArchiveError: missing, damaged, or of another size.
    """
    left, unpacking, empty = size, zstd().ZstdDecompressor(options=limits()), False
    try:
        with archive.open("rb") as file:
            while not unpacking.eof:
                data = file.read(BLOCK) if unpacking.needs_input else b""
                if unpacking.needs_input and not data:
                    empty = True
                    break
                block = unpacking.decompress(data, min(BLOCK, left + 1))
                left -= len(block)
                if left < 0:
                    break
                if block:
                    yield block
            more = bool(unpacking.unused_data) or bool(file.read(1))
    except FileNotFoundError:
        raise ArchiveError(f"{archive}: the archive is missing") from None
    except zstd().ZstdError as error:
        raise ArchiveError(f"{archive}: the archive is damaged") from error
    if left or empty or more:
        raise ArchiveError(f"{archive}: the archive does not hold the {size} bytes that it should")


def verify(archive: Path, sha256: str, size: int) -> None:
    """Read an archive and compare what it holds.

    Raises:
        ArchiveError: it is not what it should be.
    """
    digest = hashlib.sha256()
    for block in blocks(archive, size):
        digest.update(block)
    if digest.hexdigest() != sha256:
        raise ArchiveError(f"{archive}: the archive holds something else than it should")


def unpack(archive: Path, target: Path, *, sha256: str, size: int, mode: int, mtime_ns: int) -> None:
    """Write what an archive holds to a path where nothing stands: whole, with its mode and time, or not at all.

    Raises:
        ArchiveError: the archive is not what it should be, or there is no room, or something stands there.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    if shutil.disk_usage(target.parent).free < size + BLOCK:
        raise ArchiveError(f"{target}: needs {size} bytes, and there is less room on the disk")
    partial = target.with_name(f".{target.name[:60]}.{uuid.uuid4().hex[:8]}.partial")
    digest = hashlib.sha256()
    try:
        with open(partial, "xb", opener=_private) as out:
            for block in blocks(archive, size):
                digest.update(block)
                out.write(block)
            out.flush()
            os.fsync(out.fileno())
        if digest.hexdigest() != sha256:
            raise ArchiveError(f"{archive}: the archive holds something else than it should")
        _dress(partial, mode, mtime_ns)
        place(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def _dress(path: Path, mode: int, mtime_ns: int) -> None:
    os.chmod(path, stat.S_IMODE(mode))
    os.utime(path, ns=(mtime_ns, mtime_ns))


def place(partial: Path, target: Path) -> None:
    """Give a finished file its name, if that is free.

    Raises:
        ArchiveError: something stands there.
    """
    try:
        os.link(partial, target)  # unlike a rename, never in place of another file
    except FileExistsError:
        raise ArchiveError(f"{target}: something stands there; it was left alone") from None
    except OSError:  # a file system without links
        if target.exists():
            raise ArchiveError(f"{target}: something stands there; it was left alone") from None
        os.rename(partial, target)
    partial.unlink(missing_ok=True)
    sync_folder(target.parent)
