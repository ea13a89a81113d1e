"""The browser of segments: search, order, filters, marks, and choosing in a chart."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator

from bleuprint import BLEU
from bleuprint.report import render
from bleuprint.runners import evaluate
from tests.report.browser.conftest import Opened, Opening
from tests.report.browser.samples import large_page, sample_page
from tests.support.cli import SYSTEMS, lines, references
from tests.support.effort import part

TEXTS = [
    'He said "it\'s 3.5 m, not 4", and left.',
    "a &quot;b&quot; &amp; c &lt;d&gt; <skipped> e-\nf",
    "İstanbul ÇAĞ ΣΑΣ the THE The",
    "日本語のテキスト、です。🙂👩‍👩‍👧 a\u0301",
    "a b a b a c a b",
    "",
    "  x \u3000 y\x85z ",
]


def rows(opened: Opened) -> list[int]:
    """The segments in sight, in order."""
    opened.searched()
    found: list[int] = opened.run("[...document.querySelectorAll('.row')].map(row => Number(row.dataset.segment))")
    return found


def drag(opened: Opened, chart: Locator, begin: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag from one place in a chart to another, in its own units."""
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box is not None
    scale = box["width"] / float(chart.get_attribute("width") or 0)
    opened.page.mouse.move(box["x"] + begin[0] * scale, box["y"] + begin[1] * scale)
    opened.page.mouse.down()
    opened.page.mouse.move(box["x"] + end[0] * scale, box["y"] + end[1] * scale, steps=6)
    opened.page.mouse.up()


@pytest.mark.parametrize(
    "options",
    part(
        [
            {},
            {"lowercase": True},
            {"profile": "nltk"},
            {"tokenizer": "nltk"},
            {"tokenizer": "intl", "max_order": 6},
            {"tokenizer": "char", "lowercase": True},
            {"tokenizer": "zh"},
            {"tokenizer": "unicode-words"},
            {"tokenizer": "whitespace", "max_order": 2},
        ],
        2,
    ),
    ids=str,
)
def test_marked_matches_sum_to_those_of_the_score(open_page: Opening, options: dict[str, object]) -> None:
    """What is highlighted is what was counted: clipped matches and n-grams of every order, for every system."""
    turned = [text[::-1] for text in TEXTS]
    systems = {
        "one": lines("system-a") + TEXTS,
        "two": lines("system-b") + turned,
        "three": lines("system-c") + TEXTS[1:] + TEXTS[:1],
    }
    expected = references() + [
        (text + " the b", back + " a b", "a a a") for text, back in zip(TEXTS, turned, strict=True)
    ]
    result = evaluate(systems, expected, metrics={"bleu": BLEU(**options)})  # type: ignore[arg-type]
    opened = open_page(render(result))
    sums = """system => {
        const sums = Array.from({length: data.marking.orders}, () => [0, 0]);
        for (let index = 0; index < data.texts.length; index++) {
            segmentCounts(data, index, system).forEach(([match, total], order) => {
                sums[order][0] += match;
                sums[order][1] += total;
            });
        }
        return sums;
    }"""
    for number, system in enumerate(result.systems):
        parts = system.scores[0].parts
        totals = parts["totals"] if options.get("profile") != "nltk" else None
        counted = opened.run(sums, number)
        assert [match for match, _ in counted] == list(parts["matches"])  # type: ignore[arg-type]
        if totals is not None:  # NLTK counts an order that a text is too short for as 0 of 1
            assert [total for _, total in counted] == list(totals)  # type: ignore[arg-type]


def test_the_marks_in_sight_are_the_counts_in_the_table(open_page: Opening) -> None:
    opened = open_page(sample_page())
    for index in (0, 7, 23):
        opened.run("index => set({chosen: index})", index)
        cells = opened.page.locator(".counts tbody td").all_inner_texts()
        single = [int(cell.split(" of ")[0]) for cell in cells[::4]]
        for place, matches in enumerate(single):
            output = opened.page.locator(".outputs .text").nth(place)
            assert output.locator(".t:not(.extra)").count() == matches


def test_search_narrows_the_list(open_page: Opening) -> None:
    opened = open_page(sample_page())
    opened.page.locator("#search").fill("BRIDGE")
    texts = zip(*(lines(name) for name in ("source", "ref-1", "ref-2", *SYSTEMS)), strict=True)
    expected = [place for place, group in enumerate(texts) if any("bridge" in text.lower() for text in group)]
    assert sorted(rows(opened)) == expected
    assert opened.count() == len(expected)
    opened.page.locator("#search").fill("no such words anywhere")
    assert opened.count() == 0
    assert "No segments match" in opened.page.locator("#detail").inner_text()
    opened.page.locator("#clear").click()
    assert opened.count() == 48
    assert opened.page.locator("#search").input_value() == ""


SLOW_SEARCH = """async () => {
  let time = 0;
  performance.now = () => (time += 15);  // every look at the clock takes most of a slice
  const search = place("search");
  const type = (query) => {
    search.value = query;
    search.dispatchEvent(new Event("input"));
  };
  type("a");
  set({ order: "longest" });
  const typed = search.value;
  type("4321.");
  let turns = 0;
  for (; underWay !== null; turns++) await new Promise((resolve) => setTimeout(resolve));
  return { typed, turns, query: state.query, order: state.order, found };
}"""


def test_search_leaves_the_page_time_for_other_work(open_page: Opening) -> None:
    opened = open_page(large_page())
    opened.run("new Promise((resolve) => whenSearchable(resolve))")
    answer = opened.run(SLOW_SEARCH)
    assert answer["turns"] > 10
    assert answer["typed"] == "a", "other changes leave what is typed"
    assert (answer["query"], answer["order"]) == ("4321.", "longest"), "the newest search is answered, no other"
    assert answer["found"] == opened.run("searched.flatMap((text, index) => (text.includes('4321.') ? [index] : []))")
    assert len(answer["found"]) == 1
    late = """async () => {
      let late = null;
      whenSearched("a", () => (late = "a"));
      set({ query: "" });
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setTimeout(resolve));
      return late;
    }"""
    assert opened.run(late) is None
    assert opened.count() == 5000, "a search that was cleared has no answer"


def test_orders(open_page: Opening) -> None:
    opened = open_page(sample_page())
    scores = opened.run("data.scores[0]")
    opened.run("set({first: 0, second: 1})")
    first, second = scores[0], scores[1]
    places = range(48)
    expected = {
        "worst": sorted(places, key=lambda place: first[place]),
        "best": sorted(places, key=lambda place: -first[place]),
        "difference": sorted(places, key=lambda place: second[place] - first[place]),
        "behind": sorted(places, key=lambda place: first[place] - second[place]),
        "place": list(places),
        "longest": sorted(places, key=lambda place: -len(lines("system-a")[place])),
    }
    for order, places_in_order in expected.items():
        opened.page.locator("#order").select_option(order)
        seen = rows(opened)
        assert len(seen) > 5
        assert seen == places_in_order[: len(seen)], order
    opened.page.locator("#order").select_option("worst")
    opened.page.locator("#metric").select_option("1")
    opened.run("set({order: 'worst'})")  # ter: lower is better, so the worst is the largest
    seen = rows(opened)
    ter = opened.run("data.scores[1][0]")
    assert seen == sorted(places, key=lambda place: -ter[place])[: len(seen)]


def test_a_range_of_scores_filters(open_page: Opening) -> None:
    opened = open_page(sample_page())
    scores = opened.run("data.scores[0][0]")
    opened.page.locator("#low").fill("0.4")
    opened.page.locator("#high").fill("0.7")
    assert opened.count() == sum(0.4 <= score < 0.7 for score in scores)
    opened.page.locator(".chip").click()
    assert opened.count() == 48
    opened.page.locator("#low").fill("1")
    assert opened.count() == sum(score >= 1 for score in scores)


def test_keys_move_through_the_list(open_page: Opening) -> None:
    opened = open_page(sample_page())
    opened.page.locator("#order").select_option("place")
    opened.page.locator("#list").focus()
    for key, expected in (("ArrowDown", 2), ("ArrowDown", 3), ("ArrowUp", 2), ("End", 48), ("Home", 1)):
        opened.page.keyboard.press(key)
        assert opened.page.locator("#detail h3").inner_text() == f"Segment {expected}"
        assert opened.page.locator('.row[aria-selected="true"]').count() == 1
        assert opened.page.locator("#list").get_attribute("aria-activedescendant") == f"row-{expected - 1}"


def test_hovering_a_match_lights_its_partner(open_page: Opening) -> None:
    result = evaluate({"one": ["the black cat sat here"]}, ["a black cat sat down"])
    opened = open_page(render(result))
    reference, output = opened.page.locator("#detail .text").all()
    output.locator(".t", has_text="cat").hover()
    assert output.locator(".t.lit").all_inner_texts() == ["black", "cat", "sat"]
    assert output.locator(".join.lit").count() == 2
    assert reference.locator(".t.lit").all_inner_texts() == ["black", "cat", "sat"]
    output.locator(".t", has_text="here").hover()
    assert opened.page.locator(".lit").count() == 0
    reference.focus()
    for _ in range(2):
        opened.page.keyboard.press("ArrowRight")
    assert output.locator(".t.lit").all_inner_texts() == ["black", "cat", "sat"]
    assert reference.locator(".missing").all_inner_texts() == ["a", "down"]
    assert output.locator(".extra").all_inner_texts() == ["the", "here"]
    assert output.locator(".t.m3").all_inner_texts() == ["black", "cat", "sat"]


def test_two_systems_side_by_side_show_where_they_differ(open_page: Opening) -> None:
    result = evaluate({"one": ["the cat sat on a mat"], "two": ["the dog sat on mat"]}, ["the cat sat on the mat"])
    opened = open_page(render(result))
    one, two = opened.page.locator(".outputs .text").all()
    assert one.locator(".differs").all_inner_texts() == ["cat", "a"]
    assert two.locator(".differs").all_inner_texts() == ["dog"]
    opened.page.locator("#second").select_option("0")
    assert opened.page.locator(".outputs .text").count() == 1
    assert opened.page.locator(".differs").count() == 1  # the legend


def counts_of(chart: Locator, system: str) -> list[int]:
    """How many segments of a system each column of a distribution says it has."""
    titles = [title.text_content() or "" for title in chart.locator(".pick title").all()]
    return [int(title.partition(f"{system} ")[2].split(",")[0]) for title in titles]


def test_clicking_and_dragging_over_columns_filters(open_page: Opening) -> None:
    opened = open_page(sample_page())
    chart = opened.page.locator("#distribution .distributions").first
    opened.run("set({first: 2, second: 0})")
    picks = chart.locator(".pick")
    counts = counts_of(chart, "system-c")
    assert sum(counts) == 48
    chosen = next(place for place, count in enumerate(counts) if count)
    picks.nth(chosen).click()
    assert opened.count() == counts[chosen]
    assert chart.locator(".pick.chosen").count() == 1
    assert opened.run("[state.metric, state.first, state.second]") == [0, 2, 0]
    picks.nth(chosen).click()
    assert opened.count() == 48
    begin, end = (float(picks.nth(place).locator(".hit").get_attribute("x") or 0) for place in (2, 13))
    top = float(picks.first.locator(".hit").get_attribute("y") or 0)
    drag(opened, chart, (begin + 2, top + 20), (end + 2, top + 20))
    assert opened.count() == sum(counts[2:14])
    assert chart.locator(".pick.chosen").count() == 12


def test_every_column_lists_what_it_counts(open_page: Opening) -> None:
    opened = open_page(large_page())
    chart = opened.page.locator("#distribution .distributions")
    for number, system in enumerate(("one", "two", "three")):
        opened.run("number => set({first: number})", number)
        listed = chart.evaluate(
            """svg => [...svg.querySelectorAll(".pick")].map(pick => {
                pickRange(pick, pick, false);
                return found.length;
            })"""
        )
        assert listed == counts_of(chart, system)
        assert sum(listed) == 5000
        opened.run("clearFilters()")


def test_columns_of_many_systems_are_chosen_one_by_one(open_page: Opening) -> None:
    outputs = {
        f"s{number}": ["a b c d", "a b x y", "p q"][number % 3 :] + ["a b c d"] * (number % 3) for number in range(6)
    }
    opened = open_page(render(evaluate(outputs, ["a b c d"] * 3)))
    chart = opened.page.locator("#distribution .distributions")
    assert chart.locator(".pick").count() == 6 * 20
    chart.locator('.pick[data-system="4"]').last.click()
    assert opened.run("[state.first, state.low, state.high]") == [4, 0.95, None]
    assert opened.count() == 1
    assert chart.locator(".pick.chosen").count() == 1


def test_parts_can_be_chosen_by_key(open_page: Opening) -> None:
    opened = open_page(sample_page())
    picks = opened.page.locator("#buckets .groups").first.locator(".pick")
    picks.first.focus()
    opened.page.keyboard.press("ArrowDown")
    opened.page.keyboard.press("Enter")
    note = picks.nth(1).locator("title").first.text_content() or ""
    assert f": {opened.count()} segments" in note
    assert picks.nth(1).get_attribute("aria-pressed") == "true"
    opened.page.keyboard.press("Enter")
    assert opened.count() == 48


def test_parts_of_a_column_filter(open_page: Opening) -> None:
    opened = open_page(sample_page())
    opened.page.locator("#buckets h3", has_text="domain").locator("+ figure .pick").nth(2).click()
    assert opened.count() == 16
    assert opened.page.locator(".chip").inner_text() == "domain: law ✕"


def test_a_cell_of_the_matrix_opens_its_pair(open_page: Opening) -> None:
    opened = open_page(sample_page())
    matrix = opened.page.locator("#systems .matrix").first
    cell = matrix.locator('.pair[data-first="1"][data-second="2"]')
    assert "system-b" in (cell.get_attribute("aria-label") or "")
    cell.click()
    assert opened.run("[state.first, state.second, state.metric, state.order]") == [1, 2, 0, "difference"]
    matrix.locator(".pair").first.focus()
    opened.page.keyboard.press("ArrowRight")
    opened.page.keyboard.press("Enter")
    cell = matrix.locator(".pair").nth(1)
    pair = [int(cell.get_attribute(f"data-{side}") or -1) for side in ("first", "second")]
    assert opened.run("[state.first, state.second]") == pair


def test_the_segments_of_two_systems_are_chosen_in_their_plot(open_page: Opening) -> None:
    opened = open_page(sample_page())
    opened.page.locator("#systems summary", has_text="segment by segment").first.click()
    chart = opened.page.locator("#systems .versus").first
    point = chart.locator(".outlier").first
    point.focus()
    opened.page.keyboard.press("Enter")
    first, second = map(int, (chart.get_attribute("data-systems") or "").split())
    assert opened.run("[state.first, state.second]") == [first, second]
    assert opened.run("state.chosen") == int(point.get_attribute("data-segment") or -1)
    left, top, right, bottom = map(float, (chart.get_attribute("data-box") or "").split())
    drag(opened, chart, ((left + right) / 2, bottom + 2), (right + 2, (top + bottom) / 2))
    x, y = opened.run("[state.box.x, state.box.y]")
    assert [x["system"], y["system"]] == [first, second]
    scores = opened.run("data.scores[0]")
    expected = sum(a >= x["low"] and b < y["high"] for a, b in zip(scores[first], scores[second], strict=True))
    assert opened.count() == expected


def test_ngrams_list_the_outputs_that_have_them(open_page: Opening) -> None:
    result = evaluate(
        {"one": ["a black cat", "the dog sat", "x"], "two": ["a white cat", "the dog ran", "y"]},
        ["a black cat", "the dog sat", "z"],
    )
    opened = open_page(render(result))
    opened.page.locator("#ngrams .go", has_text="black cat").first.click()
    assert rows(opened) == [0]
    assert opened.run("[state.first, state.second]") == [0, 1]
    assert opened.page.locator(".chip").inner_text().startswith("one with “")


def test_items_that_pass_or_fail(open_page: Opening) -> None:
    result = evaluate(
        {"one": ["a", "b", "c"], "two": ["a", "x", "x"]}, ["a", "b", "d"], metrics=["exact-match"], ids=["p", "q", "r"]
    )
    opened = open_page(render(result))
    texts = opened.page.locator("#items tbody tr").all_inner_texts()
    assert {text.replace("\t", " ") for text in texts} == {
        "all systems pass 1", "only one passes 1", "no system passes 1"
    }  # fmt: skip
    opened.page.locator("#items .go", has_text="only one passes").click()
    assert rows(opened) == [1]
    assert opened.page.locator("#detail h3").inner_text() == "Segment 2 · q"


def test_the_metric_is_chosen_for_the_whole_page(open_page: Opening) -> None:
    opened = open_page(sample_page())
    shown = "[...document.querySelectorAll('#distribution .per-metric')].map(block => block.checkVisibility())"
    assert opened.run(shown) == [True, False, False]
    opened.page.locator("button.metric", has_text="ter").click()
    assert opened.run(shown) == [False, True, False]
    assert opened.page.locator("#metric").input_value() == "1"
    assert opened.page.locator("#origin .per-metric").first.is_visible(), "what a section does not have is not missed"
    opened.page.emulate_media(media="print")
    assert opened.run(shown) == [True, True, True]


@pytest.mark.parametrize("metric", part(["ter", "wer", "cer", "mer", "wil", "wip"], 2))
def test_edits_are_those_of_the_metric(open_page: Opening, metric: str) -> None:
    """They add up to the score of every segment, or they are not shown."""
    result = evaluate({name: lines(name) for name in SYSTEMS[:2]}, references(), metrics=[metric])
    opened = open_page(render(result))
    known = opened.run(
        "[0, 1].map(system => data.texts.filter((_, index) => editsOf(0, index, system) !== null).length)"
    )
    assert known == [48, 48]


def test_edits_stand_under_each_other(open_page: Opening) -> None:
    result = evaluate({"one": ["on a mat sat the cat now"]}, ["the cat sat on the mat"], metrics=["ter"])
    opened = open_page(render(result))
    table = opened.page.locator(".edits tr")
    cells = [row.locator("td").all_inner_texts() for row in table.all()]
    assert len({len(row) for row in cells}) == 1
    assert [cell for cell in cells[0] if cell] == ["the", "cat", "sat", "on", "the", "mat"]
    moved = opened.page.locator(".edits .shifted").count()
    edits = sum(bool(cell) for cell in cells[2]) + len(set(opened.page.locator(".edits sup").all_inner_texts()))
    assert moved > 0
    assert edits == round(result.systems[0].scores[0].segments[0] * 6)


def test_a_rectangle_in_the_scatter_filters(open_page: Opening) -> None:
    opened = open_page(sample_page())
    chart = opened.page.locator(".scatter").first
    left, top, right, bottom = map(float, (chart.get_attribute("data-box") or "").split())
    drag(opened, chart, (left - 5, top - 5), (right + 5, (top + bottom) / 2))
    chosen = opened.run("state.box")
    assert chosen["x"] == {"metric": 2, "system": 0, "low": None, "high": None}
    assert chosen["y"]["high"] is None
    assert chosen["y"]["low"] == pytest.approx(0.5, abs=0.01)
    scores = opened.run("data.scores[0]")[chosen["y"]["system"]]
    assert opened.count() == sum(score >= chosen["y"]["low"] for score in scores)
    assert chart.locator(".frame").count() == 1
    chart.click()
    assert opened.count() == 48
    assert chart.locator(".frame").count() == 0


def test_quadrants_can_be_chosen_by_name(open_page: Opening) -> None:
    opened = open_page(sample_page())
    for side in opened.page.locator(".scatter").nth(1).locator(".side").all():
        words = side.text_content() or ""
        side.focus()
        opened.page.keyboard.press("Enter")
        assert opened.count() == int(words.rpartition(": ")[2])
        assert opened.page.locator(".chip").inner_text() == f"system-c: {words.rpartition(': ')[0]} ✕"
        assert side.get_attribute("aria-pressed") == "true"
    side.click()
    assert opened.count() == 48


def test_named_segments_open(open_page: Opening) -> None:
    opened = open_page(sample_page())
    buttons = [button for button in opened.page.locator("#influence .go").all() if button.is_visible()]
    for button in (buttons[0], buttons[-1]):
        name = button.inner_text()
        button.click()
        assert opened.page.locator("#detail h3").inner_text() == name
        assert opened.count() == 48


def test_shared_words_and_copies_open(open_page: Opening) -> None:
    outputs = [
        "we do not know (that) yet",
        "we do not know (that), he said",
        "owe do not know",
        "a b c",
        "a b c",
        "x y",
    ]
    opened = open_page(render(evaluate({"one": outputs, "two": outputs[::-1]}, outputs)))
    opened.page.locator("#diversity .go[data-words]", has_text="we do not know").first.click()
    assert sorted(rows(opened)) == [0, 1]
    opened.page.locator("#diversity .go[data-words]", has_text="know ( that").first.click()
    assert sorted(rows(opened)) == [0, 1]
    opened.page.locator("#diversity .go[data-group]").first.click()
    assert sorted(rows(opened)) == [3, 4]


@pytest.mark.parametrize("chart", [".distributions", ".groups"])
def test_a_name_in_a_legend_chooses_its_system(open_page: Opening, chart: str) -> None:
    opened = open_page(sample_page())
    legend = opened.page.locator(f"{chart}.brush").first.locator(".entry")
    assert legend.locator("title").all_text_contents() == list(SYSTEMS)
    for place in (2, 0, 1):
        legend.nth(place).click()
        assert opened.run("[state.first, state.low, state.group]") == [place, None, None]
        pressed = [entry.get_attribute("aria-pressed") for entry in legend.all()]
        assert [value == "true" for value in pressed] == [at == place for at in range(3)]
    legend.first.focus()
    opened.page.keyboard.press("ArrowRight")
    opened.page.keyboard.press("ArrowRight")
    opened.page.keyboard.press("Enter")
    assert opened.run("state.first") == 2
    assert opened.page.locator("#first").input_value() == "2"
    assert opened.count() == 48


@pytest.mark.parametrize("metrics", ["ibleu", ["bleu", "ibleu"]])
def test_words_of_the_source_are_marked_where_ibleu_subtracts_them(
    open_page: Opening, metrics: str | list[str]
) -> None:
    result = evaluate(["a quick fox ran"], ["a fast fox ran off"], sources=["the quick brown fox"], metrics=metrics)
    page = open_page(render(result)).page
    assert page.locator("#detail .copied").all_text_contents() == ["quick", "fox"]
    legend = page.locator("#legend").inner_text()
    assert "also in the source: ibleu subtracts these" in legend
    first = metrics if isinstance(metrics, str) else metrics[0]
    assert f"These are the matches that {first} counts (tokenizer 13a)." in legend
    alone = open_page(render(evaluate(["a fox"], ["a fox"], sources=["a fox"], metrics="chrf"))).page
    assert alone.locator("#detail .copied, #legend .copied").count() == 0
    assert "the scores of this page may count others" in alone.locator("#legend").inner_text()
