"""Small SentencePiece models, trained for tests."""

from __future__ import annotations

from pathlib import Path

import sentencepiece


def trained(folder: Path, name: str = "tiny", words: tuple[str, ...] = ("sat", "lay", "slept")) -> Path:
    """Train a model on a few sentences with these words and return its file."""
    lines = [f"the cat {word} on the mat. {number}" for word in words for number in range(40)]
    (folder / "lines.txt").write_text("\n".join(lines), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(folder / "lines.txt"),
        model_prefix=str(folder / name),
        vocab_size=320,
        hard_vocab_limit=False,
        byte_fallback=True,
        minloglevel=2,
    )
    return folder / f"{name}.model"
