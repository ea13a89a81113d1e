"""bleuprint's cider for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Cider = metric_class("cider")
