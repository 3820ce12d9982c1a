"""The HTTP embedder against a real server on this machine that misbehaves by script."""

from __future__ import annotations

import base64
import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from mnemic import wire
from mnemic.embed import TextRefused, blank, embed_each, resolve
from mnemic.errors import EmbeddingError, InvalidInput

pytest.importorskip("httpx")

from mnemic.embed.openai import OpenAIEmbedder

KEY = "sk-very-secret-0123"
DIMENSION = 8

Answer = tuple[int, dict[str, str], bytes]


def vector(text: str) -> list[float]:
    """Not of length 1 on purpose."""
    return [float(1 + (ord(sign) * 31 + place) % 17) for place, sign in enumerate((text * DIMENSION)[:DIMENSION])]


def expected(*texts: str) -> np.ndarray:
    rows = np.array([vector(text) for text in texts])
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Server:
    """A fake ``/v1/embeddings``. ``script`` holds answers to give first; after that ``rule`` may refuse."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.script: list[Callable[[dict[str, Any]], Answer] | Answer] = []
        self.rule: Callable[[dict[str, Any]], Answer | None] = lambda body: None
        self.delay = 0.0
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # head and body in one packet: forty milliseconds a request
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                server.requests.append(body)
                server.headers.append(dict(self.headers.items()))
                time.sleep(server.delay)
                if server.script:
                    step = server.script.pop(0)
                    status, headers, content = step(body) if callable(step) else step
                else:
                    status, headers, content = server.rule(body) or ok(body)
                if status == 0:
                    self.close_connection = True
                    return
                self.send_response(status if self.path == "/v1/embeddings" else 404)
                for name, value in {"content-length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def ok(body: dict[str, Any], *, change: Callable[[list[dict[str, Any]]], object] | None = None) -> Answer:
    rows = [{"object": "embedding", "index": i, "embedding": vector(text)} for i, text in enumerate(body["input"])]
    if "dimensions" in body:
        for row in rows:
            row["embedding"] = row["embedding"][: body["dimensions"]]
    if body.get("encoding_format") == "base64":
        for row in rows:
            row["embedding"] = base64.b64encode(np.array(row["embedding"], "<f4").tobytes()).decode()
    if change is not None:
        changed = change(rows)
        rows = rows if changed is None else changed  # type: ignore[assignment]
    return 200, {}, json.dumps({"object": "list", "data": rows, "model": body["model"]}).encode()


def failing(status: int, headers: dict[str, str] | None = None, code: str = "bad_thing") -> Answer:
    error = {"error": {"message": f"you sent {KEY} and 'my private text'", "type": "x", "code": code}}
    return status, headers or {}, json.dumps(error).encode()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture
def naps() -> list[float]:
    return []


@pytest.fixture
def make(server: Server, naps: list[float]) -> Iterator[Callable[..., OpenAIEmbedder]]:
    made: list[OpenAIEmbedder] = []

    def make(model: str = "tiny", **options: Any) -> OpenAIEmbedder:
        given = {
            "base_url": server.url,
            "api_key": KEY,
            "sleep": naps.append,
            "jitter": lambda: 1.0,
            **options,
        }
        made.append(OpenAIEmbedder(model, **given))
        return made[-1]

    yield make
    for embedder in made:
        embedder.close()


Make = Callable[..., OpenAIEmbedder]


# --- what is asked and understood


@pytest.mark.parametrize("compact", [False, True])
def test_vectors_come_back_in_order_and_of_length_one(server: Server, make: Make, compact: bool) -> None:
    texts = ["one", "three", "two two"]
    rows = make(compact=compact).embed(texts, kind="document")
    np.testing.assert_allclose(rows, expected(*texts), rtol=1e-5)
    assert rows.dtype == np.float32
    [body] = server.requests
    assert body["model"] == "tiny"
    assert body.get("encoding_format") == ("base64" if compact else None)
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_the_dimension_is_learnt_from_the_first_answer_or_asked_once(server: Server, make: Make) -> None:
    embedder = make()
    assert server.requests == []
    assert embedder.dimension == DIMENSION
    assert embedder.dimension == DIMENSION
    assert len(server.requests) == 1
    other = make()
    other.embed(["a"], kind="query")
    assert other.dimension == DIMENSION
    assert len(server.requests) == 2


def test_batches_hold_no_more_than_configured(server: Server, make: Make) -> None:
    texts = [f"text {number}" for number in range(10)]
    rows = make(batch=4).embed(texts, kind="document")
    assert [len(body["input"]) for body in server.requests] == [4, 4, 2]
    np.testing.assert_allclose(rows, expected(*texts), rtol=1e-5)


def test_fewer_dimensions_are_asked_for(server: Server, make: Make) -> None:
    embedder = make(dimension=4)
    assert (embedder.name, embedder.dimension) == ("openai:tiny@4", 4)
    rows = embedder.embed(["hello"], kind="document")
    assert server.requests[0]["dimensions"] == 4
    np.testing.assert_allclose(rows, expected("hello")[:, :4] / np.linalg.norm(expected("hello")[:, :4]), rtol=1e-5)


def test_a_server_that_ignores_dimensions_is_cut_here(server: Server, make: Make) -> None:
    server.rule = lambda body: ok({key: value for key, value in body.items() if key != "dimensions"})
    rows = make(dimension=4).embed(["hello"], kind="document")
    np.testing.assert_allclose(rows, expected("hello")[:, :4] / np.linalg.norm(expected("hello")[:, :4]), rtol=1e-5)


def test_a_server_that_refuses_optional_parameters_is_asked_without(server: Server, make: Make) -> None:
    server.rule = lambda body: failing(400) if {"dimensions", "encoding_format"} & set(body) else None
    embedder = make(dimension=4, compact=True)
    assert embedder.embed(["hello", "you"], kind="document").shape == (2, 4)
    server.requests.clear()
    embedder.embed(["again"], kind="document")
    assert len(server.requests) == 1  # it is remembered
    assert "dimensions" not in server.requests[0]


def test_queries_and_documents_get_the_words_the_model_wants(server: Server, make: Make) -> None:
    embedder = make("nomic-embed-text", dimension=DIMENSION)
    embedder.embed(["cats"], kind="query")
    embedder.embed(["cats"], kind="document")
    assert [body["input"] for body in server.requests] == [["search_query: cats"], ["search_document: cats"]]


def test_unreadable_texts_are_not_sent(server: Server, make: Make) -> None:
    rows = make(dimension=DIMENSION).embed(["", " \0", "\ud800", "a\0b"], kind="document")
    assert [body["input"] for body in server.requests] == [["a b"]]
    np.testing.assert_allclose(rows[:3], [blank(DIMENSION)] * 3)


def test_rows_without_index_are_taken_as_they_come(server: Server, make: Make) -> None:
    server.rule = lambda body: ok(body, change=lambda rows: [row.pop("index") for row in rows] and None)
    np.testing.assert_allclose(make().embed(["a", "bb"], kind="document"), expected("a", "bb"), rtol=1e-5)


def test_rows_out_of_order_are_put_right(server: Server, make: Make) -> None:
    server.rule = lambda body: ok(body, change=lambda rows: rows[::-1])
    np.testing.assert_allclose(make().embed(["a", "bb", "ccc"], kind="document"), expected("a", "bb", "ccc"), rtol=1e-5)


# --- nonsense


def double(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row | {"index": 0} for row in rows]


@pytest.mark.parametrize("change", [lambda rows: rows[:1], lambda rows: rows + rows[:1], lambda rows: [], double])
def test_missing_extra_and_doubled_rows_are_never_guessed_at(server: Server, make: Make, change: Any) -> None:
    server.rule = lambda body: ok(body, change=lambda rows: change(rows) if len(rows) > 1 else rows)
    rows = make().embed(["a", "bb", "ccc"], kind="document")  # rescued by asking for each alone
    np.testing.assert_allclose(rows, expected("a", "bb", "ccc"), rtol=1e-5)


@pytest.mark.parametrize(
    "value",
    [
        [0.0] * DIMENSION,
        [float("nan")] * DIMENSION,
        [float("inf")] * DIMENSION,
        [10**400] * DIMENSION,
        [None] * DIMENSION,
        [1.0],
        [],
        "!!!",
        "",
        None,
        [[1.0] * DIMENSION],
        {"a": 1},
    ],
)
def test_nonsense_for_one_text_costs_only_that_text(server: Server, make: Make, value: object) -> None:
    def rule(body: dict[str, Any]) -> Answer:
        def change(rows: list[dict[str, Any]]) -> None:
            for row, text in zip(rows, body["input"], strict=True):
                if text == "bb":
                    row["embedding"] = value

        return ok(body, change=change)

    server.rule = rule
    rows = embed_each(make(dimension=DIMENSION), ["a", "bb", "ccc"], "document")
    assert [isinstance(row, TextRefused) for row in rows] == [False, True, False]


@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b"{}", b'{"data": 5}', b'{"data": [5]}', b"[" * 100_000])
def test_answers_that_are_not_answers(server: Server, make: Make, content: bytes) -> None:
    server.rule = lambda body: (200, {}, content)
    with pytest.raises(EmbeddingError) as caught:
        make().embed(["a", "bb"], kind="document")
    assert caught.value.retryable or content == b"{}" or "data" in content.decode()


def test_another_dimension_than_before_is_refused(server: Server, make: Make) -> None:
    embedder = make()
    embedder.embed(["a"], kind="document")
    server.rule = lambda body: ok(body, change=lambda rows: [row.update(embedding=[1.0, 2.0]) for row in rows] and None)
    with pytest.raises(EmbeddingError, match="shape"):
        embedder.embed(["b"], kind="document")


# --- trying again


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_passing_failures_are_tried_again(server: Server, make: Make, naps: list[float], status: int) -> None:
    server.script = [failing(status)] * 3
    np.testing.assert_allclose(make().embed(["a"], kind="document"), expected("a"), rtol=1e-5)
    assert naps == [0.5, 1.0, 2.0]


def test_pauses_are_part_chance(server: Server, make: Make, naps: list[float]) -> None:
    server.script = [failing(500)] * 3
    make(jitter=lambda: 0.0).embed(["a"], kind="document")
    assert naps == [0.25, 0.5, 1.0]


def test_a_broken_connection_is_tried_again(server: Server, make: Make) -> None:
    server.script = [(0, {}, b"")]
    assert make().embed(["a"], kind="document").shape == (1, DIMENSION)


def test_nobody_there(naps: list[float]) -> None:
    embedder = OpenAIEmbedder("tiny", base_url="http://127.0.0.1:9/v1", sleep=naps.append)
    with pytest.raises(EmbeddingError, match="no answer") as caught:
        embedder.embed(["a"], kind="document")
    assert caught.value.retryable
    assert len(naps) == 3
    embedder.close()


def test_a_time_out_is_retryable(server: Server, make: Make) -> None:
    server.delay = 0.5
    with pytest.raises(EmbeddingError, match="Timeout") as caught:
        make(timeout=0.05).embed(["a"], kind="query")
    assert caught.value.retryable


def test_in_the_end_it_gives_up_retryably(server: Server, make: Make, naps: list[float]) -> None:
    server.rule = lambda body: failing(503)
    with pytest.raises(EmbeddingError, match="HTTP 503") as caught:
        make().embed(["a", "b"], kind="document")
    assert caught.value.retryable
    assert len(server.requests) == 5  # 1 + 3 tries, and one to see whether it was the texts


def test_a_query_does_not_wait_long(server: Server, make: Make, naps: list[float]) -> None:
    """B025: somebody waits; the search goes on without vectors."""
    server.rule = lambda body: failing(503)
    with pytest.raises(EmbeddingError):
        make().embed(["a"], kind="query")
    assert sum(naps) <= 2.0
    server.rule = lambda body: failing(429, {"retry-after": "30"})
    with pytest.raises(EmbeddingError):
        make().embed(["a"], kind="query")
    assert sum(naps) <= 2.0


@pytest.mark.parametrize("value", ["7", "7.0"])
def test_retry_after_in_seconds(server: Server, make: Make, naps: list[float], value: str) -> None:
    server.script = [failing(429, {"retry-after": value})]
    make().embed(["a"], kind="document")
    assert naps == [7.0]


def test_retry_after_as_a_date(server: Server, make: Make, naps: list[float]) -> None:
    server.script = [
        failing(429, {"retry-after": format_datetime(datetime.now(UTC) + timedelta(seconds=9), usegmt=True)})
    ]
    make().embed(["a"], kind="document")
    assert 7.0 <= naps[0] <= 9.0


def test_retry_after_too_long_fails_at_once(server: Server, make: Make, naps: list[float]) -> None:
    server.rule = lambda body: failing(429, {"retry-after": "3600"})
    with pytest.raises(EmbeddingError) as caught:
        make().embed(["a"], kind="document")
    assert caught.value.retryable
    assert naps == []


@pytest.mark.parametrize("value", ["soon", "-5", "", "1e9", "9" * 400])
def test_retry_after_nonsense_is_ignored(value: str) -> None:
    assert wire.retry_after(value) is None


def test_no_quota_is_not_tried_again(server: Server, make: Make, naps: list[float]) -> None:
    server.rule = lambda body: failing(429, code="insufficient_quota")
    with pytest.raises(EmbeddingError, match="insufficient_quota") as caught:
        make().embed(["a"], kind="document")
    assert caught.value.retryable
    assert naps == []


@pytest.mark.parametrize(("status", "hint"), [(401, "OPENAI_API_KEY"), (404, "no such model"), (301, "HTTP 301")])
def test_lasting_failures_are_not_tried_again(server: Server, make: Make, status: int, hint: str) -> None:
    server.rule = lambda body: failing(status)
    with pytest.raises(EmbeddingError, match=hint) as caught:
        make().embed([f"text {number}" for number in range(64)], kind="document")
    assert not caught.value.retryable
    assert len(server.requests) == 2


# --- one bad text


TEXTS = [f"message {number}" for number in range(64)]


def test_a_text_too_long_for_the_server_is_handled_alone(server: Server, make: Make) -> None:
    """B114: 63 embedded, one cut into pieces that the server takes; nothing of it is dropped."""
    long = " ".join(f"word{number}" for number in range(300))
    server.rule = lambda body: failing(400) if max(map(len, body["input"])) > 700 else None
    texts = [*TEXTS[:40], long, *TEXTS[41:]]
    rows = make().embed(texts, kind="document")
    np.testing.assert_allclose(rows[:40], expected(*TEXTS[:40]), rtol=1e-5)
    np.testing.assert_allclose(rows[41:], expected(*TEXTS[41:]), rtol=1e-5)
    sent = " ".join(text for body in server.requests for text in body["input"])
    assert all(f"word{number}" in sent for number in range(300))
    assert len(server.requests) < 25


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_text_refused_for_another_reason_is_reported_alone(server: Server, make: Make, status: int) -> None:
    server.rule = lambda body: failing(status) if "message 7" in body["input"] else None
    rows = embed_each(make(), TEXTS, "document")
    assert [index for index, row in enumerate(rows) if isinstance(row, EmbeddingError)] == [7]
    assert isinstance(rows[7], TextRefused)
    with pytest.raises(TextRefused):
        make().embed(TEXTS, kind="document")


def test_a_long_text_refused_for_another_reason_costs_few_requests(server: Server, make: Make) -> None:
    server.rule = lambda body: failing(400) if any("evil" in text for text in body["input"]) else None
    rows = embed_each(make(), ["evil " * 1_500, "good"], "document")
    assert isinstance(rows[0], TextRefused)
    assert not isinstance(rows[1], EmbeddingError)
    assert len(server.requests) < 20


def test_a_text_on_which_the_server_breaks_is_reported_alone(server: Server, make: Make) -> None:
    """Ollama answers 500 for a text whose vector is NaN."""
    server.rule = lambda body: failing(500) if "message 7" in body["input"] else None
    rows = embed_each(make(), TEXTS, "document")
    refused = rows[7]
    assert isinstance(refused, TextRefused)
    assert refused.retryable
    assert sum(isinstance(row, EmbeddingError) for row in rows) == 1


def test_batches_before_the_failure_are_kept(server: Server, make: Make) -> None:
    server.script = [ok, ok]
    server.rule = lambda body: failing(401)
    rows = embed_each(make(batch=10), TEXTS, "document")
    assert sum(not isinstance(row, EmbeddingError) for row in rows) == 20
    assert not any(isinstance(row, TextRefused) for row in rows)


# --- secrets


def test_key_and_text_are_in_no_message_and_no_log(
    server: Server, make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    embedder = make()
    said = [repr(embedder)]
    for answer in (failing(400), failing(401), failing(503), (200, {}, b"no"), failing(400, code=KEY)):
        server.rule = lambda body, answer=answer: answer
        for error in embed_each(embedder, ["my private text"], "document"):
            assert isinstance(error, EmbeddingError)
            said += [str(error), repr(error), repr(error.__cause__), repr(error.__context__)]
    for secret in (KEY, "private"):
        assert secret not in " ".join(said)
        assert secret not in caplog.text


@pytest.mark.parametrize("key", ["sk-a\nb", "sk-ключ", "sk a"])
def test_a_broken_key_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        OpenAIEmbedder("m", api_key=key)
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:1234",
        "ftp://x/v1",
        "http://",
        "http://u:pw@host/v1",
        "http://host/v1?key=1",
        "http://h:99999/",
    ],
)
def test_addresses_that_cannot_be_used(url: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        OpenAIEmbedder("m", base_url=url)
    assert "pw" not in str(caught.value)


def sent_to(embedder: object) -> tuple[str, str | None]:
    assert isinstance(embedder, OpenAIEmbedder)
    return embedder._client.url.removesuffix("/embeddings"), embedder._client._headers.get("authorization")


def test_a_key_goes_only_where_it_belongs() -> None:
    openai, ours = {"OPENAI_API_KEY": "sk-o"}, {"MNEMIC_EMBED_API_KEY": "sk-m"}
    elsewhere = {"MNEMIC_EMBED_BASE_URL": "http://box:8000/v1/"}
    cases: list[tuple[str, dict[str, str], tuple[str, str | None]]] = [
        ("openai:m", openai, ("https://api.openai.com/v1", "Bearer sk-o")),
        ("openai:m", openai | ours, ("https://api.openai.com/v1", "Bearer sk-m")),
        ("openai:m", openai | elsewhere, ("http://box:8000/v1", None)),
        ("openai:m", openai | ours | elsewhere, ("http://box:8000/v1", "Bearer sk-m")),
        ("openai:m", openai | {"OPENAI_BASE_URL": "http://x/v1"}, ("http://x/v1", "Bearer sk-o")),
        ("ollama:m", openai, ("http://127.0.0.1:11434/v1", None)),
        ("ollama:m", {"OLLAMA_HOST": "0.0.0.0"}, ("http://127.0.0.1:11434/v1", None)),
        ("ollama:m", {"OLLAMA_HOST": "gpu:9999"}, ("http://gpu:9999/v1", None)),
        ("ollama:m", {"OLLAMA_HOST": "https://gpu/"}, ("https://gpu/v1", None)),
        ("lmstudio:m", openai, ("http://127.0.0.1:1234/v1", None)),
    ]
    for spec, env, where in cases:
        assert sent_to(resolve(spec, env=env)) == where, (spec, env)


def test_it_can_be_used_after_close(server: Server, make: Make) -> None:
    embedder = make()
    embedder.embed(["a"], kind="document")
    embedder.close()
    embedder.close()
    assert embedder.embed(["a"], kind="document").shape == (1, DIMENSION)
