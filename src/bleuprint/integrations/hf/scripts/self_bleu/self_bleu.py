"""bleuprint's self_bleu for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

SelfBleu = metric_class("self_bleu")
