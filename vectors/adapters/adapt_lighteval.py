"""lighteval: BLEU, chrF, chrF++ and TER of a corpus, as its tasks compute them."""

from types import SimpleNamespace

import nltk

nltk.download = lambda *names, **options: True  # which its BLEU calls and does not use

from lighteval.metrics.metrics_corpus import CorpusLevelTranslationMetric
from protocol import UNSUPPORTED, answer, same_options


def compute(case, kind):
    items = [SimpleNamespace(golds=list(group), preds=[text]) for text, group in zip(case.hypotheses, case.references)]
    return CorpusLevelTranslationMetric(kind).compute_corpus(items) / 100


def bleu(case):
    """Its BLEU is sacrebleu's with its usual options, of which smoothing matters only where an order has no match."""
    fixed = {"tokenizer": "13a", "lowercase": False, "max_order": 4, "smoothing": "exp", "effective_order": False}
    return compute(case, "bleu") if same_options(case, **fixed) else UNSUPPORTED


def chrf(case):
    if not same_options(case, char_order=6, beta=2, lowercase=False, whitespace=False):
        return UNSUPPORTED
    return compute(case, {0: "chrf", 2: "chrf++"}[case.options["word_order"]])


def ter(case):
    usual = same_options(case, normalized=False, no_punct=False, lowercase=True)
    return compute(case, "ter") if usual else UNSUPPORTED


answer({"bleu": bleu, "chrf": chrf, "ter": ter})
