"""What a language model is to mnemic: messages and a JSON schema in, text out, or one of the ``LLMError`` kinds."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, cast

from .. import plugins
from ..errors import InvalidInput, LLMError, LLMMalformed, LLMRateLimited, LLMServerError, LLMTimeout

#: ``{"role": "system" | "user" | "assistant", "content": text}``
Message: TypeAlias = Mapping[str, str]
#: JSON schema of the answer; its ``title`` names it. Flat, every property required, so that any server can keep to it.
Schema: TypeAlias = Mapping[str, Any]
#: Why the answer ends: of itself, cut at the longest length, or withheld by a content filter.
Finish = Literal["stop", "length", "refused"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered, as it came, and what it cost. Tokens are 0 where the server does not count them."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    finish: Finish = "stop"


class LLM(Protocol):
    """Asks a model once. Retries, budget and the reading of answers are :class:`mnemic.llm.Asker`'s."""

    name: str
    """``provider:model``; recorded on every row that an answer made."""

    def complete(self, messages: Sequence[Message], schema: Schema | None = None) -> Answer:
        """Answer the last message.

        Args:
            messages: the conversation, system first. schema: what the answer should look like; a model that cannot be
                held to it answers as well as it can, the caller reads tolerantly. ``None``: free text.

        Raises:
            LLMError: or one of its kinds; the message holds neither question, answer nor key.
        """
        ...


def said(answer: object) -> Answer:
    """The answer of a model that is not ours: text, or an object instead of its JSON, counts as well.

    Raises:
        LLMMalformed: it is neither.
    """
    if isinstance(answer, Answer):
        return answer
    if isinstance(answer, str):
        return Answer(answer)
    if isinstance(answer, Mapping | list):
        try:
            return Answer(json.dumps(answer, ensure_ascii=False))
        except (TypeError, ValueError, RecursionError):
            pass
    raise LLMMalformed(f"the model answered a {type(answer).__name__}")


#: Words in the names of other packages' errors → ours. The first that fits; each with such a name.
_FOREIGN: tuple[tuple[str, type[LLMError], str], ...] = (
    ("timeout", LLMTimeout, "APITimeoutError"),
    ("ratelimit", LLMRateLimited, "RateLimitError"),
    ("toomanyrequests", LLMRateLimited, "TooManyRequests"),
    ("authentication", LLMError, "AuthenticationError"),
    ("permission", LLMError, "PermissionDeniedError"),
    ("notfound", LLMError, "NotFoundError"),
    ("badrequest", LLMMalformed, "BadRequestError"),
    ("validation", LLMMalformed, "ValidationError"),
    ("connect", LLMServerError, "APIConnectionError"),
)


def foreign(error: Exception) -> LLMError:
    """Our error for one that somebody else's model raised. Its text is left out: it may quote anything."""
    if isinstance(error, LLMError):
        return error
    word = type(error).__name__
    folded = word.lower().replace("_", "")
    for part, ours, _ in _FOREIGN:
        if part in folded:
            return ours(f"the model raised {word}")
    return LLMServerError(f"the model raised {word}")


# From a name such as ``ollama:llama3.2`` to a language model.
# Third parties add one by an entry point: [project.entry-points."mnemic.llms"] acme = "acme_mnemic:create".

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
