"""nltk.translate.lepor: LEPOR, from the lengths, the positions of shared words, and their precision and recall."""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Sequence

from bleuprint.compat._tokens import Split, Tokens, nltk_function, require_equal_lengths

__all__ = ["alignment", "corpus_lepor", "harmonic", "length_penalty", "ngram_positional_penalty", "sentence_lepor"]

MAX_LEPOR_ALIGN_WORK = 4_000_000  # NLTK's limit, above which it raises an error


def length_penalty(reference: Tokens, hypothesis: Tokens) -> float:
    """The penalty for a hypothesis that is shorter or longer than its reference.

    >>> length_penalty(["a", "b"], ["a", "b"]), round(length_penalty(["a", "b"], ["a"]), 4)
    (1, 1.6487)
    """
    shorter, longer = sorted((len(reference), len(hypothesis)))
    return 1 if shorter == longer else math.exp(1 - (shorter / longer))


def alignment(ref_tokens: Tokens, hyp_tokens: Tokens) -> list[int]:
    """For each word of the hypothesis that the reference has, its position there, counted from 1.

    Of several positions, those count where the word before or after is the same, and of these the farthest.

    >>> alignment(["a", "bird", "on", "a", "rock"], ["the", "bird", "on", "a", "stone"])
    [2, 3, 4]
    """
    positions: defaultdict[object, list[int]] = defaultdict(list)
    for position, word in enumerate(ref_tokens):
        positions[word].append(position)
    aligned: list[int] = []
    compared = 0
    for place, word in enumerate(hyp_tokens):
        candidates = positions.get(word, [])
        compared += len(candidates)
        if compared > MAX_LEPOR_ALIGN_WORK:
            raise ValueError(
                f"LEPOR alignment work exceeded {MAX_LEPOR_ALIGN_WORK} candidate positions: quadratic in repeated "
                "tokens (CWE-770)."
            )
        if len(candidates) > 1:
            # The first word of a text is never looked at, as in NLTK.
            in_context = [
                position
                for position in candidates
                for there, here in ((position - 1, place - 1), (position + 1, place + 1))
                if 0 < there < len(ref_tokens) and 0 < here < len(hyp_tokens) and ref_tokens[there] == hyp_tokens[here]
            ]
            aligned.append(max(in_context or candidates, key=lambda position: abs(place - position)) + 1)
        elif candidates:
            aligned.append(candidates[0] + 1)
    return aligned


def ngram_positional_penalty(ref_tokens: Tokens, hyp_tokens: Tokens) -> tuple[float, int]:
    """The penalty for words at other positions than in the reference, and the number of words that it has.

    >>> ngram_positional_penalty(["a", "b"], ["a", "b"])
    (1.0, 2)
    """
    aligned = alignment(ref_tokens, hyp_tokens)
    distances = [
        abs(place / len(hyp_tokens) - position / len(ref_tokens)) for place, position in enumerate(aligned, start=1)
    ]
    return math.exp(-(sum(distances) / len(hyp_tokens))), len(aligned)


def harmonic(match_count: int, reference_length: int, hypothesis_length: int, alpha: float, beta: float) -> float:
    """The harmonic mean of recall, weighted by `alpha`, and precision, weighted by `beta`.

    >>> round(harmonic(2, 4, 4, 1.0, 1.0), 6)
    0.5
    """
    epsilon = sys.float_info.epsilon
    precision = match_count / hypothesis_length
    recall = match_count / reference_length
    return (alpha + beta) / ((alpha / (recall + epsilon)) + (beta / (precision + epsilon)))


def sentence_lepor(
    references: Sequence[str],
    hypothesis: str,
    alpha: float = 1.0,
    beta: float = 1.0,
    tokenizer: Split | None = None,
) -> list[float]:
    """LEPOR of one hypothesis against each of its references.

    >>> references = ["a bird behind the stone .", "a bird is on the rock ."]
    >>> sentence_lepor(references, "a bird is on a stone .", tokenizer=str.split)
    [0.7824248013113159, 0.7739937377760259]
    """
    split = tokenizer or nltk_function("word_tokenize", "LEPOR without tokenizer=…")
    ours, scores = split(hypothesis), []
    for theirs in [split(reference) for reference in references]:
        if len(theirs) == 0 or len(ours) == 0:
            raise ValueError("One of the sentence is empty. Exit.")
        position_penalty, matches = ngram_positional_penalty(theirs, ours)
        mean = harmonic(matches, len(theirs), len(ours), alpha, beta)
        scores.append(length_penalty(theirs, ours) * position_penalty * mean)
    return scores


def corpus_lepor(
    references: Sequence[Sequence[str]],
    hypothesis: Sequence[str],
    alpha: float = 1.0,
    beta: float = 1.0,
    tokenizer: Split | None = None,
) -> list[list[float]]:
    """LEPOR of every hypothesis against each of its references.

    >>> corpus_lepor([["a b c"], ["d e", "d"]], ["a b c", "d e"], tokenizer=str.split)[0]
    [1.0000000000000002]
    """
    if len(references) == 0 or len(hypothesis) == 0:
        raise ValueError("There is an Empty list. Exit.")
    require_equal_lengths(references, hypothesis, "The number of hypothesis and their reference(s) should be the same ")
    return [
        sentence_lepor(texts, text, alpha, beta, tokenizer) for texts, text in zip(references, hypothesis, strict=True)
    ]
