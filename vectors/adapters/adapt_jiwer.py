"""jiwer: WER, CER, MER and WIL."""

import jiwer
from protocol import UNSUPPORTED, answer, first_references


def wer(case):
    rate = getattr(jiwer, case.options["rate"], None)
    return UNSUPPORTED if rate is None else rate(first_references(case), list(case.hypotheses))


answer({"wer": wer}, refusals=(ValueError,))  # before 4.0, of an empty reference
