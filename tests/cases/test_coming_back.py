"""A memory block that comes back, observed with its prompt or imported with a transcript, is not remembered again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from casekit import Make
from importkit import claude, codex, put

from mnemic import InvalidInput, Memory
from mnemic.text.recalled import FOOT, HEAD
from mnemic.tools import Tools

BLOCK = f"{HEAD}\n## What was said, and when\n- [2026-03-01, user] Ledger runs on Postgres.\n{FOOT}"
TOLD = ["Invoices go to Acme in Berlin.", "The deploy key lives in the vault.", "Счета отправляем в бухгалтерию Ромашки.",
        "Релиз выходит в пятницу."]  # fmt: skip


def contents(memory: Memory) -> list[str]:
    return [node.content for node in memory.timeline(limit=1_000)]


@pytest.mark.parametrize(
    "prompt", ["Where do invoices go?", "Куда отправлять счета?", "Who has the deploy key, and why?"]
)
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_four_rounds_do_not_grow_the_block(make: Make, prompt: str, role: str) -> None:
    memory = make(*TOLD)
    sizes = []
    for _ in range(5):
        block = memory.context(prompt)
        assert block is not None
        sizes.append(len(block.text))
        assert memory.observe(f"{block.text}\n\n{prompt}", role=role, session="chat").content == prompt
        memory.flush()
    assert sizes == [sizes[0]] * 5
    assert not any("mnemic-memory" in content for content in contents(memory))


@pytest.mark.parametrize(
    ("given", "kept"),
    [(BLOCK + "Ship it.", "Ship it."), (f"Раз.\n\n{BLOCK}\n\nДва.\n{BLOCK}", "Раз.\n\nДва."),
     (f"{HEAD}\n- [2026-03-01, user] Ledger\n\nКуда?", "Куда?"), ("> " + BLOCK.replace("\n", "\n> ") + "\nWhy?", "Why?")],
)  # fmt: skip
def test_every_door_takes_the_block_out(tmp_path: Path, given: str, kept: str) -> None:
    with Memory(tmp_path / "m.db", embedder="none") as memory:
        assert memory.observe(given).content == kept
        assert memory.observe(given, ack="accepted", key="k").content == kept
        assert memory.observe(kept, key="k").acknowledged == "known", "with the block and without is the same message"
        assert memory.remember(given).content == kept
        Tools(memory).remember_fact(given)
        memory.flush()
        assert set(contents(memory)) == {kept}


@pytest.mark.parametrize("text", [BLOCK, f"\n {BLOCK}\n\n{BLOCK} \n", f"{HEAD}\n- [2026-03-01, user] Ключ в сейфе"])
def test_nothing_but_a_block_is_refused_with_the_remedy(make: Make, text: str) -> None:
    memory = make()
    for write in (memory.observe, memory.remember):
        with pytest.raises(InvalidInput, match=r"nothing but recalled memory.*without the block") as refused:
            write(text)
        assert refused.value.field == "text"
        assert "Ledger" not in str(refused.value)
    assert contents(memory) == []


@pytest.mark.parametrize("prompt", ["Where do invoices go?", "Куда отправлять счета?", "- one\n- two"])
def test_importers_take_it_out_and_count_what_is_nothing_else(make: Make, tmp_path: Path, prompt: str) -> None:
    cut = BLOCK.removesuffix(FOOT)

    def rows(texts: list[str]) -> dict[str, list[Any]]:
        return {
            "claude.jsonl": [claude("user", text, f"u{i}", second=i) for i, text in enumerate(texts)],
            "codex.jsonl": [codex("user", text, second=i) for i, text in enumerate(texts)],
            "plain.jsonl": [{"role": "user", "content": text, "id": str(i)} for i, text in enumerate(texts)],
        }

    for name, lines in rows([f"{BLOCK}\n{prompt}", f"{cut}\n{prompt}", BLOCK, cut]).items():
        memory = make()
        counts = memory.import_(put(tmp_path / name, *lines))
        assert contents(memory) == [prompt] * 2, name
        assert counts.skipped.get("injected") == 2, name
        assert counts.read == counts.stored + sum(counts.skipped.values())
