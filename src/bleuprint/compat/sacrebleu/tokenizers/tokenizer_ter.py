"""The tokenizer of TER."""

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import TercomTokenizer as TercomTokenizer
