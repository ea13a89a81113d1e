"""One word means one number: whatever a function, a metric, a column or an option is called, every door agrees on it.

A door that does not know a word says so. Hyphens and underscores are equal, and so are capital and small letters.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint.dataset import DatasetItem
from bleuprint.errors import BleuprintError, OptionError
from bleuprint.integrations import hf, inspect, lm_eval
from bleuprint.integrations.pytest_plugin import Assertions
from bleuprint.metrics import functions, registry
from bleuprint.runners import MetricRunner
from bleuprint.runners.comparisons import confidence_interval
from tests.support.cli import invoke

OUTPUT, REFERENCE = "The cat sat on the mat.", "The cat is sitting on the mat."
ITEM = DatasetItem(actual_output=OUTPUT, expected_output=REFERENCE)
SAID = "'bleu' is what bleuprint.sentence_bleu computes.*'item-bleu' is the class SentenceBleu"


def function(word: str) -> float:
    call = getattr(bp, word.replace("-", "_"))
    one = word.startswith("sentence") and not word.endswith("s")
    score = call(OUTPUT, REFERENCE) if one else call([OUTPUT], [REFERENCE])
    return float(score[0] if word.startswith("sentence") and not one else score.value)


def evaluated(word: str) -> float:
    (score,) = bp.evaluate([OUTPUT], [REFERENCE], metrics=[word]).systems[0].scores
    assert score.metric == registry.find_name(word)
    return score.value


def harness(word: str) -> float:
    record = getattr(lm_eval, word.replace("-", "_"))
    return lm_eval.corpus([record(references=[REFERENCE], predictions=[OUTPUT])])


def command(word: str) -> float:
    Path("hyp.txt").write_text(OUTPUT + "\n")
    Path("ref.txt").write_text(REFERENCE + "\n")
    done = invoke("score", "hyp.txt", "-r", "ref.txt", "-m", word, "-q", "-w", "17")
    if done.exit_code == 2:
        raise OptionError.because(done.stderr.strip())
    assert done.exit_code == 0, done.stderr
    return float(done.stdout.split()[0])


def asserted(word: str) -> float:
    return Assertions().assert_score([OUTPUT], [REFERENCE], word, at_least=0)


# What each door makes of a word.
DOORS: dict[str, Callable[[str], float]] = {
    "functions": function,
    "registry": lambda word: registry.resolve(word).corpus([OUTPUT], [REFERENCE]).value,
    "evaluate": evaluated,
    "runner": lambda word: MetricRunner([word]).run_sync([ITEM]).result.systems[0].scores[0].value,
    "interval": lambda word: confidence_interval([OUTPUT] * 3, [REFERENCE] * 3, metric=word, resamples=10).value,
    "item": lambda word: registry.resolve(word).score(ITEM).score,
    "command": command,
    "pytest": asserted,
    "hugging face": lambda word: registry.resolve(hf._find_name(word)).corpus([OUTPUT], [REFERENCE]).value,
    "inspect": lambda word: inspect._resolve(word, {}).corpus([OUTPUT], [REFERENCE]).value,
    "harness": harness,
}
BY_NAME = [name for name, kind in registry.scored_by_name("segment").items() if not kind.needs_sources]
WORDS = sorted({*BY_NAME, *(name.replace("_", "-") for name in functions.names()), "sentence-bleu"})


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def ask(door: str, word: str) -> float | None:
    """The number, or None where the door does not know the word."""
    try:
        return DOORS[door](word)
    except (BleuprintError, AttributeError):
        return None


@pytest.mark.parametrize("word", WORDS)
def test_one_word_is_one_number_at_every_door(word: str) -> None:
    """`bp.sentence_bleu` was 0.4238 and the metric "sentence-bleu" 0.4139."""
    numbers = {door: number for door in DOORS if (number := ask(door, word)) is not None}
    first = next(iter(numbers.values()), 0.0)
    assert numbers == dict.fromkeys(numbers, pytest.approx(first, rel=1e-12))
    if word in BY_NAME and registry.find(word).needs_references and not registry.find(word).needs_corpus:
        assert {"registry", "evaluate", "runner", "item", "command", "pytest", "harness"} <= set(numbers)


@pytest.mark.parametrize("word", ["exact-match", "item-bleu", "levenshtein-ratio", "chrf"])
@pytest.mark.parametrize("spell", [str.upper, str.title, lambda word: word.replace("-", "_"), str.swapcase])
def test_every_spelling_is_the_same_word(word: str, spell: Callable[[str], str]) -> None:
    for door in DOORS:
        if door not in ("functions", "harness"):  # Python's own names
            assert DOORS[door](spell(word)) == DOORS[door](word), door
    runner = MetricRunner([spell(word)], thresholds={spell(word): 0})
    assert runner.run_sync([ITEM])[0].passed
    assert bp.evaluate([OUTPUT], [REFERENCE], metrics=[word, spell(word)]).metrics == (word,)


@pytest.mark.parametrize("word", ["sentence-bleu", "sentence_bleu", "Sentence-BLEU"])
def test_a_word_with_two_meanings_is_answered_with_both(word: str) -> None:
    unknown = {"functions", "harness"}
    for door in DOORS.keys() - unknown:
        with pytest.raises(OptionError, match=SAID):
            DOORS[door](word)
    assert round(bp.sentence_bleu(OUTPUT, REFERENCE).value, 4) == round(evaluated("bleu"), 4) == 0.4238
    assert round(bp.metrics.SentenceBleu().sentence(OUTPUT, REFERENCE).value, 4) == round(evaluated("item-bleu"), 4)
    assert invoke("cards", word).exit_code == 2


def test_a_function_for_a_metric_names_the_metric() -> None:
    for word, meant in (("corpus_bleu", "bleu"), ("sentence_chrf", "chrf"), ("sentence-wers", "wer")):
        with pytest.raises(OptionError, match=rf"Did you mean {meant}\?"):
            registry.resolve(word)


def test_what_was_recorded_before_is_replayed() -> None:
    written = "sentence-bleu.1|case_sensitive:no|n_grams:4|smoothing:yes"
    assert registry.from_signature(written).signature == bp.SentenceBleu().signature == written
    old = bp.evaluate([OUTPUT] * 2, [REFERENCE] * 2, metrics={"sentence-bleu": bp.SentenceBleu()})
    new = bp.evaluate([OUTPUT] * 2, [REFERENCE] * 2, metrics={"sentence-bleu": registry.from_signature(written)})
    again = bp.results.Result.from_json(old.to_json())
    assert bp.replay(again).same
    assert bp.gate(new, again).passed
