"""From a name such as ``openai:text-embedding-3-small@512`` to an embedder.

One table, :data:`PROVIDERS`, holds all that is known. The built-in rows name a function as third parties do
by an entry point of the group ``mnemic.embedders``, and nothing of a provider is imported before it is asked
for::

    [project.entry-points."mnemic.embedders"]
    acme = "acme_mnemic:create"        # def create(model: str, dimension: int | None, env) -> Embedder
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from .. import plugins
from ..errors import InvalidInput
from .base import Embedder

#: Makes an embedder from the model's name ("" when none was given), the dimension asked for by ``@`` and the
#: environment. It loads nothing and asks nobody; it raises MissingExtra when its package is not installed.
Factory: TypeAlias = Callable[[str, int | None, Mapping[str, str]], Embedder]

#: Entry-point group of third parties. A name that is in the table already does not replace it.
ENTRY_POINTS = "mnemic.embedders"

#: Provider to ``module:function`` (imported on demand) or the function itself.
PROVIDERS: dict[str, str | Factory] = {
    "local": "mnemic.embed.local:create_use_m3",
    "hash": "mnemic.embed.hashed:create",
    "openai": "mnemic.embed.openai:create_openai",
    "ollama": "mnemic.embed.openai:create_ollama",
    "lmstudio": "mnemic.embed.openai:create_lmstudio",
    "model2vec": "mnemic.embed.local:create_model2vec",
    "sentence-transformers": "mnemic.embed.local:create_sentence_transformers",
    "fastembed": "mnemic.embed.local:create_fastembed",
}

_SPEC = re.compile(r"(?P<provider>[^:@]+)(?::(?P<model>.*?))?(?:@(?P<dimension>\d+))?", re.DOTALL)


def known() -> list[str]:
    """Names of all providers, built in and installed, in alphabetical order."""
    return plugins.known(PROVIDERS, ENTRY_POINTS)


def resolve(name: str | Embedder | None, *, env: Mapping[str, str] | None = None) -> Embedder | None:
    """Return the embedder of a name; nothing is loaded and nobody asked until it is used.

    Args:
        name: ``auto`` (``local`` when its extra is installed, else none), ``none`` or ``None`` (no vectors),
            ``provider``, ``provider:model``, ``provider:model@dimension``, or an embedder, which is returned
            as it is.
        env: where keys and addresses are looked up; the process's environment when not given.

    Raises:
        InvalidInput: the name or a setting cannot be used; an unknown provider is answered with the known
            ones.
        MissingExtra: the provider's package is not installed; the message is the line that installs it.
    """
    if name is None:
        return None
    if not isinstance(name, str):
        if not callable(getattr(type(name), "embed", None)):
            raise InvalidInput("embedder", f"a {type(name).__name__} has no embed method", "give a name or an Embedder")
        return name
    spec = name.strip()
    if spec.lower() in ("", "none"):
        return None
    environment = os.environ if env is None else env
    if spec.lower() == "auto":
        from . import local

        return local.create_use_m3("", None, environment) if local.installed() else None
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise InvalidInput("embedder", f"cannot read {spec!r}", "write provider:model or provider:model@dimension")
    dimension = int(match["dimension"]) if match["dimension"] else None
    if dimension is not None and not 1 <= dimension <= 65_536:
        raise InvalidInput("embedder", f"dimension {dimension} is out of range", "1 to 65536")
    return _factory(match["provider"].strip().lower())((match["model"] or "").strip(), dimension, environment)


def _factory(provider: str) -> Factory:
    return cast(Factory, plugins.factory("embedder", PROVIDERS, ENTRY_POINTS, provider, also="auto, none"))
