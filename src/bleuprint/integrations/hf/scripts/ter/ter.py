"""bleuprint's ter for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Ter = metric_class("ter")
