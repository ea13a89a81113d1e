"""Whom to cite: the papers that define the metrics and tests, in BibTeX."""

from __future__ import annotations

__all__ = ["METHODS", "METRICS", "bibtex", "cited"]

# Keys of `_PAPERS` by the name of a metric. Exact and contains match need no citation.
METRICS: dict[str, tuple[str, ...]] = {
    "bertscore": ("zhang-etal-2020-bertscore",),
    "bleu": ("papineni-etal-2002-bleu",),
    "blend": (),  # the fit may be ridge or partial least squares, which the score does not tell
    "cer": ("levenshtein-1966-binary",),
    "chrf": ("popovic-2015-chrf",),
    "chrf++": ("popovic-2015-chrf", "popovic-2017-chrf"),
    "cider": ("vedantam-etal-2015-cider",),
    "contains-match": (),
    "contamination": ("brown-etal-2020-language", "chowdhery-etal-2023-palm", "touvron-etal-2023-llama"),
    "coverage": ("grusky-etal-2018-newsroom",),
    "density": ("grusky-etal-2018-newsroom",),
    "exact-match": (),
    "gec-gleu": ("napoles-etal-2015-ground", "napoles-etal-2016-gleu"),
    "gleu": ("wu-etal-2016-google",),
    "ibleu": ("sun-zhou-2012-joint",),
    "levenshtein-ratio": ("levenshtein-1966-binary",),
    "mer": ("morris-etal-2004-wer",),
    "meteor": ("lavie-agarwal-2007-meteor",),
    "neural-perplexity": ("jelinek-etal-1977-perplexity",),
    "nist": ("doddington-2002-automatic",),
    "novelty": ("merrill-etal-2024-evaluating",),
    "perplexity": ("jelinek-etal-1977-perplexity",),
    "rouge": ("lin-2004-rouge",),
    "sari": ("xu-etal-2016-optimizing",),
    "sentence-bleu": ("papineni-etal-2002-bleu",),
    "squad-f1": ("rajpurkar-etal-2016-squad",),
    "ter": ("snover-etal-2006-study",),
    "wer": ("levenshtein-1966-binary",),
    "wil": ("morris-etal-2004-wer",),
    "wip": ("morris-etal-2004-wer",),
}
METHODS = {
    "paired-bootstrap": "koehn-2004-statistical",
    "approximate-randomization": "riezler-maxwell-2005-pitfalls",
    "exact": "noreen-1989-computer",
    "holm": "holm-1979-simple",
    "bca": "efron-1987-better",
    "sacrebleu": "post-2018-call",
}
# Author, year, title, and the fields that depend on the kind of publication.
_PAPERS: dict[str, tuple[str, str, dict[str, str]]] = {
    "brown-etal-2020-language": (
        "Brown et al., 2020",
        "inproceedings",
        {
            "author": "Brown, Tom and Mann, Benjamin and Ryder, Nick and Subbiah, Melanie and others",
            "title": "Language Models are Few-Shot Learners",
            "booktitle": "Advances in Neural Information Processing Systems",
            "volume": "33",
            "pages": "1877--1901",
            "year": "2020",
        },
    ),
    "chowdhery-etal-2023-palm": (
        "Chowdhery et al., 2023",
        "article",
        {
            "author": "Chowdhery, Aakanksha and Narang, Sharan and Devlin, Jacob and others",
            "title": "{PaLM}: Scaling Language Modeling with Pathways",
            "journal": "Journal of Machine Learning Research",
            "volume": "24",
            "number": "240",
            "pages": "1--113",
            "year": "2023",
        },
    ),
    "doddington-2002-automatic": (
        "Doddington, 2002",
        "inproceedings",
        {
            "author": "Doddington, George",
            "title": "Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence Statistics",
            "booktitle": "Proceedings of the Second International Conference on Human Language Technology Research",
            "year": "2002",
        },
    ),
    "efron-1987-better": (
        "Efron, 1987",
        "article",
        {
            "author": "Efron, Bradley",
            "title": "Better Bootstrap Confidence Intervals",
            "journal": "Journal of the American Statistical Association",
            "volume": "82",
            "number": "397",
            "pages": "171--185",
            "year": "1987",
        },
    ),
    "grusky-etal-2018-newsroom": (
        "Grusky et al., 2018",
        "inproceedings",
        {
            "author": "Grusky, Max and Naaman, Mor and Artzi, Yoav",
            "title": "Newsroom: A Dataset of 1.3 Million Summaries with Diverse Extractive Strategies",
            "booktitle": "Proceedings of the 2018 Conference of the North American Chapter of the Association for "
            "Computational Linguistics: Human Language Technologies",
            "pages": "708--719",
            "year": "2018",
        },
    ),
    "holm-1979-simple": (
        "Holm, 1979",
        "article",
        {
            "author": "Holm, Sture",
            "title": "A Simple Sequentially Rejective Multiple Test Procedure",
            "journal": "Scandinavian Journal of Statistics",
            "volume": "6",
            "number": "2",
            "pages": "65--70",
            "year": "1979",
        },
    ),
    "jelinek-etal-1977-perplexity": (
        "Jelinek et al., 1977",
        "article",
        {
            "author": "Jelinek, F. and Mercer, R. L. and Bahl, L. R. and Baker, J. K.",
            "title": "Perplexity---a Measure of the Difficulty of Speech Recognition Tasks",
            "journal": "The Journal of the Acoustical Society of America",
            "volume": "62",
            "number": "S1",
            "pages": "S63",
            "year": "1977",
        },
    ),
    "koehn-2004-statistical": (
        "Koehn, 2004",
        "inproceedings",
        {
            "author": "Koehn, Philipp",
            "title": "Statistical Significance Tests for Machine Translation Evaluation",
            "booktitle": "Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing",
            "pages": "388--395",
            "year": "2004",
        },
    ),
    "lavie-agarwal-2007-meteor": (
        "Lavie and Agarwal, 2007",
        "inproceedings",
        {
            "author": "Lavie, Alon and Agarwal, Abhaya",
            "title": "{METEOR}: An Automatic Metric for {MT} Evaluation with High Levels of Correlation with Human "
            "Judgments",
            "booktitle": "Proceedings of the Second Workshop on Statistical Machine Translation",
            "pages": "228--231",
            "year": "2007",
        },
    ),
    "levenshtein-1966-binary": (
        "Levenshtein, 1966",
        "article",
        {
            "author": "Levenshtein, Vladimir I.",
            "title": "Binary Codes Capable of Correcting Deletions, Insertions, and Reversals",
            "journal": "Soviet Physics Doklady",
            "volume": "10",
            "number": "8",
            "pages": "707--710",
            "year": "1966",
        },
    ),
    "lin-2004-rouge": (
        "Lin, 2004",
        "inproceedings",
        {
            "author": "Lin, Chin-Yew",
            "title": "{ROUGE}: A Package for Automatic Evaluation of Summaries",
            "booktitle": "Text Summarization Branches Out",
            "pages": "74--81",
            "year": "2004",
        },
    ),
    "merrill-etal-2024-evaluating": (
        "Merrill et al., 2024",
        "inproceedings",
        {
            "author": "Merrill, William and Smith, Noah A. and Elazar, Yanai",
            "title": "Evaluating n-Gram Novelty of Language Models Using {Rusty-DAWG}",
            "booktitle": "Proceedings of the 2024 Conference on Empirical Methods in Natural Language Processing",
            "year": "2024",
        },
    ),
    "morris-etal-2004-wer": (
        "Morris et al., 2004",
        "inproceedings",
        {
            "author": "Morris, Andrew Cameron and Maier, Viktoria and Green, Phil",
            "title": "From {WER} and {RIL} to {MER} and {WIL}: Improved Evaluation Measures for Connected Speech "
            "Recognition",
            "booktitle": "Proceedings of Interspeech 2004",
            "pages": "2765--2768",
            "year": "2004",
        },
    ),
    "napoles-etal-2015-ground": (
        "Napoles et al., 2015",
        "inproceedings",
        {
            "author": "Napoles, Courtney and Sakaguchi, Keisuke and Post, Matt and Tetreault, Joel",
            "title": "Ground Truth for Grammatical Error Correction Metrics",
            "booktitle": "Proceedings of the 53rd Annual Meeting of the Association for Computational Linguistics and "
            "the 7th International Joint Conference on Natural Language Processing (Volume 2: Short Papers)",
            "pages": "588--593",
            "year": "2015",
        },
    ),
    "napoles-etal-2016-gleu": (
        "Napoles et al., 2016",
        "misc",
        {
            "author": "Napoles, Courtney and Sakaguchi, Keisuke and Post, Matt and Tetreault, Joel",
            "title": "{GLEU} Without Tuning",
            "eprint": "1605.02592",
            "archiveprefix": "arXiv",
            "year": "2016",
        },
    ),
    "noreen-1989-computer": (
        "Noreen, 1989",
        "book",
        {
            "author": "Noreen, Eric W.",
            "title": "Computer-Intensive Methods for Testing Hypotheses: An Introduction",
            "publisher": "Wiley",
            "year": "1989",
        },
    ),
    "papineni-etal-2002-bleu": (
        "Papineni et al., 2002",
        "inproceedings",
        {
            "author": "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
            "title": "{BLEU}: a Method for Automatic Evaluation of Machine Translation",
            "booktitle": "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
            "pages": "311--318",
            "year": "2002",
        },
    ),
    "popovic-2015-chrf": (
        "Popović, 2015",
        "inproceedings",
        {
            "author": "Popovi{\\'c}, Maja",
            "title": "chr{F}: character n-gram {F}-score for automatic {MT} evaluation",
            "booktitle": "Proceedings of the Tenth Workshop on Statistical Machine Translation",
            "pages": "392--395",
            "year": "2015",
        },
    ),
    "popovic-2017-chrf": (
        "Popović, 2017",
        "inproceedings",
        {
            "author": "Popovi{\\'c}, Maja",
            "title": "chr{F}++: words helping character n-grams",
            "booktitle": "Proceedings of the Second Conference on Machine Translation",
            "pages": "612--618",
            "year": "2017",
        },
    ),
    "rajpurkar-etal-2016-squad": (
        "Rajpurkar et al., 2016",
        "inproceedings",
        {
            "author": "Rajpurkar, Pranav and Zhang, Jian and Lopyrev, Konstantin and Liang, Percy",
            "title": "{SQ}u{AD}: 100,000+ Questions for Machine Comprehension of Text",
            "booktitle": "Proceedings of the 2016 Conference on Empirical Methods in Natural Language Processing",
            "pages": "2383--2392",
            "year": "2016",
            "url": "https://aclanthology.org/D16-1264/",
        },
    ),
    "post-2018-call": (
        "Post, 2018",
        "inproceedings",
        {
            "author": "Post, Matt",
            "title": "A Call for Clarity in Reporting {BLEU} Scores",
            "booktitle": "Proceedings of the Third Conference on Machine Translation: Research Papers",
            "pages": "186--191",
            "year": "2018",
        },
    ),
    "riezler-maxwell-2005-pitfalls": (
        "Riezler and Maxwell, 2005",
        "inproceedings",
        {
            "author": "Riezler, Stefan and Maxwell, John T.",
            "title": "On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}",
            "booktitle": "Proceedings of the {ACL} Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine "
            "Translation and/or Summarization",
            "pages": "57--64",
            "year": "2005",
        },
    ),
    "snover-etal-2006-study": (
        "Snover et al., 2006",
        "inproceedings",
        {
            "author": "Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John",
            "title": "A Study of Translation Edit Rate with Targeted Human Annotation",
            "booktitle": "Proceedings of the 7th Conference of the Association for Machine Translation in the "
            "Americas: Technical Papers",
            "pages": "223--231",
            "year": "2006",
        },
    ),
    "sun-zhou-2012-joint": (
        "Sun and Zhou, 2012",
        "inproceedings",
        {
            "author": "Sun, Hong and Zhou, Ming",
            "title": "Joint Learning of a Dual {SMT} System for Paraphrase Generation",
            "booktitle": "Proceedings of the 50th Annual Meeting of the Association for Computational Linguistics "
            "(Volume 2: Short Papers)",
            "pages": "38--42",
            "year": "2012",
        },
    ),
    "touvron-etal-2023-llama": (
        "Touvron et al., 2023",
        "misc",
        {
            "author": "Touvron, Hugo and Martin, Louis and Stone, Kevin and others",
            "title": "{Llama} 2: Open Foundation and Fine-Tuned Chat Models",
            "eprint": "2307.09288",
            "archiveprefix": "arXiv",
            "year": "2023",
        },
    ),
    "vedantam-etal-2015-cider": (
        "Vedantam et al., 2015",
        "inproceedings",
        {
            "author": "Vedantam, Ramakrishna and Zitnick, C. Lawrence and Parikh, Devi",
            "title": "{CIDEr}: Consensus-Based Image Description Evaluation",
            "booktitle": "Proceedings of the IEEE Conference on Computer Vision and Pattern Recognition",
            "pages": "4566--4575",
            "year": "2015",
        },
    ),
    "wu-etal-2016-google": (
        "Wu et al., 2016",
        "misc",
        {
            "author": "Wu, Yonghui and others",
            "title": "{Google}'s Neural Machine Translation System: Bridging the Gap between Human and Machine "
            "Translation",
            "eprint": "1609.08144",
            "archiveprefix": "arXiv",
            "year": "2016",
        },
    ),
    "xu-etal-2016-optimizing": (
        "Xu et al., 2016",
        "article",
        {
            "author": "Xu, Wei and Napoles, Courtney and Pavlick, Ellie and Chen, Quanze and Callison-Burch, Chris",
            "title": "Optimizing Statistical Machine Translation for Text Simplification",
            "journal": "Transactions of the Association for Computational Linguistics",
            "volume": "4",
            "pages": "401--415",
            "year": "2016",
        },
    ),
    "zhang-etal-2020-bertscore": (
        "Zhang et al., 2020",
        "inproceedings",
        {
            "author": "Zhang, Tianyi and Kishore, Varsha and Wu, Felix and Weinberger, Kilian Q. and Artzi, Yoav",
            "title": "{BERTScore}: Evaluating Text Generation with {BERT}",
            "booktitle": "International Conference on Learning Representations",
            "year": "2020",
        },
    ),
}


def cited(key: str) -> str:
    """A paper as it is cited in running text.

    >>> cited("papineni-etal-2002-bleu")
    'Papineni et al., 2002'
    """
    return _PAPERS[key][0]


def bibtex(key: str) -> str:
    """A paper as an entry of a bibliography."""
    _, kind, fields = _PAPERS[key]
    lines = [f"@{kind}{{{key},", *(f"  {name} = {{{value}}}," for name, value in fields.items()), "}"]
    return "\n".join(lines)
