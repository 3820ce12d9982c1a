"""Words too common to say what a question is about. Dropped from queries, never from the index."""

from __future__ import annotations

from ..lang.pack import load, words

#: English, Russian and whatever else ``lang/*/common.toml`` lists.
STOP_WORDS = words("common", "stop")
ENGLISH: str = load("en", "common")["stop"]
