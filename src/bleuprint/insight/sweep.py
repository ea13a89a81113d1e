"""iBLEU under other weights: which system is best may depend on alpha, and copying the source has a score too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bleuprint import signature
from bleuprint.metrics.base import Metric, Score
from bleuprint.metrics.ibleu import IBLEU, IbleuScore
from bleuprint.results import MetricResult, Result
from bleuprint.results.digits import Digits
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.runners.replaying import metric_for

COPY = "copy of the source"
# With 1, iBLEU is BLEU. Below 0.5, an output that shares no word with anything is better than most.
_USUAL = tuple(tenth / 10 for tenth in range(5, 11))
_FINE = tuple(hundredth / 100 for hundredth in range(50, 101))


@dataclass(frozen=True, slots=True)
class Sweep:
    """An iBLEU of a result, whose counts give the score for any alpha."""

    metric: str
    scores: Mapping[str, IbleuScore]  # by system
    copy: IbleuScore | None = None  # of the sources as outputs; None without the texts

    @property
    def alpha(self) -> float:
        """The weight in the result."""
        return next(iter(self.scores.values())).alpha

    def at(self) -> dict[str, list[IbleuScore]]:
        """The scores of all systems, and of copying the source, for alpha from 0.5 to 1."""
        every = {**self.scores, **({} if self.copy is None else {COPY: self.copy})}
        return {name: [score.at(alpha) for alpha in _USUAL] for name, score in every.items()}

    def winners(self) -> list[tuple[str, float, float]]:
        """The best system from one alpha to another, in order, for alpha from 0.5 to 1."""
        halves = {name: (score.adequacy.value, score.similarity.value) for name, score in self.scores.items()}
        runs: list[tuple[str, float, float]] = []
        for alpha in _FINE:
            values = {name: alpha * meant - (1 - alpha) * copied for name, (meant, copied) in halves.items()}
            best = max(values, key=values.__getitem__)
            if runs and values[runs[-1][0]] == values[best]:
                runs[-1] = (*runs[-1][:2], alpha)
            else:
                runs.append((best, alpha, alpha))
        return runs

    def sentences(self, digits: Digits) -> list[str]:
        """What alpha is, whether the best system depends on it, and what copying the source scores."""
        said = f"Alpha is {self.alpha:g}: {self.metric} = {self.alpha:g} · references − {1 - self.alpha:g} · source."
        sentences, winners = [said], self.winners()
        if len(winners) > 1:
            listed = ", ".join(f"{name} from {low:g} to {high:g}" for name, low, high in winners)
            sentences.append(f"The best system depends on alpha: {listed}.")
        elif len(self.scores) > 1:
            sentences.append(f"{winners[0][0]} is the best system for every alpha from 0.5 to 1.")
        if self.copy is not None:
            below = [name for name, score in self.scores.items() if score.value < self.copy.value]
            than = f"more than {', '.join(below)}" if below else "no more than any system"
            sentences.append(f"Copying the source scores {digits(self.copy.value)}, {than}.")
        return sentences

    def table(self, digits: Digits) -> DisplayTable:
        """BLEU of every system against the references, which is iBLEU with alpha 1, and the source; iBLEU by alpha."""
        swept, rows = self.at(), []
        best = [max(swept[name][place].value for name in self.scores) for place in range(len(_USUAL))]
        for name, scores in swept.items():
            *values, meant = (score.value for score in scores)
            halves = (Cell(digits(half), half) for half in (meant, scores[0].similarity.value))
            cells = (
                Cell(digits(value), value, best=value == top and len(self.scores) > 1)
                for value, top in zip(values, best, strict=False)
            )
            rows.append((Cell(name), *halves, *cells))
        header = (self.metric, "references", "source", *(f"alpha {alpha:g}" for alpha in _USUAL[:-1]))
        return DisplayTable(header, tuple(rows), label="sweep")


def sweeps(result: Result, metrics: Mapping[str, Metric[Score]] | None = None) -> list[Sweep]:
    """Every iBLEU of a result; `metrics` are those that no signature can recreate, by their name in it.

    >>> from bleuprint import evaluate
    >>> outputs = {"A": ["the cat sat on a mat"], "B": ["on the mat sat one cat"]}
    >>> result = evaluate(outputs, ["on the mat sat a cat"], sources=["the cat sat on a mat"], metrics="ibleu")
    >>> [(name, high) for name, _, high in sweeps(result)[0].winners()]
    [('B', 1.0)]
    """
    found = []
    for label in result.metrics:
        scores = {system.name: _with_counts(system.score(label), metrics) for system in result.systems}
        counted = {name: score for name, score in scores.items() if score is not None}
        copy = None
        if counted and result.has_texts and result.sources is not None:
            metric = metric_for(result.systems[0].score(label), metrics)
            copy = metric.corpus(result.sources, result.references, sources=result.sources)
        if counted:
            found.append(Sweep(label, counted, copy))  # type: ignore[arg-type]  # the score of an iBLEU is one
    return found


def _with_counts(score: MetricResult, metrics: Mapping[str, Metric[Score]] | None) -> IbleuScore | None:
    """The score with its counts, which are the parts of a stored iBLEU; None for any other metric."""
    if signature.parse(score.signature).metric != IBLEU.name:
        return None
    definition = metric_for(score, metrics).definition
    counts = [score.parts.get(name) for name in definition.columns]
    columns = tuple(count for count in counts if isinstance(count, int))
    return IbleuScore(definition, columns, False, None) if len(columns) == len(counts) else None
