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
    "corpora.seen": "seen",
    "core.columns": "token_ids",
    "core.tokenizers": "tokenize",
    "insight": "buckets contributions explain influence ngram_changes reconcile work",
    "insight.choosing": "Choice choose",
    "metrics.ibleu": "ibleu_sweep",
    "metrics.pairwise": "pairwise",
    "metrics.self_bleu": "self_bleu_within",
    "models.language_model": "LanguageModel",
    "models.ngram_index": "NgramIndex",
    "pools.comparisons": "compare_pools",
    "pools.diversity": "diversity",
    "pools.rarefaction": "rarefaction",
    "pools.select_diverse": "select_diverse",
    "ratings.table": "Ratings",
    "runners": "MetricRunner evaluate replay",
    "results.comparison": "Comparison",
    "runners.comparisons": "compare compare_scores confidence_interval",
    "runners.gates": "gate",
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
    """A class or a function that is derived from the table of metrics."""
    from bleuprint.metrics import functions, registry

    kind = registry.find_class(name)
    if kind is not None:
        return kind
    metric = functions.metric_of(name)
    of_metric = {} if metric is None else functions.of_metric(metric)
    if name in of_metric:
        return of_metric[name].call
    raise AttributeError(f"module 'bleuprint' has no attribute {name!r}")


def _all() -> list[str]:
    from bleuprint.metrics import registry
    from bleuprint.metrics.functions import derived

    names = {*_MODULES, *registry.class_names(), *derived()}
    return sorted(names, key=lambda name: (0 if name.isupper() else 1 if name[0].isupper() else 2, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *_all(), *_ROOMS})
