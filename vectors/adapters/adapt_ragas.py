"""ragas: BLEU, chrF and ROUGE of single texts by their classes, and the mean of several."""

import asyncio

from protocol import UNSUPPORTED, answer, first_references, mean
from ragas.dataset_schema import SingleTurnSample
from ragas.metrics import BleuScore, ChrfScore, RougeScore


def average(metric, case):
    references = first_references(case)
    if references is None:
        return UNSUPPORTED
    samples = [SingleTurnSample(reference=one, response=two) for one, two in zip(references, case.hypotheses)]
    return mean([asyncio.run(metric.single_turn_ascore(sample)) for sample in samples])


def bleu(case):
    options = case.options
    if options["max_order"] != 4:
        return UNSUPPORTED
    settings = {"smooth_method": options["smoothing"], "smooth_value": options["smoothing_value"]}
    settings.update(tokenize=options["tokenizer"], lowercase=options["lowercase"])
    return average(BleuScore(kwargs=settings), case) if len(case.hypotheses) == 1 else UNSUPPORTED


def chrf(case):
    options = case.options
    if options["lowercase"] or len(case.hypotheses) > 1:
        return UNSUPPORTED
    settings = {name: options[name] for name in ("char_order", "word_order", "beta")}
    return average(ChrfScore(kwargs={**settings, "remove_whitespace": not options["whitespace"]}), case)


def rouge(case):
    if not case.options["stemmer"] or case.options["type"] not in ("rouge1", "rougeL"):
        return UNSUPPORTED
    mode = "fmeasure" if case.options["measure"] == "f" else case.options["measure"]
    return average(RougeScore(rouge_type=case.options["type"], mode=mode), case)


answer({"bleu": bleu, "chrf": chrf, "rouge": rouge})
