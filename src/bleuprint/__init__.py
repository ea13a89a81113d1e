"""Every n-gram metric for generated text: numbers you can trust, fast.

>>> import bleuprint as bp
>>> bp.sentence_bleu("the cat sat on the mat", ["the cat sat on the mat"]).value
1.0
"""

from __future__ import annotations

from importlib import import_module as _import_module

__version__ = "0.1.0"

# Names are loaded when they are first asked for: a command that only prints its help, or a script that needs one
# metric, does not pay for all of them. Metrics and their functions come from the registry, everything else from here.
# Type checkers and editors read __init__.pyi, which `make stubs` writes.
_NAMES_BY_MODULE = {
    "corpora.search": "seen",
    "core.columns": "token_ids",
    "core.tokenizers": "tokenize",
    "dataset": "Dataset DatasetItem",
    "insight": "explain reconcile work",
    "insight.choosing": "Choice choose",
    "metrics.base.metric": "Metric",
    "metrics.base.plain": "PlainMetric",
    "metrics.pairwise": "pairwise",
    "models.language_model": "LanguageModel",
    "models.ngram_index": "NgramIndex",
    "pools.diversity": "diversity",
    "pools.rarefaction": "rarefaction",
    "pools.select_diverse": "select_diverse",
    "ratings.table": "Ratings",
    "runners": "MetricRunner evaluate replay",
    "results": "Result",
    "results.comparison": "Comparison",
    "runners.comparisons": "compare confidence_interval",
    "runners.gates": "gate",
    "runners.gates.audit": "audit_gate",
}
# The metrics that people type from memory; all classes are in `bleuprint.metrics`.
_CLASSES = {
    *("BERTScore", "BLEU", "CER", "CHRF", "CIDEr", "CrossBLEU", "Distinct", "ExactMatch", "GLEU", "IBLEU", "METEOR"),
    *("NIST", "NearDuplicates", "Perplexity", "ROUGE", "SARI", "SelfBLEU", "SentenceBleu", "SquadF1", "TER", "WER"),
}
_MODULES = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names.split()}
_ROOMS = {
    "corpora",
    "dataset",
    "errors",
    "insight",
    "metrics",
    "models",
    "pools",
    "ratings",
    "report",
    "results",
    "runners",
    "signature",
    "statistics",
}
_BACK_ROOMS = {"cli", "compat", "checks", "core", "files", "integrations"}  # to be imported by their own names


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return _import_module(f"bleuprint.{name}")
    if name == "__all__":
        return _all()
    if name in _MODULES:
        value: object = getattr(_import_module(f"bleuprint.{_MODULES[name]}"), name)
    elif name.startswith("_") or name in _BACK_ROOMS:
        raise AttributeError(f"module 'bleuprint' has no attribute {name!r}")
    else:
        value = _of_a_metric(name)
    globals()[name] = value
    return value


def _of_a_metric(name: str) -> object:
    """A class or a function of a metric; only its file is loaded."""
    from bleuprint.metrics import functions, registry

    if name in _CLASSES:
        return registry.find_class(name)
    if name not in functions.names():
        raise AttributeError(f"module 'bleuprint' has no attribute {name!r}")
    return functions.load(name)


def _all() -> list[str]:
    from bleuprint.metrics import functions

    names = {*_MODULES, *_CLASSES, *functions.names()}
    return sorted(names, key=lambda name: (0 if name.isupper() else 1 if name[0].isupper() else 2, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *_all(), *_ROOMS})
