"""Google's rouge_score: `rouge_scorer.RougeScorer` and `scoring`.

>>> from bleuprint.compat.rouge_score import rouge_scorer
>>> scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
>>> scorer.score("the cats sat down", "a cat sat down")["rougeL"].recall
0.75
"""
