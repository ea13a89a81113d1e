"""nltk: BLEU, GLEU, NIST, METEOR, chrF, distinct-n and Self-BLEU by its sentence BLEU, from tokens."""

import warnings

import nltk
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from protocol import UNSUPPORTED, answer, first_references, mean, replace_wordnet, tokenized

warnings.simplefilter("ignore")
WORDNET = replace_wordnet()


def weights(order):
    return (1 / order,) * order


def smoothing(options):
    method, value = options["smoothing"], options["smoothing_value"]
    if method == "none":
        return SmoothingFunction().method0
    if method == "epsilon":
        return SmoothingFunction(epsilon=value).method1
    return None


def bleu(case):
    method, (outputs, references) = smoothing(case.options), tokenized(case)
    if method is None or case.options["effective_order"]:
        return UNSUPPORTED
    return corpus_bleu(references, outputs, weights=weights(case.options["max_order"]), smoothing_function=method)


def self_bleu(case):
    texts, order = [text.split() for text in case.hypotheses], case.options["max_order"]
    method = smoothing(case.options)
    others = [texts[:at] + texts[at + 1 :] for at in range(len(texts))]
    scores = [sentence_bleu(*pair, weights=weights(order), smoothing_function=method) for pair in zip(others, texts)]
    return mean(scores)


def gleu(case):
    from nltk.translate.gleu_score import corpus_gleu

    outputs, references = tokenized(case)
    return corpus_gleu(references, outputs, min_len=case.options["min_order"], max_len=case.options["max_order"])


def nist(case):
    from nltk.translate.nist_score import corpus_nist

    outputs, references = tokenized(case)
    return corpus_nist(references, outputs, n=case.options["max_order"])


def meteor(case):
    from nltk.translate.meteor_score import meteor_score

    WORDNET.synonyms = case.options["synonyms"]
    options = {name: case.options[name] for name in ("alpha", "beta", "gamma")}
    outputs, references = (case.hypotheses, case.references) if takes_strings() else tokenized(case)
    return mean([meteor_score(group, output, **options) for output, group in zip(outputs, references)])


def takes_strings():
    """Before 3.6.6, METEOR split texts itself."""
    return tuple(int(part) for part in nltk.__version__.split(".")[:3]) < (3, 6, 6)


def chrf(case):
    """NLTK's chrF takes one reference, keeps case, and has no words; of a corpus it gives the mean."""
    from nltk.translate.chrf_score import corpus_chrf

    options, references = case.options, first_references(case)
    if references is None or options["word_order"] or options["lowercase"]:
        return UNSUPPORTED
    settings = {"max_len": options["char_order"], "beta": options["beta"]}
    settings["ignore_whitespace"] = not options["whitespace"]
    return corpus_chrf(references, case.hypotheses, min_len=1, **settings)


answer({"bleu": bleu, "self-bleu": self_bleu, "gleu": gleu, "nist": nist, "meteor": meteor, "chrf": chrf})
