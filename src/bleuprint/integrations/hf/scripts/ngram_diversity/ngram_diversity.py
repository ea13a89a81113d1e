"""bleuprint's ngram_diversity for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

NgramDiversity = metric_class("ngram_diversity")
