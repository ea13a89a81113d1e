"""Rewards in TRL itself, and tensors that are read where they lie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

import bleuprint as bp
from bleuprint.core import counts
from tests.with_torch.integrations.test_examples import EXAMPLES, import_program


def test_grpo_trains_with_the_reward(tmp_path: Path) -> None:
    program = import_program(EXAMPLES / "trl_reward" / "train.py")
    batches: list[tuple[list[str], list[str], list[float]]] = []

    def recorded(completions: list[str], reference: list[str], **columns: Any) -> list[float]:
        rewards: list[float] = program.gleu_reward(completions, reference, **columns)
        batches.append((completions, reference, rewards))
        return rewards

    logged = program.train(3, str(tmp_path), recorded)
    assert len(logged) == len(batches) == 3
    for mean, (completions, references, rewards) in zip(logged, batches, strict=True):
        assert len(completions) == 16
        alone = bp.sentence_gleus(completions, references, tokenizer="whitespace", max_order=1)
        assert rewards == alone.tolist()
        assert mean == pytest.approx(alone.mean(), abs=1e-6)  # TRL logs single precision


@pytest.mark.parametrize("kind", [torch.int32, torch.int64])
def test_tensors_are_not_copied(kind: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    """The core receives the address of the tensor's own memory."""
    received = []
    ids_column = counts.column_from_ids

    def watched(matrix: Any, *rest: Any) -> Any:
        received.append((matrix.ctypes.data, matrix.shape, matrix.strides))
        return ids_column(matrix, *rest)

    monkeypatch.setattr(counts, "column_from_ids", watched)
    batch = torch.tensor([[5, 6, 7, 0], [5, 9, 0, 0]], dtype=kind)
    padded, part = bp.token_ids(batch, pad=0), bp.token_ids(batch[:, 1:3])
    size = batch.element_size()
    assert received[0] == (batch.data_ptr(), (2, 4), (4 * size, size))
    assert received[1] == (batch.data_ptr() + size, (2, 2), (4 * size, size))
    assert (
        bp.sentence_gleus(padded, [[5, 6, 7], [5, 8]]).tolist()
        == bp.sentence_gleus([[5, 6, 7], [5, 9]], [[5, 6, 7], [5, 8]]).tolist()
    )
    assert bp.sentence_gleus(part, [[6, 7], [9, 0]]).tolist() == [1.0, 1.0]
