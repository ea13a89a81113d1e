"""Tables for papers, pull requests, notebooks and spreadsheets: one table, drawn in several ways."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import bleuprint as bp
from bleuprint.dataset import DatasetItem
from bleuprint.errors import OptionError, OutputError
from bleuprint.metrics import cards, registry
from bleuprint.results import Result, methods
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.results.naming import sacrebleu_signature, short_signature
from tests.report.test_page import HOSTILE

WORDS = [f"{first}{second}" for first in "cdhpf" for second in ("at", "og", "en", "ox")]
REFERENCES = [f"the {word} sat on the mat" for word in WORDS]
SYSTEMS = {
    "good_1": [*REFERENCES[:-1], "the cat"],
    "fair & 50%": [f"a {word} sat on the mat" for word in WORDS],
    "poor|x": [f"{word} is here" for word in WORDS],
}


@cache
def comparison(baseline: str | None = None) -> bp.Comparison:
    settings: dict[str, Any] = {"test": "approximate-randomization", "resamples": 500}
    return bp.compare(SYSTEMS, REFERENCES, metrics=["bleu", "ter"], baseline=baseline, **settings)


@cache
def compared() -> Result:
    return dataclasses.replace(bp.evaluate(SYSTEMS, REFERENCES, metrics=["bleu", "ter"]), comparison=comparison())


@cache
def run() -> Any:
    pairs = zip(SYSTEMS["fair & 50%"], REFERENCES, strict=True)
    items = [DatasetItem(actual_output=output, expected_output=expected) for output, expected in pairs]
    return bp.MetricRunner(["item-bleu", "chrf"]).run_sync(items)


SHOWN: dict[str, Callable[[], Any]] = {
    "result": lambda: bp.evaluate(SYSTEMS, REFERENCES, metrics=["bleu", "ter"]),
    "compared result": compared,
    "comparison": comparison,
    "comparison with a baseline": lambda: comparison(baseline="fair & 50%"),
    "run": run,
    "item": lambda: run()[0],
    "verdict": lambda: run()[0].verdicts[0],
    "gate report": lambda: bp.gate(compared(), minimum={"bleu": 0.5}),
    "diversity": lambda: bp.diversity(REFERENCES),
    "explanation": lambda: bp.explain(SYSTEMS["poor|x"], REFERENCES, "moses", "axion"),
}


def rendered_table(markdown: str) -> list[list[str]]:
    """The cells of the first table, as a reader of Markdown sees them."""
    rows: list[list[str]] = []
    for token in MarkdownIt("gfm-like", {"linkify": False}).parse(markdown):
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        if token.type == "inline" and rows:
            rows[-1].append("".join(child.content for child in token.children or ()))
    return rows


@pytest.mark.parametrize("name", SHOWN)
def test_every_way_to_draw_a_table_shows_the_same(name: str) -> None:
    shown = SHOWN[name]()
    table = shown.display()[0]
    frame, text = pd.read_csv(io.StringIO(table.csv()), keep_default_na=False), table.text()
    assert [name for name in frame.columns if not name.endswith((" low", " high"))] == list(table.header)
    assert len(frame) == len(table.rows)
    assert rendered_table(table.markdown())[1:] == [[cell.plain for cell in row] for row in table.rows]
    html = shown._repr_html_()
    latex = shown.to_latex()
    assert latex.count(r"\toprule") == latex.count(r"\end{table}") == 1
    for row in table.rows:
        for cell in row:
            assert all(word in text for word in cell.plain.split())
            assert cell.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") in html
    assert shown.pretty()
    assert shown.to_markdown()
    assert isinstance(shown.to_csv(), str)
    assert isinstance(shown.to_pandas(), pd.DataFrame)


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize("method", ["display", "pretty", "to_markdown", "to_latex"])
def test_a_misspelt_option_is_no_option(name: str, method: str) -> None:
    with pytest.raises(TypeError, match="precent"):
        getattr(SHOWN[name](), method)(precent=True)


def test_a_verdict_in_percent() -> None:
    verdict = bp.SentenceBleu(threshold=0.7).score(
        DatasetItem(actual_output="the cat sat", expected_output="the cat sat on the mat")
    )
    first, *_ = verdict.pretty(percent=True).splitlines()
    assert first == f"item-bleu: {100 * verdict.score:.2f} ({verdict.band}), failed: threshold ≥ 70.00"


def test_the_best_is_bold_and_significance_is_marked() -> None:
    table = compared().display()[0]
    bleu, ter = ([row[column] for row in table.rows] for column in (1, 2))
    assert [cell.best for cell in bleu] == [True, False, False]
    assert [cell.best for cell in ter] == [True, False, False], "a lower TER is better"
    assert [cell.mark for cell in bleu] == ["", "†", "†"]
    latex = compared().to_latex(percent=True)
    assert rf"\textbf{{{100 * compared().systems[0].score('bleu').value:.2f}}}" in latex
    assert r"$^{\dagger}$" in latex
    assert "significantly worse than the best (p \\textless{} 0.05, paired approximate randomization test" in latex
    assert "Holm correction over 3 pairs" in latex
    assert r"\texttt{bleu\textbar{}\allowbreak{}nrefs:" in latex
    assert "good\\_1" in latex
    assert "fair \\& 50\\%" in latex


def test_marks_against_a_baseline() -> None:
    table = comparison(baseline="fair & 50%").display()[0]
    assert {row[0].text: row[1].mark for row in table.rows} == {"good_1": "†", "fair & 50%": "", "poor|x": "‡"}
    assert table.notes[0].startswith("†: significantly better than fair & 50%, ‡: significantly worse (p < 0.05, ")


def test_a_comparison_shows_its_pairs_as_a_matrix() -> None:
    shown = comparison()
    matrix = shown.display(level="matrix")[0]
    assert matrix.header == ("bleu", "good_1", "fair & 50%", "poor|x")
    assert [row[place + 1].text for place, row in enumerate(matrix.rows)] == ["", "", ""]
    pair = shown.metric("bleu").pair("good_1", "poor|x")
    assert matrix.rows[0][3].value == pair.difference.value
    assert matrix.rows[2][1].value == -pair.difference.value
    assert matrix.rows[0][3].mark == "*"
    assert len(shown.pretty().splitlines()) < 30
    assert "is better than" not in shown.pretty()
    assert "good_1 is better than poor|x" in str(shown)
    pairs = shown.to_pandas("pairs")
    assert list(pairs["metric"]) == ["bleu"] * 3 + ["ter"] * 3
    assert pairs["corrected p"][0] == shown.metric("bleu").pairs[0].corrected_p_value
    with pytest.raises(OptionError, match="level must be one of systems, pairs, matrix, got 'x'"):
        shown.to_csv("x")


def test_intervals_on_request() -> None:
    score = comparison().metric("bleu").systems[0].score
    expected = f"{score.value:.4f} [{score.low:.4f}, {score.high:.4f}]"
    assert expected in comparison().pretty(intervals=True)
    assert expected in compared().pretty(intervals=True)
    assert "Brackets: 95 % confidence intervals." in compared().display(intervals=True)[0].notes


def test_percent_leaves_other_scales_alone() -> None:
    result = bp.evaluate(REFERENCES, REFERENCES, metrics=["bleu", "nist"])
    first, second = result.display(percent=True)[0].rows[0][1:]
    assert (first.text, second.text) == ("100.00", f"{result.systems[0].score('nist').value:.3f}")
    assert first.value == 100.0, "CSV has the scale that is shown"


def test_items_of_a_run() -> None:
    frame = run().to_pandas("items")
    assert list(frame.columns) == ["item", "item-bleu", "chrf", "outcome"]
    assert list(frame["item"]) == [f"segment {number}" for number in range(1, 21)]
    assert list(frame["outcome"]) == [item.passed for item in run()]


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(HOSTILE)


@given(NAMES, NAMES)
def test_texts_of_others_stay_in_their_cells(first: str, second: str) -> None:
    table = DisplayTable(("system", "note"), ((Cell(first, best=True), Cell(second)),), words=frozenset({0, 1}))
    assert len(rendered_table(table.markdown())[1]) == 2
    assert list(csv.reader(io.StringIO(table.csv(), newline="")))[1:]
    *_, row, _, _, _ = table.latex().splitlines()
    unescaped = re.sub(r"\\[{}$&#_%]", "", row.replace(r"\\", ""))
    assert unescaped.count("&") == 1
    assert "%" not in unescaped
    assert unescaped.count("{") == unescaped.count("}")
    assert "<script" not in table.html()
    assert "\x1b" not in table.text() + table.markdown() + table.latex() + table.html()


def test_the_methods_paragraph_names_everything() -> None:
    text = compared().methods_text()
    paragraph, notes, entries = text.split("\n\n", 2)
    assert "|" not in paragraph
    for score in compared().systems[0].scores:
        assert f"] {short_signature(score.signature)}\n" in notes
    for words in (
        "We score 3 systems on 20 segments with bleuprint",
        "BLEU (Papineni et al., 2002)",
        "Signatures follow sacreBLEU (Post, 2018)",
        "TER (Snover et al., 2006)",
        "Confidence intervals (95 %) allow for what so few segments cannot show (Clopper and Pearson, 1934)",
        "a paired approximate randomization test (500 samples) (Riezler and Maxwell, 2005)",
        "at p < 0.05",
        "the 3 pairs of each metric by Holm's method (Holm, 1979)",
    ):
        assert words in paragraph
    assert [line for line in entries.splitlines() if line.startswith("@")] == [
        "@inproceedings{papineni-etal-2002-bleu,",
        "@inproceedings{snover-etal-2006-study,",
        "@inproceedings{post-2018-call,",
        "@article{clopper-pearson-1934-fiducial,",
        "@inproceedings{riezler-maxwell-2005-pitfalls,",
        "@article{holm-1979-simple,",
    ]
    assert comparison().methods_text() == text
    assert r"~\cite{papineni-etal-2002-bleu}\footnote{\texttt{bleu" in compared().methods_text("latex")
    assert "BLEU (Papineni et al., 2002)[^1]" in compared().methods_text("markdown")
    assert "\n[^1]: `bleu|nrefs:1|" in compared().methods_text("markdown")
    assert "are tested with a paired approximate" in compared().methods_text("latex")
    assert "```bibtex\n@inproceedings" in compared().methods_text("markdown")
    assert "@" not in compared().methods_text(bibtex=False)
    with pytest.raises(OptionError, match="form must be one of text, markdown, latex"):
        compared().methods_text("html")  # type: ignore[arg-type]


def test_every_metric_can_be_cited() -> None:
    named = {name: cards.load(name).cite for name in cards.names()}
    assert set(registry.metrics()) <= set(named)
    used = {key for keys in named.values() for key in keys} | set(methods.METHODS.values())
    assert used == set(methods.entries()), "every key has an entry in papers.bib, and every entry is cited"
    for key in used:
        assert methods.in_text(key).split(", ")[1] in methods.entries()[key]


def test_entries_have_one_form_and_stand_in_order() -> None:
    text = (Path(cards.__file__).parent / "papers.bib").read_text(encoding="utf-8")
    entry = r"@[a-z]+\{[a-z]+(-[a-z]+)*-\d{4}-[a-z]+,\n(  [a-z]+ = \{.+\},\n)+\}"
    assert all(re.fullmatch(entry, written) for written in text.removesuffix("\n").split("\n\n"))
    keys = re.findall(r"^@[a-z]+\{(.+),$", text, flags=re.MULTILINE)
    assert keys == sorted(set(keys))


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("wu-etal-2016-google", "Wu et al., 2016"),
        ("popovic-2017-chrf", "Popović, 2017"),
        ("lavie-agarwal-2007-meteor", "Lavie and Agarwal, 2007"),
        ("post-2018-call", "Post, 2018"),
    ],
)
def test_a_paper_is_named_by_its_authors_and_year(key: str, expected: str) -> None:
    assert methods.in_text(key) == expected


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (bp.BLEU(), "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"),
        (bp.CHRF(beta=3), None),
        (bp.BLEU(max_order=2), None),
        (bp.GLEU(), None),
    ],
)
def test_the_signature_of_sacrebleu(metric: Any, expected: str | None) -> None:
    assert sacrebleu_signature(metric.corpus(["a"], ["a"]).signature) == expected


def test_the_report_in_a_notebook() -> None:
    result = bp.evaluate(["a b"], ["a b"])
    html = result.show(height=400)._repr_html_()
    assert html.startswith('<iframe srcdoc="&lt;!' if "&lt;" in html[:30] else '<iframe srcdoc="<!DOCTYPE html>')
    assert 'sandbox="allow-scripts allow-downloads"' in html
    assert "height:400px" in html
    with pytest.raises(OutputError, match=r"the page has .* MB and max_megabytes is 0.001; raise it, or write to_html"):
        result.show(max_megabytes=0.001)
    with pytest.raises(OptionError, match="height must be an integer from 100 to 10000"):
        result.show(height=0)


DOCUMENT = r"""\documentclass{article}
\usepackage{booktabs}
\begin{document}
%s
\end{document}
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SHOWN, "hostile", "methods"])
def test_latex_compiles(name: str, tmp_path: Path) -> None:
    if name == "hostile":
        names = [text for text in HOSTILE if text.strip() and text.isascii()]
        names += ["[a]", "*", "--", "^~\\{}%$#&_|<>'`"]
        cells = tuple((Cell(text, best=True, mark="†"), Cell("[x]*")) for text in names)
        content = DisplayTable(("system", "note"), cells, signatures={"note": "|".join(names)}).latex()
    elif name == "methods":
        content = compared().methods_text("latex", bibtex=False)
        content += "\\begin{thebibliography}{9}" + "".join(
            f"\\bibitem{{{key}}} {key}\n" for key in re.findall(r"@\w+\{([^,]+),", compared().methods_text())
        )
        content += "\\end{thebibliography}"
    else:
        content = SHOWN[name]().to_latex()
    (tmp_path / "paper.tex").write_text(DOCUMENT % content, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper.tex"]
    compiled = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=60)
    assert compiled.returncode == 0, compiled.stdout[-2000:]
    if name in {"result", "compared result", "comparison"}:
        assert "Overfull" not in compiled.stdout
