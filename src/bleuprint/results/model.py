"""The parts of a result.

The JSON contains everything a report needs, including the texts, and nothing that changes from run to run: the same
input produces the same bytes. `result.schema.json` describes it. Files are written atomically and replace a different
file only with `overwrite`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from bleuprint import checks
from bleuprint.errors import DataFileError, OutputError, ResultError
from bleuprint.files import write_files
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.metric import Metric, Unit
from bleuprint.metrics.base.score import Measured, Part, Score
from bleuprint.results.display import Displayed, DisplayTable, frame, separated_values
from bleuprint.results.escaping import visible
from bleuprint.results.notebook import EmbeddedPage
from bleuprint.results.pages import render_page

if TYPE_CHECKING:
    import pandas
    import polars

    from bleuprint.results.comparison import Comparison  # which loads NumPy

SCHEMA_VERSION = 1  # of result.schema.json
COLUMN = "column"  # stands for the metric in the signature of scores that come from elsewhere and cannot be replayed

Level = Literal["segments", "systems"]
Columns = dict[str, list[Any]]


def digest_of(segments: Iterable[str | Sequence[str]]) -> str:
    """Return the SHA-256 of segments: texts or lists of texts. A text and a list with only that text are equal.

    >>> digest_of(["ab"]) == digest_of(["a", "b"]), digest_of(["a"]) == digest_of([("a",)])
    (False, True)
    """
    import hashlib  # loads OpenSSL, which a stream does without

    digest = hashlib.sha256()
    for segment in segments:
        encoded = [text.encode() for text in ((segment,) if isinstance(segment, str) else segment)]
        # Lengths come first, so that different segments never produce the same bytes.
        digest.update(" ".join(str(len(text)) for text in encoded).encode() + b"\n" + b"".join(encoded))
    return f"sha256:{digest.hexdigest()}"


def corpus_signature(definition: Definition) -> str:
    """The signature of corpus scores without facts about the texts: options that depend on the level are resolved."""
    return definition.write(definition.resolved_options(sentence=False), {})


@dataclass(frozen=True, slots=True, repr=False)
class MetricResult:
    """The scores of one metric for one system."""

    metric: str
    higher_is_better: bool
    value: float
    parts: Mapping[str, Part]
    signature: str
    segments: tuple[float, ...]  # the score of every segment; empty if not stored, or if a pool has none
    segment_signature: str
    unit: Unit = "segment"  # what the metric scores: each segment, or the pool of all outputs
    interval: tuple[float, ...] | None = None  # low and high end of the 95 % confidence interval, if it was asked for

    @classmethod
    def of(cls, label: str, score: Score, segments: tuple[float, ...] = ()) -> MetricResult:
        """What a result keeps of a score, under the name that the metric has in it."""
        kind = score.definition.kind
        value, signature = float(score.value), score.segment_signature
        return cls(label, kind.higher_is_better, value, score.parts, score.signature, segments, signature, kind.unit)

    @property
    def is_column(self) -> bool:
        """Whether the scores come from elsewhere, so that no metric can compute them again."""
        return self.signature.startswith(f"{COLUMN}.")

    def __repr__(self) -> str:
        return f"<MetricResult {self.metric} = {self.value!r}, {len(self.segments):,} segments>"


@dataclass(frozen=True, slots=True, repr=False)
class SystemResult:
    """One system: its outputs, and its score for every metric."""

    name: str
    hypotheses: tuple[str, ...]  # empty if texts are not stored
    digest: str  # of the hypotheses
    scores: tuple[MetricResult, ...]

    def score(self, metric: str) -> MetricResult:
        """Return the result for the named metric."""
        for score in self.scores:
            if score.metric == metric:
                return score
        raise KeyError(metric)

    def __repr__(self) -> str:
        scores = ", ".join(f"{score.metric} = {score.value:.4f}" for score in self.scores)
        return f"<SystemResult {visible(self.name)}: {scores or 'no scores'}>"


@dataclass(frozen=True, slots=True, repr=False)
class Result(Displayed):
    """A complete evaluation: one or more systems on the same references.

    >>> from bleuprint import Result, evaluate
    >>> Result.from_json(evaluate(["a cat"], ["a cat"], metrics="gleu").to_json())
    <Result of 1 system on 1 segment: gleu>
    """

    systems: tuple[SystemResult, ...]
    # references[i] belongs to segment i, or all are the corpus of pools; empty if not stored or not needed
    references: tuple[tuple[str, ...], ...]
    sources: tuple[str, ...] | None
    size: int  # segments
    digests: Mapping[str, str]  # of references and sources
    versions: Mapping[str, str]
    notes: tuple[str, ...] = ()
    ids: tuple[str, ...] | None = None  # the name of each segment; None if segments are only numbered
    comparison: Comparison | None = None
    schema_version: int = SCHEMA_VERSION
    # What was counted, by system and metric, so that nothing is counted again; not in the JSON.
    counted: Mapping[str, Mapping[str, Measured[Score]]] | None = field(default=None, compare=False, repr=False)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metric names, identical for every system."""
        return tuple(score.metric for score in self.systems[0].scores) if self.systems else ()

    @property
    def has_texts(self) -> bool:
        """Whether the texts are stored; they are not if the corpus was streamed."""
        stored = all(len(system.hypotheses) == self.size for system in self.systems)
        return stored and ("references" not in self.digests or bool(self.references))

    @property
    def segment_references(self) -> tuple[tuple[str, ...], ...]:
        """The references of each segment; none if they are the corpus that pools are compared with."""
        aligned = any(score.unit == "segment" for system in self.systems for score in system.scores)
        return self.references if aligned else ()

    def counted_for(self, system: str, metric: Metric[Score], label: str) -> Measured[Score] | None:
        """What was counted for a metric with the same corpus score; None if this result was read from a file."""
        kept = None if self.counted is None else self.counted.get(system, {}).get(label)
        is_same = kept is not None and corpus_signature(kept.score.definition) == corpus_signature(metric.definition)
        return kept if is_same else None

    def segment_name(self, index: int) -> str:
        """Return what the segment at this index is called: its id, or its number, counted from 1.

        >>> from bleuprint import evaluate
        >>> evaluate(["a", "b"], ["a", "b"], ids=["q-17", "q-4"]).segment_name(1)
        'q-4'
        >>> evaluate(["a", "b"], ["a", "b"]).segment_name(1)
        'segment 2'
        """
        return f"segment {index + 1}" if self.ids is None else self.ids[index]

    def system(self, name: str) -> SystemResult:
        """Return the named system."""
        for system in self.systems:
            if system.name == name:
                return system
        raise KeyError(name)

    def to_json(self) -> str:
        """Return the result as JSON; `from_json` restores an equal result."""
        fields = asdict(replace(self, comparison=None, counted=None))
        del fields["counted"]
        for score in (score for system in fields["systems"] for score in system["scores"] if score["interval"] is None):
            del score["interval"]
        if self.comparison is not None:
            fields["comparison"] = self.comparison.to_dict()
        ordered = {"schema_version": fields.pop("schema_version"), **fields}
        if self.ids is None:
            del ordered["ids"]
        return json.dumps(ordered, ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    @classmethod
    def from_json(
        cls, text: str, *, source: str = "the text", metrics: Mapping[str, Metric[Score]] | None = None
    ) -> Result:
        """Restore a result from `to_json`; `source` names the text in errors.

        Pass custom metrics that no installed package announces in `metrics`, by their name in the result.
        """
        from bleuprint.results.reading import read_result

        return read_result(text, source, metrics)

    @classmethod
    def read_json(cls, path: str | Path, *, metrics: Mapping[str, Metric[Score]] | None = None) -> Result:
        """Read a result from a file written by `write_json`; `metrics` as for `from_json`."""
        try:
            return cls.from_json(Path(path).read_text(encoding="utf-8"), source=str(path), metrics=metrics)
        except (OSError, ValueError) as error:
            if isinstance(error, FileNotFoundError):
                raise DataFileError(str(path), "there is no such file") from None
            if Path(path).suffix in {".csv", ".jsonl", ".ndjson", ".tsv", ".txt"}:
                problem = f"it holds texts; score it first: bleuprint score {path} --json new.json"
                raise DataFileError(str(path), problem) from None
            if isinstance(error, ResultError):
                raise
            raise ResultError(str(path), getattr(error, "strerror", None) or str(error)) from None

    def write_json(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Save the result atomically; replacing a different file needs `overwrite`."""
        write_files({Path(path): self.to_json().encode()}, overwrite=overwrite)

    def display(self, *, percent: bool = False, intervals: bool = False) -> tuple[DisplayTable, ...]:
        """The table of systems and scores, with the best in bold and the signatures below it.

        If the result contains a comparison, systems have significance marks and, with `intervals`, confidence
        intervals.

        >>> from bleuprint import evaluate
        >>> result = evaluate({"A": ["the cat sat"], "B": ["a cat"]}, ["the cat sat"], metrics="gleu")
        >>> print(result.to_latex(percent=True, caption="Results.").partition("toprule")[2].partition("bottom")[0])
        <BLANKLINE>
        System & GLEU $\\uparrow$$^{a}$ \\\\
        \\midrule
        A & \\textbf{100.00} \\\\
        B & 16.67 \\\\
        \\
        """
        from bleuprint.results.digits import Digits
        from bleuprint.results.score_tables import score_table

        return (score_table(self, Digits(percent), intervals=intervals),)

    def to_csv(self, level: Level = "systems", *, percent: bool = False, **options: object) -> str:
        """Return the table of systems or of segments as comma-separated values; systems have whole signatures.

        `options` are those of `display`, for the table of systems.
        """
        columns = self._columns(level, percent=percent, **options)
        references = columns.pop("references", [])
        for number in range(max(map(len, references), default=0)):
            columns[f"reference {number + 1}"] = [texts[number] if number < len(texts) else "" for texts in references]
        return separated_values(columns)

    def methods_text(self, form: Literal["text", "markdown", "latex"] = "text", *, bibtex: bool = True) -> str:
        """Return a paragraph for a paper that says how the systems were scored, with BibTeX entries of what it cites.

        It names the version, every metric with its signature as a footnote and, if the result contains a comparison,
        the test, its samples and the correction.

        >>> from bleuprint import evaluate
        >>> print(evaluate(["a b"], ["a b"], metrics="rouge").methods_text(bibtex=False), end="")
        We score one system on 1 segment with bleuprint 0.1.0: ROUGE-1 (Lin, 2004)[1].
        <BLANKLINE>
        [1] rouge|tokenizer:rouge|references:1|bleuprint:0.1.0
        """
        from bleuprint.results.methods import methods_text

        signatures = {score.metric: score.signature for score in (self.systems[0].scores if self.systems else ())}
        return methods_text(signatures, len(self.systems), self.size, self.comparison, form, bibtex=bibtex)

    def show(self, *, height: int = 720, max_megabytes: float = 25.0) -> EmbeddedPage:
        """Show the report with its segment browser inside a notebook; the value of a cell is shown by itself.

        The page is part of the notebook's file, so a large one is refused: raise `max_megabytes`, score fewer segments,
        or write the report to a file with `to_html`.
        """
        return EmbeddedPage.of(self.to_html(), height=height, max_megabytes=max_megabytes)

    def to_html(self) -> str:
        """Return the report as a self-contained HTML page, with charts and all segments.

        >>> from bleuprint import evaluate
        >>> evaluate(["the cat sat"], ["the cat sat"]).to_html()[:15]
        '<!DOCTYPE html>'
        """
        return render_page(self)

    def to_pandas(self, level: Level = "segments") -> pandas.DataFrame:
        """Return a pandas DataFrame with a row per segment and system, or per system with `level="systems"`."""
        return frame(self._columns(level), "pandas")

    def to_polars(self, level: Level = "segments") -> polars.DataFrame:
        """Return a polars DataFrame with the same rows as `to_pandas`."""
        data: polars.DataFrame = frame(self._columns(level), "polars")
        return data

    def _columns(self, level: Level, **options: Any) -> Columns:
        """The columns of the segments, or of the systems with the options of `display` and whole signatures."""
        checks.choice("level", level, ("segments", "systems"))
        if level == "segments":
            return self._segment_columns()
        columns: Columns = self.display(**options)[0].columns()
        for place, metric in enumerate(self.metrics):
            columns[f"{metric} signature"] = [system.scores[place].signature for system in self.systems]
        return columns

    def _segment_columns(self) -> Columns:
        """One row per segment and system; segments are numbered from 1, and have their id if there are ids."""
        # Before anything of that size is made: a result can claim any size.
        for place, metric in enumerate(self.metrics):
            if any(len(system.scores[place].segments) != self.size for system in self.systems):
                raise OutputError("the table of segments", f"the result has no segment scores for {metric}")
        if not self.metrics and not self.has_texts:
            raise OutputError("the table of segments", "the result has neither texts nor scores")
        numbers, count = list(range(1, self.size + 1)), len(self.systems)
        columns: Columns = {"segment": numbers * count, **({} if self.ids is None else {"id": list(self.ids) * count})}
        columns["system"] = [system.name for system in self.systems for _ in numbers]
        if self.has_texts:
            if self.sources is not None:
                columns["source"] = list(self.sources) * count
            columns["hypothesis"] = [text for system in self.systems for text in system.hypotheses]
            columns["references"] = [list(texts) for texts in self.references] * count
        for place, metric in enumerate(self.metrics):
            columns[metric] = [value for system in self.systems for value in system.scores[place].segments]
        return columns

    def __repr__(self) -> str:
        systems, segments = len(self.systems), self.size
        size = f"{systems} system{'s' * (systems != 1)} on {segments:,} segment{'s' * (segments != 1)}"
        compared = "" if self.comparison is None else ", compared"
        return f"<Result of {size}: {', '.join(self.metrics) or 'no metrics'}{compared}>"
