"""Claims: the settings behind what other libraries print are found, and that nothing fits is said."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, NamedTuple

import bleuscore
import numpy as np
import pytest
import sacrebleu
from nltk.tokenize.destructive import NLTKWordTokenizer
from nltk.translate import bleu_score

import bleuprint as bp
from bleuprint import BLEU
from bleuprint.errors import InputError, OptionError
from bleuprint.insight import Reconciliation, Setting
from bleuprint.insight.claims import SPACES, _read, candidates
from bleuprint.metrics import profiles
from tests.kernels.twins import bleu as twin
from tests.kernels.twins.clipped import row
from tests.parity.test_bleu_axion import axion
from tests.support.effort import MANY, part
from tests.support.tables import POOL_TABLE, TABLE
from tests.support.wmt22 import Wmt22

SEGMENTS = 100 if MANY else 40
OUTPUTS = ["The cat sat on the mat today.", "It is warm, isn't it?"]
EXPECTED = ["The cat sat on a mat today.", "It is warm, is it not?"]


class Texts(NamedTuple):
    hypotheses: list[str]
    references: list[list[str]]

    @property
    def first(self) -> list[str]:
        return [texts[0] for texts in self.references]

    @property
    def streams(self) -> list[list[str]]:
        return [list(texts) for texts in zip(*self.references, strict=True)]


@pytest.fixture(scope="module")
def texts(wmt22_data: Wmt22) -> Texts:
    references = [list(texts) for texts in zip(*wmt22_data.references("en-de"), strict=True)]
    output = wmt22_data.output("en-de", wmt22_data.systems("en-de")[1])
    return Texts(output[:SEGMENTS], references[:SEGMENTS])


def all_of(found: Reconciliation) -> set[str]:
    return {str(setting) for match in found.matches for setting in (match.setting, *match.same)}


def assert_found(texts: tuple[list[str], list[Any]], claimed: str, setting: str, metric: str = "bleu") -> None:
    """The setting is among those found, and with this many digits in the first place."""
    found = bp.reconcile(*texts, claimed, metric=metric)
    assert found.nearest == ()
    first = found.matches[0]
    assert setting in {str(other) for other in (first.setting, *first.same)}, str(found)


def by_rules(texts: Texts, split: Any, length_rule: str, rules: twin.Rules) -> float:
    """A corpus score out of the plain twins of counting and formula."""
    rows = [
        row(split(hypothesis), [split(text) for text in several], 4, length_rule)
        for hypothesis, several in zip(texts.hypotheses, texts.references, strict=True)
    ]
    sums = [sum(column) for column in zip(*rows, strict=True)]
    return twin.bleu(twin.Sums(sums[0], sums[1], sums[2:6], sums[6:]), rules)


def test_sacrebleu(texts: Texts) -> None:
    score = sacrebleu.corpus_bleu(texts.hypotheses, texts.streams)
    assert_found(texts, f"{score.score:.4f}", "bleu as sacrebleu")
    found = bp.reconcile(*texts, f"{score.score:.1f}")
    assert str(found.matches[0].setting) == "bleu as sacrebleu"
    assert found.matches[0].setting.scale == 100
    options = sacrebleu.BLEU(lowercase=True, tokenize="intl", smooth_method="floor")
    value = options.corpus_score(texts.hypotheses, texts.streams).score
    assert_found(texts, str(value), "bleu as sacrebleu, but lowercase yes, tokenizer intl, smoothing floor(0.1)")
    sentences = [
        sacrebleu.sentence_bleu(text, several).score
        for text, several in zip(texts.hypotheses, texts.references, strict=True)
    ]
    assert_found(texts, f"{np.mean(sentences):.3f}", "bleu as sacrebleu, but the mean of sentence scores")
    alone = sacrebleu.corpus_bleu(texts.hypotheses, texts.streams[:1]).score
    assert_found(texts, f"{alone:.4f}%", "bleu as sacrebleu, but the first reference only")


def test_mistakes_with_sacrebleu(texts: Texts) -> None:
    transposed = sacrebleu.corpus_bleu(texts.hypotheses, texts.references).score
    assert_found(texts, str(transposed), "bleu as sacrebleu, but references transposed")
    swapped = sacrebleu.corpus_bleu(texts.first, [texts.hypotheses]).score
    assert_found(texts, f"{swapped:.5f}", "bleu as sacrebleu, but hypotheses and references swapped")


def test_sacrebleu_chrf_and_ter(texts: Texts) -> None:
    for word_order, setting in ((0, "chrf as sacrebleu"), (2, "chrf as chrf++")):
        score = sacrebleu.corpus_chrf(texts.hypotheses, texts.streams, word_order=word_order).score
        assert_found(texts, f"{score:.3f}", setting, "chrf")
        assert_found(texts, f"{score:.5f}", setting, "any")
    score = sacrebleu.CHRF(beta=1, lowercase=True).corpus_score(texts.hypotheses, texts.streams).score
    assert_found(texts, f"{score:.5f}", "chrf as sacrebleu, but lowercase yes, beta 1", "chrf")
    score = sacrebleu.corpus_ter(texts.hypotheses, texts.streams).score
    assert_found(texts, f"{score:.3f}", "ter as sacrebleu", "ter")
    score = sacrebleu.corpus_ter(texts.hypotheses, texts.streams, normalized=True, case_sensitive=True).score
    assert_found(texts, f"{score:.3f}", "ter as sacrebleu, but lowercase no, normalized yes", "ter")


def test_nltk(texts: Texts) -> None:
    split = NLTKWordTokenizer().tokenize
    smooth = bleu_score.SmoothingFunction()
    references = [[split(text) for text in several] for several in texts.references]
    hypotheses = [split(text) for text in texts.hypotheses]
    value = bleu_score.corpus_bleu(references, hypotheses)
    assert_found(texts, f"{value:.4f}", "bleu as nltk")
    value = bleu_score.corpus_bleu(references, hypotheses, smoothing_function=smooth.method2, weights=(0.5, 0.5))
    assert_found(texts, f"{value:.6f}", "bleu as nltk, but smoothing add-k(1), max_order 2")
    spaced = [[text.split() for text in several] for several in texts.references]
    scores = [
        bleu_score.sentence_bleu(several, text.split(), smoothing_function=smooth.method1)
        for several, text in zip(spaced, texts.hypotheses, strict=True)
    ]
    expected = "bleu as nltk, but tokenizer whitespace, smoothing floor(0.1), the mean of sentence scores"
    assert_found(texts, f"{np.mean(scores):.6f}", expected)
    value = bleu_score.corpus_bleu(texts.references, texts.hypotheses)
    assert_found(texts, f"{value:.4f}", "bleu as nltk, but tokenizer every character, including spaces")


def test_bleuscore(texts: Texts) -> None:
    score = bleuscore.compute(texts.references, texts.hypotheses, 4, False, "shortest")["bleu"]
    assert_found(texts, f"{score:.5f}", "bleu as hf")
    score = bleuscore.compute(texts.references, texts.hypotheses, 4, True, "shortest")["bleu"]
    assert_found(texts, str(score), "bleu as hf, but smoothing add-all")
    score = bleuscore.compute(texts.references, texts.hypotheses, 2, False, "closest")["bleu"]
    assert_found(texts, f"{score:.9f}", "bleu as hf, but max_order 2, reference_length closest")


@pytest.mark.slow  # bleuscore, above, follows the same rule
def test_the_rule_of_hugging_face(texts: Texts) -> None:
    rules = twin.Rules(method="none", zero_when="never")
    score = by_rules(texts, bp.tokenize, "shortest", rules)
    assert_found(texts, f"{score:.5f}", "bleu as hf")
    rules = twin.Rules(method="add-all", value=1, zero_when="never")
    score = by_rules(texts, bp.tokenize, "shortest", rules)
    assert_found(texts, f"{score:.7f}", "bleu as hf, but smoothing add-all")


def test_the_rule_of_torchmetrics(texts: Texts) -> None:
    rules = twin.Rules(method="none", zero_when="any-order-without-match")
    score = by_rules(texts, str.split, "closest-first", rules)
    printed = str(float(np.float32(score)))  # all 17 digits of a number that has 7
    assert printed != str(score)
    assert_found(texts, printed, "bleu as torchmetrics")
    assert_found(texts, f"{score:.4f}", "bleu as torchmetrics")


def test_the_rule_of_axion(texts: Texts) -> None:
    pairs = zip(texts.hypotheses, texts.first, strict=True)
    mean = np.mean([round(axion(text, reference, 4, smoothing=True), 4) for text, reference in pairs])
    assert_found((texts.hypotheses, texts.first), f"{mean:.4f}", "bleu as axion, but the mean of sentence scores")
    text, reference = OUTPUTS[0], EXPECTED[0]
    assert_found(([text], [reference]), f"{axion(text, reference, 4, smoothing=True):.4f}", "bleu as axion")


def test_rouge_and_gleu(texts: Texts) -> None:
    score = bp.corpus_rouge(texts.hypotheses, texts.references)
    found = bp.reconcile(*texts, f"{score['rougeL']:.5f}", metric="rouge")
    assert str(found.matches[0].setting) == "rougeL"
    found = bp.reconcile(*texts, f"{score['rouge2_recall']:.5f}", metric="rouge")
    assert "rouge2 recall" in all_of(found)
    value = bp.corpus_gleu(texts.hypotheses, texts.references, profile="nltk").value
    assert_found(texts, f"{value:.5f}", "gleu as nltk", "gleu")


def test_when_nothing_fits_the_nearest_three_are_named() -> None:
    found = bp.reconcile(OUTPUTS, EXPECTED, "99.9")
    assert found.matches == ()
    assert len(found.nearest) == 3
    assert str(found).startswith(f"None of {found.tried:,} settings gives 99.9. The nearest:\n")
    distances = [abs(match.setting.printed - 99.9) for match in found.nearest]
    assert distances == sorted(distances)
    assert distances[0] > 0.05
    assert len({match.setting.value for match in found.nearest}) == 3


@pytest.mark.parametrize("profile", profiles.names("bleu"))
def test_every_profile_is_found_first(profile: str) -> None:
    value = BLEU(profile=profile).corpus(OUTPUTS, EXPECTED).value
    for claimed in part((f"{100 * value:.6f} %", f"{value:.3f}"), 2):
        assert_found((OUTPUTS, EXPECTED), claimed, f"bleu as {profile}")


def test_a_setting_replays() -> None:
    found = bp.reconcile(OUTPUTS, EXPECTED, "0.4")
    checked = 0
    for match in found.matches:
        setting: Setting = match.setting
        assert f"{setting.printed:.1f}" == "0.4"
        assert found.shown(setting) == f"{setting.printed:.3f}"
        about_data = ("mean of sentence", "swapped", "transposed", "every character")
        if not any(word in str(setting) for word in about_data):
            assert BLEU.from_signature(setting.signature).corpus(OUTPUTS, EXPECTED).value == setting.value
            checked += 1
    assert checked > 3
    values = [(match.setting.value, match.setting.scale) for match in found.matches]
    assert len(set(values)) == len(values)
    costs = [len(match.setting.departures) for match in found.matches]
    assert costs[0] == 0
    assert json.loads(json.dumps(asdict(found)))["digits"] == 1


def test_all_values_of_the_search_exist() -> None:
    """A value that no profile takes would be passed over in silence."""
    for name, space in SPACES.items():
        tried = list(candidates(name))
        for option, values in space.items():
            for value in values:
                {**TABLE, **POOL_TABLE}[name](**{option: value})
        keys = [candidate.metric.signature for candidate in tried]
        assert len(keys) > len(set(keys)) * 0.99
        twins = {"autometrics"} if name == "self-bleu" else set()  # its options are those of texygen
        assert {candidate.profile for candidate in tried} | twins == set(profiles.names(name) or (None,))
        counts = [len(candidate.departures) for candidate in tried]
        assert counts == sorted(counts)
    assert len(list(candidates("bleu"))) > 1_000


@pytest.mark.parametrize(
    ("claimed", "expected"),
    [
        ("0.539", (0.539, 3, (1, 100))),
        (" 53.90 ", (53.9, 2, (1, 100))),
        ("53.9%", (53.9, 1, (100,))),
        ("53,9 %", (53.9, 1, (100,))),
        ("5.39e-1", (0.539, 3, (1, 100))),
        ("+54", (54.0, 0, (1, 100))),
        ("-0.10", (-0.1, 2, (1, 100))),
        ("1e2", (100.0, 0, (1, 100))),
        (0.539, (0.539, 3, (1, 100))),
        (54, (54.0, 0, (1, 100))),
        ("0." + "5" * 4000, (5 / 9, 300, (1, 100))),
    ],
)
def test_numbers_as_they_are_written(claimed: str | float, expected: tuple[float, int, tuple[int, ...]]) -> None:
    assert _read(claimed) == expected


def test_a_per_cent_sign_settles_the_scale() -> None:
    assert "bleu as nltk" in all_of(bp.reconcile(OUTPUTS, EXPECTED, "54%"))
    assert "bleu as nltk" not in all_of(bp.reconcile(OUTPUTS, EXPECTED, "0.5390%"))


def test_other_inputs() -> None:
    tokens = [text.split() for text in OUTPUTS]
    expected = [[text.split()] for text in EXPECTED]
    value = BLEU(profile="moses").corpus(tokens, expected).value
    assert "bleu as moses" in all_of(bp.reconcile(tokens, expected, f"{value:.5f}"))
    assert "bleu as nltk" in all_of(bp.reconcile(iter(OUTPUTS), iter(EXPECTED), "0.539"))
    assert "bleu as sacrebleu" in all_of(bp.reconcile([""], [""], "0.0"))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((["a"], ["a"], "about 27"), OptionError, "claimed must be a score as it was printed, such as 27.3"),
        ((["a"], ["a"], ""), OptionError, "claimed must be"),
        ((["a"], ["a"], None), OptionError, "claimed must be"),
        ((["a"], ["a"], True), OptionError, "claimed must be"),
        ((["a"], ["a"], float("nan")), OptionError, "claimed must be"),
        ((["a"], ["a"], "inf"), OptionError, "claimed must be"),
        ((["a"], ["a"], "1e999"), OptionError, "claimed must be"),
        ((["a"], ["a"], "1e9999999999999999999"), OptionError, "claimed must be"),
        ((["a"], ["a", "b"], "1"), InputError, "1 segments but references has 2"),
        ((["\udc00"], ["a"], "1"), InputError, "lone surrogate"),
        (("a", ["a"], "1"), InputError, "one item per segment"),
    ],
)
def test_what_is_refused(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        bp.reconcile(*arguments)


@pytest.mark.parametrize(
    ("options", "setting"),
    [
        ({}, "self-bleu as nltk"),
        ({"profile": "texygen"}, "self-bleu as texygen"),
        ({"max_order": 3, "tokenizer": "whitespace"}, "self-bleu as nltk, but tokenizer whitespace, max_order 3"),
        ({"sample": 100, "seed": None}, "self-bleu as nltk, but sample 100"),
    ],
)
def test_which_self_bleu(options: dict[str, Any], setting: str) -> None:
    texts = [
        f"the {a} sat on the {b} and {a} ran" for a in ["cat", "dog", "cow", "hen", "pig"] for b in map(str, range(24))
    ]
    value = bp.SelfBLEU(**options).corpus(texts).value
    found = bp.reconcile(texts, None, f"{value:.8f}", metric="self-bleu")
    assert setting in all_of(found)
    itself = bp.reconcile(texts, None, "1.0000", metric="self-bleu")
    assert "self-bleu as nltk, but each text among its own references" in all_of(itself)


def test_metrics_that_are_refused() -> None:
    for metric in ("distinct", "blue", None):
        with pytest.raises(OptionError, match=r"metric must be one of bleu, .*any"):
            bp.reconcile(["a"], ["a"], "1", metric=metric)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="before tokenization"):
        bp.reconcile([["a"]], [[["a"]]], "1", metric="any")
