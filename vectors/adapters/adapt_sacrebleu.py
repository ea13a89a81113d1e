"""sacrebleu: BLEU and its tokenizers, chrF, chrF++ and TER. Versions before 2.0 have fewer options."""

import sacrebleu
from protocol import UNSUPPORTED, answer, first_references, reference_sets, same_options

VERSION = tuple(int(part) for part in sacrebleu.__version__.split(".")[:2])


def bleu_options(case):
    options = case.options
    settings = {
        "smooth_method": options["smoothing"],
        "smooth_value": options["smoothing_value"],
        "lowercase": options["lowercase"],
        "use_effective_order": options["effective_order"],
    }
    if VERSION < (2, 0) and options["smoothing_value"] is None:
        del settings["smooth_value"]  # of which the first versions have their own default
    return {**settings, "tokenize": options["tokenizer"]}


def bleu(case):
    if case.options["max_order"] == 4:
        if VERSION < (2, 0) and len({len(group) for group in case.references}) > 1:
            return UNSUPPORTED
        return sacrebleu.corpus_bleu(case.hypotheses, reference_sets(case), **bleu_options(case)).score / 100
    if VERSION < (2, 0):
        return UNSUPPORTED
    settings = bleu_options(case)
    effective = settings.pop("use_effective_order")
    metric = sacrebleu.BLEU(effective_order=effective, max_ngram_order=case.options["max_order"], **settings)
    return metric.corpus_score(case.hypotheses, reference_sets(case)).score / 100


def sentence_bleu(case):
    settings = bleu_options(case)
    if VERSION < (2, 0) and (settings.pop("lowercase") or settings.pop("tokenize") != "13a"):
        return UNSUPPORTED
    pairs = zip(case.hypotheses, case.references)
    return [sacrebleu.sentence_bleu(output, list(group), **settings).score / 100 for output, group in pairs]


def tokenizers(case):
    if VERSION < (2, 0):
        return UNSUPPORTED
    metric = sacrebleu.BLEU(tokenize=case.options["tokenizer"], lowercase=case.options["lowercase"])
    # The method that `corpus_score` prepares texts with; it joins tokens with blanks.
    return [metric._preprocess_segment(text).split() for text in case.hypotheses]


def chrf(case):
    options = case.options
    if VERSION >= (2, 0):
        metric = sacrebleu.CHRF(**options)
        return metric.corpus_score(case.hypotheses, reference_sets(case)).score / 100
    references = first_references(case)
    if references is None or not same_options(case, word_order=0, lowercase=False):
        return UNSUPPORTED
    settings = {"order": options["char_order"], "beta": options["beta"], "remove_whitespace": not options["whitespace"]}
    return sacrebleu.corpus_chrf(case.hypotheses, [references], **settings).score


def ter(case):
    options = case.options
    settings = {"normalized": options["normalized"], "no_punct": options["no_punct"]}
    settings["case_sensitive"] = not options["lowercase"]
    if VERSION >= (2, 0):
        return sacrebleu.corpus_ter(case.hypotheses, reference_sets(case), **settings).score / 100
    if len({len(group) for group in case.references}) > 1:
        return UNSUPPORTED
    return sacrebleu.corpus_ter(case.hypotheses, reference_sets(case), **settings).score


answer(
    {"bleu": bleu, "sentence-bleu": sentence_bleu, "tokenizers": tokenizers, "chrf": chrf, "ter": ter},
    refusals=(EOFError, RuntimeError),
)
