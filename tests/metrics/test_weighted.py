"""NIST and CIDEr: numbers of their papers and peers, twins under hypothesis, options, command line."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import NIST, CIDEr
from bleuprint.errors import FitError, NoSegmentsError, OptionError, UnusedSourcesError
from bleuprint.runners import evaluate
from tests.kernels.twins import weighted as twin
from tests.support.cli import assert_one_line, invoke

# The example of Papineni et al. (2002) and of NLTK's documentation.
HYPOTHESES = [
    "It is a guide to action which ensures that the military always obeys the commands of the party",
    "It is to insure the troops forever hearing the activity guidebook that party direct",
]
REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]

words = st.lists(st.sampled_from(["a", "b", "c", "the", "a word of more than sixteen bytes", ""]), max_size=9)
groups = st.lists(words, min_size=1, max_size=3)
corpora = st.lists(st.tuples(words, groups), min_size=1, max_size=4)
priors = st.lists(groups, min_size=2, max_size=5)
Corpus = list[tuple[list[str], list[list[str]]]]
Groups = list[list[list[str]]]


def columns(corpus: Corpus) -> tuple[list[list[str]], Groups]:
    return [hypothesis for hypothesis, _ in corpus], [references for _, references in corpus]


@pytest.mark.parametrize(("hypothesis", "expected"), list(zip(HYPOTHESES, (3.3709, 1.4619), strict=True)))
def test_numbers_of_nltks_documentation(hypothesis: str, expected: float) -> None:
    assert bp.sentence_nist(hypothesis, REFERENCES).value == pytest.approx(expected, abs=1e-4)


def test_the_penalty_is_a_half_where_two_thirds_of_the_length_are_there() -> None:
    """Doddington (2002), equation 3."""
    score = bp.sentence_nist("a b c d", "a b c d e f")
    assert score.brevity_penalty == pytest.approx(0.5)
    assert score.informations == pytest.approx((math.log2(6), 0.0, 0.0, 0.0, 0.0), abs=2**-41)  # units of 2^-40
    assert score.value == pytest.approx(math.log2(6) / 2)
    assert score.percent == score.value


def test_many_scores_at_once_are_those_one_by_one() -> None:
    """A square is not always the power that Python computes; here they differ in the last digit."""
    formula = NIST(max_order=1).definition.formula
    rows = [
        (69, 106, 71730035, -24494674, 69),
        (108, 131, 80392740, 40997975, 108),
        (108, 166, 97225011, -7903185, 108),
    ]
    assert np.asarray(formula(tuple(np.array(rows).T))).tolist() == [formula(row) for row in rows]


def test_numbers_worked_out_by_hand() -> None:
    """Two segments: "a" is in both and weighs nothing, every other n-gram weighs log 2, so that it cancels out."""
    references = ["a b c", "a d e"]
    each = bp.CIDEr(max_order=2).sentences(["a b x", "a"], references)
    # Unigrams: b of {b, x} and {b, c} is 1/2; bigrams: "a b" of two and two is 1/2.
    assert each.tolist() == pytest.approx([5.0, 0.0], abs=1e-9)
    longer = bp.CIDEr(max_order=1).sentences(["a b x a a", "a"], references)
    assert longer[0] == pytest.approx(5 * math.exp(-4 / 72), abs=1e-9)
    assert bp.CIDEr(max_order=1, variant="cider").sentences(["a b x a a", "a"], references)[0] == pytest.approx(5.0)


@pytest.mark.parametrize("orders", [1, 5])
@given(corpus=corpora, prior=priors)
def test_nist_equals_the_twin(orders: int, corpus: Corpus, prior: Groups) -> None:
    hypotheses, references = columns(corpus)
    metric = NIST(max_order=orders)
    found = metric.fit(prior, tokenized=True).corpus(hypotheses, references).value
    assert found == pytest.approx(twin.informed(hypotheses, references, prior, orders), abs=1e-9)
    own = metric.corpus(hypotheses, references).value
    assert own == pytest.approx(twin.informed(hypotheses, references, references, orders), abs=1e-9)


@pytest.mark.parametrize(("variant", "sigma"), [("cider-d", 6.0), ("cider-d", 0.5), ("cider", None)])
@given(corpus=corpora, prior=priors)
def test_cider_equals_the_twin(variant: str, sigma: float | None, corpus: Corpus, prior: Groups) -> None:
    hypotheses, references = columns(corpus)
    metric = CIDEr(variant=variant, lowercase=False, sigma=sigma or 6.0)
    expected = twin.cosines(hypotheses, references, prior, sigma=sigma)
    fitted = metric.fit(prior, tokenized=True)
    assert np.abs(fitted.sentences(hypotheses, references) - expected).max() <= 1e-9
    assert fitted.corpus(hypotheses, references).value == pytest.approx(np.mean(expected), abs=1e-9)
    if len(corpus) > 1:
        own = twin.cosines(hypotheses, references, references, sigma=sigma)
        assert np.abs(metric.sentences(hypotheses, references) - own).max() <= 1e-9


@given(corpus=corpora, prior=priors)
def test_a_prior_travels_as_bytes(corpus: Corpus, prior: Groups) -> None:
    hypotheses, references = columns(corpus)
    metric: Any
    for metric in (NIST(), CIDEr(lowercase=False)):
        fitted = metric.fit(prior, tokenized=True)
        again = pickle.loads(pickle.dumps(fitted))
        assert again.signature == fitted.signature
        assert again.definition.prior.content() == fitted.definition.prior.content()
        assert again.sentences(hypotheses, references).tolist() == fitted.sentences(hypotheses, references).tolist()


@given(prior=priors, data=st.data())
def test_bytes_that_are_no_prior_are_refused(prior: Groups, data: st.DataObject) -> None:
    fitted = NIST().fit(prior, tokenized=True)
    assert fitted.definition.prior is not None
    content = fitted.definition.prior.content()
    cut = content[: data.draw(st.integers(0, len(content) - 1))]
    with pytest.raises(ValueError, match="the bytes end too early"):
        NIST().definition.fit(cut, 1)
    place = data.draw(st.integers(0, len(content) - 1))
    other = bytes([*content[:place], content[place] ^ data.draw(st.integers(1, 255)), *content[place + 1 :]])
    named = NIST.from_signature(fitted.signature)
    with pytest.raises(ValueError, match=r"bytes|prior"):
        named.definition.fit(other, 1)


@given(texts=st.lists(st.lists(st.integers(0, 99), min_size=4, max_size=9).map(tuple), min_size=2, unique=True))
def test_a_copy_of_rare_words_scores_exactly_ten(texts: list[tuple[int, ...]]) -> None:
    """Every order has to have weight, so each text gets a word of its own."""
    copies = [[-number, *text, -number, -number, -number, -number] for number, text in enumerate(texts, start=1)]
    each = bp.CIDEr().sentences(copies, copies)
    assert each.tolist() == [10.0] * len(texts)
    assert bp.cider(copies, copies).value == 10.0


def test_long_texts() -> None:
    text = "a b c " * 200_000
    assert bp.sentence_nist(text, text).value == pytest.approx(math.log2(3), rel=1e-5)
    assert bp.cider([text, "x"], [text, "y"]).value == 5.0


def test_one_segment_says_nothing_about_rarity() -> None:
    with pytest.raises(FitError, match=r"cider .* needs at least 2 segments to learn weights from, got 1"):
        CIDEr().sentence("a cat", "a cat")
    with pytest.raises(FitError):
        bp.cider(["a cat"], ["a cat"])
    with pytest.raises(FitError):
        CIDEr().fit([])
    with pytest.raises(NoSegmentsError):
        NIST().corpus([], [])


def test_bad_options() -> None:
    bad: list[dict[str, Any]] = [{"variant": "d"}, {"sigma": 0}, {"sigma": math.inf}, {"sigma": "6"}, {"max_order": 0}]
    for options in [*bad, {"prior": ["a"]}]:
        with pytest.raises(OptionError):
            CIDEr(**options)
    with pytest.raises(OptionError):
        NIST(max_order=17)
    with pytest.raises(OptionError, match="prior must be None or a prior from a signature"):
        NIST(prior=3)  # type: ignore[arg-type]
    with pytest.raises(UnusedSourcesError):
        NIST().corpus(["a"], ["a"], sources=["a"])
    with pytest.raises(UnusedSourcesError):
        NIST().sentence("a", "a", source="a")


def test_parts() -> None:
    score = bp.corpus_nist(["the cat sat", "the dog"], ["the cat sat", "the dog ran"], max_order=2)
    assert set(score.parts) == {"informations", "brevity_penalty", "hypothesis_length", "reference_length"}
    assert (score.parts["hypothesis_length"], score.parts["reference_length"]) == (5, 6)
    cosine = bp.cider(["the cat sat", "the dog"], ["the cat sat", "the dog ran"], max_order=2)
    assert list(cosine.parts) == ["cider", "cosine_1", "cosine_2"]
    assert cosine.value == cosine.percent == pytest.approx(5 * (cosine["cosine_1"] + cosine["cosine_2"]))


def test_evaluate_learns_once_and_names_the_prior() -> None:
    references = ["the cat sat on the mat", "a dog ran"]
    result = evaluate({"a": references, "b": ["a cat", "a dog"]}, references, metrics=["nist", "cider"])
    for name, kind in (("nist", NIST), ("cider", CIDEr)):
        scores = [system.score(name) for system in result.systems]
        assert len({score.signature for score in scores} | {scores[0].segment_signature}) == 1
        assert "|prior:2-" in scores[0].signature
        assert scores[0].value == kind().corpus(references, references).value
        assert scores[0].segments == tuple(kind().sentences(references, references).tolist())


@pytest.mark.parametrize("metric", ["nist", "cider"])
def test_command_line(metric: str, tmp_path: Any) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("the cat sat\n")
    two.write_text("the cat sat on the mat\na dog ran\n")
    done = invoke("score", str(two), "-r", str(two), "-m", metric)
    assert "|prior:2-" in done.stdout
    refused = invoke("score", str(two), "-r", str(two), "-m", metric, "--percent")
    assert refused.exit_code == 2
    assert_one_line(refused.stderr, f"--percent does not apply to {metric}, which has its own scale")
    single = invoke("score", str(one), "-r", str(one), "-m", metric)
    assert single.exit_code == (2 if metric == "cider" else 0)


def test_compare_speaks_of_the_metrics_own_scale() -> None:
    references = [f"the {word} sat on the mat with number {word}" for word in "abcdefghij"]
    result = bp.compare({"copy": references, "bad": ["zzz"] * 10}, references, metrics=["nist", "cider"])
    pair = result.metric("cider").pair("copy", "bad")
    assert pair.better == "copy"
    assert "the difference of 10.0000 is unlikely" in pair.verdict
    assert result.metrics[0].signature == bp.corpus_nist(references, references).signature


def test_a_stored_result_replays() -> None:
    references = ["the cat sat on the mat", "a dog ran"]
    stored = evaluate(["the cat sat", "a dog ran home"], references, metrics=["nist", "cider"])
    assert bp.replay(stored).same


def test_an_empty_text_has_the_whole_penalty() -> None:
    for hypothesis, reference in (("", "a b"), ("a b", "")):
        score = bp.sentence_nist(hypothesis, reference)
        assert (score.value, score.brevity_penalty) == (0.0, 0.0)
    assert bp.sentence_nist("a b c", "a b").brevity_penalty == 1.0


def test_every_order_has_its_columns() -> None:
    parts = ("information", "information_rest", "totals")
    by_order = [f"{part}_{order}" for order in (1, 2) for part in parts]
    assert NIST(max_order=2).columns == ("hypothesis_length", "reference_lengths", *by_order)
