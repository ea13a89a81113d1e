"""bleuprint's wil for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Wil = metric_class("wil")
