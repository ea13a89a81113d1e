"""Agreement of metrics with human ratings, and of raters with each other.

`measuring` puts the result together from what `levels` finds; `result` holds and shows it. The rest
takes plain arrays: correlations and shares of pairs are in `correlations` and `pairs`, intervals and tests between
metrics in `resampling`, Krippendorff's alpha and the noise ceiling in `raters`.
"""
