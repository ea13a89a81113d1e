"""bleuprint's repetition_rate for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

RepetitionRate = metric_class("repetition_rate")
