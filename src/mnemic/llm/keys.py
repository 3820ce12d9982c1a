"""Where a key comes from: the environment, then the system's keyring, else there is none."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

__all__ = ["SERVICE", "find"]

#: Under which service the keyring holds keys; the user's name there is the variable's: ``keyring set mnemic NAME``.
SERVICE = "mnemic"


def find(env: Mapping[str, str], *names: str) -> str | None:
    """The first key found under these names, in the environment first. A keyring that cannot be asked is none."""
    for name in names:
        if value := env.get(name, "").strip():
            return value
    try:
        keyring = importlib.import_module("keyring")
    except Exception:  # not installed, or broken where it is: neither is a reason to stop
        return None
    for name in names:
        try:
            value = keyring.get_password(SERVICE, name)
        except Exception:  # locked, headless, no backend: a service of its own, with errors of its own
            return None
        if isinstance(value, str) and value.strip():
            return value.strip()
    return None
