"""bleuprint's contamination for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Contamination = metric_class("contamination")
