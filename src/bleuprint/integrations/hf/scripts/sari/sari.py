"""bleuprint's sari for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Sari = metric_class("sari")
