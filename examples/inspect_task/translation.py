"""A task for Inspect AI, and a run of it with a model that translates word by word; nothing is downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspect_ai import Task, eval, task
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model

from bleuprint.integrations.inspect import scorer

WORDS = {
    "die": "the", "der": "the", "den": "the", "katze": "cat", "hund": "dog", "nacht": "night", "es": "it", "in": "in",
    "schläft": "sleeps", "bellt": "barks", "regnet": "rains", "sieht": "sees", "heute": "today",
}  # fmt: skip


@task
def translation() -> Task:
    """Translation with several references, scored by BLEU and chrF."""
    data = Path(__file__).parent / "translations.jsonl"
    samples = json_dataset(str(data), FieldSpec(input="source", target="references"))
    return Task(samples, scorer=[scorer("bleu"), scorer("chrf")])


def word_by_word() -> Model:
    """Looks each word up. Put a model of your own in its place, or name one on the command line."""

    def answer(messages: list[Any], *_: Any) -> ModelOutput:
        words = messages[-1].text.rstrip(".").lower().split()
        text = " ".join(WORDS[word] for word in words).capitalize() + "."
        output = ModelOutput.from_content("mockllm/model", text)
        return output.model_copy(update={"usage": ModelUsage()})  # counting it would fetch a vocabulary

    return get_model("mockllm/model", custom_outputs=answer)


def main() -> dict[str, float]:
    """Print and return the corpus scores."""
    (log,) = eval(translation(), model=word_by_word(), display="none")
    scores = {score.name: score.metrics["corpus"].value for score in log.results.scores if "corpus" in score.metrics}
    for name, value in scores.items():
        print(f"{name} {value:.4f}")
    return scores


if __name__ == "__main__":
    main()
