"""The script that Hugging Face's evaluate loads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import evaluate
import pytest

import bleuprint as bp
from bleuprint.errors import (
    BareStringError,
    InputError,
    LengthMismatchError,
    MissingSourcesError,
    NoSegmentsError,
    NotTextError,
    OptionError,
    TransposedReferencesError,
    UnusedSourcesError,
)
from bleuprint.integrations import hf
from bleuprint.metrics import find
from tests.support.tables import POOL_TABLE, REFERENCE_TABLE
from tests.with_torch.integrations.texts import PREDICTIONS, REFERENCES, SOURCES, own_score

NAMES = sorted([*REFERENCE_TABLE, *POOL_TABLE])


def load(name: str) -> Any:
    return evaluate.load(hf.path(), name)


def inputs(name: str) -> dict[str, Any]:
    """As much as the metric looks at, and references even where it does not."""
    sources = name in REFERENCE_TABLE and REFERENCE_TABLE[name].needs_sources
    return {"predictions": PREDICTIONS, "references": REFERENCES} | ({"sources": SOURCES} if sources else {})


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_loads_and_gives_its_own_score(name: str) -> None:
    module = load(name)
    found = module.compute(**inputs(name))
    main = name.replace("-", "_")
    assert next(iter(found)) == main == module.name
    assert found[main] == own_score(name)
    assert type(found[main]) is float
    recorded = "sentence-bleu" if name == "item-bleu" else (REFERENCE_TABLE | POOL_TABLE)[name].name
    assert found["signature"].startswith(f"{recorded}.1|")
    assert json.loads(json.dumps(found)) == found
    assert module.description
    assert module.config_name == name


@pytest.mark.parametrize("name", ["bleu", "ibleu", "rouge", "self-bleu"])
def test_what_was_added_counts_as_one_corpus(name: str) -> None:
    module = load(name)
    for begin in range(0, len(PREDICTIONS) - 1, 2):
        batch = {key: texts[begin : begin + 2] for key, texts in inputs(name).items()}
        if begin < 2:
            module.add_batch(**batch)
            continue
        for place in range(2):
            one = {key.removesuffix("s") if key != "sources" else key: batch[key][place] for key in batch}
            module.add(**one)
    assert module.compute()[name.replace("-", "_")] == own_score(name)


@pytest.mark.parametrize("name", sorted(REFERENCE_TABLE))
def test_scores_of_each_example(name: str) -> None:
    plain, found = load(name).compute(**inputs(name)), load(name).compute(**inputs(name), per_example=True)
    metric = REFERENCE_TABLE[name]()
    sources = {"sources": SOURCES} if metric.needs_sources else {}
    assert found.pop("scores") == metric.sentences(PREDICTIONS, REFERENCES, **sources).tolist()
    assert found == plain


def test_scores_of_each_example_of_texts_added_before() -> None:
    module = load("chrf")
    module.add_batch(predictions=PREDICTIONS[:2], references=REFERENCES[:2])
    module.add(prediction=PREDICTIONS[2], reference=REFERENCES[2])
    expected = bp.sentence_chrfs(PREDICTIONS[:3], REFERENCES[:3], word_order=2).tolist()
    assert module.compute(word_order=2, per_example=True)["scores"] == expected
    assert "scores" not in module.compute(predictions=PREDICTIONS, references=REFERENCES)


def test_pools_have_scores_of_each_example_or_refuse_them() -> None:
    found = load("self_bleu").compute(predictions=PREDICTIONS, per_example=True)
    assert found["scores"] == bp.self_bleu(PREDICTIONS).per_text.tolist()
    with pytest.raises(InputError, match="entropy scores all texts together and has no score for each"):
        load("entropy").compute(predictions=PREDICTIONS, per_example=True)
    with pytest.raises(OptionError, match="per_example must be True or False"):
        load("bleu").compute(predictions=PREDICTIONS, references=REFERENCES, per_example="yes")


def test_details_and_options() -> None:
    found = load("bleu").compute(predictions=PREDICTIONS, references=REFERENCES, lowercase=True, max_order=2)
    expected = bp.corpus_bleu(PREDICTIONS, REFERENCES, lowercase=True, max_order=2)
    assert found["bleu"] == expected.value
    assert found["precisions"] == list(expected.precisions)
    assert found["signature"] == expected.signature
    assert find("bleu").from_signature(found["signature"]).corpus(PREDICTIONS, REFERENCES).value == expected.value
    assert load("self_bleu").compute(predictions=PREDICTIONS)["texts"] == len(PREDICTIONS)


def test_a_reference_is_a_text_or_a_list_and_may_be_missing_in_a_list() -> None:
    mixed: list[Any] = ["a b c", ["a b d", None], ("a b", "x")]
    predictions = ["a b c", "a b c", "a b"]
    found = load("chrf").compute(predictions=iter(predictions), references=mixed)
    assert found["chrf"] == bp.corpus_chrf(predictions, mixed).value


def test_a_name_that_is_missing_or_wrong_is_explained() -> None:
    with pytest.raises(OptionError, match=r'^name a metric, as in evaluate.load\(hf.path\(\), "bleu"\)'):
        evaluate.load(hf.path())
    with pytest.raises(OptionError, match="Did you mean bleu"):
        load("blue")
    with pytest.raises(OptionError, match="There is no metric '/etc'"):
        load("/etc")


def test_a_module_cites_the_papers_of_its_metric() -> None:
    assert load("bleu").citation.startswith("@inproceedings{papineni-etal-2002-bleu,")
    assert load("exact_match").citation == ""


def test_no_texts() -> None:
    with pytest.raises(NoSegmentsError, match="bleu has no segments"):
        load("bleu").compute(predictions=[], references=[])


def test_several_at_once() -> None:
    both = evaluate.combine([load("bleu"), load("ter")])
    found = both.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert (found["bleu"], found["ter"]) == (own_score("bleu"), own_score("ter"))
    assert found["bleu_signature"] != found["ter_signature"]


def test_a_metric_with_a_model(tmp_path: Path) -> None:
    model = bp.LanguageModel.train([text for group in REFERENCES for text in group], order=2, discount_fallback=True)
    model.save(tmp_path / "model.blm")
    found = load("perplexity").compute(predictions=PREDICTIONS, lm=str(tmp_path / "model.blm"))
    assert found["perplexity"] == bp.perplexity(PREDICTIONS, lm=model).value
    with pytest.raises(OptionError, match="needs lm, which has no default"):
        load("perplexity").compute(predictions=PREDICTIONS)


@pytest.mark.parametrize(
    ("name", "given", "error", "said"),
    [
        ("bleu", {"predictions": "a", "references": "a"}, BareStringError, "got a single string"),
        ("bleu", {"predictions": ["a"], "references": ["a", "b"]}, LengthMismatchError, "1 segments but"),
        ("bleu", {"predictions": ["a", "b"], "references": [["a", "b"]]}, TransposedReferencesError, "transposed"),
        ("bleu", {"predictions": ["a", None], "references": ["a", "b"]}, NotTextError, r"predictions\[1\]"),
        ("bleu", {"predictions": [["a"]], "references": [["a"]]}, NotTextError, "join the tokens"),
        ("bleu", {"predictions": ["a"]}, InputError, "bleu needs references"),
        ("bleu", {"predictions": ["a"], "references": ["a"], "sources": ["a"]}, UnusedSourcesError, "remove them"),
        ("sari", {"predictions": ["a"], "references": ["a"]}, MissingSourcesError, "sari compares with the sources"),
        ("bleu", {"predictions": ["a"], "references": ["a"], "tokeniser": "13a"}, OptionError, "mean 'tokenizer'"),
        ("ibleu", {"predictions": ["a"], "references": ["a"], "sources": ["a"], "no": 1}, OptionError, "of ibleu"),
    ],
)
def test_faults_are_named_and_leave_nothing_behind(
    name: str, given: dict[str, Any], error: type[Exception], said: str
) -> None:
    module = load(name)
    with pytest.raises(error, match=said):
        module.compute(**given)
    assert module.compute(**inputs(name))[name] == own_score(name)


def test_processes_share_one_corpus(tmp_path: Path) -> None:
    """Each process stores its part, the first scores all: evaluate's way, here in threads."""
    from concurrent.futures import ThreadPoolExecutor

    def part(number: int) -> Any:
        module = evaluate.load(
            hf.path(), "bleu", num_process=2, process_id=number, cache_dir=str(tmp_path), experiment_id="shared"
        )
        return module.compute(predictions=PREDICTIONS[number::2], references=REFERENCES[number::2])

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(part, range(2))
    assert second is None
    assert first["bleu"] == own_score("bleu")
