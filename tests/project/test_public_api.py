"""The public surface: a sorted list, documented, with examples that run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from importlib import metadata, resources
from types import ModuleType

import pytest

import bleuprint
from bleuprint.metrics import functions, registry
from tools import make_stubs

# What a person can type from memory, and no more.
PUBLIC = """
BERTScore BLEU CER CHRF CIDEr Choice Comparison CrossBLEU Dataset DatasetItem Distinct ExactMatch GLEU IBLEU
LanguageModel METEOR Metric MetricRunner NIST NearDuplicates NgramIndex Perplexity PlainMetric ROUGE Ratings Result
SARI SelfBLEU SentenceBleu SquadF1 TER WER audit_gate bertscore choose cider compare confidence_interval corpus_bleu
corpus_cer corpus_chrf corpus_gleu corpus_meteor corpus_nist corpus_rouge corpus_ter corpus_wer cross_bleu distinct
diversity evaluate exact_match explain gate ibleu near_duplicates pairwise perplexity rarefaction reconcile replay
sari seen select_diverse self_bleu sentence_bleu sentence_bleus sentence_cer sentence_cers sentence_chrf
sentence_chrfs sentence_gleu sentence_gleus sentence_meteor sentence_meteors sentence_nist sentence_nists
sentence_rouge sentence_rouges sentence_ter sentence_ters sentence_wer sentence_wers squad_f1 token_ids tokenize work
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
    assert sorted(bleuprint.__all__) == sorted(PUBLIC.split())
    assert len(bleuprint.__all__) <= 90
    assert bleuprint.__all__ == sorted(bleuprint.__all__, key=rank)


def test_a_class_is_named_like_its_metric() -> None:
    seeds = {"item-bleu": "sentencebleu"}  # the name that evaluation suites use
    for label, kind in registry.metrics().items():
        assert kind.__name__.lower() == seeds.get(label, label.replace("-", ""))
        assert registry.find_class(kind.__name__) is kind


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


def test_what_type_checkers_see_is_current() -> None:
    assert make_stubs.main(["--check"]) == 0, "run make stubs"


@pytest.mark.parametrize("name", ["corpus_bleu", "sentence_rouge", "sentence_wers", "self_bleu", "ibleu"])
def test_a_function_shows_its_options(name: str) -> None:
    shown = inspect.signature(getattr(bleuprint, name)).parameters
    assert set(registry.options_of(functions.kind_of(name))) <= set(shown)
    assert not [option for option in shown.values() if option.kind is option.VAR_KEYWORD]


def test_hypotheses_come_first_and_sources_are_named() -> None:
    for function in functions.names():
        parameters = inspect.signature(functions.load(function)).parameters
        names = list(parameters)
        assert names[0] in {"hypotheses", "hypothesis", "texts"}
        for name in ("sources", "source"):
            if name in names:
                assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY


def test_a_name_that_does_not_exist() -> None:
    with pytest.raises(AttributeError, match="module 'bleuprint' has no attribute 'blue'"):
        bleuprint.blue  # type: ignore[attr-defined]  # noqa: B018


def test_every_public_function_lists_its_options() -> None:
    calls = {name: getattr(bleuprint, name) for name in bleuprint.__all__ if callable(getattr(bleuprint, name))}
    hiding = [
        name
        for name, call in calls.items()
        if name != "PlainMetric"  # its options are those of its author
        and any(part.kind is part.VAR_KEYWORD for part in inspect.signature(call).parameters.values())
    ]
    assert hiding == []
