"""bleuprint's mer for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Mer = metric_class("mer")
