"""bleuprint's nist for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Nist = metric_class("nist")
