"""METEOR of a column and of single pairs, from strings and from tokens, over the same WordNet 3.0 as NLTK's."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import bleuprint
from bench.data import Corpus
from bench.harness import Contestant, Run, largest_difference, peer, peer_installed, race
from bench.results import Goal, Section

FEW = 500  # segments of the slow ones
Scores = Sequence[float]
Score = Callable[[Any, Any], Scores]
_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []  # removed when the process ends


def sections(run: Run) -> Iterator[Section]:
    notes = ["NLTK keeps the synsets it has read, so after the first repeat it reads no files."]
    if reader() is None:
        notes = ["NLTK or /usr/share/wordnet (Debian's wordnet-base) is absent."]
    yield Section(
        "METEOR of a column of strings, one thread, CPU time",
        "µs/segment",
        race(partial(field, tokens=False), run.corpus, run),
        [*notes, "NLTK's strings are taken apart by its own NLTKWordTokenizer, as ours are by an equal one."],
        rate="segment",
    )
    yield Section(
        "The same from lists of tokens", "µs/segment", race(partial(field, tokens=True), run.corpus, run), notes
    )
    yield Section("sentence_meteor, call by call", "µs/segment", race(pair_field, run.corpus.head(FEW), run), notes)


@cache
def reader() -> Any:
    """NLTK's reader of Debian's WordNet, or None."""
    if not peer_installed("nltk"):
        return None
    wordnets = peer("tests.support.wordnets")
    if wordnets is None or not (wordnets.DEBIAN / "data.noun").exists():
        return None
    folder: tempfile.TemporaryDirectory[str] = tempfile.TemporaryDirectory()
    _FOLDERS.append(folder)
    return wordnets.nltk_reader(wordnets.debian_copy(Path(folder.name) / "wordnet"))


def ours(hypotheses: Any, references: Any) -> Scores:
    return list(bleuprint.sentence_meteors(hypotheses, references, threads=1).tolist())


def entry(name: str, corpus: Corpus, score: Score, tokens: bool, goal: Goal | None = None) -> Contestant[Scores]:
    def prepare(mark: int) -> Callable[[], Scores]:
        hypotheses, references = corpus.fresh(mark)
        if not tokens:
            return lambda: score(hypotheses, references)
        lists = [bleuprint.tokenize(text, "nltk") for text in hypotheses]
        # A bare list among references would be read as several references.
        groups = [[bleuprint.tokenize(text, "nltk")] for text in references]
        return lambda: score(lists, groups)

    def difference(mark: int, scores: Scores) -> float:
        return largest_difference(scores, ours(*corpus.fresh(mark)))

    return Contestant(name, len(corpus), prepare, None if score is ours else difference, goal=goal)


def nltk_entry(corpus: Corpus, tokens: bool, goal: Goal | None = None) -> list[Contestant[Scores]]:
    wordnet, module = reader(), peer("nltk.translate.meteor_score") if peer_installed("nltk") else None
    if wordnet is None or module is None:
        return []
    return [entry("nltk", corpus, partial(nltk_loop, module, wordnet, tokens), tokens, goal)]


def nltk_loop(module: ModuleType, wordnet: Any, tokens: bool, hypotheses: Any, references: Any) -> Scores:
    pairs = zip(hypotheses, references, strict=True)
    if tokens:
        return [module.meteor_score(group, text, wordnet=wordnet) for text, group in pairs]
    from nltk.tokenize import NLTKWordTokenizer

    split = NLTKWordTokenizer().tokenize
    return [module.meteor_score([split(reference)], split(text), wordnet=wordnet) for text, reference in pairs]


def field(corpus: Corpus, tokens: bool) -> list[Contestant[Scores]]:
    step = max(1, len(corpus) // FEW)
    few = Corpus(corpus.source, corpus.hypotheses[::step][:FEW], corpus.references[::step][:FEW])
    return [entry("bleuprint", corpus, ours, tokens), *nltk_entry(few, tokens, Goal(at_least=10))]


def pair_field(corpus: Corpus) -> list[Contestant[Scores]]:
    def one_by_one(hypotheses: list[str], references: list[str]) -> Scores:
        return [bleuprint.sentence_meteor(*pair).value for pair in zip(hypotheses, references, strict=True)]

    return [
        entry("bleuprint, sentence_meteor", corpus, one_by_one, False),
        *nltk_entry(corpus, False, Goal(at_least=10)),
    ]
