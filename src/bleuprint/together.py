"""Several metrics of several systems in one pass: the same texts are read, taken apart and counted once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bleuprint import counts
from bleuprint.corpus import Corpus
from bleuprint.metric import Measured, Metric, checked_threads
from bleuprint.tokenizers import Tokenizer

__all__ = ["measure"]


def measure(
    metrics: Mapping[str, Metric[Any]], corpora: Mapping[str, Corpus], *, threads: int | None = None
) -> dict[str, dict[str, Measured[Any]]]:
    """Every corpus under every metric: `measure(…)[corpus][metric]`.

    Corpora that share a column of references have those taken apart once for all of them. Sources are handed to the
    metrics that read them.

    >>> from bleuprint import BLEU, GLEU
    >>> corpus = Corpus.of(["the cat sat", "a dog"], ["the cat sat", "the dog"])
    >>> found = measure({"bleu": BLEU(max_order=2), "gleu": GLEU()}, {"mine": corpus})["mine"]
    >>> [(name, round(float(measured.score), 4)) for name, measured in found.items()]
    [('bleu', 0.7303), ('gleu', 0.7778)]
    """
    number = checked_threads(threads)
    prepare = _Preparation()
    jobs = []
    ready: dict[tuple[str, int], Metric[Any]] = {}
    requests: list[counts.Request] = []
    for system, corpus in corpora.items():
        for label, metric in metrics.items():
            metric.check_sources(corpus.sources if metric.needs_sources else None)
            metric.check_corpus(corpus)
            prepared = prepare(metric.tokenizer, corpus)
            # Corpora of the same references share what a metric learns from them.
            key = label, id(prepared.references)
            ready[key] = ready.get(key) or metric.ready_for(prepared, number)
            asked = ready[key].requests(prepared)
            jobs.append((system, label, ready[key], prepared, len(asked)))
            requests += asked
    answers = iter(counts.rows_together(requests, number))
    found: dict[str, dict[str, Measured[Any]]] = {system: {} for system in corpora}
    for system, label, metric, prepared, asked_for in jobs:
        found[system][label] = metric.measured(prepared, [next(answers) for _ in range(asked_for)])
    return found


class _Preparation:
    """Corpora as tokenizers outside the core leave them; metrics with the same tokenizer share one."""

    def __init__(self) -> None:
        self._columns: dict[tuple[int, Tokenizer], counts.Column] = {}

    def __call__(self, tokenizer: Tokenizer, corpus: Corpus) -> Corpus:
        if tokenizer.plugin is None:
            return corpus
        return Corpus(
            self._column(tokenizer, corpus.hypotheses, "hypotheses"),
            self._column(tokenizer, corpus.references, "references"),
            None if corpus.sources is None else self._column(tokenizer, corpus.sources, "sources"),
        )

    def _column(self, tokenizer: Tokenizer, column: counts.Column, name: str) -> counts.Column:
        key = id(column), tokenizer
        if key not in self._columns:
            self._columns[key] = tokenizer.prepare_column(column, name)
        return self._columns[key]
