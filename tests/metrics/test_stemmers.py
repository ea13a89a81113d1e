"""Snowball stemmers of ROUGE against rouge_score with the same stems."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import pytest
import snowballstemmer
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import Tokenizer

import bleuprint as bp
from bleuprint import ROUGE
from bleuprint.core import stemmers
from bleuprint.errors import MissingExtraError, OptionError, SignatureError
from tests.support.cli import invoke
from tests.support.wmt22 import Wmt22

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
TEXTS = {
    "german": ("Die Häuser der Städte\nstanden am Fluss", "das Haus in einer Stadt\nsteht an den Flüssen"),
    "russian": ("кошки спали дома", "кошка спит в доме"),
    "french": ("les maisons étaient grandes", "la maison est grande"),
    "porter": ("the running cats", "a cat runs"),
}


class Stems(Tokenizer):  # type: ignore[misc]
    """Unicode words with the stems of snowballstemmer, for rouge_score."""

    def __init__(self, language: str) -> None:
        self._stemmer = snowballstemmer.stemmer(language)

    def tokenize(self, text: str) -> list[str]:
        words = bp.tokenize(text, "unicode-words")
        return [self._stemmer.stemWord(word) if len(word) > 3 else word for word in words]


def assert_equals_rouge_score(language: str, hypothesis: str, reference: str) -> None:
    metric = ROUGE(types=TYPES, tokenizer="unicode", stemmer=language)
    score = metric.sentence(hypothesis, reference)
    expected = RougeScorer(list(TYPES), tokenizer=Stems(language)).score(reference, hypothesis)
    for kind in TYPES:
        found = score[f"{kind}_precision"], score[f"{kind}_recall"], score[kind]
        assert found == (expected[kind].precision, expected[kind].recall, expected[kind].fmeasure)


@pytest.mark.parametrize("language", TEXTS)
def test_scores_are_those_of_rouge_score_with_the_same_stems(language: str) -> None:
    hypothesis, reference = TEXTS[language]
    assert_equals_rouge_score(language, hypothesis, reference)
    assert_equals_rouge_score(language, reference, hypothesis)
    assert ROUGE(types="rouge1", tokenizer="unicode", stemmer=language).sentence(hypothesis, reference).value > (
        ROUGE(types="rouge1", tokenizer="unicode").sentence(hypothesis, reference).value
    )


def test_wmt22(wmt22_data: Wmt22) -> None:
    outputs = wmt22_data.output("en-de", wmt22_data.systems("en-de")[0])[:40]
    for output, reference in zip(outputs, wmt22_data.references("en-de")[0][:40], strict=True):
        assert_equals_rouge_score("german", output, reference)


@pytest.mark.parametrize("language", snowballstemmer.algorithms())
def test_every_language_is_there(language: str) -> None:
    theirs = snowballstemmer.stemmer(language)
    words = ["häusern", "running", "maisons", "кошками", "कमरे", "casas", "evlerimizden", "كتابها"]
    assert [stemmers.resolve(language)(word) for word in words] == [theirs.stemWord(word) for word in words]


def test_token_lists_are_stemmed_too() -> None:
    metric = ROUGE(types="rouge1", stemmer="german")
    assert metric.sentence(["häuser"], [["haus"]]).value == 1
    assert ROUGE(types="rouge1", stemmer=True).sentence(["running"], [["runs"]]).value == 1
    assert metric.sentence([7, 8], [[7, 8]]).value == 1


def test_threads_do_not_share_a_stemmer() -> None:
    stemmer = stemmers.resolve("german")
    words = [f"{start}lichkeiten{end}" for start in "abcdefgh" for end in ("", "er", "en", "s")] * 20
    expected = [snowballstemmer.stemmer("german").stemWord(word) for word in words]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(stemmer, words)) == expected


def test_signatures_name_the_version() -> None:
    metric = ROUGE(stemmer="german", tokenizer="unicode", types="rouge1")
    recorded = f"german({version('snowballstemmer')})"
    assert metric.signature == f"rouge.1|stemmer:{recorded}|tokenizer:unicode|types:rouge1"
    assert ROUGE.from_signature(metric.signature).definition == metric.definition
    older = metric.signature.replace(recorded, "german(1.0)")
    with pytest.raises(SignatureError, match=r"stemmer german\(1.0\) is not the installed german\("):
        ROUGE.from_signature(older)
    assert ROUGE.from_signature(older, stemmer="german").definition == metric.definition
    assert ROUGE(stemmer=True).signature.startswith("rouge.1|stemmer:yes|")


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match=r"stemmer must be True, False or a language .* Did you mean german\?"):
        ROUGE(stemmer="germn")
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    with pytest.raises(
        OptionError, match="stemmer must be True, False or the name of a language, such as 'german', got 1"
    ):
        ROUGE(stemmer=1)  # type: ignore[arg-type]
    with pytest.raises(MissingExtraError, match=r"stemmer='german' needs snowballstemmer: .*\[stemmers\]"):
        ROUGE(stemmer="german")
    assert ROUGE(stemmer=True).sentence("runs", "running").value == 1


def test_the_work_has_the_stems() -> None:
    metric = ROUGE(types="rouge1+rougeLsum", stemmer="german", tokenizer="unicode")
    hypothesis, reference = TEXTS["german"]
    assert bp.work(hypothesis, reference, metric).value == metric.sentence(hypothesis, reference).value


def test_the_command_line(tmp_path: pytest.TempPathFactory) -> None:
    for name, text in zip(("out.txt", "ref.txt"), ("häuser\n", "haus\n"), strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")  # type: ignore[operator]
    files = [str(tmp_path / "out.txt"), "-r", str(tmp_path / "ref.txt")]  # type: ignore[operator]
    shown = invoke("score", *files, "-m", "rouge:types=rouge1,tokenizer=unicode,stemmer=german", "--json", "-")
    assert '"value":1.0' in shown.stdout.replace(" ", "")
    assert invoke("score", *files, "-m", "rouge:stemmer=yes").exit_code == 0
