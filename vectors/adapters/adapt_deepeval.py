"""deepeval: exact match, and ROUGE-1, -2 and -L with stemming, by its Scorer; of several answers the mean."""

from deepeval.scorer import Scorer
from protocol import UNSUPPORTED, answer, first_references, mean


def average(score, case):
    targets = first_references(case)
    if targets is None:
        return UNSUPPORTED
    return mean([score(target, output) for target, output in zip(targets, case.hypotheses)])


def match(case):
    return average(
        Scorer.quasi_exact_match_score if case.options["normalizer"] == "squad" else Scorer.exact_match_score, case
    )


def rouge(case):
    options = case.options
    if not options["stemmer"] or options["measure"] != "f" or options["type"] == "rougeLsum":
        return UNSUPPORTED
    return average(lambda target, output: Scorer.rouge_score(target, output, options["type"]), case)


answer({"exact-match": match, "rouge": rouge})
