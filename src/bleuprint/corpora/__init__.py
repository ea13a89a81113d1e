"""What a corpus holds: n-gram indexes of files, and the texts that were seen before.

`build_index` indexes files of any size and `merge_indexes` merges indexes. `bleuprint.NgramIndex` opens and queries
them, and indexes texts that are in memory. `bleuprint.seen` finds texts that an index holds.
"""

from bleuprint.corpora.building import build_index, merge_indexes

__all__ = ["build_index", "merge_indexes"]
