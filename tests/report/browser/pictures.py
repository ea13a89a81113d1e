"""Pictures of the report for docs/: python -m tests.report.browser.pictures FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Page, sync_playwright

from bleuprint.report import render
from bleuprint.runners import evaluate
from tests.report.browser.conftest import ARGUMENTS, chromium, until
from tests.report.browser.samples import ARABIC, JAPANESE, other_script, sample_page
from tests.support.wmt22 import archive, read_lines, unpack


class Picture(NamedTuple):
    html: str
    width: int
    height: int
    scheme: str
    script: str  # what is done before the picture is taken


def pictures() -> dict[str, Picture]:
    arabic, japanese = render(other_script(ARABIC, "13a")), render(other_script(JAPANESE, "char"))
    show = "showSegments(); light_longest()"
    return {
        "scores": Picture(sample_page(), 1440, 900, "light", ""),
        "segments": Picture(sample_page(), 1440, 900, "light", f"set({{low: 0.4, high: 0.6}}); {show}"),
        "segments-dark": Picture(sample_page(), 1440, 900, "dark", f"set({{chosen: 46, order: 'place'}}); {show}"),
        "charts-dark": Picture(sample_page(), 1440, 900, "dark", "place('distribution').scrollIntoView()"),
        "arabic": Picture(arabic, 390, 844, "light", f"set({{order: 'place'}}); {show}"),
        "japanese": Picture(japanese, 390, 844, "dark", f"set({{order: 'place'}}); {show}"),
        **(wmt22() if archive().exists() else {}),
    }


def wmt22() -> dict[str, Picture]:
    """All systems of WMT22 English to German: pictures of the page alone, never its texts as data."""
    with TemporaryDirectory() as folder:
        data = unpack(Path(folder))
        sources = read_lines(Path(folder) / "txt" / "sources" / "generaltest2022.en-de.src.en")
        references = list(zip(*data.references("en-de", "A"), strict=True))
        systems = {name: data.output("en-de", name) for name in data.systems("en-de")}
        result = evaluate(systems, references, sources=sources, metrics=["bleu", "chrf", "ter"])
    # The archive does not say which domain a segment is of, so they are sorted by how their source ends.
    ends = {"?": "question", "!": "exclamation", ".": "statement"}
    kinds = [ends.get(source.rstrip()[-1:], "other") for source in sources]
    page = render(result, columns={"kind of sentence": kinds}, title="WMT22 English to German", date="2022-12-07")
    at = "place('{}').scrollIntoView()".format
    return {
        "wmt22-answer": Picture(page, 1440, 900, "light", ""),
        "wmt22-pairs": Picture(
            page,
            1440,
            900,
            "dark",
            f"document.querySelector('.matrix .pair').dispatchEvent(new Event('click')); {at('systems')}",
        ),
        "wmt22-parts": Picture(
            page, 1440, 900, "light", f"set({{group: {{group: 1, buckets: new Set([2])}}}}); {at('buckets')}"
        ),
        "wmt22-ngrams": Picture(
            page, 1440, 900, "light", f"document.querySelectorAll('#ngrams .go')[3].click(); {at('ngrams')}"
        ),
        "wmt22-wide": Picture(page, 2560, 1300, "dark", at("distribution")),
        "wmt22-phone": Picture(page, 390, 844, "light", ""),
    }


# Lights the longest match of the first output, as a pointer over it does.
LIGHT = """
function light_longest() {
  const spans = [...document.querySelectorAll(".outputs .text .t")];
  const best = spans.find((span) => span.classList.contains("m4")) ?? spans.find((span) => span.matches(".m3, .m2"));
  best?.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
}
"""


def take(page: Page, picture: Picture, folder: Path) -> bytes:
    path = folder / "page.html"
    path.write_text(picture.html, encoding="utf-8")
    page.goto(path.as_uri())
    until(page, "typeof state !== 'undefined' && state.chosen >= 0")
    page.evaluate(f"() => {{ {LIGHT} {picture.script} }}")
    page.wait_for_timeout(100)
    return page.screenshot()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, TemporaryDirectory() as temporary:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        for name, picture in pictures().items():
            context = browser.new_context(
                viewport={"width": picture.width, "height": picture.height},
                color_scheme="dark" if picture.scheme == "dark" else "light",
            )
            (folder / f"{name}.png").write_bytes(take(context.new_page(), picture, Path(temporary)))
            context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
