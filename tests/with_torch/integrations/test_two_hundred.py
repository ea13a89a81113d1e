"""The same two hundred items in every framework: the digits are those of `evaluate`, and errors are ours."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from lm_eval.utils import make_table

import bleuprint as bp
from bleuprint.dataset.joining import join_tables
from bleuprint.errors import LengthMismatchError, NoReferenceError, NotTextError, OptionError, TransposedReferencesError
from bleuprint.integrations import inspect
from bleuprint.metrics import registry
from bleuprint.statistics.intervals import jackknife, standard_error
from tests.support.documents import ROOT, block_of, recipe
from tests.support.markdown import examples_of
from tests.support.two_hundred import ANSWERS, OUTPUTS, REFERENCES, SOURCES, corpus, segments
from tests.with_torch.integrations.test_inspect import found, says
from tests.with_torch.integrations.test_lm_eval import AGGREGATED, TASK, Parrot

NAMES = ("bleu", "chrf", "ter")


def stderr_of(metric: str, clusters: list[Any] | None = None) -> float:
    sample = registry.resolve(metric).sample(OUTPUTS, REFERENCES)
    return float(standard_error(jackknife(sample if clusters is None else sample.by_cluster(clusters))))


@pytest.fixture
def mlflow_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    import mlflow

    mlflow.set_tracking_uri((folder / "runs").as_uri())
    mlflow.set_experiment("items")
    return mlflow


def test_mlflow(mlflow_runs: Any, folder: Path) -> None:
    scorer = recipe("scorers.py", folder).scorer
    rows = [
        {"inputs": {"source": source}, "outputs": output, "expectations": {"expected_response": references}}
        for source, output, references in zip(SOURCES, OUTPUTS, REFERENCES, strict=True)
    ]
    evaluated = mlflow_runs.genai.evaluate(data=rows, scorers=[scorer("bleu", threshold=0.3), scorer("ter", 0.6)])
    traces = evaluated.result_df
    by_source = {request["source"]: place for place, request in enumerate(traces["request"])}
    order = [by_source[source] for source in SOURCES]
    for name, least, most in (("bleu", 0.3, 1.0), ("ter", 0.0, 0.6)):
        expected = segments(name)
        assert traces[f"{name}/value"].iloc[order].tolist() == expected
        assert evaluated.metrics[f"{name}/mean"] == pytest.approx(np.mean(expected), rel=1e-12)
        assert traces[f"{name}_passed/value"].iloc[order].tolist() == [least <= score <= most for score in expected]
    path = folder / "traces.json"
    mlflow_runs.search_traces(run_id=evaluated.run_id).to_json(path, orient="records")
    joined = join_tables({"a": path, "b": path}, scores=["bleu", "bleu_passed"])
    by_output = dict(zip(zip(OUTPUTS, map(tuple, REFERENCES), strict=True), segments("bleu"), strict=True))
    items = zip(joined.systems["a"], joined.references, strict=True)
    # pandas writes ten decimal places.
    assert joined.scores["bleu"]["a"] == [pytest.approx(by_output[item], abs=1e-9) for item in items]
    assert joined.scores["bleu_passed"]["b"] == [score >= 0.3 for score in joined.scores["bleu"]["b"]]
    with pytest.raises(OptionError, match=r"from 0 to 1 for bleu \(scores are fractions: 0.3, not 30\)"):
        scorer("bleu", threshold=30)
    rows = [{"inputs": {"source": "a"}, "outputs": "b", "expectations": {"other": "c"}}]
    missing = mlflow_runs.genai.evaluate(data=rows, scorers=[scorer("bleu", threshold=0.3)]).result_df
    assert missing["bleu/error_message"].tolist() == [
        "expected_output must be a str or a list of them, got None; use '' for an empty text, or drop the segment."
    ]
    rows = [{"inputs": {"source": "a"}, "outputs": "b"}]
    missing = mlflow_runs.genai.evaluate(data=rows, scorers=[scorer("bleu", threshold=0.3)]).result_df
    assert "expected_output must be a str or a list of them, got None" in missing["bleu/error_message"].iloc[0]


def test_inspect_with_epochs_and_clusters(folder: Path) -> None:
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import MemoryDataset, Sample

    samples = [
        Sample(id=number, input=source, target=references, metadata={"document": number // 10})
        for number, (source, references) in enumerate(zip(SOURCES, REFERENCES, strict=True))
    ]
    task = Task(MemoryDataset(samples), scorer=[inspect.scorer(name) for name in NAMES])
    (log,) = evaluate(task, model=says(ANSWERS), display="none")
    values = found(log)
    for name in NAMES:
        assert values[name]["corpus"] == corpus(name)
        assert values[name]["corpus_stderr"] == stderr_of(name)
        assert {sample.id: sample.scores[name].value for sample in log.samples} == dict(enumerate(segments(name)))
    joined = join_tables({"a": log.location, "b": log.location}, scores=["bleu"])
    assert dict(zip(joined.ids or (), joined.scores["bleu"]["a"], strict=True)) == {
        str(number): score for number, score in enumerate(segments("bleu"))
    }
    metrics: Any = [inspect.corpus(), inspect.corpus_stderr(cluster="document")]
    task = Task(MemoryDataset(samples), scorer=inspect.scorer("bleu"), metrics=metrics)
    (log,) = evaluate(task, model=says(ANSWERS), epochs=2, display="none")
    values = found(log)
    documents = [number // 10 for number in range(len(SOURCES))]
    assert values["bleu"]["corpus"] == bp.corpus_bleu(OUTPUTS * 2, REFERENCES * 2).value
    # The same answer twice is no more evidence than once: epochs are in one cluster with their sample.
    assert values["bleu"]["corpus_stderr"] == pytest.approx(stderr_of("bleu", documents), rel=1e-12)
    task = Task(MemoryDataset(samples), scorer=inspect.scorer("bleu"))
    (log,) = evaluate(task, model=says(ANSWERS), epochs=2, display="none")
    assert found(log)["bleu"]["corpus_stderr"] == pytest.approx(stderr_of("bleu"), rel=1e-12)
    task = Task(MemoryDataset(samples), scorer=inspect.scorer("bleu"), metrics=[inspect.corpus_stderr("documnet")])
    (log,) = evaluate(task, model=says(ANSWERS), display="none")
    assert "cluster must be one of document, got 'documnet'. Did you mean document?" in log.error.message


def test_lm_eval(folder: Path) -> None:
    import lm_eval
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    rows = [{"source": s, "first": refs[0], "refs": refs} for s, refs in zip(SOURCES, REFERENCES, strict=True)]
    (folder / "data.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    both = [f"{name}{end}" for name in NAMES for end in ("", "_stderr")]
    (folder / "mine.py").write_text(
        "from bleuprint.integrations.lm_eval import scored_by\n"
        f"process_results = scored_by(*{both!r}, references='refs')\n",
        encoding="utf-8",
    )
    lists = "".join(AGGREGATED.format(metric=name) for name in both)
    lists = re.sub(r"(_stderr\n.*corpus)", r"\1_stderr", lists)
    text = TASK.format(name="whole", data=folder / "data.jsonl", target="{{first}}", metrics=lists)
    (folder / "whole.yaml").write_text(text + "process_results: !function mine.process_results\n", encoding="utf-8")
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    evaluated = lm_eval.simple_evaluate(Parrot(ANSWERS), tasks=["whole"], task_manager=manager, log_samples=True)
    tracker = EvaluationTracker(output_path=str(folder / "logs"))
    tracker.save_results_aggregated(results=evaluated, samples=evaluated["samples"])
    tracker.save_results_samples(task_name="whole", samples=evaluated["samples"]["whole"])
    (log,) = (folder / "logs").rglob("samples_*.jsonl")
    joined = join_tables({"a": log, "b": log}, logged=True)
    assert joined.scores == {}  # the records are no numbers, so texts are compared
    assert joined.systems["a"] == joined.systems["b"] == OUTPUTS
    assert joined.references == [(group[0],) for group in REFERENCES]
    results = evaluated["results"]["whole"]
    for name in NAMES:
        assert results[f"{name},none"] == corpus(name)
        assert results[f"{name}_stderr,none"] == stderr_of(name)
        shown = f"|{corpus(name):.4f}|±  |{stderr_of(name):.4f}|"
        assert shown in make_table(evaluated).replace(" ", "").replace("±", "±  ")


def test_lighteval(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its whole pipeline, with a dataset of this folder and a model that answers with our outputs.

    Only its own tasks are not listed: that fetches files, and fails with huggingface_hub 2.4.
    """
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
    from lighteval.models.model_output import ModelResponse
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
    from lighteval.tasks.registry import Registry

    torch.set_grad_enabled(True)  # importing lighteval switches gradients off for the whole process
    for listing in ("_load_from_files", "_load_from_subdirs"):
        monkeypatch.setattr(Registry, listing, lambda *_: {})

    class Parrot(DummyModel):  # type: ignore[misc]
        def greedy_until(self, docs: list[Any]) -> list[Any]:
            return [ModelResponse(text=[ANSWERS[doc.query]]) for doc in docs]

    def run(rows: list[dict[str, Any]]) -> Any:
        (folder / "dataset").mkdir(exist_ok=True)
        (folder / "dataset" / "test.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        pipeline = Pipeline(
            tasks="translation",
            pipeline_parameters=PipelineParameters(
                launcher_type=ParallelismManager.NONE, custom_tasks_directory=task.stem, bootstrap_iters=10
            ),
            evaluation_tracker=EvaluationTracker(output_dir=str(folder / "results")),
            model=Parrot(DummyModelConfig(cache_dir=str(folder / "cache"))),
        )
        pipeline.evaluate()
        pipeline.save_and_push_results()
        return pipeline.get_results()["results"]["translation:0"]

    monkeypatch.syspath_prepend(folder)
    task = folder / "lighteval_task.py"
    task.write_text(block_of(task.name).replace("your/dataset", str(folder / "dataset")), encoding="utf-8")
    rows = [{"source": source, "target": refs} for source, refs in zip(SOURCES, REFERENCES, strict=True)]
    assert run(rows)["bleuprint_bleu"] == corpus("bleu")
    rows = [{"source": row["source"], "target": row["target"][0]} for row in rows]
    assert run(rows)["bleuprint_bleu"] == bp.corpus_bleu(OUTPUTS, [row["target"] for row in rows]).value
    with pytest.raises(NoReferenceError, match=r"references\[\d\] holds no reference"):
        run([*rows[:1], {"source": SOURCES[1], "target": None}])


def test_trl_reward(folder: Path) -> None:
    reward = recipe("rewards.py", folder).gleu_reward
    assert reward(completions=OUTPUTS, prompts=SOURCES, reference=REFERENCES) == segments("gleu")
    chats = [[{"role": "assistant", "content": text}] for text in OUTPUTS]
    assert reward(completions=chats, reference=REFERENCES) == segments("gleu")
    with pytest.raises(TransposedReferencesError, match=r"it is transposed; references\[i\] must hold"):
        reward(completions=["a", "b", "c"], reference=[["a", "b", "c"], ["d", "e", "f"]])
    with pytest.raises(LengthMismatchError, match="hypotheses has 2 segments but references has 1"):
        reward(completions=["a", "b"], reference=["a"])
    with pytest.raises(NotTextError, match=r"references\[1\] must be a str or a list of them, got None"):
        reward(completions=["a", "b"], reference=["a", None])
    with pytest.raises(NotTextError, match=r"references must be a list .*, got None; gleu compares with references"):
        reward(completions=["a", "b"], prompts=["c", "d"])


def test_trainer(folder: Path) -> None:
    """`compute_metrics` of the manual in a Seq2SeqTrainer with a model of random numbers."""
    from datasets import Dataset
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import (
        DataCollatorForSeq2Seq,
        PreTrainedTokenizerFast,
        Seq2SeqTrainer,
        Seq2SeqTrainingArguments,
        T5Config,
        T5ForConditionalGeneration,
        set_seed,
    )

    # Few words, so that a model that knows nothing hits some of them.
    common = Counter(word for group in REFERENCES for word in group[0].split()).most_common(8)
    vocabulary = ["<pad>", "</s>", "<unk>", *(word for word, _ in common)]
    words = Tokenizer(models.WordLevel({word: place for place, word in enumerate(vocabulary)}, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", eos_token="</s>", unk_token="<unk>")
    set_seed(1)
    sizes: Any = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2, "vocab_size": len(vocabulary)}
    model = T5ForConditionalGeneration(T5Config(**sizes, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1))
    ids = [tokenizer(group[0])["input_ids"] for group in REFERENCES]
    page = (ROOT / "docs/how-to/compute-metrics.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for source, _ in examples_of(page)[:3]:
        exec(source, names)
    compute_metrics, seen = names["make_compute_metrics"](tokenizer), list[Any]()

    def watched(prediction: Any) -> dict[str, float]:
        seen.append(prediction)
        scores: dict[str, float] = compute_metrics(prediction)
        return scores

    trainer = Seq2SeqTrainer(
        model=model,
        args=Seq2SeqTrainingArguments(
            output_dir=str(folder), predict_with_generate=True, generation_max_length=12,
            per_device_eval_batch_size=100, report_to=[], use_cpu=True, disable_tqdm=True,
        ),
        eval_dataset=Dataset.from_dict({"input_ids": ids, "labels": ids}),
        data_collator=DataCollatorForSeq2Seq(tokenizer, model=model),
        processing_class=tokenizer,
        compute_metrics=watched,
    )  # fmt: skip
    logged = trainer.evaluate()
    (prediction,) = seen
    outputs = [" ".join(vocabulary[token] for token in row if token > 2) for row in prediction.predictions]
    references = [" ".join(vocabulary[token] for token in row if token > 2) for row in prediction.label_ids]
    assert len(outputs) == len(SOURCES)
    result = bp.evaluate(outputs, references, metrics=["bleu", "chrf"]).systems[0]
    assert {name: logged[f"eval_{name}"] for name in ("bleu", "chrf")} == {s.metric: s.value for s in result.scores}
    assert result.score("chrf").value > 0
