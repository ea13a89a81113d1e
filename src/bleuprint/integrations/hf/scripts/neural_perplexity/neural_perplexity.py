"""bleuprint's neural_perplexity for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

NeuralPerplexity = metric_class("neural_perplexity")
