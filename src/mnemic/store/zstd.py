"""Zstandard: of the standard library from Python 3.14 on, else of the package ``backports.zstd`` (extra ``archive``)."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from ..errors import MissingExtra

#: Largest window that is accepted when unpacking, as a power of two: 128 MB of memory, whatever a frame asks for.
WINDOW_LOG = 27


@cache
def zstd() -> Any:
    """The module.

    Raises:
        MissingExtra: there is none.
    """
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(name)
        except ImportError:
            continue
    raise MissingExtra("the archive", "archive")


@cache
def limits() -> dict[Any, int]:
    """Options of unpacking: bounded memory."""
    return {zstd().DecompressionParameter.window_log_max: WINDOW_LOG}
