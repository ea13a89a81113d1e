"""bleuprint work."""

from __future__ import annotations

import json

import pytest

import bleuprint as bp
from tests.support.cli import invoke, refuse, succeed


def test_work_prints_the_steps() -> None:
    result = succeed("work", "the cat sat", "the cat sat down", "a cat", "--smoothing", "floor(0.2)", "-lc")
    steps = bp.work("the cat sat", ["the cat sat down", "a cat"], bp.BLEU(smoothing="floor(0.2)", lowercase=True))
    assert result.stdout == f"{steps.pretty()}\n"


def test_work_in_other_formats() -> None:
    steps = bp.work("a b", "a c", "rouge")
    for form, expected in (("markdown", steps.to_markdown()), ("html", steps.to_html()), ("json", steps.to_json())):
        assert invoke("work", "a b", "a c", "-m", "rouge", "--format", form).stdout.strip() == expected.strip()
    assert json.loads(steps.to_json())["value"] == bp.sentence_rouge("a b", "a c").value


def test_work_of_a_text_in_a_pool() -> None:
    result = invoke("work", "the cat", "the dog", "the cat", "-m", "self-bleu", "--max-order", "2")
    assert result.stdout.startswith("Self-BLEU = 1.0000\n")


def test_work_of_texts_longer_than_names_of_files() -> None:
    words = [f"word{place % 700}" for place in range(8000)]
    shown = succeed("work", " ".join(words), " ".join(words[1:]), "-m", "rouge:types=rougeL")
    assert "7999" in shown.stdout


def test_work_with_a_source() -> None:
    result = invoke("work", "a b", "a b", "-m", "ibleu", "--source", "a c")
    assert "iBLEU = 0.9 · BLEU_R − 0.1 · BLEU_I = 0.9 · " in result.stdout


def test_work_with_options_after_the_name() -> None:
    result = invoke("work", "a b", "a b", "-m", "ibleu:alpha=0.7,max_order=2", "--source", "a c")
    steps = bp.work("a b", "a b", bp.IBLEU(alpha=0.7, max_order=2), source="a c")
    assert result.stdout == f"{steps.pretty()}\n"
    pool = invoke("work", "the cat", "the dog", "the cat", "-m", "self-bleu:max_order=2")
    assert pool.stdout.startswith("Self-BLEU = 1.0000\n")


def test_work_of_metrics_without_tables() -> None:
    result = invoke("work", "In Paris", "Paris", "-m", "squad-f1")
    assert result.stdout == f"{bp.work('In Paris', 'Paris', 'squad-f1').pretty()}\n"
    assert "F1 = 2 · precision · recall / (precision + recall)" in result.stdout


def test_work_needs_references_unless_the_metric_has_none() -> None:
    refuse("bleu needs REFERENCES", "work", "a")
    succeed("work", "a b", "-m", "coverage", "--source", "a")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["-m", "bleu,chrf"], "'bleu,chrf' is not one of bleu, cer, chrf"),
        (["-m", "blue"], "There is no metric 'blue'. Did you mean bleu?"),
        (["-m", "bleu:alpha=0.7"], "bleu has no option 'alpha'"),
        (["-m", "wer:lowercase=perhaps"], "lowercase must be yes or no"),
        (["-m", "ter", "--max-order", "2"], "--max-order does not apply to ter"),
        (["-m", "ibleu"], "ibleu needs --source"),
        (["--source", "c"], "bleu takes no --source"),
        (["-m", "self-bleu", "--source", "c"], "self-bleu takes no --source"),
        (["-m", "cider"], "'cider' is not one of"),
        (["--smoothing", "nonsense"], "smoothing must be one of"),
        (["-m", "perplexity"], "perplexity needs a model: write -m perplexity:lm=…"),
        (["-m", "distinct"], "'distinct' is not one of bleu, cer"),
    ],
)
def test_work_refuses_what_does_not_apply(arguments: list[str], problem: str) -> None:
    refuse(problem, "work", "a", "b", *arguments)
