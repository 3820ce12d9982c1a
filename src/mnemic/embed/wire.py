"""The edges of an OpenAI-compatible embeddings server: its answers, errors and address, and our key."""

from __future__ import annotations

import base64
import ipaddress
import json
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit, urlunsplit

import numpy as np

from mnemic.errors import EmbeddingError, InvalidInput

__all__ = ["address", "error_word", "from_host", "headers", "is_loopback", "retry_after", "rows"]


def rows(content: bytes, n: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The vectors of an answer in the order of the texts (by ``index``; as they came where there is none)."""
    try:
        data = json.loads(content)["data"]
        pairs = [(item.get("index", place), _numbers(item["embedding"])) for place, item in enumerate(data)]
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise EmbeddingError("the server's answer cannot be read", retryable=True) from None
    if len(pairs) != n:
        raise EmbeddingError(f"the server answered {len(pairs)} vectors for {n} texts")
    if sorted(index for index, _ in pairs if isinstance(index, int)) != list(range(n)):
        raise EmbeddingError("the server's vectors are not numbered one for each text")
    ordered = [vector for _, vector in sorted(pairs, key=lambda pair: pair[0])]
    if len({len(vector) for vector in ordered}) > 1:
        raise EmbeddingError("the server answered vectors of different lengths")
    return np.stack(ordered)


def _numbers(embedding: object) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """One vector, given as numbers or as base64 of little-endian float32."""
    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4").astype(np.float64)
    if not isinstance(embedding, list) or not embedding:
        raise TypeError
    vector = np.array(embedding, dtype=np.float64)
    if vector.ndim != 1:
        raise TypeError
    return vector


def error_word(content: bytes) -> str:
    """The word for an error in an error answer; never its prose, which may quote the text or the key."""
    try:
        error = json.loads(content)["error"]
        word = error.get("code") or error.get("type")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ""
    return word if isinstance(word, str) and re.fullmatch(r"[a-z][a-z_]{2,39}", word) else ""


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


def address(url: str) -> str:
    """A usable base address without a closing slash; no name or password may be in it, for it is shown."""
    try:
        parts = urlsplit(url.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable:
        raise InvalidInput("base_url", "is not an http(s) address", "such as http://127.0.0.1:11434/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InvalidInput("base_url", "holds more than an address", "give the key as MNEMIC_EMBED_API_KEY")
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))


def headers(api_key: str | None) -> dict[str, str]:
    key = (api_key or "").strip()
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise InvalidInput("api_key", "holds characters that no key has", "check for a broken copy")
    return {"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})


def is_loopback(url: str) -> bool:
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
