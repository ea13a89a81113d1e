"""bleuprint's loops for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Loops = metric_class("loops")
