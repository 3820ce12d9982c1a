"""What is known of models by their names, whoever serves them: a table to audit and to add to."""

from __future__ import annotations

import re

from .base import Kind

__all__ = ["PREFIXES", "looks_multilingual", "prefix"]

_RETRIEVE = "Represent this sentence for searching relevant passages: "

#: Words that a model was trained to see before a query and before a document, by model name. A row, once
#: released, is never changed: the vectors would change and their generation's name would not.
PREFIXES: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"nomic-embed-text"), "search_query: ", "search_document: "),
    (re.compile(r"\be5-(small|base|large)(?!.*instruct)"), "query: ", "passage: "),
    (re.compile(r"bge-(small|base|large)-en|mxbai-embed-large"), _RETRIEVE, ""),
    (re.compile(r"snowflake-arctic-embed2|snowflake-arctic-embed-[lm]-v2"), "query: ", ""),
    (re.compile(r"snowflake-arctic-embed"), _RETRIEVE, ""),
    (re.compile(r"embedding-?gemma"), "task: search result | query: ", "title: none | text: "),
    (
        re.compile(r"qwen3-embedding"),
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:",
        "",
    ),
)

_MULTILINGUAL = re.compile(
    r"multilingual|bge-m3|text-embedding-(3|ada)|embedding-?gemma|qwen3-embedding|labse|distiluse|arctic-embed2|"
    r"arctic-embed-[lm]-v2|jina-embeddings-v[345]|nomic-embed-text-v2|granite-embedding-\d+m-multi"
)


def prefix(model: str, kind: Kind) -> str:
    """What ``model`` wants before a text of this kind; mostly nothing."""
    for pattern, query, document in PREFIXES:
        if pattern.search(model.lower()):
            return query if kind == "query" else document
    return ""


def looks_multilingual(model: str) -> bool:
    """Whether the name is that of a model known to read many languages."""
    return _MULTILINGUAL.search(model.lower()) is not None
