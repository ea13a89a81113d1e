"""Score files that do not fit into memory: one pass for several systems and metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bleuprint.core.columns import Corpus
from bleuprint.core.threads import worker_count
from bleuprint.dataset import Block, FileStream
from bleuprint.errors import OptionError
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.runners import one_pass

__all__ = ["score_stream"]


def score_stream(
    stream: FileStream,
    metrics: Mapping[str, Metric[Score]],
    *,
    threads: int | None = None,
    advance: Callable[[int], object] | None = None,
    look: Callable[[Block], object] | None = None,
) -> dict[str, dict[str, Score]]:
    """The corpus score of each system under each metric, equal to scoring all segments at once.

    `advance` is called after each block with the number of bytes read, `look` with each block. The metrics themselves
    are not changed.

    >>> import bleuprint
    >>> sample = bleuprint.__file__.replace("__init__.py", "dataset/sample/")
    >>> with FileStream({"a": sample + "system-a.txt"}, [sample + "ref-1.txt", sample + "ref-2.txt"]) as stream:
    ...     round(score_stream(stream, {"bleu": bleuprint.BLEU()})["a"]["bleu"].value, 4)
    0.7266
    """
    if not metrics:
        raise OptionError("metrics", "at least one metric by name", dict(metrics))
    workers = worker_count(threads)
    running = {system: {name: metric.fresh() for name, metric in metrics.items()} for system in stream.systems}
    for number, block in enumerate(stream.blocks()):
        corpora = Corpus.of_systems(block.hypotheses, block.references, block.sources)
        if number == 0:
            one_pass.warn_of_unseen(metrics, corpora.values())
        one_pass.update(running, corpora, threads=workers)
        if look is not None:
            look(block)
        if advance is not None:
            advance(block.bytes_read)
    return {system: {name: metric.compute() for name, metric in done.items()} for system, done in running.items()}
