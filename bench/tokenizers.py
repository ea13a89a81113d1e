"""Tokenizers: text by text, as Python lists of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import bleuprint
from bench.data import Corpus
from bench.harness import Contestant, Run, peer, race
from bench.results import Section

Lines = list[list[str]]
Split = Callable[[str], list[str]]

SCHEMES = ("13a", "intl", "zh", "char", "whitespace", "nltk")


def sections(run: Run) -> Iterator[Section]:
    corpus = run.corpus.head(2000)
    for scheme in SCHEMES:
        yield Section(
            f"Tokenizer {scheme}, line by line, CPU time",
            "µs/line",
            race(field_of(scheme), corpus, run),
            rate="line",
        )


def field_of(scheme: str) -> Callable[[Corpus], list[Contestant[Lines]]]:
    def field(corpus: Corpus) -> list[Contestant[Lines]]:
        theirs = {"bleuprint": lambda line: bleuprint.tokenize(line, scheme), **peers(scheme)}
        return [contestant(name, corpus, split, scheme) for name, split in theirs.items()]

    return field


def contestant(name: str, corpus: Corpus, split: Split, scheme: str) -> Contestant[Lines]:
    def prepare(mark: int) -> Callable[[], Lines]:
        lines = corpus.fresh(mark)[0]
        return lambda: [split(line) for line in lines]

    def differing_lines(mark: int, result: Lines) -> float:
        ours = [bleuprint.tokenize(line, scheme) for line in corpus.fresh(mark)[0]]
        return sum(a != b for a, b in zip(result, ours, strict=True))

    return Contestant(name, len(corpus), prepare, None if name == "bleuprint" else differing_lines, tolerance=0)


def peers(scheme: str) -> dict[str, Split]:
    """Who else has the scheme; sacrebleu's tokenizers answer with a string, whose split is part of the job."""
    if scheme == "whitespace":
        return {"str.split": str.split}
    if scheme == "nltk":
        module = peer("nltk") and peer("nltk.tokenize")
        return {"nltk NLTKWordTokenizer": module.NLTKWordTokenizer().tokenize} if module else {}
    module = peer("sacrebleu") and peer(f"sacrebleu.tokenizers.tokenizer_{scheme}")
    found: dict[str, Split] = {}
    if module:
        classes = {
            "13a": "Tokenizer13a",
            "intl": "TokenizerV14International",
            "zh": "TokenizerZh",
            "char": "TokenizerChar",
        }
        tokenizer = getattr(module, classes[scheme])()
        found["sacrebleu"] = lambda line: tokenizer(line).split()
    if scheme == "13a" and (bleuscore := peer("bleuscore")):
        found["bleuscore"] = bleuscore.tokenizer_13a
    return found
