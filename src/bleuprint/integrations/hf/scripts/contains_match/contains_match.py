"""bleuprint's contains_match for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

ContainsMatch = metric_class("contains_match")
