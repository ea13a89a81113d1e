"""Tasks of the real LM Evaluation Harness, with a model that says what it is told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import lm_eval
import pytest
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

import bleuprint as bp
from bleuprint.errors import InputError, MergeError, NoReferenceError, NotTextError, OptionError
from bleuprint.integrations import lm_eval as ours
from tests.support.tables import REFERENCE_TABLE
from tests.with_torch.integrations.texts import PREDICTIONS, REFERENCES, SOURCES, own_score

FIRST = [group[0] for group in REFERENCES]

TASK = """
task: {name}
dataset_path: json
dataset_kwargs:
  data_files:
    test: {data}
test_split: test
output_type: generate_until
doc_to_text: "{{{{source}}}}"
doc_to_target: "{target}"
generation_kwargs:
  until: ["\\n"]
metric_list:
{metrics}
"""
FUNCTION = """
  - metric: !function bleuprint.integrations.lm_eval.{metric}
    aggregation: !function bleuprint.integrations.lm_eval.corpus
    higher_is_better: {better}
"""
AGGREGATED = """
  - metric: {metric}
    aggregation: !function bleuprint.integrations.lm_eval.corpus
    higher_is_better: true
"""


class Parrot(LM):  # type: ignore[misc]
    """Answers a source with its prediction."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        super().__init__()
        self.answers = answers

    def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
        return [self.answers[request.args[0]] for request in requests]

    def loglikelihood(self, requests: Any, disable_tqdm: bool = False) -> Any:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: Any, disable_tqdm: bool = False) -> Any:
        raise NotImplementedError


def write(folder: Path, metrics: str, *, target: str = "{{first}}", more: str = "", name: str = "tiny") -> Path:
    rows = zip(SOURCES, FIRST, REFERENCES, strict=True)
    lines = [json.dumps({"source": source, "first": first, "refs": refs}) for source, first, refs in rows]
    (folder / "data.jsonl").write_text("\n".join(lines), encoding="utf-8")
    text = TASK.format(name=name, data=folder / "data.jsonl", target=target, metrics=metrics) + more
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def run(folder: Path, name: str = "tiny") -> dict[str, Any]:
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    found = lm_eval.simple_evaluate(
        Parrot(dict(zip(SOURCES, PREDICTIONS, strict=True))),
        tasks=[name],
        task_manager=manager,
        bootstrap_iters=10,
        log_samples=True,
        verbosity="ERROR",
    )
    assert isinstance(found, dict)
    return found


def values(found: dict[str, Any], name: str = "tiny") -> dict[str, Any]:
    return {key.removesuffix(",none"): value for key, value in found["results"][name].items()}


def test_a_task_file_alone(tmp_path: Path) -> None:
    lists = FUNCTION.format(metric="bleu", better="true") + "    lowercase: true\n    max_order: 2\n"
    lists += FUNCTION.format(metric="ter", better="false")
    found = run(write(tmp_path, lists))
    expected = bp.corpus_bleu(PREDICTIONS, FIRST, lowercase=True, max_order=2).value
    assert values(found)["bleu"] == expected
    assert values(found)["ter"] == bp.corpus_ter(PREDICTIONS, FIRST).value
    assert found["higher_is_better"]["tiny"] == {"bleu": True, "ter": False}
    assert expected != pytest.approx(bp.sentence_bleus(PREDICTIONS, FIRST, max_order=2).mean(), rel=0.01)
    (sample,) = [sample for sample in found["samples"]["tiny"] if sample["doc"]["source"] == SOURCES[0]]
    kept = json.loads(json.dumps(sample["bleu"]))
    metric = bp.BLEU(lowercase=True, max_order=2)
    (row,) = metric.statistics(PREDICTIONS[:1], FIRST[:1]).rows.tolist()
    assert kept == [metric.signature, row, None]


def test_several_references_and_a_source(tmp_path: Path) -> None:
    names = [name.replace("-", "_") for name in REFERENCE_TABLE] + ["self_bleu", "distinct", "ms_jaccard"]
    (tmp_path / "mine.py").write_text(
        "from bleuprint.integrations.lm_eval import scored_by\n"
        f"process_results = scored_by(*{names!r}, references='refs', source='source')\n",
        encoding="utf-8",
    )
    lists = "".join(AGGREGATED.format(metric=name) for name in names)
    found = run(write(tmp_path, lists, more="process_results: !function mine.process_results\n", name="whole"), "whole")
    for name in names:
        assert values(found, "whole")[name] == own_score(name.replace("_", "-")), name


def test_a_list_of_targets_is_refused(tmp_path: Path) -> None:
    """The harness hands on 1.0 for a document that matched any of its targets: no score could come of it."""
    folder = write(tmp_path, FUNCTION.format(metric="bleu", better="true"), target="refs", name="lists")
    with pytest.raises(
        NotTextError, match=r"items\[0\] must be the return value of a bleuprint metric, got float; .*scored_by"
    ):
        run(folder, "lists")


@pytest.mark.parametrize(
    ("metric", "option", "error", "said"),
    [
        ("bleu", "    tokeniser: 13a\n", OptionError, "Did you mean 'tokenizer'"),
        ("bleu", "    max_order: 99\n", OptionError, "max_order must be"),
        ("sari", "", InputError, r"set process_results to scored_by\('sari', source=…\)"),
    ],
)
def test_faults_stop_the_run(tmp_path: Path, metric: str, option: str, error: type[Exception], said: str) -> None:
    folder = write(tmp_path, FUNCTION.format(metric=metric, better="true") + option, name="faulty")
    with pytest.raises(error, match=said):
        run(folder, "faulty")


@pytest.mark.parametrize(
    ("references", "error", "said"),
    [
        (None, NotTextError, "references must be a str or a list of them, got None; bleu compares with references"),
        ([], NoReferenceError, "references holds no reference"),
        ([None], NoReferenceError, "references holds no reference"),
        (7, NotTextError, "references must be a str or a list of them, got int"),
        ([["a", "b"], ["c", "d"]], NotTextError, r"references\[0\] must be a str, got list"),
    ],
)
def test_a_document_without_references_stops_the_run(
    tmp_path: Path, references: object, error: type[Exception], said: str
) -> None:
    (tmp_path / "mine.py").write_text(
        "from bleuprint.integrations.lm_eval import scored_by\n"
        "process_results = scored_by('bleu', 'self_bleu', references='refs')\n",
        encoding="utf-8",
    )
    lists = "".join(AGGREGATED.format(metric=name) for name in ("bleu", "self_bleu"))
    folder = write(tmp_path, lists, more="process_results: !function mine.process_results\n", name="faulty")
    line = json.dumps({"source": SOURCES[0], "first": "a", "refs": references})
    (folder / "data.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(error, match=said):
        run(folder, "faulty")


def test_documents_that_do_not_belong_together() -> None:
    bleu: Any = ours.bleu
    one = bleu(references=["a b"], predictions=["a c"])
    with pytest.raises(MergeError):
        ours.corpus([one, bleu(references=["a b"], predictions=["a c"], max_order=1)])
    with pytest.raises(InputError, match="no document was scored"):
        ours.corpus([])
    with pytest.raises(InputError, match=r"sari compares with the sources: pass their field as source=…"):
        ours.scored_by("sari")
    with pytest.raises(InputError, match="the documents have no field 'refs', only 'reference'"):
        ours.scored_by("bleu", references="refs")({"reference": "a"}, ["a"])
    with pytest.raises(InputError, match="must be plain values"):
        bleu(references=["a b"], predictions=["a c"], tokenizer=str.split)
    with pytest.raises(AttributeError, match="has no attribute 'blue'"):
        ours.blue  # noqa: B018
