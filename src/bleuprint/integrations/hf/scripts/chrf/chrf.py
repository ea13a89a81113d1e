"""bleuprint's chrf for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Chrf = metric_class("chrf")
