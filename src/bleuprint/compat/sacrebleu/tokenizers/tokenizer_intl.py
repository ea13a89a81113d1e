"""The tokenizer intl."""

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import TokenizerV14International as TokenizerV14International
