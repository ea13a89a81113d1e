"""The tokenizer ja-mecab."""

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import TokenizerJaMecab as TokenizerJaMecab
