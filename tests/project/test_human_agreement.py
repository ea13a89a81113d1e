"""The tables of bench/tables/agreement.md, on made-up ratings: the real ones are not part of the repository."""

from __future__ import annotations

import io
import lzma
import tarfile
from pathlib import Path

import pytest

import bleuprint as bp
from tests.support.rated import rated_rows
from tools import human_agreement


def test_a_table_has_a_row_per_metric_and_a_column_per_data_set() -> None:
    results = {
        "one": bp.meta(rated_rows(10, 3), "rating", metrics=["bleu", "exact-match"], samples=30, permutations=49),
        "two": bp.meta(rated_rows(10, 3, seed=2), "rating", metrics=["bleu"], samples=30, permutations=49),
    }
    text = human_agreement.document(results)
    assert text.startswith("### Segments\n\n| metric | one<br>(30 outputs) | two<br>(30 outputs) |\n|---|---:|---:|\n")
    bleu = results["one"].level("rating").metric("bleu").statistics["pearson"]
    assert f"{bleu.value:.2f}" in text
    assert "\n- two: " in text
    assert "### Systems" in text


def test_crowd_ratings_are_joined_with_the_rated_lines(tmp_path: Path) -> None:
    folder = tmp_path / "human" / "wmt22-da"
    folder.mkdir(parents=True)
    rated = "system\tsegment\traw\tz\tjudgements\nA\t2\t50\t0.5\t1\nB\t1\t60\t0.6\t1\n"
    (folder / "cs-en.tsv.xz").write_bytes(lzma.compress(rated.encode()))
    with tarfile.open(tmp_path / "wmt22.tar.xz", "w:xz") as archive:
        for name in ("src.cs", "ref.A.en", "hyp.A.en", "hyp.B.en"):
            content = f"{name} 1\n{name} 2\n".encode()
            member = tarfile.TarInfo(f"./txt/x/generaltest2022.cs-en.{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    first, second = human_agreement.crowd_rows(tmp_path, ["cs-en"])["cs-en"]
    assert (first["source"], first["hypothesis"], first["reference"]) == ("src.cs 2", "hyp.A.en 2", "ref.A.en 2")
    assert (second["system"], second["hypothesis"], second["z"]) == ("B", "hyp.B.en 1", "0.6")


@pytest.mark.parametrize("marker", [human_agreement.BEGIN, human_agreement.END])
def test_the_page_has_the_markers(marker: str) -> None:
    assert human_agreement.PAGE.read_text(encoding="utf-8").count(marker) == 1
