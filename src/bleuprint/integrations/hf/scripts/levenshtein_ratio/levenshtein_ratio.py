"""bleuprint's levenshtein_ratio for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

LevenshteinRatio = metric_class("levenshtein_ratio")
