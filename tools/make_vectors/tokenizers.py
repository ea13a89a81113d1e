"""Tokenizers of BLEU, by sacrebleu."""

from __future__ import annotations

import importlib
from typing import Any

from sacrebleu.metrics.bleu import _TOKENIZERS

from tests.vectors.plain.case import Case
from tools.make_vectors.draft import Draft, Suite, package

TOKENIZERS = "sacrebleu.tokenizers"


def tokens(case: Case) -> dict[str, Any]:
    name = case.options["tokenizer"]
    module, kind = _TOKENIZERS[name].rsplit(".", 1)
    tokenize = getattr(importlib.import_module(f"{TOKENIZERS}.{module}"), kind)()
    texts = [text.lower() if case.options["lowercase"] else text for text in case.hypotheses]
    return {"tokens": [tokenize(text.rstrip()).split() for text in texts]}


SUITES = [
    Suite(
        metric="tokenizers",
        about="How a text becomes tokens before BLEU counts: 13a (the standard of WMT), intl, zh and char.",
        options={"tokenizer": "13a", "lowercase": False},
        expected=tokens,
        source=package("sacrebleu"),
        scale="tokens",
        drafts=[
            Draft(
                "13a-western",
                "Numbers stay whole, hyphens go after digits only, apostrophes stay, the dot at the end goes.",
                ["Mr. O'Neil's \"2,000.50\" isn't 10-20, e.g. in the U.S.A. (well-known)!", "It was in 2004."],
            ),
            Draft(
                "13a-entities",
                "Entities are replaced once, in the order &quot; &amp; &lt; &gt;.",
                ["&quot;A&amp;B&quot; &amp;quot;C&amp;quot; &amp;lt;D&amp;gt; &lt;b&gt;"],
            ),
            Draft(
                "13a-unicode",
                "Outside of ASCII nothing is split off, and nothing is normalized.",
                ["“Grüße” – cafe\u0301, naïve… ¿Qué? 今天、好。"],
            ),
            Draft("13a-lowercase", "Lowercasing reaches all letters.", ["ÀÉ Straße ΣΑΣ"], options={"lowercase": True}),
            Draft(
                "intl",
                "All punctuation goes unless between digits, symbols always; at the end of the text a digit keeps its "
                "dot.",
                ["“Price”: 3,50€ + 5% – it was in 2004.", "$5=£4 (approx.)…"],
                options={"tokenizer": "intl"},
            ),
            Draft(
                "zh",
                "Each Chinese character is a token; the rest is split as 13a does.",
                ["今天是2024年,GPT-4很好。 It is 3.5 degrees."],
                options={"tokenizer": "zh"},
            ),
            Draft(
                "char",
                "Each code point but blanks is a token, also outside of the basic plane.",
                ["a b\u00a0𝒳 👍🏽 中"],
                options={"tokenizer": "char"},
            ),
        ],
    )
]
