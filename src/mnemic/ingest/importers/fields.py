"""Fields whose type is never to be trusted: text, ids, times, lists, mappings. Nothing here raises."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mnemic.errors import InvalidInput

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LATEST = 7_258_118_400_000_000  # the year 2200: what lies beyond is no message time
#: Numbers are seconds, milliseconds, microseconds or nanoseconds: the first scale whose bound holds them.
_SCALES = ((1e11, 1_000_000.0), (1e14, 1_000.0), (1e17, 1.0), (1e20, 0.001))


def clean(text: str) -> str:
    """Return ``text`` with lone surrogates as U+FFFD (pairs that were escaped apart are joined)."""
    if text.isascii():
        return text
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def mapping(value: object) -> Mapping[str, Any]:
    """Return ``value`` if it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def listing(value: object) -> list[Any]:
    """Return ``value`` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def name_of(value: object) -> str | None:
    """Return an id or a name as text: a string that is not blank, or an integer; else ``None``."""
    if isinstance(value, str):
        return clean(value) if value.strip() else None
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63:
        return str(value)
    return None


def first(row: Mapping[str, Any], *keys: str) -> str | None:
    """Return the first of ``keys`` that holds an id or a name."""
    if row:
        for key in keys:
            value = row.get(key)
            if value is not None and (found := name_of(value)) is not None:
                return found
    return None


def facts(**pairs: object) -> dict[str, Any]:
    """Return the attributes worth keeping: those with a value, as text or plain scalars."""
    return {
        key: clean(value) if isinstance(value, str) else value
        for key, value in pairs.items()
        if value is not None and value not in ("", False)
    }


def zone_of(name: str) -> tzinfo:
    """Return the zone called ``name``; raises :class:`InvalidInput` for an unknown one."""
    if name.upper() == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput("zone", f"unknown time zone {name!r}", "an IANA name such as Europe/Berlin") from None


def micros(value: object, zone: tzinfo = UTC) -> int | None:
    """Return microseconds since 1970 UTC of ISO text, or of a number (s, ms, µs, ns), also as text."""
    if isinstance(value, str):
        text = value.strip()
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            pass
        else:
            if not text.isdigit():
                return _of_datetime(moment, zone)
        try:
            value = float(text)
        except ValueError:
            return None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _of_number(value)
    return None


def _of_number(value: float) -> int | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    if not math.isfinite(number) or number <= 0:
        return None
    for bound, scale in _SCALES:
        if number < bound:
            at = round(number * scale)
            return at if at < _LATEST else None
    return None


def _of_datetime(moment: datetime, zone: tzinfo) -> int | None:
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone)
    try:
        at = (moment - _EPOCH) // _MICROSECOND
    except (OverflowError, ValueError):
        return None
    return at if 0 < at < _LATEST else None


def short_hash(*parts: str) -> str:
    """Return twelve hex digits that stand for ``parts`` in a key."""
    data = "\x1f".join(parts).encode("utf-8", "replace")
    return hashlib.blake2b(data, digest_size=6).hexdigest()


def compact(value: object) -> str:
    """Return ``value`` as text: a string as it is, anything else as JSON on one line."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):
        return ""


def joined(content: object, *, types: frozenset[str] = frozenset({"text", "input_text", "output_text"})) -> str:
    """Return the text of ``content``: a string, or a list of strings and ``{type, text}`` blocks."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    texts: list[str] = []
    for block in listing(content):
        if isinstance(block, str):
            texts.append(block)
        elif isinstance(block, dict) and isinstance(block.get("text"), str) and str(block.get("type", "text")) in types:
            texts.append(block["text"])
    return "\n\n".join(text for text in texts if text.strip())
