"""Everything is derived from the table of metrics: one file, one card and one golden test add a metric everywhere."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bleuprint
from bleuprint.core import _native
from bleuprint.errors import OptionError
from bleuprint.metrics import BLEU, ROUGE, functions, registry

ROOT = Path(__file__).resolve().parents[2]
METRIC = '''"""Word precision: the share of words of the outputs that a reference has, clipped."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.core import counts, tokenizers
from bleuprint import checks
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value, ratio
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.rows import CoreRows
from bleuprint.metrics.base.score import Score

__all__ = ["WordPrecision"]


def formula(columns: Sequence[Value], *, sentence: bool = False) -> Value:
    """Matches over words."""
    _, _, matches, words = columns
    return ratio(matches, words)


class WordPrecision(Metric[Score]):
    """The share of words that a reference has.

    >>> WordPrecision().sentence("the cat", "the dog").value
    0.5
    """

    name = "word-precision"

    def __init__(self, *, lowercase: bool = False) -> None:
        reader = tokenizers.resolve("whitespace", checks.flag("lowercase", lowercase))
        rows = CoreRows(counts.clipped_counts("whitespace", lowercase, 1, "closest", 0), reader)
        super().__init__(Definition(WordPrecision, {"lowercase": lowercase}, rows, formula))
'''
# Where the metric's card differs from that of WIL.
CHANGED = {
    "title": "title: Word precision\n",
    "bands": "bands: perfect 1.0, low 0.0\n",
    "signature": "signature: word-precision.1|lowercase:no\n",
}
GOLDEN = '''"""Counted by hand."""

from bleuprint.metrics import WordPrecision


def test_by_hand() -> None:
    assert WordPrecision().corpus(["the cat", "a dog"], ["the dog", "the dog"]).value == 0.5
'''
# What a user of the copy sees, one finding a line.
LOOK = """
import inspect, io, json, sys
import bleuprint as bp
from click.testing import CliRunner
from bleuprint.cli import program
from bleuprint.integrations._items import names
from bleuprint.metrics import registry
from bleuprint.report import render
from tools import make_stubs
from tools.docs_site import metrics as pages

outputs, references = ["the cat", "a dog"], ["the dog", "the dog"]
open("hyp.txt", "w").write("the cat\\na dog\\n")
open("ref.txt", "w").write("the dog\\nthe dog\\n")
make_stubs.main([])
print(json.dumps({
    "class": bp.metrics.WordPrecision.__name__,
    "value": bp.metrics.WordPrecision(lowercase=True).corpus(outputs, references).value,
    "each": bp.metrics.WordPrecision().sentences(outputs, references).tolist(),
    "options": list(inspect.signature(bp.metrics.WordPrecision).parameters),
    "typed": "import WordPrecision as WordPrecision" in open(bp.metrics.__file__ + "i").read(),
    "evaluate": bp.evaluate(outputs, references, metrics=["word-precision"]).systems[0].scores[0].value,
    "command": CliRunner().invoke(program, ["score", "hyp.txt", "-r", "ref.txt", "-m", "word-precision"],
                                  standalone_mode=False).output.split()[:2],
    "listed": "word-precision" in CliRunner().invoke(program, ["list", "metrics"], standalone_mode=False).output,
    "hf": "word_precision" in names(),
    "named": registry.resolve("word_precision").corpus(outputs, references).value,
    "docs": "Word precision" in pages.pages()["metrics/index.md"] and "metrics/word_precision.md" in pages.pages(),
    "report": "Word precision" in render(bp.evaluate(outputs, references, metrics=["word-precision"])),
    "threshold": bp.metrics.WordPrecision().threshold,
    "cited": "Word precision (Morris et al., 2004)[1]"
        in bp.evaluate(outputs, references, metrics=["word-precision"]).methods_text(),
}))
"""


def run(folder: Path, *command: str) -> str:
    """A program of the copy's, which finds the copied package before the one that is installed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (folder / "src", folder, folder / "hooks")))}
    done = subprocess.run([sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package and its tests in another place, with a metric more."""
    folder = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("__pycache__", "seeds")
    package = Path(bleuprint.__file__).parent
    shutil.copytree(package, folder / "src" / "bleuprint", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(_native.__file__, folder / "src" / "bleuprint" / "core")
    for name in ("tests", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("pyproject.toml", "docs"):
        source = ROOT / name
        shutil.copytree(source, folder / name) if source.is_dir() else shutil.copy(source, folder / name)
    hooks = folder / "hooks"
    hooks.mkdir()
    # An editable install is found by a hook that comes before the path; here it must not.
    (hooks / "sitecustomize.py").write_text(
        "import sys\nsys.meta_path[:] = [hook for hook in sys.meta_path if 'editable' not in type(hook).__module__]\n"
    )
    card = (package / "metrics" / "cards" / "wil.md").read_text(encoding="utf-8")
    head, _, body = card.partition("---\n\n# ")
    head = head.replace("name: wil", "name: word-precision").replace("direction: lower", "direction: higher")
    head = "".join(CHANGED.get(line.partition(":")[0], line) for line in head.splitlines(keepends=True))
    body = "Word precision\n" + body.partition("\n")[2]
    metrics = folder / "src" / "bleuprint" / "metrics"
    (metrics / "word_precision.py").write_text(METRIC)
    (metrics / "cards" / "word_precision.md").write_text(f"{head}---\n\n# {body}", "utf-8")
    (folder / "tests" / "golden" / "test_word_precision.py").write_text(GOLDEN)
    return folder


def test_a_new_metric_is_everywhere(copy: Path) -> None:
    (copy / "look.py").write_text(LOOK)
    seen = json.loads(run(copy, "look.py").splitlines()[-1])
    assert seen == {
        "class": "WordPrecision",
        "value": 0.5,
        "each": [0.5, 0.5],
        "options": ["lowercase"],
        "typed": True,
        "evaluate": 0.5,
        "command": ["system", "word-precision"],
        "listed": True,
        "hf": True,
        "named": 0.5,
        "docs": True,
        "report": True,
        "threshold": 0.3,
        "cited": True,
    }


def test_a_new_metric_is_under_the_laws_and_its_golden_test(copy: Path) -> None:
    laws = ["tests/laws/test_laws.py", "tests/laws/test_state_laws.py", "tests/golden/test_word_precision.py"]
    said = run(copy, "-m", "pytest", "-vv", "-p", "no:cacheprovider", *laws, "-k", "precision or hand")
    passed = [line for line in said.splitlines() if "PASSED" in line]
    assert any("test_law_19" in line and "word-precision" in line for line in passed)
    assert any("test_by_hand" in line for line in passed)
    assert len(passed) > 20
    assert "FAILED" not in said


def test_no_other_table_has_to_name_a_new_metric(copy: Path) -> None:
    tables = ["tests/metrics/test_cards.py", "tests/metrics/test_defaults.py", "tests/results/test_display.py"]
    asked = ["-k", "every_metric or every_card or front_matter_is_complete or default"]
    said = run(copy, "-m", "pytest", "-vv", "-p", "no:cacheprovider", *tables, *asked)
    passed = [line for line in said.splitlines() if "PASSED" in line]
    assert any("test_every_metric_can_be_cited" in line for line in passed)
    assert any("test_every_metric_has_a_card_and_every_card_a_metric" in line for line in passed)
    assert any("test_front_matter_is_complete[word_precision]" in line for line in passed)
    listed = run(copy, "-m", "tools.mutation_testing.mutants", "metrics.word_precision", "--list")
    assert "metrics.word_precision:" in listed


def test_functions_are_those_of_the_two_lists() -> None:
    named = set(functions.names())
    for label in functions.THREE:
        assert {f"corpus_{label}", f"sentence_{label}", f"sentence_{label}s"} <= named
    for label in functions.ONE:
        assert label.replace("-", "_") in named
    assert len(named) == 3 * len(functions.THREE) + len(functions.ONE)


def test_a_metric_that_needs_a_model_says_so() -> None:
    with pytest.raises(OptionError, match=r"'perplexity' needs lm, which has no default: pass Perplexity\(lm=…\)"):
        registry.resolve("perplexity")


def test_options_in_lists_are_found_again_and_keep_their_types() -> None:
    made = functions._definition(ROUGE, {"types": ["rouge1", "rougeL"]})
    assert functions._definition(ROUGE, {"types": ["rouge1", "rougeL"]}) is made
    assert functions._definition(BLEU, {"weights": [1, 0], "max_order": 2}).formula.weights == (1.0, 0.0)
    with pytest.raises(OptionError):
        bleuprint.sentence_bleu("a", "a", max_order=True)
    for number in range(300):
        weights = [1 - number / 1000, number / 1000]
        assert bleuprint.sentence_bleu("a b", "a b", weights=weights, max_order=2).value == 1
