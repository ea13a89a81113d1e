"""What is written is the same on every machine, so that it can be read on every other one, whatever its byte order.

The digests were made on x86-64, and `make platforms` compares on a big-endian processor. A new format has new ones.
"""

from __future__ import annotations

import json
import pickle
from hashlib import sha256
from pathlib import Path

import pytest

import bleuprint as bp
from tests.support.every import ROWS, add, make

TEXTS = ["the cat sat on the mat", "a dog ran off", "Ünïcödé 猫 sat", ""]
STATES = {
    "cider": "847ae0a11f09766c",
    "entropy": "8d5238d4ea1744ed",
    "gec-gleu": "b71c1dabfe05ead9",
    "nist": "b2b7732da802d592",
    "rouge": "03c00cb903648f2b",
    "self-bleu": "f716afac4b304dd9",
}


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]


@pytest.mark.parametrize("name", STATES)
def test_states(name: str) -> None:
    assert digest(json.dumps(add(make(name), ROWS).state()).encode()) == STATES[name]


@pytest.mark.parametrize("name", ["cider", "nist"])
def test_weights(name: str) -> None:
    """Weights are learned texts, whose bytes go to another process; the signature names them by a digest."""
    metric = make(name)
    assert "|prior:4-461410493565933517896ba214ebb577|" in metric.signature
    restored = pickle.loads(pickle.dumps(metric))
    assert add(restored, ROWS).compute().value == add(metric, ROWS).compute().value


def test_a_language_model() -> None:
    model = bp.LanguageModel.train(TEXTS, order=3, discount_fallback=True, threads=1)
    assert digest(model.to_bytes()) == "d510ebec618be8ea"


def test_an_index(tmp_path: Path) -> None:
    bp.NgramIndex.build(TEXTS, max_order=3).save(tmp_path / "texts.bpi")
    assert digest((tmp_path / "texts.bpi").read_bytes()) == "d1b547c3b9c005b9"
