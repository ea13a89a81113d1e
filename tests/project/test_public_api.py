"""The public surface: a sorted list, documented, with examples that run."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import pkgutil
from importlib import metadata, resources
from pathlib import Path
from types import ModuleType

import pytest

import bleuprint

PUBLIC = """
BLEU CER CHRF GLEU IBLEU MER METEOR NIST SARI TER WER WIL BERTScore CIDEr Comparison ContainsMatch
ExactMatch Frechet GecGLEU LanguageModel LevenshteinRatio MbrChoice MetricRunner
NeuralPerplexity Perplexity ROUGE SelfBLEU bleu buckets chrf compare confidence_interval
contributions corpus_bertscore corpus_bleu corpus_cer corpus_chrf corpus_cider corpus_contains_match
corpus_exact_match corpus_gleu corpus_levenshtein_ratio corpus_mer corpus_meteor corpus_nist
corpus_perplexity corpus_rouge corpus_sari corpus_ter corpus_wer corpus_wil cross_bleu distinct
evaluate explain frechet gate gleu ibleu influence mbr_decode meteor ms_jaccard
ngram_changes entropy pairwise_bleu pairwise_bleu_rows pairwise_diversity quadrants reconcile
repetition_rate replay rouge self_bleu self_bleu_within sentence_bertscore sentence_bertscores
sentence_bleu sentence_bleus sentence_cer sentence_cers sentence_chrf sentence_chrfs sentence_ciders
sentence_contains_match sentence_contains_matches sentence_exact_match sentence_exact_matches
sentence_gleu sentence_gleus sentence_levenshtein_ratio sentence_levenshtein_ratios sentence_mer
sentence_mers sentence_meteor sentence_meteors sentence_nist sentence_nists sentence_perplexities
sentence_perplexity sentence_rouge sentence_rouges sentence_sari sentence_saris sentence_ter
sentence_ters sentence_wer sentence_wers sentence_wil sentence_wils ter tokenize unique_ngrams
"""


def modules() -> list[str]:
    found = pkgutil.walk_packages(bleuprint.__path__, "bleuprint.")
    names = [module.name for module in found if not module.name.rpartition(".")[2].startswith("__")]
    return ["bleuprint", *(name for name in names if name != "bleuprint.core._native")]


def rank(name: str) -> tuple[int, str]:
    """Constants, classes, functions, each by name: the order that ruff keeps (RUF022)."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


@pytest.mark.parametrize("name", modules())
def test_the_list_of_a_module_is_sorted_and_true(name: str) -> None:
    module = importlib.import_module(name)
    listed: list[str] = getattr(module, "__all__", [])
    assert listed == sorted(listed, key=rank)
    assert len(set(listed)) == len(listed)
    assert not [entry for entry in listed if not hasattr(module, entry)]


def test_the_public_names() -> None:
    """A name that comes or goes is a decision: it is made here as well."""
    assert bleuprint.__all__ == PUBLIC.split()


def test_nothing_public_is_left_out() -> None:
    visible = {name for name, value in vars(bleuprint).items() if not name.startswith("_")}
    own = {name for name in visible if not isinstance(getattr(bleuprint, name), ModuleType)}
    assert own - {"annotations", "TYPE_CHECKING"} <= set(bleuprint.__all__)
    assert set(bleuprint.__all__) <= set(dir(bleuprint))


@pytest.mark.parametrize("name", bleuprint.__all__)
def test_a_public_name_is_documented_with_an_example(name: str) -> None:
    text = inspect.getdoc(getattr(bleuprint, name)) or ""
    assert text.splitlines()[0].endswith(".")
    assert doctest.DocTestParser().get_examples(text), "no example"


@pytest.mark.parametrize("name", modules())
def test_examples_run(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    failed, _ = doctest.testmod(module, optionflags=doctest.FAIL_FAST)
    assert failed == 0


def test_examples_exist() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for name in modules() for test in finder.find(importlib.import_module(name)) if test.examples]
    assert len(found) >= len(bleuprint.__all__)


def test_types_are_shipped() -> None:
    assert resources.files(bleuprint).joinpath("py.typed").is_file()
    assert resources.files(bleuprint).joinpath("core", "_native.pyi").is_file()


def test_the_version_is_the_one_that_is_installed() -> None:
    assert bleuprint.__version__ == metadata.version("bleuprint")


def test_what_is_imported_lazily_is_what_type_checkers_see() -> None:
    tree = ast.parse(Path(bleuprint.__file__).read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        alias.name: str(node.module) for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert {name: f"bleuprint.{module}" for name, module in bleuprint._MODULES.items()} == seen


def test_a_name_that_does_not_exist() -> None:
    with pytest.raises(AttributeError, match="module 'bleuprint' has no attribute 'blue'"):
        bleuprint.blue  # type: ignore[attr-defined]  # noqa: B018
