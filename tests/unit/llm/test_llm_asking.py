"""Reading answers, retries, budget: everything between a model and who asks it."""

from __future__ import annotations

import sys

import pytest

import mnemic
from mnemic import LLMError, LLMMalformed, LLMRateLimited, LLMRefused, LLMServerError, LLMTimeout
from mnemic.llm import Answer, Asker, Budget, BudgetSpent, base, known, resolve
from mnemic.llm.asking import FAULTS, LONGEST_PAUSE, REFUSALS, refuses, values
from mnemic.llm.base import _FOREIGN, foreign, said
from mnemic.testing import ScriptedModel

ASK = [{"role": "user", "content": "what is said?"}]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ('{"facts": []}', {"facts": []}),
        ('Here are the facts:\n```json\n{"facts":["a"]}\n```', {"facts": ["a"]}),
        ('Here [as asked]:\n```\n{"a": 1}\n```\nHope that helps {smile}', {"a": 1}),
        ('```json\n{"a": 1}', {"a": 1}),
        ('Sure! {"a": 1} Anything else?', {"a": 1}),
        ('<think>maybe {"b": 2}</think>\n{"a": 1}', {"a": 1}),
        ('maybe {"b": 2}</think>{"a": 1}', {"a": 1}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ('{"a": [1, 2,], }', {"a": [1, 2]}),
        ("[]", []),
        ('Вот что я нашёл: {"факты": "«да»"}', {"факты": "«да»"}),
    ],
)
def test_json_is_found_in_answers(text: str, first: object) -> None:
    assert values(Answer(text))[0] == first


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "<think>..</think>{",
        '<think>{"a": 1}',
        "No facts.",
        "{'facts': []}",
        '{"facts": [{"a": 1}, {"a"',
        '[{"a": 1}, {"b',
        '{"a": [1, 2',
        "{'a': 1}",
        "Нет фактов.",
    ],
)
def test_no_json_is_malformed(text: str) -> None:
    with pytest.raises(LLMMalformed):
        values(Answer(text))


def test_a_cut_or_withheld_answer() -> None:
    with pytest.raises(LLMMalformed) as caught:
        values(Answer('{"facts": []}', finish="length"))
    assert not caught.value.retryable
    with pytest.raises(LLMRefused):
        values(Answer("{}", finish="refused"))


@pytest.mark.parametrize(("pattern", "example"), REFUSALS, ids=[e for _, e in REFUSALS])
def test_every_way_to_decline(pattern: str, example: str) -> None:
    assert refuses(example)
    with pytest.raises(LLMRefused):
        values(Answer(example))


@pytest.mark.parametrize(
    "text", ["I can't find any facts here.", "Sorry, there is nothing to note.", "Я не могу найти факты.", "{"]
)
def test_failing_is_not_declining(text: str) -> None:
    assert not refuses(text)


@pytest.mark.parametrize(
    "text",
    ["{" * 100_000, "[" * 100_000, '{"a":' * 50_000, "```json\n" * 20_000, "<think>" * 20_000, ", " * 50_000, "{}," * 40_000,
     '{"' + "a" * 100_000, "," + " " * 100_000, "i'm sorry, " * 10_000],
    ids=range(10),
)  # fmt: skip
def test_hostile_answers(text: str) -> None:
    """One of so many objects gives the first of them, everything else is malformed and may be asked once more."""
    if text.startswith("{},"):
        assert values(Answer(text)) == [{}] * 64
        return
    with pytest.raises(LLMMalformed) as caught:
        values(Answer(text))
    assert caught.value.retryable


def asker(*answers: object, budget: Budget | None = None, **more: object) -> tuple[Asker, ScriptedModel, list[float]]:
    model, naps = ScriptedModel(*answers, **more), []  # type: ignore[arg-type, var-annotated]
    ticks = iter(range(100_000))
    made = Asker(model, budget or Budget(), sleep=naps.append, jitter=lambda: 1.0, timer=lambda: float(next(ticks)))
    return made, model, naps


def test_what_may_succeed_later_is_tried_again_with_growing_pauses() -> None:
    ask, model, naps = asker(LLMTimeout("t"), LLMServerError("s"), "fine")
    assert ask.ask(ASK, {}, lambda answer: answer.text, tries=3) == "fine"
    assert naps == [0.5, 1.0]
    assert (ask.calls, ask.seconds, dict(ask.faults)) == (3, 3.0, {"call timed out": 1, "call failed by server": 1})
    assert all(call.messages == tuple(ASK) for call in model.calls)


def test_a_server_is_obeyed_on_when_to_come_back_up_to_a_minute() -> None:
    ask, _, naps = asker(LLMRateLimited("r", retry_after=7), "fine")
    ask.ask(ASK, {}, lambda answer: answer, tries=2)
    assert naps == [7]
    ask, _, naps = asker(LLMRateLimited("r", retry_after=LONGEST_PAUSE + 1), "fine")
    with pytest.raises(LLMRateLimited):
        ask.ask(ASK, {}, lambda answer: answer, tries=5)
    assert naps == []


def test_after_an_unusable_answer_the_model_is_told_so() -> None:
    ask, model, _ = asker("nonsense", '{"a": 1}')
    assert ask.ask(ASK, {}, lambda answer: values(answer)[0], tries=2) == {"a": 1}
    assert [len(call.messages) for call in model.calls] == [1, 2]
    assert ask.faults == {"answer unreadable": 1}


@pytest.mark.parametrize("error", [LLMRefused("no"), LLMError("key"), LLMMalformed("cut", again=False)])
def test_what_will_not_change_is_asked_once(error: LLMError) -> None:
    ask, model, naps = asker(error, "fine")
    with pytest.raises(type(error)):
        ask.ask(ASK, {}, lambda answer: answer, tries=3)
    assert (len(model.calls), naps) == (1, [])


@pytest.mark.parametrize("kind", list(FAULTS))
def test_every_fault_is_counted_under_its_word(kind: type[LLMError]) -> None:
    ask, _, _ = asker(kind("x"))
    with pytest.raises(kind):
        ask.ask(ASK, {}, lambda answer: answer, tries=1)
    assert dict(ask.faults) == {FAULTS[kind]: 1}


def test_nothing_is_sent_beyond_the_budget() -> None:
    ask, model, _ = asker(always="fine", budget=Budget(calls=2))
    for _ in range(2):
        ask.ask(ASK, {}, lambda answer: answer, tries=1)
    with pytest.raises(BudgetSpent):
        ask.ask(ASK, {}, lambda answer: answer, tries=1)
    assert len(model.calls) == 2
    ask, model, _ = asker(always=LLMTimeout("t"), budget=Budget(tokens=12))
    with pytest.raises(BudgetSpent):
        ask.ask(ASK, {}, lambda answer: answer, tries=9)
    assert 0 < len(model.calls) < 4
    assert 0 < ask.tokens <= 12  # failed calls are paid for
    assert ask.anew().tokens == 0


def test_models_of_others_answer_and_fail_in_their_own_way() -> None:
    assert said("x").text == "x"
    assert said({"a": "ё"}).text == '{"a": "ё"}'
    for answer in (None, 3, object(), {"a": object()}):
        with pytest.raises(LLMMalformed):
            said(answer)
    ask, _, _ = asker(ValueError("secret text"))
    with pytest.raises(LLMServerError) as caught:
        ask.ask(ASK, {}, lambda answer: answer, tries=1)
    assert "secret" not in f"{caught.value}{caught.value.__cause__}"
    ask, _, _ = asker()
    with pytest.raises(AssertionError):
        ask.ask(ASK, {}, lambda answer: answer, tries=3)


@pytest.mark.parametrize(("part", "kind", "example"), _FOREIGN)
def test_names_of_foreign_errors(part: str, kind: type[LLMError], example: str) -> None:
    assert type(foreign(type(example, (Exception,), {})("x"))) is kind
    assert type(foreign(TimeoutError())) is LLMTimeout


def test_resolve_and_third_parties(monkeypatch: pytest.MonkeyPatch) -> None:
    for nothing in (None, "", " None "):
        assert resolve(nothing, env={}) is None
    model = ScriptedModel()
    assert resolve(model) is model
    assert known() == sorted(known())
    monkeypatch.setitem(base.PROVIDERS, "mine", lambda name, env: ScriptedModel(name))
    assert resolve("mine:x:y").complete(ASK) == "x:y"  # type: ignore[union-attr]
    monkeypatch.setitem(base.PROVIDERS, "broken", "no.such.module:create")
    with pytest.raises(mnemic.InvalidInput):
        resolve("broken:x")


def test_nothing_heavy_is_imported() -> None:
    import subprocess

    code = (
        "import sys, mnemic.llm; mnemic.llm.resolve('ollama:x'); print('httpx' in sys.modules, 'numpy' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "False False\n"
    )
