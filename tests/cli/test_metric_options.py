"""Options of metrics on the command line: -m NAME:option=value."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.metrics import registry, specs
from bleuprint.metrics.base.metric import Metric
from bleuprint.results import Result
from tests.support.cli import SYSTEMS, assert_one_line, invoke, lines, refuse, sample, succeed

FILES = [sample("system-a"), "-r", sample("ref-1"), "-s", sample("source")]


@pytest.mark.parametrize(
    ("words", "metrics"),
    [
        (["-m", "ibleu:alpha=0.7"], {"ibleu": bp.IBLEU(alpha=0.7)}),
        (["-m", "chrf:word_order=2"], {"chrf": bp.CHRF(word_order=2)}),
        (["-m", "rouge:types=rougeL"], {"rouge": bp.ROUGE(types="rougeL")}),
        (["-m", "BLEU, CHRF"], {"bleu": bp.BLEU(), "chrf": bp.CHRF()}),
        (["-m", "chrf++"], {"chrf": bp.CHRF(profile="chrf++")}),
        (["-m", "chrf,chrf++"], {"chrf": bp.CHRF(), "chrf:profile=chrf++": bp.CHRF(profile="chrf++")}),
        (["-m", "rougeL,bleu-2"], {"rouge": bp.ROUGE(types="rougeL"), "bleu": bp.BLEU(max_order=2)}),
        (["-m", "bleu", "-tok", "13A"], {"bleu": bp.BLEU(tokenizer="13a")}),
        (["-m", "bleu,chrf"], {"bleu": bp.BLEU(), "chrf": bp.CHRF()}),
        (
            ["-m", "bleu", "-m", "chrf:word_order=2", "-m", "ter"],
            {"bleu": bp.BLEU(), "chrf": bp.CHRF(word_order=2), "ter": bp.TER()},
        ),
        (
            ["-m", "chrf,chrf:word_order=2,beta=1"],
            {"chrf": bp.CHRF(), "chrf:word_order=2,beta=1": bp.CHRF(word_order=2, beta=1)},
        ),
        (["-m", "rouge:types=rouge1,rougeL,bleu"], {"rouge": bp.ROUGE(types=("rouge1", "rougeL")), "bleu": bp.BLEU()}),
        (
            ["-m", "bleu:max_order=2,weights=0.5,0.5,lowercase=yes"],
            {"bleu": bp.BLEU(max_order=2, weights=(0.5, 0.5), lowercase=True)},
        ),
        (
            ["-m", "bleu:tokenizer=intl,gleu", "-tok", "char"],
            {"bleu": bp.BLEU(tokenizer="intl"), "gleu": bp.GLEU(tokenizer="char")},
        ),
    ],
)
def test_metric_options_are_sayable(words: list[str], metrics: dict[str, Metric[Any]]) -> None:
    shown = succeed("score", *FILES, *words, "--json", "-")
    scores = Result.from_json(shown.stdout).systems[0].scores
    assert [score.metric for score in scores] == list(metrics)
    expected = bp.evaluate(lines("system-a"), lines("ref-1"), sources=lines("source"), metrics=metrics)
    assert [score.value for score in scores] == [score.value for score in expected.systems[0].scores]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-m", "blue"], "There is no metric 'blue'. Did you mean bleu? See 'bleuprint list metrics'."),
        (["-m", "corpus_bleu"], "Did you mean bleu?"),
        (["-m", "bleu", "chfr"], "There is no file 'chfr'; for several metrics, write -m chfr for each"),
        (["-m", "selfbleu"], "There is no metric 'selfbleu'. Did you mean self-bleu?"),
        (["-m", "ibleu:alpa=0.7"], "ibleu has no option 'alpa'. Did you mean alpha?"),
        (["-m", "chrf:word_order=two"], "word_order must be an integer, got 'two'"),
        (["-m", "chrf:word_order=2,blue"], "There is no metric 'blue'. Did you mean bleu?"),
        (["-m", "bleu:lowercase=maybe"], "lowercase must be yes or no, got 'maybe'"),
        (["-m", "bleu:reference_length=long"], "must be one of closest, closest-first, shortest"),
        (["-m", "ibleu:0.7"], "options have the form ibleu:option=value, got '0.7'"),
        (["-m", "bleu:max_order=2,max_order=3"], "max_order is given twice"),
        (["-m", "bleu:max_order=0"], "max_order must be"),
        (["--alpha", "0.7"], "-m ibleu:alpha=… or meteor:alpha=…"),
        (["--word-order", "2"], "-m chrf:word_order=…"),
        (["--vocabulary", "2"], "-m expected-distinct:vocabulary=…"),
        (["--tokenize", "intl"], "Did you mean --tokenizer?"),
    ],
)
def test_what_is_misspelled_gets_a_suggestion(words: list[str], expected: str) -> None:
    refuse(expected, "score", *FILES, *words)


def test_alpha_is_refused_where_it_has_two_meanings() -> None:
    files = ("compare", *map(sample, SYSTEMS), "-r", sample("ref-1"), "-s", sample("source"))
    shown = invoke(*files, "-m", "ibleu", "--alpha", "0.7")
    assert shown.exit_code == 2
    assert_one_line(shown.stderr, "--alpha is the significance level, but ibleu has an alpha too")
    assert "-m ibleu:alpha=…" in shown.stderr
    clear = succeed(*files, "-m", "ibleu:alpha=0.7", "--alpha", "0.1", "--resamples", "100", "--signatures")
    assert "|alpha:0.1|" in clear.stdout
    assert "|alpha:0.7|" in clear.stdout
    refuse("-m ibleu:alpha=…", "score", *files[1:], "--alpha", "0.7")


@given(st.sampled_from(sorted(registry.metrics())), st.data())
def test_every_option_of_every_metric_reads_its_own_default(name: str, data: st.DataObject) -> None:
    """What `bleuprint cards` shows as the default of an option can be written after -m, and is that default."""
    kind = registry.metrics()[name]
    rows = [row for row in specs.describe_options(kind) if row[2] != "required"]
    option, _, default = data.draw(st.sampled_from(rows))
    (spec,) = specs.parse([f"{name}:{option}={default}"])
    assert specs.values_of(spec) == {option: registry.options_of(kind)[option].default}


def test_cards_list_the_options() -> None:
    shown = invoke("cards", "ibleu").stdout
    assert "## Options on the command line" in shown
    assert "`-m ibleu:alpha=…`" in shown
