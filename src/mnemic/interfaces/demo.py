"""``make demo``: import transcripts (yours where there are any, else the sample) and ask a few questions.

The file is kept (``demo.db`` or ``demo-sample.db`` beside the default memory): a second run only reads what
is new. Nothing leaves this machine.
"""

from __future__ import annotations

import os
import sys
import time
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from mnemic.config import Config
from mnemic.errors import MnemicError
from mnemic.memory import Memory

from .cli.common import one_line, prepare_process, who
from .cli.write import Outcome, print_counts, run_import
from .places import default_db, own_transcripts, samples

#: So much of the newest transcripts is read, to keep a first look short; `mnemic import` reads all.
MOST_BYTES = 40_000_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demonstration; ``--sample`` takes the sample even where there are transcripts."""
    prepare_process()
    given = sys.argv[1:] if arguments is None else arguments
    try:
        return run(sample="--sample" in given)
    except MnemicError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted; run it again to go on", file=sys.stderr)
        return 130


def run(*, sample: bool) -> int:
    """Import, ask, show a context block."""
    asked = tomllib.loads((files(__package__) / "demo.toml").read_text(encoding="utf-8"))
    own = [] if sample else newest(own_transcripts())
    if own:
        outcome = fill("demo.db", own)
        if not outcome.nothing:
            return ask("demo.db", asked["own"], None)
        print("Your transcripts hold no messages yet: here is the sample.\n")
    else:
        print("No transcripts of yours found: here is the sample (two languages, four conversations).\n")
    fill("demo-sample.db", [str(samples())])
    return ask("demo-sample.db", asked["sample"], asked["prompt"])


def newest(folders: list[tuple[str, Path]]) -> list[str]:
    """The newest transcripts, up to :data:`MOST_BYTES`."""
    files: list[tuple[float, int, str]] = []
    for program, folder in folders:
        print(f"{program}: {folder}")
        for place, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(place, name)
                if name.endswith((".jsonl", ".json")) and os.path.isfile(path):
                    stat = os.stat(path)
                    files.append((stat.st_mtime, stat.st_size, path))
    taken: list[str] = []
    room = MOST_BYTES
    for _, size, path in sorted(files, reverse=True):
        if size <= room:
            taken.append(path)
            room -= size
    if len(taken) < len(files):
        print(f"reading the newest {len(taken)} of {len(files)} files; `mnemic import` reads all")
    return taken


def demo_memory(name: str) -> Memory:
    """The demonstration's file, beside the default memory."""
    folder = default_db().parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Memory(folder / name, config=Config.load(background=False))


def fill(name: str, paths: list[str]) -> Outcome:
    """Import and embed."""
    with demo_memory(name) as memory:
        print(f"into {memory.path}, embedder {memory.embedder or 'none (search by words)'}\n")
        outcome = run_import(memory, paths, format="auto", dry_run=False, keep=None, embed=True)
    print_counts(outcome)
    return outcome


def ask(name: str, questions: Sequence[str], prompt: str | None) -> int:
    """Ask the questions, print answers with their reasons, then one context block."""
    with demo_memory(name) as memory:
        memory.recall("warm up")  # loads the model, so that the times below are those of a running agent
        for question in questions:
            began = time.perf_counter()
            answer = memory.recall(question, limit=3)
            took = (time.perf_counter() - began) * 1000
            print(f"\n\N{BLACK RIGHT-POINTING TRIANGLE} {question}   [{answer.sufficiency}, {took:.0f} ms]")
            if answer.sufficiency == "none":
                print("   not known: an agent should say so" + (", though this is near:" if answer.hits else ""))
            for rank, hit in enumerate(answer.hits[: 1 if answer.sufficiency == "none" else 3], 1):
                print(f"   {rank}. {hit.node.at:%Y-%m-%d} {who(hit.node)}: {one_line(hit.node.content, 220)}")
                print(f"      why: {hit.why}")
        prompt = prompt or last_prompt(memory)
        if prompt:
            print(f"\n\N{BLACK RIGHT-POINTING TRIANGLE} context for the prompt: {one_line(prompt, 100)}\n")
            block = memory.context(prompt, budget=600)
            print(block.text if block else "nothing relevant is known")
    print("\nNext: mnemic import, then mnemic recall 'a question of yours'")
    return 0


def last_prompt(memory: Memory) -> str | None:
    """How the user opened the latest conversation."""
    for session in memory.sessions(limit=5):
        for node in memory.timeline(session=session.key, limit=5, roles=["user"]):
            return node.content[:500]
    return None


if __name__ == "__main__":
    raise SystemExit(main())
