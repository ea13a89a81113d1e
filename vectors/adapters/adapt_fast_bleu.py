"""fast-bleu: Self-BLEU, and BLEU of single outputs against the references of all, from tokens."""

from fast_bleu import SelfBLEU
from protocol import UNSUPPORTED, answer, mean


def self_bleu(case):
    order = case.options["max_order"]
    if case.options["smoothing_value"] != 0.1:  # of its smoothing, method 1 of NLTK
        return UNSUPPORTED
    texts = [text.split() for text in case.hypotheses]
    return mean(SelfBLEU(texts, {"bleu": (1 / order,) * order}).get_score()["bleu"])


answer({"self-bleu": self_bleu})
