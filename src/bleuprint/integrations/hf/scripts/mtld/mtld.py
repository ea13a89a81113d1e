"""bleuprint's mtld for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Mtld = metric_class("mtld")
