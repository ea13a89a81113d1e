"""bleuprint's zipf for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Zipf = metric_class("zipf")
