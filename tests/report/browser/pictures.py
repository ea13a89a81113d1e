"""Pictures of the report for docs/: python -m tests.report.browser.pictures FOLDER."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Page, sync_playwright

from bleuprint.report import render
from tests.report.browser.conftest import ARGUMENTS, chromium
from tests.report.browser.samples import ARABIC, JAPANESE, other_script, sample_page


class Picture(NamedTuple):
    html: str
    width: int
    height: int
    scheme: str
    script: str  # what is done before the picture is taken


def pictures() -> dict[str, Picture]:
    arabic, japanese = render(other_script(ARABIC, "13a")), render(other_script(JAPANESE, "char"))
    show = "place('segments').scrollIntoView(); light_longest()"
    return {
        "scores": Picture(sample_page(), 1280, 880, "light", ""),
        "segments": Picture(sample_page(), 1280, 880, "light", f"set({{low: 0.4, high: 0.6}}); {show}"),
        "segments-dark": Picture(sample_page(), 1280, 880, "dark", f"set({{chosen: 46, order: 'place'}}); {show}"),
        "charts-dark": Picture(sample_page(), 1280, 880, "dark", "place('origin').scrollIntoView()"),
        "arabic": Picture(arabic, 390, 900, "light", f"set({{order: 'place'}}); {show}"),
        "japanese": Picture(japanese, 390, 900, "dark", f"set({{order: 'place'}}); {show}"),
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
    from PIL import Image

    path = folder / "page.html"
    path.write_text(picture.html, encoding="utf-8")
    page.goto(path.as_uri())
    page.wait_for_selector("#browser:not([hidden])")
    page.evaluate(f"() => {{ {LIGHT} {picture.script} }}")
    page.wait_for_timeout(100)
    # 64 colours are enough for a page of few, and make a third of the bytes.
    drawn = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(64)
    packed = io.BytesIO()
    drawn.save(packed, "PNG", optimize=True)
    return packed.getvalue()


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
