"""sacrebleu's arguments."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from bleuprint import __version__
from bleuprint.compat.sacrebleu.metrics import BLEU, CHRF
from bleuprint.compat.sacrebleu.metrics.base import VERSION
from bleuprint.errors import InputError

FORMATS = ("json", "text", "latex")
_TEST_SETS = ("-t --test-set", "-ol --origlang", "--subset", "--download", "--list", "--echo", "--citation --cite")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see bleuprint sacrebleu --help)")


def parse(given: Sequence[str]) -> argparse.Namespace:
    """Parse and check the arguments; names that start with a metric's name are options of that metric."""
    parser = _parser()
    arguments = parser.parse_args(given)
    arguments.paired = arguments.paired_ar or arguments.paired_bs  # all systems are tested against the first
    from_environment = os.environ.get("SACREBLEU_FORMAT", "").lower()
    arguments.format = from_environment if from_environment in FORMATS else arguments.format
    if arguments.test_sets is not None:
        raise InputError(
            "test sets are not downloaded, so -t and related options are not supported; write the references "
            "to a file with `sacrebleu -t SET -l PAIR --echo ref > FILE` and pass that file."
        )
    if arguments.sentence_level and len(arguments.metrics) > 1:
        raise InputError("Only one metric can be used in sentence-level mode.")
    if not arguments.refs:
        raise InputError("no references given; pass their files before the -i/--input argument.")
    if arguments.num_refs != 1 and len(arguments.refs) > 1:
        raise InputError("--num-refs splits one reference file at tabs, so pass only one file.")
    if arguments.num_refs < 1 or arguments.width < 0:
        parser.error("argument --num-refs must be at least 1 and --width at least 0")
    pair = arguments.langpair
    if pair and "-" not in pair:
        raise InputError(f"argument -l/--language-pair must be source-target, such as en-{pair}; got {pair!r}")
    if pair:
        arguments.bleu_trg_lang = pair.split("-")[1]  # a region is ignored: en-zh-CN is Chinese
    if arguments.sentence_level:
        arguments.bleu_effective_order = True
    if arguments.detail and arguments.format == "json":
        arguments.format = "text"  # as in sacrebleu
    return arguments


def _parser() -> _Parser:
    parser = _Parser(
        "bleuprint sacrebleu",
        usage="bleuprint sacrebleu [OPTIONS] REFERENCES... -i SYSTEMS...",
        description="Score files as sacrebleu does, with its arguments and its output.",
        epilog="Test sets (-t and related options) are not downloaded: write them to files with sacrebleu --echo.",
    )
    add = parser.add_argument
    add("refs", nargs="*", default=[], help="reference files, before -i")
    add("--input", "-i", nargs="*", help="files of system outputs; standard input by default")
    add("--num-refs", "-nr", type=int, default=1, help="references per line of the file, separated by tabs")
    add("--encoding", "-e", default="utf-8", help="encoding of the files (default: %(default)s)")
    add("--language-pair", "-l", dest="langpair", help="such as en-zh; selects the tokenizer of BLEU")
    for names in _TEST_SETS:
        add(*names.split(), dest="test_sets", nargs="*", help=argparse.SUPPRESS)
    add("--metrics", "-m", nargs="+", default=["bleu"], **_choice(["bleu", "chrf", "ter"]))
    add("--sentence-level", "-sl", action="store_true", help="one score per line")
    bleu = parser.add_argument_group("BLEU").add_argument
    bleu("--smooth-method", "-s", default="exp", dest="bleu_smooth_method", **_choice(BLEU.SMOOTH_DEFAULTS))
    bleu(
        "--smooth-value", "-sv", type=float, dest="bleu_smooth_value", metavar="VALUE", help="value for floor and add-k"
    )
    bleu("--tokenize", "-tok", dest="bleu_tokenize", **_choice(BLEU.TOKENIZERS))
    bleu("--lowercase", "-lc", action="store_true", dest="bleu_lowercase", help="ignore case")
    bleu("--force", action="store_true", dest="bleu_force", help="do not warn about tokenized input")
    chrf = parser.add_argument_group("chrF").add_argument
    chrf("--chrf-char-order", "-cc", type=int, default=CHRF.CHAR_ORDER, help="default: %(default)s")
    chrf("--chrf-word-order", "-cw", type=int, default=CHRF.WORD_ORDER, help="default: %(default)s; 2 is chrF++")
    chrf("--chrf-beta", type=int, default=CHRF.BETA, help="weight of recall (default: %(default)s)")
    chrf("--chrf-whitespace", action="store_true", help="count whitespace as characters")
    chrf("--chrf-lowercase", action="store_true", help="ignore case")
    chrf("--chrf-eps-smoothing", action="store_true", help="smooth like chrF++.py, NLTK and Moses")
    ter = parser.add_argument_group("TER").add_argument
    ter("--ter-case-sensitive", action="store_true", help="do not ignore case")
    ter("--ter-asian-support", action="store_true", help="split Asian characters")
    ter("--ter-no-punct", action="store_true", help="remove punctuation")
    ter("--ter-normalized", action="store_true", help="separate punctuation from words")
    one = parser.add_argument_group("confidence interval of one system").add_argument
    one("--confidence", "-ci", action="store_true", help="by bootstrap resampling")
    one("--confidence-n", "-cin", type=int, default=1000, help="resamples (default: %(default)s)")
    several = parser.add_argument_group("paired test of several systems")
    either = several.add_mutually_exclusive_group()
    either.add_argument("--paired-ar", "-par", action="store_true", help="approximate randomization")
    either.add_argument("--paired-bs", "-pbs", action="store_true", help="bootstrap resampling")
    several.add_argument("--paired-ar-n", "-parn", type=int, default=10000, help="trials (default: %(default)s)")
    several.add_argument("--paired-bs-n", "-pbsn", type=int, default=1000, help="resamples (default: %(default)s)")
    several.add_argument("--paired-jobs", "-j", type=int, default=1, help="accepted, but not needed")
    shown = parser.add_argument_group("output").add_argument
    shown("--quiet", "-q", action="store_true", help="no messages")
    shown("--short", "-sh", action="store_true", help="short signatures")
    shown("--score-only", "-b", action="store_true", help="only the number")
    shown("--width", "-w", type=int, default=1, help="digits after the decimal point (default: %(default)s)")
    shown("--detail", "-d", action="store_true", help="as text; only test sets have details")
    shown("--no-color", "-nc", action="store_true", help="no colors")
    shown("--format", "-f", default="json", **_choice(FORMATS))
    add("--version", "-V", action="version", version=f"bleuprint {__version__}, compatible with sacrebleu {VERSION}")
    return parser


def _choice(names: Iterable[str]) -> dict[str, Any]:
    """List the choices in the help text, because argparse would put them on one long line."""
    choices = list(names)
    return {"choices": choices, "metavar": "NAME", "help": "one of " + ", ".join(choices)}
