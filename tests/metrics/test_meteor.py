"""The matching in stages equals its plain twin; the table of synonyms, options, parts and empty texts."""

from __future__ import annotations

import hashlib
import lzma
import subprocess
import sys
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.stem import PorterStemmer

import bleuprint as bp
from bleuprint import METEOR
from bleuprint.core import wordnet
from bleuprint.core.staged_match import synonyms
from bleuprint.errors import DataFileError, OptionError, SignatureError
from tests.kernels.twins import staged_match as twin
from tests.laws.strategies import Token, any_token
from tests.support.wordnets import DEBIAN, MISSING, PARTS, SMALL

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "make_synonym_table.py"
STAGES = [("exact",), ("stem",), ("synonym",), ("exact", "stem"), ("exact", "synonym"), ("stem", "synonym")]
WORDS = [
    *("dog", "dogs", "hound", "Hound", "domestic_dog", "runs", "running", "ran", "run", "operate", "die", "dice"),
    *(
        "big",
        "larger",
        "largest",
        "large",
        "Rex",
        "rex",
        "axes",
        "ax",
        "axe",
        "axis",
        "İx",
        "İİ",
        "IS",
        "is",
        "ΑΣ",
        7,
        "",
    ),
]
usual = st.lists(st.sampled_from(WORDS), max_size=14)
texts: st.SearchStrategy[list[Token]] = st.one_of(
    usual, st.lists(any_token, max_size=8), st.lists(st.sampled_from("ab"), max_size=20)
)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return SMALL.write(tmp_path_factory.mktemp("wordnets") / "small")


def lowered(text: Sequence[Token]) -> list[Token]:
    return [token.lower() if isinstance(token, str) else token for token in text]


@pytest.mark.parametrize("lowercase", [True, False], ids=["lower", "as-is"])
@pytest.mark.parametrize("stages", [*STAGES, ("exact", "stem", "synonym")], ids="+".join)
@given(hypothesis=texts, references=st.lists(texts, min_size=1, max_size=3))
@example(["a", "b", "a"], [["b", "a", "a"]])
@example(["dog", "hound"], [["hound", "dogs", "dog"], ["dogs"]])
def test_rows_equal_the_definition(
    small: Path, stages: tuple[str, ...], lowercase: bool, hypothesis: list[Token], references: list[list[Token]]
) -> None:
    path = small if "synonym" in stages else None
    metric = METEOR(stages=stages, lowercase=lowercase, wordnet=path, alpha=0.7, beta=2, gamma=0.25)
    table = wordnet.load(small)
    rules = twin.Rules(stages, PorterStemmer().stem, lambda word: synonyms(word, table), (0.7, 2, 0.25))
    sides = [hypothesis, *references]
    ours, *others = [lowered(text) for text in sides] if lowercase else sides
    assert metric.statistics([hypothesis], [references]).rows.tolist() == [list(twin.row(ours, others, rules))]


@given(st.lists(st.sampled_from(("a", "b", "c", "kid", "child", "ran", "run", "runs")), min_size=1, max_size=300))
def test_long_texts(words: list[str]) -> None:
    table = wordnet.load(wordnet.SHIPPED)
    rules = twin.Rules(("exact", "stem", "synonym"), PorterStemmer().stem, lambda word: synonyms(word, table))
    turned = [*words[len(words) // 3 :], "adult", *words[: len(words) // 2]]
    assert METEOR().statistics([words], [[turned]]).rows.tolist() == [list(twin.row(words, [turned], rules))]


def test_synonyms_of_a_small_wordnet(small: Path) -> None:
    table = wordnet.load(small)
    assert synonyms("dogs", table) == ["Hound", "dog"]
    assert synonyms("domestic_dog", table) == ["Hound", "dog"]
    assert synonyms("ran", table) == ["operate", "run"]
    assert synonyms("dies", table) == [
        "dice",
        "die",
    ]  # as a verb it is an exception, and the last line counts
    assert synonyms("larger", table) == ["big", "large"]
    for word in ("", "s", "es", "_", "x" * 100_000, "nothing", "\0"):
        assert synonyms(word, table) == []


def test_the_name_of_a_folder_stands_for_its_content(small: Path, tmp_path: Path) -> None:
    for folder in (tmp_path / "a" / "small", tmp_path / "b" / "small"):
        SMALL.write(folder)
    name = METEOR(wordnet=small).options["wordnet"]
    assert name == f"small@{hashlib.sha256(wordnet.read_folder(small)).hexdigest()[:12]}"
    assert METEOR(wordnet=str(tmp_path / "a" / "small")).options["wordnet"] == name
    with (tmp_path / "b" / "small" / "noun.exc").open("a") as file:
        file.write("hounds dog\n")
    assert METEOR(wordnet=tmp_path / "b" / "small").options["wordnet"] != name


def test_a_folder_that_changes_is_read_again(tmp_path: Path) -> None:
    SMALL.write(tmp_path)
    before = METEOR(wordnet=tmp_path)
    (tmp_path / "verb.exc").write_text("went run\n")
    after = METEOR(wordnet=tmp_path)
    assert before.signature != after.signature
    assert before.sentence("went", "run").value < after.sentence("went", "run").value


def test_signature_replays(small: Path) -> None:
    assert METEOR().signature == (
        "meteor.1|alpha:0.9|beta:3.0|gamma:0.5|lowercase:yes|stages:exact+stem+synonym|tokenizer:nltk|"
        "wordnet:wordnet-3.0"
    )
    for metric in (METEOR(), METEOR(stages="exact", alpha=0.5), METEOR(tokenizer="13a", lowercase=False, beta=1)):
        assert METEOR.from_signature(metric.signature).signature == metric.signature
    theirs = METEOR(wordnet=small).signature
    with pytest.raises(SignatureError, match=r"small@[0-9a-f]{12} is a WordNet in a folder: pass the folder"):
        METEOR.from_signature(theirs)
    assert METEOR.from_signature(theirs, wordnet=small).signature == theirs


def test_another_wordnet_under_a_signature_is_refused(small: Path, tmp_path: Path) -> None:
    SMALL.write(tmp_path / "small")
    (tmp_path / "small" / "verb.exc").write_text("went run\n")
    with pytest.raises(SignatureError, match=r"the WordNet is small@\w+, not small@\w+"):
        METEOR.from_signature(METEOR(wordnet=small).signature, wordnet=tmp_path / "small")


def test_parts_and_value() -> None:
    score = bp.sentence_meteor("the cat sat", "the cat was here")
    assert list(score.parts) == ["meteor", "precision", "recall", "f_mean", "penalty"]
    assert (score["precision"], score["recall"], score["penalty"]) == (2 / 3, 1 / 2, 0.5 * 0.5**3)
    assert score.columns == (2, 1, 3, 4)
    assert score.value == (1 - score["penalty"]) * score["f_mean"]
    corpus = bp.corpus_meteor(["the cat sat", "a"], ["the cat was here", "b"])
    assert corpus.value == bp.corpus_meteor(["the cat sat", "a"], ["the cat was here", "b"]).value == score.value / 2
    assert bp.sentence_meteors(["the cat sat"], ["the cat was here"]).tolist() == [score.value]


@pytest.mark.parametrize("pair", [("", ""), ("", "a"), ("a", ""), ("a", "b"), ([], []), (["a"], [[]])])
def test_no_match_scores_0(pair: tuple[str | list[str], str | list[str]]) -> None:
    for alpha, beta, gamma in ((0.9, 3, 0.5), (0.9, 0, 0.5), (0, 3, 0.5), (1, 3, 0.5), (0.9, 0, 1)):
        assert METEOR(alpha=alpha, beta=beta, gamma=gamma).sentence(*pair).value == 0.0


def test_tokens_and_plug_ins_are_lower_cased_like_texts() -> None:
    pair = "The DOG ran", "the dogs Run"
    expected = bp.sentence_meteor(*pair).columns
    assert bp.sentence_meteor(*(text.split() for text in pair)).columns == expected
    assert bp.sentence_meteor(*pair, tokenizer=str.split).columns == expected
    assert bp.sentence_meteor(*pair, lowercase=False, stages="exact").columns[0] == 0
    # Stems are in lower case whatever else is.
    assert bp.sentence_meteor(*pair, lowercase=False, stages="stem").columns[0] == 2


@pytest.mark.parametrize(
    "options",
    [
        *({"stages": wrong} for wrong in ("", (), "stem+exact", ("exact", "exact"), "synonyms", 5, None, [["exact"]])),
        *({name: wrong} for name in ("alpha", "gamma") for wrong in (-0.1, 1.1, float("nan"), "0.5", True, None)),
        *({"beta": wrong} for wrong in (-1, float("inf"), float("nan"), "3")),
        *({"wordnet": wrong} for wrong in (5, b"x", "no such folder", "", "wordnet-3.1", __file__, "a\0b")),
        {"wordnet": wordnet.SHIPPED, "stages": "exact+stem"},
        {"lowercase": 1},
        {"tokenizer": "nothing"},
    ],
)
def test_bad_options(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        METEOR(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("index.noun", None, r"index\.noun: missing"),
        ("adv.exc", None, r"adv\.exc: missing"),
        ("index.noun", b"dog n 1 0 1 0\n", r"index\.noun, line 1: .* a lemma of part of speech n with 1 offsets"),
        ("index.noun", b"dog v 1 0 1 0 00000020\n", r"index\.noun, line 1"),
        ("index.verb", b"  1 x\nrun\n", r"index\.verb, line 2: .* lemma, part of speech, counts, offsets"),
        ("index.verb", b"run v 1 -9 1 0 00000020\n", r"index\.verb, line 1"),
        ("index.adj", b"big a 1 0 1 0 99999999\n", r"data\.adj: the index refers to a synset at 99999999"),
        ("data.noun", b"00000020 00 n zz dog 0 000 | x\n", r"data\.noun, line 1: .* count, names"),
        ("data.noun", b"00000020 00 n 05 dog 0 000 | x\n", r"data\.noun, line 1: .* 5 names"),
        ("data.noun", b"00000020 00 n fff " + b"dog 0 " * 0xFFF, r"data\.noun, line 1: .* at most 255"),
        ("data.noun", b"\xff\xfe", r"data\.noun: cannot be read as a WordNet file"),
    ],
)
def test_a_folder_that_holds_no_wordnet(tmp_path: Path, file: str, content: bytes | None, message: str) -> None:
    SMALL.write(tmp_path)
    if content is None:
        (tmp_path / file).unlink()
    else:
        (tmp_path / file).write_bytes(content)
    with pytest.raises(DataFileError, match=message):
        METEOR(wordnet=tmp_path)


def test_what_is_no_table_is_refused() -> None:
    for text in (b"", b"a b\n", b"\n" * 7, b"\n" * 9, b"\n" * 8 + b"a"):
        with pytest.raises(ValueError, match="table of synonyms"):
            synonyms("a", wordnet.Table("broken", text))


def test_the_shipped_table_is_the_one_its_name_stands_for() -> None:
    """Whoever changes the table changes scores: it needs another name then."""
    text = wordnet.load(wordnet.SHIPPED).text
    assert hashlib.sha256(text).hexdigest()[:16] == "b9ca15de09817f95"
    assert len(resources.files("bleuprint.core.data").joinpath(wordnet.FILE).read_bytes()) < 600_000


def test_the_licence_comes_with_the_table() -> None:
    licence = resources.files("bleuprint.core.data").joinpath(wordnet.LICENCE).read_text(encoding="utf-8")
    assert "WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved." in licence
    assert 'THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS"' in licence


def build(*arguments: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.skipif(not (DEBIAN / "data.noun").exists(), reason=MISSING)
def test_the_script_makes_the_table_that_is_shipped(tmp_path: Path) -> None:
    """Another liblzma may compress it to other bytes, so what they hold is compared."""
    assert build(DEBIAN, tmp_path).returncode == 0
    assert lzma.decompress((tmp_path / wordnet.FILE).read_bytes()) == wordnet.load(wordnet.SHIPPED).text
    shipped = resources.files("bleuprint.core.data").joinpath(wordnet.LICENCE).read_text(encoding="utf-8")
    assert (tmp_path / wordnet.LICENCE).read_text(encoding="utf-8") == shipped


def test_the_script_writes_the_same_bytes_twice(small: Path, tmp_path: Path) -> None:
    written = []
    for _ in range(2):
        assert build(small, tmp_path).returncode == 0
        written.append((tmp_path / wordnet.FILE).read_bytes())
    assert written[0] == written[1]
    assert lzma.decompress(written[0]) == wordnet.load(small).text


def test_the_script_says_how_it_is_called() -> None:
    for arguments in ([], [Path(__file__)]):
        refused = build(*arguments)
        assert refused.returncode == 2
        assert "python tools/make_synonym_table.py" in refused.stderr


def test_small_wordnets_have_every_part_of_speech() -> None:
    assert all(SMALL.synsets[part] for part in PARTS)
