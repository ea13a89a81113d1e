"""Every metric of the vectors in plain Python, each with the mistakes that people make when they write it.

`score(case)` is the metric. `score(case, mistake)` is a mutant: the same with one mistake, named in `MISTAKES`.
"""

from tests.vectors.plain import (
    answers,
    bleu,
    chrf,
    distinct,
    gleu,
    meteor,
    nist,
    perplexity,
    rouge,
    sari,
    self_bleu,
    ter,
    tokenizers,
    wer,
)
from tests.vectors.plain.case import Plain

METRICS = {
    "bleu": Plain(bleu.score, bleu.CORPUS_MISTAKES),
    "sentence-bleu": Plain(bleu.score, bleu.SENTENCE_MISTAKES),
    "tokenizers": Plain(tokenizers.score, tokenizers.MISTAKES),
    "chrf": Plain(chrf.score, chrf.MISTAKES),
    "ter": Plain(ter.score, ter.MISTAKES),
    "rouge": Plain(rouge.score, rouge.MISTAKES),
    "wer": Plain(wer.score, wer.MISTAKES),
    "meteor": Plain(meteor.score, meteor.MISTAKES),
    "gleu": Plain(gleu.score, gleu.MISTAKES),
    "nist": Plain(nist.score, nist.MISTAKES),
    "sari": Plain(sari.score, sari.MISTAKES),
    "self-bleu": Plain(self_bleu.score, self_bleu.MISTAKES),
    "distinct": Plain(distinct.score, distinct.MISTAKES),
    "perplexity": Plain(perplexity.score, perplexity.MISTAKES),
    "exact-match": Plain(answers.exact, answers.EXACT_MISTAKES),
    "squad-f1": Plain(answers.f1, answers.F1_MISTAKES),
}
