"""The cards: one for every metric, true, with examples that run; shown on the command line and in reports."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import bleuprint
from bleuprint.errors import OptionError
from bleuprint.metrics import cards
from bleuprint.metrics.cards import Card
from bleuprint.report import render
from bleuprint.results import Result
from bleuprint.runners import evaluate
from tests.report.test_page import Page
from tests.support.cli import NEEDS_POSIX, PROGRAM, assert_one_line, invoke
from tests.support.markdown import blocks_of, examples_of, failures_of
from tests.support.tables import MODEL_TABLE, POOL_TABLE, REFERENCE_TABLE, SOURCE_TABLE, TABLE
from tools.docs_site import assembly

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(bleuprint.__file__).parent
CARDS = {path.stem: path for path in sorted((PACKAGE / "metrics" / "cards").glob("*.md"))}
TOOLS = {"functions", "profiles", "registry", "smoothing", "specs"}  # beside the metrics, but none themselves
METRICS = (
    {path.stem for path in (PACKAGE / "metrics").glob("*.py") if not path.stem.startswith("_")}
    - TOOLS
    - {
        "profiles",
        "smoothing",
    }
)
MANUAL = sorted((ROOT / "docs").rglob("*.md"))
CLASSES: dict[str, Any] = {**REFERENCE_TABLE, **SOURCE_TABLE, **POOL_TABLE, **MODEL_TABLE}

WITHOUT_MODEL: dict[str, Any] = {**REFERENCE_TABLE, **SOURCE_TABLE, **POOL_TABLE}
FRONT_MATTER = (
    *("name", "title", "written", "kind", "range", "direction", "needs", "level", "signature", "complexity"),
    *("default_threshold", "bands", "oracle", "papers", "cite"),
)
OPTIONAL = {"written", "signature", "default_threshold", "bands"}

each_card = pytest.mark.parametrize("file", CARDS)


def test_every_metric_has_a_card_and_every_card_a_metric() -> None:
    assert set(CARDS) == METRICS
    assert len(cards.names()) == len(set(cards.names())) == len(CARDS)


@pytest.mark.parametrize("name", CLASSES)
def test_a_metric_of_the_tables_finds_the_card_of_its_file(name: str) -> None:
    assert cards.load(name).file == CLASSES[name].__module__.rpartition(".")[2]


@each_card
def test_a_card_is_found_by_its_name_and_by_its_file(file: str) -> None:
    card = cards.load(file)
    assert card.file == file
    assert cards.load(card.name) is cards.load(card.name.upper().replace("-", "_")) is card
    assert card.name in cards.names()


@each_card
def test_front_matter_is_complete(file: str) -> None:
    card = cards.load(file)
    texts = (card.title, card.kind, card.range, card.complexity, card.oracle, card.summary)
    assert all(texts)
    assert card.papers
    assert card.direction in {"higher", "lower"}
    assert set(card.level) <= {"sentence", "corpus", "pool"}
    assert card.level
    assert card.needs == ("nothing",) or set(card.needs) <= {"references", "sources", "model"}
    assert card.needs
    assert card.summary.endswith(".")
    assert len(card.summary) <= 140, "the list of cards has one line for it"


@each_card
def test_threshold_and_bands_are_in_order(file: str) -> None:
    card = cards.load(file)
    bounds = [value for _, value in card.bands]
    assert bounds == sorted(bounds, reverse=card.direction == "higher")
    assert (card.default_threshold is None) == (not bounds)
    if bounds:
        assert bounds[-1] in ({0, -1} if card.direction == "higher" else {float("inf")})


@pytest.mark.parametrize("name", TABLE)
def test_every_metric_of_single_outputs_has_a_threshold(name: str) -> None:
    assert TABLE[name]().threshold == cards.load(name).default_threshold


def test_the_bands_of_sentence_bleu_are_those_that_users_know() -> None:
    card = cards.load("item_bleu")
    assert card.default_threshold == 0.5
    assert card.bands == (("perfect", 1.0), ("high", 0.7), ("moderate", 0.3), ("low", 0.0))


@pytest.mark.parametrize("name", CLASSES)
def test_front_matter_is_true(name: str) -> None:
    card, kind = cards.load(name), CLASSES[name]
    assert card.direction == ("higher" if kind.higher_is_better else "lower")
    if kind.unit == "segment":
        assert ("references" in card.needs) == kind.needs_references
        assert ("model" in card.needs) == (name in MODEL_TABLE)
        assert ("sources" in card.needs) == kind.needs_sources
        assert {"sentence", "corpus"} <= set(card.level)
    else:
        assert ("references" in card.needs) == kind.needs_references
        assert card.level == ("pool",)


@pytest.mark.parametrize("name", WITHOUT_MODEL)
def test_a_card_has_the_default_signature_of_its_metric(name: str) -> None:
    signature = WITHOUT_MODEL[name]().signature
    assert signature
    assert cards.load(name).signature == signature


def test_only_metrics_that_need_no_arguments_have_a_default_signature() -> None:
    without = {cards.load(name).file for name in cards.names() if not cards.load(name).signature}
    with_models = {
        "bertscore",
        "contamination",
        "embedding_vendi",
        "frechet",
        "neural_perplexity",
        "novelty",
        "perplexity",
    }
    assert without == with_models | {"mbr", "pairwise"}


@each_card
def test_packages_named_as_oracle_are_run_by_some_test(file: str) -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py"))
    for package in re.findall(r"([\w-]+) \d+\.\d", cards.load(file).oracle):
        module = package.lower().replace("-", "_")
        assert re.search(rf"(from|import) {module}\b", code), f"no test runs {package}"


def items_of(card: cards.Card, section: str) -> list[str]:
    """The items of a bullet list, which can continue on indented lines."""
    return [" ".join(item.split()) for item in re.split(r"^- ", card.sections[section], flags=re.MULTILINE)[1:]]


@each_card
def test_sections_are_all_there_in_order(file: str) -> None:
    card = cards.load(file)
    assert tuple(card.sections) == cards.SECTIONS
    assert all(card.sections.values())
    for items in (items_of(card, "Use when"), card.avoid_when):
        assert len(items) >= 2
        assert all(item.endswith(".") for item in items)


@each_card
def test_two_known_failures_or_more_each_with_an_example(file: str) -> None:
    _, *failures = re.split(r"^### ", cards.load(file).sections["Known failures"], flags=re.MULTILINE)
    assert len(failures) >= 2
    for failure in failures:
        assert examples_of(failure), f"no example for: {failure.splitlines()[0]}"


@each_card
def test_a_card_follows_the_template(file: str) -> None:
    text, card = CARDS[file].read_text(encoding="utf-8"), cards.load(file)
    untold = card.title.partition(" (")[0]  # how papers write it unless the card says otherwise
    assert re.findall(r"^(\w+):", text.split("---\n")[1], re.MULTILINE) == [
        key for key in FRONT_MATTER if key not in OPTIONAL or getattr(card, key) not in {"", None, (), untold}
    ]
    assert {block.language for block in blocks_of(text)} == {"text", "pycon"}
    assert not any(block.text.endswith("\n\n") for block in blocks_of(text))
    assert all(item[0].isupper() for item in (*items_of(card, "Use when"), *card.avoid_when))
    for heading in ("Use when", "Don't use when", "Related"):
        assert re.fullmatch(r"(- .+(\n  .+)*(\n|$))+", card.sections[heading])
    for line in card.sections["Related"].splitlines():
        assert re.fullmatch(r"- \[[^]]+\]\(\w+\.md\): \w.*\.", line)
        assert f"]({file}.md)" not in line


@each_card
def test_examples_run(file: str) -> None:
    assert failures_of(CARDS[file]) == ""


@each_card
def test_a_card_imports_what_it_uses(file: str) -> None:
    assert examples_of(cards.load(file).sections["Example"])[0][0].startswith("import bleuprint as bp")


def test_an_example_that_is_wrong_is_found(tmp_path: Path) -> None:
    path = tmp_path / "wrong.md"
    path.write_text("```pycon\n>>> 1 + 1\n3\n```\n", encoding="utf-8")
    assert "Expected:\n    3\nGot:\n    2" in failures_of(path)
    path.write_text("```pycon\n>>> 1 + 1\n2\n```\n", encoding="utf-8")
    assert failures_of(path) == ""


def links() -> Iterator[tuple[Path, str]]:
    for path in (*CARDS.values(), *MANUAL):
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text(encoding="utf-8")):
            yield path, target


def test_links_lead_to_files() -> None:
    found = list(links())
    assert len(found) > 20
    for path, target in found:
        place = (path.parent / target).resolve()
        # The folder of cards is the manual's list of metrics.
        assert target.startswith("https://") or place.is_file() or place == assembly.CARDS, f"{path.name}: {target}"


def test_the_manual_has_its_pages() -> None:
    assert {"which-metric", "why-is-my-bleu-different"} <= {path.stem for path in MANUAL}


def test_cards_are_in_the_package() -> None:
    assert resources.files("bleuprint.metrics.cards").joinpath("bleu.md").is_file()


def test_a_card_cannot_be_changed() -> None:
    card = cards.load("bleu")
    with pytest.raises(AttributeError):
        card.name = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        card.sections["Definition"] = ""  # type: ignore[index]


@pytest.mark.parametrize(("asked", "near"), [("blue", "bleu"), ("self-blue", "self-bleu"), ("distinct-n", "distinct")])
def test_an_unknown_card_is_answered_with_the_nearest(asked: str, near: str) -> None:
    with pytest.raises(OptionError, match=rf"got '{asked}'. Did you mean {near}\?"):
        cards.load(asked)


def test_a_name_that_is_near_to_nothing_is_answered_with_all() -> None:
    with pytest.raises(OptionError, match=f"one of {', '.join(cards.names())}, got 'xqzwv'.$"):
        cards.load("xqzwv")


class TestCommand:
    def test_lists_every_card_on_a_line(self) -> None:
        shown = invoke("cards")
        assert shown.exit_code == 0
        lines = shown.output.splitlines()
        assert [line.split()[0] for line in lines] == list(cards.names())
        assert [line.split(maxsplit=1)[1] for line in lines] == [
            cards.plain_text(cards.load(name).summary) for name in cards.names()
        ]

    @each_card
    def test_prints_one_as_markdown(self, file: str) -> None:
        shown = invoke("cards", file)
        assert shown.exit_code == 0
        assert shown.output.startswith(cards.load(file).markdown)
        assert shown.output.startswith(f"# {cards.load(file).title}\n")
        assert examples_of(shown.output) == examples_of(CARDS[file].read_text(encoding="utf-8"))

    def test_facts_of_the_front_matter_are_shown(self) -> None:
        output = invoke("cards", "item-bleu").output
        assert "- Range: 0 to 1; higher is better\n" in output
        assert "- Default threshold: 0.5\n" in output
        assert "- Bands (rules of thumb): perfect ≥ 1, high ≥ 0.7, moderate ≥ 0.3, low < 0.3\n" in output
        assert f"- Default signature: `{TABLE['item-bleu']().signature}`\n" in output
        ter = invoke("cards", "ter").output
        assert "- Bands (rules of thumb): perfect ≤ 0, high ≤ 0.3, moderate ≤ 0.6, low > 0.6\n" in ter
        assert "threshold" not in invoke("cards", "self-bleu").output.partition("\n## ")[0]
        assert "Default signature" not in invoke("cards", "perplexity").output

    def test_an_unknown_name_is_one_line_and_exit_code_2(self) -> None:
        shown = invoke("cards", "blue")
        assert shown.exit_code == 2
        assert shown.stdout == ""
        assert_one_line(shown.stderr, "Did you mean bleu?")

    @NEEDS_POSIX
    @pytest.mark.parametrize("arguments", [["cards"], ["cards", "bleu"]])
    def test_a_terminal_gets_it_rendered(self, arguments: list[str]) -> None:
        text = on_a_terminal(arguments)
        assert "Traceback" not in text
        assert "BLEU" in text
        assert "```" not in text
        assert max(map(len, re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines())) <= 80


def on_a_terminal(arguments: list[str]) -> str:
    import pty

    master, slave = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "LINES": "24", "TERM": "xterm"}
    with subprocess.Popen([*PROGRAM, *arguments], stdout=slave, stdin=subprocess.DEVNULL, env=environment) as process:
        os.close(slave)
        received = b"".join(iter(lambda: read(master), b""))
        os.close(master)
    assert process.returncode == 0
    return received.decode()


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that nobody writes any more
        return b""


class TestReport:
    def texts(self, result: Result) -> list[str]:
        return Page(render(result)).texts

    def test_meaning_and_warnings_stand_beside_the_score(self) -> None:
        result = evaluate({"one": ["a b c"]}, ["a b d"], metrics=["bleu", "item-bleu", "gleu"])
        texts = self.texts(result)
        for name in ("bleu", "item-bleu", "gleu"):
            card = cards.load(name)
            assert cards.plain_text(card.summary) in texts
            for warning in card.avoid_when:
                assert cards.plain_text(warning) in texts

    def test_the_metric_decides_not_its_label(self) -> None:
        labelled = evaluate({"one": ["a"]}, ["a"], metrics={"mine": TABLE["gleu"](), "bleu": TABLE["gleu"]()})
        texts = self.texts(labelled)
        assert texts.count(cards.plain_text(cards.load("gleu").summary)) == 2
        assert cards.plain_text(cards.load("bleu").summary) not in texts

    def test_a_metric_without_a_card_has_no_guide(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(TABLE["gleu"], "name", "someone-elses")
        texts = self.texts(evaluate({"one": ["a"]}, ["a"], metrics={"mine": TABLE["gleu"]()}))
        assert "mine " in texts or "mine" in texts
        assert "Do not trust it when" not in texts

    def test_a_card_is_escaped_like_everything_else(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fields = {name: getattr(cards.load("bleu"), name) for name in inspect.signature(Card).parameters}
        hostile = "<script>alert(1)</script> {{ 7 * 7 }}."
        sections = {**fields["sections"], "Don't use when": f"- {hostile}"}
        card = Card(**{**fields, "summary": hostile, "sections": sections})
        monkeypatch.setattr(cards, "find", lambda name: card)
        assert self.texts(evaluate({"one": ["a"]}, ["a"])).count(hostile) == 2
