"""bleuprint's compression_ratio for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

CompressionRatio = metric_class("compression_ratio")
