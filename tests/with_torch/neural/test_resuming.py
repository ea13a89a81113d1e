"""A run of a neural metric that was killed goes on where it stopped."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

from bleuprint import NeuralPerplexity
from bleuprint.models.causal_models import TransformersModel
from tests.with_torch.neural.conftest import WORDS

_SCRIPT = """
import json, sys, time
from bleuprint import NeuralPerplexity, evaluate
from bleuprint.models.causal_models import TransformersModel

folder, store, pause, texts = sys.argv[1], sys.argv[2], float(sys.argv[3]), json.loads(sys.argv[4])
model = TransformersModel(folder, device="cpu")
whole, calls = model.log_probabilities, []

def slowly(windows):
    time.sleep(pause)
    calls.append(len(windows))
    return whole(windows)

model.log_probabilities = slowly
result = evaluate(texts, texts, metrics=[NeuralPerplexity(model)], store=store)
print(json.dumps([result.systems[0].scores[0].value, sum(calls)]))
"""


def test_killed_and_started_again(causal_folder: Path, tmp_path: Path) -> None:
    texts = [" ".join(WORDS[place % 7 : place % 7 + 5]) for place in range(300)]
    store = tmp_path / "store"
    command = [sys.executable, "-c", _SCRIPT, str(causal_folder), str(store)]
    process = subprocess.Popen([*command, "0.2", json.dumps(texts)], stdout=subprocess.PIPE)
    deadline = time.monotonic() + 120
    while not (kept := list(store.glob("*.npy"))) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert 1 <= len(kept) < 5
    done = subprocess.run([*command, "0", json.dumps(texts)], capture_output=True, text=True, check=True)
    value, windows = json.loads(done.stdout)
    assert windows <= 300 - 64
    assert value == NeuralPerplexity(TransformersModel(causal_folder, device="cpu")).corpus(texts).value
