"""The tokenizer of the rules that 13a and zh end with."""

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import TokenizerRegexp as TokenizerRegexp
