"""Score files of texts and write the scores to a CSV file."""

from __future__ import annotations

import glob
import logging
from itertools import zip_longest
from pathlib import Path

from bleuprint.compat.rouge_score.scoring import BaseScorer, BootstrapAggregator

__all__ = ["compute_scores_and_write_to_csv"]

logger = logging.getLogger("absl")  # rouge_score's logger


def compute_scores_and_write_to_csv(
    target_filepattern: str,
    prediction_filepattern: str,
    output_filename: str,
    scorer: BaseScorer,
    aggregator: BootstrapAggregator | None,
    delimiter: str = "\n",
) -> None:
    """Score the records of files, which end with the delimiter; like rouge_score, replaces an existing output file.

    With an aggregator, writes a line with the interval of every score, otherwise a line for every record.
    """
    targets, predictions = (
        sorted(glob.glob(pattern))  # noqa: PTH207 (Path.glob takes no absolute patterns)
        for pattern in (target_filepattern, prediction_filepattern)
    )
    if not targets or len(targets) != len(predictions):
        raise ValueError(
            "Must have equal and positive number of target and prediction files. "
            f"Found: {len(targets)} target files ({target_filepattern}), "
            f"{len(predictions)} prediction files ({prediction_filepattern})."
        )
    scores = []
    for files in zip(targets, predictions, strict=True):
        for target, prediction in zip_longest(*(_records(file, delimiter) for file in files)):
            if target is None or prediction is None:
                raise ValueError(
                    "Must have equal number of lines across target and prediction files. "
                    f"Mismatch between files: {files[0]}, {files[1]}."
                )
            scores.append(scorer.score(target, prediction))
    if aggregator is not None:
        for score in scores:
            aggregator.add_scores(score)
        lines = ["score_type,low,mid,high"]
        for kind, bounds in sorted(aggregator.aggregate().items()):
            for letter, rate in (("R", "recall"), ("P", "precision"), ("F", "fmeasure")):
                lines.append(",".join([f"{kind}-{letter}", *(f"{getattr(score, rate):f}" for score in bounds)]))
    elif scores:
        kinds = sorted(scores[0])
        lines = [",".join(["id", *(f"{kind}-{rate}" for kind in kinds for rate in "PRF")])]
        for number, score in enumerate(scores):
            lines.append(",".join([str(number), *(f"{rate:f}" for kind in kinds for rate in score[kind])]))
    else:
        logger.warning("No scores to write")
        return
    Path(output_filename).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _records(file: str, delimiter: str) -> list[str]:
    *records, last = Path(file).read_text(encoding="utf-8").split(delimiter)
    if not last:
        return records
    logger.warning("Expected delimiter at end of file")
    return [*records, last]
