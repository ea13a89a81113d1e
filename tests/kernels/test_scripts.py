"""Letters by script: the core against the plain twin."""

from __future__ import annotations

import sys

from hypothesis import example, given
from hypothesis import strategies as st

from bleuprint.core import counts
from tests.kernels.twins import scripts as twin

EDGES = {end + step for _, *ends in twin.RANGES for end in ends for step in (-1, 0, 1)}
OF_SCRIPTS = "aZé漢字、かナกຂကཀꀀжع한\u0301\u3000 \n\x1c\x85\xa0👩\ufffd\U0010ffff"
TEXTS = st.lists(
    st.one_of(st.sampled_from(OF_SCRIPTS), st.sampled_from(["漢" * 5, "か" * 9, "ก" * 11]), st.text(max_size=4)),
    max_size=30,
).map(lambda parts: "".join(parts).encode(errors="ignore").decode())


def test_every_character_belongs_to_the_script_of_the_twin() -> None:
    """One character again and again, so that it is no word, at every edge of a range and at places between."""
    for number in sorted({*range(0, sys.maxunicode, 101), *EDGES}):
        if number <= sys.maxunicode and not 0xD800 <= number < 0xE000:
            text = chr(number) * 11
            assert counts.script_letters_of_text(text, 100) == twin.letters(text, 100), hex(number)


@given(TEXTS, st.integers(0, 120))
@example("漢字 漢字漢字漢", 100)
@example("漢字漢字", 10)  # the last character is cut
def test_letters_are_those_of_the_twin(text: str, limit: int) -> None:
    assert counts.script_letters_of_text(text, limit) == twin.letters(text, limit)


@given(st.lists(TEXTS, max_size=5))
def test_letters_of_a_column_are_those_of_its_texts(texts: list[str]) -> None:
    found = [letters for text in texts if (letters := twin.letters(text, 1000))]
    column = counts.column([*texts], groups=False, tokenized=False)
    latin = [twin.letters(f"{text} жжж", 10_000) for text in texts]  # so that Latin texts are counted too
    expected = [sum(place) for place in zip(*filter(None, latin), strict=True)]
    assert counts.script_letters(column, len(texts), 1000) == (
        (*expected[:-1], expected[-1] - 3 * len(texts)) if found else None
    )
