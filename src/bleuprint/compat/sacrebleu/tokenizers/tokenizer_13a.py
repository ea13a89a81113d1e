"""The tokenizer 13a."""

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import Tokenizer13a as Tokenizer13a
