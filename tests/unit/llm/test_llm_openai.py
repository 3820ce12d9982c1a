"""The HTTP model against a real server on this machine that misbehaves by script."""

from __future__ import annotations

import json
import logging
import sys
import types
from collections.abc import Iterator

import pytest

from llm_server import KEY, TEXT, ChatServer, Reply, chat_server, failing, ok
from mnemic.consolidate.claims import Said
from mnemic.consolidate.llm import LLMExtractor
from mnemic.errors import (
    InvalidInput,
    LLMError,
    LLMMalformed,
    LLMRateLimited,
    LLMRefused,
    LLMServerError,
    LLMTimeout,
)
from mnemic.llm import resolve
from mnemic.llm.asking import Prompt

pytest.importorskip("httpx")

from mnemic.llm.openai import FORMS, REFUSING, TOO_LONG, OpenAILLM

ASK = [{"role": "system", "content": "Answer in JSON."}, {"role": "user", "content": TEXT}]
SCHEMA = {"title": "thing", "type": "object", "properties": {}}


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


@pytest.fixture
def llm(server: ChatServer) -> Iterator[OpenAILLM]:
    made = OpenAILLM("tiny", base_url=server.url, api_key=KEY, timeout=5, timer=iter(range(10_000)).__next__)
    yield made
    made.close()


def test_what_is_asked_and_understood(server: ChatServer, llm: OpenAILLM) -> None:
    answer = llm.complete(ASK, SCHEMA)
    assert (answer.text, answer.tokens_in, answer.tokens_out, answer.seconds, answer.finish) == (
        '{"facts": [], "entities": []}', 30, 12, 1.0, "stop",
    )  # fmt: skip
    [body] = server.requests
    assert (body["model"], body["messages"], body["temperature"]) == ("tiny", ASK, 0)
    assert body["max_tokens"] > 0
    assert body["response_format"]["json_schema"] == {"name": "thing", "strict": True, "schema": SCHEMA}
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert llm.name == "openai:tiny"
    assert KEY not in repr(llm)


def test_without_a_schema_no_form_is_asked_for(server: ChatServer, llm: OpenAILLM) -> None:
    llm.complete(ASK)
    assert "response_format" not in server.requests[0]


@pytest.mark.parametrize("refused", [1, 2, 3])
def test_a_server_that_refuses_a_form_is_asked_in_a_plainer_one_and_it_is_remembered(
    server: ChatServer, llm: OpenAILLM, refused: int
) -> None:
    server.script = [failing(400, "unsupported_value")] * refused
    assert llm.complete(ASK, SCHEMA).text
    body = server.requests[-1]
    assert len(server.requests) == refused + 1
    assert body.get("response_format", {}).get("type") == (FORMS[1] if refused == 1 else None)
    assert '"title":"thing"' in body["messages"][0]["content"]
    assert ("temperature" in body) == (refused < 3)
    llm.complete(ASK, SCHEMA)
    assert len(server.requests) == refused + 2
    assert ASK[0]["content"] == "Answer in JSON."


def test_a_question_that_no_form_helps_is_malformed_and_the_form_stays(server: ChatServer, llm: OpenAILLM) -> None:
    server.script = [failing(400)] * len(FORMS)
    with pytest.raises(LLMMalformed) as caught:
        llm.complete(ASK, SCHEMA)
    assert not caught.value.retryable
    llm.complete(ASK, SCHEMA)
    assert "json_schema" in server.requests[-1]["response_format"]


STATUS: list[tuple[Reply, type[LLMError], float | None]] = [
    (failing(401), LLMError, None),
    (failing(403), LLMError, None),
    (failing(404), LLMError, None),
    (failing(408), LLMTimeout, None),
    (failing(504), LLMTimeout, None),
    (failing(429, headers={"retry-after": "7"}), LLMRateLimited, 7.0),
    (failing(429), LLMRateLimited, None),
    (failing(429, "insufficient_quota"), LLMError, None),
    (failing(500), LLMServerError, None),
    (failing(503, headers={"retry-after": "3"}), LLMServerError, 3.0),
    ((0, {}, b""), LLMServerError, None),
    (failing(451), LLMRefused, None),
    *((failing(400, word), LLMRefused, None) for word in REFUSING),
    *((failing(400, word), LLMMalformed, None) for word in TOO_LONG),
    (failing(400, 400, type="exceed_context_size_error"), LLMMalformed, None),  # type: ignore[arg-type]
    (failing(413), LLMMalformed, None),
    ((200, {}, b"<html>"), LLMMalformed, None),
    ((200, {}, b"{}"), LLMMalformed, None),
    ((200, {}, b'{"choices": []}'), LLMMalformed, None),
    ((200, {}, b"[" * 100_000), LLMMalformed, None),
    ((200, {}, json.dumps({"error": {"code": 429, "message": TEXT}}).encode()), LLMRateLimited, None),
    ((200, {}, json.dumps({"error": TEXT}).encode()), LLMServerError, None),
]


@pytest.mark.parametrize(("reply", "kind", "wait"), STATUS)
def test_every_failure_is_of_its_kind_asked_once_and_quotes_nothing(
    server: ChatServer, llm: OpenAILLM, caplog: pytest.LogCaptureFixture, reply: Reply, kind: type[LLMError],
    wait: float | None,
) -> None:  # fmt: skip
    caplog.set_level(logging.DEBUG)
    server.script = [reply]
    with pytest.raises(LLMError) as caught:
        llm.complete(ASK, SCHEMA)
    assert type(caught.value) is kind
    assert caught.value.retry_after == wait
    assert len(server.requests) == 1
    seen = f"{caught.value} {caught.value.__cause__} {caplog.text}"
    assert KEY not in seen
    assert TEXT not in seen


def test_a_server_that_does_not_answer_in_time(server: ChatServer) -> None:
    server.delay = 0.5
    llm = OpenAILLM("tiny", base_url=server.url, timeout=0.1)
    with pytest.raises(LLMTimeout):
        llm.complete(ASK, SCHEMA)
    llm.close()


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(LLMServerError):
        OpenAILLM("tiny", base_url="http://127.0.0.1:9/v1").complete(ASK)


@pytest.mark.parametrize(
    ("reply", "finish", "text"),
    [
        (ok("{", choice={"finish_reason": "length"}), "length", "{"),
        (ok("", choice={"finish_reason": "content_filter"}), "refused", ""),
        (ok(None, message={"refusal": "I can't"}), "refused", ""),
        (ok([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, 3]), "stop", "ab"),
        (ok(None), "stop", ""),
        (ok(17), "stop", ""),
        (ok("x", usage=None), "stop", "x"),
        (ok("x", usage={"prompt_tokens": "many", "completion_tokens": True}), "stop", "x"),
    ],
)
def test_how_an_answer_ends(server: ChatServer, llm: OpenAILLM, reply: Reply, finish: str, text: str) -> None:
    server.script = [reply]
    answer = llm.complete(ASK, SCHEMA)
    assert (answer.finish, answer.text) == (finish, text)


def test_texts_that_are_no_unicode_are_sent(server: ChatServer, llm: OpenAILLM) -> None:
    llm.complete([{"role": "user", "content": "a\ud800b\x00"}], SCHEMA)
    assert server.requests[0]["messages"][0]["content"].startswith("a")


@pytest.mark.parametrize(
    ("spec", "env", "url", "key"),
    [
        ("openai:m", {"OPENAI_API_KEY": "sk-o"}, "https://api.openai.com/v1", "Bearer sk-o"),
        ("openai:m", {"MNEMIC_LLM_API_KEY": "mine"}, "https://api.openai.com/v1", None),
        ("OpenAI:m", {"OPENAI_BASE_URL": "http://h:1/v1/", "OPENAI_API_KEY": "k"}, "http://h:1/v1", "Bearer k"),
        ("openai-compatible:m", {"MNEMIC_LLM_BASE_URL": "http://h:2/v1", "OPENAI_API_KEY": "k"}, "http://h:2/v1", None),
        (
            "openai-compatible:m",
            {"MNEMIC_LLM_BASE_URL": "http://h:2/v1", "MNEMIC_LLM_API_KEY": "k"},
            "http://h:2/v1",
            "Bearer k",
        ),
        ("ollama:llama3.2", {}, "http://127.0.0.1:11434/v1", None),
        ("ollama:qwen3:0.6b", {"OLLAMA_HOST": "0.0.0.0:5"}, "http://127.0.0.1:5/v1", None),
        ("lmstudio:m", {"OPENAI_API_KEY": "k"}, "http://127.0.0.1:1234/v1", None),
        ("lmstudio:m", {"LMSTUDIO_HOST": "box", "MNEMIC_LLM_API_KEY": "k"}, "http://box:1234/v1", "Bearer k"),
    ],
)
def test_a_key_goes_only_where_it_belongs(spec: str, env: dict[str, str], url: str, key: str | None) -> None:
    llm = resolve(spec, env=env)
    assert isinstance(llm, OpenAILLM)
    assert llm.name == spec.replace("OpenAI", "openai")
    client = llm._open()
    assert (client.url, client._headers.get("authorization")) == (url + "/chat/completions", key)


def test_the_keyring_is_asked_after_the_environment_and_its_faults_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = types.ModuleType("keyring")
    held = {("mnemic", "OPENAI_API_KEY"): "sk-ring"}
    ring.get_password = lambda service, name: held.get((service, name))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", ring)

    def sent(env: dict[str, str]) -> str | None:
        llm = resolve("openai:m", env=env)
        assert isinstance(llm, OpenAILLM)
        return llm._open()._headers.get("authorization")

    assert sent({"OPENAI_API_KEY": "sk-env"}) == "Bearer sk-env"
    assert sent({}) == "Bearer sk-ring"
    held.clear()
    assert sent({}) is None

    def locked(service: str, name: str) -> str:
        raise RuntimeError("locked")

    ring.get_password = locked  # type: ignore[attr-defined]
    assert sent({}) is None
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert sent({}) is None


@pytest.mark.parametrize(
    ("spec", "env", "field"),
    [
        ("openai", {}, "llm"),
        ("openai:", {}, "llm"),
        ("openai-compatible:m", {}, "llm"),
        ("openai-compatible:m", {"MNEMIC_LLM_BASE_URL": "http://me:pw@h/v1"}, "base_url"),
        ("openai-compatible:m", {"MNEMIC_LLM_BASE_URL": "ftp://h"}, "base_url"),
        ("ollama:m", {"MNEMIC_LLM_API_KEY": "мой ключ"}, "api_key"),
        ("nosuch:m", {}, "llm"),
        (3, {}, "llm"),
        (object(), {}, "llm"),
    ],
)
def test_names_that_cannot_be_used(spec: object, env: dict[str, str], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        resolve(spec, env=env)  # type: ignore[arg-type]
    assert caught.value.field == field
    assert "pw" not in str(caught.value)


def test_prompts_and_schemas_fit_together() -> None:
    for name, places in {"extract.v2": {"predicates", "names", "messages"}, "conflict.v1": {"a", "b"}}.items():
        prompt = Prompt.load(name)
        system, user = prompt.messages(dict.fromkeys(places, "{{a}} x"))
        assert "JSON" in system["content"]
        assert "{{a}} x" in user["content"]
        assert prompt.schema["title"] == name.split(".")[0]

        def strict(schema: dict) -> None:  # what OpenAI's strict mode asks of every object
            if schema.get("type") == "object":
                assert schema["additionalProperties"] is False
                assert sorted(schema["required"]) == sorted(schema["properties"])
                for inner in schema["properties"].values():
                    strict(inner)
            if schema.get("type") == "array":
                strict(schema["items"])

        strict(prompt.schema)


def test_the_whole_way_over_http(server: ChatServer) -> None:
    fact = {
        "source": 1, "quote": "I live in Lisbon", "content": "The user lives in Lisbon.", "subject": "user",
        "predicate": "lives_in", "object": "Lisbon",
    }  # fmt: skip
    naps: list[float] = []
    server.script = [failing(429, headers={"retry-after": "3"}), ok("nonsense"), ok(json.dumps({"facts": [fact]}))]
    llm = OpenAILLM("tiny", provider="ollama", base_url=server.url, api_key=KEY)
    done = LLMExtractor(llm, sleep=naps.append, jitter=lambda: 1.0).extract([Said("e1", "I live in Lisbon.", 0)], {})
    llm.close()
    assert [(c.source, c.object, c.made_by) for c in done.candidates] == [
        ("e1", "Lisbon", "llm:ollama:tiny/extract.v2")
    ]
    assert naps == [3.0, 1.0]
    assert dict(done.skipped) == {"answer unreadable": 1, "call rate limited": 1}
    assert done.calls == 3
    assert done.tokens > 84  # those that the server counted, and an estimate for the call that failed
