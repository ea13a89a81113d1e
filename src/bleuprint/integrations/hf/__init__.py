"""Metrics for Hugging Face evaluate, loaded from a file of this package without any download."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleuprint import checks
from bleuprint.core.columns import Corpus, References, Text, Texts
from bleuprint.errors import ExtraImport, InputError, MissingSourcesError, NotTextError, OptionError, UnusedSourcesError
from bleuprint.metrics import cards, registry
from bleuprint.results.methods import entries

if TYPE_CHECKING:
    import evaluate

__all__ = ["metric_class", "path"]


def path() -> str:
    """The script for `evaluate.load`, which takes the name of a metric as its configuration.

    >>> import evaluate                                                                # doctest: +SKIP
    >>> bleu = evaluate.load(path(), "bleu")                                           # doctest: +SKIP
    >>> bleu.compute(predictions=["a b c d"], references=[["a b c d", "a b"]])["bleu"] # doctest: +SKIP
    1.0
    >>> Path(path()).name
    'bleuprint_metrics.py'
    """
    return str(Path(__file__).parent / "script" / "bleuprint_metrics.py")


def metric_class() -> type[evaluate.Metric]:
    """The metrics as an `evaluate.Metric` class; this is all that the script contains."""
    with ExtraImport("Hugging Face's evaluate", ["evaluate"], "evaluate"):
        import evaluate
        from datasets import Features, Sequence, Value

    class BleuprintMetric(evaluate.Metric):  # type: ignore[misc]
        @property
        def name(self) -> str:
            """The metric, which evaluate knows as the configuration of one module."""
            return _find_name(self.config_name)

        @property
        def columns(self) -> tuple[str, ...]:
            """The columns that the metric reads."""
            kind = registry.find(self.name)
            return ("predictions", *["references"] * kind.needs_references, *["sources"] * kind.needs_sources)

        def _info(self) -> evaluate.MetricInfo:
            text = Value("string")
            types = {column: Sequence(text) if column == "references" else text for column in self.columns}
            card = cards.find(self.name)
            return evaluate.MetricInfo(
                description=self.name if card is None else card.summary,
                citation="" if card is None else "\n\n".join(entries()[key] for key in card.cite),
                inputs_description=f"{', '.join(self.columns)}, per_example, and the options of {self.name}",
                features=Features(types),
            )

        def add_batch(
            self, *, predictions: Texts | None = None, references: References | None = None, **kwargs: object
        ) -> None:
            """Add texts; raises an error before storing anything that cannot be scored."""
            given = {"predictions": predictions, "references": references, **kwargs}
            super().add_batch(**_check_batch(self.name, {key: given.get(key) for key in (*self.columns, *kwargs)}))

        def add(self, *, prediction: Text | None = None, reference: object = None, **kwargs: object) -> None:
            """Add one text."""
            given: dict[str, Any] = {"predictions": prediction, "references": reference, **kwargs}
            self.add_batch(**{key: None if value is None else [value] for key, value in given.items()})

        def compute(
            self, *, predictions: Texts | None = None, references: References | None = None, **kwargs: object
        ) -> dict[str, object] | None:
            """The score of the given texts, or of the texts added before; `per_example=True` adds those of each."""
            sources = kwargs.pop("sources", None)
            self.per_example = checks.flag("per_example", kwargs.pop("per_example", False))
            self.chosen = registry.resolve(self.name, kwargs)
            if sources is not None and "sources" not in self.columns:
                raise UnusedSourcesError(self.name)
            source_column = {"sources": sources} if "sources" in self.columns else {}
            results: dict[str, object] | None = super().compute(
                predictions=predictions, references=references, **source_column
            )
            return results

        def _compute(
            self, *, predictions: Texts, references: References | None = None, sources: Texts | None = None
        ) -> dict[str, object]:
            score = self.chosen.corpus(predictions, references, sources=sources)
            parts = {key: list(part) if isinstance(part, tuple) else part for key, part in score.parts.items()}
            results: dict[str, object] = {self.name: float(score.value), **parts, "signature": score.signature}
            if self.per_example:
                results["scores"] = self.chosen.sentences(predictions, references, sources=sources).tolist()
            return results

    return BleuprintMetric


def _find_name(name: str) -> str:
    """The name of a metric with underscores; "default" is evaluate's word for none."""
    if name == "default":
        raise OptionError.because('name a metric, as in evaluate.load(hf.path(), "bleu")')
    return registry.find(name).name.replace("-", "_")


def _check_batch(name: str, batch: Mapping[str, Any]) -> dict[str, object]:
    """The batch in the form that evaluate stores."""
    for column, given in batch.items():
        if given is None:
            if column == "sources":
                raise MissingSourcesError(name)
            raise InputError(f"{name} needs {column}: pass one for each segment.")
    columns = {
        column: list(given) if isinstance(given, Iterable) and not isinstance(given, str | bytes) else given
        for column, given in batch.items()
    }
    predictions, references = columns["predictions"], columns.get("references", columns["predictions"])
    corpus = Corpus.of(predictions, references, columns.get("sources"), name="predictions")
    if corpus.hypotheses.tokenized:
        raise NotTextError("predictions", "a list of str", "tokens", "evaluate stores texts, so join the tokens")
    if "references" in columns:
        columns["references"] = [[group] if isinstance(group, str) else list(group) for group in references]
    return columns
