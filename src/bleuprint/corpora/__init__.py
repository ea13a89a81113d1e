"""What a corpus holds: n-gram indexes of files, and the texts that were seen before.

`build_index` indexes files of any size and `merge_indexes` merges indexes. `bleuprint.NgramIndex` opens and queries
them, and indexes texts that are in memory. `bleuprint.seen` finds texts that an index holds, and `CorpusSearch` finds
them in files that are read once; `write_clean` copies these files without what was found.
"""

from bleuprint.corpora.building import build_index, merge_indexes
from bleuprint.corpora.cleaning import write_clean
from bleuprint.corpora.search import CorpusSearch

__all__ = ["CorpusSearch", "build_index", "merge_indexes", "write_clean"]
