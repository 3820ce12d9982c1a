"""How mnemic speaks to an OpenAI-compatible server: address, key, one request, its errors, how long to wait.

Shared by :mod:`mnemic.embed` and :mod:`mnemic.llm`. httpx (extra ``openai``) is imported when the first request is
sent. Nothing here puts a key, a text or a server's own prose into a message: prose may quote either.
"""

from __future__ import annotations

import ipaddress
import json
import re
import threading
import time
import weakref
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from .errors import InvalidInput

if TYPE_CHECKING:
    import httpx


OPENAI_URL = "https://api.openai.com/v1"
OLLAMA_URL = "http://127.0.0.1:11434/v1"
LMSTUDIO_URL = "http://127.0.0.1:1234/v1"

_WORD = re.compile(r"[a-z][a-z_]{2,39}")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered: HTTP status, body, and the seconds of ``Retry-After`` where it can be read."""

    status: int
    content: bytes
    wait: float | None = None

    @property
    def problem(self) -> str:
        """The status and the server's word for the error, for a message."""
        word = error_word(self.content)
        return f"HTTP {self.status}" + (f" {word}" if word else "")


class NoAnswer(Exception):
    """No usable answer came. ``timed_out``: for lack of time. ``again``: the same request may succeed later."""

    def __init__(self, problem: str, *, timed_out: bool = False, again: bool = True) -> None:
        self.timed_out = timed_out
        self.again = again
        super().__init__(problem)


class Client:
    """Posts JSON to one address. Connections are opened by the first request and shared between threads.

    Args:
        url: the whole address. headers: see :func:`headers`. largest: bytes of an answer that are read at most.
    """

    def __init__(self, url: str, headers: dict[str, str], *, largest: int) -> None:
        self.url = url
        self._headers = headers
        self._largest = largest
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None

    def post(self, body: bytes, timeout: float) -> Reply:
        """Send once.

        Raises:
            NoAnswer: no connection, too slow (twice ``timeout`` seconds in all), too large.
        """
        import httpx

        content = bytearray()
        limits = httpx.Timeout(timeout, connect=min(10.0, timeout))
        deadline = time.monotonic() + 2 * timeout  # httpx's own limit starts anew with every byte
        try:
            with self._open().stream("POST", self.url, content=body, headers=self._headers, timeout=limits) as response:
                for piece in response.iter_bytes():
                    content += piece
                    if len(content) > self._largest:
                        raise NoAnswer("the answer is too large", again=False)
                    if time.monotonic() > deadline:
                        raise NoAnswer("the answer comes too slowly", timed_out=True)
        except (httpx.TransportError, httpx.DecodingError, OSError) as error:
            # Not chained: the request in it carries the key, its message may carry the address.
            slow = isinstance(error, httpx.TimeoutException)
            raise NoAnswer(f"no answer ({type(error).__name__})", timed_out=slow) from None
        return Reply(response.status_code, bytes(content), retry_after(response.headers.get("retry-after")))

    def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _open(self) -> httpx.Client:
        import httpx

        with self._lock:
            if self._client is None:
                # A proxy has no way to this machine.
                self._client = httpx.Client(trust_env=not is_loopback(self.url))
                weakref.finalize(self, self._client.close)
            return self._client


def pause(tried: int, chance: float) -> float:
    """Seconds to wait after so many tries. Half of it is chance (0…1), so that many clients do not come at once."""
    return float(0.5 * 2**tried * (0.5 + 0.5 * chance))


def error_words(content: bytes) -> dict[str, str]:
    """The words of an error answer by field (code, type, param); never its prose, which may quote text or key."""
    try:
        error = json.loads(content)["error"]
        found = {field: error.get(field) for field in ("code", "type", "param")}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}
    return {field: word for field, word in found.items() if isinstance(word, str) and _WORD.fullmatch(word)}


def error_word(content: bytes) -> str:
    """The word for an error in an error answer; "" when it has none."""
    words = error_words(content)
    return words.get("code") or words.get("type") or ""


def retry_after(value: str | None) -> float | None:
    """Seconds to wait by a ``Retry-After`` header (seconds or a date); ``None`` when it cannot be read."""
    if value is None:
        return None
    if re.fullmatch(r"\d{1,9}(\.\d{1,6})?", value.strip()):
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


def address(url: str, *, key_name: str) -> str:
    """A usable base address without a closing slash; no name or password may be in it, for it is shown.

    Raises:
        InvalidInput: it is none, or holds more; ``key_name`` is the variable where a key belongs instead.
    """
    try:
        parts = urlsplit(url.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable:
        raise InvalidInput("base_url", "is not an http(s) address", "such as http://127.0.0.1:11434/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InvalidInput("base_url", "holds more than an address", f"give the key as {key_name}")
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))


def headers(api_key: str | None) -> dict[str, str]:
    """Headers of a request, with the key where there is one.

    Raises:
        InvalidInput: the key holds characters that no key has.
    """
    key = (api_key or "").strip()
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise InvalidInput("api_key", "holds characters that no key has", "check for a broken copy")
    return {"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})


def is_loopback(url: str) -> bool:
    """Whether an address is on this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def from_host(host: str, default: str) -> str:
    """The address in a ``HOST`` variable. ``0.0.0.0`` is everywhere to a server, this machine to a client."""
    host = host.strip().rstrip("/")
    if not host:
        return default
    if "://" not in host:
        host = f"http://{host}" + ("" if re.search(r":\d+$", host) else f":{urlsplit(default).port}")
    host = host.replace("://0.0.0.0", "://127.0.0.1")
    return host if host.endswith("/v1") else host + "/v1"
