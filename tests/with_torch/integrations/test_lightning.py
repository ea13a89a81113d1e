"""RunningMetric beside torchmetrics, in a LightningModule, and over real processes."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
import pytorch_lightning as lightning
import torch
from torchmetrics.text import BLEUScore, CHRFScore, SacreBLEUScore, TranslationEditRate

from bleuprint.integrations.lightning import RunningMetric
from tests.with_torch.integrations.texts import PREDICTIONS, REFERENCES, own_score

BATCHES = [(PREDICTIONS[begin : begin + 2], REFERENCES[begin : begin + 2]) for begin in range(0, len(PREDICTIONS), 2)]


@pytest.mark.parametrize(
    ("name", "options", "theirs", "empty"),
    [
        ("bleu", {"profile": "torchmetrics"}, BLEUScore(), True),
        ("bleu", {"smoothing": "none"}, SacreBLEUScore(tokenize="13a"), True),
        # torchmetrics leaves empty predictions out of chrF, and nothing is wrong with them for its TER.
        ("chrf", {"eps_smoothing": True}, CHRFScore(n_word_order=0), False),
        ("chrf", {"eps_smoothing": True, "profile": "chrf++"}, CHRFScore(), False),
        ("ter", {"lowercase": True}, TranslationEditRate(lowercase=True), False),
    ],
)
def test_equal_to_torchmetrics_batch_by_batch(name: str, options: dict[str, Any], theirs: Any, empty: bool) -> None:
    """In the float32 that torchmetrics computes with."""
    ours = RunningMetric(name, **options)
    batches = [batch for batch in BATCHES if empty or "" not in batch[0]]
    for predictions, references in batches:
        value = ours(predictions, references)
        assert value == pytest.approx(float(theirs(predictions, references)), rel=1e-5, abs=1e-7)
    assert ours.compute() == pytest.approx(float(theirs.compute()), rel=1e-5)
    assert ours.compute() > 0.1
    for metric in (ours, theirs):
        metric.reset()
        metric.update(*batches[0])
    assert ours.compute() == pytest.approx(float(theirs.compute()), rel=1e-5)


class Tiny(lightning.LightningModule):  # type: ignore[misc]
    """A module that learns nothing and writes the texts it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)
        self.bleu = RunningMetric("bleu")
        self.diversity = RunningMetric("self_bleu")

    def training_step(self, batch: Any, _: int) -> Any:
        return self.layer(torch.ones(1, 1)).sum()

    def validation_step(self, batch: Any, _: int) -> None:
        predictions, references = batch
        self.log("batch_bleu", self.bleu(predictions, references), batch_size=len(predictions))
        self.diversity.update(predictions)

    def on_validation_epoch_end(self) -> None:
        for metric in (self.bleu, self.diversity):
            self.log(f"val_{metric.name}", metric.compute())
            metric.reset()

    def configure_optimizers(self) -> Any:
        return torch.optim.SGD(self.parameters(), lr=0.1)


@pytest.mark.filterwarnings("ignore::UserWarning")  # Lightning's advice about workers and steps
def test_in_a_lightning_module(folder: Path) -> None:
    trainer = lightning.Trainer(
        max_epochs=1,
        limit_train_batches=2,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=1,
    )
    loader = torch.utils.data.DataLoader(BATCHES, batch_size=None)
    trainer.fit(Tiny(), loader, loader)
    found = {name: float(value) for name, value in trainer.callback_metrics.items()}
    assert trainer.global_step == 2
    assert found["val_bleu"] == pytest.approx(own_score("bleu"), rel=1e-6)
    assert found["val_self_bleu"] == pytest.approx(own_score("self-bleu"), rel=1e-6)
    of_batches = [own_score("bleu", slice(begin, begin + 2)) for begin in (0, 2, 4)]
    assert found["batch_bleu"] == pytest.approx(sum(of_batches) / 3, rel=1e-6)


def of_one_process(rank: int, port: int, folder: str) -> None:
    torch.distributed.init_process_group("gloo", f"tcp://127.0.0.1:{port}", rank=rank, world_size=2)
    found: dict[str, Any] = {}
    for name in ("bleu", "rouge", "self_bleu"):
        together, alone = RunningMetric(name), RunningMetric(name, sync=False)
        for metric in (together, alone):
            metric.update(PREDICTIONS[rank::2], REFERENCES[rank::2])
        found[name] = together.compute(), alone.compute(), together.compute(), together(PREDICTIONS[:2], REFERENCES[:2])
    torch.save(found, f"{folder}/{rank}.pt")
    torch.distributed.destroy_process_group()


def test_two_processes_give_the_number_of_one(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torch.multiprocessing.spawn(of_one_process, (port, str(tmp_path)), nprocs=2)
    for rank in range(2):
        for name, values in torch.load(tmp_path / f"{rank}.pt").items():
            table = name.replace("_", "-")
            whole, part, batch = (own_score(table, taken) for taken in (slice(None), slice(rank, None, 2), slice(2)))
            assert values == (whole, part, whole, batch), (rank, name)


def test_a_checkpoint_holds_the_state(tmp_path: Path) -> None:
    metric = RunningMetric("rouge")
    metric.update(*BATCHES[0])
    torch.save(metric.state_dict(), tmp_path / "state.pt")
    again = RunningMetric("rouge")
    again.load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
    for batch in BATCHES[1:]:
        again.update(*batch)
    assert again.compute() == own_score("rouge")
