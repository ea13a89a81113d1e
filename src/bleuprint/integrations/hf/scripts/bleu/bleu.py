"""bleuprint's bleu for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Bleu = metric_class("bleu")
