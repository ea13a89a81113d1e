"""GLEU of every segment, as rewards of a batch."""

from __future__ import annotations

from collections.abc import Iterator

import bleuprint
from bench.data import Corpus
from bench.harness import Contestant, Run, peer, race
from bench.results import Goal, Section
from bench.row_contestants import Scores, at_once, entry

PAIRS = 10_000


def sections(run: Run) -> Iterator[Section]:
    corpus = run.large.head(PAIRS)
    yield Section(
        f"Sentence GLEU of {len(corpus):,} pairs from strings, 13a tokens, one thread, CPU time",
        "µs/pair",
        race(field, corpus, run),
        ["NLTK's loop takes its 13a tokens from sacrebleu's tokenizer, which is part of its time."],
        rate="pair",
    )


def field(corpus: Corpus) -> list[Contestant[Scores]]:
    def ours(hypotheses: list[str], references: list[str]) -> Scores:
        return list(bleuprint.sentence_gleus(hypotheses, references, threads=1).tolist())

    entries = [entry("bleuprint", corpus, at_once(ours))]
    module, tokenizers = peer("nltk.translate.gleu_score"), peer("sacrebleu.tokenizers.tokenizer_13a")
    if module is not None and tokenizers is not None:
        split = tokenizers.Tokenizer13a()

        def loop(hypotheses: list[str], references: list[str]) -> Scores:
            pairs = zip(hypotheses, references, strict=True)
            return [module.sentence_gleu([split(r.rstrip()).split()], split(h.rstrip()).split()) for h, r in pairs]

        entries.append(entry("nltk, 13a by sacrebleu", corpus, at_once(loop), ours, Goal(60)))
    return entries
