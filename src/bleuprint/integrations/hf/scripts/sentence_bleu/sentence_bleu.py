"""bleuprint's sentence_bleu for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

SentenceBleu = metric_class("sentence_bleu")
