"""An output that is edited in the report or in the page: its new scores are those of the package, to the last bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from bleuprint.metrics import CER, MER, TER, WER, WIL, WIP
from bleuprint.report import render
from tests.report.browser.conftest import Opened
from tests.report.browser.test_access import violations
from tests.support.cli import refuse, succeed
from tests.web.conftest import Open
from tests.web.test_page import done, paste

OUTPUTS = {"A": ["The cat sat on the mat.", "a dog barks  at 7.5"], "B": ["the cat is on a mat", "Dogs bark"]}
REFERENCES = [["The cat sat on a mat.", "A cat was on the mat."], ["A dog barks at 7.5", "The dog barked"]]
EDITED = "The cat, “sat” <b>on</b> a MAT &quot;ok&quot; 猫\nÄRGER"
COUNTED: dict[str, Any] = {
    "bleu": bp.BLEU(tokenizer="intl", smoothing="add-k(0.5)", lowercase=True),
    "chrf": bp.CHRF(word_order=2),
    "ter": TER(normalized=True),
    "rouge": bp.ROUGE(types=("rougeL", "rouge1"), stemmer=True),
    "wer": WER(tokenizer="13a"),
    "mer": MER(lowercase=True),
    "wil": WIL(),
    "wip": WIP(),
    "cer": CER(whitespace="remove"),
}


def write_report(folder: Path, built: Path, metrics: dict[str, Any]) -> Path:
    result = bp.evaluate(OUTPUTS, REFERENCES, metrics=metrics)
    path = folder / "report.html"
    path.write_text(render(result, what_if=built), encoding="utf-8")
    return path


def open_editor(opened: Opened, place: int = 0) -> None:
    opened.page.wait_for_selector("#browser:not([hidden])", state="attached")
    opened.run(f"set({{first: 0, second: null}}); choose({place})")
    opened.until("document.querySelector('.what-if') !== null")
    opened.page.locator(".what-if > summary").click()
    opened.until("document.querySelector('.rescored') !== null")


def rows_of(opened: Opened) -> dict[str, list[str]]:
    """What each row says; of numbers all their digits."""
    found: dict[str, list[str]] = opened.run(
        """() => {
          const rows = Array.from(document.querySelectorAll(".rescored tbody tr"), (row) => Array.from(row.cells));
          const told = (cell) => cell.title || cell.textContent;
          const said = ([name, ...cells]) => [name.textContent.split(" ")[0], cells.map(told)];
          return Object.fromEntries(rows.map(said));
        }"""
    )
    return found


def rescored(opened: Opened, text: str) -> dict[str, list[str]]:
    opened.page.locator(".edited").fill(text)
    opened.until("document.querySelector('.what-if [aria-busy=\"false\"]') !== null")
    return rows_of(opened)


@pytest.mark.parametrize("place", [0, 1])
def test_the_report_rescores_an_edited_output(open_page: Open, built: Path, tmp_path: Path, place: int) -> None:
    opened = open_page(path=write_report(tmp_path, built, COUNTED))
    open_editor(opened, place)
    for text in (EDITED, "", REFERENCES[place][1]):
        found = rescored(opened, text)
        assert list(found) == list(COUNTED)
        for name, metric in COUNTED.items():
            before, after, _ = map(float, found[name])
            assert before == metric.sentence(OUTPUTS["A"][place], REFERENCES[place]).value
            assert after == metric.sentence(text, REFERENCES[place]).value, name
    assert opened.page.locator(".what-if .text").locator(".m3, .m4").count() >= 3
    assert violations(opened) == []
    assert opened.page.locator(".what-if b b").count() == 0


def test_what_the_module_cannot_count_is_said(open_page: Open, built: Path, tmp_path: Path) -> None:
    metrics = {"gleu": bp.GLEU(), "wer": WER(normalizer="squad"), "self-bleu": bp.SelfBLEU(), "chrf": bp.CHRF()}
    opened = open_page(path=write_report(tmp_path, built, metrics))
    open_editor(opened)
    found = rescored(opened, EDITED)
    assert "the metric must be one of bleu, chrf" in found["gleu"][0]
    assert "normalizer" in found["wer"][0]
    assert found["self-bleu"] == ["not counted by the module of this page: it scores all outputs together"]
    assert float(found["chrf"][1]) == bp.CHRF().sentence(EDITED, REFERENCES[0]).value
    opened.page.locator(".edited").evaluate(
        "field => { field.value = 'half \\ud83d'; field.dispatchEvent(new Event('input')); }"
    )
    opened.until("document.querySelector('.rescored').textContent.includes('lone surrogate')")


def test_a_score_that_the_module_does_not_reproduce_is_not_rescored(
    open_page: Open, built: Path, tmp_path: Path
) -> None:
    opened = open_page(path=write_report(tmp_path, built, {"chrf": bp.CHRF()}))
    opened.page.wait_for_selector("#browser:not([hidden])", state="attached")
    opened.run("data.scores[0][0][0] += 0.01")
    open_editor(opened)
    assert "for the output as it is, not" in rows_of(opened)["chrf"][0]


def test_a_text_that_is_shown_as_its_tokens(open_page: Open, built: Path, tmp_path: Path) -> None:
    """The letter İ has two letters in lower case: its tokens do not stand in the text. The report has them alone."""
    output, wanted, metric = "İstanbul, a city", "Istanbul is a city", bp.BLEU(lowercase=True)
    result = bp.evaluate([output], [wanted], metrics={"bleu": metric})
    path = tmp_path / "report.html"
    path.write_text(render(result, what_if=built), encoding="utf-8")
    opened = open_page(path=path)
    opened.page.wait_for_selector("#browser:not([hidden])", state="attached")
    opened.run("choose(0)")
    opened.page.locator(".what-if > summary").click()
    opened.until(
        "document.querySelector('.what-if').textContent.includes('kept the tokens of this segment, not its texts')"
    )
    opened = open_page()
    paste(opened, output, wanted)
    opened.page.check("#lowercase")
    opened.page.click("#score")
    done(opened)
    open_editor(opened)
    before, after, _ = map(float, rescored(opened, f"{output} is")["bleu"])
    assert before == metric.sentence(output, wanted).value
    assert after == metric.sentence(f"{output} is", wanted).value


def test_the_page_rescores_an_edited_output(open_page: Open) -> None:
    opened = open_page(390)
    paste(opened, "\n".join(OUTPUTS["B"]), "\n".join(texts[0] for texts in REFERENCES))
    for name in ("mer", "wil", "wip", "cer", "self-bleu"):
        opened.page.check(f"[value={name}]")
    opened.page.select_option("#tokenizer", "nltk")
    opened.page.click("#score")
    done(opened)
    opened.page.click("#to-segments")
    open_editor(opened)
    found = rescored(opened, EDITED)
    usual = {"bleu": bp.BLEU(tokenizer="nltk"), "chrf": bp.CHRF(), "ter": TER(), "rouge": bp.ROUGE(), "cer": CER()}
    rates = {kind.name: kind(tokenizer="nltk") for kind in (WER, MER, WIL, WIP)}
    for name, metric in {**usual, **rates}.items():
        assert float(found[name][1]) == metric.sentence(EDITED, REFERENCES[0][0]).value, name
    assert found["self-bleu"][0].endswith("it scores all outputs together")
    assert opened.run("document.documentElement.scrollWidth") <= 390
    assert violations(opened) == []


def test_only_a_report_that_was_asked_to_has_the_module(built: Path, tmp_path: Path) -> None:
    result = tmp_path / "result.json"
    result.write_text(bp.evaluate(OUTPUTS, REFERENCES, metrics=["bleu"]).to_json(), encoding="utf-8")
    plain, rescoring = tmp_path / "plain.html", tmp_path / "rescoring.html"
    succeed("report", str(result), "-o", str(plain))
    succeed("report", str(result), "-o", str(rescoring), "--what-if", str(built))
    for text in ('id="module"', 'id="worker"', "wasm-unsafe-eval", "new Worker("):
        assert text not in plain.read_text(encoding="utf-8")
        assert text in rescoring.read_text(encoding="utf-8")
    refuse("it is not the page that make web builds", "report", str(result), "--what-if", str(plain), "--force")
    refuse("it cannot be read", "report", str(result), "--what-if", str(tmp_path / "none.html"), "--force")
