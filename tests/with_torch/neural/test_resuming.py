"""A run of a neural metric that was killed goes on where it stopped."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

from bleuprint.metrics import NeuralPerplexity
from bleuprint.models.causal_models import TransformersModel
from tests.with_torch.neural.conftest import WORDS

_SCRIPT = """
import json, sys
from bleuprint import evaluate
from bleuprint.metrics import NeuralPerplexity
from bleuprint.models.causal_models import TransformersModel

folder, store, texts = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
model = TransformersModel(folder, device="cpu")
whole, calls = model.log_probabilities, []

def step_by_step(windows):
    print("next", flush=True)
    sys.stdin.readline()
    calls.append(len(windows))
    return whole(windows)

model.log_probabilities = step_by_step
result = evaluate(texts, texts, metrics=[NeuralPerplexity(model)], store=store)
print(json.dumps([result.systems[0].scores[0].value, sum(calls)]))
"""


def test_killed_and_started_again(causal_folder: Path, tmp_path: Path) -> None:
    texts = [" ".join(WORDS[place % 7 : place % 7 + 5]) for place in range(300)]
    store = tmp_path / "store"
    command = [sys.executable, "-c", _SCRIPT, str(causal_folder), str(store), json.dumps(texts)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    while process.stdout.readline() == "next\n" and not (kept := list(store.glob("*.npy"))):
        process.stdin.write("go on\n")
        process.stdin.flush()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert 1 <= len(kept) < 5
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    value, windows = json.loads(done.stdout.splitlines()[-1])
    assert windows <= 300 - 64
    assert value == NeuralPerplexity(TransformersModel(causal_folder, device="cpu")).corpus(texts).value
