"""The page from file://, as a translator uses it: the package's numbers, by mouse and keyboard, for any text."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bleuprint as bp
from bleuprint.metrics import CER, MER, WER, WIL, WIP
from bleuprint.results import Result
from tests.report.browser.conftest import Opened
from tests.report.browser.test_access import violations
from tests.support.cli import succeed
from tests.support.wmt22 import Wmt22
from tests.vectors.ours import METRICS
from tests.web.conftest import Open
from tests.web.test_module import jobs, question, vectors
from tools import web_module, web_page

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload

DEMO = {"A": "system-a.txt", "B": "system-b.txt", "C": "system-c.txt"}
OTHERS = ["mer", "wil", "wip", "cer"]  # which the page computes if they are chosen
NAMES = ["bleu", "chrf", "ter", "rouge", "wer", *OTHERS, "self-bleu"]

RATES: dict[str, Any] = {"wer": WER, "mer": MER, "wil": WIL, "wip": WIP, "cer": CER}


def lines(name: str) -> list[str]:
    return (web_page.SAMPLE / name).read_text("utf-8").splitlines()


def demo() -> Result:
    references = [list(pair) for pair in zip(lines("ref-1.txt"), lines("ref-2.txt"), strict=True)]
    outputs = {name: lines(file) for name, file in DEMO.items()}
    return bp.evaluate(outputs, references, metrics=NAMES, sources=lines("source.txt"))


def done(opened: Opened) -> None:
    """Wait for the list of segments, which comes last."""
    opened.page.wait_for_selector("#browser:not([hidden])", state="attached")
    opened.until("!place('score').hidden")


def paste(opened: Opened, *texts: str) -> None:
    for place, text in enumerate(texts):
        opened.page.locator("#slots textarea").nth(place).fill(text)


def upload(opened: Opened, *files: tuple[str, bytes]) -> None:
    """Open files by the button; a script's own files, as the page gets no path."""
    payloads: list[FilePayload] = [
        {"name": name, "mimeType": "text/plain", "buffer": content} for name, content in files
    ]
    opened.page.set_input_files("#files", payloads)


def saved(opened: Opened, folder: Path) -> Path:
    with opened.page.expect_download() as download:
        opened.page.click("#save-result")
    path = folder / "result.json"
    download.value.save_as(path)
    return path


def choose_others(opened: Opened) -> None:
    """Score again with the metrics that the examples leave out."""
    for name in OTHERS:
        opened.page.check(f"[value={name}]")
    opened.page.click("#score")
    done(opened)


def test_the_file_is_small(built: Path) -> None:
    assert built.stat().st_size < 1_500_000
    text = built.read_text("utf-8")
    assert "default-src &#39;none&#39;" in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text


def test_the_example_has_the_numbers_of_the_package_and_is_read_by_it(open_page: Open, tmp_path: Path) -> None:
    opened, expected = open_page(), demo()
    opened.page.click("#try")
    done(opened)
    assert 0 < opened.run("document.querySelector('#results table').getBoundingClientRect().top") < 450
    choose_others(opened)
    path = saved(opened, tmp_path)
    found = Result.read_json(path)
    assert [system.name for system in found.systems] == ["A", "B", "C"]
    for system in expected.systems:
        for score in system.scores:
            own = found.system(system.name).score(score.metric)
            assert (own.value, own.segments, own.unit) == (score.value, score.segments, score.unit)
            assert (own.signature, own.segment_signature) == (score.signature, score.segment_signature)
            assert own.parts == score.parts
    assert found.digests == expected.digests
    assert (found.references, found.sources) == (expected.references, expected.sources)
    succeed("report", str(path), "-o", str(tmp_path / "report.html"))
    succeed("gate", str(path), "--baseline", str(path), "--max-drop", "0.005")
    cell = opened.page.locator("#results tbody tr").first.locator("td").first
    assert f"{expected.system('A').score('bleu').value:.4f}" in cell.inner_text()


def test_intervals_and_verdicts_are_those_of_the_package(open_page: Open) -> None:
    opened = open_page()
    opened.page.click("#try")
    done(opened)
    choose_others(opened)
    references = [list(pair) for pair in zip(lines("ref-1.txt"), lines("ref-2.txt"), strict=True)]
    outputs: dict[str, Any] = {name: lines(file) for name, file in DEMO.items()}
    words = opened.page.locator("#verdicts").inner_text()
    table = opened.page.locator("#results tbody").inner_text()
    for metric in NAMES[:-1]:
        compared = bp.compare(outputs, references, metrics=[metric]).metrics[0].result
        for pair in compared.pairs:
            assert pair.verdict in words
        for system in compared.systems:
            assert f"[{system.score.low:.4f}, {system.score.high:.4f}]" in table


def test_pasted_texts_with_choices(open_page: Open) -> None:
    opened = open_page()
    outputs, wanted = ["The Cat sat, quoth he.", "a dog"], ["the cat sat; quoth he.", "a dog barks"]
    paste(opened, "\n".join(outputs), "\n".join(wanted) + "\n")
    opened.page.select_option("#tokenizer", "intl")
    opened.page.select_option("#smoothing", "add-k(1)")
    opened.page.check("#lowercase")
    opened.page.click("#score")
    done(opened)
    score = bp.corpus_bleu(outputs, wanted, tokenizer="intl", smoothing="add-k(1)", lowercase=True)
    assert f"{score.value:.4f}" in opened.page.locator("#results tbody td").first.inner_text()
    signature = opened.page.locator("#signatures code").first.inner_text().replace("\n", "")
    assert signature == score.signature
    assert score.signature in opened.run("asMarkdown()")
    assert opened.run("asMarkdown()").startswith("| System | BLEU ↑ | chrF ↑ | TER ↓ |")
    assert "\\begin{tabular}{lrrrrr}" in opened.run("asLatex()")


def test_self_bleu_of_one_file(open_page: Open) -> None:
    opened = open_page()
    texts = ["the cat sat on the mat", "the cat sat on a mat", "dogs bark at night"]
    paste(opened, "\n".join(texts))
    for name in ("bleu", "chrf", "ter", "rouge", "wer"):
        opened.page.uncheck(f"[value={name}]")
    opened.page.check("[value=self-bleu]")
    opened.page.click("#score")
    done(opened)
    expected = bp.self_bleu(texts).value
    assert opened.page.locator("#results tbody td").first.inner_text() == f"{expected:.4f}"


@pytest.mark.parametrize("width", [1440, 390])
def test_segments_are_highlighted_with_their_arithmetic(open_page: Open, width: int) -> None:
    opened = open_page(width)
    opened.page.click("#try-worked")
    done(opened)
    if width == 390:
        opened.page.click("#to-segments")
    opened.run("set({order: 'place'})")
    opened.until("document.querySelector('#detail .t') !== null")
    assert opened.page.locator("#detail .text .m3").count() > 0
    opened.run("document.querySelector('.work-steps').open = true")
    opened.until("document.querySelector('.work h4') !== null")
    words = opened.page.locator(".work").inner_text()
    assert "Clipped matches of order 2" in words
    assert "cat is" in words
    score = bp.sentence_bleu("the cat is on the mat", "there is a cat on the mat", smoothing="floor(0.1)")
    assert f"= {score.value:.4f}" in words
    assert opened.run("document.documentElement.scrollWidth") <= width
    opened.run("set({metric: 2})")
    opened.until("document.querySelector('#detail .edits') !== null")


def test_error_rates_show_their_edits_and_arithmetic(open_page: Open) -> None:
    opened = open_page()
    output, wanted = "the cat sat here on a mat", "a cat sat on the mat"
    paste(opened, f"{output}\nx\n\n", f"{wanted}\n\nx\n")
    opened.page.uncheck("[value=ter]")
    choose_others(opened)
    opened.page.wait_for_selector("#detail .t")
    for number, name in enumerate(RATES, start=3):
        for place, pair in enumerate([(output, wanted), ("x", ""), ("", "x")]):
            opened.run(f"set({{metric: {number}, order: 'place'}}); choose({place})")
            opened.until(f"document.querySelector('#detail h3').textContent === 'Segment {place + 1}'")
            opened.run("document.querySelector('.work-steps').open = true")
            opened.until("document.querySelector('.work .equation') !== null")
            score = RATES[name]().sentence(*pair).value
            equation = opened.page.locator(".work .equation").inner_text()
            assert equation.startswith(f"{name.upper()} = ")
            assert f" = {score:.4f}" in equation, (name, pair)


def test_scores_go_with_the_worker_that_counted_them(open_page: Open) -> None:
    opened = open_page()
    opened.page.click("#try-worked")
    done(opened)
    paste(opened, "a\nb\nc")
    opened.page.click("#score")
    opened.until("!document.querySelector('#problem').hidden && document.querySelector('#cancel').hidden")
    assert (
        not opened.page.locator("#results, #segments, #switch")
        .or_(opened.page.locator("#show-segments"))
        .filter(visible=True)
        .count()
    )
    opened.page.locator("h1").click()
    for key in "sjkxc":
        opened.page.keyboard.press(key)
    paste(opened, "a\nb", "a\nb")
    opened.page.click("#score")
    done(opened)
    assert opened.page.locator("#segments").is_visible()


def test_the_whole_job_by_keyboard(open_page: Open) -> None:
    opened = open_page()
    keyboard = opened.page.keyboard

    def tab_to(condition: str) -> None:
        for _ in range(60):
            keyboard.press("Tab")
            if opened.run(f"document.activeElement.matches({condition!r})"):
                return
        raise AssertionError(f"the keyboard never came to {condition}")

    tab_to("#slots > :nth-child(1) textarea")
    keyboard.type("the cat sat on the mat\na dog")
    tab_to("#slots > :nth-child(2) textarea")
    keyboard.type("the cat sat on a mat\na dog")
    tab_to("#score")
    keyboard.press("Enter")
    done(opened)
    assert opened.run("document.activeElement.id") == "results"
    keyboard.press("s")
    assert opened.run("document.activeElement.id") == "list"
    before = opened.run("state.chosen")
    keyboard.press("ArrowDown")
    assert opened.run("state.chosen") != before
    opened.until("document.querySelector('#detail h3').textContent === `Segment ${state.chosen + 1}`")
    tab_to(".what-if > summary")
    keyboard.press("Enter")
    opened.until("document.querySelector('.edited') !== null")
    tab_to(".edited")
    keyboard.press("End")
    keyboard.type(" again")
    opened.until("document.querySelector('.what-if [aria-busy=\"false\"] td') !== null")
    assert "again" in opened.page.locator(".what-if .text").inner_text()
    keyboard.press("Escape")
    keyboard.press("/")
    keyboard.type("dog")
    opened.searched()
    assert opened.page.locator("#found").inner_text() == "1 of 2 segments"
    keyboard.press("Escape")
    keyboard.press("?")
    assert opened.page.locator("#sheet").is_visible()
    keyboard.press("Escape")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_the_page_breaks_no_rule_of_access(open_page: Open, width: int, scheme: Any) -> None:
    opened = open_page(width)
    opened.page.emulate_media(color_scheme=scheme)
    assert violations(opened) == []
    opened.page.click("#try")
    done(opened)
    opened.until("document.querySelector('#detail .t') !== null")
    opened.run("for (const details of document.querySelectorAll('details')) details.open = true")
    assert violations(opened) == []
    assert opened.run("document.documentElement.scrollWidth") <= width
    if width == 390:
        opened.page.click("#to-segments")
        assert violations(opened) == []


def test_problems_are_told_in_one_line(open_page: Open) -> None:
    opened = open_page()

    def problem() -> str:
        opened.page.click("#score")
        opened.until("!document.querySelector('#problem').hidden && document.querySelector('#cancel').hidden")
        return opened.page.locator("#problem").inner_text()

    assert problem() == "There are no outputs yet: paste some, or open a file."
    paste(opened, "a\nb", "a\nb\nc")
    assert problem().startswith("“reference 1” has 3 lines, but “system A” has 2")
    paste(opened, "a\nb", "")
    assert problem().startswith("Add references, or choose Self-BLEU")
    opened.page.locator("#slots textarea").first.evaluate("field => { field.value = 'half \\ud83d of it' }")
    assert "lone surrogate" in problem()
    upload(opened, ("broken.txt", b"fine\nnot \xff fine\n"))
    opened.run("for (const slot of slots()) if (!slot.fileOfTexts) slot.remove()")
    upload(opened, ("reference.txt", b"fine\nfine\n"))
    assert problem().startswith("“broken”: line 2: byte 5 belongs to no UTF-8 sequence")


HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(2)>",
    "</script><svg onload=alert(3)>",
    "\u202eright to left\u202c \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "a NUL \0 in \x1b[31mit",
    "javascript:alert(4) =cmd|'/c calc'!A0",
    "🏳️‍🌈 family 👩‍👩‍👧‍👦 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L",
    "x" * 1_000_000,
    "word " * 200_000,
]


def test_hostile_texts_are_only_texts(open_page: Open, tmp_path: Path) -> None:
    opened = open_page()
    texts = "\n".join(HOSTILE).encode()
    upload(opened, ("<b>out</b>.txt", texts), ("ref.txt", texts))
    for name in ("ter", "wer", "rouge"):  # quadratic in a line of a million letters
        opened.page.uncheck(f"[value={name}]")
    opened.page.click("#score")
    done(opened)
    assert opened.page.locator("#results tbody th").inner_text() == "<b>out</b>"
    assert opened.page.locator("#results tbody td").first.locator(".score").inner_text() == "1.0000"
    for place in range(len(HOSTILE)):
        opened.run(f"choose({place})")
        opened.until(f"document.querySelector('#detail h3').textContent.startsWith('Segment {place + 1}')")
    assert opened.run("document.querySelectorAll('#detail img, #detail svg, #detail script, b b').length") == 0
    found = Result.read_json(saved(opened, tmp_path))
    assert list(found.systems[0].hypotheses) == HOSTILE


def test_a_file_of_100_mb_is_scored_beside_a_living_page_and_can_be_cancelled(open_page: Open, tmp_path: Path) -> None:
    chance = random.Random(1)
    words = [f"word{number}" for number in range(5000)]
    some = [" ".join(chance.choices(words, k=12)) for _ in range(20_000)]
    outputs = [some[place % len(some)] + f" {place}" for place in range(1_000_000)]
    wanted = [some[(place + place // 7 % 2) % len(some)] for place in range(1_000_000)]
    (tmp_path / "output.txt").write_text("\n".join(outputs) + "\n")
    (tmp_path / "reference.txt").write_text("\n".join(wanted) + "\n")
    assert (tmp_path / "output.txt").stat().st_size > 100_000_000
    opened = open_page()
    for name in ("chrf", "ter", "rouge", "wer"):
        opened.page.uncheck(f"[value={name}]")
    opened.page.set_input_files("#files", [tmp_path / "output.txt", tmp_path / "reference.txt"])
    opened.page.click("#score")
    opened.until("document.querySelector('#progress').value > 0")
    opened.page.click("#cancel")
    opened.until("!document.querySelector('#problem').hidden")
    assert opened.page.locator("#problem").inner_text() == "Cancelled"
    opened.page.click("#score")
    ticks = opened.run(
        """async () => {
          let ticks = 0;
          while (place("cancel").hidden === false) { await new Promise((next) => setTimeout(next, 20)); ticks += 1; }
          return ticks;
        }"""
    )
    assert ticks > 10
    done(opened)
    expected = bp.corpus_bleu(outputs, wanted).value
    assert opened.run("summary.metrics[0].systems[0].score") == expected
    assert "20,000 segments that score worst of 1,000,000" in opened.page.locator("#browser").inner_text()


# ---- The module itself in Chromium. ----


def harness(folder: Path) -> Path:
    """A page with nothing but the npm package, for what takes too long by hand."""
    glue, module = web_module.build()
    package = web_module.ROOT / "web" / "npm"
    core, index, vectors = ((package / f"{name}.mjs").read_text("utf-8") for name in ("core", "index", "vectors"))
    index = re.sub(r"^(import|export \{).*$", "", index, flags=re.MULTILINE).replace("await moduleBytes()", "bytes")
    names = ", ".join(re.findall(r"^export (?:const|function) (\w+)", index, flags=re.MULTILINE))
    vectors = re.sub(r"^import .*$", "", vectors, flags=re.MULTILINE).replace("export default", "window.vectors =")
    parts = [f"const bytes = Uint8Array.from({json.dumps(list(module.read_bytes()))});", core, index]
    parts += [f"const bleuprint = {{ {names} }};\nwindow.bleuprint = bleuprint;", vectors]
    script = web_page.without_modules("\n".join(parts))
    path = folder / "module.html"
    html = f'<!DOCTYPE html><script>{glue.read_text()}</script><script type="module">{script}</script>'
    path.write_text(html, "utf-8")
    return path


def open_module(open_page: Open, folder: Path) -> Opened:
    opened = open_page(path=harness(folder))
    opened.until("window.vectors !== undefined")
    return opened


def test_wmt22_scores_are_equal_to_the_last_bit_in_chromium(open_page: Open, tmp_path: Path, wmt22_data: Wmt22) -> None:
    opened = open_module(open_page, tmp_path)
    asked, expected = jobs(wmt22_data)
    opened.run("() => { window.texts = {}; }")
    for path in sorted({name for job in asked for name in (job["output"], *job["references"])}):
        text = Path(path).read_bytes().decode().removesuffix("\n")
        opened.run("([path, text]) => { texts[path] = text.split('\\n'); }", [path, text])
    score = """({metric, options, output, references}) => {
      const groups = texts[output].map((_, at) => references.map((path) => texts[path][at]));
      return bleuprint[metric](texts[output], groups, options).score;
    }"""
    differing = [job for job, value in zip(asked, expected, strict=True) if opened.run(score, job) != value]
    assert not differing


def test_metric_vectors_are_equal_to_the_last_bit_in_chromium(open_page: Open, tmp_path: Path) -> None:
    opened = open_module(open_page, tmp_path)
    for vector in vectors():
        found = opened.run("question => vectors[question.metric](question)", question(vector))
        if found is not None:
            assert vector.passed_by(found), vector.id
            assert found == METRICS[vector.metric](vector.case), vector.id
