"""SentencePiece models that were added under a name."""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint.core import piece_models, tokenizers
from bleuprint.errors import OptionError, OutputError
from bleuprint.files import data_folder
from tests.support import sentencepiece_models

TEXTS, REFERENCES = ["the cat sat on a mat.", "a cat lay."], ["the cat sat on the mat.", "the cat slept."]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sentencepiece_models.trained(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def other_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sentencepiece_models.trained(tmp_path_factory.mktemp("other"), words=("ran", "hid"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BLEUPRINT_DATA", str(tmp_path / "data"))
    return tmp_path / "data" / "tokenizers"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class TestAdding:
    def test_the_name_works_like_the_path(self, model: Path) -> None:
        with pytest.raises(OptionError, match="with 'bleuprint tokenizers add flores200 PATH', got 'flores200'"):
            bp.BLEU(tokenizer="flores200")
        piece_models.add("flores200", model)
        by_name, by_path = bp.BLEU(tokenizer="flores200"), bp.BLEU(tokenizer=f"spm:{model}")
        assert by_name.definition == by_path.definition
        assert by_name.signature == by_path.signature
        assert f"tokenizer:spm(sha256-{sha256(model)[:16]})" in by_name.signature
        assert by_name.corpus(TEXTS, REFERENCES).value == by_path.corpus(TEXTS, REFERENCES).value
        assert bp.tokenize("the cat sat", "flores200") == bp.tokenize("the cat sat", f"spm:{model}")
        for kind in (bp.ROUGE, bp.SelfBLEU, bp.TER):
            assert kind(tokenizer="flores200").signature == kind(tokenizer=f"spm:{model}").signature

    def test_spm_is_flores101(self, model: Path) -> None:
        added = piece_models.add("spm", model)
        assert added.name == "flores101"
        assert tokenizers.resolve("spm") == tokenizers.resolve("flores101")
        with pytest.raises(OptionError, match="got 'flores200'"):
            tokenizers.resolve("flores200")

    def test_the_file_is_a_copy_that_names_its_digest(self, model: Path, folder: Path) -> None:
        added = piece_models.add("flores200", model)
        assert added.path == folder / f"flores200-{sha256(model)}.model"
        assert added.path.read_bytes() == model.read_bytes()
        assert list(folder.iterdir()) == [added.path]  # no temporary file is left

    def test_another_model_is_only_replaced_if_asked(self, model: Path, other_model: Path) -> None:
        first = piece_models.add("flores200", model)
        assert piece_models.add("flores200", model) == first
        with pytest.raises(OutputError, match=f"SHA-256 {sha256(model)}, not {sha256(other_model)}; pass --force"):
            piece_models.add("flores200", other_model)
        assert piece_models.list_models() == [first]
        second = piece_models.add("flores200", other_model, overwrite=True)
        assert piece_models.list_models() == [second]

    @pytest.mark.parametrize("content", [b"", b"no model"])
    def test_a_file_that_is_no_model_is_not_copied(self, content: bytes, tmp_path: Path, folder: Path) -> None:
        (tmp_path / "x.model").write_bytes(content)
        with pytest.raises(OptionError, match="tokenizer must be added with the path of a SentencePiece model"):
            piece_models.add("flores200", tmp_path / "x.model")
        assert not folder.exists()

    def test_other_names_are_refused(self, model: Path) -> None:
        for name in ("13a", "../flores200", "", "spm:x"):
            with pytest.raises(OptionError, match="one of flores101, flores200, spm; pass other models as 'spm:PATH'"):
                piece_models.add(name, model)

    def test_a_folder_that_cannot_be_made(self, model: Path, folder: Path) -> None:
        folder.parent.write_text("a file")
        with pytest.raises(OutputError, match="cannot write"):
            piece_models.add("flores200", model)

    def test_remove(self, model: Path) -> None:
        piece_models.add("flores101", model)
        assert [removed.name for removed in piece_models.remove("spm")] == ["flores101"]
        with pytest.raises(OptionError, match="got 'flores101'"):
            tokenizers.resolve("flores101")
        with pytest.raises(OptionError, match="one that was added"):
            piece_models.remove("flores101")


class TestDigests:
    def test_a_changed_copy_is_refused_with_both_digests(self, model: Path, other_model: Path) -> None:
        added = piece_models.add("flores200", model)
        added.path.write_bytes(other_model.read_bytes())
        with pytest.raises(OptionError, match=f"SHA-256 {sha256(model)}; remove it .*, got '{sha256(other_model)}'"):
            tokenizers.resolve("flores200")
        added.path.write_bytes(b"no model")
        with pytest.raises(OptionError, match="remove flores200 and add it again"):
            tokenizers.resolve("flores200")
        assert piece_models.add("flores200", model) == added  # repairs the copy
        assert tokenizers.resolve("flores200").name == added.recorded

    def test_two_models_of_one_name_are_refused(self, model: Path, other_model: Path, folder: Path) -> None:
        piece_models.add("flores200", model)
        (folder / f"flores200-{sha256(other_model)}.model").write_bytes(other_model.read_bytes())
        with pytest.raises(OptionError, match="one model; remove flores200 and add it again"):
            tokenizers.resolve("flores200")
        assert len(piece_models.remove("flores200")) == 2

    def test_other_files_in_the_folder_are_ignored(self, model: Path, folder: Path) -> None:
        added = piece_models.add("flores200", model)
        for name in ("x.model", f"13a-{sha256(model)}.model", f"flores200-{sha256(model)[:16]}.model", ".hidden.model"):
            (folder / name).write_bytes(b"")
        assert piece_models.list_models() == [added]

    def test_an_added_model_replays_a_signature(self, model: Path, other_model: Path) -> None:
        metric = bp.BLEU(tokenizer=f"spm:{model}")
        piece_models.add("flores101", other_model)
        recorded = f"spm(sha256-{sha256(model)[:16]})"
        other = f"flores101 is spm(sha256-{sha256(other_model)[:16]})"
        with pytest.raises(bp.errors.SignatureError) as caught:
            bp.metrics.from_signature(metric.signature)
        assert recorded in str(caught.value)
        assert other in str(caught.value)
        piece_models.add("flores200", model)
        assert bp.metrics.from_signature(metric.signature).definition == metric.definition
        assert tokenizers.resolve(recorded) == tokenizers.resolve("flores200")

    @pytest.mark.parametrize("name", ["spm(sha256-", "spm(sha256-)", "spm(sha256-flores200)", "spm(sha256-../x)"])
    def test_only_whole_digests_are_found(self, name: str, model: Path) -> None:
        piece_models.add("flores200", model)
        digits = sha256(model)[:15]
        for wrong in (name, f"spm(sha256-{digits})", f"spm(sha256-{sha256(model)})"):
            assert tokenizers.missing(wrong) is not None
            with pytest.raises(OptionError, match="tokenizer must be added"):
                tokenizers.resolve(wrong)

    def test_another_process_finds_the_same_bytes(self, model: Path, other_model: Path) -> None:
        """A metric travels with the digest of an added model, not with its name."""
        piece_models.add("flores200", model)
        for metric in (bp.BLEU(tokenizer="flores200"), bp.SelfBLEU(tokenizer="flores200")):
            sent = pickle.dumps(metric)
            assert pickle.loads(sent).signature == metric.signature
        piece_models.add("flores200", other_model, overwrite=True)
        with pytest.raises(bp.errors.SignatureError, match="named by its SHA-256"):
            pickle.loads(sent)


class TestLanguageModelsAndIndexes:
    def test_a_language_model_travels_with_its_tokenizer(self, model: Path, other_model: Path, tmp_path: Path) -> None:
        file = tmp_path / "changing.model"
        file.write_bytes(model.read_bytes())
        trained = bp.LanguageModel.train(TEXTS * 3, order=2, tokenizer=f"spm:{file}", discount_fallback=True)
        sent = pickle.dumps(trained)
        assert pickle.loads(sent).perplexity("the cat") == trained.perplexity("the cat")
        file.write_bytes(other_model.read_bytes())
        with pytest.raises(OptionError, match=r"trained with \(spm\(sha256-\w+\)\), got 'spm\(sha256-"):
            pickle.loads(sent)

    def test_a_language_model_finds_an_added_tokenizer(self, model: Path, tmp_path: Path) -> None:
        trained = bp.LanguageModel.train(TEXTS * 3, order=2, tokenizer=f"spm:{model}", discount_fallback=True)
        trained.save(tmp_path / "m.blm")
        piece_models.add("flores200", model)
        assert bp.LanguageModel.load(tmp_path / "m.blm").perplexity("the cat") == trained.perplexity("the cat")

    def test_an_index_in_memory(self, model: Path, tmp_path: Path) -> None:
        piece_models.add("flores200", model)
        for name in (f"spm:{model}", "flores200"):
            index = bp.NgramIndex.build(TEXTS, tokenizer=name)
            assert index.tokenizer == tokenizers.resolve(name)
        index.save(tmp_path / "texts.bpi")
        assert bp.NgramIndex.open(tmp_path / "texts.bpi").tokenizer == index.tokenizer


class TestFolder:
    def test_where_it_is(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.delenv("BLEUPRINT_DATA")
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.delenv("XDG_DATA_HOME", raising=False)
        monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
        for system, place in (
            ("linux", ".local/share/bleuprint"),
            ("darwin", "Library/Application Support/bleuprint"),
            ("win32", "local/bleuprint"),
        ):
            monkeypatch.setattr("bleuprint.files.sys.platform", system)
            assert data_folder() == tmp_path / place
        monkeypatch.setattr("bleuprint.files.sys.platform", "linux")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
        assert data_folder() == tmp_path / "xdg" / "bleuprint"

    def test_a_user_without_a_home(self, monkeypatch: pytest.MonkeyPatch, model: Path) -> None:
        for name in ("BLEUPRINT_DATA", "XDG_DATA_HOME"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr("bleuprint.files.sys.platform", "linux")
        monkeypatch.setattr("os.path.expanduser", str)
        assert piece_models.list_models() == []
        with pytest.raises(OptionError, match="set BLEUPRINT_DATA to a folder"):
            piece_models.add("flores200", model)

    def test_it_does_not_depend_on_the_current_folder(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BLEUPRINT_DATA", "data")
        with pytest.raises(OptionError, match="BLEUPRINT_DATA must be the absolute path of a folder, got 'data'"):
            data_folder()
