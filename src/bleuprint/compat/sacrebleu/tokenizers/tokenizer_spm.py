"""The SentencePiece tokenizers.

Models are not downloaded: they are read from sacrebleu's folder, `$SACREBLEU/models` or `~/.sacrebleu/models`. If that
has none, the model that `bleuprint tokenizers add` stored under the same name is used.
"""

from __future__ import annotations

import logging
import os
from functools import partial
from pathlib import Path

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import SplitTokenizer
from bleuprint.core import piece_models
from bleuprint.core.tokenizers import MODEL_NAMES
from bleuprint.errors import DataFileError

__all__ = ["Flores101Tokenizer", "Flores200Tokenizer", "TokenizerSPM", "spBLEU1KTokenizer"]

logger = logging.getLogger("sacrebleu")

# Key to the name in signatures and the name of the model file.
_MODELS = {
    "spm": ("flores101", "sacrebleu_tokenizer_spm.model"),
    "flores101": ("flores101", "sacrebleu_tokenizer_spm.model"),
    "flores200": ("flores200", "flores200sacrebleuspm"),
    "spBLEU-1K": ("spBLEU-1K", "spbleu-1k_tokenizer_spm.model"),
}


class TokenizerSPM(SplitTokenizer):
    """Pieces of a SentencePiece model; needs the extra `spm`."""

    def __init__(self, key: str = "spm") -> None:
        self.name, file = _MODELS[key]
        if key == "spm":
            logger.warning("Tokenizer 'spm' has been changed to 'flores101', and may be removed in the future.")
        home = Path(os.environ.get("SACREBLEU", Path.home() / ".sacrebleu"))
        path = home / "models" / file
        if path.exists():
            super().__init__(f"spm:{path}")
        elif piece_models.find(self.name) is not None:
            super().__init__(self.name)
        else:
            problem = f"the model of the tokenizer {self.name!r} is missing and is not downloaded: put the file there"
            add = f", or run 'bleuprint tokenizers add {self.name} PATH'" if self.name in MODEL_NAMES else ""
            raise DataFileError(str(path), problem + add)

    def signature(self) -> str:
        return self.name


Flores101Tokenizer = partial(TokenizerSPM, "flores101")
Flores200Tokenizer = partial(TokenizerSPM, "flores200")
spBLEU1KTokenizer = partial(TokenizerSPM, "spBLEU-1K")  # noqa: N816  # sacrebleu's name
