"""bleuprint's bertscore for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Bertscore = metric_class("bertscore")
