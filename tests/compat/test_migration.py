"""The rows of docs/migration.md: what is written and what it is changed to, run against the real packages."""

from __future__ import annotations

import importlib
import re
import shlex
import statistics
import subprocess
import sys
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jiwer
import kenlm
import numpy as np
import pytest
import rapidfuzz
import sacrebleu
from nltk.translate import bleu_score, gleu_score, meteor_score, nist_score
from pycocoevalcap.cider.cider import Cider
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.significance import PairedTest
from whisper_normalizer.english import EnglishTextNormalizer

import bleuprint as bp
from bleuprint.core import piece_models
from tests.support import sentencepiece_models
from tests.support.cli import SAMPLE, invoke, lines
from tests.support.documents import ROOT
from tests.support.wordnets import DEBIAN, MISSING, debian_copy, nltk_reader

fast_bleu: Any = importlib.import_module("fast_bleu")  # has no types
PAGE = ROOT / "docs" / "migration.md"
HYPOTHESES, A, B = (lines(name)[:20] for name in ("system-b", "ref-1", "ref-2"))
TOKENS, TOKENS_A, TOKENS_B = ([line.split() for line in texts] for texts in (HYPOTHESES, A, B))
# Rows of packages that are not installed here, and the tests that stand for them.
ELSEWHERE = {
    'evaluate.load("bleu")': "tests/parity/test_bleu_bleuscore.py",
    'evaluate.load("google_bleu")': "tests/parity/test_gleu.py",
    'evaluate.load("sari")': "tests/metrics/test_sari.py",
    'evaluate.load("squad")': "tests/metrics/test_normalizers.py",
    "torchmetrics.text.BLEUScore": "tests/with_torch/torchmetrics/test_bleu_torchmetrics.py",
    "torchmetrics.text.SQuAD": "tests/with_torch/torchmetrics/test_squad_torchmetrics.py",
    "multi-bleu.perl": "tests/parity/test_bleu_sacrebleu.py",
}

# Of NLTK, as the page says.
LEFT_OUT = {"align_words", "exact_match", "stem_match", "wordnetsyn_match"}
LEFT_OUT |= {"nist_length_penalty", "chrf_precision_recall_fscore_support"}


class Row(NamedTuple):
    section: str
    old: str
    new: tuple[str, ...]
    equal: str


def rows() -> Iterator[Row]:
    section = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| `"):
            old, new = (re.findall(r"`([^`]+)`", cell) for cell in cells[:2])
            yield Row(section, old[0], tuple(new), cells[2].strip("| ") if len(cells) > 2 else "names")


ROWS = list(rows())
CALLS = [row for row in ROWS if row.equal != "names"]
IMPORTS = [row for row in ROWS if row.equal == "names" and row.old.startswith(("import", "from"))]
COMMANDS = [row for row in ROWS if row.equal == "names" and row not in IMPORTS]


def test_the_page_is_read() -> None:
    assert len(IMPORTS) >= 12
    assert len(COMMANDS) >= 13
    assert len(CALLS) >= 35
    sections = {"sacrebleu", "NLTK", "fast-bleu", "rouge_score", "jiwer", "Other libraries"}
    assert {row.section for row in ROWS} == sections


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> Any:
    if not DEBIAN.is_dir():
        pytest.skip(MISSING)
    return nltk_reader(debian_copy(tmp_path_factory.mktemp("nltk") / "wordnet"))


def namespace(section: str) -> dict[str, Any]:
    """What the calls of a section name."""
    if section == "NLTK":
        modules = (bleu_score, gleu_score, nist_score, meteor_score)
        names = {name: getattr(module, name) for module in modules for name in dir(module) if name[0] != "_"}
        texts = {"hyp": TOKENS[0], "ref": TOKENS_A[0], "hyps": TOKENS}
        return {**names, "bp": bp, **texts, "refs": list(zip(TOKENS_A, TOKENS_B, strict=True))}
    shared: dict[str, Any] = {"bp": bp, "hyps": HYPOTHESES, "hyp": HYPOTHESES[0], "refs": A, "refs_a": A, "refs_b": B}
    if section == "sacrebleu":
        kinds = {name: getattr(sacrebleu, name) for name in ("BLEU", "CHRF", "TER")}
        systems = [(name, lines(f"system-{name}")[:20]) for name in "abc"]
        return {**shared, **kinds, "sacrebleu": sacrebleu, "PairedTest": PairedTest, "systems": systems}
    if section == "fast-bleu":
        return {
            "bp": bp,
            "BLEU": fast_bleu.BLEU,
            "SelfBLEU": fast_bleu.SelfBLEU,
            "texts": TOKENS,
            "references": TOKENS_A,
        }
    if section == "rouge_score":
        texts = {"prediction": HYPOTHESES[0], "predictions": HYPOTHESES, "target": A[0], "targets": A}
        return {"bp": bp, "RougeScorer": RougeScorer, "fmean": statistics.fmean, **texts}
    return {
        **shared,
        "jiwer": jiwer,
        "normalize": EnglishTextNormalizer(),
        "rapidfuzz": rapidfuzz,
        "kenlm": kenlm,
        "Cider": Cider,
        "a": HYPOTHESES[0],
        "b": A[0],
        "text": HYPOTHESES[0],
        "gts": {number: [text] for number, text in enumerate(A)},
        "res": {number: [text] for number, text in enumerate(HYPOTHESES)},
    }


def numbers(value: Any) -> list[float]:
    """The numbers that a call of either side is made for."""
    if isinstance(value, sacrebleu.metrics.base.Metric):
        value = value.corpus_score(HYPOTHESES, [A]).score
    elif isinstance(value, bp.BLEU | bp.CHRF | bp.TER):
        value = value.corpus(HYPOTHESES, A).percent
    elif isinstance(value, sacrebleu.metrics.base.Score):
        value = [value._mean, value._ci]
    elif hasattr(value, "margin"):
        value = [100 * value.mean, 100 * value.margin]
    elif isinstance(value, bp.Comparison):
        value = [value.metric("bleu").pair(name, "a").p_value for name in "bc"]
    elif isinstance(value, tuple) and isinstance(value[1], dict):
        value = [result.p_value for result in value[1]["BLEU"][1:]]
    return [float(number) for number in np.atleast_1d(value)]


@pytest.mark.parametrize("row", CALLS, ids=lambda row: row.old)
def test_both_calls_of_a_row_agree(
    row: Row, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = [path for start, path in ELSEWHERE.items() if row.old.startswith(start)]
    if elsewhere:
        assert (ROOT / elsewhere[0]).is_file()
        assert row.equal == "its rules" or row.equal.endswith("in a suite of its own")
        return
    names = namespace(row.section)
    if "meteor_score" in row.old:
        names["meteor_score"] = partial(names["meteor_score"], wordnet=request.getfixturevalue("wordnet"))
    if "lm.arpa" in row.old:
        monkeypatch.chdir(tmp_path)
        bp.LanguageModel.train(A, order=3, discount_fallback=True).save("lm.arpa")
    if "flores200" in row.old:
        model = sentencepiece_models.trained(tmp_path)
        (tmp_path / "models").mkdir()
        model.rename(tmp_path / "models" / "flores200sacrebleuspm")
        monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_spm.SACREBLEU_DIR", str(tmp_path))
        monkeypatch.setenv("BLEUPRINT_DATA", str(tmp_path))
        piece_models.add("flores200", tmp_path / "models" / "flores200sacrebleuspm")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        old, *new = (numbers(eval(call, dict(names))) for call in (row.old, *row.new))
    assert any(old)
    for found in new:
        if row.equal == "exactly":
            assert found == old
        else:
            digits = int(row.equal.removesuffix(" digits"))
            assert found == pytest.approx(old, rel=0.5 * 10 ** (1 - digits), abs=0)


@pytest.mark.parametrize("row", IMPORTS, ids=lambda row: row.old)
def test_what_is_imported_is_there(row: Row) -> None:
    old, new = row.old, row.new[0]
    if not old.endswith("…"):
        for statement in (old, new):
            exec(statement, {})
        assert old.partition("import ")[2].split(", ")[-1].split(".")[-1] == new.rpartition(" ")[2]
        return
    theirs, ours = (importlib.import_module(statement.split()[1]) for statement in (old, new))
    assert not [name for name in ours.__all__ if not hasattr(theirs, name)]
    public = {name for name, value in vars(theirs).items() if getattr(value, "__module__", "") == theirs.__name__}
    assert {name for name in public if not name.startswith("_")} - LEFT_OUT <= set(ours.__all__)


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.old)
def test_commands_print_the_same_numbers(row: Row) -> None:
    copies = {"ref": "ref-1", "ref-b": "ref-2", "system": "system-a", "other": "system-c"}
    files = {f"{name}.txt": str(SAMPLE / f"{copy}.txt") for name, copy in copies.items()}
    (old, stdin), (new, _) = (
        ([files.get(word, word) for word in shlex.split(words)[1:]], Path(files[read]).read_bytes() if read else b"")
        for words, _, read in (command.partition(" < ") for command in (row.old, row.new[0]))
    )
    real = subprocess.run(
        [sys.executable, "-m", "sacrebleu", *old, "-f", "text", "-w", "6"], input=stdin, capture_output=True, check=True
    )
    ours = invoke(*new, "-w", "6", stdin=stdin).stdout
    # sacrebleu's table has the means and margins of the bootstrap in parentheses, after the score.
    printed = re.sub(r"\([\d.]+ ± [\d.]+\)", "", real.stdout.decode())
    theirs, found = (re.findall(r"(?<![\d.(\[])\d+\.\d{6}(?!\d)", text) for text in (printed, ours))
    assert theirs
    following = iter(found)
    assert all(number in following for number in theirs)  # in this order, with parts of the scores between them
    p_values = re.findall(r"p = [\d.]+(?=\))", printed)
    assert bool(p_values) == ("--paired" in row.old)
    assert all(p_value in ours for p_value in p_values)
