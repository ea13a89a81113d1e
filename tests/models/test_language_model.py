"""The estimator: against its plain twin, against KenLM's golden models, and by what probabilities must do."""

from __future__ import annotations

import lzma
import math
import random
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint import LanguageModel, Perplexity
from bleuprint.errors import BareStringError, NotTextError, OptionError, SurrogateError, TrainingError
from tests.kernels.twins import language_model as twin
from tests.support.effort import examples
from tests.support.language_models import (
    FALLBACK,
    GOLDEN,
    GOLDEN_MODELS,
    NEEDS_GOLDEN,
    SMALL,
    arpa_entries,
    corpora,
    lines,
    prunings,
    sentences,
)

orders = st.integers(1, 6)


def trained(corpus: list[list[str]], order: int, prune: list[int]) -> LanguageModel:
    return LanguageModel.train(
        [" ".join(words) for words in corpus], order=order, prune=prune[:order], discount_fallback=FALLBACK, threads=1
    )


def twin_of(corpus: list[list[str]], order: int, prune: list[int]) -> twin.Twin:
    thresholds = [*prune, *[prune[-1]] * order][:order]
    return twin.train(corpus, order, thresholds, FALLBACK)


def logarithm(value: float) -> float:
    return math.log10(value) if value > 0 else -99.0


@given(corpus=corpora, order=orders, prune=prunings)
def test_every_number_is_the_twins(corpus: list[list[str]], order: int, prune: list[int]) -> None:
    plain = twin_of(corpus, order, prune)
    entries = arpa_entries(trained(corpus, order, prune).to_arpa())
    assert {tuple(ngram.split(" ")) for ngram in entries} == set(plain.probability)
    for ngram, (probability, backoff) in entries.items():
        words = tuple(ngram.split(" "))
        assert probability == pytest.approx(logarithm(plain.probability[words]), abs=2e-6)
        expected = plain.backoff.get(words, 1.0) if len(words) < order else 1.0
        assert backoff == pytest.approx(logarithm(expected), abs=2e-6)


@given(corpus=corpora, order=orders, prune=prunings, text=sentences)
def test_queries_are_the_twins(corpus: list[list[str]], order: int, prune: list[int], text: list[str]) -> None:
    model, plain = trained(corpus, order, prune), twin_of(corpus, order, prune)
    scored = model.score(" ".join(text))
    assert [token.token for token in scored.tokens] == [*text, "</s>"]
    for token, (log, length) in zip(scored.tokens, plain.score(text), strict=True):
        if log > -8:  # one probability and a backoff weight for each order that was left, in single precision
            assert token.log_probability == pytest.approx(log, abs=(order - length + 1) * 2.4e-7)
        assert token.ngram_length == length
        assert token.unknown == (token.token not in plain.words)
    assert scored.log_probability == pytest.approx(math.fsum(log for log, _ in plain.score(text)), abs=1e-5)


@settings(max_examples=examples(50))
@given(
    corpus=st.lists(sentences, min_size=1, max_size=12),
    order=st.integers(1, 4),
    prune=prunings,
    context=st.lists(st.sampled_from(["a", "b", "c", "never seen"]), max_size=4),
    begin=st.booleans(),
)
def test_probabilities_of_the_next_word_sum_to_one(
    corpus: list[list[str]], order: int, prune: list[int], context: list[str], begin: bool
) -> None:
    model = trained(corpus, order, prune)
    words = [str(word) for word in model.vocabulary if word not in {"<s>", "</s>", "<unk>"}]
    logs = [
        model.score([*context, word], bos=begin, eos=False).tokens[-1].log_probability for word in [*words, "not there"]
    ]
    logs.append(model.score(context, bos=begin).tokens[-1].log_probability)
    assert math.fsum(10**log for log in logs) == pytest.approx(1.0, abs=1e-5)


def test_the_small_corpus_has_these_numbers() -> None:
    """The rules of lmplz on fourteen short lines.

    Words by the number of different words before them: 3 have one, 5 two, 4 three, none four, two have more. So
    Y = 3/(3+2·5), D1 = 1−2Y·5/3 = 3/13, D2 = 2−3Y·4/5 = 94/65, D3+ = 3−4Y·0/4 = 3, of 36 in all, and <unk> has a
    15th of what they hold back: (3·3/13 + 5·94/65 + 6·3)/36/15.
    """
    expected = {
        "<unk>": (math.log10((3 * 3 / 13 + 5 * 94 / 65 + 6 * 3) / 36 / 15), 0.0),
        "the": (-0.98480270, math.log10(0.59067498)),
        "the cat": (-0.52213205, 0.0),
        "<s> the": (-0.28687746, 0.0),
        ". </s>": (-0.08143860, 0.0),
    }
    entries = arpa_entries(LanguageModel.train(SMALL, order=2).to_arpa())
    assert len(entries) == 16 + 36
    for ngram, numbers in expected.items():
        assert entries[ngram] == pytest.approx(numbers, abs=1e-6)


@NEEDS_GOLDEN
@pytest.mark.parametrize("name", GOLDEN_MODELS)
def test_a_model_is_the_one_that_lmplz_makes(name: str, tmp_path: Path) -> None:
    order, prune = GOLDEN_MODELS[name]
    model = LanguageModel.train(lines("train"), order=order, prune=prune)
    model.save(tmp_path / "model.arpa")
    ours = arpa_entries((tmp_path / "model.arpa").read_bytes())
    theirs = arpa_entries(lzma.decompress((GOLDEN / f"{name}.arpa.xz").read_bytes()))
    assert ours.keys() == theirs.keys()
    assert max(abs(ours[ngram][0] - probability) for ngram, (probability, _) in theirs.items()) < 1e-5
    assert max(abs(ours[ngram][1] - backoff) for ngram, (_, backoff) in theirs.items()) < 1e-5


@NEEDS_GOLDEN
@pytest.mark.parametrize("name", GOLDEN_MODELS)
@pytest.mark.parametrize("source", ["trained", "loaded"])
def test_scores_are_the_golden_ones(name: str, source: str) -> None:
    order, prune = GOLDEN_MODELS[name]
    loaded = source == "loaded"
    model = (
        LanguageModel.load(GOLDEN / f"{name}.arpa.xz")
        if loaded
        else LanguageModel.train(lines("train"), order=order, prune=prune)
    )
    table = (GOLDEN / f"{name}.scores.tsv").read_text().splitlines()[1:]
    assert len(table) == 300
    for text, row in zip(lines("test"), table, strict=True):
        log, perplexity, unknown, tokens = map(float, row.split("\t"))
        score = model.score(text)
        # The golden sums were taken in single precision.
        assert score.log_probability == pytest.approx(log, rel=1e-5)
        assert score.perplexity == pytest.approx(perplexity, rel=1e-5)
        assert (score.unknown_words, len(score.tokens)) == (unknown, tokens)


@pytest.mark.parametrize("length", [1022, 1023, 1024, 1025, 2047, 2048, 2049])
def test_columns_are_scored_like_tokens_where_texts_are_long(length: int) -> None:
    """A column looks 1,024 words up at a time; the words after them go on where those before ended."""
    chance = random.Random(length)
    model = LanguageModel.train(
        [" ".join(chance.choices("abcde", k=30)) for _ in range(40)], order=4, discount_fallback=True, threads=1
    )
    text = " ".join(chance.choices("abcdef", k=length))
    tokens = model.score(text).tokens
    row = Perplexity(model).statistics([text], threads=1).rows[0].tolist()
    logs = [round(token.log_probability * 2**28) for token in tokens]
    unknown = [log for log, token in zip(logs, tokens, strict=True) if token.unknown]
    assert row == [sum(logs), length + 1, len(unknown), sum(unknown)]


def test_threads_do_not_matter() -> None:
    texts = [f"{i % 7} {i % 11} {i % 5} {i % 3} {i % 13}" for i in range(5000)]
    one, four = (LanguageModel.train(texts, order=4, discount_fallback=True, threads=n) for n in (1, 4))
    assert one.digest == four.digest


def test_arguments_are_not_changed_and_tokens_are_taken() -> None:
    texts = [["a b", "c"], ["a b", "a b"], ["c"]]
    model = LanguageModel.train(texts, order=2, discount_fallback=True)
    assert texts == [["a b", "c"], ["a b", "a b"], ["c"]]
    assert model.vocabulary == ("<unk>", "<s>", "</s>", "a b", "c")
    assert model.score(["a b"]).unknown_words == 0
    assert model.score("a b").unknown_words == 2
    numbers = LanguageModel.train([[1, 2, 3], [-1, 2]], order=1, discount_fallback=True)
    assert numbers.vocabulary[3:] == (1, 2, 3, -1)
    assert [token.unknown for token in numbers.score([2, 4]).tokens] == [False, True, False]


def test_marks_in_a_scored_text_are_unknown_words() -> None:
    model = LanguageModel.train(SMALL, order=2)
    marked = model.score("the </s> <s> <unk> cat")
    assert [token.unknown for token in marked.tokens] == [False, True, True, True, False, False]


def test_lower_case_and_scheme_are_part_of_the_model() -> None:
    model = LanguageModel.train(["The Cat, the mat."], order=1, tokenizer="13a", lowercase=True, discount_fallback=True)
    assert model.vocabulary[3:] == ("the", "cat", ",", "mat", ".")
    assert model.score("THE MAT.").unknown_words == 0


def test_white_space_of_every_kind_and_nul_are_harmless() -> None:
    model = LanguageModel.train(["a\x00b c\u3000d", "\u2028"], order=3, discount_fallback=True)
    assert model.vocabulary[3:] == ("a\x00b", "c", "d")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": 0}, "order must be an integer from 1 to 6, got 0"),
        ({"order": 7}, "order must be an integer from 1 to 6, got 7"),
        ({"order": True}, "order must be"),
        ({"prune": (1,)}, "integers that start with 0, as words are never dropped"),
        ({"prune": (0, 2, 1)}, "non-decreasing"),
        ({"prune": ()}, "prune must be 1 to 5"),
        ({"prune": (0,) * 6}, "prune must be 1 to 5"),
        ({"prune": (0, 1.5)}, "prune must be"),
        ({"prune": 1}, "prune must be"),
        ({"lowercase": 1}, "lowercase must be True or False"),
        ({"discount_fallback": (1, 2)}, "discount_fallback must be"),
        ({"discount_fallback": (0.5, 1, 3.5)}, "discount_fallback must be"),
        ({"discount_fallback": (0.5, 1, math.nan)}, "discount_fallback must be"),
        ({"skip_symbols": "yes"}, "skip_symbols must be"),
        ({"threads": 0}, "threads must be"),
        ({"tokenizer": "no such"}, "tokenizer must be"),
    ],
)
def test_options_are_checked(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        LanguageModel.train(SMALL, **options)  # type: ignore[arg-type]


def test_texts_are_checked() -> None:
    with pytest.raises(BareStringError):
        LanguageModel.train("a b")
    with pytest.raises(NotTextError, match=r"texts\[1\] must be a str, got None"):
        LanguageModel.train(["a", None])  # type: ignore[list-item]
    with pytest.raises(SurrogateError, match=r"texts\[0\]"):
        LanguageModel.train(["\ud800"])
    with pytest.raises(TrainingError, match="there are no texts"):
        LanguageModel.train([])
    model = LanguageModel.train(SMALL, order=2)
    with pytest.raises(NotTextError, match="text must be a str"):
        model.score(None)  # type: ignore[arg-type]
    with pytest.raises(SurrogateError, match="text holds a lone surrogate"):
        model.score("\udfff")


@pytest.mark.parametrize("mark", ["<s>", "</s>", "<unk>"])
def test_marks_in_training_texts_are_refused_or_dropped(mark: str) -> None:
    texts = [*SMALL, f"the {mark} cat"]
    with pytest.raises(TrainingError, match=rf"texts\[{len(SMALL)}\] contains {mark}, .*skip_symbols"):
        LanguageModel.train(texts, order=2)
    dropped = LanguageModel.train(texts, order=2, skip_symbols=True)
    assert dropped.digest == LanguageModel.train([*SMALL, "the cat"], order=2).digest


def test_a_corpus_without_discounts_is_refused_with_the_repair() -> None:
    with pytest.raises(TrainingError, match=r"discounts of 1-grams cannot be estimated.*discount_fallback"):
        LanguageModel.train(["a b", "c d"], order=2)


def test_all_texts_empty() -> None:
    model = LanguageModel.train(["", ""], order=3, discount_fallback=True)
    assert model.ngram_counts == (3, 1, 0)
    assert model.perplexity("") < model.perplexity("unknown words")


@pytest.mark.parametrize(("order", "prune"), list(product((1, 6), ((0,), (0, 3)))))
def test_sentences_shorter_than_the_order(order: int, prune: tuple[int, ...]) -> None:
    model = LanguageModel.train(["a", "b", "a b"], order=order, prune=prune[:order], discount_fallback=True)
    assert model.order == order
    assert math.isfinite(model.perplexity("a b c a b c a b c"))
