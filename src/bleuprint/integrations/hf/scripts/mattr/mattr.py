"""bleuprint's mattr for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Mattr = metric_class("mattr")
