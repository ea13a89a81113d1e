"""Arrays of token ids with padding: it is warned of, and left out where it is named."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.errors import InputWarning, NotTextError, OptionError

PADDED = np.array([[5, 6, 7, 8, 9], [5, 6, 7, 0, 0], [4, 3, 0, 0, 0]])
LABELS = np.array([[5, 6, 7, 8, 1], [5, 6, 9, -100, -100], [4, 3, 2, -100, -100]])
TOKENS = [[5, 6, 7, 8, 9], [5, 6, 7], [4, 3]]
WANTED = [[5, 6, 7, 8, 1], [5, 6, 9], [4, 3, 2]]


def test_padding_is_warned_of() -> None:
    with pytest.warns(InputWarning, match=r"hypotheses: 2 of 3 rows end in 0 and 0.*token_ids\(…, pad=0\)") as caught:
        scored = bp.sentence_bleus(PADDED, WANTED)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert scored.tolist() != bp.sentence_bleus(TOKENS, WANTED).tolist()
    with pytest.warns(InputWarning) as caught:
        bp.sentence_bleus(PADDED, LABELS)
    assert [str(warning.message).partition(":")[0] for warning in caught] == ["hypotheses", "references"]
    with pytest.warns(InputWarning, match="ids: .*pad=-100"):
        bp.token_ids(LABELS)
    with pytest.warns(InputWarning):
        bp.token_ids(np.full((3, 4), 0) + np.array([[1], [2], [3]]) * (np.arange(4) < 2))


@pytest.mark.parametrize(
    "ids",
    [
        np.arange(20).reshape(4, 5),
        np.array([[1, 2, 3, 4, 4], [1, 2, 3, 4, 5], [3, 4, 4, 4, 2], [1, 3, 3, 2, 1]]),  # 4 stands elsewhere too
        np.array([[7, 7, 7]]),  # a row alone
        np.zeros((3, 4), dtype=np.int64),
        np.array([[1, 2, 9], [3, 4, 9], [5, 6, 9]]),  # an end token each
        np.concatenate([np.arange(400).reshape(100, 4), [[900, 901, 902, 902]]]),  # one row of many stutters
        np.zeros((0, 3), dtype=np.int64),
        np.zeros((2, 0), dtype=np.int64),
    ],
)
def test_other_arrays_are_not(ids: np.ndarray) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bp.token_ids(ids)


def test_named_padding_is_left_out() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ids, labels = bp.token_ids(PADDED, pad=0), bp.token_ids(LABELS, pad=[0, -100])
        assert bp.sentence_bleus(ids, labels).tolist() == bp.sentence_bleus(TOKENS, WANTED).tolist()
        assert [group[0] for group in labels.unpack()] == WANTED
        assert len(bp.token_ids(PADDED, pad=[])) == 3  # they are tokens
        bp.token_ids(PADDED, lengths=[5, 3, 2])


def test_masks_and_end_tokens() -> None:
    mask = PADDED != 0
    for given in (mask, mask.astype(np.int64), mask.tolist()):
        assert [group[0] for group in bp.token_ids(PADDED, mask=given).unpack()] == TOKENS
    left = np.array([[0, 0, 5, 6], [1, 2, 3, 4]])
    assert bp.token_ids(left, mask=[[0, 0, 1, 1], [1, 1, 1, 1]]).unpack() == [[[5, 6]], [[1, 2, 3, 4]]]
    ended = np.array([[5, 6, 2, 7, 0], [5, 2, 2, 2, 2], [5, 6, 7, 8, 9]])
    assert [group[0] for group in bp.token_ids(ended, eos=2).unpack()] == [[5, 6], [5], [5, 6, 7, 8, 9]]
    assert [group[0] for group in bp.token_ids(ended, eos=2, pad=5).unpack()] == [[6], [], [6, 7, 8, 9]]
    grouped = np.array([[[1, 2, 0], [3, 0, 0]]])
    assert bp.token_ids(grouped, mask=grouped > 0).unpack() == [[[1, 2], [3]]]
    assert bp.token_ids(ended, mask=ended != 7, lengths=[4, 1, 5], pad=[0, 8], eos=9).unpack() == [
        [[5, 6, 2]],
        [[5]],
        [[5, 6]],
    ]
    extremes = np.array([[-(2**63), 2**63 - 1, 1]])
    assert bp.token_ids(extremes, mask=[[1, 1, 0]]).unpack() == [[[-(2**63), 2**63 - 1]]]


def test_wrong_arguments() -> None:
    with pytest.raises(NotTextError, match=r"mask must be an array of shape \(3, 5\), got the shape \(3, 4\)"):
        bp.token_ids(PADDED, mask=PADDED[:, 1:])
    with pytest.raises(OptionError, match="pad must be None, an integer of 64 bits or a list of them, got 'x'"):
        bp.token_ids(PADDED, pad="x")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="eos must be None or an integer of 64 bits"):
        bp.token_ids(PADDED, eos=1.5)  # type: ignore[arg-type]
