"""Every metric of the vectors in plain Python, each with the mistakes that people make when they write it.

`score(case)` is the metric. `score(case, mistake)` is a mutant: the same with one mistake, named in `MISTAKES`.
"""

from tests.vectors.plain import bleu, wer
from tests.vectors.plain.case import Plain

METRICS = {
    "bleu": Plain(bleu.score, bleu.MISTAKES),
    "sentence-bleu": Plain(bleu.score, bleu.OF_BOTH),
    "wer": Plain(wer.score, wer.MISTAKES),
}
