"""What all adapters share: the loop that answers cases, and how a text becomes tokens.

Adapters run in the environment of the package that is audited, so they need nothing else, and any Python from 3.8 on.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import sys
from types import SimpleNamespace

UNSUPPORTED = None


def answer(metrics, refusals=()):
    """Answer every case on standard input by the function of its metric, one line each.

    A function gets the case, with its fields as attributes, and returns a number or a list; UNSUPPORTED says that the
    package does not offer what the case asks for. What a function raises is reported, and the next case is answered.
    `refusals` are the errors with which the package declines an input on purpose, such as an empty reference.
    """
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a package prints is not an answer
    for line in sys.stdin.buffer:
        case = SimpleNamespace(**json.loads(line))
        try:
            value = metrics[case.metric](case) if case.metric in metrics else UNSUPPORTED
            text = "unsupported" if value is UNSUPPORTED else json.dumps(value, default=plain)
        except refusals:
            text = "unsupported"
        except Exception as error:
            first = (str(error).strip() or "no message").splitlines()[0]
            text = json.dumps({"error": f"{type(error).__name__}: {first}"})
        print(text, file=output, flush=True)


def plain(value):
    """A number or a list of another library, such as NumPy's or torch's, as Python's own."""
    return value.tolist()


def mean(values):
    return sum(values) / len(values)


def first_references(case):
    """The reference of each output; None if one has several, which the package cannot take."""
    return [group[0] for group in case.references] if all(len(group) == 1 for group in case.references) else None


def reference_sets(case):
    """References as sacrebleu takes them: a list per set, with None where an output has fewer."""
    most = max(map(len, case.references))
    return [[group[at] if at < len(group) else None for group in case.references] for at in range(most)]


def same_options(case, **fixed):
    """Whether the case asks for the options that the package has fixed."""
    return all(case.options[name] == value for name, value in fixed.items())


def tokens(text, options):
    """The tokens that BLEU counts, for packages that take tokens: blanks, or the rules of 13a; None for others."""
    text = text.lower() if options.get("lowercase") else text
    if options.get("tokenizer", "whitespace") == "whitespace":
        return text.split()
    if options["tokenizer"] != "13a":
        return None
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, sign in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, sign)
    text = re.sub(r"([{-~\[-` -&(-+:-@/])", r" \1 ", " " + text + " ")
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text).split()


def tokenized(case):
    """The tokens of the outputs, and those of the references of each."""
    outputs = [tokens(text, case.options) for text in case.hypotheses]
    return outputs, [[tokens(text, case.options) for text in group] for group in case.references]


class WordNet:
    """What METEOR asks of NLTK's reader of WordNet, with the synonyms of a case; NLTK would look for the whole."""

    def __init__(self):
        self.synonyms = {}

    def ensure_loaded(self):
        pass

    def synsets(self, word):
        names = self.synonyms.get(word, [])
        return [SimpleNamespace(lemmas=lambda: [SimpleNamespace(name=lambda name=name: name) for name in names])]


def replace_wordnet():
    """Give NLTK's METEOR this WordNet, which is its default in several places."""
    import nltk.corpus
    from nltk.translate import meteor_score

    ours, theirs = WordNet(), meteor_score.wordnet
    for function in filter(inspect.isfunction, vars(meteor_score).values()):
        defaults = function.__defaults__ or ()
        if any(default is theirs for default in defaults):
            function.__defaults__ = tuple(ours if default is theirs else default for default in defaults)
    nltk.corpus.wordnet = ours
    return ours
