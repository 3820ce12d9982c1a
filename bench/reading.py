"""What the reader makes of text that others wrote: ``python bench/reading.py [--seed 7] [--show] [--count] [--sets NAME …]``.

Consolidates the development sets of the shared data by rules alone and prints facts per 1,000 messages and messages
per second. Then a random sample of 150 facts and all endings are judged by ``bench/reading.json``, where people have
written what they think of each (a hash of message and fact → verdict; no text, since the data may not be copied):
``keep`` (right and worth keeping), ``useless`` (right), ``wrong``, ``whose`` (of another), ``when`` (at another time);
endings ``right`` or ``wrong``. ``--show`` prints what is not judged yet beside its message, ``--count`` writes into the
rows (``lang/*/reader.toml``) how often each has fired.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import lzma
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from corpus import SHARED
from transcripts import unpack

from mnemic import Config, Memory
from mnemic.clock import to_datetime
from mnemic.consolidate.claims import Candidate, Said
from mnemic.consolidate.reader import Rules, rows
from mnemic.lang.pack import FOLDER

SETS = ("locomo", "beam_100K", "realmem", "carmem", "prefeval_dev", "longmemeval_oracle", "koziev_ru", "lifebench_dev")
#: Of these every message is another person's: nothing said in one ends what another says.
STRANGERS = frozenset({"prefeval_dev", "koziev_ru"})
VERDICTS = Path(__file__).with_name("reading.json")
SAMPLE = 150
START = 1_700_000_000_000_000
FORMS = ("%B-%d-%Y", "%Y-%m-%d", "%Y-%m-%d (%A)", "%Y/%m/%d (%a) %H:%M", "%I:%M %p on %d %B, %Y")
Told = dict[str, list[Said]]


def conversations(name: str) -> Told:
    """The messages of people in a set, by conversation, in the order of the file."""
    out: Told = {}
    if name in ("sessions", "exports"):
        return _imported(name)
    with lzma.open(SHARED / "data" / "benchmarks" / f"{name}.docs.jsonl.xz", "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            row = json.loads(line)
            who = row["speaker"]
            if who.lower() == "assistant" or not row["text"].strip():
                continue
            speaker = None if who.lower() == "user" or name == "lifebench_dev" else who
            place = f"{name}/{number}" if name in STRANGERS else f"{name}/{row['conv']}"
            said = Said(f"{name}/{number}", row["text"], _time(row.get("time"), number), "user", speaker)
            out.setdefault(place, []).append(said)
    return out


def _time(told: str | None, number: int) -> int:
    for form in FORMS:
        with contextlib.suppress(ValueError, TypeError):
            begun = datetime.strptime(str(told), form).replace(tzinfo=UTC).timestamp()
            return int(begun * 1_000_000) + number * 1_000_000
    return START + number * 60_000_000


def _imported(name: str) -> Told:
    """What an import makes of the coding transcripts, or of the exports."""
    with tempfile.TemporaryDirectory() as folder, Memory(":memory:", embedder="none", config=QUIET) as memory:
        if name == "sessions":
            unpack(Path(folder))
        memory.import_(folder if name == "sessions" else SHARED / "data" / "exports")
        nodes = memory.timeline(kinds=["episodic"], limit=100_000)
        out: Told = {}
        for node in sorted(nodes, key=lambda n: n.event_time):
            said = Said(node.id, node.content, node.event_time, node.role, node.speaker, node.origin, node.trust)
            out.setdefault(f"{name}/{node.session}", []).append(said)
        return out


QUIET = Config(background=False)


def key(*parts: str) -> str:
    """What a verdict is filed under: a hash, as the texts may not be copied."""
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()[:16]


def endings(told: Told) -> Iterator[tuple[str, str, str]]:
    """Facts that consolidation has ended, with what ended them: (fact, successor or time, message)."""
    with Memory(":memory:", embedder="none", config=QUIET) as memory:
        for place, page in told.items():
            for said in page:
                memory.observe(said.text, role=said.role, speaker=said.speaker, at=to_datetime(said.at), session=place, space=place)  # fmt: skip
            memory.consolidate(space=place)
            texts = {said.at: said.text for said in page}
            with memory._store.reader() as reader:  # no public listing shows what has ended
                ended = (
                    "select row from nodes where kind != 'episodic' and hidden_at is null and valid_until is not null"
                )
                numbers = [row for (row,) in reader.execute(ended)]
            for node in memory._store.nodes(numbers).values():
                if node.valid_until is not None and node.attributes.get("act") != "end" and node.space == place:
                    yield (
                        node.content,
                        str(to_datetime(node.valid_until))[:10],
                        texts.get(node.valid_until, "(earlier or later)"),
                    )


def main() -> None:
    """Read, time, sample, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", nargs="*", default=[*SETS, "sessions", "exports"])
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--no-endings", action="store_true")
    arguments = parser.parse_args()
    verdicts = json.loads(VERDICTS.read_text(encoding="utf-8")) if VERDICTS.exists() else {}
    reader, found, over = Rules(), list[tuple[Said, Candidate]](), list[tuple[str, str, str]]()
    for name in arguments.sets:
        told = conversations(name)
        every = [said for page in told.values() for said in page]
        began = time.process_time()
        candidates = [c for page in told.values() for c in reader.extract(page, {}).candidates]
        seconds = time.process_time() - began
        by_id = {said.id: said for said in every}
        found += [(by_id[c.source], c) for c in candidates]
        ended = [] if arguments.no_endings or name in STRANGERS else list(endings(told))
        over += ended
        print(f"{name:20} {len(every):6} messages {len(candidates):5} facts {1000 * len(candidates) / max(1, len(every)):6.1f} "
              f"per 1,000 {len(every) / seconds:8.0f} messages/s {len(ended):4} endings")  # fmt: skip
    if arguments.count:
        count(said for said, _ in found)
    sample = random.Random(arguments.seed).sample(found, min(SAMPLE, len(found)))
    judged = Counter[str]()
    for said, c in sample:
        id_ = key(said.text, c.content)
        judged[verdicts.get(id_, "unjudged")] += 1
        if arguments.show and id_ not in verdicts:
            print(f"\n{id_} [{c.content}] {c.predicate} {c.act}\n    {said.speaker or said.role}: {c.quote[:300]!r}")
    ends = Counter[str]()
    for fact, at, text in over:
        id_ = key(text, fact, "ended")
        ends[verdicts.get(id_, "unjudged")] += 1
        if arguments.show and id_ not in verdicts:
            print(f"\n{id_} ENDED [{fact}] at {at}\n    {text[:300]!r}")
    report(judged, ends)


def report(judged: Counter[str], ends: Counter[str]) -> None:
    """The figures of the sample and of the endings."""
    n = judged.total() - judged["unjudged"]
    right = judged["keep"] + judged["useless"]
    print(f"\nsample {dict(judged)}\nendings {dict(ends)}")
    if n:
        print(f"precision {right / n:.3f}, worth keeping {judged['keep'] / n:.3f} of {n} judged")
    if m := ends.total() - ends["unjudged"]:
        print(f"endings right {ends['right'] / m:.3f} of {m}")


def count(fired: Iterable[Said]) -> None:
    """Write into each row how often it has fired."""
    from mnemic.consolidate.reader import facts

    seen = Counter[tuple[str, int]]()
    taken = facts._taken

    def counting(place: facts._Place, row: rows.Row, *rest: object) -> Iterator[Candidate]:
        for candidate in taken(place, row, *rest):  # type: ignore[arg-type]
            seen[row.language, row.number] += 1
            yield candidate

    facts._taken = counting
    try:
        Rules().extract(list({said.id: said for said in fired}.values()), {})
    finally:
        facts._taken = taken
    for language in rows.tables():
        path = FOLDER / language.code / "reader.toml"
        head, *blocks = path.read_text(encoding="utf-8").split("[[row]]\n")
        for number, block in enumerate(blocks, 1):
            block = re.sub(r"(?m)^seen = \d+\n", "", block)
            blocks[number - 1] = block.replace("examples = ", f"seen = {seen[language.code, number]}\nexamples = ", 1)
        path.write_text("[[row]]\n".join([head, *blocks]), encoding="utf-8")


if __name__ == "__main__":
    main()
