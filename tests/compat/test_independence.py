"""The drop-ins work where nothing they stand in for is installed, and load no more than they use."""

from __future__ import annotations

import subprocess
import sys

import pytest

BLOCKED = (
    *("sacrebleu", "nltk", "rouge_score", "fast_bleu", "jiwer"),
    *("rapidfuzz", "tabulate", "colorama", "portalocker", "absl", "six"),
)

CALLS = """
from bleuprint.compat import fast_bleu, jiwer, nltk, sacrebleu
from bleuprint.compat.rouge_score import rouge_scorer, scoring
from bleuprint.compat.sacrebleu.significance import PairedTest

text, tokens = "the cat sat on the mat", "the cat sat on the mat".split()
assert sacrebleu.sentence_bleu(text, [text]).score > 99.9
assert sacrebleu.corpus_ter([text], [[text]]).score == 0
assert nltk.bleu([tokens], tokens) == nltk.gleu([tokens], tokens) == 1
assert nltk.meteor([tokens], tokens) > 0.99
assert jiwer.wer(text, text) == 0
assert jiwer.process_words(text, "the cat").alignments[0][1].type == "delete"
assert fast_bleu.SelfBLEU([tokens, tokens]).get_score() == {4: [1.0, 1.0]}
assert rouge_scorer.RougeScorer(["rougeLsum"], True).score(text, text)["rougeLsum"].fmeasure == 1
"""


NOTHING_ELSE = f"import sys\nfor name in {BLOCKED}:\n    sys.modules[name] = None\n{CALLS}"
NO_NUMPY = """
import sys
from bleuprint.compat import sacrebleu
sacrebleu.sentence_bleu('a b', ['a b'])
assert 'numpy' not in sys.modules
"""


@pytest.mark.parametrize("code", [NOTHING_ELSE, NO_NUMPY], ids=["nothing else", "no NumPy for a sentence"])
def test_the_code_runs_alone(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
