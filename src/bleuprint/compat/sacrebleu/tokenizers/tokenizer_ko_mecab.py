"""The tokenizer ko-mecab."""

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import TokenizerKoMecab as TokenizerKoMecab
