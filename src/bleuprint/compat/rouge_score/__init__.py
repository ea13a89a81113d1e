"""Google's rouge_score: `rouge_scorer.RougeScorer` and `scoring`."""
