"""Real exports and transcripts (not part of this repository): all are read, and what was typed comes out."""

from __future__ import annotations

import lzma
from collections import Counter
from pathlib import Path

import pytest
from importing import EVERYTHING, run

from mnemic.ingest.importers import recognise
from mnemic.text.secrets import mask
from shared import SHARED

pytestmark = pytest.mark.skipif(SHARED is None, reason="the shared material is absent (set MNEMIC_SHARED)")
EXPORTS = sorted((SHARED / "data" / "exports").glob("*/*")) if SHARED else []
SESSIONS = sorted((SHARED / "data" / "sessions" / "claude_code").glob("*.xz")) if SHARED else []
NAMES = {"claude_code": "claude-code", "claude_ai": "claude-ai"}
INJECTED = (
    "<system-reminder",
    "<command-",
    "<local-command",
    "<bash-",
    "[Request interrupted",
    "Caveat:",
    "<environment_context",
)


@pytest.mark.parametrize("path", EXPORTS, ids=lambda path: path.name)
def test_exports(path: Path) -> None:
    found = recognise(path)
    if "invalid" in path.name:
        assert found is None
        return
    assert found is not None
    assert found.name == NAMES.get(path.parent.name, path.parent.name)
    few, all_ = run(found.name, path), run(found.name, path, keep=EVERYTHING)
    assert len(few.records) + few.skips.total() == len(all_.records) + all_.skips.total()
    assert few.records or all_.records or few.skips
    assert not [text for text in few.said("user") if text.lstrip().startswith(INJECTED)]
    assert {r.key: r.text for r in few.records} == {r.key: r.text for r in run(found.name, path).records}


@pytest.mark.slow
def test_transcripts(tmp_path: Path) -> None:
    """130 sessions: all recognised, keys unique, user rows are typed words, reading on gives the same."""
    totals: Counter[str] = Counter()
    masked: Counter[str] = Counter()
    for packed in SESSIONS:
        path = tmp_path / packed.stem
        path.write_bytes(lzma.decompress(packed.read_bytes()))
        format_ = recognise(path)
        assert format_ is not None, path
        totals[format_.name] += 1
        found = run(format_.name, path)
        assert len({r.key for r in found.records}) == len(found.records)
        assert not [text for text in found.said("user") if text.lstrip().startswith(INJECTED)]
        assert all(record.at for record in found.records)
        for record in found.records:
            totals[record.role] += 1
            masked.update(mask(record.text)[1])
        if format_.name == "claude-code" and found.records:
            size = path.stat().st_size
            half = run(format_.name, path.read_bytes()[: size // 2], path=str(path))
            rest = run(format_.name, path, offset=half.offset)
            texts = {r.key: r.text for r in half.records}
            for record in rest.records:
                if len(record.text) > len(texts.get(record.key, "")):
                    texts[record.key] = record.text
            assert texts == {r.key: r.text for r in found.records}
    assert totals["claude-code"] == 126
    assert totals["gemini"] == 4
    assert 450 < totals["user"] < 600
    assert totals["assistant"] > 2000
    assert masked.total() < 20
