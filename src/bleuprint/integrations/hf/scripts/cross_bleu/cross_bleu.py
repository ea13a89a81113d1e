"""bleuprint's cross_bleu for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

CrossBleu = metric_class("cross_bleu")
