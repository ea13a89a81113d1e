"""Outputs rated by people: which segment, which system, the texts, and one or several columns of ratings.

An output is one segment of one system. It may be rated by nobody, once, or by several raters: `Ratings.human` holds the
mean rating of each output, `Ratings.judgements` the single ratings. What can be learned from ratings are methods, each
of which imports its module when it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bleuprint.core.arrays import Floats, Places

if TYPE_CHECKING:
    from bleuprint.metrics.base.metric import Metric
    from bleuprint.metrics.base.score import Score
    from bleuprint.ratings.agreement.result import Agreement
    from bleuprint.ratings.estimation import RatingEstimate
    from bleuprint.ratings.power import RatingPower
    from bleuprint.ratings.threshold import Threshold
    from bleuprint.runners.evaluation import Metrics

Names = str | Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """Single ratings: the output that was rated, who rated it, and the rating.

    Without a column of raters, the first rating of every output has rater 0, the second rater 1, and so on.
    """

    output: Places
    rater: Places
    value: Floats

    def __len__(self) -> int:
        return len(self.value)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Ratings:
    """Outputs of systems with their ratings; `segment[k]`, `system[k]` and all texts and numbers [k] are of output k.

    >>> rows = [{"id": i, "system": s, "mqm": -i} for s in "AB" for i in range(3)]
    >>> ratings = Ratings.read(rows, "mqm")
    >>> ratings
    <Ratings of 6 outputs: 3 segments, 2 systems; mqm>
    >>> ratings.human["mqm"].tolist(), ratings.systems[ratings.system[-1]]
    ([0.0, -1.0, -2.0, 0.0, -1.0, -2.0], 'B')
    """

    name: str  # of the file, for messages
    segments: tuple[str, ...]
    systems: tuple[str, ...]  # one without a name if there is no column of systems
    segment: Places
    system: Places
    human: Mapping[str, Floats]  # mean rating of each output; NaN where nobody rated it
    judgements: Mapping[str, Judgements]
    scores: Mapping[str, Floats] = field(default_factory=dict)  # of other metrics; NaN where missing
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lower_is_better: frozenset[str] = frozenset()  # columns of ratings and scores
    hypotheses: tuple[str, ...] | None = None
    references: tuple[tuple[str, ...], ...] | None = None
    sources: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.segment)

    def __repr__(self) -> str:
        systems = f", {len(self.systems)} systems" if self.has_systems else ""
        columns = ", ".join(self.human)
        return f"<Ratings of {len(self)} outputs: {len(self.segments)} segments{systems}; {columns}>"

    @property
    def has_systems(self) -> bool:
        """Whether the table names the system of each output."""
        return self.systems != ("",)

    def quality(self, column: str) -> Floats:
        """The mean ratings in a column, negated if lower is better there: higher is always better."""
        return -self.human[column] if column in self.lower_is_better else self.human[column]

    @classmethod
    def read(
        cls,
        table: object,
        human: Names,
        *,
        segment: str | None = None,
        system: str | None = None,
        rater: str | None = None,
        hypothesis: str | None = None,
        reference: Names | None = None,
        source: str | None = None,
        scores: Names | Mapping[str, Sequence[float | None]] = (),
        group: Names = (),
        lower_is_better: Names = (),
        errors: str = "strict",
    ) -> Ratings:
        """Read ratings from a file, a list of dicts, a dict of columns, or a pandas, polars, pyarrow or HF table.

        - `table`: a .tsv, .csv, .jsonl, .json or .parquet file (text may be compressed), or rows in memory
        - `human`: the columns with ratings. A cell may be empty; true and false count as 1 and 0.
        - `segment`, `system`, `rater`, `hypothesis`, `reference`, `source`: the columns of each role, if they have
          uncommon names; without a column of systems, every row is a segment of the same one
        - `scores`: columns with scores of other metrics, or a dict of such columns with a value for each row
        - `group`: columns with a label for each row, such as its document. `agreement` is also shown for each label.
          All other methods take the labels as items: outputs that share one are never split.
        - `lower_is_better`: the columns of ratings and scores in which lower is better
        - `errors`: "strict" or "replace", for bytes that are not UTF-8

        Several rows of one segment and system are ratings of the same output, so their texts must be the same.

        >>> table = {"item": [1, 1, 2, 3, 4], "rater": ["a", "b", "a", "b", "b"], "fluency": [4, 5, 2, 3, None]}
        >>> ratings = Ratings.read(table, "fluency")
        >>> ratings.human["fluency"].tolist(), len(ratings.judgements["fluency"])
        ([4.5, 2.0, 3.0, nan], 4)
        """
        from bleuprint.ratings.reading import read

        roles = {"segment": segment, "system": system, "rater": rater, "hypothesis": hypothesis, "source": source}
        return read(table, human, {**roles, "reference": reference}, scores, group, lower_is_better, errors)

    def agreement(
        self,
        metrics: Metrics | None = None,
        *,
        human: Names | None = None,
        models: Mapping[str, object] | None = None,
        level: Names | None = None,
        statistic: str = "pearson",
        resample: str = "items",
        resamples: int = 1000,
        permutations: int | None = None,
        alpha: float = 0.05,
        seed: int = 12345,
        threads: int | None = None,
        progress: Callable[[float], object] | None = None,
    ) -> Agreement:
        """Measure which metric agrees with the ratings, over systems and over segments.

        - `metrics`, `models`: as in `evaluate`; by default, all metrics that the columns of the table allow. Columns of
          scores compete with them.
        - `human`: some of the columns of ratings; all by default
        - `level`: "system", "segment" or both; both by default if the table names systems
        - `statistic`: what ranks the metrics: "pearson", "spearman", "kendall" or "accuracy"
        - `resample`: what intervals are resampled over: "items" (segments), "systems" or "both"
        - `resamples`: number of resamples for the intervals
        - `permutations`: number of permutations for the tests; more for many metrics by default
        - `alpha`: significance level; intervals have the level 1 - alpha
        - `seed`: random seed
        - `progress`: called with the finished share of the work

        >>> nouns = ["cat", "dog", "cow", "hen", "fox", "owl", "pig", "elk"]
        >>> rows = []
        >>> for number, noun in enumerate(nouns):
        ...     reference = f"the {noun} sat on the old mat"
        ...     for name, words in {"good": 7, "fair": 5, "poor": 3}.items():
        ...         output = " ".join(reference.split()[:words])
        ...         rating = words + number % 3
        ...         rows.append({"id": noun, "system": name, "output": output, "reference": reference, "good": rating})
        >>> agreement = Ratings.read(rows, "good").agreement(["bleu", "chrf"])
        >>> print(agreement.level("good", "segment").metric("bleu").statistics["pearson"].text)
        0.901
        >>> print(agreement.level("good", "segment").verdict)
        chrf agrees best with good at segment level, significantly better than all others.
        """
        from bleuprint.ratings.agreement.measuring import measure_agreement
        from bleuprint.ratings.agreement.result import Settings

        return measure_agreement(
            self,
            metrics,
            Settings(statistic, resample, resamples, permutations, alpha, seed),
            human=human,
            models=models,
            level=level,
            threads=threads,
            progress=progress,
        )

    def threshold(
        self,
        metric: str | Metric[Score] | None = None,
        *,
        human: str | None = None,
        models: Mapping[str, object] | None = None,
        cut: float | None = None,
        precision: float | None = None,
        recall: float | None = None,
        folds: int = 10,
        resamples: int = 1000,
        seed: int = 12345,
        threads: int | None = None,
    ) -> Threshold:
        """Find the threshold of a metric that best predicts which outputs people pass.

        - `metric`, `models`: the metric, as in `evaluate`, or the name of a column of scores; by default the
          column of scores if there is just one, and BLEU otherwise
        - `human`: the column of ratings, if there are several
        - `cut`: outputs with at least this rating pass, or at most if lower is better; 0.5 if all ratings are 0 or 1
        - `precision`, `recall`: require this share of the one, and maximize the other; by default, F1 is maximized
        - `folds`, `resamples`, `seed`: of the cross-validation over items, and of the resamples of items

        No threshold is returned if the metric does not separate outputs that pass from outputs that fail: if the
        interval of the area under the ROC curve reaches down to 0.5.

        >>> words = "the old cat sat on a red mat near the big door".split()
        >>> text = " ".join(words)
        >>> rows = [
        ...     {"id": n, "output": " ".join(words[: 4 + n % 9]), "reference": text, "ok": n % 9 + n % 2 > 4}
        ...     for n in range(60)
        ... ]
        >>> found = Ratings.read(rows, "ok").threshold("item-bleu")
        >>> found.value, found.code
        (0.7, 'bp.SentenceBleu(threshold=0.7)')
        """
        from bleuprint.ratings.items import Trials
        from bleuprint.ratings.scoring import RatedScores
        from bleuprint.ratings.threshold import Criterion, find_threshold

        criterion = Criterion(precision, recall)
        metrics, columns = self._metric_or_column(metric)
        scored = RatedScores.of(self, human, metrics, columns=columns, models=models, threads=threads)
        return find_threshold(scored, cut, criterion, folds, Trials(resamples, seed))

    def _metric_or_column(self, metric: str | Metric[Score] | None) -> tuple[list[str | Metric[Score]], list[str]]:
        """The metric to score with, or the column of scores to take; by default the only column, or BLEU."""
        if metric is None:
            metric = next(iter(self.scores)) if len(self.scores) == 1 else "bleu"
        return ([], [metric]) if isinstance(metric, str) and metric in self.scores else ([metric], [])

    def estimate(
        self,
        metric: str | Metric[Score] | None = None,
        *,
        human: str | None = None,
        models: Mapping[str, object] | None = None,
        earlier: str | None = None,
        scale: Sequence[float] | None = None,
        width: float | None = None,
        rate_next: int = 0,
        alpha: float = 0.05,
        resamples: int = 1000,
        seed: int = 12345,
        threads: int | None = None,
    ) -> RatingEstimate:
        """Estimate what people would rate on average, from a metric or a judge on all outputs and ratings of some.

        - `metric`, `models`: as in `threshold`; every output needs a score. Rated outputs must be a random sample.
        - `human`: the column of ratings, if there are several
        - `earlier`: a column with an earlier round of ratings, to measure how ratings drifted since
        - `scale`: the lowest and the highest possible rating; (0, 1) if all ratings are 0 or 1
        - `width`: also say how many items have to be rated for intervals of this width
        - `rate_next`: number of segments to draw that people should rate next
        - `alpha`: intervals have the level 1 - alpha
        - `resamples`, `seed`: resamples of items for the intervals of kappas, and the random seed

        >>> rows = [{"id": n, "judge": n % 7, "rating": n % 7 + n % 3 if n % 5 == 0 else None} for n in range(400)]
        >>> found = Ratings.read(rows, "rating", scores="judge").estimate()
        >>> print(found.systems[0].estimate.interval, "instead of", found.systems[0].alone.interval)
        3.719 … 4.266 instead of 3.500 … 4.475
        """
        from bleuprint.ratings.estimation import Question, estimate_ratings
        from bleuprint.ratings.items import Trials
        from bleuprint.ratings.scoring import score_outputs
        from bleuprint.runners.evaluation import resolve

        question, trials = Question(earlier, scale, width, rate_next, alpha), Trials(resamples, seed)
        metrics, columns = self._metric_or_column(metric)
        scored = score_outputs(self, resolve(metrics, models, unit="segment"), columns, threads)
        return estimate_ratings(self, human, scored, question, trials)

    def power(
        self,
        metrics: Metrics = ("bleu", "chrf", "ter"),
        *,
        human: str | None = None,
        models: Mapping[str, object] | None = None,
        sizes: Sequence[int] | None = None,
        resamples: int = 1000,
        seed: int = 12345,
        threads: int | None = None,
    ) -> RatingPower:
        """Estimate how many rated items are needed to measure agreement with people, and to tell metrics apart.

        - `metrics`, `models`: as in `evaluate`; columns of scores are compared with them
        - `human`: the column of ratings, if there are several
        - `sizes`: numbers of items; by default, steps up to those at hand, and two and four times as many
        - `resamples`, `seed`: number and random seed of the draws of items

        >>> words = "the old cat sat on a red mat near the big door".split()
        >>> text = " ".join(words)
        >>> rows = [
        ...     {"id": n, "output": " ".join(words[: 4 + n % 9]), "reference": text, "quality": n % 9 + 5 * (n % 4)}
        ...     for n in range(60)
        ... ]
        >>> power = Ratings.read(rows, "quality").power(["bleu"], sizes=[20, 240])
        >>> [(point.items, round(point.margins["bleu"], 1)) for point in power.points]
        [(20, 0.4), (60, 0.2), (240, 0.1)]
        """
        from bleuprint.ratings.items import Trials
        from bleuprint.ratings.power import estimate_power
        from bleuprint.ratings.scoring import RatedScores

        scored = RatedScores.of(self, human, metrics, columns=list(self.scores), models=models, threads=threads)
        return estimate_power(scored, sizes, Trials(resamples, seed))
