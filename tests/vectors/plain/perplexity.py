"""Perplexity of texts under an n-gram model in the ARPA format."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

from tests.vectors.plain.case import Case, mean, shared

MISTAKES = shared("case-dropped", "single-precision", "rounded", "first-segment-only") | {
    "no-end": "The end of a text is not predicted.",
    "no-begin": "The first word is predicted without the beginning of the text before it.",
    "end-not-counted": "The end of a text is predicted but not counted.",
    "mean-of-texts": "Perplexities of the texts are averaged.",
    "natural-logarithm": "Logarithms of the file are read as natural ones.",
    "log-perplexity": "The logarithm of the perplexity is given.",
    "probability": "The probability per word is given: one by the perplexity.",
    "no-backoff-weights": "The weights of shorter histories are left out.",
    "backoff-once": "A history is shortened once at most; then the word counts as alone.",
    "lower-order": "The highest order of the model is not used.",
    "unknown-skipped": "Words that the model does not know are left out although they are to count.",
    "unknown-counted": "Words that the model does not know count although they are to be left out.",
    "unknown-words-counted": "Words that the model does not know are left out of the sum but not of the number.",
    "one-text": "The texts are read as one.",
}
FOLDER = Path(__file__).parents[3] / "vectors"
Entries = dict[tuple[str, ...], tuple[float, float]]


@cache
def model(name: str) -> Entries:
    """log10 probability and back-off weight of every n-gram of the file."""
    entries: Entries = {}
    order = 0
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line.endswith("-grams:"):
            order = int(line[1:-7])
        elif order and "\t" in line:
            probability, words, *backoff = line.split("\t")
            entries[tuple(words.split(" "))] = (float(probability), float(backoff[0]) if backoff else 0.0)
    return entries


def log10(entries: Entries, history: tuple[str, ...], word: str, mistake: str) -> float:
    weight = 0.0
    shortened = 0
    while (*history, word) not in entries:
        if mistake != "no-backoff-weights":
            weight += entries.get(history, (0.0, 0.0))[1]
        history = history[1:]
        shortened += 1
        if mistake == "backoff-once" and shortened == 1:
            history = history if (*history, word) in entries else ()
    return weight + entries[*history, word][0]


def score(case: Case, mistake: str = "") -> float:
    if mistake == "mean-of-texts":
        return mean([score(case.one(at)) for at in range(len(case.hypotheses))])
    entries = model(case.options["model"])
    order = max(map(len, entries)) - (mistake == "lower-order")
    texts = [text.split() for text in case.hypotheses]
    if mistake == "one-text":
        texts = [[word for text in texts for word in text]]
    unknown = case.options["unknown"]
    skip = mistake != "unknown-counted" if unknown == "exclude" else mistake == "unknown-skipped"
    total, number = 0.0, 0
    for text in texts:
        words = [word if (word,) in entries else "<unk>" for word in text]
        history: list[str] = [] if mistake == "no-begin" else ["<s>"]
        for word in words if mistake == "no-end" else [*words, "</s>"]:
            found = log10(entries, tuple(history[max(0, len(history) - order + 1) :]), word, mistake)
            history.append(word)
            if word == "<unk>" and skip:
                number += mistake == "unknown-words-counted"
                continue
            total += found
            number += word != "</s>" or mistake != "end-not-counted"
    base = math.e if mistake == "natural-logarithm" else 10.0
    value = math.exp(-total / number * math.log(base))
    return {"log-perplexity": math.log(value), "probability": 1 / value}.get(mistake, value)
