"""Settings: defaults, then the environment, then what the caller gives."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from mnemic import Config, InvalidInput


def test_defaults() -> None:
    assert Config.load({}) == Config()
    assert Config.load({"MNEMIC_ZONE": "", "PATH": "/bin", "MNEMIC_DB": "x"}) == Config()


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("zone", "Europe/Moscow", "Europe/Moscow"), ("durable", "1", True), ("durable", " Yes ", True),
        ("mask_secrets", "off", False), ("background", "FALSE", False),
        ("queue_size", "5", 5), ("embed_batch", " 7 ", 7), ("context_tokens", "0", 0),
    ],
)  # fmt: skip
def test_the_environment_overrides_defaults(name: str, text: str, expected: Any) -> None:
    assert getattr(Config.load({f"MNEMIC_{name.upper()}": text}), name) == expected


def test_what_is_given_overrides_the_environment() -> None:
    environ = {"MNEMIC_EMBED_BATCH": "7", "MNEMIC_ZONE": "Europe/Moscow"}
    assert Config.load(environ, embed_batch=9, zone=None) == Config(embed_batch=9, zone="Europe/Moscow")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("durable", "maybe"),
        ("queue_size", "many"),
        ("queue_size", "0"),
        ("embed_batch", "-1"),
        ("embed_retries", "0"),
        ("context_tokens", "-5"),
        ("zone", "Mars/Olympus"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        Config.load({f"MNEMIC_{name.upper()}": text})
    assert refused.value.field == name


def test_an_unknown_setting_is_refused_and_the_known_ones_named() -> None:
    with pytest.raises(InvalidInput, match="queue_size"):
        Config.load({}, qeue_size=5)


def test_every_setting_is_described() -> None:
    assert Config.__doc__ is not None
    for field in fields(Config):
        assert f"{field.name}:" in Config.__doc__
