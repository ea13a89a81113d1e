"""References with alternatives, against all combinations of them."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import WER
from bleuprint.errors import NotTextError, OptionError
from tests.support.cli import invoke

words = st.lists(st.sampled_from("abcd"), max_size=3).map(" ".join)
groups = st.lists(
    st.one_of(words.map(lambda text: [text]), st.lists(words, min_size=2, max_size=3)),
    max_size=5,
)
hypotheses = st.lists(st.sampled_from("abcde"), max_size=8).map(" ".join)


def written(parts: list[list[str]]) -> str:
    return " ".join(part[0] if len(part) == 1 else f"{{{'|'.join(part)}}}" for part in parts)


def combinations(parts: list[list[str]]) -> list[str]:
    return [" ".join(texts) for texts in itertools.product(*parts)]


@given(hypothesis=hypotheses, parts=groups, others=groups)
def test_the_row_is_that_of_all_combinations_as_references(
    hypothesis: str, parts: list[list[str]], others: list[list[str]]
) -> None:
    metric = WER(alternatives=True)
    score = metric.sentence(hypothesis, written(parts))
    assert score.columns == WER().sentence(hypothesis, combinations(parts)).columns
    score = metric.sentence(hypothesis, [written(parts), written(others)])
    assert score.columns == WER().sentence(hypothesis, combinations(parts) + combinations(others)).columns


@given(pairs=st.lists(st.tuples(hypotheses, groups), min_size=1, max_size=4))
def test_corpora(pairs: list[tuple[str, list[list[str]]]]) -> None:
    texts = [hypothesis for hypothesis, _ in pairs]
    references = [written(parts) for _, parts in pairs]
    metric, expanded = WER(alternatives=True), [combinations(parts) for _, parts in pairs]
    assert metric.corpus(texts, references).columns == WER().corpus(texts, expanded).columns
    assert metric.sentences(texts, references).tolist() == WER().sentences(texts, expanded).tolist()
    streamed = WER(alternatives=True)
    for text, reference in zip(texts, references, strict=True):
        streamed.update([text], [reference])
    assert streamed.compute().value == metric.corpus(texts, references).value


def test_more_combinations_than_could_be_listed() -> None:
    reference = " ".join(["{a b|c|}"] * 400)
    assert WER(alternatives=True).sentence("c " * 200 + "a b " * 200, reference).value == 0
    assert WER(alternatives=True).sentence("c x", reference).columns == (1, 1, 0, 0)


def test_the_lowest_rate_counts_and_not_the_fewest_edits() -> None:
    """One edit in two words against two edits in five."""
    score = WER(alternatives=True).sentence("a b c x y", "{a b c d e|a b}")
    assert score.columns == WER().sentence("a b c x y", ["a b c d e", "a b"]).columns == (3, 2, 0, 0)


def test_of_equals_the_first_counts() -> None:
    assert WER(alternatives=True).sentence("x y", "{a|a b}").columns == WER().sentence("x y", ["a", "a b"]).columns
    for reference in ("{a|b} {c|d}", "{b|a} {d|c}"):
        assert WER(alternatives=True).sentence("x", reference).substitutions == 1


@pytest.mark.parametrize(
    ("reference", "problem"),
    [
        ("a {b|c", r"a '{' at character 3 that is not closed"),
        ("a b|c}", r"a '}' at character 6 that closes nothing"),
        ("{a|{b|c}}", r"a '{' at character 4 inside a group"),
        ("a {b} c", r"a group without '\|' at character 3"),
        ("a{b|c}", r"a group without spaces around it at character 2"),
        ("{b|c}d", r"a group without spaces around it at character 1"),
        ("{b|c}{d|e}", r"a group without spaces around it at character 1"),
    ],
)
def test_malformed_references_are_refused(reference: str, problem: str) -> None:
    with pytest.raises(NotTextError, match=rf"references\[1\] must be text .* got {problem}; correct it, or leave"):
        WER(alternatives=True).corpus(["a", "a"], ["a", reference])
    with pytest.raises(NotTextError, match=r"references\[0\]\[1\] must be text"):
        WER(alternatives=True).sentence("a", ["a", reference])
    assert WER().sentence(reference, reference).value == 0


def test_tokens_and_other_values_are_refused() -> None:
    with pytest.raises(NotTextError, match="alternatives are written in texts"):
        WER(alternatives=True).sentence(["a"], [["a"]])
    with pytest.raises(OptionError, match="alternatives must be True or False"):
        WER(alternatives="yes")  # type: ignore[arg-type]


def test_braces_of_the_hypothesis_are_text() -> None:
    assert WER(alternatives=True).sentence("{a|b}", "{a|b}").value == 1


def test_each_stretch_is_normalized_and_split_by_itself() -> None:
    metric = WER(alternatives=True, normalizer="whisper-en")
    assert metric.sentence("I am twenty one.", "{I'm|we're} {21|twenty-two}").value == 0
    assert WER(alternatives=True, tokenizer="13a", lowercase=True).sentence("Yes, sir", "{yes, SIR|no}").value == 0


def first_words(text: str) -> list[str]:
    return text.split()[:2]


@pytest.mark.parametrize("options", [{}, {"tokenizer": "13a"}, {"normalizer": "squad"}, {"tokenizer": first_words}])
def test_definitions_travel(options: dict[str, Any]) -> None:
    metric = WER(alternatives=True, **options)
    restored = pickle.loads(pickle.dumps(metric))
    assert restored.definition == metric.definition
    assert restored.sentence("b b c", "{a|b} b c").columns == metric.sentence("b b c", "{a|b} b c").columns


def test_custom_tokenizers_are_told_apart() -> None:
    one, two = (WER(alternatives=True, tokenizer=split) for split in (lambda text: [text], lambda text: list(text)))
    assert one.signature == two.signature
    assert one.definition != two.definition


def test_signatures_without_alternatives_stay_as_they_were() -> None:
    assert WER().signature == "wer.1|lowercase:no|tokenizer:whitespace"
    assert WER(alternatives=True).signature == "wer.1|alternatives:yes|lowercase:no|tokenizer:whitespace"
    assert WER.from_signature(WER(alternatives=True).signature).definition == WER(alternatives=True).definition


def test_evaluations_and_the_command_line(tmp_path: Any) -> None:
    result = bp.evaluate(["i'm here"], ["{i am|i'm} here"], metrics=[WER(alternatives=True)])
    assert result.systems[0].scores[0].value == 0
    (tmp_path / "out.txt").write_text("i'm here\n")
    (tmp_path / "ref.txt").write_text("{i am|i'm} here\n")
    files = [str(tmp_path / "out.txt"), "-r", str(tmp_path / "ref.txt")]
    shown = invoke("score", *files, "-m", "wer:alternatives=yes", "--json", "-")
    assert '"value":0.0' in shown.stdout.replace(" ", "")
    (tmp_path / "ref.txt").write_text("{i am|i'm here\n")
    refused = invoke("score", *files, "-m", "wer:alternatives=yes")
    assert refused.exit_code == 2
    assert "that is not closed" in refused.stderr


def test_the_work_shows_the_alternative_that_counts() -> None:
    work = bp.work("i'm here", "{i am|i'm} {uh|} here", WER(alternatives=True))
    assert work.value == 0
    assert [" ".join(map(str, text.tokens)) for text in work.texts] == ["i'm here", "i'm here"]


def test_memory_is_not_quadratic_in_the_words() -> None:
    """One row of numbers for every different word took 8 bytes times the square of the words."""
    import tracemalloc

    words = [f"w{number}" for number in range(1500)]
    hypothesis, reference = " ".join(words), " ".join(["{uh|}", *words])
    metric = WER(alternatives=True)
    metric.sentence("a", "{a|b}")
    tracemalloc.start()
    try:
        assert metric.sentence(hypothesis, reference).value == 0
        assert tracemalloc.get_traced_memory()[1] < 3_000_000
    finally:
        tracemalloc.stop()
