"""Train a tiny language model with GLEU as its reward, by TRL's GRPO, on the CPU and without downloads.

Needs `pip install trl`. The model is made here from random numbers and knows six words. It is rewarded for answering
with the words of the reference, so the mean reward rises within a few steps.
"""

from __future__ import annotations

import tempfile
from typing import Any

from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

import bleuprint as bp

WORDS = ["the", "cat", "sat", "on", "a", "mat"]


def gleu_reward(completions: list[str], reference: list[str], **columns: Any) -> list[float]:
    rewards: list[float] = bp.sentence_gleus(completions, reference, tokenizer="whitespace", max_order=1).tolist()
    return rewards


def tokenizer() -> PreTrainedTokenizerFast:
    vocabulary = {word: number for number, word in enumerate(["<pad>", "<end>", "<unknown>", "?", *WORDS])}
    whole_words = Tokenizer(models.WordLevel(vocabulary, unk_token="<unknown>"))
    whole_words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(
        tokenizer_object=whole_words,
        pad_token="<pad>",
        eos_token="<end>",
        unk_token="<unknown>",
        padding_side="left",
    )


def model(words: PreTrainedTokenizerFast) -> GPT2LMHeadModel:
    config = GPT2Config(
        vocab_size=len(words),
        n_positions=16,
        n_embd=32,
        n_layer=1,
        n_head=2,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        bos_token_id=words.eos_token_id,
        eos_token_id=words.eos_token_id,
        pad_token_id=words.pad_token_id,
    )
    return GPT2LMHeadModel(config)


def train(steps: int, folder: str, reward: Any = gleu_reward) -> list[float]:
    """The mean reward of each step."""
    from transformers import set_seed

    set_seed(1)
    words = tokenizer()
    dataset = Dataset.from_dict({"prompt": ["?"] * 64, "reference": ["the cat sat"] * 64})
    options = GRPOConfig(
        output_dir=folder,
        max_steps=steps,
        per_device_train_batch_size=16,
        num_generations=16,
        max_completion_length=3,
        learning_rate=3e-2,
        logging_steps=1,
        report_to=[],
        save_strategy="no",
        use_cpu=True,
        disable_tqdm=True,
        bf16=False,
        seed=1,
    )
    trainer = GRPOTrainer(
        model=model(words),
        reward_funcs=[reward],
        args=options,
        train_dataset=dataset,
        processing_class=words,
    )
    trainer.train()
    return [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as output:
        rewards = train(30, output)
    print(
        f"mean reward: {sum(rewards[:5]) / 5:.2f} in the first five steps, {sum(rewards[-5:]) / 5:.2f} in the last five"
    )
