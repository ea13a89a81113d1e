"""Datasets and their items, and readers for common file formats, whole or streamed.

Text files hold one segment per line. Tables (.jsonl, .csv, .tsv, .parquet, a folder saved by Hugging Face's
`datasets`) hold named columns. All formats except parquet may be compressed with gzip or zstd.
"""

from __future__ import annotations

from bleuprint.dataset.collection import Dataset
from bleuprint.dataset.items import DatasetItem
from bleuprint.dataset.lines import TextFile, read_text
from bleuprint.dataset.opening import STDIN
from bleuprint.dataset.stream import Block, FileStream, Segments, is_table, read_parallel

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
