"""The tokenizer zh."""

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import TokenizerZh as TokenizerZh
