"""The door by which embedders and language models enter: a table of our own, then entry points of third parties."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from .errors import InvalidInput, MnemicError


def entry_points(**selected: str) -> Any:
    """Those that are installed; what reads them takes 40 ms to load, and the built-in providers do without."""
    from importlib import metadata

    return metadata.entry_points(**selected)


def extra(name: str, *, needed: bool = False) -> bool:
    """Whether a room of :mod:`mnemic.extras` is there.

    Raises:
        InvalidInput: it is ``needed`` and is not.
    """
    try:
        there = find_spec(f"{__package__}.extras.{name}") is not None
    except ModuleNotFoundError:
        there = False
    if needed and not there:
        raise InvalidInput(name, "is not part of this installation", f"put back the folder mnemic/extras/{name}")
    return there


def known(table: Mapping[str, Any], group: str) -> list[str]:
    """Names of all providers, built in and installed, in alphabetical order."""
    return sorted({*table, *(point.name for point in entry_points(group=group))})


def factory(field: str, table: Mapping[str, Any], group: str, provider: str, *, also: str) -> Any:
    """What makes things of a provider; nothing of it is imported before it is asked for.

    Args:
        field: the argument that named it, for the error. table: provider → ``module:function`` or the function itself.
        group: entry points of third parties; a name of the table is not replaced by one. also: further names that the
            caller knows, for the error.

    Raises:
        InvalidInput: no such provider, or its package cannot be loaded. MissingExtra: what it needs is not installed.
    """
    found = table.get(provider)
    try:
        if callable(found):
            return found
        if found is not None:
            module, _, function = found.partition(":")
            return getattr(importlib.import_module(module), function)
        for point in entry_points(group=group, name=provider):
            return point.load()
    except MnemicError:
        raise
    except Exception as error:
        problem = f"the provider {provider!r} cannot be loaded: {type(error).__name__}: {error}"
        raise InvalidInput(field, problem, "mend or remove its package") from error
    raise InvalidInput(field, f"unknown provider {provider!r}", f"known: {also}, " + ", ".join(known(table, group)))
