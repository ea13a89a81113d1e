"""The mode "sacrebleu": means, intervals and p-values of sacrebleu 2.6.

sacrebleu computes the scores of resamples in single precision, so ours may differ from them by some 10⁻⁶ points; its
p-values are counts, and equal.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from sacrebleu import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

import bleuprint as bp
from tests.support.effort import MANY
from tests.support.wmt22 import Wmt22

POINTS = 1e-5
TESTS = {"bs": "paired-bootstrap", "ar": "approximate-randomization"}
NAMES = {"BLEU": "bleu", "chrF2": "chrf", "TER": "ter"}
WORDS = "the a cat dog sat ran on under mat house , . 12 don't über".split()  # noqa: SIM905


def noisy(seed: int, lines: list[str], share: float) -> list[str]:
    chooser = random.Random(seed)
    return [
        " ".join(chooser.choice(WORDS) if chooser.random() < share else word for word in line.split()) for line in lines
    ]


def references(seed: int, count: int) -> list[str]:
    chooser = random.Random(seed)
    return [" ".join(chooser.choices(WORDS, k=chooser.randrange(1, 12))) for _ in range(count)]


def check(systems: dict[str, list[str]], streams: list[list[str]], test: str, names: dict[str, str]) -> None:
    kinds = {"BLEU": BLEU, "chrF2": CHRF, "TER": TER}
    metrics = {name: kinds[name](references=streams) for name in names}
    _, expected = PairedTest(list(systems.items()), metrics, None, test, n_samples=500)()
    baseline, *others = systems
    result = bp.compare(
        systems,
        list(zip(*streams, strict=True)),
        metrics=list(names.values()),
        baseline=baseline,
        test=TESTS[test],
        resamples=500,
        mode="sacrebleu",
    )
    for name, own in names.items():
        found = result.metric(own)
        rows = expected[next(key for key in expected if key.startswith(name))]
        for system, row in zip(systems, rows, strict=True):
            assert not isinstance(row, str)
            score = found.system(system).score
            assert 100 * score.value == pytest.approx(row.score, abs=1e-9)
            if test == "bs":
                assert row.mean is not None
                assert 100 * score.mean == pytest.approx(float(row.mean), abs=POINTS)
                assert 100 * score.margin == pytest.approx(float(row.ci or 0), abs=POINTS)
            if system in others:
                assert found.pair(system, baseline).p_value == row.p_value


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("count", [1, 2, 31, 64, 101])
def test_generated_systems(count: int, test: str) -> None:
    first = references(count, count)
    streams = [first, noisy(count, first, 0.2)]
    systems = {name: noisy(seed, first, 0.1 * seed) for seed, name in enumerate(("base", "near", "far"), start=1)}
    check(systems, streams, test, NAMES)


@pytest.mark.parametrize("test", TESTS)
def test_ter_with_references_whose_mean_lengths_are_not_rounded(test: str) -> None:
    """As the documents say: p-values of TER are equal with 1, 2, 4 or 8 references, and can differ with others."""
    first = references(5, 40)
    streams = [noisy(seed, first, 0.3) for seed in range(4)]
    streams[1] = [f"{line} and more" for line in streams[1]]
    systems = {name: noisy(seed, first, 0.1 * seed) for seed, name in enumerate(("base", "near", "far"), start=1)}
    check(systems, streams, test, {"TER": "ter"})


@pytest.mark.parametrize("test", TESTS)
def test_a_system_against_itself(test: str) -> None:
    """sacrebleu finds any difference that is not exceeded strictly: even none."""
    first = references(5, 20)
    check({"a": noisy(1, first, 0.3), "b": noisy(1, first, 0.3)}, [first], test, NAMES)


@pytest.mark.parametrize("test", TESTS)
def test_wmt22(test: str, wmt22_data: Wmt22) -> None:
    size = None if MANY else 500
    systems = {name: wmt22_data.output("en-de", name)[:size] for name in wmt22_data.systems("en-de")[:3]}
    names = {name: own for name, own in NAMES.items() if name != "TER"}
    check(systems, [lines[:size] for lines in wmt22_data.references("en-de", "A")], test, names)


@pytest.fixture(scope="module")
def files(wmt22_data: Wmt22, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three systems and a reference, as far as sacrebleu's TER takes seconds."""
    folder = tmp_path_factory.mktemp("systems")
    texts = {name: wmt22_data.output("en-de", name) for name in wmt22_data.systems("en-de")[2:5]}
    for name, lines in {**texts, "reference": wmt22_data.references("en-de", "A")[0]}.items():
        (folder / name).write_text("\n".join(lines[: 250 if MANY else 80]) + "\n", encoding="utf-8")
    return folder


def printed(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "sacrebleu", "reference", *arguments, "-m", "bleu", "chrf", "ter", "-w", "4"]
    done = subprocess.run([*command, "-f", "text"], cwd=folder, capture_output=True, check=True)
    return done.stdout.decode()


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("test", TESTS)
def test_printed_digits(test: str, files: Path) -> None:
    names = sorted(path.name for path in files.iterdir() if path.name != "reference")
    text = printed(files, "-i", *names, f"--paired-{test}")
    result = bp.compare(
        {name: lines_of(files / name) for name in names},
        lines_of(files / "reference"),
        metrics=["bleu", "chrf", "ter"],
        baseline=names[0],
        test=TESTS[test],
        mode="sacrebleu",
    )
    for entry in result.metrics:
        for name in names:
            score = entry.result.system(name).score
            value, mean, margin = (f"{100 * number:.4f}" for number in (score.value, score.mean, score.margin))
            assert (f"{value} ({mean} ± {margin})" if test == "bs" else value) in text
        for name in names[1:]:
            assert f"(p = {entry.result.pair(name, names[0]).p_value:.4f})" in text


def test_printed_confidence(files: Path) -> None:
    name = next(path.name for path in sorted(files.iterdir()) if path.name != "reference")
    text = printed(files, "-i", name, "--confidence")
    for metric in ("bleu", "chrf", "ter"):
        interval = bp.confidence_interval(
            lines_of(files / name), lines_of(files / "reference"), metric=metric, mode="sacrebleu"
        )
        value, mean, margin = (f"{100 * number:.4f}" for number in (interval.value, interval.mean, interval.margin))
        assert f"= {value} (μ = {mean} ± {margin})" in text
