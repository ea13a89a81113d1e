"""bleuprint's cer for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Cer = metric_class("cer")
