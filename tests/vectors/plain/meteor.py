"""METEOR (Banerjee & Lavie 2005) with the rules and the weights of NLTK; of several outputs the mean."""

from __future__ import annotations

from collections.abc import Sequence

from nltk.stem import PorterStemmer

from tests.kernels.twins import staged_match as twin
from tests.vectors.plain.case import Case, mean, shared

MISTAKES = shared(
    "arguments-swapped", "first-reference-only", "references-transposed", "pooled-counts", "percent",
    "single-precision", "rounded", "empty-output-skipped",
) | {
    "alpha-half": "Precision and recall count alike.",
    "alpha-reversed": "Precision gets the weight of recall.",
    "no-penalty": "Fragments are not punished.",
    "penalty-linear": "The share of chunks is not raised to the power of beta.",
    "penalty-by-length": "Chunks are divided by the length of the output instead of the matches.",
    "chunks-minus-one": "A match in one piece is not punished.",
    "stems-ignored": "Words that only share their stem do not match.",
    "synonyms-ignored": "Synonyms do not match.",
    "matched-from-start": "Words are matched from the start of the texts instead of from their end.",
    "stems-match-again": "A word that matched by its stem matches again as a synonym.",
    "words-match-twice": "A word of the reference can match several words of the output.",
    "mean-of-references": "Several references are averaged instead of taking the best.",
}  # fmt: skip
porter = PorterStemmer()


def score(case: Case, mistake: str = "") -> float:
    rows = []
    for hypothesis, group in zip(case.hypotheses, case.references, strict=True):
        rows.append([row(hypothesis.lower().split(), reference.lower().split(), case, mistake) for reference in group])
    if mistake == "mean-of-references":
        return mean([mean([value(found, case, mistake) for found in segment]) for segment in rows])
    best = [max(segment, key=lambda found: value(found, case, mistake)) for segment in rows]
    if mistake == "pooled-counts":
        return value(twin.Row(*(sum(numbers) for numbers in zip(*best, strict=True))), case, "")
    return mean([value(found, case, mistake) for found in best])


def row(words: Sequence[str], reference: Sequence[str], case: Case, mistake: str) -> twin.Row:
    dropped = {"stems-ignored": "stem", "synonyms-ignored": "synonym"}.get(mistake)
    stages = [stage for stage in ("exact", "stem", "synonym") if stage != dropped]
    table = case.options["synonyms"]
    rules = twin.Rules(stages, porter.stem, lambda word: table.get(word, ()))
    if mistake == "words-match-twice":
        pairs = [(at, reference.index(word)) for at, word in enumerate(words) if word in reference]
        return twin.Row(len(pairs), twin.chunks(pairs), len(words), len(reference))
    if mistake == "stems-match-again":
        ours: twin.Places = list(enumerate(words))
        theirs: twin.Places = list(enumerate(reference))
        pairs = twin.matched(ours, theirs, twin.equal)
        pairs += twin.matched(stems(ours), stems(theirs), twin.equal)
        pairs += twin.matched(ours, theirs, lambda word, other: other in table.get(word, ()))
        return twin.Row(len(pairs), twin.chunks(pairs), len(words), len(reference))
    if mistake == "matched-from-start":
        pairs = twin.align(words[::-1], reference[::-1], rules)
    else:
        pairs = twin.align(words, reference, rules)
    return twin.Row(len(pairs), twin.chunks(pairs), len(words), len(reference))


def stems(places: twin.Places) -> twin.Places:
    return [(at, porter.stem(word)) for at, word in places]


def value(found: twin.Row, case: Case, mistake: str) -> float:
    alpha, beta, gamma = (case.options[name] for name in ("alpha", "beta", "gamma"))
    matches, chunks, output, reference = found
    if not matches:
        return 0.0
    precision, recall = matches / output, matches / reference
    alpha = {"alpha-half": 0.5, "alpha-reversed": 1 - alpha}.get(mistake, alpha)
    f: float = precision * recall / (alpha * precision + (1 - alpha) * recall)
    share = {"penalty-by-length": chunks / output, "chunks-minus-one": (chunks - 1) / matches}.get(
        mistake, chunks / matches
    )
    penalty: float = gamma * (share if mistake == "penalty-linear" else share**beta)
    return f if mistake == "no-penalty" else f * (1 - penalty)
