"""bleuprint's wer for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Wer = metric_class("wer")
