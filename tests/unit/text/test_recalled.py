"""Blocks of recalled memory in a text: found, taken out, and the rest left as it was said."""

from __future__ import annotations

import itertools

import pytest

from mnemic.text.recalled import FOOT, HEAD, SEASON, blocks, without_memory

LINES = (
    "## What is known\n- [2026-03-01, user] Ledger runs on Postgres (until 2026-04-01: MySQL)\n**Vera**\n- Likes: tea"
)
BLOCK = f"{HEAD}\n{LINES}\n{SEASON}gifts (2024, 2025)\n{FOOT}"
QUOTED = "\n".join(f"> {line}" for line in BLOCK.split("\n"))
ESCAPED = BLOCK.replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


@pytest.mark.parametrize("block", [BLOCK, QUOTED, ESCAPED, f"{HEAD}{LINES}{FOOT}", f"<mnemic-memory>{LINES}{FOOT}",
                                   f"> {QUOTED}", BLOCK.replace("\n", "\r\n"), " ".join(BLOCK.split())])  # fmt: skip
@pytest.mark.parametrize("words", ["Where do invoices go?", "Куда отправлять счета?", "    indented(code)\n\nand more"])
def test_a_block_goes_and_the_words_stay(block: str, words: str) -> None:
    said = words.strip()
    assert without_memory(f"{block}\n{words}") == said
    assert without_memory(f"{block}\n\n{words}\n\n{block}") == said
    assert without_memory(f"{words}\n\n{block}") == said
    assert without_memory(f"First.\n\n{block}\n\n{words}") == f"First.\n\n{words}"
    assert without_memory(block) == ""


@pytest.mark.parametrize("words", ["Where do invoices go?", "Куда отправлять счета?", "1. buy milk"])
@pytest.mark.parametrize(
    "cut",
    [f"{HEAD}\n{LINES}\n", f"{HEAD}\n{LINES}\n\n", f"{HEAD}\n## What is known\n- [2026-03-01, us\n", f"{HEAD}\n",
     f"{HEAD}\n{LINES}\n</mnemic-mem\n", f"> {HEAD}\n> - [2026-03-01] tea\n", f"<mnemic-memory>\n{LINES}\n"],
)  # fmt: skip
def test_a_block_that_was_cut_goes_to_the_end_of_its_lines(cut: str, words: str) -> None:
    assert without_memory(cut + words) == words
    assert without_memory(f"{cut}\n{words}\n\n{BLOCK}") == words, "what is whole ends only itself"
    assert without_memory(cut) == without_memory(HEAD[:40]) == ""


def test_blocks_in_blocks() -> None:
    nested = BLOCK.replace("- Likes: tea", f"- [2026-03-01, user] {BLOCK}\n- after it")
    assert without_memory(f"{nested}\nwords") == "words"
    assert without_memory(f"{HEAD}\n- a\n{nested}\nwords") == "words"


@pytest.mark.parametrize(
    "text",
    ["", "plain", "a <mnemic-memory> b", "the block ends with </mnemic-memory>", "  kept  as it is \n",
     "it begins with `<mnemic-memory note=…>` and ends with `</mnemic-memory>`", "mnemic-memory is a name"],
)  # fmt: skip
def test_what_only_speaks_of_blocks_stays(text: str) -> None:
    assert without_memory(text) == text


@pytest.mark.parametrize("text", ["<mnemic-memory" * 8_000, "<mnemic-memory x>- " * 20_000, "<mnemic-memory>" * 20_000
                                  + FOOT * 20_000, (HEAD + "\n") * 10_000, "> " * 100_000 + HEAD, f"{FOOT} \n" * 20_000])  # fmt: skip
def test_hostile_texts_take_no_longer(text: str) -> None:
    places = blocks(text)
    assert all(a[1] < b[0] for a, b in itertools.pairwise(places))
    without_memory(text)
