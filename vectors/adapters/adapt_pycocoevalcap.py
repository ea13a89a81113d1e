"""pycocoevalcap: BLEU of captions, of texts that are split at blanks."""

from protocol import UNSUPPORTED, answer, same_options, tokenized
from pycocoevalcap.bleu.bleu import Bleu


def bleu(case):
    if not same_options(case, smoothing="none", effective_order=False):
        return UNSUPPORTED
    outputs, references = tokenized(case)
    order = case.options["max_order"]
    texts = {at: [" ".join(output)] for at, output in enumerate(outputs)}
    groups = {at: [" ".join(reference) for reference in group] for at, group in enumerate(references)}
    scores, _ = Bleu(order).compute_score(groups, texts, verbose=0)
    return scores[order - 1]


answer({"bleu": bleu})
