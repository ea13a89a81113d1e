"""Show the work: the steps say what the metric computes, and computing them again gives the same bits."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import FitError, MissingSourcesError, OptionError
from bleuprint.insight.worked import Work, metric_names
from bleuprint.metrics import PlainMetric, cards
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.pool import PoolFormula, PoolScore
from bleuprint.results.naming import short_signature
from tests.kernels.twins.clipped import grams

FUNCTIONS = {"exp": math.exp, "log": math.log, "max": max, "min": min, "sum": lambda *terms: math.fsum(terms)}
WORDS = st.sampled_from(
    ["a", "b", "the", "The", "cat,", "cat.", "mat", "runs", "running", "child", "kid", "ÉTÉ", "été", "猫"]
)
TEXT = st.lists(WORDS, max_size=8).map(" ".join)
REFERENCES = st.lists(TEXT, min_size=1, max_size=3)
SMOOTHING = st.sampled_from(
    [
        *("none", "exp", "floor", "floor(0.3)", "add-k", "add-k(0)", "add-k(2.5)", "add-all", "method0", "method4"),
        *("method4(2)", "method5", "method6", "method6(0)", "method7"),
    ]
)
BLEU_OPTIONS = st.fixed_dictionaries(
    {"smoothing": SMOOTHING, "max_order": st.integers(3, 6)},
    optional={
        "tokenizer": st.sampled_from(["13a", "whitespace", "char"]),
        "lowercase": st.booleans(),
        "effective_order": st.booleans(),
        "reference_length": st.sampled_from(["closest", "closest-first", "shortest"]),
        "absent_order": st.sampled_from(["undefined", "one", "zero"]),
        "zero_when": st.sampled_from(["no-match", "any-order-without-match", "never"]),
        "zero_precision": st.sampled_from(["zero", "skip"]),
        "context": st.sampled_from(["corpus", "last-segment"]),
    },
)


def recomputed(steps: Work) -> float:
    """Read the steps as they are written to JSON, and compute every number again from the ones before."""
    known: dict[str, Any] = {}
    for step in json.loads(steps.to_json())["steps"]:
        for equation in step["equations"]:
            value = eval(equation["expression"], {"__builtins__": {}, **FUNCTIONS}, known)
            assert value == equation["value"], equation
            assert equation["symbol"] not in known
            known[equation["symbol"]] = value
    return float(value)


def check_counts(steps: Work) -> None:
    """Count the n-grams again from the tokens that are shown, and compare with the tables and the numbers."""
    ours, *theirs = ([str(token) for token in text.tokens] for text in steps.texts)
    for step in steps.steps:
        if not step.name.startswith("Clipped matches of order"):
            continue
        order = int(step.name.split()[-1])
        in_output = grams(ours, order)
        matches, total = (equation.value for equation in step.equations[:2])
        rows = () if step.table is None else step.table.rows
        assert {tuple(str(row[0]).split(" ")): row[1] for row in rows} == in_output
        for gram, count, limit, counted in rows:
            assert limit == max(grams(reference, order)[tuple(str(gram).split(" "))] for reference in theirs)
            assert counted == min(count, limit)
        assert matches == sum(int(row[3]) for row in rows)
        assert total in (in_output.total(), 1 if not rows else None)


@given(TEXT, REFERENCES, BLEU_OPTIONS)
def test_the_steps_of_bleu_give_its_score(output: str, references: list[str], options: dict[str, Any]) -> None:
    metric = bp.BLEU(**options)
    steps = bp.work(output, references, metric)
    assert recomputed(steps) == steps.value == metric.sentence(output, references).value
    assert steps.signature == metric.sentence(output, references).signature
    check_counts(steps)


@given(TEXT, REFERENCES, SMOOTHING)
def test_the_steps_of_a_text_in_a_pool_give_its_score(output: str, others: list[str], smoothing: str) -> None:
    metric = bp.SelfBLEU(smoothing=smoothing)
    steps = bp.work(output, others, metric)
    assert recomputed(steps) == steps.value == float(metric.corpus([output, *others]).per_text[0])
    cross = bp.metrics.CrossBLEU(smoothing=smoothing).add_references(others)
    assert bp.work(output, others, cross).value == float(cross.corpus([output]).per_text[0])


SARI_OPTIONS = st.one_of(
    st.fixed_dictionaries(
        {"deletion": st.sampled_from(["f1", "precision"]), "averaging": st.sampled_from(["scores", "rates"])},
        optional={"max_order": st.integers(1, 5), "lowercase": st.booleans()},
    ),
    st.fixed_dictionaries({"profile": st.just("hf"), "averaging": st.sampled_from(["scores", "rates"])}),
)
CHRF: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"char_order": st.integers(1, 6), "word_order": st.integers(0, 2), "beta": st.sampled_from([0, 1, 2, 3.5])},
    optional={name: st.booleans() for name in ("lowercase", "whitespace", "eps_smoothing")},
)
ERROR_RATES = [bp.WER(), bp.WER(tokenizer="13a", lowercase=True), bp.metrics.MER(), bp.metrics.WIL(), bp.metrics.WIP()]
WEIGHTS = st.lists(st.integers(0, 4), min_size=4, max_size=4).filter(any)
METRICS: dict[str, st.SearchStrategy[Any]] = {
    "weighted": WEIGHTS.map(lambda weights: bp.BLEU(weights=[weight / sum(weights) for weight in weights])),
    "item-bleu": st.builds(bp.SentenceBleu, st.integers(1, 5), st.booleans(), st.booleans()),
    "ibleu": st.builds(bp.IBLEU, alpha=st.floats(0, 1), smoothing=SMOOTHING),
    "sari": SARI_OPTIONS.map(lambda options: bp.SARI(**options)),
    "gec-gleu": st.builds(bp.metrics.GecGLEU, max_order=st.integers(1, 5)),
    "others": st.one_of(
        CHRF.map(lambda options: bp.CHRF(**options)),
        st.integers(1, 4).map(lambda order: bp.GLEU(max_order=order, lowercase=order > 2)),
        st.booleans().map(lambda stemmer: bp.ROUGE(stemmer=stemmer)),
        st.just(bp.ROUGE(types=["rougeLsum", "rouge3"], tokenizer="13a")),
        st.integers(1, 5).map(lambda order: bp.NIST(max_order=order)),
        st.sampled_from(["exact", "exact+stem", "exact+stem+synonym", "synonym"]).map(lambda s: bp.METEOR(stages=s)),
        st.sampled_from(ERROR_RATES),
        st.sampled_from(["keep", "strip", "collapse", "remove"]).map(lambda space: bp.CER(whitespace=space)),
        st.sampled_from([bp.TER(), bp.TER(normalized=True), bp.TER(lowercase=False, no_punct=True)]),
    ),
    "fitted nist": st.builds(
        lambda orders, corpus: bp.NIST(max_order=orders).fit(corpus),
        st.integers(1, 5),
        st.lists(REFERENCES, min_size=1, max_size=5),
    ),
}


@pytest.mark.parametrize("name", METRICS)
@given(data=st.data(), output=TEXT, references=st.lists(TEXT, min_size=1, max_size=5), source=TEXT)
def test_the_steps_give_the_score(
    name: str, data: st.DataObject, output: str, references: list[str], source: str
) -> None:
    metric = data.draw(METRICS[name])
    texts: dict[str, Any] = {"source": source} if metric.needs_sources else {}
    steps = bp.work(output, references, metric, **texts)
    assert recomputed(steps) == steps.value == metric.sentence(output, references, **texts).value


@given(
    TEXT, REFERENCES, st.lists(REFERENCES, min_size=2, max_size=5), st.sampled_from(["cider", "cider-d"]), st.booleans()
)
def test_the_steps_of_a_fitted_cider_give_its_score(
    output: str, references: list[str], corpus: list[list[str]], variant: str, with_own: bool
) -> None:
    metric = bp.CIDEr(variant=variant, max_order=3, sigma=2.5).fit([*corpus, references] if with_own else corpus)
    steps = bp.work(output, references, metric)
    assert recomputed(steps) == steps.value == metric.sentence(output, references).value


@pytest.mark.parametrize("metric", [bp.NIST(), bp.CIDEr()])
def test_fitted_lists_of_numbers_and_words_stay_apart(metric: Any) -> None:
    fitted = metric.fit([[[7, -31, 2**70], ["7", "a"]], [["7"], [7, "é"]]], tokenized=True)
    output: list[str | int] = [7, "7", -31]
    references: list[list[str | int]] = [[7, "7", 2**70], [-31, "é"]]
    assert recomputed(bp.work(output, references, fitted)) == fitted.sentence(output, references).value


def test_the_weights_of_cider_are_shown() -> None:
    metric = bp.CIDEr(max_order=1).fit([["a cat", "the cat"], ["a dog"], ["a bird"]])
    table = bp.work("a cat", "a cat sat", metric).steps[1].table
    assert table is not None
    weights = {row[0]: row[1:3] for row in table.rows}
    assert weights == {"a": (3, 0.0), "cat": (1, round(math.log(3), 4)), "sat": (0, round(math.log(3), 4))}


def test_cider_needs_fit() -> None:
    with pytest.raises(FitError):
        bp.work("a", "b", "cider")


@given(st.lists(TEXT, min_size=1, max_size=3).map("\n".join), st.lists(TEXT, min_size=1, max_size=3).map("\n".join))
def test_the_lines_of_rouge_are_kept(output: str, reference: str) -> None:
    metric = bp.ROUGE(types="rougeLsum")
    assert recomputed(bp.work(output, reference, metric)) == metric.sentence(output, reference).value


def test_the_subsequence_of_long_texts_is_found_in_linear_memory() -> None:
    output, reference = " ".join("abcdefg" * 900), " ".join("gfedcba" * 900)
    metric = bp.ROUGE(types="rougeL")
    assert recomputed(bp.work(output, reference, metric)) == metric.sentence(output, reference).value


@given(st.lists(WORDS, max_size=5), st.lists(st.lists(WORDS, max_size=5), min_size=1, max_size=2))
def test_lists_of_tokens_are_used_as_they_are(output: list[str], references: list[list[str]]) -> None:
    for metric in (bp.BLEU(lowercase=True), bp.GLEU(), bp.WER(lowercase=True), bp.ROUGE(types="rouge1+rougeL")):
        assert recomputed(bp.work(output, references, metric)) == metric.sentence(output, references).value


@pytest.mark.parametrize("name", metric_names())
def test_symbols_are_those_of_the_card(name: str) -> None:
    """The last symbol is the one that the card defines."""
    source = "a cat" if name in {"coverage", "density", "gec-gleu", "ibleu", "sari"} else None
    metric = bp.CIDEr().fit([["the cat"], ["a dog"]]) if name == "cider" else name
    steps = bp.work("the cat sat down", "the cat sat here", metric, source=source)
    card = cards.load("bleu" if name in {"self-bleu", "cross-bleu"} else name)
    symbol = steps.steps[-1].equations[-1].symbol
    without_symbol = {"ROUGE", "contains_match", "exact_match", "levenshtein_ratio"}  # cards define these in words
    assert symbol in without_symbol or symbol in card.sections["Definition"]
    assert steps.title == cards.load(name).title
    for text in (steps.pretty(), steps.to_markdown(), steps.to_html()):
        assert f"{steps.value:.4f}" in text


def test_the_work_reads_well() -> None:
    text = str(bp.work("the cat sat", "the cat sat down", bp.BLEU(max_order=2)))
    assert (
        text
        == """\
BLEU = 0.7165

output     the cat sat
reference  the cat sat down

1. Tokens and lengths
   Tokens: 3 in the output; reference: 4.
   c = 3
   r = 4

2. Clipped matches of order 1
   An n-gram counts at most as often as any one reference has it (clipping).
   word  in the output  in the reference  counted
   the               1                 1        1
   cat               1                 1        1
   sat               1                 1        1
   m_1 = 3
   t_1 = 3

3. Clipped matches of order 2
   An n-gram counts at most as often as any one reference has it (clipping).
   2-gram   in the output  in the reference  counted
   the cat              1                 1        1
   cat sat              1                 1        1
   m_2 = 2
   t_2 = 2

4. Precisions
   Matches divided by totals. Smoothing: successive orders without a match count as 1/2, 1/4,
   1/8, … of a match.
   p_1 = m_1 / t_1 = 3 / 3 = 1.0000
   p_2 = m_2 / t_2 = 2 / 2 = 1.0000

5. Brevity penalty
   BP = 1 if c ≥ r, exp(1 − r/c) if c < r.
   BP = exp(1 − r / c) = exp(1 − 4 / 3) = 0.7165   (c < r)

6. Score
   BLEU measures how many of the n-grams in a corpus of outputs also occur in their references.
   BLEU = BP · exp(0.5 · log(p_1) + 0.5 · log(p_2)) = 0.7165 · exp(0.5 · log(1.0000) + 0.5 · log(1.0000)) = 0.7165

"""
        + short_signature(bp.sentence_bleu("the cat sat", "the cat sat down", max_order=2).signature)
    )


def test_long_tables_lose_nothing() -> None:
    words = [f"w{number}" for number in range(60)]
    steps = bp.work(" ".join(words), " ".join(words[::-1]))
    for text in (steps.pretty(), steps.to_markdown(), steps.to_html()):
        assert all(word in text for word in words)


def test_ter_shows_its_moves() -> None:
    steps = bp.work("on the mat sat the cat", "the cat sat on the mat", "ter")
    table = steps.steps[0].table
    assert table is not None
    assert [row[0] for row in table.rows] == ["on the mat", "sat"]
    assert steps.equation("edits").value == 2


def test_texts_of_others_are_escaped() -> None:
    steps = bp.work("<b>\x1b[31m|*x*", "<b>\x1b[31m|*x*", bp.BLEU(tokenizer="whitespace"))
    assert "<b>\\" not in steps.to_html()
    assert "&lt;b&gt;" in steps.to_html()
    assert "\x1b" not in steps.pretty() + steps.to_markdown() + steps.to_html()


class LongestFormula(PoolFormula):
    def score(self, definition: Definition, pool: Any, references: Any, threads: int) -> PoolScore:
        return PoolScore(definition, len(pool), value=float(max(pool.lengths())))


class Longest(TokenPool[PoolScore]):
    """A custom metric of pools that names no counts."""

    name = "longest"

    def __init__(self) -> None:
        super().__init__(LongestFormula(), "whitespace", False)


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("perplexity", "metric 'perplexity' needs lm"),
        ("blue", "Did you mean bleu"),
        (3, "metric must be a metric object or the name of a metric, got 3"),
        (Longest(), "metric must be one whose steps can be shown: bleu, cer, chrf"),
    ],
)
def test_other_metrics_are_refused(metric: Any, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        bp.work("a", "b", metric)


@pytest.mark.parametrize("metric", ["gec-gleu", "ibleu", "sari"])
def test_a_metric_that_reads_sources_needs_one(metric: str) -> None:
    with pytest.raises(MissingSourcesError):
        bp.work("a", "b", metric)


def test_the_repr_is_short() -> None:
    assert repr(bp.work("a b", "a c", "gleu")) == "<Work gleu = 0.3333333333333333, 6 steps>"


def test_notes_say_which_case_applies() -> None:
    steps = bp.work("a b c x", "a b c y z", bp.BLEU(smoothing="floor"))
    assert str(steps.equation("p_4")) == "p_4 = 0.1 / t_4 = 0.1 / 1 = 0.1000"
    assert steps.equation("p_4").note == "m_4 = 0"
    assert steps.equation("p_1").note == ""
    assert steps.equation("BP").note == "c < r"
    longer = bp.work("a b c x", "a b c", "bleu").equation("BP")
    assert (str(longer), longer.note) == ("BP = 1", "c > r")
    nothing = bp.work("x", "a b c", "bleu").equation("BLEU")
    assert (str(nothing), nothing.note) == ("BLEU = 0", "m_1 = 0")


def test_orders_beyond_the_text_are_named() -> None:
    score = bp.work("a b", "a b", "bleu").equation("BLEU")
    assert score.formula == "BP · exp(0.5 · log(p_1) + 0.5 · log(p_2))"
    assert score.note == "t_3 = 0, t_4 = 0"


def test_ter_divides_mean_lengths_exactly() -> None:
    steps = bp.work("a b x", ["a b c", "a b"], "ter")
    assert steps.value == 2 * 1 / 5
    assert "(3 + 2) / 2" in steps.pretty()
    assert str(bp.work("a b x", "a b c", "ter").equation("TER")) == "TER = edits / words = 1 / 3 = 0.3333"


class Ratio(PlainMetric):
    """Words of the output for each word of the reference."""

    name = "length-ratio"
    names = ("output words", "reference words")

    def row(self, hypothesis: str, references: Sequence[str], source: str | None) -> tuple[float, ...]:
        return len(hypothesis.split()), len(references[0].split())

    def formula(self, columns: Sequence[Any], *, sentence: bool = False) -> Any:
        return columns[0] / (columns[1] + (columns[1] == 0))


class Root(Ratio):
    name = "root"

    def formula(self, columns: Sequence[Any], *, sentence: bool = False) -> Any:
        share = np.minimum(columns[0], columns[1]) / np.maximum(columns[1], 1)
        return np.where((columns[1] > 0) & (columns[0] < 9), np.sqrt(share), 0.0)


class Opaque(Ratio):
    name = "opaque"

    def formula(self, columns: Sequence[Any], *, sentence: bool = False) -> Any:
        return np.mean(np.broadcast_arrays(*columns), axis=0)


def test_custom_metrics_show_their_formula() -> None:
    steps = bp.work("a b c", "a b", Ratio())
    assert [step.name for step in steps.steps] == ["Counts", "Score"]
    assert steps.steps[-1].text == "Words of the output for each word of the reference."
    assert str(steps.steps[0].equations[0]) == "output_words = 3"
    last = steps.steps[-1].equations[-1]
    assert str(last) == "length_ratio = output_words / reference_words = 3 / 2 = 1.5000"
    assert recomputed(steps) == 1.5
    empty = bp.work("a b c", "", Ratio()).steps[-1].equations[-1]
    assert (str(empty), empty.note) == (
        "length_ratio = output_words / (reference_words + 1) = 3 / (0 + 1) = 3.0000",
        "reference_words = 0",
    )


def test_custom_metrics_may_use_numpy() -> None:
    steps = bp.work("a b c", "a b d e", Root())
    last = steps.steps[-1].equations[-1]
    assert last.formula == "sqrt(min(output_words, reference_words) / max(reference_words, 1))"
    assert last.note == "output_words < 9"
    assert last.latex.startswith(r"\mathrm{root} = \operatorname{sqrt}\left(\frac{\min\left(")
    assert steps.value == Root().sentence("a b c", "a b d e").value


def test_a_formula_that_cannot_be_followed_still_has_its_value() -> None:
    steps = bp.work("a b c", "a", Opaque())
    assert [str(equation) for step in steps.steps for equation in step.equations] == [
        "output_words = 3",
        "reference_words = 1",
        "opaque = 2",
    ]
    assert steps.steps[-1].equations[-1].note == "the formula uses functions that cannot be written out"


def test_metrics_without_references() -> None:
    model = bp.LanguageModel.train(["the cat sat", "the dog sat"], order=2, discount_fallback=True)
    steps = bp.work("the cat sat", None, bp.Perplexity(model))
    assert recomputed(steps) == bp.Perplexity(model).sentence("the cat sat").value
    assert [text.role for text in steps.texts] == ["output"]
