"""bleuscore: BLEU of a corpus, by the script of Hugging Face, whose smoothing adds one."""

from bleuscore import compute
from protocol import UNSUPPORTED, answer


def bleu(case):
    options = case.options
    if options["tokenizer"] != "13a" or options["lowercase"] or options["smoothing"] != "none":
        return UNSUPPORTED
    found = compute(case.references, case.hypotheses, max_order=options["max_order"], smooth=False)
    return found["bleu"]


answer({"bleu": bleu})
