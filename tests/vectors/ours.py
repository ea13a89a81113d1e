"""bleuprint's own values for a case, by its metrics and by its functions."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bleuprint as bp
from bleuprint import metrics
from tests.support.wordnets import SmallWordNet
from tests.vectors.plain.case import Case, Value
from tests.vectors.reading import FOLDER


def smoothing(options: dict[str, Any]) -> str:
    value = options["smoothing_value"]
    return options["smoothing"] if value is None else f"{options['smoothing']}({value})"


def bleu_options(case: Case) -> dict[str, Any]:
    kept = ("tokenizer", "lowercase", "max_order", "effective_order")
    return {name: case.options[name] for name in kept} | {"smoothing": smoothing(case.options)}


def wordnet_of(synonyms: dict[str, list[str]]) -> str:
    """The folder of a WordNet that knows these alone."""
    folder = Path(tempfile.mkdtemp())
    names = {tuple(sorted(names)) for names in synonyms.values()}
    return str(SmallWordNet({"noun": sorted(names)}).write(folder))


def meteor(case: Case) -> bp.METEOR:
    weights = {name: case.options[name] for name in ("alpha", "beta", "gamma")}
    return bp.METEOR(tokenizer="whitespace", wordnet=wordnet_of(case.options["synonyms"]), **weights)


def rouge_of(score: Any, case: Case) -> float:
    kind, measure = case.options["type"], case.options["measure"]
    return float(score[kind if measure == "f" else f"{kind}_{measure}"])


def normalizer(case: Case) -> str | None:
    return None if case.options["normalizer"] == "none" else case.options["normalizer"]


def corpus(metric: Any, case: Case, **keywords: Any) -> Any:
    return metric.corpus(list(case.hypotheses), [list(group) for group in case.references], **keywords)


def tokens(case: Case) -> list[list[str]]:
    return [bp.tokenize(text, **case.options) for text in case.hypotheses]


RATES: dict[str, Any] = {"wer": metrics.WER, "cer": metrics.CER, "mer": metrics.MER, "wil": metrics.WIL}
SPLIT: dict[str, Any] = {"tokenizer": "whitespace"}

METRICS: dict[str, Callable[[Case], Value]] = {
    "bleu": lambda case: corpus(bp.BLEU(**bleu_options(case)), case).value,
    "sentence-bleu": lambda case: (
        bp.BLEU(**bleu_options(case)).sentences(list(case.hypotheses), list(map(list, case.references))).tolist()
    ),
    "tokenizers": tokens,
    "chrf": lambda case: corpus(bp.CHRF(**case.options), case).value,
    "ter": lambda case: corpus(bp.TER(**case.options), case).value,
    "rouge": lambda case: rouge_of(
        corpus(bp.ROUGE(types=case.options["type"], stemmer=case.options["stemmer"]), case), case
    ),
    "wer": lambda case: corpus(RATES[case.options["rate"]](), case).value,
    "meteor": lambda case: corpus(meteor(case), case).value,
    "gleu": lambda case: corpus(bp.GLEU(**SPLIT, **case.options), case).value,
    "nist": lambda case: corpus(bp.NIST(**SPLIT, **case.options), case).value,
    "sari": lambda case: corpus(bp.SARI(**SPLIT, **case.options), case, sources=list(case.sources)).value,
    "self-bleu": lambda case: (
        bp.SelfBLEU(**SPLIT, max_order=case.options["max_order"], smoothing="method1(0.1)")
        .corpus(list(case.hypotheses))
        .value
    ),
    "distinct": lambda case: bp.Distinct(**SPLIT, max_order=case.options["order"]).corpus(list(case.hypotheses)).value,
    "perplexity": lambda case: (
        bp.Perplexity(FOLDER / case.options["model"], unknown=case.options["unknown"])
        .corpus(list(case.hypotheses))
        .value
    ),
    "exact-match": lambda case: corpus(bp.ExactMatch(normalizer=normalizer(case)), case).value,
    "squad-f1": lambda case: corpus(bp.SquadF1(normalizer=normalizer(case)), case).value,
}


def texts(case: Case) -> tuple[list[str], list[list[str]]]:
    return list(case.hypotheses), [list(group) for group in case.references]


def keywords(case: Case) -> Any:
    return SPLIT | case.options


FUNCTIONS: dict[str, Callable[[Case], Value]] = {
    "bleu": lambda case: bp.corpus_bleu(*texts(case), **bleu_options(case)).value,
    "sentence-bleu": lambda case: bp.sentence_bleus(*texts(case), **bleu_options(case)).tolist(),
    "chrf": lambda case: bp.corpus_chrf(*texts(case), **case.options).value,
    "ter": lambda case: bp.corpus_ter(*texts(case), **case.options).value,
    "rouge": lambda case: rouge_of(
        bp.corpus_rouge(*texts(case), types=case.options["type"], stemmer=case.options["stemmer"]), case
    ),
    "gleu": lambda case: bp.corpus_gleu(*texts(case), **keywords(case)).value,
    "nist": lambda case: bp.corpus_nist(*texts(case), **keywords(case)).value,
    "sari": lambda case: bp.sari(*texts(case), sources=list(case.sources), **keywords(case)).value,
    "self-bleu": lambda case: (
        bp.self_bleu(
            list(case.hypotheses), **SPLIT, max_order=case.options["max_order"], smoothing="method1(0.1)"
        ).value
    ),
    "distinct": lambda case: bp.distinct(list(case.hypotheses), **SPLIT, max_order=case.options["order"]).value,
    "exact-match": lambda case: bp.exact_match(*texts(case), normalizer=normalizer(case)).value,
    "squad-f1": lambda case: bp.squad_f1(*texts(case), normalizer=normalizer(case)).value,
}
