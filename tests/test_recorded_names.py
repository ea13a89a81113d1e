"""A name that was read from a file never makes bleuprint open another file."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from bleuprint import signature
from bleuprint.cli.score import saved_on
from bleuprint.errors import BleuprintError, OptionError, SignatureError
from bleuprint.insight import explain
from bleuprint.metrics import registry
from bleuprint.report import CHARTS, picture, render
from bleuprint.results import Result
from bleuprint.runners import replay
from tests.support import encoders, sentencepiece_models
from tests.support.cli import assert_one_line, invoke
from tests.support.language_models import SMALL

pytest.importorskip("sentencepiece")
TEXTS, REFERENCES = ["the cat sat on a mat.", "a cat lay."], ["the cat sat on the mat.", "the cat slept."]
_opened: list[str] | None = None


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    if _opened is not None and event == "open":
        _opened.append(str(arguments[0]))


sys.addaudithook(_listen)


@contextmanager
def opened_files() -> Iterator[list[str]]:
    """The files that Python opens meanwhile; SentencePiece gets bytes, so that its models are among them."""
    global _opened  # an audit hook cannot be removed
    files: list[str] = []
    _opened = files
    try:
        yield files
    finally:
        _opened = None


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sentencepiece_models.trained(tmp_path_factory.mktemp("spm"))


@pytest.fixture(scope="module")
def other_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sentencepiece_models.trained(tmp_path_factory.mktemp("other"), words=("ran", "hid"))


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A FIFO: whoever opens it waits forever."""
    os.mkfifo(tmp_path / "trap")
    return tmp_path / "trap"


def digest_name(model: Path) -> str:
    return f"spm(sha256-{hashlib.sha256(model.read_bytes()).hexdigest()[:16]})"


def stored(folder: Path, model: Path, **changes: str) -> Path:
    """A stored result of BLEU with the model; `changes` replace what its signatures hold."""
    scored = bp.evaluate(
        {"A": TEXTS, "B": REFERENCES}, REFERENCES, metrics={"bleu": bp.BLEU(tokenizer=f"spm:{model}"), "ter": bp.TER()}
    )
    text = scored.to_json()
    for before, after in changes.items():
        text = text.replace(before, after)
    path = folder / "result.json"
    path.write_text(text)
    return path


class TestSignatures:
    def test_a_sentencepiece_model_is_named_by_its_digest(self, model: Path, tmp_path: Path) -> None:
        metric = bp.BLEU(tokenizer=f"spm:{model}")
        assert metric.options["tokenizer"] == digest_name(model)
        assert str(model) not in metric.signature
        moved = tmp_path / "moved.model"
        moved.write_bytes(model.read_bytes())
        assert bp.BLEU(tokenizer=f"spm:{moved}").definition == metric.definition

    def test_a_changed_model_has_another_name(self, model: Path, other_model: Path, tmp_path: Path) -> None:
        file = tmp_path / "changing.model"
        file.write_bytes(model.read_bytes())
        assert bp.BLEU(tokenizer=f"spm:{file}").options["tokenizer"] == digest_name(model)
        file.write_bytes(other_model.read_bytes())
        assert bp.BLEU(tokenizer=f"spm:{file}").options["tokenizer"] == digest_name(other_model)

    def test_the_model_must_be_passed_and_match(self, model: Path, other_model: Path) -> None:
        metric = bp.BLEU(tokenizer=f"spm:{model}")
        with pytest.raises(SignatureError, match=r"named by its SHA-256: pass its file as tokenizer='spm:PATH'"):
            bp.metrics.from_signature(metric.signature)
        again = bp.metrics.from_signature(metric.signature, tokenizer=f"spm:{model}")
        assert again.corpus(TEXTS, REFERENCES).value == metric.corpus(TEXTS, REFERENCES).value
        with pytest.raises(SignatureError, match=r"the given tokenizer is spm\(sha256-\w+\), not spm\(sha256-"):
            bp.metrics.from_signature(metric.signature, tokenizer=f"spm:{other_model}")
        assert bp.metrics.from_signature(metric.signature, tokenizer="13a").signature == bp.BLEU().signature

    def test_a_recorded_path_is_refused(self, trap: Path) -> None:
        written = bp.BLEU().signature.replace("tokenizer:13a", f"tokenizer:spm%3A{trap}")
        with opened_files() as files, pytest.raises(SignatureError, match="a path read from a file is never opened"):
            bp.metrics.from_signature(written)
        assert str(trap) not in files

    def test_the_repair_of_a_recorded_path_works(self, model: Path) -> None:
        """No digest was recorded, so no model can be checked against it: only scoring again helps."""
        written = bp.BLEU().signature.replace("tokenizer:13a", f"tokenizer:spm%3A{model}")
        with pytest.raises(SignatureError, match=r"score or train again with tokenizer='spm:PATH'"):
            bp.metrics.from_signature(written)
        with pytest.raises(SignatureError, match=rf"the given tokenizer is spm\(sha256-\w+\), not spm:{model}"):
            bp.metrics.from_signature(written, tokenizer=f"spm:{model}")
        again = bp.BLEU(tokenizer=f"spm:{model}").corpus(TEXTS, REFERENCES)
        assert bp.metrics.from_signature(again.signature, tokenizer=f"spm:{model}").signature in again.signature

    @pytest.mark.parametrize("label", sorted(registry.metrics()))
    def test_no_option_of_a_signature_is_opened(self, label: str, tmp_path: Path) -> None:
        """Whatever option holds the path of an existing file, the file is not opened."""
        kind: Any = registry.metrics()[label]
        model: dict[str, Any] = {"encoder": encoders.encoder(layer=1), "model": encoders.letters_model()}
        model |= {"lm": bp.LanguageModel.train(SMALL, order=2), "index": bp.NgramIndex.build(SMALL)}
        needed = registry.model_option(kind)
        given = {} if needed is None else {needed: model[needed]}
        metric = kind(**given)
        secret = tmp_path / "secret"
        secret.write_text("LAYER,P,R,F\n1,0.1,0.1,0.1\n")
        recorded = signature.parse(metric.signature)
        for option in {*recorded.options, *registry.options_of(kind)}:
            for value in (str(secret), f"spm:{secret}", str(tmp_path)):
                changed = signature.write(recorded.metric, recorded.version, {**recorded.options, option: value}, {})
                for passed in (given, {}):
                    with opened_files() as files, suppress(BleuprintError):
                        kind.from_signature(changed, **passed)
                    assert not [file for file in files if str(tmp_path) in file], changed

    def test_copies_know_the_file(self, model: Path) -> None:
        for metric in (bp.BLEU(tokenizer=f"spm:{model}"), bp.ROUGE(tokenizer=f"spm:{model}")):
            for again in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
                assert again.corpus(TEXTS, REFERENCES).value == metric.corpus(TEXTS, REFERENCES).value
        pool = bp.SelfBLEU(tokenizer=f"spm:{model}")
        assert pickle.loads(pickle.dumps(pool)).signature == pool.signature

    def test_definitions_are_explained(self, model: Path) -> None:
        ours, theirs = bp.BLEU(tokenizer=f"spm:{model}"), bp.BLEU(max_order=2)
        assert explain(TEXTS, REFERENCES, ours, theirs).steps

    @pytest.mark.parametrize("path", ["", "/", "\0", "no such file", "/dev/null"])
    def test_a_path_that_is_no_model(self, path: str) -> None:
        with pytest.raises(OptionError, match="tokenizer must be 'spm:' followed by the path of a SentencePiece model"):
            bp.BLEU(tokenizer=f"spm:{path}")


class TestResults:
    def test_replay(self, model: Path, other_model: Path, tmp_path: Path) -> None:
        path = stored(tmp_path, model)
        metrics = {"bleu": bp.BLEU(tokenizer=f"spm:{model}")}
        assert replay(Result.read_json(path), metrics=metrics).same
        assert_one_line(invoke("replay", str(path)).stderr, "-m METRIC:tokenizer=spm:PATH")
        assert invoke("replay", str(path), "-m", f"bleu:tokenizer=spm:{model}").exit_code == 0
        refused = invoke("replay", str(path), "-m", f"bleu:tokenizer=spm:{other_model}")
        assert refused.exit_code == 2
        assert_one_line(refused.stderr, "the given tokenizer is spm(sha256-")

    def test_gate(self, model: Path, tmp_path: Path) -> None:
        path = str(stored(tmp_path, model))
        refused = invoke("gate", path, "--baseline", path)
        assert refused.exit_code == 2
        assert_one_line(refused.stderr, "named by its SHA-256")
        assert invoke("gate", path, "--baseline", path, "-m", f"bleu:tokenizer=spm:{model}").exit_code == 0

    def test_report_and_plot(self, model: Path, tmp_path: Path) -> None:
        path = stored(tmp_path, model)
        result = Result.read_json(path)
        metrics = {"bleu": bp.BLEU(tokenizer=f"spm:{model}")}
        assert render(result) != render(result, metrics=metrics)
        assert invoke("report", str(path), "-m", f"bleu:tokenizer=spm:{model}").exit_code == 0
        assert path.with_suffix(".html").read_text() == render(result, metrics=metrics, date=saved_on(str(path)))
        assert invoke("report", str(path), "-o", str(tmp_path / "less.html")).exit_code == 0
        picture(result, "influence", systems=["A"], metrics=metrics)
        with pytest.raises(OptionError, match=r"cannot draw .*: the result has no "):
            picture(result, "influence", systems=["A"])
        arguments = ("plot", str(path), "--chart", "influence", "--system", "A")
        assert invoke(*arguments).exit_code == 2
        assert invoke(*arguments, "-m", f"bleu:tokenizer=spm:{model}").exit_code == 0
        with pytest.raises(SignatureError, match="is not the bleu of the result"):
            render(result, metrics={"bleu": bp.BLEU()})

    def test_a_path_in_a_result_is_not_opened(self, model: Path, trap: Path, tmp_path: Path) -> None:
        """Results of earlier versions hold `spm:PATH`."""
        path = stored(tmp_path, model, **{digest_name(model): f"spm%3A{trap}"})
        commands = [["replay"], ["gate", "--baseline", str(path)], ["report"]]
        commands += [["plot", "--chart", chart, "-o", str(tmp_path / f"{chart}.svg")] for chart in CHARTS]
        with opened_files() as files:
            for command, *options in commands:
                ended = invoke(command, str(path), *options)
                assert ended.exit_code in (0, 2)
                if command in ("replay", "gate"):
                    assert_one_line(ended.stderr, "a path read from a file is never opened")
        assert str(trap) not in files


class TestLanguageModels:
    def test_the_tokenizer_must_be_passed_and_match(self, model: Path, other_model: Path, tmp_path: Path) -> None:
        file = tmp_path / "model.blm"
        trained = bp.LanguageModel.train(SMALL, order=2, tokenizer=f"spm:{model}", discount_fallback=True)
        trained.save(file)
        assert str(model).encode() not in file.read_bytes()
        with pytest.raises(OptionError, match=r"named by its SHA-256: pass its file as tokenizer='spm:PATH'"):
            bp.LanguageModel.load(file)
        with pytest.raises(OptionError, match=r"the model that .* was trained with"):
            bp.LanguageModel.load(file, tokenizer=f"spm:{other_model}")
        again = bp.LanguageModel.load(file, tokenizer=f"spm:{model}")
        assert again.perplexity("the cat sat") == trained.perplexity("the cat sat")
        metric = bp.Perplexity(trained)
        same = bp.metrics.from_signature(metric.signature, lm=file, tokenizer=f"spm:{model}")
        assert same.signature == metric.signature

    def test_commands(self, model: Path, tmp_path: Path) -> None:
        file, texts, path = tmp_path / "model.blm", tmp_path / "texts.txt", tmp_path / "scored.json"
        bp.LanguageModel.train(SMALL, order=2, tokenizer=f"spm:{model}", discount_fallback=True).save(file)
        texts.write_text("the cat sat\na dog\n")
        assert_one_line(invoke("lm", "info", str(file)).stderr, "--tokenizer spm:PATH")
        assert invoke("lm", "info", str(file), "--tokenizer", f"spm:{model}").exit_code == 0
        scoring = ("score", str(texts), "-r", str(texts), "--json", str(path), "-m", f"perplexity:lm={file}")
        refused = invoke(*scoring)
        assert refused.exit_code == 2
        assert_one_line(refused.stderr, "-m METRIC:tokenizer=spm:PATH")
        assert invoke(*scoring[:-1], f"{scoring[-1]},tokenizer=spm:{model}").exit_code == 0
        replaying = ("replay", str(path), "-m", f"perplexity:lm={file}")
        assert invoke(*replaying).exit_code == 2
        assert invoke(*replaying[:-1], f"{replaying[-1]},tokenizer=spm:{model}").exit_code == 0

    def test_a_path_in_a_model_is_not_opened(self, trap: Path, tmp_path: Path) -> None:
        note = json.dumps({"tokenizer": f"spm:{trap}", "lowercase": False}).encode()
        file = tmp_path / "model.blm"
        file.write_bytes(bp.LanguageModel.train(SMALL, order=2)._native.pack(note))
        with opened_files() as files:
            for command in (["lm", "info", str(file)], ["score", str(file), "-m", f"perplexity:lm={file}"]):
                assert_one_line(invoke(*command).stderr, "a path read from a file is never opened")
        assert str(trap) not in files


class TestIndexes:
    """The option `tokenizer` reaches whatever names a SentencePiece model."""

    @pytest.fixture(autouse=True)
    def texts(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("a.txt").write_text("\n".join(TEXTS) + "\n")
        Path("r.txt").write_text("\n".join(REFERENCES) + "\n")

    def test_an_index(self, model: Path, other_model: Path) -> None:
        bp.NgramIndex.build(REFERENCES, tokenizer=f"spm:{model}").save("corpus.bpi")
        scoring = ("score", "a.txt", "-r", "r.txt", "--json", "scored.json", "-m")
        metric = "novelty:index=corpus.bpi"
        assert_one_line(invoke(*scoring, metric).stderr, "-m METRIC:tokenizer=spm:PATH")
        refused = invoke(*scoring, f"{metric},tokenizer=spm:{other_model}")
        assert_one_line(refused.stderr, "the one that corpus.bpi was built")
        assert invoke(*scoring, f"{metric},tokenizer=spm:{model}").exit_code == 0
        assert invoke("replay", "scored.json", "-m", f"{metric},tokenizer=spm:{model}").exit_code == 0
