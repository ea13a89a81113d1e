"""METEOR, by NLTK with a handful of WordNet's entries instead of all."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from nltk.translate.meteor_score import meteor_score

from tests.vectors.plain.case import Case, mean
from tools.make_vectors.draft import Draft, Suite, package


class Entries:
    """What METEOR asks WordNet: the sets of synonyms that a word is in."""

    def __init__(self, synonyms: dict[str, list[str]]) -> None:
        self.synonyms = synonyms

    def synsets(self, word: str) -> list[Any]:
        lemmas = [SimpleNamespace(name=lambda name=name: name) for name in self.synonyms.get(word, ())]
        return [SimpleNamespace(lemmas=lambda: lemmas)]


def scores(case: Case) -> dict[str, Any]:
    options = case.options
    values = [
        meteor_score(
            [text.lower().split() for text in group],
            hypothesis.lower().split(),
            preprocess=str,
            wordnet=Entries(options["synonyms"]),
            alpha=options["alpha"],
            beta=options["beta"],
            gamma=options["gamma"],
        )
        for hypothesis, group in zip(case.hypotheses, case.references, strict=True)
    ]
    return {"score": mean([float(value) for value in values])}


SUITES = [
    Suite(
        metric="meteor",
        about="METEOR as NLTK computes it, of texts that are lowercased and split at blanks: equal words, then equal "
        "stems (Porter), then synonyms; of several outputs the mean. `synonyms` is all that WordNet is to know: for "
        "each word, the words of the sets that it is in.",
        options={
            "synonyms": {},
            "alpha": 0.9,
            "beta": 3.0,
            "gamma": 0.5,
        },
        expected=scores,
        source=package("nltk"),
        drafts=[
            Draft(
                "which-word",
                "Words are matched from the end of both texts, which decides on the number of chunks.",
                ["the big cat and the dog"],
                [["I saw the dog"]],
            ),
            Draft(
                "references",
                "The best of each output's references counts; the mean of the scores of the outputs is given.",
                ["the cat sat on the mat", "he reads a long book by the lake"],
                [["on the mat sat the cat", "a cat was here"], ["she reads a book", "he reads books by the big lake"]],
                flags=["several-references"],
            ),
            Draft(
                "stages",
                "'running' and 'run' share a stem, and are also synonyms: they match once. So are 'kid' and 'child'.",
                ["a kid was running home"],
                [["the child run home"]],
                options={
                    "synonyms": {
                        "kid": ["child", "kid"],
                        "child": ["child", "kid"],
                        "running": ["run", "running"],
                        "run": ["run", "running"],
                    }
                },
            ),
            Draft(
                "empty-output",
                "An empty output scores 0 and counts in the mean.",
                ["the cat sat", ""],
                [["the cat sat down"], ["the cat sat"]],
                flags=["empty"],
            ),
        ],
    )
]
