"""bleuprint's unique_ngrams for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

UniqueNgrams = metric_class("unique_ngrams")
