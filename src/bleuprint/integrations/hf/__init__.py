"""Metrics for Hugging Face evaluate, loaded from a folder of this package without any download."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bleuprint import checks
from bleuprint.core.columns import Corpus
from bleuprint.errors import (
    InputError,
    MissingExtraError,
    MissingSourcesError,
    NotTextError,
    OptionError,
    UnusedSourcesError,
    closest,
)
from bleuprint.integrations._named import details, inputs_of, names, score_texts
from bleuprint.metrics import cards, registry

__all__ = ["metric_class", "path"]

_SCRIPTS = Path(__file__).parent / "scripts"
_INPUTS = {
    "predictions": "predictions: list of texts",
    "references": "references: a text or a list of texts for each prediction",
    "sources": "sources: the source text of each prediction",
}


def path(name: str) -> str:
    """The folder of a metric, for `evaluate.load`.

    >>> import evaluate                                                                # doctest: +SKIP
    >>> bleu = evaluate.load(path("bleu"))                                             # doctest: +SKIP
    >>> bleu.compute(predictions=["a b c d"], references=[["a b c d", "a b"]])["bleu"] # doctest: +SKIP
    1.0
    >>> Path(path("self_bleu")).name
    'self_bleu'
    """
    folder = _SCRIPTS / str(name).replace("-", "_")
    if folder.name not in names():
        raise OptionError("metric", f"one of {', '.join(names())}", name, meant=closest(folder.name, names()))
    return str(folder)


def metric_class(name: str) -> type[Any]:
    """The metric as an `evaluate.Metric` class; this is all that the script in its folder contains."""
    try:
        import evaluate
        from datasets import Features, Sequence, Value
    except ImportError:
        raise MissingExtraError("Hugging Face's evaluate", ["evaluate"], "evaluate") from None
    columns, text = ("predictions", *inputs_of(name)), Value("string")
    features = Features({column: Sequence(text) if column == "references" else text for column in columns})

    class BleuprintMetric(evaluate.Metric):  # type: ignore[misc]
        def _info(self) -> Any:
            described = _description(name), _inputs(name, columns)
            return evaluate.MetricInfo(
                description=described[0], citation="", inputs_description=described[1], features=features
            )

        def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
            """Add texts; raises an error before storing anything that cannot be scored."""
            given = {"predictions": predictions, "references": references, **kwargs}
            super().add_batch(**_checked(name, {key: given.get(key) for key in (*columns, *kwargs)}))

        def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
            """Add one text."""
            given = {"predictions": prediction, "references": reference, **kwargs}
            self.add_batch(**{key: None if value is None else [value] for key, value in given.items()})

        def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> Any:
            """The score of the given texts, or of the texts added before; `per_example=True` adds those of each."""
            sources = kwargs.pop("sources", None)
            self.per_example = checks.flag("per_example", kwargs.pop("per_example", False))
            self.chosen = registry.resolve(name, kwargs)
            if sources is not None and "sources" not in columns:
                raise UnusedSourcesError(name)
            source_column = {"sources": sources} if "sources" in columns else {}
            return super().compute(predictions=predictions, references=references, **source_column)

        def _compute(self, *, predictions: Any, references: Any = None, sources: Any = None) -> dict[str, Any]:
            score = score_texts(self.chosen, predictions, references, sources)
            found = {name: float(score.value)} | details(score)
            if self.per_example:
                found["scores"] = self.chosen.sentences(predictions, references, sources=sources).tolist()
            return found

    BleuprintMetric.__name__ = BleuprintMetric.__qualname__ = name.title().replace("_", "")
    return BleuprintMetric


def _checked(name: str, batch: Mapping[str, Any]) -> dict[str, Any]:
    """The batch in the form that evaluate stores."""
    for column, given in batch.items():
        if given is None:
            if column == "sources":
                raise MissingSourcesError(name)
            raise InputError(f"{name} needs {column}: pass one for each segment.")
    listed = {column: _listed(given) for column, given in batch.items()}
    predictions, references = listed["predictions"], listed.get("references", listed["predictions"])
    corpus = Corpus.of(predictions, references, listed.get("sources"), name="predictions")
    if corpus.hypotheses.tokenized:
        raise NotTextError("predictions", "a list of str", "tokens", "evaluate stores texts, so join the tokens")
    if "references" in listed:
        listed["references"] = [[group] if isinstance(group, str) else list(group) for group in references]
    return listed


def _listed(given: Any) -> Any:
    return given if isinstance(given, str | bytes) or not isinstance(given, Iterable) else list(given)


def _description(name: str) -> str:
    card = cards.find(name.replace("_", "-"))
    return name if card is None else card.summary


def _inputs(name: str, columns: Iterable[str]) -> str:
    lines = [*(_INPUTS[column] for column in columns), 'per_example: add the list "scores", one for each prediction']
    lines.append(f"**options: those of bleuprint's metric {name}")
    return "\nArgs:\n    " + "\n    ".join(lines)
