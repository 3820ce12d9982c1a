"""Where things are on this machine: the default file, and the transcripts that other programs left."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from mnemic.errors import InvalidInput

#: Program → (environment variable that moves its folder, folder in the home, what to read below it).
TRANSCRIPTS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("Claude Code", "CLAUDE_CONFIG_DIR", ".claude", ("projects",)),
    ("Codex", "CODEX_HOME", ".codex", ("sessions", "archived_sessions")),
    ("Gemini CLI", "GEMINI_DIR", ".gemini", ("tmp",)),
)


def home() -> Path:
    """The home folder.

    Raises:
        InvalidInput: this user has none.
    """
    try:
        return Path.home()
    except RuntimeError as error:
        raise InvalidInput("db", "this user has no home folder", "name the file: --db PATH") from error


def default_db() -> Path:
    """``$MNEMIC_DB``, or ``memory.db`` in the folder ``.mnemic`` of the home."""
    named = os.environ.get("MNEMIC_DB", "")
    return Path(named).expanduser() if named else home() / ".mnemic" / "memory.db"


def jobs(system: str = sys.platform, environ: Mapping[str, str] | None = None) -> Path:
    """The folder in which this user's scheduled jobs stand."""
    environ = os.environ if environ is None else environ
    if system == "win32":
        return Path(environ.get("LOCALAPPDATA") or home() / "AppData" / "Local") / "mnemic"
    if system == "darwin":
        return home() / "Library" / "LaunchAgents"
    return Path(environ.get("XDG_CONFIG_HOME") or home() / ".config") / "systemd" / "user"


def own_transcripts() -> list[tuple[str, Path]]:
    """Folders of transcripts that exist here and hold at least one file: (program, folder)."""
    found: list[tuple[str, Path]] = []
    for program, variable, folder, parts in TRANSCRIPTS:
        base = Path(os.environ[variable]).expanduser() if os.environ.get(variable) else home() / folder
        for part in parts:
            path = base / part
            if _has_files(path):
                found.append((program, path))
    return found


def _has_files(folder: Path) -> bool:
    return any(name.endswith((".jsonl", ".json")) for _, _, names in os.walk(folder) for name in names)


def samples() -> Path:
    """The sample transcripts that come with the package."""
    return Path(str(files("mnemic.interfaces") / "samples"))
