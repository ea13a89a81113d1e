"""Drop-in replacements: the APIs of other libraries, implemented by bleuprint. To migrate, change an import.

| instead of | write |
|---|---|
| ``import sacrebleu`` | ``from bleuprint.compat import sacrebleu`` |
| ``from nltk.translate.bleu_score import …`` | ``from bleuprint.compat.nltk.bleu_score import …`` |
| ``from fast_bleu import …`` | ``from bleuprint.compat.fast_bleu import …`` |
| ``from rouge_score import rouge_scorer`` | ``from bleuprint.compat.rouge_score import rouge_scorer`` |
| ``import jiwer`` | ``from bleuprint.compat import jiwer`` |

Scales, shapes, attributes and quirks are those of the original library, which does not have to be installed.
"""
