"""opik: METEOR, chrF and ROUGE, of several outputs the mean; its BLEU and GLEU lowercase, which no case asks for."""

import os

os.environ.setdefault("OPIK_TRACK_DISABLE", "true")

from protocol import UNSUPPORTED, answer, mean, replace_wordnet

WORDNET = replace_wordnet()

from opik.evaluation import metrics
from opik.exceptions import MetricComputationError


def average(metric, case):
    return mean([metric.score(output, list(group)).value for output, group in zip(case.hypotheses, case.references)])


def meteor(case):
    WORDNET.synonyms = case.options["synonyms"]
    return average(
        metrics.METEOR(track=False, **{name: case.options[name] for name in ("alpha", "beta", "gamma")}), case
    )


def chrf(case):
    if case.options["word_order"]:  # its documentation says so
        return UNSUPPORTED
    options = {name: case.options[name] for name in ("char_order", "beta", "lowercase")}
    return average(metrics.ChrF(track=False, ignore_whitespace=not case.options["whitespace"], **options), case)


def rouge(case):
    if case.options["measure"] != "f":
        return UNSUPPORTED
    return average(
        metrics.ROUGE(track=False, rouge_type=case.options["type"], use_stemmer=case.options["stemmer"]), case
    )


answer({"meteor": meteor, "chrf": chrf, "rouge": rouge}, refusals=(MetricComputationError,))
