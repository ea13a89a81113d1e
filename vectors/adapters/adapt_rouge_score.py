"""rouge-score: ROUGE-1, -2, -L and -Lsum; of several outputs the mean, as everybody takes it."""

from protocol import UNSUPPORTED, answer, mean
from rouge_score import rouge_scorer


def rouge(case):
    kind, measure = case.options["type"], case.options["measure"]
    scorer = rouge_scorer.RougeScorer([kind], use_stemmer=case.options["stemmer"])
    field = "fmeasure" if measure == "f" else measure
    scores = []
    for output, group in zip(case.hypotheses, case.references):
        if len(group) > 1 and not hasattr(scorer, "score_multi"):
            return UNSUPPORTED
        score = scorer.score(group[0], output) if len(group) == 1 else scorer.score_multi(group, output)
        scores.append(getattr(score[kind], field))
    return mean(scores)


answer({"rouge": rouge})
