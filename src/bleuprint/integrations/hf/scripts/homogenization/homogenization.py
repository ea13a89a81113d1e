"""bleuprint's homogenization for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Homogenization = metric_class("homogenization")
