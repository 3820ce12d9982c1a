"""Formats are told by content, names play no part."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from importing import FIXTURES, FORMATS

from mnemic.errors import InvalidInput
from mnemic.ingest.importers import get, importers, recognise


@pytest.mark.parametrize(("name", "format_"), FORMATS.items())
@pytest.mark.parametrize("suffix", [None, ".bin", ".jsonl"])
def test_fixtures_are_recognised_under_any_name(name: str, format_: str, suffix: str | None, tmp_path: Path) -> None:
    place = tmp_path / (name if suffix is None else f"x{suffix}")
    shutil.copy(FIXTURES / name, place)
    found = recognise(place)
    assert found is not None
    assert found.name == format_


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks_do_not_hide_a_format(name: str, encoding: str, tmp_path: Path) -> None:
    place = tmp_path / name
    place.write_bytes((FIXTURES / name).read_text(encoding="utf-8").encode(encoding))
    found = recognise(place)
    assert found is not None
    assert found.name == FORMATS[name]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\1\2\3" * 99,
        b'{"invalid": "this is nothing"}',
        b"[1, 2]",
        b"\x89PNG\r\n\x1a\n",
        b"{",
        b"<html></html>",
    ],
)
def test_other_files_are_nobodys(data: bytes, tmp_path: Path) -> None:
    place = tmp_path / "conversations.json"
    place.write_bytes(data)
    assert recognise(place) is None


def test_the_registry() -> None:
    names = [importer.name for importer in importers()]
    assert len(names) == len(set(names)) == 12
    assert all(get(name).name == name for name in names)
    with pytest.raises(InvalidInput, match="one of claude-code, codex"):
        get("word-perfect")


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="gone"):
        recognise(tmp_path / "gone.json")
