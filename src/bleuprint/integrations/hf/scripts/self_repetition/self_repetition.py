"""bleuprint's self_repetition for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

SelfRepetition = metric_class("self_repetition")
