"""The tokenizer none."""

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import NoneTokenizer as NoneTokenizer
