"""The forgetting curve against its formulas, and what holds of it whatever the numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import strength as s
from mnemic.strength import DAY, Trace

AGES = [0, 1 / 24, 0.1, 0.25, 0.5, 1, 2, 3, 5, 7, 10, 14, 21, 30, 60, 90, 180, 365, 730, 1_825]  # days
#: Preset → its formula as the design writes it.
FORMULAS = {
    "ebbinghaus": lambda days: math.exp(-0.1 * days**0.8),
    "small_talk": lambda days: math.exp(-days * 24),
    "conversation": lambda days: math.exp(-days * 24 / 2),
    "day": lambda days: math.exp(-days),
    "specification": lambda days: math.exp(-days / 7),
    "observation": lambda days: math.exp(-((days * 24 / 336) ** 0.8)),
    "fact": lambda days: math.exp(-((days * 24 / 2_160) ** 0.8)),
    "protected": lambda days: 1.0,
}
traces = st.builds(
    Trace,
    label=st.sampled_from(["fact", "observation", "preference", "conversation", "whatever", "ebbinghaus"]),
    kind=st.sampled_from(["semantic", "opinion", "procedural", "episodic"]),
    confidence=st.floats(0, 1),
    importance=st.floats(0, 10),
    valence=st.floats(-1, 1),
    stability=st.none() | st.floats(0.001, 10_000),
    shape=st.floats(0.3, 2),
    accesses=st.integers(0, 10_000),
    last_used=st.integers(0, 4 * 10**15),
)


def test_every_preset_has_a_formula() -> None:
    assert set(FORMULAS) == set(s.CURVES)
    assert set(s.LABELS.values()) <= set(s.CURVES)


@pytest.mark.parametrize("name", FORMULAS)
def test_curves_at_twenty_ages(name: str) -> None:
    assert len(AGES) == 20
    for days in AGES:
        assert s.retention(s.CURVES[name], days) == pytest.approx(FORMULAS[name](days), rel=1e-9, abs=1e-300)


def test_ebbinghaus_has_the_stability_of_the_design() -> None:
    assert s.CURVES["ebbinghaus"].stability == pytest.approx(17.8, abs=0.05)


@given(traces, st.integers(0, 10**16), st.integers(0, 10**16))
def test_strength_only_falls_and_stays_in_its_bounds(trace: Trace, a: int, b: int) -> None:
    early, late = sorted((a, b))
    first, second = s.strength(trace, trace.last_used + early), s.strength(trace, trace.last_used + late)
    assert 0 <= second <= first <= trace.confidence * trace.importance


@given(traces, st.integers(-(10**15), 0))
def test_a_clock_that_was_put_back_forgets_nothing(trace: Trace, ago: int) -> None:
    assert s.strength(trace, trace.last_used + ago) == trace.confidence * trace.importance


@given(traces, st.integers(0, 10**16))
def test_asking_changes_nothing(trace: Trace, age: int) -> None:
    """However many nights have passed in between: strength depends on the age alone."""
    assert {s.strength(trace, trace.last_used + age) for _ in range(5)} == {s.strength(trace, trace.last_used + age)}


@given(st.integers(0, 100_000))
def test_growth_rises_up_to_its_cap(accesses: int) -> None:
    assert 1 <= s.growth(accesses) <= s.growth(accesses + 1) <= s.GROWTH_CAP
    assert s.growth(10**6) == s.GROWTH_CAP


def test_growth_is_the_product_of_the_design() -> None:
    product = 1.0
    for n in range(60):
        assert s.growth(n) == pytest.approx(min(product, s.GROWTH_CAP))
        product *= 1 + 0.05 * math.log(1 + n / 20)


@given(traces)
def test_crossing_is_where_strength_meets_the_threshold(trace: Trace) -> None:
    at = s.crossing(trace)
    full = trace.confidence * trace.importance
    if full <= s.hidden_below(trace):
        assert at == trace.last_used
    elif at is None:
        assert math.isinf(s.stability(trace).stability)
    elif at < 10**17:
        assert s.strength(trace, at) <= s.hidden_below(trace) + 1e-9
        assert s.strength(trace, at - DAY // 1000) >= s.hidden_below(trace) - 1e-3


@given(traces)
def test_use_and_feeling_only_lengthen(trace: Trace) -> None:
    assert s.stability(replace(trace, accesses=trace.accesses + 1)).stability >= s.stability(trace).stability
    assert s.stability(replace(trace, valence=0)).stability <= s.stability(trace).stability
    plain = s.stability(replace(trace, valence=0.0)).stability
    assert s.stability(replace(trace, valence=-1.0)).stability == pytest.approx(plain * 1.2) or math.isinf(plain)


@pytest.mark.parametrize(
    "trace",
    [
        Trace("message", kind="episodic"),
        Trace("procedure", kind="procedural"),
        Trace("error_pattern"),
        Trace("preference", kind="opinion"),
        Trace("fact", confirmed=True),
        Trace("fact", predicate="name"),
        Trace("preference", stability=0.5),
    ],
)
def test_what_is_protected_never_fades(trace: Trace) -> None:
    assert s.strength(trace, trace.last_used + 100_000 * DAY) == 1.0
    assert s.crossing(trace) is None


@given(st.lists(st.floats(0, 1_000), max_size=20))
def test_strength_moves_a_score_by_at_most_fifteen_percent(strengths: list[float]) -> None:
    factors = s.nudge(strengths)
    assert all(0.85 <= factor <= 1.15 for factor in factors)
    order = sorted(range(len(strengths)), key=lambda i: strengths[i])
    assert [factors[i] for i in order] == sorted(factors)
    assert s.nudge([1.0]) == [1.0]
