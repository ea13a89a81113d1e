"""The suites by name. A new metric is one file with `sections(run)` and one line here."""

from __future__ import annotations

from bench import (
    bleu,
    chrf,
    compat,
    diversity,
    edits,
    evaluation,
    files,
    gleu,
    goals,
    index,
    insight,
    language_model,
    meteor,
    pairwise,
    report,
    rouge,
    self_bleu,
    significance,
    start_up,
    ter,
    tokenizers,
    weighted,
)
from bench.harness import Suite

SUITES = {
    "bleu": Suite(bleu.sections, bleu.memory_field),
    "chrf": Suite(chrf.sections),
    "compat": Suite(compat.sections),
    "diversity": Suite(diversity.sections),
    "edits": Suite(edits.sections),
    "evaluation": Suite(evaluation.sections),
    "files": Suite(files.sections, files.memory_field),
    "gleu": Suite(gleu.sections),
    "goals": Suite(goals.sections),
    "index": Suite(index.sections),
    "insight": Suite(insight.sections),
    "lm": Suite(language_model.sections),
    "meteor": Suite(meteor.sections),
    "pairwise": Suite(pairwise.sections, pairwise.memory_field),
    "report": Suite(report.sections),
    "rouge": Suite(rouge.sections),
    "self-bleu": Suite(self_bleu.sections),
    "significance": Suite(significance.sections, significance.memory_field),
    "ter": Suite(ter.sections),
    "tokenizers": Suite(tokenizers.sections),
    "weighted": Suite(weighted.sections),
    "start-up": Suite(start_up.sections),
}
