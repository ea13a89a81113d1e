"""bleuprint's rouge for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Rouge = metric_class("rouge")
