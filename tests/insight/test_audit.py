"""The audit: every mutant is named by the values that it gives, and programs may do anything."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from bleuprint.errors import DataFileError, OptionError
from bleuprint.insight import auditing
from bleuprint.insight.auditing import Audit, Vector, build_metric, read_vectors, vectors_folder
from tests.support.cli import invoke, refuse, succeed
from tests.vectors import ours
from tests.vectors.plain import METRICS
from tests.vectors.plain.case import run
from tests.vectors.reading import FOLDER, NAMES, read
from tests.vectors.test_values import MUTANTS

FOUND = {vector.id: vector for vector in read_vectors(vectors_folder(), ())}

# A program in Python that answers each case by the values in a file, as text, or does what stands there.
PROGRAM = """
import json, os, sys, time
answers = json.load(open(sys.argv[1]))
for line in sys.stdin:
    case = json.loads(line)
    assert set(case) == {"metric", "id", "level", "options", "hypotheses", "references", "sources"}
    answer = answers.get(case["id"], answers.get(case["metric"], "unsupported"))
    if answer == "crash":
        sys.exit("out of luck")
    if answer == "hang":
        time.sleep(600)
    print(answer, flush=True)
"""


def write_program(folder: Path, answers: dict[str, Any], program: str = PROGRAM) -> list[str]:
    """The command of a program that gives these answers, by case or by metric."""
    (folder / "program.py").write_text(program, encoding="utf-8")
    texts = {name: answer if isinstance(answer, str) else json.dumps(answer) for name, answer in answers.items()}
    (folder / "answers.json").write_text(json.dumps(texts), encoding="utf-8")
    return [sys.executable, str(folder / "program.py"), str(folder / "answers.json")]


def audit(folder: Path, answers: dict[str, Any], *metrics: str, limit: float = 60, program: str = PROGRAM) -> Audit:
    vectors = [vector for vector in FOUND.values() if vector.metric in metrics]
    return auditing.audit("program", write_program(folder, answers, program), vectors, limit=limit)


def right(*metrics: str) -> dict[str, Any]:
    return {id: vector.expected.value for id, vector in FOUND.items() if vector.metric in metrics}


def test_it_reads_the_cases_as_they_are() -> None:
    assert vectors_folder() == FOLDER
    for metric in NAMES:
        for vector in read(metric):
            found = FOUND[vector.id]
            expected = json.loads(json.dumps(found.expected.value))
            options = json.loads(json.dumps(found.question["options"]))
            assert (options, expected) == (vector.fields["options"], vector.expected)
            assert len(found.accepted) == len(vector.fields.get("accepted", []))


@pytest.mark.parametrize(("metric", "mistake"), MUTANTS, ids=[f"{metric}-{mistake}" for metric, mistake in MUTANTS])
def test_every_mutant_is_named(metric: str, mistake: str) -> None:
    """By its own sentence, or by that of a mistake that cannot be told from it; rounding alone may be taken for one."""
    judged = []
    for vector in read(metric):
        said = run(METRICS[metric].score, vector.case, mistake)
        value, problem = auditing._read(json.dumps(said), FOUND[vector.id])
        judged.append((FOUND[vector.id], auditing._judge(FOUND[vector.id], value, problem)))
    sentences = METRICS[metric].mistakes
    findings = list(auditing._explain(judged, sentences))
    failed = {case.id for _, case in judged if case.outcome == "failed"}
    if not failed:  # a choice that some packages make on purpose, or single precision
        assert "on purpose" in {case.outcome for _, case in judged}
        return
    explained = findings[0]
    assert set(explained.cases) == failed
    named = explained.text.split(" Or: ")
    assert sentences[mistake] in named or len(named) == 2


def test_it_says_what_is_right_chosen_and_wrong(tmp_path: Path) -> None:
    answers = right("wer", "squad-f1") | {
        "squad-f1-empty": 2 / 3,
        "wer-cer": "unsupported",
        "distinct": 63.63636363636363,
    }
    found = audit(tmp_path, answers, "wer", "squad-f1", "distinct", "sari")
    assert found.verdict == "program: of 8 cases, 6 passed and 1 failed; 1 differed on purpose."
    assert found.ids("unsupported", "wer") == ["wer-cer"]
    assert [(finding.text, finding.cases) for finding in found.findings] == [
        ("The score is multiplied by 100.", ("distinct-bigrams",)),
        (
            "As SQuAD v2.0, torchmetrics: An empty answer to an empty reference scores 1: the question has no answer.",
            ("squad-f1-empty",),
        ),
    ]
    assert "not supported: sari" in str(found)
    assert found.to_markdown().startswith("| metric | passed | on purpose | failed | unsupported | points |\n")
    assert "What the metric vectors find" in found.to_html()
    assert json.loads(found.to_json())["cases"][0]["outcome"] == "failed"
    assert repr(found) == f"<Audit of {found.verdict}>"


def test_several_mistakes_explain_different_cases(tmp_path: Path) -> None:
    vectors = {id: vector.mistakes for id, vector in FOUND.items() if vector.metric == "ter"}
    answers = right("ter") | {
        "ter-direction": vectors["ter-direction"]["edits-swapped"],
        "ter-empty-output": vectors["ter-empty-output"]["empty-output-free"],
        "ter-case": 0.123,
    }
    found = audit(tmp_path, answers, "ter").findings
    assert {finding.cases: finding.text.split(":")[0] for finding in found} == {
        ("ter-direction",): METRICS["ter"].mistakes["edits-swapped"],
        ("ter-empty-output",): "An empty output costs nothing.",
        ("ter-case",): "No known mistake",
    }


def test_single_precision_is_a_choice(tmp_path: Path) -> None:
    answers = {id: value + 1e-8 for id, value in right("gleu").items()}
    found = audit(tmp_path, answers, "gleu")
    assert (len(found.ids("on purpose")), len(found.ids("failed"))) == (4, 0)


def test_what_a_mistake_costs_is_measured_on_the_sample(tmp_path: Path) -> None:
    """A program that doubles our own values: its sample scores twice what it should."""
    program = """
import json, sys
import bleuprint as bp
for line in sys.stdin:
    case = json.loads(line)
    found = bp.TER(**case["options"]).corpus(case["hypotheses"], case["references"]).value
    print(2 * found)
"""
    found = audit(tmp_path, {}, "ter", program=program)
    sample = Path(auditing.__file__).parents[1] / "dataset" / "sample"
    outputs, *references = (
        (sample / f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in ("system-b", "ref-1", "ref-2")
    )
    metric = build_metric(FOUND[found.ids("failed")[0]])
    assert metric is not None
    assert found.costs == {"ter": metric.corpus(outputs, list(zip(*references, strict=True))).value}
    assert f"{100 * found.costs['ter']:+.2f}" in str(found)
    assert "points: how much too high" in str(found)


@pytest.mark.parametrize("metric", [name for name in ours.METRICS if name != "tokenizers"])
def test_our_metrics_have_the_options_of_the_cases(metric: str) -> None:
    for vector in read(metric):
        found, case = build_metric(FOUND[vector.id]), vector.case
        if found is None:  # of sentences, with a model or a WordNet of the case, or another measure than F
            assert metric in {"sentence-bleu", "meteor", "perplexity", "rouge"}
        else:
            sources = list(case.sources) or None
            value = found.corpus(list(case.hypotheses), list(map(list, case.references)) or None, sources=sources).value
            assert vector.passed_by(value)


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        ("crash", "no answer, exit status 1: out of luck"),
        ("hang", "no answer within 2 seconds"),
        ("what?", "It printed 'what?' in place of a number or a list."),
        ("nan", "It printed 'nan' in place of a number or a list."),
        ("NaN", "It printed 'NaN' in place of a number or a list."),
        ("null", "It printed 'null' in place of a number or a list."),
        ("true", "It printed 'true' in place of a number or a list."),
        ("[1, 'a']", "It printed \"[1, 'a']\" in place of a number or a list."),
        ("[" * 100_000, f"It printed {'[' * 80!r} in place of a number or a list."),
        ('{"error": "ZeroDivisionError: float division"}', "ZeroDivisionError: float division"),
        ("0.5\n0.5", "It printed '0.5\\n0.5' in place of a number or a list."),
    ],
)
def test_what_goes_wrong_is_reported_and_the_rest_goes_on(tmp_path: Path, answer: str, note: str) -> None:
    found = audit(tmp_path, right("gleu") | {"gleu-orders": answer}, "gleu", limit=2)
    assert found.ids("passed") == ["gleu-sums", "gleu-case", "gleu-empty-output"]
    assert [(case.id, case.note) for case in found.cases if case.note] == [("gleu-orders", note)]
    assert [(finding.cases, finding.text) for finding in found.findings] == [(("gleu-orders",), note)]


def test_a_program_may_answer_one_case_and_end(tmp_path: Path) -> None:
    found = audit(tmp_path, right("gleu"), "gleu", program=PROGRAM + "    break\n")
    assert len(found.ids("passed")) == 4


def test_a_program_that_never_ends_its_output_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "_LARGEST_ANSWER", 10_000)
    found = audit(tmp_path, {}, "distinct", program="while True: print(0.5, flush=True)")
    assert found.ids("failed") == ["distinct-bigrams"]
    assert found.cases[0].note.startswith("It printed '0.5\\n0.5")


def test_a_program_that_cannot_run_is_no_finding(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"cannot run .*: no answer, exit status 1: out of luck"):
        audit(tmp_path, {"gleu": "crash"}, "gleu")
    with pytest.raises(OptionError, match="program supports none of these 4 cases"):
        audit(tmp_path, {}, "gleu")
    vectors: list[Vector] = [FOUND["gleu-sums"]]
    with pytest.raises(OptionError, match="cannot run '/no/such/program': No such file or directory"):
        auditing.audit("program", ["/no/such/program"], vectors)


def malformed(tmp_path: Path, **fields: object) -> Path:
    found = json.loads((FOLDER / "gleu.json").read_text(encoding="utf-8"))
    case = found["cases"][1] | fields
    found["cases"][1] = {name: value for name, value in case.items() if value is not None}
    (tmp_path / "gleu.json").write_text(json.dumps(found), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"options": None}, "gleu-orders is malformed: gleu-orders.options is missing"),
        ({"level": "text"}, "gleu-orders is malformed: gleu-orders.level must be one of corpus, sentence, got 'text'"),
        ({"hypotheses": "a"}, "gleu-orders is malformed: gleu-orders.hypotheses must be of type list, got str"),
        ({"expected": {}}, "gleu-orders is malformed: score, scores or tokens are missing"),
        ({"id": None}, "case 2 is malformed: 'id'"),
    ],
)
def test_a_malformed_vector_is_named(tmp_path: Path, fields: dict[str, object], message: str) -> None:
    with pytest.raises(DataFileError, match=message):
        read_vectors(malformed(tmp_path, **fields), ())
    refuse(message, "audit", "nltk", "--vectors", str(tmp_path))


PACKAGES = ["sacrebleu", "nltk", "rouge-score", "jiwer", "rapidfuzz"]


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_of_ours_pass(package: str, tmp_path: Path) -> None:
    """What is trusted for the values, and more that is installed here."""
    saved = tmp_path / "audit.json"
    result = succeed("audit", package, "--json", str(saved))
    found = json.loads(saved.read_text(encoding="utf-8"))
    assert found["name"].startswith(f"{package} ")
    assert "metric" in result.stdout
    assert not [case["id"] for case in found["cases"] if case["outcome"] == "failed"]


def test_known_faults_are_named() -> None:
    found = invoke("audit", "bleuscore", "-m", "bleu")
    assert found.exit_code == 1
    assert "The reference length is that of the shortest reference instead of the closest." in found.stdout
    allowed = invoke("audit", "bleuscore", "-m", "bleu", "--allow", "bleu-sums")
    assert (allowed.exit_code, allowed.stdout) == (0, found.stdout)


def test_every_adapter_is_a_program() -> None:
    assert {"sacrebleu", "torchmetrics", "rouge-score", "fast-bleu", "opik"} <= set(auditing.adapters())
    for file in auditing.adapters().values():
        compile(file.read_text(encoding="utf-8"), str(file), "exec")


def test_the_command_line_says_what_it_needs(tmp_path: Path) -> None:
    refuse("Pass a PACKAGE or --command; packages: bleuscore, ", "audit")
    refuse("Pass a PACKAGE or --command", "audit", "nltk", "--command", "x")
    refuse("--command needs a program.", "audit", "--command", " ")
    refuse("there is no adapter for 'numpyy', but for bleuscore, ", "audit", "numpyy")
    refuse(f"torchmetrics is not installed; install it with: {sys.executable} -m pip", "audit", "torchmetrics")
    refuse("cannot run '/no/such/python': No such file", "audit", "nltk", "--python", "/no/such/python")
    refuse("metric must be one of bleu, ", "audit", "nltk", "-m", "blue")
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho too old >&2\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    refuse("does not say which nltk it has: too old", "audit", "nltk", "--python", str(broken))


def test_any_program_can_be_audited(tmp_path: Path) -> None:
    command = " ".join(write_program(tmp_path, right("gleu") | {"gleu-case": 1}))
    found = invoke("audit", "--command", command, "-m", "gleu", "--format", "markdown")
    assert found.exit_code == 1
    assert "| gleu | 3 | 0 | 1 | 0 |" in found.stdout
