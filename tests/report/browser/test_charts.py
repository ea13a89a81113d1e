"""Text of charts as Chromium sets it: inside of its picture, and never over other text."""

from __future__ import annotations

from bleuprint.report.pictures import alone
from tests.report.browser.conftest import Opening
from tests.report.test_charts import KINDS, every_chart, named

# Text in a box of its letters, which is lower than a line: 9 pixels above the baseline and 2 below.
MEASURE = """() => {
  const problems = [];
  for (const svg of document.querySelectorAll("body > svg")) {
    const frame = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll("text")].map((text) => {
      const box = text.getBoundingClientRect();
      const base = text.getScreenCTM().f + Number(text.getAttribute("y"));
      return { text: text.textContent, left: box.left, right: box.right, top: base - 9, bottom: base + 2 };
    });
    for (const box of boxes) {
      const inside = box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.bottom <= frame.bottom;
      if (!inside) problems.push(`${svg.classList}: ${box.text} leaves the picture`);
    }
    boxes.forEach((one, place) => {
      for (const other of boxes.slice(place + 1)) {
        const beside = one.right <= other.left + 1 || other.right <= one.left + 1;
        const above = one.bottom <= other.top || other.bottom <= one.top;
        if (!beside && !above) problems.push(`${svg.classList}: ${one.text} covers ${other.text}`);
      }
    });
  }
  return problems;
}"""


def test_text_never_collides_or_leaves_the_picture(open_page: Opening) -> None:
    pictures = [alone(drawn) for kind in KINDS for count in (1, 6) for drawn in every_chart(named(kind, count), 300.8)]
    opened = open_page(f"<!DOCTYPE html><meta charset='utf-8'><body>{''.join(pictures)}</body>", ready=False)
    assert opened.run(MEASURE) == []
