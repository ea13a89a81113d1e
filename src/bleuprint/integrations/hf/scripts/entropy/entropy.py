"""bleuprint's entropy for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Entropy = metric_class("entropy")
