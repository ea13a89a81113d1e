"""run.mjs, which needs nothing of ours, and the examples beside it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.vectors.reading import FOLDER

NODE, JQ = shutil.which("node"), shutil.which("jq")
pytestmark = pytest.mark.skipif(NODE is None, reason="no Node; as root: apt-get install nodejs")


def run(*arguments: str, folder: Path = FOLDER) -> subprocess.CompletedProcess[str]:
    command = [str(NODE), "run.mjs", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def copy(tmp_path: Path, metric: str, **fields: object) -> Path:
    """The folder with other fields in the first case of a metric, and without those that are None."""
    folder = tmp_path / "vectors"
    shutil.copytree(FOLDER, folder)
    found = json.loads((folder / f"{metric}.json").read_text(encoding="utf-8"))
    case = found["cases"][0] | fields
    found["cases"][0] = {name: value for name, value in case.items() if value is not None}
    (folder / f"{metric}.json").write_text(json.dumps(found), encoding="utf-8")
    return folder


def test_the_module_of_the_examples_passes() -> None:
    found = run("examples/wer.mjs", "wer")
    assert (found.returncode, found.stdout) == (0, "wer: 4 passed, 2 unsupported\n")


@pytest.mark.skipif(JQ is None, reason="no jq; as root: apt-get install jq")
def test_the_program_of_the_examples_passes() -> None:
    found = run("--command", "sh examples/exact-match.sh", "exact-match", "gleu")
    assert found.stdout == "exact-match: 1 passed, 1 unsupported\ngleu: 4 unsupported\n"
    assert found.returncode == 0


def test_a_mistake_is_named(tmp_path: Path) -> None:
    folder = copy(tmp_path, "wer")
    example = folder / "examples/wer.mjs"
    example.write_text(example.read_text(encoding="utf-8").replace("wrong / length", "100 * wrong / length"), "utf-8")
    found = run("examples/wer.mjs", "wer", folder=folder)
    assert (
        "wer-sums: 58.333333333333336, expected 0.5833333333333334. The score is multiplied by 100.\n" in found.stdout
    )
    assert found.stdout.endswith("wer: 1 passed, 3 failed, 2 unsupported\n")
    assert found.returncode == 1


def test_a_choice_on_purpose_is_no_mistake(tmp_path: Path) -> None:
    module = tmp_path / "hugging-face.mjs"
    module.write_text("export default { sari: ({ id }) => (id === 'sari-unchanged' ? 1 : undefined) };")
    found = run(str(module), "sari")
    assert "sari-unchanged: as evaluate. Deletion counts by precision alone" in found.stdout
    assert found.stdout.endswith("sari: 1 accepted, 2 unsupported\n")
    assert found.returncode == 0


@pytest.mark.parametrize(
    ("metric", "program"),
    [
        ("tokenizers", "print(json.dumps([text.split() for text in case['hypotheses']]))"),
        ("sentence-bleu", "print([0.0 for _ in case['hypotheses']])"),
        ("bleu", "print(0.0)"),
    ],
)
def test_a_program_gets_the_question_without_the_answer(tmp_path: Path, metric: str, program: str) -> None:
    script = tmp_path / "program.py"
    check = "import json, sys\ncase = json.loads(sys.stdin.readline())\nassert set(case) <= set(sys.argv[1:]), case\n"
    script.write_text(check + program)
    fields = "metric id level options hypotheses references sources"
    found = run("--command", f"{sys.executable} {script} {fields}", metric)
    assert "unsupported" not in found.stdout
    assert found.stdout.count(f"{metric}-") > 0
    assert "undefined" not in found.stdout


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("() => { throw new Error('no such order'); }", 'distinct-bigrams: "Error: no such order", expected 0.63'),
        ("() => NaN", "distinct-bigrams: null, expected 0.63"),
        ("() => '0.6363636363636364'", 'distinct-bigrams: "0.6363636363636364", expected 0.63'),
    ],
)
def test_what_is_no_number_fails(tmp_path: Path, body: str, said: str) -> None:
    module = tmp_path / "module.mjs"
    module.write_text(f"export default {{ distinct: {body} }};")
    found = run(str(module), "distinct")
    assert found.stdout.startswith(said)
    assert found.returncode == 1


def test_a_program_that_prints_no_number_fails() -> None:
    found = run("--command", "echo nan", "distinct")
    assert found.stdout.startswith('distinct-bigrams: "nan", expected 0.63')
    assert found.returncode == 1


def test_what_says_so_is_unsupported() -> None:
    found = run("--command", "echo unsupported", "distinct")
    assert (found.returncode, found.stdout) == (2, "distinct: 1 unsupported\n")
    assert found.stderr == "no case was supported\n"


def test_a_program_that_stops_fails() -> None:
    found = run("--command", "exit 3", "distinct")
    assert found.stdout.startswith('distinct-bigrams: "no answer, exit status 3", expected 0.63')
    assert found.returncode == 1


PROGRAMS = {
    "all cases": "for line in sys.stdin: answer(line)",
    "one case": "answer(sys.stdin.readline())",
    "a crash after one": "answer(next(sys.stdin))\nos.abort()",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_may_answer_all_cases_or_one(tmp_path: Path, name: str) -> None:
    script = tmp_path / "program.py"
    head = "import json, os, sys\ndef answer(line): print(json.loads(line)['id'].count('-') / 8, flush=True)\n"
    script.write_text(head + PROGRAMS[name])
    found = run("--command", f"{sys.executable} {script}", "meteor")
    lines = found.stdout.splitlines()[:-1]
    assert [line.split(", expected")[0] for line in lines] == [
        "meteor-which-word: 0.25",
        "meteor-references: 0.125",
        "meteor-stages: 0.125",
        "meteor-empty-output: 0.25",
    ]


def test_the_adapters_of_the_audit_are_programs_too() -> None:
    found = run("--command", f"{sys.executable} adapters/adapt_jiwer.py", "wer", "ter")
    assert (found.returncode, found.stdout) == (0, "ter: 9 unsupported\nwer: 6 passed\n")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"options": None}, 'distinct-bigrams: the field "options" is missing'),
        ({"expected": {"points": 1}}, "distinct-bigrams: nothing is expected"),
        ({"id": None, "expected": None}, 'distinct.json, case 1: the field "expected" is missing'),
    ],
)
def test_a_malformed_vector_is_named(tmp_path: Path, fields: dict[str, object], message: str) -> None:
    found = run("examples/wer.mjs", "distinct", folder=copy(tmp_path, "distinct", **fields))
    assert (found.returncode, found.stderr.strip()) == (2, message)


def test_it_says_how_it_is_called() -> None:
    found = run()
    assert found.returncode == 2
    assert "node run.mjs MODULE.mjs" in found.stderr
