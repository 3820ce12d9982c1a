"""``openai:…``, ``ollama:…``, ``lmstudio:…``: any OpenAI-compatible ``/v1/chat/completions`` (extra ``openai``).

One call is one request, tried once; :class:`mnemic.llm.Asker` tries again. The exception is 400 or 422, which may only
mean that the server does not know a parameter: it is then asked in a plainer form, and the form it takes is remembered.

    json_schema → json_object, the schema in words → no form, the schema in words → without temperature and length

Keys come from the environment or the keyring, go to the address they belong to, and are in no message and no log;
neither is a text, an answer, or what the server says in an error.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import wire
from ..errors import (
    InvalidInput,
    LLMError,
    LLMMalformed,
    LLMRateLimited,
    LLMRefused,
    LLMServerError,
    LLMTimeout,
    MissingExtra,
)
from .asking import as_words
from .base import Answer, Finish, Message, Schema

#: Under which service the keyring holds keys; the user's name there is the variable's: ``keyring set mnemic NAME``.
KEYRING = "mnemic"


def find_key(env: Mapping[str, str], *names: str) -> str | None:
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
            value = keyring.get_password(KEYRING, name)
        except Exception:  # locked, headless, no backend: a service of its own, with errors of its own
            return None
        if isinstance(value, str) and value.strip():
            return value.strip()
    return None


_LARGEST_ANSWER = 8 * 1024 * 1024  # bytes

_KEY = "MNEMIC_LLM_API_KEY"
_HINTS = {
    401: f"the key was refused; check {_KEY} or OPENAI_API_KEY",
    403: "the key does not allow it",
    404: "no such model or address",
}

#: How a server is asked, from the strictest form to the plainest; a refused one is followed by the next.
FORMS = ("json_schema", "json_object", "plain", "bare")
#: Words of errors by which a server declines a text, with who says so.
REFUSING: Mapping[str, str] = {
    "content_filter": "Azure OpenAI",
    "content_policy_violation": "OpenAI",
    "invalid_prompt": "OpenAI, reasoning models",
    "moderation_blocked": "OpenAI, images and others",
}
#: Words of errors by which a server calls a question too long: no plainer form helps, a shorter page does.
TOO_LONG: Mapping[str, str] = {
    "context_length_exceeded": "OpenAI",
    "exceed_context_size_error": "llama.cpp",
    "string_above_max_length": "OpenAI",
    "request_too_large": "Anthropic's compatible endpoint",
}
_FINISH: Mapping[str, Finish] = {"length": "length", "content_filter": "refused"}


class OpenAILLM:
    """A model behind ``POST {base_url}/chat/completions``. Nothing is sent before the first question.

    Args:
        model: as the server calls it.
        provider: first part of :attr:`name`.
        base_url: address up to and including ``/v1``. Without a user or password in it.
        api_key: sent as a bearer token; ``None`` sends none. A function is called at the first question.
        timeout: seconds to wait for an answer.
        max_tokens: longest answer.
        timer: seconds of a monotonic clock; for tests.

    Raises:
        InvalidInput: the model, address or key cannot be used.
        MissingExtra: httpx is not installed.
    """

    def __init__(
        self,
        model: str,
        *,
        provider: str = "openai",
        base_url: str = wire.OPENAI_URL,
        api_key: str | Callable[[], str | None] | None = None,
        timeout: float = 120.0,
        max_tokens: int = 4_096,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        if importlib.util.find_spec("httpx") is None:
            raise MissingExtra(f"the model '{provider}:{model}'", "openai")
        if not model:
            raise InvalidInput("llm", f"{provider} needs a model", f"write {provider}:MODEL")
        if timeout <= 0 or max_tokens < 1:
            raise InvalidInput("llm", "timeout and max_tokens must be above 0")
        self.model = model
        self.name = f"{provider}:{model}"
        self._url = wire.address(base_url, key_name=_KEY) + "/chat/completions"
        self._key = api_key
        if not callable(api_key):
            wire.headers(api_key)
        self._timeout = timeout
        self._max_tokens = max_tokens
        self._timer = timer
        self._form = 0
        self._lock = threading.Lock()
        self._client: wire.Client | None = None

    def __repr__(self) -> str:
        return f"OpenAILLM({self.name!r}, {self._url!r})"

    def complete(self, messages: Sequence[Message], schema: Schema | None = None) -> Answer:
        """See :class:`mnemic.llm.LLM`."""
        began = self._timer()
        for form in range(self._form, len(FORMS)):
            reply = self._post(self._body(messages, schema, FORMS[form]))
            if reply.status == 200:
                self._form = form
                return self._read(reply.content, began)
            words = set(wire.error_words(reply.content).values())
            if words & REFUSING.keys() or reply.status == 451:
                raise LLMRefused(f"{self.name}: {reply.problem}")
            if reply.status not in (400, 422) or words & TOO_LONG.keys():
                break
        raise self._error(reply.status, reply.problem, reply.content, reply.wait)

    def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        with self._lock:
            if self._client is not None:
                self._client.close()

    def _body(self, messages: Sequence[Message], schema: Schema | None, form: str) -> bytes:
        asked = [dict(message) for message in messages]
        body: dict[str, Any] = {"model": self.model, "messages": asked}
        if form != "bare":  # some reasoning models know neither
            body |= {"temperature": 0, "max_tokens": self._max_tokens}
        if schema is not None and form == "json_schema":
            named = {"name": str(schema.get("title", "answer")), "strict": True, "schema": dict(schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif schema is not None:
            if form == "json_object":
                body["response_format"] = {"type": "json_object"}
            words = f"\n\nAnswer with one JSON object of this schema, and nothing else:\n{as_words(schema)}"
            asked[0] = {**asked[0], "content": asked[0]["content"] + words}
        # ASCII on the wire: a lone surrogate in a text is escaped and no fault of the encoding.
        return json.dumps(body).encode("ascii")

    def _post(self, body: bytes) -> wire.Reply:
        try:
            return self._open().post(body, self._timeout)
        except wire.NoAnswer as error:
            if not error.again:
                raise LLMMalformed(f"{self.name}: {error}", again=False) from None
            raise (LLMTimeout if error.timed_out else LLMServerError)(f"{self.name}: {error}") from None

    def _open(self) -> wire.Client:
        with self._lock:
            if self._client is None:
                key = self._key() if callable(self._key) else self._key
                self._client = wire.Client(self._url, wire.headers(key), largest=_LARGEST_ANSWER)
            return self._client

    def _read(self, content: bytes, began: float) -> Answer:
        try:
            data = json.loads(content)
            if data.get("error"):  # some routers answer 200 with an error of another server
                code = data["error"].get("code") if isinstance(data["error"], dict) else None
                status = code if isinstance(code, int) else 502
                raise self._error(status, f"HTTP 200 with error {status}", content, None)
            choice = data["choices"][0]
            message = choice["message"]
            text = _text(message.get("content"))
            usage = data.get("usage") or {}
            counts = [_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
            reason = choice.get("finish_reason")
            finish = _FINISH.get(reason, "stop") if isinstance(reason, str) else "stop"
            if message.get("refusal"):
                finish = "refused"
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
            raise LLMMalformed(f"{self.name}: the server's answer cannot be read") from None
        return Answer(text, counts[0], counts[1], self._timer() - began, finish)

    def _error(self, status: int, problem: str, content: bytes, wait: float | None) -> LLMError:
        """The error of a status. What no plainer form has mended is the question's fault."""
        message = f"{self.name}: {problem}"
        if status in (408, 504):
            return LLMTimeout(message, retry_after=wait)
        if status == 429:
            if "insufficient_quota" in wire.error_words(content).values():
                return LLMError(message)
            return LLMRateLimited(message, retry_after=wait)
        if status == 425 or status >= 500:
            return LLMServerError(message, retry_after=wait)
        if status in (400, 413, 422):
            return LLMMalformed(message, again=False)
        hint = _HINTS.get(status)
        return LLMError(message + (f" ({hint})" if hint else ""))


def _text(content: object) -> str:
    """The text of a message, given whole or in parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


# --------------------------------------------------------------------------------------------------
# providers
# --------------------------------------------------------------------------------------------------


def create_openai(model: str, env: Mapping[str, str]) -> OpenAILLM:
    """``openai:gpt-4o-mini``. ``OPENAI_API_KEY`` goes to ``OPENAI_BASE_URL`` or OpenAI; environment, then keyring."""
    url = env.get("OPENAI_BASE_URL") or wire.OPENAI_URL
    return OpenAILLM(model, base_url=url, api_key=lambda: find_key(env, "OPENAI_API_KEY"))


def create_compatible(model: str, env: Mapping[str, str]) -> OpenAILLM:
    """``openai-compatible:MODEL``: the server at ``MNEMIC_LLM_BASE_URL``, with ``MNEMIC_LLM_API_KEY`` where it wants
    one.

    Raises:
        InvalidInput: the address is not set.
    """
    url = env.get("MNEMIC_LLM_BASE_URL", "")
    if not url.strip():
        raise InvalidInput("llm", "openai-compatible needs an address", "set MNEMIC_LLM_BASE_URL, up to /v1")
    return OpenAILLM(model, provider="openai-compatible", base_url=url, api_key=lambda: find_key(env, _KEY))


def create_ollama(model: str, env: Mapping[str, str]) -> OpenAILLM:
    """``ollama:llama3.2`` on this machine, or where ``OLLAMA_HOST`` (host, host:port, URL) says."""
    return _here("ollama", model, wire.from_host(env.get("OLLAMA_HOST", ""), wire.OLLAMA_URL), env)


def create_lmstudio(model: str, env: Mapping[str, str]) -> OpenAILLM:
    """``lmstudio:MODEL`` on this machine, or where ``LMSTUDIO_HOST`` says."""
    return _here("lmstudio", model, wire.from_host(env.get("LMSTUDIO_HOST", ""), wire.LMSTUDIO_URL), env)


def _here(provider: str, model: str, url: str, env: Mapping[str, str]) -> OpenAILLM:
    # A model on one's own machine may be slow and is loaded first. It rarely wants a key: no keyring is opened for it.
    return OpenAILLM(model, provider=provider, base_url=url, api_key=env.get(_KEY), timeout=600.0)
