"""What the task scores: every reference of a document counts."""

from bleuprint.integrations.lm_eval import scored_by

process_results = scored_by("bleu", "chrf", "ter", references="references")
