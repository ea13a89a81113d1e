"""The pytest fixture, in runs of pytest of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bleuprint.integrations import pytest_plugin

pytest_plugins = ["pytester"]

TESTS = """
import pytest

REFERENCES = [f"the {word} sat on the mat" for word in "cat dog cow hen pig fox owl bee".split()]
BAD = [text.replace("sat", "is") for text in REFERENCES]


def test_good(bleuprint):
    assert bleuprint.assert_score(REFERENCES, REFERENCES, "bleu", at_least=0.3) == 1.0
    bleuprint.assert_score(REFERENCES, REFERENCES, "ter", at_most=0.1)
    bleuprint.assert_not_worse(REFERENCES, BAD, REFERENCES)
    bleuprint.assert_not_worse(BAD, REFERENCES, REFERENCES, max_drop=0.9)


def test_too_low(bleuprint):
    bleuprint.assert_score(BAD, REFERENCES, "bleu", at_least=0.9)


def test_too_high(bleuprint):
    bleuprint.assert_score(BAD, REFERENCES, "ter", at_most=0.01)


def test_worse(bleuprint):
    bleuprint.assert_not_worse(BAD, REFERENCES, REFERENCES, "bleu", max_drop=0.005)


def test_undecided(bleuprint):
    bleuprint.assert_not_worse(["garbage"] * 5, REFERENCES[:5], REFERENCES[:5], max_drop=0.01)


def test_rules(bleuprint):
    bleuprint.assert_not_worse(["garbage"] * 5, REFERENCES[:5], REFERENCES[:5], undecided="pass")
    with pytest.warns(UserWarning, match="no p-value below"):
        bleuprint.assert_not_worse(["garbage"] * 5, REFERENCES[:5], REFERENCES[:5], undecided="warn")
    with pytest.raises(pytest.fail.Exception, match="a drop of 1.0000, more than 0"):
        bleuprint.assert_not_worse(["garbage"] * 5, REFERENCES[:5], REFERENCES[:5], rule="strict")
    with pytest.raises(ValueError, match="at_least must be from 0 to 1 for bleu"):
        bleuprint.assert_score(BAD, REFERENCES, at_least=30)
    with pytest.raises(ValueError, match="max_drop must be .*, got 2"):
        bleuprint.assert_not_worse(BAD, REFERENCES, REFERENCES, max_drop=2)
    with pytest.raises(ValueError, match="so it is transposed"):
        bleuprint.assert_score(BAD, [REFERENCES], at_least=0.3)
    with pytest.raises(ValueError, match="bleu compares with references"):
        bleuprint.assert_score(BAD, None, at_least=0.3)
    with pytest.raises(ValueError, match=r"references\\[1\\] must be a str or a list of them, got None"):
        bleuprint.assert_not_worse(BAD[:2], BAD[:2], [REFERENCES[0], None])


def test_no_bound(bleuprint):
    with pytest.raises(TypeError, match="at_least=… or at_most=…"):
        bleuprint.assert_score(BAD, REFERENCES)
"""


def test_the_fixture(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=3, failed=4)
    result.stdout.fnmatch_lines(
        [
            "bleu = 0.* is below 0.9",
            "segment 1: bleu = 0.*",
            "  output:    'the cat is on the mat'",
            "  reference: 'the cat sat on the mat'",
            "  changes:   the cat [[]-sat-[]] {+is+} on the mat",
            "bleu|nrefs:1|*",
            "ter = 0.1667 is above 0.01",
            "bleu: 0.* after 1.0000: a drop of 0.*, more than 0.005 and significant (p = 0.0078)",
            "segment 1: bleu = 0.*, was 1.0000",
            "undecided: bleu: 0.0000 after 1.0000: a drop of 1.0000, more than 0.01, no p-value below 0.05 is *",
        ]
    )
    assert "pytest_plugin.py" not in result.stdout.str(), "a failure shows the test, not the plug-in"


def test_loading_it_imports_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import sys, pytest\nsys.argv = ['pytest']\npytest.main(['--collect-only', '-q', '.'])\n"
        "assert 'bleuprint.integrations.pytest_plugin' in sys.modules\n"
        "assert not {'numpy', 'click', 'rich', 'bleuprint.core._native'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True)


def test_long_texts_are_compared_whole() -> None:
    words = [f"w{number % 700}" for number in range(4000)]
    changed = " ".join([*words[:3000], "new", *words[3001:]])
    *_, changes = pytest_plugin._describe_changes(changed, [" ".join(reversed(words)), " ".join(words)])
    assert "w199 [-w200-] {+new+} w201" in changes


@pytest.mark.parametrize(
    ("hypothesis", "references", "changes"),
    [
        ("a b", ["a b"], "a b"),
        ("", ["a"], "[-a-]"),
        ("a", [""], "{+a+}"),
        ("a b c", ["x y z", "a b d"], "a b [-d-] {+c+}"),
        ("", [""], ""),
    ],
)
def test_changes_from_the_nearest_reference(hypothesis: str, references: list[str], changes: str) -> None:
    assert pytest_plugin._describe_changes(hypothesis, references)[2] == f"changes:   {changes}"


def test_texts_cannot_drive_the_terminal(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        r"""
        def test_hostile(bleuprint):
            bleuprint.assert_score(["a \x1b[2J\u202e\u061c\ufeff\U000e0041b"], ["a c"], "bleu", at_least=0.9)
        """.replace("\\\\", "\\")
    )
    shown = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--tb=short").stdout.str()
    assert r"{+\x1b[2J\u202e\u061c\ufeff\U000e0041b+}" in shown
    assert not set(shown) & set("\x1b\u202e\u061c\ufeff\U000e0041")
