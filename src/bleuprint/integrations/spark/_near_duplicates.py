"""Near-duplicates of a DataFrame: the same join with prefix filtering as on one machine, as a query."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bleuprint.errors import OptionError
from bleuprint.integrations.spark._batches import Work
from bleuprint.integrations.spark._columns import check_text_column, require_spark
from bleuprint.integrations.spark._shipping import Parcel
from bleuprint.metrics.near_duplicates import NearDuplicates

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame


def near_duplicates(
    df: DataFrame, text: str = "text", key: str = "id", *, metric: NearDuplicates | None = None
) -> DataFrame:
    """All pairs of rows whose texts are near-duplicates, as a DataFrame of `first`, `second` and `similarity`.

    - `text`, `key`: the columns with the texts and with a number or a string that is different in every row
    - `metric`: a `NearDuplicates` with measure "jaccard"; its threshold, order and tokenizer are used

    `first` is the smaller key. The pairs are those of brute force: no pair is missed, and none is below the threshold.
    Rows with equal texts are pairs with a similarity of 1, so remove exact copies first if there are many. Rows
    without a text of `order` tokens are in no pair.

    >>> lines = [(1, "a very long day at the sea"), (2, "a very long day at the sea !"), (3, "dogs bark")]
    >>> df = spark.createDataFrame(lines, "id long, text string")  # doctest: +SKIP
    >>> near_duplicates(df).collect()  # doctest: +SKIP
    [Row(first=1, second=2, similarity=0.8333333333333334)]
    """
    require_spark()
    from pyspark.sql import functions as F  # noqa: N812  # its usual name

    chosen = NearDuplicates() if metric is None else metric
    if not isinstance(chosen, NearDuplicates) or chosen.options["measure"] != "jaccard":
        raise OptionError("metric", "a NearDuplicates metric with measure='jaccard' on Spark", metric)
    check_text_column(df, text, "text")
    if key not in df.columns:
        raise OptionError("key", f"one of the columns {', '.join(df.columns)}", key)
    kind = df.schema[key].dataType.simpleString()
    if kind not in {"bigint", "int", "string"}:
        raise OptionError("key", "a column of integers or strings", f"{key} ({kind})")
    order, threshold = chosen.definition.formula.order, chosen.definition.formula.threshold
    rows = df.select(F.col(key).alias("key"), F.col(text).alias("text"))
    sets = rows.mapInArrow(_ngrams(Parcel.of(chosen), order), f"key {kind}, ngrams array<string>").filter(
        F.size("ngrams") > 0
    )
    exploded = sets.select("key", F.explode("ngrams").alias("ngram"))
    counted = exploded.join(exploded.groupBy("ngram").agg(F.count("*").alias("rows")), "ngram")
    # From the rarest on; two similar texts share one of their first n-grams.
    ordered = counted.groupBy("key").agg(F.sort_array(F.collect_list(F.struct("rows", "ngram"))).alias("sorted"))
    listed = ordered.select("key", F.col("sorted.ngram").alias("ngrams"), F.size("sorted").alias("size"))
    needed = F.ceil(F.col("size") * threshold - 1e-9)
    prefixes = listed.select(
        "key",
        "ngrams",
        "size",
        F.explode(F.slice("ngrams", F.lit(1), (F.col("size") - needed + 1).cast("int"))).alias("rare"),
    )
    one, other = prefixes.alias("one"), prefixes.alias("other")
    near_in_size = F.col("other.size") >= F.col("one.size") * threshold - 1e-9
    met = one.join(
        other,
        (F.col("one.rare") == F.col("other.rare"))
        & (F.col("one.key") < F.col("other.key"))
        & near_in_size
        & (F.col("one.size") >= F.col("other.size") * threshold - 1e-9),
    )
    shared = F.size(F.array_intersect("one.ngrams", "other.ngrams"))
    pairs = met.select(
        F.col("one.key").alias("first"),
        F.col("other.key").alias("second"),
        (shared / (F.col("one.size") + F.col("other.size") - shared)).alias("similarity"),
    )
    return pairs.filter(F.col("similarity") >= threshold).distinct()


def _ngrams(shipped: Parcel, order: int) -> Work:
    """The different n-grams of each text, each as a JSON list of its tokens: no two n-grams have the same."""

    def work(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        import pyarrow as pa

        tokenize = shipped.open().definition.tokenizer
        for batch in batches:
            sets = []
            for text in batch.column(1).to_pylist():
                tokens = [] if text is None else tokenize(text)
                starts = range(len(tokens) - order + 1)
                sets.append(list({json.dumps(tokens[start : start + order]) for start in starts}))
            yield pa.RecordBatch.from_arrays(
                [batch.column(0), pa.array(sets, pa.list_(pa.string()))], ["key", "ngrams"]
            )

    return work
