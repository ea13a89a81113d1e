"""rapidfuzz: word and character error rates, by its edit distance over all segments."""

from protocol import UNSUPPORTED, answer, first_references
from rapidfuzz.distance import Levenshtein


def wer(case):
    read = {"wer": str.split, "cer": lambda text: list(text.strip())}.get(case.options["rate"])
    if read is None:
        return UNSUPPORTED
    pairs = [(read(reference), read(output)) for reference, output in zip(first_references(case), case.hypotheses)]
    edits = sum(Levenshtein.distance(*pair) for pair in pairs)
    return edits / (sum(len(reference) for reference, _ in pairs) or 1)


answer({"wer": wer})
