"""bleuprint's distinct for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Distinct = metric_class("distinct")
