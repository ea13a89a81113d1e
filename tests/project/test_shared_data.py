"""The data of the tests: fetched by checksum, and the sample that stands in for it."""

from __future__ import annotations

import hashlib
import io
import lzma
import tarfile
from pathlib import Path

import pytest

from tests.support import wmt22
from tools import shared_data


@pytest.fixture
def origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files and the list of their checksums."""
    folder, sums = tmp_path / "origin", tmp_path / "SHA256SUMS"
    (folder / "kenlm").mkdir(parents=True)
    lines = []
    for name in ("one.xz", "kenlm/two.xz"):
        (folder / name).write_bytes(name.encode())
        lines.append(f"{hashlib.sha256(name.encode()).hexdigest()}  {name}\n")
    sums.write_text("".join(lines), encoding="utf-8")
    monkeypatch.setattr(shared_data, "SUMS", sums)
    return folder


@pytest.mark.parametrize("address", [False, True])
def test_files_are_fetched_from_a_folder_or_an_address(
    origin: Path, tmp_path: Path, address: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "target"
    for said in ("bytes", "there already"):
        assert shared_data.fetch(origin.as_uri() if address else str(origin), target) == 0
        assert capsys.readouterr().out.count(said) == 2
    assert (target / "kenlm" / "two.xz").read_bytes() == b"kenlm/two.xz"


def test_a_file_that_is_another_or_missing_is_not_kept(
    origin: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "target"
    (origin / "one.xz").write_bytes(b"forged")
    (origin / "kenlm" / "two.xz").unlink()
    assert shared_data.fetch(str(origin), target) == 1
    said = capsys.readouterr().err
    assert "one.xz: its SHA-256 is not that of SHA256SUMS, so it was not kept" in said
    assert "kenlm/two.xz: cannot be read" in said
    assert not target.exists()


def test_the_list_names_all_the_data() -> None:
    lines = [line.split("  ") for line in shared_data.SUMS.read_text(encoding="utf-8").splitlines()]
    assert {name.partition("/")[0] for _, name in lines} == {"wmt22.tar.xz", "kenlm", "human"}
    assert all(len(digest) == 64 for digest, _ in lines)


def test_the_sample_is_small_and_has_published_scores(tmp_path: Path) -> None:
    assert wmt22.SAMPLE.stat().st_size < 1_000_000
    with tarfile.open(wmt22.SAMPLE) as tar:
        wmt22.extract(tar, tmp_path)
    data = wmt22.Wmt22(tmp_path)
    assert not data.is_whole
    assert {row.pair for row in data.published("bleu")} == set(shared_data.WHOLE)
    assert all(len(data.output(row.pair, row.system)) > shared_data.CUT for row in data.published("chrf"))


def test_a_sample_keeps_whole_systems_and_cuts_the_others(tmp_path: Path) -> None:
    lines = "".join(f"line {number}\n" for number in range(shared_data.CUT + 5))
    texts = {
        f"./txt/{kind}": lines
        for kind in (
            "references/generaltest2022.en-ja.ref.A.ja",
            "system-outputs/generaltest2022.en-ja.hyp.Online-B.ja",
            "system-outputs/generaltest2022.en-ja.hyp.KYB.ja",
            "system-outputs/generaltest2022.cs-en.hyp.Online-B.en",
        )
    }
    head = "pair\tsystem\tid\tis_constrained\tmetric\tscore\n"
    rows = [
        f"{pair}\t{system}\t1\tTRUE\tbleu-A\t1.0\n" for pair in ("en-ja", "cs-en") for system in ("Online-B", "KYB")
    ]
    texts[f"./{wmt22.SCORES}"] = head + "".join(rows)
    with tarfile.open(tmp_path / "whole.tar", "w") as tar:
        for name, text in texts.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    packed = shared_data.sample(tmp_path / "whole.tar")
    assert packed == shared_data.sample(tmp_path / "whole.tar")
    with tarfile.open(fileobj=io.BytesIO(lzma.decompress(packed))) as tar:
        wmt22.extract(tar, tmp_path)
    data = wmt22.Wmt22(tmp_path)
    assert data.systems("en-ja") == ["Online-B"]
    assert len(data.output("en-ja", "Online-B")) == len(data.references("en-ja")[0]) == shared_data.CUT + 5
    assert len(data.output("cs-en", "Online-B")) == shared_data.CUT
    assert [(row.pair, row.system) for row in data.published("bleu")] == [("en-ja", "Online-B")]
