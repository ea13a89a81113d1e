"""bleuprint's novelty for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Novelty = metric_class("novelty")
