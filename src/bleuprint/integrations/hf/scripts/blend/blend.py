"""bleuprint's blend for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Blend = metric_class("blend")
