"""Steps between two definitions: they lead from the one score to the other."""

from __future__ import annotations

import math
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import BLEU, CHRF, GLEU, IBLEU, ROUGE, TER
from bleuprint.errors import InputError, NoSegmentsError, OptionError, SignatureError
from bleuprint.insight import Explanation
from bleuprint.insight._rows import RowMemo
from bleuprint.metrics import profiles
from tests.laws.cases import AnyMetric, cases
from tests.laws.strategies import Segments, corpora, hypotheses_of, references_of

OUTPUTS = ["The cat sat on the mat.", "It is warm today, isn't it?", "Yes."]
REFERENCES = [
    ["The cat sat on the mat all day.", "A cat sat."],
    ["It is warm today, right?", "Warm today, isn't it?"],
    ["Yes.", "Yes, sure."],
]


def explain(first: AnyMetric, last: AnyMetric, hypotheses: Any = OUTPUTS, references: Any = REFERENCES) -> Explanation:
    """The explanation, after checking that its steps lead from the one score to the other."""
    found = bp.explain(hypotheses, references, first, last)
    start, end = (metric.corpus(hypotheses, references).value for metric in (first, last))
    values = [start, *(step.value for step in found.steps)]
    assert (found.start, found.end, values[-1]) == (start, end, end)
    assert [step.change for step in found.steps] == [after - before for before, after in pairwise(values)]
    assert math.fsum(step.share for step in found.steps) == pytest.approx(end - start, abs=1e-12)
    return found


@settings(max_examples=settings().max_examples // 8)
@pytest.mark.parametrize("name", ["bleu", "chrf", "gleu", "rouge", "ter", "levenshtein-ratio"])
@given(data=st.data(), corpus=corpora(largest=3))
def test_from_any_definition_to_any_other(name: str, data: st.DataObject, corpus: Segments) -> None:
    first, last = (data.draw(cases(name)).make() for _ in range(2))
    found = explain(first, last, hypotheses_of(corpus), references_of(corpus))
    if "custom(" not in first.signature:  # functions are told apart, even of one name
        signatures = {made.definition.signature_of(sentence=False, references=1) for made in (first, last)}
        assert bool(found.steps) == (len(signatures) == 2)


@pytest.mark.parametrize("start", profiles.names("bleu"))
@pytest.mark.parametrize("end", profiles.names("bleu"))
def test_between_profiles(start: str, end: str) -> None:
    found = explain(BLEU(profile=start), BLEU(profile=end))
    assert bp.explain(OUTPUTS, REFERENCES, start, end) == found
    back = bp.explain(OUTPUTS, REFERENCES, end, start)
    shares = {step.options: step.share for step in found.steps}
    assert {step.options: -step.share for step in back.steps} == pytest.approx(shares, abs=1e-15)


def test_shares_are_means_over_all_orders() -> None:
    first: dict[str, Any] = {"tokenizer": "13a", "lowercase": False, "smoothing": "exp"}
    last: dict[str, Any] = {"tokenizer": "whitespace", "lowercase": True, "smoothing": "add-all"}
    found = bp.explain(OUTPUTS, REFERENCES, BLEU(**first), BLEU(**last))
    added: dict[str, list[float]] = {option: [] for option in first}
    for order in permutations(first):
        options = dict(first)
        for option in order:
            before = BLEU(**options).corpus(OUTPUTS, REFERENCES).value
            options[option] = last[option]
            added[option].append(BLEU(**options).corpus(OUTPUTS, REFERENCES).value - before)
    means = {(option,): math.fsum(values) / len(values) for option, values in added.items()}
    assert {step.options: step.share for step in found.steps} == pytest.approx(means, abs=1e-15)
    assert [step.options for step in found.steps] == [("tokenizer",), ("lowercase",), ("smoothing",)]


def test_words() -> None:
    found = bp.explain(OUTPUTS, REFERENCES, "sacrebleu", "nltk")
    assert str(found.steps[0]) == "tokenizer 13a → nltk: +0.0479"
    assert str(found).startswith("bleu 0.8487\ntokenizer 13a → nltk: +0.0479  (in any order +0.0486)\n")
    assert str(found).endswith("\nbleu 0.8582")


@pytest.mark.parametrize(
    ("kind", "start", "end", "options"),
    [
        (BLEU, {}, {"max_order": 2, "weights": (0.3, 0.7)}, ("max_order", "weights")),
        (BLEU, {"smoothing": "method6"}, {"max_order": 2}, ("max_order", "smoothing")),
        (GLEU, {"min_order": 1, "max_order": 2}, {"min_order": 3, "max_order": 4}, ("min_order", "max_order")),
        (CHRF, {"char_order": 6}, {"char_order": 0, "word_order": 2}, ("char_order", "word_order")),
    ],
)
def test_options_that_exist_only_together_are_one_step(
    kind: type[AnyMetric], start: dict[str, Any], end: dict[str, Any], options: tuple[str, ...]
) -> None:
    found = explain(kind(**start), kind(**end))
    assert [step.options for step in found.steps] == [options]
    if "weights" in options:
        assert found.steps[0].rule == "max_order 4 → 2, weights auto → (0.3, 0.7)"


def test_signatures_and_functions_of_the_callers() -> None:
    score = BLEU(profile="hf").corpus(OUTPUTS, REFERENCES)
    split = BLEU(tokenizer=str.split)
    found = explain(BLEU(profile="hf"), split)
    assert bp.explain(OUTPUTS, REFERENCES, score.signature, split) == found
    assert found.steps[0].rule.startswith("tokenizer 13a → custom(")
    assert BLEU.from_signature(found.start_signature).corpus(OUTPUTS, REFERENCES).value == score.value
    explain(ROUGE(), ROUGE(tokenizer=str.split, types="rouge1"))
    ter = bp.explain(OUTPUTS, REFERENCES, "sacrebleu", TER(normalized=True).signature, metric="ter")
    assert [step.rule for step in ter.steps] == ["tokenizer tercom → tercom-normalized"]


def test_with_sources_and_iterators() -> None:
    found = bp.explain(
        iter(OUTPUTS), iter(REFERENCES), IBLEU(alpha=0.9), IBLEU(alpha=0.5, lowercase=True), sources=iter(OUTPUTS)
    )
    assert [step.options for step in found.steps] == [("lowercase",), ("alpha",)]
    assert found.end == IBLEU(alpha=0.5, lowercase=True).corpus(OUTPUTS, REFERENCES, sources=OUTPUTS).value


def test_equal_definitions_have_no_steps() -> None:
    assert bp.explain(OUTPUTS, REFERENCES, "moses", "moses").steps == ()
    with pytest.raises(NoSegmentsError, match="bleu has no segments"):
        bp.explain([], [], "moses", "nltk")


def test_texts_are_counted_once_for_each_way_of_counting() -> None:
    memo = RowMemo(OUTPUTS, REFERENCES)
    alike = [BLEU(smoothing=name, max_order=order) for name in ("none", "exp", "method5") for order in (1, 2, 3, 4)]
    values = memo.values(dict(enumerate(alike)))
    assert [values[place] for place in range(12)] == [made.corpus(OUTPUTS, REFERENCES).value for made in alike]
    assert memo.counted == 1
    others: list[AnyMetric] = [CHRF(char_order=order) for order in range(1, 9)]
    others.extend(BLEU(max_order=order, lowercase=case) for order in range(1, 17) for case in (False, True))
    memo = RowMemo(OUTPUTS, REFERENCES)
    assert memo.values(dict(enumerate(others * 2))) == {
        place: made.corpus(OUTPUTS, REFERENCES).value for place, made in enumerate(others * 2)
    }
    assert memo.counted == 8 + 2 * 12  # orders 1 to 5 are counted together


@pytest.mark.parametrize(
    ("start", "end", "options", "error", "message"),
    [
        ("blue", "nltk", {}, OptionError, r"a profile of bleu \(sacrebleu, nltk"),
        ("nltk", 3, {}, OptionError, "got 3"),
        ("nltk", "sacrebleu", {"metric": "blue"}, OptionError, "There is no metric"),
        ("nltk", CHRF, {}, OptionError, "end must be a definition of bleu like start, got 'chrf'"),
        ("nltk", "bleu.9|max_order:4", {}, SignatureError, "bleu.1"),
        ("nltk", "blue.1|max_order:4", {}, OptionError, "There is no metric"),
        ("nltk", "bleu.1|maximal_order:4", {}, SignatureError, "does not know"),
        ("nltk", "sacrebleu", {"sources": ["a"] * 3}, InputError, "does not use sources"),
        (IBLEU, IBLEU, {}, InputError, "sources"),
        ("nltk", "sacrebleu", {"threads": 0}, OptionError, "threads must be"),
    ],
)
def test_what_is_refused(start: Any, end: Any, options: dict[str, Any], error: type[Exception], message: str) -> None:
    # Metrics are made here: what a parameter holds lives until the interpreter exits.
    start, end = (given() if isinstance(given, type) else given for given in (start, end))
    with pytest.raises(error, match=message):
        bp.explain(OUTPUTS, REFERENCES, start, end, **options)
