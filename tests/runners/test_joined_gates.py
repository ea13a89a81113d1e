"""Gates join items by their ids: another order, new items and removed ones, and texts that differ under one id."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from bleuprint import evaluate, self_bleu
from bleuprint.errors import GateError, ResultError
from bleuprint.results import Result
from bleuprint.runners.comparisons import with_columns
from bleuprint.runners.gates import gate
from bleuprint.runners.replaying import replay
from tests.runners.test_gates import forge
from tests.support.cli import assert_one_line, invoke

IDS = [f"q{place}" for place in range(200)]
REFERENCES = [f"the {place} sat on the mat of {place % 7}" for place in range(200)]
OLD = [text.replace("mat", "rug") if place % 5 == 0 else text for place, text in enumerate(REFERENCES)]
NEW = [text.replace("mat", "rug") if place % 4 == 0 else text for place, text in enumerate(REFERENCES)]
METRICS = ["bleu", "exact-match", "self-bleu"]


def result(outputs: list[str], places: Any = range(200), *, ids: bool = True, **options: Any) -> Result:
    """The result of the items at these places, in this order, as a file gives it."""
    settings: dict[str, Any] = {"metrics": METRICS, **options}
    scored = evaluate(
        [outputs[place] for place in places],
        [REFERENCES[place] for place in places],
        ids=[IDS[place] for place in places] if ids else None,
        **settings,
    )
    return Result.from_json(scored.to_json())


class TestItems:
    @pytest.mark.parametrize("rule", ["strict", "worse", "not-worse"])
    def test_another_order_is_the_same_gate(self, rule: Any) -> None:
        expected = gate(result(NEW), result(OLD), rule=rule, min_pass_rate={"exact-match": 0.5})
        turned = gate(result(NEW), result(OLD, range(199, -1, -1)), rule=rule, min_pass_rate={"exact-match": 0.5})
        assert turned == expected
        assert "left out" not in turned.pretty()

    def test_what_both_have_is_compared_and_the_rest_is_named(self) -> None:
        new, old = result(NEW, range(190)), result(OLD, [*range(199, 4, -1)])
        both = range(5, 190)
        report = gate(new, old, rule="strict", max_drop=0.5, min_pass_rate={"exact-match": 0.5})
        alone = gate(result(NEW, both), result(OLD, both), rule="strict", max_drop=0.5)
        drops = {check.metric: check for check in report.checks if check.rule.endswith("(strict)")}
        for check in alone.checks:
            assert drops[check.metric].message.replace(" on the 185 items in both", "") == check.message
        assert f"self-bleu: {self_bleu(NEW[5:190]).value:.4f} after {self_bleu(OLD[5:190]).value:.4f} on the" in (
            drops["self-bleu"].message
        )
        said = (
            "185 items are in both results and were compared; left out: 5 only in the new result (q0, q1, q2, q3, q4), "
            "10 only in the baseline result (q199, q198, q197, q196, q195 and 5 more)"
        )
        (check,) = (check for check in report.checks if check.rule == "items in both results")
        assert (check.message, check.passed, len(check.items)) == (said, True, 15)
        assert said in report.pretty()
        assert "185 items are in both results" in report.to_markdown()
        assert said in [element.text for element in ElementTree.fromstring(report.to_junit()).iter("system-out")]
        rates = [check for check in report.checks if check.metric == "exact-match" and "items" in check.message]
        assert rates[0].message.startswith("hypotheses, exact-match: 142 of 190 items")
        assert "q188" in rates[1].items
        assert not {"q0", "q199"} & set(rates[1].items)

    @pytest.mark.parametrize("role", ["references", "sources"])
    def test_other_texts_under_one_id_are_refused(self, role: str) -> None:
        texts = [f"source {place}" for place in range(200)]
        new, old = (
            evaluate(NEW, REFERENCES, ids=IDS, sources=texts),
            evaluate(
                OLD[::-1],
                REFERENCES[::-1][:-3] + (["other"] * 3 if role == "references" else REFERENCES[2::-1]),
                ids=IDS[::-1],
                sources=texts[::-1][:-3] + (["other"] * 3 if role == "sources" else texts[2::-1]),
            ),
        )
        with pytest.raises(GateError, match=f"the two results have different {role} for q0"):
            gate(new, old)

    def test_without_ids_nothing_is_guessed(self) -> None:
        with pytest.raises(GateError, match="the two results have different references for segment 1"):
            gate(result(NEW, ids=False), result(OLD, range(199, -1, -1), ids=False))
        with pytest.raises(
            GateError, match="the new result has 190 segments, but the baseline has 200; only items with"
        ):
            gate(result(NEW, range(190), ids=False), result(OLD))
        with pytest.raises(GateError, match="no item of the new result is in the baseline: q0 is not one of its ids"):
            gate(result(NEW, range(100)), result(OLD, range(100, 200)))

    def test_columns(self) -> None:
        new, old = (
            with_columns(None, {"judge": {"mine": values}}, ids=ids)
            for values, ids in (([1.0, 0.5, 0.0], IDS[:3]), ([1.0, 1.0, 0.5], IDS[3:0:-1]))
        )
        drop, left_out = gate(new, old, rule="strict").checks
        assert drop.message.startswith("mine, judge: 0.2500 after 0.7500 on the 2 items in both: a drop of 0.5000")
        assert left_out.items == ("q0", "q3")

    def test_pools_compared_with_a_corpus(self) -> None:
        """References of pool metrics alone are a corpus, not those of the items."""
        new, old = (
            evaluate({"model": NEW[:place]}, REFERENCES, metrics=["cross-bleu"], ids=IDS[:place])
            for place in (190, 200)
        )
        drop, left_out = gate(new, old, rule="strict").checks
        assert drop.message.endswith("on the 190 items in both: no drop")
        assert len(left_out.items) == 10

    def test_changed_numbers_of_items_that_are_left_out_are_seen(self) -> None:
        forged = forge(result(NEW, range(190)), value=0.99)
        with pytest.raises(GateError, match=r"the bleu of the new result is stored as 0\.9900"):
            gate(forged, result(OLD))

    def test_an_id_that_stands_twice(self) -> None:
        text = result(NEW).to_json().replace('"q1"', '"q0"')
        with pytest.raises(ResultError, match="ids holds q0 2 times"):
            Result.from_json(text)

    def test_the_command(self, tmp_path: Path) -> None:
        result(NEW, range(190)).write_json(tmp_path / "new.json")
        result(OLD, range(199, -1, -1)).write_json(tmp_path / "old.json")
        done = invoke("gate", str(tmp_path / "new.json"), "--baseline", str(tmp_path / "old.json"), "--max-drop", "0.5")
        assert (done.exit_code, done.stderr) == (0, "")
        assert "ok    190 items are in both results and were compared; left out: 10 only in the baseline" in done.stdout


class TestForgedResults:
    """Nothing in a file decides what a gate computes again."""

    @staticmethod
    def result_of(**systems: list[str]) -> Result:
        return evaluate(systems, REFERENCES[:20], metrics=["bleu"])

    @pytest.mark.parametrize(
        "decoy", ["bleu.1|unknown:1", "column.1|higher_is_better:yes|name:bleu", "bleu.1|max_order:1"]
    )
    def test_a_decoy_in_front(self, tmp_path: Path, decoy: str) -> None:
        """The definition of the first system was taken for all, so that one of no use left all as they were stored."""
        honest = self.result_of(decoy=REFERENCES[:20], mine=["bad"] * 20)
        first, mine = honest.systems
        lie = replace(mine.scores[0], value=0.99, segments=(0.99,) * 20)
        hidden = replace(first.scores[0], signature=decoy, segment_signature=decoy)
        forged = replace(honest, systems=(replace(first, scores=(hidden,)), replace(mine, scores=(lie,))), counted=None)
        with pytest.raises(ResultError, match=r"bleu is .* for one system, and bleu\.1"):
            gate(forged, minimum={"bleu": 0.9})
        with pytest.raises(ResultError, match="for one system"):
            replay(forged)
        (tmp_path / "forged.json").write_text(forged.to_json())
        shut = invoke("gate", str(tmp_path / "forged.json"), "--min", "bleu=0.9")
        assert shut.exit_code == 2
        assert_one_line(shut.stderr, "for one system")

    @pytest.mark.parametrize(
        "change",
        [
            lambda text: text.replace("smoothing:exp", "smoothing:add-k(1000.0)"),
            lambda text: text.replace("bleu.1", "sentence-bleu.1"),
            lambda text: text.replace("bleu.1", "unknown.1"),
            lambda text: text.replace("|tokenizer:13a", ""),
            lambda text: text.replace("tokenizer:13a", "tokenizer:char"),
        ],
    )
    def test_segments_of_another_definition(self, change: Any) -> None:
        honest = self.result_of(mine=REFERENCES[:20])
        score = honest.systems[0].scores[0]
        for counted in (None, honest.counted):
            forged = replace(forge(honest, segment_signature=change(score.segment_signature)), counted=counted)
            with pytest.raises(GateError, match="the segments of bleu were scored by another metric"):
                gate(forged, min_pass_rate={"bleu": 0.5})
        assert gate(honest, min_pass_rate={"bleu": 0.5}).passed

    def test_segments_that_cannot_be_computed_again_are_marked(self) -> None:
        streamed = replace(self.result_of(mine=REFERENCES[:20]), references=())
        (check,) = gate(streamed, min_pass_rate={"bleu": 0.5}).checks
        assert "reach ≥ 0.3 (as stored), which is at least 50.0 %" in check.message
        other = forge(streamed, segment_signature="chrf.1|beta:2")
        with pytest.raises(GateError, match="the segments of bleu were scored by another metric"):
            gate(other, min_pass_rate={"bleu": 0.5})
