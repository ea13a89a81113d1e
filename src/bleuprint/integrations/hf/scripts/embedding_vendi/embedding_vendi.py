"""bleuprint's embedding_vendi for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

EmbeddingVendi = metric_class("embedding_vendi")
