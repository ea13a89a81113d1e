"""WordNets on disk that NLTK reads as well: the one that Debian packages, and small ones made here."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nltk
from nltk.corpus.reader import WordNetCorpusReader

DEBIAN = Path("/usr/share/wordnet")
MISSING = "no WordNet in /usr/share/wordnet: as root, apt-get install wordnet-base"
PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
# The lexicographer files in WordNet's order, which Debian leaves out. Nothing here depends on them but NLTK's start.
LEXNAMES = """
    adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition
    noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person
    noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape noun.state
    noun.substance noun.time verb.body verb.change verb.cognition verb.communication verb.competition verb.consumption
    verb.contact verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative
    verb.weather adj.ppl
""".split()  # noqa: SIM905


@dataclass
class SmallWordNet:
    """Synsets as lists of names and exceptions as lists of words, by part of speech."""

    synsets: Mapping[str, Sequence[Sequence[str]]]
    exceptions: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for part, letter in PARTS.items():
            data, index = "  1 A small WordNet\n", dict[str, list[int]]()
            for names in self.synsets.get(part, ()):
                offset = len(data.encode())
                words = " ".join(f"{name} 0" for name in names)
                data += f"{offset:08d} 00 {letter} {len(names):02x} {words} 000 | a gloss  \n"
                for name in names:
                    places = index.setdefault(name.partition("(")[0].lower(), [])
                    if offset not in places:
                        places.append(offset)
            lines = [f"{lemma} {letter} {len(at)} 0 {len(at)} 0 {_offsets(at)}  \n" for lemma, at in index.items()]
            (folder / f"data.{part}").write_text(data, encoding="utf-8")
            (folder / f"index.{part}").write_text("  1 A small WordNet\n" + "".join(sorted(lines)), encoding="utf-8")
            exceptions = "".join(f"{' '.join(words)}\n" for words in self.exceptions.get(part, ()))
            (folder / f"{part}.exc").write_text(exceptions, encoding="utf-8")
        return folder


# Every rule of looking up is needed somewhere: exceptions that hide rules, the last of two lines for one form, names in
# capitals, of several words and with the mark of an adjective, one lemma in several parts of speech.
SMALL = SmallWordNet(
    synsets={
        "noun": (
            *(("dog", "domestic_dog", "Hound"), ("dog",), ("run", "streak"), ("die", "dice"), ("Rex", "male_monarch")),
            *(("axis",), ("ax", "axe"), ("several_words", "in_all"), ("man", "adult_male"), ("fireman", "stoker")),
            *(("leaf", "page"), ("box", "case"), ("church", "kirk"), ("wish", "desire"), ("city", "town"), ("gas",)),
        ),
        "verb": (("run", "operate"), ("move", "go"), ("stop", "halt"), ("try", "essay"), ("die", "perish"), ("be",)),
        "adj": (("big(a)", "large"), ("fine(p)", "all_right"), ("fine", "thin"), ("well", "good")),
        "adv": (("well", "good"), ("fast",), ("best", "well")),
    },
    exceptions={
        "noun": (("axes", "ax", "axis"), ("dice", "die"), ("oxen", "ox"), ("leaves", "leaf")),
        "verb": (("ran", "run"), ("dies", "die"), ("dies", "dye"), ("was", "be"), ("dying",)),
        "adj": (("best", "good", "well"),),
        "adv": (("better", "well"),),
    },
)


def _offsets(offsets: Iterable[int]) -> str:
    return " ".join(f"{offset:08d}" for offset in offsets)


def debian_copy(folder: Path) -> Path:
    """NLTK opens nothing outside of the folders it was told of, so it gets a copy."""
    folder.mkdir(parents=True)
    for part in PARTS:
        for name in (f"index.{part}", f"data.{part}", f"{part}.exc"):
            shutil.copy(DEBIAN / name, folder / name)
    return folder


class EnglishOnly(WordNetCorpusReader):  # type: ignore[misc]
    """NLTK's reader without its map to other languages, for which it would want a second WordNet."""

    def map_wn(self, version: str = "wordnet") -> None:
        return None


def nltk_reader(folder: Path) -> Any:
    """NLTK's WordNet of a folder that belongs to the tests."""
    lines = (f"{number:02d}\t{name}\t1\n" for number, name in enumerate(LEXNAMES))
    (folder / "lexnames").write_text("".join(lines), encoding="utf-8")
    if str(folder.parent) not in nltk.data.path:
        nltk.data.path.append(str(folder.parent))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that there are no other languages
        return EnglishOnly(str(folder), None)


def nltk_synonyms(reader: Any, word: str) -> set[str]:
    names = (lemma.name() for synset in reader.synsets(word) for lemma in synset.lemmas())
    return {name for name in names if "_" not in name}
