"""Cases of outputs: hostile text stays text on the page, in tables and on the terminal, and decides no path."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

from bleuprint import evaluate, gate
from bleuprint.report import render
from bleuprint.results import Result
from bleuprint.results.model import Level
from tests.hostile.case import Case, InjectionError, Right
from tests.hostile.commands import Folder, command_case, inside
from tests.hostile.files import PAIR
from tests.report.test_page import HOSTILE, Page

PLAIN = "plain text of a system"
# What spreadsheets take for the beginning of a formula, or trim to get at one.
LEADS = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "%", "\uff1d", "\uff0b", "\uff0d", "\uff20")
FORMULAS = [f"{lead}cmd|' /C calc'!A0" for lead in LEADS]
FORBIDDEN = {"iframe", "img", "object", "embed", "base", "form", "link", "video", "audio", "applet", "frame"}


def hostile_result(texts: list[str], names: list[str]) -> Result:
    return evaluate(dict.fromkeys(names, texts), [(item, "x" + item) for item in texts], sources=texts, notes=["note"])


def check_page(html: str) -> str:
    """Whether the page has its policy, two scripts of its own and nothing that runs or loads."""
    page = Page(html)
    policy = [attributes for _, attributes in page.tags if attributes.get("http-equiv") == "Content-Security-Policy"]
    if len(policy) != 1 or not str(policy[0]["content"]).startswith("default-src 'none';"):
        raise InjectionError("the page has no strict policy")
    if "unsafe" in str(policy[0]["content"]) or "*" in str(policy[0]["content"]):
        raise InjectionError("the policy lets things in")
    for tag, attributes in page.tags:
        live = [name for name in attributes if name.startswith("on") or name in {"style", "src", "srcdoc", "action"}]
        if tag in FORBIDDEN or live or str(attributes.get("href", "#"))[:1] != "#":
            raise InjectionError(f"<{tag} {attributes}> is on the page")
    scripts = [attributes for tag, attributes in page.tags if tag == "script"]
    if scripts != [{"type": "application/octet-stream", "id": "data"}, {}]:
        raise InjectionError(f"the scripts are {scripts}")
    return "text"


NAMES = [name for name in HOSTILE if name.strip()]


def climbing_names(folder: Folder) -> object:
    """System names out of file names decide no path: all that is written is what was asked for."""
    inner = folder.path / "inner"
    inner.mkdir()
    result = evaluate({"../../evil": [PLAIN], "/etc/passwd": [PLAIN], "a\\..\\b": [PLAIN]}, [PLAIN])
    result.write_json(inner / "out.json")
    (inner / "out.csv").write_text(result.to_csv("segments"), encoding="utf-8")
    (inner / "out.html").write_text(result.to_html(), encoding="utf-8")
    Folder(inner).run("report", "out.json", "-o", "page.html")
    Folder(inner).run("plot", "out.json", "--chart", "origin", "-o", "chart.svg")
    return folder.names(), Folder(inner).names()


def formula_case(level: Level) -> Case:
    """Every cell that begins as a formula does has an apostrophe before it."""

    def work(folder: Folder) -> object:
        result = hostile_result(FORMULAS, [name for name in FORMULAS if name.isprintable()])
        rows = list(csv.reader(io.StringIO(result.to_csv(level), newline="")))
        live = {cell for row in rows for cell in row if cell.startswith(LEADS) and not _number(cell)}
        if live:
            raise InjectionError(f"{sorted(live)[:3]} would run")
        return sorted(
            {cell.removeprefix("'") for row in rows[1:] for cell in row if "calc" in cell and "xx" not in cell[:2]}
        )

    texts = {*FORMULAS, *("x" + formula for formula in FORMULAS)}
    expected = sorted(texts if level == "segments" else filter(str.isprintable, FORMULAS))
    return Case(f"csv-formula-{level}", inside(work), Right(lambda: expected))


def _number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


REPORTS = [
    Case("html-text", lambda: check_page(render(hostile_result(HOSTILE, ["one", "two"]))), Right(lambda: "text")),
    Case("html-name", lambda: check_page(render(hostile_result([PLAIN] * 2, NAMES))), Right(lambda: "text")),
    Case(
        "path-escape",
        inside(climbing_names),
        Right(lambda: (["inner"], ["chart.svg", "out.csv", "out.html", "out.json", "page.html"])),
    ),
    formula_case("segments"),
]


def notebook_table() -> str:
    page = Page(hostile_result([PLAIN], NAMES)._repr_html_())
    if {tag for tag, _ in page.tags} - {
        *("div", "style", "table", "caption", "thead", "tbody", "tr", "th", "td", "sup", "small", "code")
    }:
        raise InjectionError(str(page.shape))
    return "text"


def markdown_table() -> int:
    lines = hostile_result([PLAIN], [*NAMES, "a|b", "`c`", "d\ne"]).to_markdown().split("\n\n")[0].splitlines()
    if any(re.search(r"(?<!\\)[<>`|]", line.strip("| ").replace(" | ", "")) for line in lines[2:]):
        raise InjectionError("a tag is in the table")
    return len(lines) - 2 - len(NAMES)


def junit_file() -> object:
    """XML that any reader takes, whatever the names hold."""
    report = gate(evaluate({name: [PLAIN] for name in NAMES}, [PLAIN]), minimum={"bleu": 0.5})
    cases = [element for element in ElementTree.fromstring(report.to_junit()).iter() if element.tag == "testcase"]
    return len(cases)


def plot_of_names(folder: Folder) -> object:
    hostile_result(["a b c", "d e"], NAMES).write_json(folder.path / "out.json")
    for chart in ("origin", "distribution"):
        folder.run("plot", "out.json", "--chart", chart, "-o", f"{chart}.svg")
        tree = ElementTree.parse(folder.path / f"{chart}.svg")
        tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
        if tags & {"script", "foreignObject", "image", "a", "use", "iframe"}:
            raise InjectionError(str(tags))
    return "drawn"


def command_on_stored_names(*command: str) -> Callable[[Folder], object]:
    """Names with escapes in a stored result; `answer` looks for live ones in what is printed."""

    def work(folder: Folder) -> object:
        hostile_result(["a b c d", "d e f g"], ["\x1b[2Jone", "two\x07\u202e\n"]).write_json(folder.path / "out.json")
        return bool(folder.run(*command, "out.json"))

    return work


def linked_report(folder: Folder) -> object:
    (folder.path / "page.html").symlink_to("hyp.txt")
    return folder.run("score", "hyp.txt", "-r", "ref.txt", "--report", "page.html")


MORE_REPORTS = [
    formula_case("systems"),
    Case("notebook-name", notebook_table, Right(lambda: "text")),
    Case("markdown-name", markdown_table, Right(lambda: 3)),
    Case("junit-name", junit_file, Right(lambda: len(NAMES))),
    Case("plot-name", inside(plot_of_names), Right(lambda: "drawn")),
    *(
        command_case(f"terminal-{command[0]}", command_on_stored_names(*command), Right(lambda: True))
        for command in (("replay",), ("gate", "--min", "bleu=0"))
    ),
    command_case(
        "report-over-input",
        lambda folder: folder.run("score", "hyp.txt", "-r", "ref.txt", "--report", "hyp.txt"),
        ("hyp.txt", "cannot be written too"),
        PAIR,
    ),
    command_case("report-is-a-link-out", linked_report, ("hyp.txt", "already exists"), PAIR),
    command_case(
        "json-and-report-in-one-file",
        lambda folder: folder.run("score", "hyp.txt", "-r", "ref.txt", "--json", "x", "--report", "./x"),
        ("same file",),
        PAIR,
    ),
]

GROUPS: dict[str, list[Case]] = {"reports": REPORTS, "more reports": MORE_REPORTS}
