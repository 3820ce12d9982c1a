"""Recall on real coding transcripts: from the subject of a commit to the session that made it.

``python bench/transcripts.py [--embedder NAME] [--json FILE]``: imports every transcript of ``../shared/data/sessions``
as a user would, then asks with each commit's subject line and looks for its session among the first five.
"""

from __future__ import annotations

import argparse
import json
import lzma
import tempfile
import time
from pathlib import Path
from typing import Any

from corpus import SHARED

from mnemic import Config, Memory
from mnemic.evaluate import metrics

SESSIONS = SHARED / "data" / "sessions"


def unpack(folder: Path) -> None:
    """The transcripts as files of their own."""
    for source in sorted((SESSIONS / "claude_code").glob("*.jsonl.xz")):
        (folder / source.name.removesuffix(".xz")).write_bytes(lzma.decompress(source.read_bytes()))


def sessions_in_order(memory: Memory, question: str) -> list[str]:
    """Session ids of the hits, each once, best first."""
    hits = memory.recall(question, limit=60).hits
    return list(dict.fromkeys((h.node.session or "").rsplit(":", 1)[-1] for h in hits))


def main() -> None:
    """Import, ask, print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    commits = json.loads((SESSIONS / "commit_to_session.json").read_text(encoding="utf-8"))
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory(":memory:", embedder=arguments.embedder, config=Config(background=False)) as memory,
    ):
        unpack(Path(folder))
        counts = memory.import_(folder)
        began = time.perf_counter()
        memory.flush()
        embedding = time.perf_counter() - began
        known = {s.key.rsplit(":", 1)[-1] for s in memory.sessions(limit=10_000)}
        asked = [c for c in commits if set(c["session_ids"]) & known]
        ranked = [(sessions_in_order(memory, c["subject"]), c["session_ids"]) for c in asked]
    result: dict[str, Any] = {
        "files": counts.files,
        "messages": counts.stored,
        "sessions": len(known),
        "import_seconds": round(counts.seconds, 1),
        "embedding_seconds": round(embedding, 1),
        "commits": len(asked),
        "hit@1": metrics.mean([metrics.hit_at(found, wanted, 1) for found, wanted in ranked]),
        "hit@5": metrics.mean([metrics.hit_at(found, wanted, 5) for found, wanted in ranked]),
        "mrr": metrics.mean([metrics.reciprocal_rank(found, wanted) for found, wanted in ranked]),
        "standard_error_hit@5": metrics.standard_error([metrics.hit_at(found, wanted, 5) for found, wanted in ranked]),
    }
    print(json.dumps(result, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
