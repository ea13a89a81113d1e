"""The job of a newcomer: every usual mistake, and the message it gets."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

import bleuprint as bp
from bleuprint.errors import BleuprintError
from tests.support.cli import NEEDS_POSIX, assert_one_line, invoke, lines, refuse, sample, succeed

CHINESE = "我们明天早上一起去公园散步吧。\n" * 3
GERMAN = "Das ist gut.\nDas ist schlecht.\nSo ist es.\n"
FILES = {
    "hyp.txt": "the cat sat on a mat\na dog barks\nit rains\n",
    "hyp2.txt": "a cat sat on the mat\nthe dog barked\nit rained\n",
    "ref.txt": "the cat sat on the mat\na dog barked\nit is raining\n",
    "refB.txt": "a cat sat on a mat\na dog barks\nit rains now\n",
    "src.txt": GERMAN,
    "short.txt": "the cat sat on a mat\n",
    "empty.txt": "",
    "zh.txt": CHINESE,
    "out.json": "{}",
    "data.jsonl": '{"prediction": "a cat", "reference": "the cat"}\n{"prediction": "a dog"}\n',
    "odd.jsonl": '{"text": "a cat", "label": "the cat"}\n',
    "broken.jsonl": '{"prediction": "a cat"\n',
}
BYTES = {"latin.txt": "Grüße\nein Hund\nes regnet\n".encode("latin-1"), "utf16.txt": GERMAN.encode("utf-16")}


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mistakes")
    for name, text in FILES.items():
        (path / name).write_text(text, encoding="utf-8")
    for name, content in BYTES.items():
        (path / name).write_bytes(content)
    result = bp.evaluate(FILES["hyp.txt"].splitlines(), FILES["ref.txt"].splitlines())
    result.write_json(path / "result.json")
    (path / "subfolder").mkdir()
    return path


@pytest.fixture(autouse=True)
def in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


# A command line, and the message that it gets.
REFUSED = {
    # Names
    "scores hyp.txt -r ref.txt": "There is no command 'scores'. Did you mean score?",
    "score hyp.txt -r ref.txt --tokenize intl": "There is no option --tokenize. Did you mean --tokenizer?",
    "score hyp.txt -r ref.txt -m blue": "There is no metric 'blue'. Did you mean bleu?",
    "work hyp.txt ref.txt": "'hyp.txt' is a file, and work takes texts; use 'bleuprint score hyp.txt -r ref.txt'",
    'score "the cat sat" -r ref.txt': "for the score of a text, use: bleuprint work 'the cat sat' 'REFERENCE'",
    "score hyp.txt -r ref.txt -m selfbleu": "There is no metric 'selfbleu'. Did you mean self-bleu?",
    "self-bleu hyp.txt": "There is no command 'self-bleu'. Use 'bleuprint score FILE -m self-bleu'.",
    "score hyp.txt -m self-bleu,vendi --intervals": "--intervals does not apply to self-bleu",
    "score hyp.txt -m vendi --sentence-level": "--sentence-level does not apply to vendi, which has no score per text",
    "score hyp.txt short.txt -m self-bleu": "'bleuprint compare --pool' draws as many texts from each system",
    "diversity hyp.txt -m distinct": "There is no option -m. To score with one metric, use 'bleuprint score -m",
    "score short.txt -m self-bleu": "needs at least 2 of them, got 1",
    "choose hyp.txt hyp2.txt -m self-bleu": "self-bleu is a metric of pools, and this takes metrics of segments",
    "score hyp.txt -r ref.txt -tok int": "got 'int'. Did you mean intl?",
    "score hyp.txt -r ref.txt --profile sacreblue": "Did you mean sacrebleu?",
    "cards blue": "Did you mean bleu?",
    # Options
    "compare hyp.txt hyp2.txt -r ref.txt -s src.txt -m ibleu --alpha 0.7": "-m ibleu:alpha=…",
    "score hyp.txt -r ref.txt -m chrf:word_order=two": "word_order must be an integer, got 'two'",
    "score hyp.txt -r ref.txt -m chrf:words=2": "chrf has no option 'words'",
    "score hyp.txt -r ref.txt --word-order 2": "-m chrf:word_order=…",
    "score hyp.txt -r ref.txt -m chrf --smoothing exp": "--smoothing does not apply to chrf",
    "score hyp.txt -r ref.txt -m perplexity": "perplexity needs a model: write -m perplexity:lm=…",
    "score hyp.txt -r ref.txt -m ibleu": "ibleu compares with the sources; pass sources",
    # Files
    "score hyp.txt": "Missing option '-r' / '--reference': bleu compares with references.",
    "score hyp.txt -m self-bleu,cross-bleu": "'-r' / '--reference': cross-bleu compares with references.",
    "score hyp.tx -r ref.txt": "hyp.tx: there is no such file",
    "score subfolder -r ref.txt": "this is a folder",
    "score hyp.txt -r ref.txt refB.txt": "write -r refB.txt for a second reference",
    "score ref.txt -i hyp.txt": "There is no option -i. Write systems without an option: HYP -r REF",
    "score hyp.txt -r ref.txt -m bleu chrf": "There is no file 'chrf'; for several metrics, write -m chrf for each",
    "score hyp.txt -r short.txt": "hyp.txt has 3 lines but short.txt has 1",
    "score empty.txt -r ref.txt": "the file is empty",
    "score latin.txt -r ref.txt": "latin.txt, line 1: byte 3 (0xFC) is not valid UTF-8",
    "score utf16.txt -r ref.txt": "UTF-16",
    "score A=hyp.txt A=hyp2.txt -r ref.txt": "two systems are called A",
    "score data.jsonl": "data.jsonl, line 2: it has no 'reference'",
    "score odd.jsonl": "odd.jsonl",
    "score broken.jsonl": "broken.jsonl, line 1",
    "compare hyp.txt -r ref.txt": "at least two",
    # Output
    "score hyp.txt -r ref.txt --json out.json": "out.json: it already exists; pass --force",
    "score hyp.txt -r ref.txt --json no/out.json": "no does not exist",
    "score hyp.txt -r ref.txt --report subfolder": "it is a folder; pass a file name",
    "score hyp.txt -r ref.txt --json a.x --report a.x": "--report needs its own output file",
    # Gates
    "gate result.json": "Nothing to check; pass --baseline, --min, --max, or --min-pass-rate",
    "gate result.json --min bleu=30": "scores are fractions: 0.3, not 30",
    "gate result.json --min-pass-rate bleu=0.9 --threshold bleu=50": "must be from 0 to 1 for bleu",
    "gate result.json --min chrf=0.3": "the result has no chrf",
    "gate out.json --min bleu=0.3": "out.json is not a valid bleuprint result",
    # Notes that --strict turns into errors
    "score hyp.txt Copy=hyp.txt -r ref.txt --strict": "hyp and Copy are identical in every segment",
    "score hyp.txt -r ref.txt -s ref.txt --strict": "3 of 3 references are equal to their source",
    "score zh.txt -r zh.txt --strict": "the tokenizer 13a does not split Chinese text into words",
    "score -r ref.txt refB.txt hyp.txt --strict": "refB.txt, hyp.txt are systems; for more references",
}


@pytest.mark.parametrize("line", REFUSED)
def test_a_mistake_gets_one_line_that_says_what_to_do(line: str) -> None:
    refuse(REFUSED[line], *shlex.split(line))


# What can be meant is done, with a note.
NOTED = {
    "score hyp.txt Copy=hyp.txt -r ref.txt": "are identical in every segment",
    "score hyp.txt -r ref.txt -s ref.txt": "references are equal to their source",
    "score zh.txt -r zh.txt": "-tok auto",
    "score -r ref.txt refB.txt hyp.txt": "for more references, write -r before each of them",
    "score hyp.txt -r ref.txt -m bleu,chrf --smoothing exp": "--smoothing does not apply to chrf",
}


@pytest.mark.parametrize("line", NOTED)
def test_what_may_be_meant_is_done_with_a_note(line: str) -> None:
    shown = succeed(*line.split())
    assert shown.stderr.startswith("note: ")
    assert NOTED[line] in shown.stderr


# What looks like a mistake and is none.
ACCEPTED = {
    "score hyp.txt -r ref.txt -m bleu,chrf": ["hyp", "bleu", "chrf"],
    "score Mine=hyp.txt -r ref.txt": ["Mine", "bleu"],
    "score -r ref.txt hyp.txt": ["hyp", "bleu"],
}


@pytest.mark.parametrize("line", ACCEPTED)
def test_what_is_no_mistake(line: str) -> None:
    shown = invoke(*line.split(), "--json", "-")
    assert (shown.exit_code, shown.stderr) == (0, "")
    (system,) = json.loads(shown.stdout)["systems"]
    assert [system["name"], *(score["metric"] for score in system["scores"])] == ACCEPTED[line]


@NEEDS_POSIX
def test_scores_are_shown_when_the_disk_is_full() -> None:
    shown = invoke("score", "hyp.txt", "-r", "ref.txt", "--json", "/dev/full")
    assert shown.exit_code == 2
    assert_one_line(shown.stderr, "cannot write /dev/full: No space left on device")
    assert shown.stdout.startswith("system")


PYTHON: dict[str, tuple[Callable[[], object], str]] = {
    "references as streams": (lambda: bp.corpus_bleu(["a", "b"], [["a", "b"]]), "pass list(zip(*references))"),
    "a string for a list": (lambda: bp.corpus_bleu("a", ["a"]), "for a single segment, pass [hypotheses]"),
    "lengths": (lambda: bp.corpus_bleu(["a"], ["a", "b"]), "hypotheses has 1 segments but references has 2"),
    "NaN": (lambda: bp.corpus_bleu(cast("list[str]", ["a", float("nan")]), ["a", "b"]), "use '' or drop the segment"),
    "None": (
        lambda: bp.corpus_bleu(cast("list[str]", ["a", None]), ["a", "b"]),
        "use '' for an empty text, or drop the segment",
    ),
    "a metric's name": (lambda: bp.evaluate(["a"], ["a"], metrics="self-blue"), "Did you mean self-bleu?"),
    "an option's name": (lambda: bp.BLEU(smooth="exp"), "Did you mean 'smoothing'?"),  # type: ignore[call-arg]
    "percent": (lambda: bp.gate(bp.evaluate(["a"], ["a"]), minimum={"bleu": 30}), "0.3, not 30"),
}


@pytest.mark.parametrize("mistake", PYTHON)
def test_mistakes_in_python(mistake: str) -> None:
    call, message = PYTHON[mistake]
    with pytest.raises(BleuprintError) as caught:
        call()
    assert message in str(caught.value)


def test_a_sentence_in_brackets_warns() -> None:
    with pytest.warns(UserWarning, match="pass a str"):
        bp.sentence_bleu(["the cat sat on a mat"], ["the cat sat on the mat"])


def test_the_sample_makes_no_notes() -> None:
    assert len(lines("system-a")) == 48
    assert invoke("score", sample("system-a"), "-r", sample("ref-1"), "-s", sample("source")).stderr == ""
