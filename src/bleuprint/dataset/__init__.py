"""Datasets and their items, and readers for common file formats, whole or streamed.

Text files hold one segment per line. Tables (.jsonl, .json, .csv, .tsv, .parquet, a folder saved by Hugging Face's
`datasets`, logs of Inspect, the LM Evaluation Harness, promptfoo and MLflow) hold named columns. Text, .jsonl, .json,
.csv and .tsv files may be compressed with gzip or zstd.
"""

from __future__ import annotations

from bleuprint.dataset.collection import Dataset
from bleuprint.dataset.items import DatasetItem
from bleuprint.dataset.opening import STDIN
from bleuprint.dataset.stream import Block, FileStream, Segments, TextFile, is_table, read_parallel, read_text

__all__ = [
    "STDIN",
    "Block",
    "Dataset",
    "DatasetItem",
    "FileStream",
    "Segments",
    "TextFile",
    "is_table",
    "read_parallel",
    "read_text",
]
