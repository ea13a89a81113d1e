"""bleuprint's vendi for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Vendi = metric_class("vendi")
