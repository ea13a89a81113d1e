"""Results whose pages are opened."""

from __future__ import annotations

import random
from functools import cache

from bleuprint import BLEU, TER
from bleuprint.metrics.perplexity import Perplexity
from bleuprint.models.language_model import LanguageModel
from bleuprint.report import render
from bleuprint.results import Result
from bleuprint.runners import evaluate
from tests.support.cli import SYSTEMS, lines, references

ARABIC = {
    "source": ["The weather is fine today.", "He bought three books.", "Where is the station?"],
    "reference": ["الطقس جميل اليوم.", "اشترى ثلاثة كتب.", "أين المحطة؟"],
    "first": ["الطقس اليوم جميل.", "اشترى ثلاثة كتب جديدة.", "أين تقع المحطة؟"],
    "second": ["الجو جميل اليوم.", "هو اشترى 3 كتب.", "أين المحطة؟"],
}
JAPANESE = {
    "source": ["The weather is fine today.", "He bought three books.", "Where is the station?"],
    "reference": ["今日は天気がいいです。", "彼は本を三冊買いました。", "駅はどこですか。"],
    "first": ["今日は天気がとてもいい。", "彼は三冊の本を買いました。", "駅はどこにありますか。"],
    "second": ["本日は晴天です。", "彼は本を三冊買った。", "駅はどこですか。"],
}


def sample_result(**options: object) -> Result:
    """The sample that comes with the package."""
    return evaluate({name: lines(name) for name in SYSTEMS}, references(), sources=lines("source"), **options)  # type: ignore[arg-type]


@cache
def sample_page() -> str:
    """All sections: two metrics and a perplexity under a small model, a column of domains."""
    model = LanguageModel.train(lines("ref-1"), order=2, tokenizer="13a")
    metrics = {"bleu": BLEU(), "ter": TER(), "perplexity": Perplexity(model)}
    return render(sample_result(metrics=metrics), columns={"domain": ["news", "chat", "law"] * 16})


def other_script(texts: dict[str, list[str]], tokenizer: str) -> Result:
    return evaluate(
        {"first": texts["first"], "second": texts["second"]},
        texts["reference"],
        metrics={"bleu": BLEU(tokenizer=tokenizer)},
        sources=texts["source"],
    )


@cache
def large_page() -> str:
    """5,000 segments of three systems; every text differs from every other."""
    chance = random.Random(5)
    words = [word for text in lines("ref-1") + lines("ref-2") for word in text.split()]

    def text(number: int) -> str:
        return " ".join([*chance.choices(words, k=chance.randint(4, 30)), f"{number}."])

    expected = [text(number) for number in range(5000)]

    def output(share: float) -> list[str]:
        return [
            " ".join(word if chance.random() < share else chance.choice(words) for word in reference.split())
            for reference in expected
        ]

    return render(evaluate({"one": output(0.9), "two": output(0.7), "three": output(0.4)}, expected))
