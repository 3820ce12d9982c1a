"""Telegram Desktop export: ``result.json`` of one chat, or of the whole account."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import tzinfo
from pathlib import Path
from typing import Any, BinaryIO

from .base import ReadOptions, Record, Skip
from .fields import facts, first, listing, mapping, micros, name_of, short_hash, zone_of
from .jsonstream import BrokenValue, JsonStream
from .records import Item, finish

#: Where chats stand in the account form; each is a list, or an object that holds one under ``list``.
CHAT_LISTS = frozenset({"chats", "left_chats"})
#: Facts of a chat that go before its messages.
_CHAT_FACTS = frozenset({"name", "type", "id"})
_MESSAGE = re.compile(rb'"(?:date_unixtime|from_id|text_entities|actor_id|forwarded_from)"\s*:')
_DATED = re.compile(rb'"type"\s*:\s*"(?:message|service)"\s*,\s*"date"\s*:')
_CHAT_TYPE = re.compile(rb'"type"\s*:\s*"(?:saved_messages|bot_chat|personal_chat|\w+_(?:super)?group|\w+_channel)"')
_ACCOUNT = re.compile(rb'"about"\s*:\s*"[^"]{0,200}(?:Telegram|exported)|"personal_information"\s*:')


class Telegram:
    """Chats with their messages, streamed: an export of a gigabyte needs no more memory than one message."""

    name = "telegram"
    appends = False

    def sniff(self, path: Path, head: bytes) -> float:
        if head.lstrip()[:1] != b"{":
            return 0.0
        messages = b'"messages"' in head
        if messages and (_MESSAGE.search(head) or _DATED.search(head)):
            return 0.95
        if messages and _CHAT_TYPE.search(head):
            return 0.9
        return 0.7 if _ACCOUNT.search(head) else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        return finish(_Reader(options).read(file), options)


class _Reader:
    def __init__(self, options: ReadOptions) -> None:
        self._zone: tzinfo = zone_of(options.zone)
        self._limit = options.max_line

    def read(self, file: BinaryIO) -> Iterator[Item]:
        stream = JsonStream(file, self._limit, "type")
        while stream.peek() == b"{" and not stream.damaged:  # chats exported one by one may stand in one file
            yield from self._chat(stream, "")
        if stream.unsound():
            yield Skip("damaged_file")

    def _chat(self, stream: JsonStream, place: str) -> Iterator[Item]:
        """Read the object at the cursor: a chat, or an account that holds chats."""
        chat: dict[str, Any] = {}
        for key in stream.members():
            if key == "messages":
                yield from self._messages(stream, chat, place)
            elif key in CHAT_LISTS and stream.peek() == b"{":
                for inner in stream.members():
                    if inner == "list":
                        yield from self._chats(stream, key)
            elif key in CHAT_LISTS:
                yield from self._chats(stream, key)
            elif key in _CHAT_FACTS:
                try:
                    chat[key] = stream.value()
                except BrokenValue as problem:
                    yield Skip(problem.reason, f"{place} {key}".strip())

    def _chats(self, stream: JsonStream, place: str) -> Iterator[Item]:
        for index in stream.elements():
            yield from self._chat(stream, f"{place} {index}")

    def _messages(self, stream: JsonStream, chat: Mapping[str, Any], place: str) -> Iterator[Item]:
        session = f"telegram:{first(chat, 'id', 'name') or place or 'chat'}"
        at: int | None = None
        for index in stream.elements():
            where = f"{session} {index}"
            try:
                row = stream.value()
            except BrokenValue as problem:
                yield Skip(problem.reason, where)
                continue
            if not isinstance(row, dict):
                yield Skip("not_an_object", where)
                continue
            at = micros(row.get("date_unixtime")) or micros(row.get("date"), self._zone) or at
            yield self._message(row, chat, session, at)

    def _message(self, row: Mapping[str, Any], chat: Mapping[str, Any], session: str, at: int | None) -> Item:
        text = _text(row)
        mark = first(row, "id") or short_hash(str(at), first(row, "from", "from_id") or "", text)
        key = f"{session}:{mark}"
        if row.get("type", "message") != "message":
            return Skip("service" if row.get("type") == "service" else "unknown_type", key)
        if not text.strip():
            return Skip(_kind_of_empty(row), key)
        edited = micros(row.get("edited_unixtime")) or micros(row.get("edited"), self._zone)
        return Record(
            key=key,
            text=text,
            role="user",
            session=session,
            at=at,
            speaker=name_of(row.get("from")),
            attributes=facts(
                chat=name_of(chat.get("name")),
                from_id=name_of(row.get("from_id")),
                forwarded_from=name_of(row.get("forwarded_from")),
                reply_to=name_of(row.get("reply_to_message_id")),
                edited=edited,
                media=first(row, "media_type", "file_name"),
            ),
            replaces=edited is not None,
        )


def _text(row: Mapping[str, Any]) -> str:
    """Return the text in order; in some exports only ``text_entities`` holds all of it."""
    text = _joined(row.get("text"))
    entities = _joined(row.get("text_entities"))
    return entities if len(entities) > len(text) and entities.startswith(text) else text


def _joined(value: object) -> str:
    if isinstance(value, str):
        return value
    parts = [part if isinstance(part, str) else mapping(part).get("text") for part in listing(value)]
    return "".join(part for part in parts if isinstance(part, str))


def _kind_of_empty(row: Mapping[str, Any]) -> str:
    if row.get("media_type") == "sticker":
        return "sticker"
    if "poll" in row:
        return "poll"
    return (
        "media"
        if {"media_type", "photo", "file", "contact_information", "location_information"} & row.keys()
        else "empty"
    )
