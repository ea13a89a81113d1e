"""bleuprint's duplicates for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Duplicates = metric_class("duplicates")
