"""What people look for in a project they depend on: who, where, how to cite, how to report, how to install."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import bleuprint
from tests.support.documents import DOCUMENTS, ROOT, relative

REPOSITORY = "https://github.com/bleuprint/bleuprint"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CITATION: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
TEMPLATES = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
PAGES = [
    *DOCUMENTS,
    *(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "action.yml")),
    *sorted((ROOT / "examples").rglob("*.md")),
    *TEMPLATES,
]
WRAPPED = [path for path in PAGES if path.suffix == ".md"]
WIDTH = 120
# What a form on GitHub may consist of.
FIELDS = {"markdown", "textarea", "input", "dropdown", "checkboxes"}


class TestMetadata:
    def test_authors_and_addresses(self) -> None:
        assert PROJECT["authors"] == [{"name": "bleuprint contributors"}]
        assert set(PROJECT["urls"]) == {"Homepage", "Documentation", "Source", "Issues", "Changelog"}
        for address in PROJECT["urls"].values():
            assert address == REPOSITORY or address.startswith(f"{REPOSITORY}/")
            place = re.fullmatch(rf"{REPOSITORY}/(?:tree|blob)/main/(.+)", address)
            assert place is None or (ROOT / place[1]).exists()

    def test_a_classifier_for_every_version_of_python(self) -> None:
        listed = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", name)]
        assert listed == ["3.11", "3.12", "3.13", "3.14"]
        assert PROJECT["requires-python"] == f">={listed[0]}"

    def test_the_citation_agrees_with_the_package(self) -> None:
        assert CITATION["cff-version"] == "1.2.0"
        assert CITATION["message"]
        assert CITATION["version"] == PROJECT["version"] == bleuprint.__version__
        assert CITATION["authors"] == PROJECT["authors"]
        assert CITATION["license"] == PROJECT["license"]
        assert CITATION["keywords"] == PROJECT["keywords"]
        assert {CITATION["url"], CITATION["repository-code"]} == {REPOSITORY}
        # What version 1.2.0 of the format knows of software; another key makes a file invalid.
        known = (
            "abstract authors cff-version date-released keywords license message repository-code title type url version"
        )
        assert set(CITATION) <= set(known.split())


@pytest.mark.parametrize("path", PAGES, ids=relative)
def test_one_repository(path: Path) -> None:
    addresses = re.findall(r"https?://[\w.-]+/[\w-]+/bleuprint\b", path.read_text(encoding="utf-8"))
    assert set(addresses) <= {REPOSITORY}


@pytest.mark.parametrize("path", [path for path in PAGES if relative(path) != "docs/install.md"], ids=relative)
def test_nothing_is_installed_from_an_index(path: Path) -> None:
    """There is no release yet: documents install from a checkout. One page may say what a release will be."""
    text = path.read_text(encoding="utf-8")
    assert not re.findall(r"pip install (?:[\w-]+ )*['\"]?bleuprint\b[^\n]*", text)


def long_lines(text: str) -> list[str]:
    """Lines of prose that exceed the width: not tables, code, comments, or lines that cannot be broken."""
    prose = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.DOTALL | re.MULTILINE)
    lines = [line for line in prose.splitlines() if len(line) > WIDTH and not line.lstrip().startswith(("|", "<!--"))]
    # A link or a code span stays in one piece, so a line may be too long if it holds nothing else.
    pieces = [re.sub(r"!?\[[^\]]*\]\([^)]*\)|`[^`]*`", "x", line).strip(" -*.,:;") for line in lines]
    return [line for line, piece in zip(lines, pieces, strict=True) if " " in piece]


@pytest.mark.parametrize("path", WRAPPED, ids=relative)
def test_prose_is_wrapped(path: Path) -> None:
    assert long_lines(path.read_text(encoding="utf-8")) == []


# Drop-ins print what their originals print, and people may write a claim or a text in their own way.
_OTHERS = ("compat", "claims.py", "reconcile.py", "escaping.py")
_PERCENT = re.compile(r"(?<!width:)(?<!width: )\b\d+%(?![\w}(])|:[.\d]*%\}")


def test_percentages_are_spelt_one_way() -> None:
    sources = [path for ending in ("py", "j2", "md") for path in sorted((ROOT / "src").rglob(f"*.{ending}"))]
    found = [
        f"{relative(path)}: {line.strip()}"
        for path in (*WRAPPED, *sources)
        if not any(part in _OTHERS for part in path.parts)
        for line in path.read_text(encoding="utf-8").splitlines()
        if _PERCENT.search(line)
    ]
    assert found == [], "write 95 %, and {100 * share:.1f} % instead of {share:.1%}"
    assert [bool(_PERCENT.search(text)) for text in ("a 95% interval", "{x:.1%}", "a 95 % interval", "%d")] == [
        *(True, True),
        *(False, False),
    ]


def test_what_counts_as_a_long_line() -> None:
    words, link = "word " * 30, f"[text](https://example.org/{'x' * 120})"
    assert long_lines(f"{words}\n") == [words]
    assert long_lines(f"see {link}\n") == [f"see {link}"]
    assert long_lines(f"- {link}.\n| {words} |\n```sh\n{words}\n```\n<!-- {words} -->\n") == []


@pytest.mark.parametrize("path", TEMPLATES, ids=relative)
def test_issue_forms(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.name == "config.yml":
        assert [link["url"] for link in form["contact_links"]] == [f"{REPOSITORY}/security/advisories/new"]
        return
    assert set(form) == {"name", "description", "labels", "body"}
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert fields
    assert {field["type"] for field in form["body"]} <= FIELDS
    assert len({field["id"] for field in fields}) == len(fields)
    assert all(field["attributes"]["label"] for field in fields)
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_bugs_wrong_numbers_and_wishes_have_a_form() -> None:
    assert [path.stem for path in TEMPLATES] == ["bug", "config", "feature", "wrong-number"]


def test_vulnerabilities_are_reported_in_private() -> None:
    for name in ("SECURITY.md", "docs/security.md"):
        assert f"({REPOSITORY}/security/advisories/new)" in (ROOT / name).read_text(encoding="utf-8")


def test_the_changelog_begins_with_this_version() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    versions = [line for line in lines if line.startswith("## ")]
    assert versions[0].startswith(("## Unreleased", f"## [{bleuprint.__version__}]"))
    assert len(lines) <= 120 or len(versions) > 1  # the first release says what bleuprint is, not how it came about
