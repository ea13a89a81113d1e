"""The manual's own parts: links that lead somewhere, pages that are made of the package, figures that are measured."""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import bleuprint
from bleuprint.cli import COMMANDS
from bleuprint.core import tokenizers
from bleuprint.metrics import cards, profiles, registry
from bleuprint.statistics.comparison import PairComparison
from tests.support.documents import ROOT
from tools import smoke_test
from tools.docs_site import assembly, docstrings, links, numbers, options, performance, search, versions
from tools.docs_site import commands as command_pages
from tools.docs_site import metrics as metric_pages
from tools.docs_site import reference as reference_pages
from tools.reliability_tables import sections

SECTIONS = [
    *("Get started", "Score", "Compare and decide", "Understand a score", "Diversity and repetition"),
    *("Language models and fluency", "Speed and scale", "Integrate", "Reference", "Project"),
]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    assembled = assembly.assemble(folder)
    written = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.md")}
    assert written == assembled
    return assembled


def signatures(pages: dict[str, str]) -> dict[str, str]:
    """What the pages say of the names of `bleuprint`."""
    text = "".join(pages.values())
    called = re.findall(r"^:+\{py:(?:class|function|data)\} (\w+)([^\n]*)\n:module: bleuprint$", text, re.MULTILINE)
    assert len({name for name, _ in called}) == len(called)
    return dict(called)


def parameters(definition: ast.FunctionDef) -> list[tuple[str, str]]:
    """The names of parameters, with their defaults."""
    given = definition.args
    plain = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    pairs = [*zip(plain, defaults, strict=True), *zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return [(item.arg, "" if value is None else ast.unparse(value)) for item, value in pairs]


class TestSections:
    def test_the_sidebar_has_sections_by_task(self, pages: dict[str, str]) -> None:
        assert list(assembly.sections(pages)) == SECTIONS
        assert re.findall(r"^:caption: (.*)$", pages["index.md"], re.MULTILINE) == SECTIONS
        reference = assembly.sections(pages)["Reference"]
        assert reference[:4] == ["metrics/index.md", "reference/index.md", "cli/commands.md", "numbers.md"]

    def test_every_document_is_in_one_section(self, pages: dict[str, str]) -> None:
        listed = [page for names in assembly.sections(pages).values() for page in names]
        documents = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")} - {"index.md"}
        assert sorted(documents - set(listed)) == [], "name these pages in a section of docs/index.md"
        assert len(set(listed)) == len(listed)

    def test_internal_modules_have_no_page(self, pages: dict[str, str]) -> None:
        named = [page for page in pages if page.startswith("reference/bleuprint.")]
        assert named
        for page in named:
            _, room, library, *rest = page.removesuffix(".md").split(".")
            assert room in {"compat", "integrations"}, page
            assert not library.startswith("_"), page
            assert rest == [], page

    def test_links_follow_the_pages(self, pages: dict[str, str]) -> None:
        assert "](metrics/bleu.md)" in pages["which-metric.md"]
        assert "](../metrics/chrf.md)" in pages["how-to/score-a-system.md"]
        assert "](project/changelog.md)" in pages["index.md"]
        assert "](metrics/index.md)" in pages["numbers.md"]

    def test_a_file_that_is_no_page_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(assembly, "ROOT", tmp_path)
        (tmp_path / "CITATION.cff").write_text("title: x\n", encoding="utf-8")
        page = tmp_path / "page.md"
        page.write_text("See [the citation](CITATION.cff).", encoding="utf-8")
        assert assembly._moved(page, "page.md", {}) == "See the citation (`CITATION.cff`)."
        page.write_text("See [it](nowhere.md).", encoding="utf-8")
        with pytest.raises(SystemExit, match=r"page\.md links to nowhere\.md, which does not exist"):
            assembly._moved(page, "page.md", {})


class TestPages:
    def test_every_public_name_is_in_the_reference_once(self, pages: dict[str, str]) -> None:
        assert set(signatures(pages)) == set(bleuprint.__all__)

    def test_signatures_are_those_of_the_stubs(self, pages: dict[str, str]) -> None:
        stub = ast.parse(Path(bleuprint.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
        shown = signatures(pages)
        functions = [node for node in stub.body if isinstance(node, ast.FunctionDef) and node.name in shown]
        assert len(functions) > 35
        for function in functions:
            (described,) = ast.parse(f"def {function.name}{shown[function.name]}: ...").body
            assert isinstance(described, ast.FunctionDef)
            for (name, default), written in zip(parameters(described), parameters(function), strict=True):
                assert (name, "..." if written[1] == "..." else default) == written  # stubs shorten long defaults

    def test_drop_ins_and_integrations_have_pages(self) -> None:
        named = reference_pages.pages()
        for name in ("compat.sacrebleu", "compat.nltk", "compat.fast_bleu", "integrations.spark"):
            assert f"reference/bleuprint.{name}.md" in named

    def test_every_metric_has_a_page_with_card_options_example_and_functions(self) -> None:
        named = metric_pages.pages()
        assert {f"metrics/{cards.load(name).file}.md" for name in cards.names()} == set(named) - {"metrics/index.md"}
        page = named["metrics/bleu.md"]
        assert "- Range: 0 to 1; higher is better" in page
        for section in ("Definition", "Options", "Example", "Python"):
            assert f"\n## {section}\n" in page
        assert ":::::{py:class} BLEU(*, profile: str | None = None, " in page
        assert ":::::{py:function} sentence_bleus(hypotheses: Texts, " in page
        assert "::::{py:property} brevity_penalty\n" in page

    @pytest.mark.parametrize("name", sorted(registry.metrics()))
    def test_every_option_has_its_default_its_values_and_its_meaning(self, name: str) -> None:
        kind = registry.metrics()[name]
        listed = options.of_metric(kind)
        assert [item.name for item in listed] == list(registry.options_of(kind))
        for item in listed:
            default = registry.options_of(kind)[item.name].default
            assert item.default == "required" if default is inspect.Parameter.empty else item.default.startswith("`")
            assert item.allowed
            assert item.meaning
        if "profile" in registry.options_of(kind):
            (row,) = (item for item in listed if item.name == "profile")
            assert row.allowed == ", ".join(f'`"{profile}"`' for profile in profiles.names(name))

    def test_what_is_allowed_is_what_the_metric_takes(self) -> None:
        rows = {item.name: item for item in options.of_metric(registry.metrics()["bleu"])}
        assert rows["absent_order"] == options.Option(
            "absent_order",
            '`None` (`"undefined"`)',
            '`"undefined"`, `"one"`, `"zero"`',
            'how to treat an order without n-grams: "undefined", "one" (count it as 0 of 1) or "zero" (the score is 0)',
        )
        assert rows["max_order"].allowed == "an integer from 1 to 16"
        assert rows["lowercase"].allowed == "`True`, `False`"
        assert rows["weights"].allowed == "None or one number per order of at least 0 that sum to 1"

    def test_sizes_of_the_models_that_were_tried_are_not_shown(self) -> None:
        rows = [item for name in registry.metrics() for item in options.of_metric(registry.metrics()[name])]
        assert not [item for item in rows if re.search(r"\b(4098|4099|2049)\b", f"{item.default} {item.allowed}")]
        (order,) = (item for item in options.of_metric(registry.metrics()["novelty"]) if item.name == "order")
        assert order.allowed == "an integer from 1 to the order of the index"

    def test_no_parameter_of_a_function_is_without_a_meaning(self) -> None:
        for name in bleuprint.__all__:
            thing = getattr(bleuprint, name)
            if inspect.isfunction(thing):
                assert not [item.name for item in options.of_call(thing) if not item.meaning], name

    def test_a_parameter_is_not_explained_by_another_of_its_name(self) -> None:
        """`from_dicts` takes columns and rows too, but those are not the ones of `compare` and of `pairwise`."""
        rows = {item.name: item.meaning for item in options.of_call(bleuprint.Dataset.from_dicts)}
        assert rows["rows"] == "a dict for each item"
        assert rows["columns"].startswith("the keys of each role")
        rows = {item.name: item.meaning for item in options.of_call(bleuprint.Dataset.from_files)}
        assert rows["source"] == "the file of the source texts"
        assert not any(item.meaning for item in options.of_call(PairComparison) if item.name in {"first", "test"})

    def test_a_table_has_no_empty_meaning(self) -> None:
        for name, page in reference_pages.pages().items():
            assert not re.findall(r"^\| `\w+` \| .* \|  \|$", page, re.MULTILINE), name

    def test_names_of_types_are_linked(self) -> None:
        rows = {item.name: item.allowed for item in options.of_call(bleuprint.compare)}
        assert rows["metrics"] == "`Metrics` {ref}`Metrics <type-metrics>`"
        assert "(type-metrics)=" in reference_pages.pages()["reference/types.md"]

    def test_options_that_are_passed_on_are_explained(self) -> None:
        rows = {item.name: item for item in options.of_call(bleuprint.gate)}
        meaning = rows["resamples"].meaning
        assert meaning.startswith(
            "number of resamples or swaps of the test, and of bootstrap resamples for the confidence"
        )
        assert rows["rule"].allowed == '`"strict"`, `"worse"`, `"not-worse"`'
        assert rows["interval"].allowed == '`"bca"`, `"percentile"`'
        rows = {item.name: item for item in options.of_metric(registry.metrics()["ibleu"])}
        assert rows["max_order"].meaning == "length of the longest n-grams"
        rows = {item.name: item for item in options.of_call(bleuprint.seen)}
        assert rows["unit"].allowed == '`"ngrams"`, `"tokens"`'
        assert rows["unit"].meaning.startswith('take the share of "ngrams"')

    def test_inputs_are_not_explained_by_another_function(self) -> None:
        rows = {item.name: item for item in options.of_call(bleuprint.choose)}
        assert rows["references"].meaning == "for each segment one text, or a list of several"
        assert rows["threads"].meaning == "number of threads; all processors by default"

    def test_a_table_takes_the_place_of_the_lists_of_options(self) -> None:
        page = reference_pages.pages()["reference/evaluate.md"]
        entry = page.partition("{py:function} compare(")[2].partition("\n:::::\n")[0]
        assert "\n| `detect` | `None` | " in entry
        assert "- `detect`" not in entry
        assert "The `settings` are:" not in entry
        assert entry.index("| `detect` |") < entry.index("```pycon")

    def test_every_tokenizer_is_shown_with_its_tokens(self) -> None:
        page = reference_pages.pages()["reference/tokenizers.md"]
        for name in tokenizers.names():
            assert f"\n| `{name}` | " in page
        assert "| `13a` | `Mr . Li's 3.5 - kg cat : 你好吗 ?` |" in page

    def test_every_command_and_option_has_its_place(self) -> None:
        named = command_pages.pages()
        assert {f"cli/{name}.md" for name in COMMANDS} == set(named) - {"cli/commands.md"}
        assert "| `--max-drop [METRIC=]D` | " in named["cli/gate.md"]
        assert "\n## bleuprint lm train\n" in named["cli/lm.md"]

    def test_what_cannot_be_imported_is_described_by_its_source(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delitem(sys.modules, "bleuprint.integrations.pytest_plugin", raising=False)
        monkeypatch.setitem(sys.modules, "pytest", None)
        page = reference_pages.pages()["reference/bleuprint.integrations.pytest_plugin.md"]
        assert "A pytest fixture with assertions on scores." in page
        assert ":::::{py:function} bleuprint() -> Assertions\n:module: bleuprint.integrations.pytest_plugin" in page
        assert "::::{py:method} assert_score(hypotheses: Iterable[str]" in page

    def test_docstrings_become_markdown(self) -> None:
        text = "One.\n\n    a = b\n\n>>> 1\n1\n\nTwo ``x``.\n"
        expected = "One.\n\n```text\na = b\n```\n\n```pycon\n>>> 1\n1\n```\n\nTwo `x`."
        assert docstrings.markdown(text) == expected

    def test_signatures_read_as_they_were_written(self) -> None:
        shown = docstrings.signature(bleuprint.corpus_bleu)
        assert shown.startswith("(hypotheses: Texts, references: References, *, profile: str | None = None, ")
        assert shown.endswith(", threads: int | None = None) -> BleuScore")


class TestSearch:
    """How the search ranks is tried in a browser, on the site that `make docs` builds: tests/site."""

    def test_every_page_has_a_summary(self, pages: dict[str, str]) -> None:
        summaries = json.loads(search.scorer(pages).partition("const summaries = ")[2].partition(";\n")[0])
        assert set(summaries) == {page.removesuffix(".md") for page in pages}
        # What the home page says of a page, if it says anything.
        assert summaries["how-to/diversity"].startswith("Measure the diversity of a generator with Self-BLEU")
        assert summaries["reliability"] == "Hostile input, faults, and the results"
        assert summaries["metrics/bleu"] == cards.load("bleu").summary

    def test_a_summary_is_prose(self) -> None:
        text = "# Title\n\n```sh\nls\n```\n\n| a |\n|---|\n\nSee [BLEU](bleu.md), **not** `x`. " + "word " * 50
        assert search.summary(text).startswith("See BLEU, not x. word word")
        assert search.summary(text).endswith("word …")
        assert len(search.summary(text)) <= 165


class TestVersions:
    def built(self, folder: Path, *names: str) -> Path:
        for name in names:
            page = folder / name
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(f"<p>{name}", encoding="utf-8")
        return folder

    def listed(self, docs: Path) -> dict[str, list[str]]:
        script = (docs / versions.LIST).read_text(encoding="utf-8")
        return dict(json.loads(script.removeprefix("window.bleuprintVersions = ").removesuffix(";\n")))

    def test_versions_are_kept_beside_each_other(self, tmp_path: Path) -> None:
        docs = tmp_path / "docs"
        versions.publish(self.built(tmp_path / "old", "index.html", "gone.html"), "0.9.0", docs)
        versions.publish(self.built(tmp_path / "new", "index.html", "how-to/gate.html"), "0.10.0", docs)
        assert versions.versions(docs) == ["0.10.0", "0.9.0"]
        assert self.listed(docs) == {
            "latest": ["how-to/gate.html", "index.html"],
            "0.10.0": ["how-to/gate.html", "index.html"],
            "0.9.0": ["gone.html", "index.html"],
        }
        assert (docs / "0.9.0" / "gone.html").exists()
        assert not (docs / "latest" / "gone.html").exists()
        assert 'url=latest/index.html"' in (docs / "index.html").read_text(encoding="utf-8")

    def test_an_older_version_that_is_built_again_is_not_the_latest(self, tmp_path: Path) -> None:
        docs = tmp_path / "docs"
        versions.publish(self.built(tmp_path / "new", "index.html", "new.html"), "1.0.0", docs)
        versions.publish(self.built(tmp_path / "old", "index.html"), "1.0.0rc1", docs)
        assert versions.versions(docs) == ["1.0.0", "1.0.0rc1"]
        assert (docs / "latest" / "new.html").exists()

    def test_pages_that_are_gone_are_removed_from_their_version(self, tmp_path: Path) -> None:
        docs = tmp_path / "docs"
        versions.publish(self.built(tmp_path / "first", "index.html", "gone.html"), "1.0.0", docs)
        versions.publish(self.built(tmp_path / "second", "index.html"), "1.0.0", docs)
        assert self.listed(docs) == {"latest": ["index.html"], "1.0.0": ["index.html"]}


class TestNumbers:
    def test_the_pages_are_made_of_the_files(self) -> None:
        for path, text in numbers.pages().items():
            assert path.read_text(encoding="utf-8") == text, "run: python -m tools.docs_site.numbers"

    def test_names_version_date_command_and_file(self) -> None:
        text = numbers.page()
        date = json.loads(performance.FIGURES.read_text(encoding="utf-8"))["machine"]["date"]
        assert f"Command: `make performance`, {date}. File: `docs/performance.json`." in text
        assert "**BLEU: 453 of 455.**" in text
        assert re.search(r"^\| sacrebleu \| 2\.6\.0 \| \d+ \| [\de.-]+ \|$", text, re.MULTILINE)

    def test_the_summary_of_reliability_has_results_commands_and_dates(self) -> None:
        rows = [line.split(" | ") for line in numbers.reliability().splitlines()[2:]]
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert "`make mutants`" in {command for _, _, command, _ in rows}
        for what, result, command, date in rows:
            assert what
            assert re.search(r"\d", result)
            assert re.search(rf"^{command.strip('`').removeprefix('make ')}:", makefile, re.MULTILINE)
            assert re.fullmatch(r"2\d{3}-\d\d-\d\d \|", date)

    def test_the_readme_quotes_what_was_reproduced(self) -> None:
        records = [json.loads((ROOT / source).read_text(encoding="utf-8")) for source in numbers.RECORDS.values()]
        (reproduced,) = {record["published_rows"] - len(record["not_reproduced"]) for record in records}
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        assert f"reproduce {reproduced} scores each" in " ".join(readme.split())


class TestLinks:
    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ('<a href="#here">x</a><p id="here">', ""),
            ('<a href="b.html#there">x</a>', ""),
            ('<a href="https://example.org/x">x</a>', ""),
            ('<a href="#nowhere">x</a>', "a.html: #nowhere: the page has no such anchor"),
            ('<a href="b.html#nowhere">x</a>', "a.html: b.html#nowhere: the page has no such anchor"),
            ('<a href="c.html">x</a>', "a.html: c.html leads nowhere"),
            ('<a href="https:///x">x</a>', "a.html: https:///x is no address"),
            ('<img src="none.png">', "a.html: loads none.png, which is not there"),
            ('<script src="https://example.org/x.js"></script>', "a.html: loads https://example.org/x.js"),
            ('<link rel="stylesheet" href="//example.org/x.css">', "a.html: loads //example.org/x.css"),
            ('<p style="background: url(https://example.org/x.png)">', "a.html: loads https://example.org/x.png"),
        ],
    )
    def test_says_what_is_wrong(self, tmp_path: Path, body: str, said: str) -> None:
        (tmp_path / "a.html").write_text(body, encoding="utf-8")
        (tmp_path / "b.html").write_text('<p id="there">', encoding="utf-8")
        assert links.problems(tmp_path) == [said] * bool(said)

    def test_looks_into_style_sheets(self, tmp_path: Path) -> None:
        (tmp_path / "a.html").write_text("", encoding="utf-8")
        (tmp_path / "a.css").write_text("@import 'https://example.org/font.css';", encoding="utf-8")
        assert links.problems(tmp_path) == ["a.css: loads https://example.org/font.css"]

    def test_no_pages_are_a_problem(self, tmp_path: Path) -> None:
        assert links.problems(tmp_path)


class TestPerformance:
    REPORTS = tuple(json.loads(path.read_text(encoding="utf-8")) for path in (performance.FIGURES, performance.GOALS))

    def test_the_pages_are_made_of_the_figures(self) -> None:
        report, goals = self.REPORTS
        assert performance.PAGE.read_text(encoding="utf-8") == performance.page(report)
        assert performance.TABLES.read_text(encoding="utf-8") == performance.tables(report, goals)
        readme = sections.section(performance.README.read_text(encoding="utf-8"), "speed")
        assert readme.rstrip() == performance.readme(report)
        seen = sections.section(performance.SEEN.read_text(encoding="utf-8"), "figures")
        assert seen.rstrip() == performance.index_growth(report)

    def test_prose_quotes_no_time_and_no_size_that_no_command_wrote(self) -> None:
        """Two pages cannot disagree about a figure if both take it from the file of the command that measured it."""
        allowed = {  # limits, settings and explanations; what is measured is compared below
            "A ratio of 100× means",
            "lines of 10 MB",
            "(at most 16 MB)",
            "`--memory 1GB`",
            "1 GB is the first",
            "more than 2 GB together",
        }
        figure = re.compile(r"\d ?(µs|ms|ns|s|MB|GB|minutes?|hours?)\b|\d×|half a minute")
        generated = re.compile(r"<!-- begin: (\w+) -->.*?<!-- end: \1 -->|^```.*?^```", re.DOTALL | re.MULTILINE)
        pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("cards/*.md")]
        assert len(pages) > 80
        for page in set(pages) - {performance.PAGE, numbers.PAGE}:
            for line in generated.sub("", page.read_text(encoding="utf-8")).splitlines():
                assert not figure.search(line) or any(phrase in line for phrase in allowed), f"{page.name}: {line}"

    def test_prose_agrees_with_the_figures(self) -> None:
        (part,) = (part for part in self.REPORTS[0]["suites"]["diversity"] if part["title"].startswith("Measures of"))
        seconds = {row["name"]: row["value"] for row in part["rows"]}  # a million texts, in µs for each
        assert 15 < seconds["compression-ratio"] < 25  # about twenty seconds
        assert seconds["self-bleu"] < 10  # seconds

    def test_the_page_has_a_row_for_each_job_with_machine_and_date(self) -> None:
        report, _ = self.REPORTS
        text = performance.page(report)
        for said in (report["machine"][name] for name in ("date", "machine", "processor", "python")):
            assert said in " ".join(text.split())
        rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")][2:]
        jobs = [job for job in performance.JOBS if job.suite in report["suites"]]
        assert len(jobs) >= 12
        for (name, own, peers, suite), job in zip(rows, jobs, strict=True):
            assert name == f"| {job.name}"
            assert re.match(r"[\d.]+ (µs/segment|µs/token|ms|s|MB)$", own)
            assert peers.count("×") == len(job.peers)
            assert suite == f"`{job.suite}` |"

    def test_ratios_are_those_of_the_figures(self) -> None:
        report, _ = self.REPORTS
        (row,) = (line for line in performance.page(report).splitlines() if line.startswith("| Corpus BLEU"))
        (part,) = (part for part in report["suites"]["bleu"] if part["title"].startswith("Corpus BLEU, 13a"))
        ratios = {peer["name"]: peer["ratio"] for peer in part["rows"]}
        assert f"sacrebleu 2.6.0: {ratios['sacrebleu']:.0f}×" in row
        assert "Corpus BLEU is more than 100 times as fast as sacrebleu." in performance.README.read_text(
            encoding="utf-8"
        )
        assert ratios["sacrebleu"] > 100

    def test_every_missed_goal_has_a_profile_and_every_profile_a_goal(self) -> None:
        profiles_page = performance.TABLES.with_name("profiles.md").read_text(encoding="utf-8")
        named = set(re.findall(r"^## (.*)$", profiles_page, re.MULTILINE))
        parts = self.REPORTS[1]["suites"]["goals"]
        goals = [(part["title"], row["goal"]) for part in parts for row in part["rows"] if row["goal"] is not None]
        assert named <= {title for title, _ in goals}
        assert {title for title, goal in goals if not goal["met"]} <= named

    def test_the_tables_show_where_when_and_how_many(self) -> None:
        report, goals = self.REPORTS
        text = performance.tables(report, goals)
        for name in ("date", "machine", "processor", "packages"):
            assert f"| {name} | " in text
        assert f"{report['corpus']['segments']:,} segments" in text
        shown = [part for parts in report["suites"].values() for part in parts if not performance.lacks_its_peers(part)]
        rows = [row for section in shown for row in section["rows"]]
        aims = [row for section in goals["suites"]["goals"] for row in section["rows"] if row["goal"] is not None]
        repeated = [row for row in aims if len(row["raw"]) > 1]
        assert len(re.findall(r"^\| .* – .* \|$", text, re.M)) == len(rows) + len(repeated) + 1  # and the header

    def test_a_comparison_without_its_peers_is_left_out(self) -> None:
        rows, note = [{"name": "bleuprint"}], "diversity is not installed: pip install diversity"
        assert performance.lacks_its_peers({"rows": rows, "notes": [note]})
        assert not performance.lacks_its_peers({"rows": rows, "notes": []})
        assert not performance.lacks_its_peers({"rows": rows * 2, "notes": [note]})


class TestRelease:
    """What makes wheels is read by nobody until the day it must work."""

    @pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
    def test_workflows_are_read_and_name_files_that_exist(self, path: Path) -> None:
        jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
        steps = [step for job in jobs.values() for step in job["steps"]]
        assert all(("run" in step) != ("uses" in step) for step in steps)
        named = re.findall(r"(?:tools/\w+\.py|\.ci/\w+)", " ".join(step.get("run", "") for step in steps))
        assert named
        assert all((ROOT / name).exists() for name in named)

    def test_only_a_tag_publishes(self) -> None:
        jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))["jobs"]
        allowed = [name for name, job in jobs.items() if "permissions" in job]
        assert allowed == ["publish"]
        assert jobs["publish"]["if"] == "startsWith(github.ref, 'refs/tags/v')"
        assert set(jobs["publish"]["needs"]) == set(jobs) - {"publish"}

    def test_wheels_are_built_and_tried(self) -> None:
        settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
        assert (ROOT / settings["cibuildwheel"]["test-command"].rpartition("/")[2]).name == "smoke_test.py"
        stable = settings["scikit-build"]["wheel"]["py-api"]
        assert f"{stable}-*" in settings["cibuildwheel"]["build"]

    @pytest.mark.slow
    def test_the_smoke_test_passes(self) -> None:
        assert smoke_test.main() == 0
