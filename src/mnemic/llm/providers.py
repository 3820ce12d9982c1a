"""From a name such as ``ollama:llama3.2`` to a language model.

One table, :data:`PROVIDERS`, as in :mod:`mnemic.embed.providers`. Third parties add to it by an entry point of the group
``mnemic.llms``, and nothing of a provider is imported before it is asked for::

    [project.entry-points."mnemic.llms"]
    acme = "acme_mnemic:create"        # def create(model: str, env) -> LLM
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from .. import plugins
from ..errors import InvalidInput
from .base import LLM

#: Makes a model from its name ("" when none was given) and the environment. It asks nobody.
Factory: TypeAlias = Callable[[str, Mapping[str, str]], LLM]

#: Entry-point group of third parties. A name that is in the table already does not replace it.
ENTRY_POINTS = "mnemic.llms"

#: Provider to ``module:function`` (imported on demand) or the function itself.
PROVIDERS: dict[str, str | Factory] = {
    "openai": "mnemic.llm.openai:create_openai",
    "openai-compatible": "mnemic.llm.openai:create_compatible",
    "ollama": "mnemic.llm.openai:create_ollama",
    "lmstudio": "mnemic.llm.openai:create_lmstudio",
}


def known() -> list[str]:
    """Names of all providers, built in and installed, in alphabetical order."""
    return plugins.known(PROVIDERS, ENTRY_POINTS)


def resolve(llm: str | LLM | None, *, env: Mapping[str, str] | None = None) -> LLM | None:
    """Return the model of a name; nobody is asked until it is used.

    Args:
        llm: ``none`` or ``None`` (no model), ``provider:model``, or a model, which is returned as it is.
        env: where keys and addresses are looked up; the process's environment when not given.

    Raises:
        InvalidInput: the name or a setting cannot be used; an unknown provider is answered with the known ones.
        MissingExtra: the provider's package is not installed; the message is the line that installs it.
    """
    if llm is None:
        return None
    if not isinstance(llm, str):
        if not callable(getattr(llm, "complete", None)) or not isinstance(getattr(llm, "name", None), str):
            problem = f"a {type(llm).__name__} has no complete() method and name"
            raise InvalidInput("llm", problem, "give a name such as ollama:llama3.2, or an LLM")
        return llm
    spec = llm.strip()
    if spec.lower() in ("", "none"):
        return None
    provider, _, model = spec.partition(":")
    return _factory(provider.strip().lower())(model.strip(), os.environ if env is None else env)


def _factory(provider: str) -> Factory:
    return cast(Factory, plugins.factory("llm", PROVIDERS, ENTRY_POINTS, provider, also="none"))
