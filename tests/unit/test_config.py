"""Settings: defaults, then the environment, then what the caller gives."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest

from mnemic import Config, InvalidInput
from mnemic.knobs import KNOBS, RecallKnobs
from mnemic.recall import context
from mnemic.recall.rank import WEIGHTS


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


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("weights", "meaning=8, date = 0", {"meaning": 8, "date": 0, "words": 4.4}),
        ("weights", "question=-2;words=1", {"question": -2, "words": 1}),
        ("context_shares", "facts=1 evidence=0", {"facts": 1, "evidence": 0, "events": 0.25}),
        ("context_depth", "hits=5", {"hits": 5, "names": 3}),
        ("context_sizes", "simple=500", {"simple": 500, "complex": 3_000}),
        ("fade_days", "fact=inf, observation=3.5", {"fact": float("inf"), "observation": 3.5, "day": 1}),
        ("fade_shape", "fact=1", {"fact": 1}),
        ("fade_below", "fact=0", {"fact": 0, "observation": 0.05}),
    ],
)
def test_a_table_of_numbers_keeps_what_is_not_given(name: str, given: str, expected: dict[str, float]) -> None:
    read = getattr(Config.load({f"MNEMIC_{name.upper()}": given}), name)
    assert {key: read[key] for key in expected} == expected
    assert read.keys() == KNOBS[name].default.keys()
    assert Config(**{name: read}) == Config(**{name: expected}) == Config.load({}, **{name: expected})
    assert getattr(Config.load({f"MNEMIC_{name.upper()}": str(read)}), name) == pytest.approx(dict(read), rel=1e-5)
    assert hash(Config(**{name: read})) == hash(Config(**{name: read}))


NO_NUMBERS: list[Any] = [-1, float("nan"), "4", None, True, [1], 1e300]


@pytest.mark.parametrize("name", KNOBS)
@pytest.mark.parametrize(
    "given",
    ["no=1", "x", "=", "=1", "1", 7, None, ["words"], {"No": 1}, {1: 1}, *(({"FIRST": n}) for n in NO_NUMBERS)],
    ids=repr,
)
def test_a_table_that_cannot_be_used_is_refused_with_the_names_there_are(name: str, given: Any) -> None:
    names = list(KNOBS[name].default)
    if isinstance(given, dict) and "FIRST" in given:
        given = {names[0]: given["FIRST"]}
    with pytest.raises(InvalidInput) as refused:
        Config(**{name: given})
    assert refused.value.field == name
    assert all(known in str(refused.value) for known in names)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("weights", dict.fromkeys(KNOBS["weights"].default, 0)),
        ("context_shares", dict.fromkeys(KNOBS["context_shares"].default, 0)),
        ("weights", {"words": float("inf")}),
        ("context_depth", {"hits": 2.5}),
        ("context_sizes", {"simple": 0}),
        ("fade_days", {"fact": 0}),
        ("fade_days", {"fact": float("-inf")}),
        ("fade_days", {"protected": 1}),
        ("fade_shape", {"fact": 0.0}),
        ("fade_below", {"fact": 1.1}),
    ],
)
def test_bounds_of_tables(name: str, given: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        Config(**{name: given})
    assert refused.value.field == name


def test_the_defaults_are_those_that_recall_goes_by() -> None:
    knobs = Config().recall
    assert knobs == RecallKnobs()
    assert knobs.weights == WEIGHTS
    assert set(knobs.shares) == {share for _, share in context.SECTIONS.values()}
    assert set(knobs.depth) == {"hits", "names"}


def test_every_setting_is_described() -> None:
    assert Config.__doc__ is not None
    for field in fields(Config):
        assert re.search(rf"\b{field.name}(?:, \w+)*:", Config.__doc__)
