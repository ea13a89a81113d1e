"""Metrics in training loops with torch: beside torchmetrics batch by batch, and over real processes."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
import torch
from torchmetrics.text import BLEUScore, CHRFScore, SacreBLEUScore, TranslationEditRate

import bleuprint as bp
from bleuprint.metrics import registry
from tests.with_torch.integrations.texts import PREDICTIONS, REFERENCES, own_score

BATCHES = [(PREDICTIONS[begin : begin + 2], REFERENCES[begin : begin + 2]) for begin in range(0, len(PREDICTIONS), 2)]


@pytest.mark.parametrize(
    ("ours", "theirs", "empty"),
    [
        (bp.BLEU(profile="torchmetrics"), BLEUScore(), True),
        (bp.BLEU(smoothing="none"), SacreBLEUScore(tokenize="13a"), True),
        # torchmetrics leaves empty predictions out of chrF, and nothing is wrong with them for its TER.
        (bp.CHRF(eps_smoothing=True), CHRFScore(n_word_order=0), False),
        (bp.CHRF(eps_smoothing=True, profile="chrf++"), CHRFScore(), False),
        (bp.TER(lowercase=True), TranslationEditRate(lowercase=True), False),
    ],
)
def test_equal_to_torchmetrics_batch_by_batch(ours: Any, theirs: Any, empty: bool) -> None:
    """In the float32 that torchmetrics computes with."""
    for predictions, references in (batch for batch in BATCHES if empty or "" not in batch[0]):
        ours.update(predictions, references)
        theirs.update(predictions, references)
        assert ours.compute().value == pytest.approx(float(theirs.compute()), rel=1e-5, abs=1e-7)
    assert ours.compute().value > 0.1


def of_one_process(rank: int, port: int, folder: str) -> None:
    torch.distributed.init_process_group("gloo", f"tcp://127.0.0.1:{port}", rank=rank, world_size=2)
    found: dict[str, Any] = {}
    for name in ("bleu", "rouge", "self-bleu"):
        metric = registry.resolve(name)
        metric.update(PREDICTIONS[rank::2], REFERENCES[rank::2] if metric.needs_references else None)
        states: list[Any] = [None, None]
        torch.distributed.all_gather_object(states, metric.state())
        together = metric.fresh()
        for state in states:
            together.add_state(state)
        found[name] = together.compute().value, metric.compute().value
    torch.save(found, f"{folder}/{rank}.pt")
    torch.distributed.destroy_process_group()


def test_two_processes_give_the_number_of_one(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torch.multiprocessing.spawn(of_one_process, (port, str(tmp_path)), nprocs=2)
    for rank in range(2):
        for name, values in torch.load(tmp_path / f"{rank}.pt").items():
            assert values == (own_score(name), own_score(name, slice(rank, None, 2))), (rank, name)


def test_a_checkpoint_holds_the_state(tmp_path: Path) -> None:
    torch.save(bp.ROUGE().update(*BATCHES[0]).state(), tmp_path / "state.pt")
    again = bp.ROUGE().add_state(torch.load(tmp_path / "state.pt", weights_only=True))
    for batch in BATCHES[1:]:
        again.update(*batch)
    assert again.compute().value == own_score("rouge")
