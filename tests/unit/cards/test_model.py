"""Digests by a model: what it is shown, what is believed of its answer, what stands in where it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cardkit import RUNBOOK

from mnemic import Config, LLMError, LLMRefused, LLMServerError, Memory
from mnemic.testing import FrozenClock, ScriptedModel

GOOD = {
    "summary": ["Refunds take five days.", "The Stripe key is rotated monthly."],
    "questions": ["How long does a refund take?", "Who holds the payment credentials?"],
}


def opened(tmp_path: Path, model: ScriptedModel) -> Memory:
    quiet = Config(background=False, consolidate=False)
    return Memory(tmp_path / "m.db", embedder=None, llm=model, config=quiet, clock=FrozenClock("2099-01-01"))


def test_the_model_writes_digest_and_questions(tmp_path: Path) -> None:
    model = ScriptedModel(GOOD)
    with opened(tmp_path, model) as memory:
        card = memory.cards.add(text=RUNBOOK, title="Billing")
        assert "- Refunds take five days." in card.digest
        assert card.made_by == f"{model.name}/digest.v1"
        assert card.answers["questions"] == tuple(GOOD["questions"])
        assert "Grace period" in card.answers["defined"]
        (found,) = memory.cards.route("who holds the payment credentials?")
        assert "question “Who holds the payment credentials?”" in found.why
        memory.cards.refresh()  # nothing changed: the model is not asked again
    asked = json.dumps(model.calls[0].messages, ensure_ascii=False)
    assert len(model.calls) == 1
    assert "ledger service" in asked


@pytest.mark.parametrize("answers", [
    [LLMRefused("no")], [LLMServerError("down")] * 2, ["not json"] * 2, [{"summary": []}] * 2, [{"summary": "x"}] * 2,
    [{"summary": [1, None, ""]}] * 2, [RuntimeError("x")] * 2, [LLMError("key")],
])  # fmt: skip
def test_where_it_fails_the_method_stands_in(
    tmp_path: Path, answers: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    with opened(tmp_path, ScriptedModel(*answers)) as memory:  # type: ignore[arg-type]
        card = memory.cards.add(text=RUNBOOK, title="Billing")
        assert card.made_by == "cards/1"
        assert "Refunds go through the ledger service" in card.digest
    with opened(tmp_path, ScriptedModel(GOOD)) as memory:  # the next night it is better
        memory.sleep()
        assert memory.cards.list()[0].made_by.endswith("/digest.v1")  # type: ignore[union-attr]


def test_lines_of_a_model_are_bounded_and_masked(tmp_path: Path) -> None:
    key = "sk-ant-api03-" + "aB3dE5fG7hJ9kL1mN" * 5
    answer = {"summary": [f"The key is {key}.\n# Head", "x" * 5_000, *["more"] * 50], "questions": ["q\nr"] * 50}
    with opened(tmp_path, ScriptedModel(answer)) as memory:
        card = memory.cards.add(text=RUNBOOK, title="Billing")
    assert key not in card.digest
    assert card.digest.count("\n# ") == 0
    assert len(card.digest) < 2_000
    assert card.answers["questions"] == ("q r",)


def test_secrets_are_not_shown_to_the_model(tmp_path: Path) -> None:
    key = "sk-ant-api03-" + "aB3dE5fG7hJ9kL1mN" * 5
    model = ScriptedModel(GOOD)
    with opened(tmp_path, model) as memory:
        memory.cards.add(text=f"# Keys\n\nThe key is {key}. It is old.", title="Keys")
    assert key not in json.dumps(model.calls[0].messages)
