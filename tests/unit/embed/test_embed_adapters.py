"""Adapters of other packages, with tiny weights made here; skipped where the package is not installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnemic.embed import blank, resolve
from mnemic.errors import EmbeddingError

WORDS = ["[UNK]", "[PAD]", "cat", "dog", "likes", "fish", "query", "passage"]


def tokenizer() -> Any:
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({word: i for i, word in enumerate(WORDS)}, "[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return made


def weights(dimension: int = 16) -> np.ndarray:
    return np.random.default_rng(7).normal(size=(len(WORDS), dimension)).astype(np.float32)


@pytest.fixture
def static_model(tmp_path: Path) -> str:
    model2vec = pytest.importorskip("model2vec")
    folder = tmp_path / "tiny"
    model2vec.StaticModel(weights(), tokenizer(), normalize=True).save_pretrained(str(folder))
    return str(folder)


def test_model2vec(static_model: str) -> None:
    embedder = resolve(f"model2vec:{static_model}", env={})
    assert embedder is not None
    assert embedder.dimension == 16
    rows = embedder.embed(["cat likes fish", "dog likes fish", "cat"], kind="document")
    assert rows[0] @ rows[1] > 0.5 > rows[1] @ rows[2]
    expected = weights()[2] / np.linalg.norm(weights()[2])
    np.testing.assert_allclose(rows[2], expected, atol=1e-3)


def test_model2vec_answers_unknown_words_with_blank(static_model: str) -> None:
    embedder = resolve(f"model2vec:{static_model}@8", env={})
    assert embedder is not None
    rows = embedder.embed(["zzz qqq", "cat"], kind="document")
    assert rows.shape == (2, 8)
    np.testing.assert_allclose(rows[0], blank(8))


@pytest.mark.parametrize(
    ("provider", "package"),
    [
        ("model2vec", "model2vec"),
        ("sentence-transformers", "sentence_transformers"),
        ("fastembed", "fastembed"),
    ],
)
def test_a_model_that_cannot_be_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, provider: str, package: str
) -> None:
    pytest.importorskip(package)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    embedder = resolve(f"{provider}:{tmp_path / 'nowhere'}", env={})
    assert embedder is not None
    with pytest.raises(EmbeddingError):
        embedder.embed(["cat"], kind="document")


@pytest.mark.filterwarnings("default")
def test_sentence_transformers(tmp_path: Path) -> None:
    package = pytest.importorskip("sentence_transformers")
    modules = pytest.importorskip("sentence_transformers.models")
    static = modules.StaticEmbedding(tokenizer(), embedding_weights=weights())
    model = package.SentenceTransformer(
        modules=[static], device="cpu", prompts={"query": "query ", "document": "passage "}
    )
    model.save_pretrained(str(tmp_path / "tiny"))
    embedder = resolve(f"sentence-transformers:{tmp_path / 'tiny'}", env={})
    assert embedder is not None
    assert embedder.dimension == 16
    asked, stored = (embedder.embed(["cat"], kind=kind)[0] for kind in ("query", "document"))
    for row, word in ((asked, "query"), (stored, "passage")):
        table = weights()
        mean = table[WORDS.index(word)] + table[WORDS.index("cat")]
        np.testing.assert_allclose(row, mean / np.linalg.norm(mean), atol=1e-3)
    assert resolve(f"{embedder.name}@4", env={}).embed(["cat"], kind="query").shape == (1, 4)  # type: ignore[union-attr]


@pytest.mark.filterwarnings("default")
def test_fastembed(tmp_path: Path) -> None:
    fastembed = pytest.importorskip("fastembed")
    onnx = pytest.importorskip("onnx")
    from fastembed.common.model_description import ModelSource, PoolingType

    from mnemic.embed.local import FastEmbed

    helper, kind = onnx.helper, onnx.TensorProto
    names = ("input_ids", "attention_mask")
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "tiny",
        [helper.make_tensor_value_info(name, kind.INT64, ["batch", "tokens"]) for name in names],
        [helper.make_tensor_value_info("last_hidden_state", kind.FLOAT, ["batch", "tokens", 16])],
        [onnx.numpy_helper.from_array(weights(), "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(tmp_path / "model.onnx"))
    tokenizer().save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "config.json").write_text('{"pad_token_id": 1}')
    (tmp_path / "tokenizer_config.json").write_text('{"model_max_length": 64, "pad_token": "[PAD]"}')
    (tmp_path / "special_tokens_map.json").write_text('{"pad_token": "[PAD]", "unk_token": "[UNK]"}')
    fastembed.TextEmbedding.add_custom_model(
        model="tiny/model",
        pooling=PoolingType.MEAN,
        normalization=True,
        sources=ModelSource(hf="tiny/model"),
        dim=16,
        model_file="model.onnx",
    )
    embedder = FastEmbed("tiny/model", specific_model_path=str(tmp_path))
    assert embedder.dimension == 16
    rows = embedder.embed(["cat", "dog likes fish"], kind="document")
    np.testing.assert_allclose(rows[0], weights()[2] / np.linalg.norm(weights()[2]), atol=1e-3)
    assert FastEmbed("tiny/model", 4, specific_model_path=str(tmp_path)).embed(["cat"], kind="query").shape == (1, 4)
