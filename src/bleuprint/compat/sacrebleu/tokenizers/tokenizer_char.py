"""The tokenizer char."""

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import TokenizerChar as TokenizerChar
