"""bleuprint's coverage for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Coverage = metric_class("coverage")
