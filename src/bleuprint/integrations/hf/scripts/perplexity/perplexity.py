"""bleuprint's perplexity for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Perplexity = metric_class("perplexity")
