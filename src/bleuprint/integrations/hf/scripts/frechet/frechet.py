"""bleuprint's frechet for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Frechet = metric_class("frechet")
