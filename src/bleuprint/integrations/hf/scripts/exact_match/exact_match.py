"""bleuprint's exact_match for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

ExactMatch = metric_class("exact_match")
