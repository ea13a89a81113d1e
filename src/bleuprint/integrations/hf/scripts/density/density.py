"""bleuprint's density for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Density = metric_class("density")
