"""Perplexity under a neural language model: the number of tokens it hesitates between, on average.

    PPL = exp(−Σ log p(x | tokens before x) / N)

over the N scored tokens. With `bos` each text follows the model's start token and all of its tokens are scored. Without
it, the first token has no context and is not scored. A text longer than the model's window is read in several windows,
each `stride` tokens further. Every token is scored once; from the second window on it has at least window − stride
tokens of context. With average="tokens" a corpus is one list of tokens; with "texts" its score is the mean of the
texts' perplexities. No tokens at all have perplexity 1; if texts are averaged, a text without tokens is an error.
Jelinek, Mercer, Bahl and Baker (1977): Perplexity — a measure of the difficulty of speech recognition tasks. JASA 62.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bleuprint import checks
from bleuprint.core.arrays import Floats, Integers, np
from bleuprint.errors import InputError, OptionError
from bleuprint.metrics import profiles
from bleuprint.metrics._model_metric import ModelMetric
from bleuprint.metrics.base import Definition, ExactMeans, MeanFormula, MeanScore
from bleuprint.metrics.base.formulas import Value, exp, named, ratio, where
from bleuprint.metrics.base.rows import ModelRows
from bleuprint.metrics.base.summaries import Sum
from bleuprint.models import causal_models
from bleuprint.models.causal_models import CausalModel

_UNIT = 2.0**-28  # unit of the natural logarithms in rows
_LARGEST_POWER = 700.0  # exponent of e; anything larger overflows to infinity, which JSON cannot hold
_BATCH_TOKENS = 2048  # at most, unless one window has more: with 50,000 words their scores take 400 MB


class Window(NamedTuple):
    """A span of a text; its tokens are only sliced when needed, because windows overlap."""

    text: int
    whole: Sequence[int]
    begin: int
    end: int
    scored: int  # the first token that no earlier window has scored

    @property
    def ids(self) -> Sequence[int]:
        return self.whole[self.begin : self.end]

    @property
    def size(self) -> int:
        return self.end - self.begin


def batches(windows: list[Window], most: int) -> Iterator[list[Window]]:
    """Batches of windows of similar length, so that there is little padding."""
    batch: list[Window] = []
    for window in sorted(windows, key=lambda item: item.size):
        if batch and (len(batch) == most or (len(batch) + 1) * window.size > _BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch


def check_probabilities(values: Floats, window: Window) -> Floats:
    """The log-probabilities of a window, if they are valid."""
    if values.shape != (window.size - 1,) or not np.isfinite(values).all() or (values > 1e-4).any():
        got = f"{values.shape} for {window.size} tokens"
        raise OptionError("model", "one that returns a finite log-probability for every token but the first", got)
    return values


class NeuralPerplexityFormula(MeanFormula):
    """e to the power of the mean negative log-probability."""

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        """The perplexity, and the mean natural log-probability of a token."""
        mean = named("mean_log_probability", ratio(columns[0], columns[1]) * _UNIT)
        power = where(-mean > _LARGEST_POWER, _LARGEST_POWER, -mean)
        return {"perplexity": named("PPL", exp(power)), "mean_log_probability": mean}


@dataclass(frozen=True)
class WindowReader:
    """Turns texts into summed log-probabilities and token counts, window by window."""

    model: CausalModel
    bos: bool
    max_length: int
    stride: int
    long_texts: str
    cut: bool  # cut texts at max_length
    each_counts: bool  # texts are averaged, so each needs a token

    def rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Integers:
        """Log-probability in units of 2⁻²⁸ and number of tokens of each text."""
        windows = [
            window
            for text, ids in enumerate(self.model.tokenize(hypotheses))
            for window in self._windows(text, [self.model.bos, *ids] if self.bos else ids)  # type: ignore[list-item]
        ]
        sums, tokens = np.zeros(len(hypotheses)), np.zeros(len(hypotheses), dtype=np.int64)
        for batch in batches(windows, self.model.batch_size):
            scores = self.model.log_probabilities([window.ids for window in batch])
            for window, values in zip(batch, scores, strict=True):
                scored = check_probabilities(values, window)[window.scored - window.begin - 1 :]
                sums[window.text] += scored.sum()
                tokens[window.text] += len(scored)
        if self.each_counts and not tokens.all():
            empty = hypotheses[int(np.argmin(tokens))]
            raise InputError(f"{empty[:40]!r} has no token to score, so it has no perplexity to average.")
        return np.column_stack([np.rint(sums / _UNIT).astype(np.int64), tokens])

    def _windows(self, text: int, ids: Sequence[int]) -> Iterator[Window]:
        if self.cut:
            ids = ids[: self.max_length]
        elif self.long_texts == "truncate" and len(ids) > self.max_length:
            raise InputError(
                f"a text has {len(ids)} tokens, but {self.model.name} reads at most {self.max_length} at once: "
                "pass max_length=… to cut texts, or long_texts='slide'."
            )
        begin, scored = 0, 1
        while scored < len(ids):
            end = min(begin + self.max_length, len(ids))
            yield Window(text, ids, begin, end, scored)
            begin, scored = begin + self.stride, end


class NeuralPerplexity(ModelMetric[MeanScore]):
    """Perplexity of texts under a causal language model.

    >>> import math
    >>> from bleuprint.models.causal_models import CallableModel
    >>> def coin(windows):
    ...     return [[math.log(0.5)] * (len(ids) - 1) for ids in windows]
    >>> model = CallableModel(lambda text: [int(letter) for letter in text], coin, window=8, bos=2, name="coin")
    >>> round(NeuralPerplexity(model).corpus(["0110", "1"]).value, 6)
    2.0

    - `model`: a `CausalModel`, or the folder or name of a transformers model
    - `profile`: options that reproduce another library: hf-evaluate or autometrics
    - `bos`: put the start token before each text; by default if the model has one
    - `max_length`: tokens per window, including the start token; by default as many as the model reads
    - `stride`: how far each window moves; half of `max_length` by default
    - `long_texts`: "slide" windows over long texts, or "truncate" them at `max_length`; without a `max_length`,
      "truncate" rejects texts that are too long for the model
    - `average`: score all "tokens" as one list, or average the perplexities of the "texts"
    """

    name = "neural-perplexity"
    model_option = "model"
    load_model = staticmethod(causal_models.resolve)
    higher_is_better = False
    has_percent = False
    default_threshold = 100.0  # no value fits all models; set your own
    needs_references = False
    slow = True

    def __init__(
        self,
        model: object,
        *,
        profile: str | None = None,
        bos: bool | None = None,
        max_length: int | None = None,
        stride: int | None = None,
        long_texts: str | None = None,
        average: str | None = None,
    ) -> None:
        rules = profiles.fill(self.name, profile, {"long_texts": "slide", "average": "tokens"}, locals())
        causal = causal_models.resolve(model)
        reading = checks.choice("long_texts", rules["long_texts"], ("slide", "truncate"))
        averaged = checks.choice("average", rules["average"], ("tokens", "texts"))
        most = causal.window if max_length is None else max_length
        length = checks.order("max_length", most, smallest=2, largest=causal.window)
        step = length // 2 if rules["stride"] is None else rules["stride"]
        reader = WindowReader(
            causal,
            _start(causal, rules["bos"]),
            length,
            checks.order("stride", step, largest=length - 1),
            reading,
            cut=reading == "truncate" and max_length is not None,
            each_counts=averaged == "texts",
        )
        options = {
            **causal.options,
            "bos": reader.bos,
            "max_length": max_length if reading == "truncate" else length,
            "stride": reader.stride if reading == "slide" else None,
            "long_texts": reading,
            "average": averaged,
        }
        rows = ModelRows(("log_probability", "tokens"), reader.rows, _find_fault)
        summary = ExactMeans if averaged == "texts" else Sum
        formula, outside = NeuralPerplexityFormula(), {"model": causal}
        super().__init__(Definition(NeuralPerplexity, options, rows, formula, MeanScore, summary, outside=outside))


def _find_fault(total: Sequence[int]) -> str | None:
    """Why no texts have this sum of rows: a probability is at most 1."""
    log_probability, tokens = total
    if log_probability > 0 or tokens < 0 or (log_probability and not tokens):
        return f"log_probability must be at most 0, and 0 without tokens, got {log_probability} of {tokens} tokens"
    return None


def _start(model: CausalModel, asked: bool | None) -> bool:
    """Whether texts are preceded by a start token."""
    wanted = model.bos is not None if asked is None else checks.flag("bos", asked)
    if wanted and model.bos is None:
        raise OptionError("bos", "False, because the model's tokenizer has no start token", asked)
    return wanted
