"""Find the settings that give a published score."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import combinations, product
from typing import Any

from bleuprint.core.arrays import Integers, np
from bleuprint.core.columns import References, Texts
from bleuprint.errors import InputWarning, OptionError
from bleuprint.insight._rows import AnyMetric, RowMemo, again
from bleuprint.insight.steps import in_words
from bleuprint.metrics import profiles, registry
from bleuprint.metrics.base.formulas import MeanFormula
from bleuprint.metrics.smoothing import METHODS
from bleuprint.statistics.exact_mean import ExactMean

_CASE = {"lowercase": (False, True)}
_WORDS = {**_CASE, "tokenizer": ("whitespace", "13a", "nltk", "char")}


def characters(text: str) -> list[str]:
    """Split a text into characters, spaces included: what NLTK does to a string that should be a list of tokens."""
    return list(text)


# What people vary, by metric. Every value is tried with every profile, with at most three departures at a time.
SPACES: dict[str, dict[str, tuple[Any, ...]]] = {
    "bleu": {
        **_CASE,
        "tokenizer": ("13a", "intl", "whitespace", "nltk", "char", "zh", characters),
        "smoothing": tuple(method.usual_text for method in METHODS.values()),
        "max_order": (4, 1, 2, 3),
        "effective_order": (False, True),
        "reference_length": ("closest", "shortest"),
    },
    "chrf": {
        **_CASE,
        "word_order": (0, 1, 2),
        "beta": (2.0, 1.0, 3.0),
        "char_order": (6, 5, 4),
        "whitespace": (False, True),
        "eps_smoothing": (False, True),
    },
    "ter": {**_CASE, "normalized": (False, True), "no_punct": (False, True), "asian_support": (False, True)},
    "rouge": {"tokenizer": ("rouge", "unicode", "whitespace", "nltk", "char"), "stemmer": (False, True)},
    "gleu": {**_CASE, "tokenizer": ("13a", "nltk", "whitespace", "intl", "char"), "max_order": (4, 1, 2, 3)},
    "wer": _WORDS,
    "mer": _WORDS,
    "wil": _WORDS,
    "wip": _WORDS,
    "cer": {**_CASE, "whitespace": ("strip", "keep", "collapse", "remove")},
    "self-bleu": {
        **_WORDS,
        "max_order": (5, 2, 3, 4),
        "smoothing": ("floor(0.1)", "none", "add-k(1)", "exp"),
        "sample": (None, 100, 500, 1000),
    },
}
MOST_DEPARTURES = 3
METRICS = (*SPACES, "any")

_ROUNDING = 1e-12  # difference between two computations in double precision
_SINGLE_PRECISION = 2e-6  # relative error of single precision
_NEAREST = 3
_MEAN, _FIRST, _SWAPPED = "the mean of sentence scores", "the first reference only", "hypotheses and references swapped"
_ALONE: dict[str, dict[str, Any]] = {"self-bleu": {"seed": None}}  # without references; samples are the first texts
_LARGEST = 1e6
_MOST_DIGITS = 300


@dataclass(frozen=True, slots=True)
class Candidate:
    """A profile (None: the metric's defaults) and the options that differ from it."""

    metric: AnyMetric
    profile: str | None
    departures: tuple[tuple[str, Any], ...]

    @property
    def cost(self) -> int:
        """One per departure, two for a mistake."""
        return len(self.departures) + sum(value is characters for _, value in self.departures)


def candidates(name: str) -> Iterator[Candidate]:
    """All distinct definitions of the metric in the space, those with the fewest departures first."""
    if not isinstance(name, str) or name not in SPACES:
        raise OptionError("metric", f"one of {', '.join(SPACES)}, any", name)
    space, seen, kind = SPACES[name], set(), registry.find(name)
    for count in range(MOST_DEPARTURES + 1):
        for profile in profiles.names(name) or (None,):
            base: dict[str, Any] = {} if profile is None else {"profile": profile}
            defaults = kind(**base).options
            for departures in _departures(space, count):
                options: dict[str, Any] = dict(departures)
                if options.get("tokenizer") is characters and profile != "nltk":
                    continue
                if any(option in defaults and defaults[option] == value for option, value in departures):
                    continue  # not a departure
                try:
                    metric = kind(**base, **_ALONE.get(name, {}), **options)
                except OptionError:  # incompatible options
                    continue
                key = tuple(metric.options.values())  # in the order in which the metric lists them
                if key not in seen:
                    seen.add(key)
                    yield Candidate(metric, profile, departures)


def _departures(space: Mapping[str, tuple[Any, ...]], count: int) -> Iterator[tuple[tuple[str, Any], ...]]:
    for options in combinations(space, count):
        for values in product(*(space[option] for option in options)):
            yield tuple(zip(options, values, strict=True))


@dataclass(frozen=True, slots=True)
class Setting:
    """A way to score the texts, and the resulting score."""

    metric: str
    profile: str | None
    part: str | None  # for metrics with several scores
    departures: tuple[str, ...]  # from the profile, in words
    signature: str  # recreates the metric; does not cover departures that concern the data
    value: float
    scale: int  # 1 or 100: the factor that brings the value to the scale of the claim
    command: str | None = None  # that reproduces the score from the files HYP and REF; None if none does

    @property
    def printed(self) -> float:
        """The score on the scale of the claim."""
        return self.scale * self.value

    def __str__(self) -> str:
        name = (self.part or self.metric).replace("_", " ")
        name = name if self.profile is None else f"{name} as {self.profile}"
        return name if not self.departures else f"{name}, but {', '.join(self.departures)}"


@dataclass(frozen=True, slots=True, repr=False)
class Match:
    """The simplest setting with a given value, and the others that give exactly the same value."""

    setting: Setting
    same: tuple[Setting, ...] = ()

    @property
    def plainest(self) -> tuple[Setting, ...]:
        """The setting, and others with no more departures."""
        return (self.setting, *(other for other in self.same if len(other.departures) <= len(self.setting.departures)))

    def __str__(self) -> str:
        return f"{self.setting} (settings with exactly this value: {1 + len(self.same)})"

    def __repr__(self) -> str:
        return f"<Match {self.setting}: {self.setting.value!r}>"


@dataclass(frozen=True, slots=True, repr=False)
class Reconciliation:
    """The settings that give the claimed score, the simplest first; if there are none, the nearest ones."""

    claimed: str
    digits: int  # after the decimal point
    tried: int
    matches: tuple[Match, ...]
    nearest: tuple[Match, ...]

    @property
    def summary(self) -> str:
        """One sentence on whether the search succeeded."""
        if self.matches:
            return f"These settings give {self.claimed} ({self.tried:,} tried), the simplest first:"
        return f"None of {self.tried:,} settings gives {self.claimed}. The nearest:"

    def __str__(self) -> str:
        shown_matches = self.matches or self.nearest
        return "\n".join((self.summary, *(f"{self.shown(match.setting)}  {match}" for match in shown_matches)))

    def __repr__(self) -> str:
        return f"<Reconciliation with {self.claimed}: {len(self.matches)} matches among {self.tried} settings>"

    def shown(self, setting: Setting) -> str:
        """A score on the scale of the claim, with two more digits than the claim, at most 15."""
        return f"{setting.printed:.{min(15, self.digits + 2)}f}"


def reconcile(
    hypotheses: Texts,
    references: References | None,
    claimed: str | float,
    *,
    metric: str = "bleu",
    threads: int | None = None,
) -> Reconciliation:
    """Find the settings that give a claimed score when rounded to the same number of digits.

    - `claimed`: the number as printed, such as "27.3", "0.412" or "27.30%"; both scales are tried unless there is a "%"
    - `metric`: bleu, chrf, ter, rouge, gleu, wer, mer, wil, wip, cer, any of these, or self-bleu, which takes the texts
      alone, so `references` is None

    Tries all profiles with up to three departures: tokenizer, case, smoothing, orders, effective order, reference
    length, the mean of sentence scores, the first reference only. It also tries common mistakes: hypotheses and
    references swapped, references transposed, strings where NLTK expects tokens. Each mistake counts as two departures.
    Settings with fewer departures come first. For Self-BLEU it tries orders, smoothing, tokenizers, case, the first
    100, 500 or 1000 texts alone, and each text among its own references.

    >>> outputs = ["The cat sat on the mat today.", "It is warm, isn't it?"]
    >>> expected = ["The cat sat on a mat today.", "It is warm, is it not?"]
    >>> print(reconcile(outputs, expected, "0.5390").matches[0].setting)
    bleu as nltk
    >>> print(reconcile(outputs, expected, "24.45%").matches[0].setting)
    bleu as torchmetrics, but the mean of sentence scores
    >>> reconcile(outputs, expected, "99.9").matches
    ()
    """
    number, digits, scales = _read(claimed)
    names = (
        [name for name in SPACES if name not in _ALONE] if isinstance(metric, str) and metric == "any" else (metric,)
    )
    tried = [candidate for name in names for candidate in candidates(name)]
    if metric in _ALONE:
        rated = _scores_alone(again(hypotheses), tried, threads)
    else:
        views = _views(RowMemo(hypotheses, () if references is None else references, threads=threads), threads)
        rated = (one for view in views for one in view.scores(tried))
    ranked = sorted(rated, key=lambda one: one[0])
    half = 0.5 * 10.0**-digits
    near = [(abs(scale * scored.value - number), scale, scored) for _, scored in ranked for scale in scales]
    matching = [(scale, scored) for distance, scale, scored in near if distance <= half + _slack(scored, scale)]
    closest: list[tuple[int, _Scored]] = []
    if not matching:
        near.sort(key=lambda candidate: candidate[0] / candidate[1])  # relative to their scales
        values = list(dict.fromkeys((scale, scored.value) for _, scale, scored in near))[:_NEAREST]
        closest = [(scale, scored) for _, scale, scored in near if (scale, scored.value) in values]
    return Reconciliation(str(claimed), digits, len(ranked), _distinct(matching), _distinct(closest))


def _read(claimed: str | float) -> tuple[float, int, tuple[int, ...]]:
    """The number, its digits after the decimal point, and the scales it may be on."""
    text = str(claimed).strip()
    percent = text.endswith("%")
    try:
        number = Decimal(text.removesuffix("%").strip().replace(",", ".", 1))
    except InvalidOperation:
        number = Decimal("nan")
    exponent = number.as_tuple().exponent
    if isinstance(claimed, bool) or not isinstance(exponent, int) or not abs(number) <= _LARGEST:
        raise OptionError("claimed", "a score as it was printed, such as 27.3, 0.412 or 27.30%", claimed)
    return float(number), min(max(0, -exponent), _MOST_DIGITS), (100,) if percent else (1, 100)


def _slack(scored: _Scored, scale: int) -> float:
    """How far apart two computations of the same score may be."""
    single = _SINGLE_PRECISION * abs(scored.value) if scored.candidate.profile == "torchmetrics" else 0.0
    return scale * (_ROUNDING + single)


def _distinct(scored_settings: list[tuple[int, _Scored]]) -> tuple[Match, ...]:
    """Group settings of equal value, each group in the place of its first."""
    groups: dict[tuple[float, int], list[Setting]] = {}
    for scale, scored in scored_settings:
        groups.setdefault((scored.value, scale), []).append(scored.setting(scale))
    return tuple(Match(first, tuple(same)) for first, *same in groups.values())


_Rank = tuple[int, int, int, int]  # departures, then the index of the view, of the candidate and of the score


@dataclass(frozen=True, slots=True)
class _Scored:
    """A candidate's score, before it is turned into a `Setting`."""

    candidate: Candidate
    view: str
    sentence: bool  # whether this is the mean of sentence scores
    part: str | None
    value: float

    def setting(self, scale: int) -> Setting:
        metric = self.candidate.metric
        spaces = "every character, including spaces"
        departures = self.candidate.departures
        words = [f"{option} {spaces if given is characters else in_words(given)}" for option, given in departures]
        words += [_MEAN] * self.sentence + [self.view] * bool(self.view)
        options = metric.definition.resolved_options(sentence=self.sentence)
        text = metric.definition.write(options, {})
        profile, command = self.candidate.profile, self._command()
        return Setting(metric.name, profile, self.part, tuple(words), text, self.value, scale, command)

    def _command(self) -> str | None:
        name, departures = self.candidate.metric.name, dict(self.candidate.departures)
        files = {"": "HYP" if name in _ALONE else "HYP -r REF", _FIRST: "HYP -r REF", _SWAPPED: "REF -r HYP"}
        if self.view not in files or characters in departures.values():
            return None
        departures |= _ALONE.get(name, {}) if "sample" in departures else {}
        departures |= {} if self.part is None else {"types": self.part.partition("_")[0]}
        spelled = {"None": "auto", "True": "yes", "False": "no"}
        options = [] if self.candidate.profile is None else [f"profile={self.candidate.profile}"]
        options += [f"{option}={spelled.get(str(value), value)}" for option, value in departures.items()]
        spec = shlex.quote(f"{name}:{','.join(options)}" if options else name)
        more = " --sentence-level" if self.sentence else " --json -" if "_" in (self.part or "") else ""
        return f"bleuprint score {files[self.view]} -m {spec}{more}"


@dataclass(frozen=True, slots=True)
class _View:
    """The texts in one way they may have been passed to a scorer."""

    memo: RowMemo
    words: str = ""
    cost: int = 0
    profile: str | None = None  # whose mistake this is, if it is one

    def scores(self, tried: list[Candidate]) -> Iterator[tuple[_Rank, _Scored]]:
        """All candidates' scores of these texts."""
        metrics = {
            place: candidate.metric
            for place, candidate in enumerate(tried)
            if self.cost + candidate.cost <= MOST_DEPARTURES and self.profile in {None, candidate.profile}
        }
        seen: set[object] = set()  # a departure may spell out what a profile leaves open
        for place, rows in self.memo.count_all(metrics):
            metric = metrics[place]
            for number, (cost, scored) in enumerate(self._scores(tried[place], rows)):
                options = metric.definition.resolved_options(sentence=scored.sentence)
                key = (metric.name, scored.part, scored.sentence, tuple(options.values()))
                if cost <= MOST_DEPARTURES and key not in seen:
                    seen.add(key)
                    yield (cost, self.cost, place, number), scored

    def _scores(self, candidate: Candidate, rows: Integers) -> Iterator[tuple[int, _Scored]]:
        """All scores of the definition, with the number of departures each takes."""
        definition, cost = candidate.metric.definition, self.cost + candidate.cost
        if isinstance(definition.formula, MeanFormula):
            for name, values in definition.formula.scores(tuple(rows.T)).items():
                extra = name.endswith(("_precision", "_recall"))
                yield cost + extra, _Scored(candidate, self.words, False, name, _mean(values, len(rows)))
            return
        yield cost, _Scored(candidate, self.words, False, None, definition.value_of(rows))
        if cost < MOST_DEPARTURES:
            columns = tuple(np.ascontiguousarray(column) for column in rows.T)
            value = _mean(definition.formula(columns, sentence=True), len(rows))
            yield cost + 1, _Scored(candidate, self.words, True, None, value)


def _mean(values: Any, count: int) -> float:
    return ExactMean().add(np.broadcast_to(np.asarray(values, dtype=np.float64), (count,))).value


def _scores_alone(texts: Sequence[str], tried: list[Candidate], threads: int | None) -> Iterator[tuple[_Rank, _Scored]]:
    """All scores of a metric that takes no references; a text that has a copy has itself among its references."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # of settings that nobody chose
        for cost, view, pool in ((0, "", texts), (1, "each text among its own references", [*texts, *texts])):
            for place, candidate in enumerate(tried):
                whole = candidate.cost + cost
                if whole <= MOST_DEPARTURES and not (cost and candidate.metric.options["sample"]):
                    value = candidate.metric.corpus(pool, threads=threads).value
                    yield (whole, cost, place, 0), _Scored(candidate, view, False, None, float(value))


def _views(plain: RowMemo, threads: int | None) -> Iterator[_View]:
    """The texts as they are, and as they are passed by mistake."""
    yield _View(plain)
    outputs = [texts[0] for texts in plain.corpus.hypotheses.unpack()]
    groups = plain.corpus.references.unpack()
    if not groups:
        return
    first = [texts[:1] for texts in groups]
    if plain.several_references:
        yield _View(RowMemo(outputs, first, threads=threads), _FIRST, 1)
    swapped = RowMemo([text for (text,) in first], [[text] for text in outputs], threads=threads)
    yield _View(swapped, _SWAPPED, 2)
    # sacrebleu pairs segments with the lists it gets, up to the shortest.
    streams = list(zip(*groups, strict=False))
    if len(streams) < len(outputs):
        transposed = RowMemo(outputs[: len(streams)], [list(texts) for texts in streams], threads=threads)
        yield _View(transposed, "references transposed", 2, "sacrebleu")
