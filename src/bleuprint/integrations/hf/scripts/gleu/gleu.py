"""bleuprint's gleu for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Gleu = metric_class("gleu")
