"""What hostile texts cost: nearly matching pieces again and again, at one size and at four times that size.

A pattern that grows with the square of the text is what denial of service is made of. No test may look at a clock, so
it is measured here: ``python bench/hostile.py`` prints the worst of each reader, and ends with 1 where four times the
text takes more than eight times as long.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from mnemic.llm.reading import values

from mnemic.consolidate.reader.own import without_pasted
from mnemic.embed.chunks import chunk
from mnemic.errors import LLMError
from mnemic.lang.when import find
from mnemic.llm import Answer
from mnemic.text.analyse import search_text
from mnemic.text.instructions import baits
from mnemic.text.name_forms import canonical_forms
from mnemic.text.name_likeness import same_name
from mnemic.text.names import names
from mnemic.text.secrets import mask

SIZE = 25_000
MOST = 8.0  # times as long for four times the text
NOISE = 0.2  # seconds below which nothing is said
NOW = datetime(2026, 6, 20, tzinfo=UTC)
#: Of every reader; each has pieces of its own besides.
ANY = (
    "a",
    " ",
    "\n",
    "_",
    "a_",
    "'",
    "-",
    "a-",
    ".",
    ", ",
    "1",
    "1.",
    "A",
    "Ab ",
    "队",
    "\u0301",
    "не ",
    "«",
    "<",
    "{",
    "\U0001f600",
    "\ufdfa",
)


def answered(text: str) -> None:
    """Read what a model answers, broken or not."""
    with contextlib.suppress(LLMError):
        values(Answer(text))


READERS: Mapping[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "secrets": (mask,
        ("password:", "key=", "://a:", "-----BEGIN PRIVATE KEY-----", "eyJ.", "token: ", "пароль от "
                                                                                         "", "<private", "sk-")),
    "instructions": (baits,
        ("ignore all previous ", "send all the your ", "-- ", "system: ", "from now on ", "забудь все "
                                                                                          "", "если ты ии ")),
    "search terms": (search_text, ("AbC", "नि", "#", "+", ".\n")),
    "names": (names, ("Abc. ", "A'", "The ", "Ab\n")),
    "forms of names": (lambda text: (canonical_forms(text), same_name(text, text + "x")),
        ("Саше ", "Саше-", "а-", "С")),
    "times": (lambda text: find(text, NOW),
        ("last ", "3 days ", "the day before ", "10:00-", "2026-", "с понедельника ", "до ")),
    "pasted": (lambda text: without_pasted(text + ":"), ("output ", "x:\n", '"""', "from: a\n", "wrote ", "пишет ")),
    "chunks": (lambda text: chunk(text, 600), ("\n \r", "?'\"", "word ")),
    "answers of a model": (answered, ('{"a":', "```json\n", "<think>", "{},", "i'm sorry, ")),
}  # fmt: skip


def seconds(read: Callable[[str], object], text: str) -> float:
    """Processor time of one reading."""
    began = time.process_time()
    read(text)
    return time.process_time() - began


def main() -> int:
    """Measure all; returns the exit code."""
    bad = 0
    for name, (read, own) in READERS.items():
        read("warm up 3 days ago")
        worst = (0.0, 0.0, "")
        for piece in (*own, *ANY):
            short, long = (seconds(read, (piece * size)[:size]) for size in (SIZE, 4 * SIZE))
            if long > NOISE and long > MOST * short:
                bad += 1
                print(f"{name}: {piece!r} takes {short:.2f} s, and {long:.2f} s at four times the size")
            worst = max(worst, (long, short, piece))
        print(
            f"{name:<20} {worst[0]:6.3f} s for {4 * SIZE:,} characters of {worst[2]!r} ({worst[1]:.3f} s for {SIZE:,})"
        )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
