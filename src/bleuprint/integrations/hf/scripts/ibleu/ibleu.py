"""bleuprint's ibleu for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Ibleu = metric_class("ibleu")
